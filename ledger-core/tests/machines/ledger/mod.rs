//! Stories that need several machines, their books and time: the whole ledger over maps.

mod archived;
mod broken;
mod byte_for_byte;
mod ceilings;
mod client;
mod closings;
mod contradicted;
mod corrections;
mod countable;
mod counter;
mod entries;
mod forged;
mod groups;
mod handed_out;
mod held_back;
mod holds;
mod kept_state;
mod keys;
mod late;
mod late_tokens;
mod listed;
mod mesh;
mod metadata;
mod mined_again;
mod notifications;
mod opening;
mod payers;
mod purchases;
mod recipients;
mod recoveries;
mod refused;
mod reported_early;
mod reservations;
mod returned_early;
mod returns;
mod sale_bounds;
mod sales;
mod sales_at_random;
mod spellings;
mod templates;
mod told_again;
mod traced;
mod unawaited;
mod units;
mod unknown_account;
mod wallets;

use std::sync::Arc;

use ledger_core::accounting::Nature;
use ledger_core::id::{AccountId, KeyHash, OpId, SubaccountId};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::{
    Archive, Cause, ChargeRequest, Command, Corrupt, Destination, Event, Fact, Instruction, Intent,
    Ledger, MapArchive, Notification, OperatorDecision, Outcome, Ownership, PayoutRequest, Record,
    Refusal, Reported, Request, TransferRequest, invariants, read_back,
};
use ledger_core::machine::charge::{Delivery, PixPayment, Qr};
use ledger_core::machine::hold;
use ledger_core::terms::{Policy, Release, Switch, Terms};
use ledger_core::time::{Instant, Span};

use crate::samples::{SOMEBODY, amount, at};
use archived::assert_archive_is_what_its_records_say;

/// A ledger, and somebody who reports to it what happens; one second passes with every command.
struct Harness {
    ledger: Ledger<MapArchive>,
    now: Instant,
    /// How many facts were reported: each gets an id of its own.
    reported: u32,
    /// What clients were notified of, and what the world was instructed to do, so far.
    notifications: Vec<Notification>,
    instructions: Vec<Instruction>,
    records: Vec<Record>,
}

const SHOP: AccountId = AccountId(0);
const HOUSE: SubaccountId = SubaccountId(0);

/// The published terms, every deposit available at once and no waiting period.
fn instant() -> Terms {
    Terms {
        retention_above: None,
        release: Release::Immediate,
        waiting_hours: 0,
        ..Terms::latest()
    }
}

/// No payer ladder, and prices of any age: for whoever tests neither.
fn unlimited() -> Policy {
    Policy { ladder: None, rate_age: None, ..Policy::default() }
}

impl Harness {
    fn open(terms: Terms) -> Self {
        Self::under(unlimited(), terms)
    }

    fn under(policy: Policy, terms: Terms) -> Self {
        let mut ledger = Ledger::new("live", MapArchive::default());
        ledger.state.policy = Arc::new(policy);
        let mut harness = Self {
            ledger,
            now: at("2026-10-20T12:00:00Z"),
            reported: 0,
            notifications: Vec::new(),
            instructions: Vec::new(),
            records: Vec::new(),
        };
        let (name, key) = ("shop".into(), KeyHash([1; 32]));
        harness.fact(Fact::Account(AccountFact::Opened { name, key, terms: Some(terms) }));
        harness
    }

    fn execute(&mut self, what: Intent) -> Result<Outcome, Refusal> {
        let command = Command { at: self.now, cause: Cause::default(), what };
        let replayed = self.ledger.clone();
        let execution = self.ledger.execute(command);
        self.replay(replayed, &execution.records, &execution.instructions);
        self.now = self.now.after(Span::seconds(1));
        let archive = &self.ledger.archive;
        let later = execution.records.iter().flat_map(|record| read_back(archive, record));
        assert!(
            later.eq(execution.notifications.iter().cloned()),
            "clients are told the same later"
        );
        self.notifications.extend(execution.notifications);
        self.instructions.extend(execution.instructions);
        self.records.extend(execution.records);
        assert_archive_is_what_its_records_say(&self.ledger);
        execution.answer
    }

    /// Every record replays to the same state and instructions, and every invariant holds after it.
    fn replay(
        &self,
        mut before: Ledger<MapArchive>,
        records: &[ledger_core::ledger::Record],
        given: &[Instruction],
    ) {
        let mut asked = Vec::new();
        for record in records {
            before.replay(record).unwrap();
            asked.extend(before.instructions(record));
            invariants::check_all(&before.state, &before.archive).unwrap();
            invariants::check_statements(&before.state, &before.archive).unwrap();
        }
        assert_eq!(before.state, self.ledger.state);
        assert_eq!(asked, given, "an audit holds what was asked against the outcome");
    }

    /// What comes of a record of this event that nobody decided, after all that happened.
    fn replayed(&self, event: Event) -> Result<(), Corrupt> {
        let mut ledger = self.ledger.clone();
        let (seq, at) = (ledger.state.seq.next(), self.now);
        let cause = Cause::default();
        ledger.replay(&Record {
            seq,
            at,
            events: vec![event],
            cause,
            outside: None,
            original: None,
        })
    }

    fn fact(&mut self, fact: Fact) -> Outcome {
        self.reported += 1;
        let id = (fact != Fact::TimePassed).then(|| format!("fact-{}", self.reported).into());
        self.execute(Intent::Fact(Reported { id, fact })).unwrap()
    }

    fn pass(&mut self, until: &str) {
        self.now = at(until);
        self.fact(Fact::TimePassed);
    }

    fn charge(&mut self, customer: Option<&str>, cents: i64) -> OpId {
        created(self.ask(customer, cents).unwrap())
    }

    fn ask(&mut self, customer: Option<&str>, cents: i64) -> Result<Outcome, Refusal> {
        let request = ChargeRequest {
            customer: customer.map(Into::into),
            qr: Some(Qr { copypaste: "00020126".into(), image_url: None }),
            ..ChargeRequest::new(
                amount(cents),
                SOMEBODY,
                Switch::On,
                Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
                Destination::Custody,
            )
        };
        self.execute(Intent::Request(SHOP, Request::Charge(request)))
    }

    fn receive(&mut self, charge: OpId, cents: i64) -> Outcome {
        self.reported += 1;
        let e2e = format!("E{}", self.reported).into();
        let paid_at = self.now.max(self.ledger.state.now);
        let payment = PixPayment { e2e, amount: amount(cents), paid_at };
        self.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment }))
    }

    fn deposit(&mut self, customer: Option<&str>, cents: i64) -> OpId {
        let charge = self.charge(customer, cents);
        assert_eq!(self.receive(charge, cents), Outcome::Applied(None));
        charge
    }

    fn give_back(&mut self, charge: OpId, cents: i64) -> Outcome {
        self.reported += 1;
        let return_id = format!("D{}", self.reported).into();
        let amount = amount(cents);
        self.fact(Fact::Charge(ChargeFact::PixReturned { charge: Some(charge), return_id, amount }))
    }

    fn pay(&mut self, customer: Option<&str>, cents: i64) -> Result<Outcome, Refusal> {
        let customer = customer.map(Into::into);
        let request = PayoutRequest::new(amount(cents), SOMEBODY, SOMEBODY, Ownership::Proven);
        let request = PayoutRequest { customer, ..request };
        self.execute(Intent::Request(SHOP, Request::Payout(request)))
    }

    fn transfer(
        &mut self,
        from: Option<&str>,
        to: Option<&str>,
        cents: i64,
    ) -> Result<Outcome, Refusal> {
        let (from, to) = (from.map(Into::into), to.map(Into::into));
        let request = TransferRequest { from, to, ..TransferRequest::new(amount(cents)) };
        self.execute(Intent::Request(SHOP, Request::Transfer(request)))
    }

    fn block(
        &mut self,
        customer: &str,
        cause: Option<OpId>,
        kind: hold::Kind,
        cents: i64,
    ) -> Outcome {
        let decided_by = OperatorDecision { actor: SOMEBODY, reason: SOMEBODY, evidence: None };
        self.fact(Fact::Hold(HoldFact::Placed {
            account: "shop".into(),
            customer: Some(customer.into()),
            cause,
            kind,
            amount: amount(cents),
            decided_by,
        }))
    }

    fn unblock(&mut self, hold: OpId, cents: Option<i64>) -> Outcome {
        let decided_by = OperatorDecision { actor: SOMEBODY, reason: SOMEBODY, evidence: None };
        self.fact(Fact::Hold(HoldFact::Released {
            hold: Some(hold),
            amount: cents.map(amount),
            decided_by,
        }))
    }

    fn named(&self, customer: &str) -> SubaccountId {
        self.ledger.archive.subaccount(SHOP, customer).unwrap()
    }

    /// Available, held, frozen.
    fn buckets(&self, subaccount: SubaccountId) -> [i64; 3] {
        let known = self.ledger.state.books.subaccount(subaccount);
        [known.available, known.held, known.frozen].map(ledger_core::money::Balance::cents)
    }

    fn balances(&self, customer: &str) -> [i64; 3] {
        self.buckets(self.named(customer))
    }

    /// The statement as text: kind, value, nature, balance after.
    fn rows(&self, customer: &str) -> String {
        let subaccount = self.named(customer);
        let count = self.ledger.state.books.subaccount(subaccount).rows;
        let rows = (1..=count).map(|number| {
            let row = self.ledger.archive.row(subaccount, number).unwrap();
            let nature = if row.nature == Nature::Fee { "fee" } else { "principal" };
            let (value, after) = (row.value.cents(), row.balance_after.cents());
            format!("{:?} {value:+} {nature}, {after}\n", row.kind)
        });
        rows.collect()
    }
}

fn created(outcome: Outcome) -> OpId {
    match outcome {
        Outcome::Applied(Some(op)) | Outcome::Created(op) => op,
        other => panic!("{other:?} created nothing"),
    }
}
