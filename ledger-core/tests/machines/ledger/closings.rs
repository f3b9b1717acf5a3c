//! The close of days: as the books were, in order, once; and reopened by a person (P:DayClose).

use std::collections::BTreeMap;

use ledger_core::accounting::{DayAccount, ReceivedStatement, StatementSource, StatementTotal};
use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, EvidenceHash};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::closing::{DayReport, Fact as ClosingFact};
use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{
    Event, Fact, Outcome, OwnAccount, Record, SetAsideReason as Reason, State,
};
use ledger_core::machine::charge::PixPayment;
use ledger_core::time::Instant;

use super::counter::decided_by;
use super::entries::Became;
use super::{Harness, instant};
use crate::samples::{amount, at};

const APPLIED: Became = Ok(Outcome::Applied(None));
const STATEMENT: EvidenceHash = EvidenceHash([7; 32]);

/// The first day of every harness, and those after it.
const DAYS: [&str; 3] = ["2026-10-20T15:00:00Z", "2026-10-21T15:00:00Z", "2026-10-22T15:00:00Z"];

type Key = (Option<AssetId>, &'static str, Option<ChainId>);

/// A day's accounts with openings and sums, added up from records by the test's own hand.
fn accounts_of(records: &[Record], day: Instant) -> Vec<DayAccount> {
    let (begins, ends) = (day.day_begins_in_brasilia(), day.next_day_in_brasilia());
    let mut sums: BTreeMap<Key, [i128; 3]> = BTreeMap::new();
    let mut add = |at: Instant, key, side: usize, units: i128| {
        let sums = sums.entry(key).or_default();
        if at < begins {
            sums[0] += if side == 1 { units } else { -units };
        } else if at < ends {
            sums[side] += units;
        }
    };
    for record in records {
        for entry in record.events.iter().map(Event::entry) {
            for m in entry.moves() {
                let cents = i128::from(m.amount.cents());
                add(record.at, (None, m.debit.control().name(), None), 1, cents);
                add(record.at, (None, m.credit.control().name(), None), 2, cents);
            }
            for m in entry.coin_moves() {
                for (side, account) in [(1, m.debit), (2, m.credit)] {
                    let key = (Some(m.asset), account.name(), account.chain());
                    add(record.at, key, side, m.units.to_i128());
                }
            }
        }
    }
    let units = |amount: i128| u128::try_from(amount).ok().and_then(Units::new);
    let account =
        |((asset, account, chain), [opening, debits, credits]): (Key, [i128; 3])| DayAccount {
            asset,
            account: account.into(),
            chain,
            opening_debit: units(opening),
            opening_credit: units(-opening),
            debits: units(debits),
            credits: units(credits),
        };
    sums.into_iter().filter(|(_, sums)| *sums != [0; 3]).map(account).collect()
}

impl Harness {
    fn fund(&mut self, cents: i64) {
        let (from, to, amount) = (OwnAccount::Funding, OwnAccount::ProviderPay, amount(cents));
        self.fact(Fact::Treasury(TreasuryFact::Moved { from, to, amount }));
    }

    fn report_of(&self, day: &str) -> DayReport {
        let day = at(day);
        let accounts = accounts_of(&self.records, day);
        DayReport { day, accounts, statements: Vec::new(), matching: None, open: Vec::new() }
    }

    fn close_as(&mut self, day: DayReport) -> Became {
        let (day, decided_by) = (Box::new(day), decided_by());
        self.came_to(Fact::Closing(ClosingFact::DayClosed { day, decided_by }))
    }

    fn close_day(&mut self, day: &str) -> Became {
        self.close_as(self.report_of(day))
    }

    fn reopen(&mut self, day: &str) -> Became {
        let (day, decided_by) = (at(day), decided_by());
        self.came_to(Fact::Closing(ClosingFact::DayReopened { day, decided_by }))
    }

    fn receive_statement(&mut self, sha256: EvidenceHash) -> Became {
        let total = StatementTotal {
            account: "provider prov.pay BRL".into(),
            opening: None,
            closing: Units::new(10),
            incoming: Units::new(10),
            outgoing: None,
            movements: 1,
        };
        let statement = Box::new(ReceivedStatement {
            sha256,
            source: StatementSource::Provider,
            origin: "bank".into(),
            begins: at(DAYS[0]),
            ends: at(DAYS[0]),
            made_at: None,
            totals: vec![total],
        });
        let decided_by = decided_by();
        self.came_to(Fact::Closing(ClosingFact::StatementReceived { statement, decided_by }))
    }

    fn closed_until(&self) -> Option<Instant> {
        self.ledger.state.closed_days().map(|(_, until)| until)
    }
}

/// A harness with something booked on each of two days, standing in the third.
fn two_days() -> Harness {
    let mut harness = Harness::open(instant());
    harness.fund(1_000);
    harness.now = at(DAYS[1]);
    harness.fund(500);
    harness.now = at(DAYS[2]);
    harness
}

#[test]
fn a_day_that_is_over_is_closed_once_with_what_its_books_had() {
    let mut harness = Harness::open(instant());
    harness.fund(1_000);
    assert_eq!(harness.close_day(DAYS[0]), Err(Reason::TooEarly));
    // Nothing was recorded since: its books are those of now.
    harness.now = at("2026-10-21T03:00:00Z");
    assert_eq!(harness.close_day(DAYS[0]), APPLIED);
    let Event::DayClosed(close) = &harness.records.last().unwrap().events[0] else { panic!() };
    assert_eq!(
        (close.begins, close.ends),
        (at("2026-10-20T03:00:00Z"), harness.closed_until().unwrap())
    );
    assert_eq!(close.accounts.len(), 2);
    assert_eq!(harness.close_day(DAYS[0]), Err(Reason::OutOfTurn));
    // The ledger began on that day.
    assert_eq!(harness.close_day("2026-10-19T15:00:00Z"), Err(Reason::Unmatched));
}

#[test]
fn a_close_that_states_other_amounts_is_set_aside() {
    let harness = two_days();
    let sound = harness.report_of(DAYS[0]);
    let wrong: [&dyn Fn(&mut DayReport); 5] = [
        &|report| report.accounts[0].credits = Units::new(999),
        &|report| report.accounts[0].opening_debit = Units::new(1),
        // What was debited and credited again leaves the balance as it is.
        &|report| {
            report.accounts[0].debits = Units::new(5);
            report.accounts[0].credits = Units::new(1_005);
        },
        &|report| drop(report.accounts.pop()),
        &|report| report.accounts.push(report.accounts[0].clone()),
    ];
    for change in wrong {
        let mut harness = two_days();
        let mut report = sound.clone();
        change(&mut report);
        assert_eq!(harness.close_as(report), Err(Reason::ClosingDiffers));
        assert_eq!(harness.closed_until(), None);
        assert_eq!(harness.close_as(sound.clone()), APPLIED);
    }
}

#[test]
fn days_are_closed_in_their_order_and_the_first_may_be_any() {
    let mut harness = two_days();
    assert_eq!(harness.close_day(DAYS[1]), APPLIED);
    assert_eq!(harness.close_day(DAYS[0]), Err(Reason::OutOfTurn));
    let mut harness = two_days();
    harness.fund(1);
    harness.pass("2026-10-25T15:00:00Z");
    assert_eq!(harness.close_day(DAYS[0]), APPLIED);
    assert_eq!(harness.close_day(DAYS[2]), Err(Reason::OutOfTurn));
    for day in [DAYS[1], DAYS[2], "2026-10-23T15:00:00Z", "2026-10-24T15:00:00Z"] {
        assert_eq!(harness.close_day(day), APPLIED, "{day}");
    }
    // On a day without a record nothing was booked.
    let Event::DayClosed(close) = &harness.records.last().unwrap().events[0] else { panic!() };
    assert!(close.movements().unwrap().is_empty() && !close.openings().unwrap().is_empty());
}

#[test]
fn only_the_last_closed_day_is_reopened_and_closed_again() {
    let mut harness = two_days();
    assert_eq!(harness.reopen(DAYS[0]), Err(Reason::Unmatched));
    harness.close_day(DAYS[0]).unwrap();
    harness.close_day(DAYS[1]).unwrap();
    assert_eq!(harness.reopen(DAYS[0]), Err(Reason::OutOfTurn));
    assert_eq!(harness.reopen(DAYS[1]), APPLIED);
    assert_eq!(harness.reopen(DAYS[0]), APPLIED);
    assert_eq!(harness.closed_until(), None);
    assert_eq!(harness.close_day(DAYS[0]), APPLIED);
    assert_eq!(harness.close_day(DAYS[1]), APPLIED);
}

#[test]
fn a_close_names_statements_that_were_received() {
    let mut harness = two_days();
    let mut report = harness.report_of(DAYS[0]);
    report.statements = vec![STATEMENT];
    assert_eq!(harness.close_as(report.clone()), Err(Reason::Unmatched));
    assert_eq!(harness.receive_statement(STATEMENT), APPLIED);
    assert_eq!(harness.receive_statement(STATEMENT), Ok(Outcome::Known));
    assert_eq!(harness.close_as(report), APPLIED);
}

#[test]
fn a_state_that_was_saved_closes_days_as_the_one_that_was_not() {
    let mut harness = two_days();
    harness.receive_statement(STATEMENT).unwrap();
    harness.fund(7);
    harness.close_day(DAYS[0]).unwrap();
    let bytes = minicbor::to_vec(harness.ledger.state.snapshot()).unwrap();
    harness.ledger.state = State::restore("live", minicbor::decode(&bytes).unwrap(), []).unwrap();
    assert!(harness.ledger.state.has_statement(&STATEMENT));
    harness.now = at("2026-10-23T15:00:00Z");
    assert_eq!(harness.close_day(DAYS[1]), APPLIED);
    assert_eq!(harness.close_day(DAYS[2]), APPLIED);
}

#[test]
fn a_record_that_closes_a_day_otherwise_is_corrupt() {
    let mut harness = two_days();
    let before = harness.ledger.clone();
    harness.close_day(DAYS[0]).unwrap();
    let sound = harness.records.last().unwrap().clone();
    assert!(before.clone().replay(&sound).is_ok());
    let Event::DayClosed(close) = &sound.events[0] else { panic!() };
    let later = |at: Instant| Instant::from_micros(at.micros() + 1).unwrap();
    for change in 0..5 {
        let mut close = close.clone();
        match change {
            0 => close.accounts[0].credits = Units::new(1),
            1 => close.last = close.last.next(),
            2 => close.statements.push(STATEMENT),
            3 => close.begins = later(close.begins),
            _ => close.ends = later(close.ends),
        }
        let mut forged = sound.clone();
        forged.events[0] = Event::DayClosed(close);
        assert!(before.clone().replay(&forged).is_err(), "{change}");
    }
    let closed = harness.ledger.clone();
    harness.reopen(DAYS[0]).unwrap();
    let mut reopened = harness.records.last().unwrap().clone();
    assert!(closed.clone().replay(&reopened).is_ok());
    let Event::DayReopened { begins } = &mut reopened.events[0] else { panic!() };
    *begins = later(*begins);
    assert!(closed.clone().replay(&reopened).is_err());
}

/// The invariant keeps books of its own, so it needs no state.
#[test]
fn out_21_finds_a_close_that_states_other_sums_than_entries() {
    let mut harness = two_days();
    harness.close_day(DAYS[0]).unwrap();
    harness.close_day(DAYS[1]).unwrap();
    let found = |records: &[Record]| {
        let mut outcomes = Outcomes::new();
        let found = records.iter().flat_map(|record| outcomes.check(record, &[]));
        found.map(|violation| violation.invariant).collect::<Vec<_>>()
    };
    assert!(found(&harness.records).is_empty());
    let mut forged = harness.records.clone();
    for event in forged.iter_mut().flat_map(|record| &mut record.events) {
        if let Event::DayClosed(close) = event {
            close.accounts[0].debits = Units::new(3);
        }
    }
    assert_eq!(found(&forged)[..1], ["OUT-21"]);
}

/// The ledger's time goes forward alone: what was paid on a closed day is booked when it is told.
#[test]
fn a_pix_paid_on_a_closed_day_is_booked_on_the_day_it_is_told() {
    let mut harness = Harness::open(instant());
    harness.fund(1_000);
    harness.now = at(DAYS[1]);
    let charge = harness.charge(None, 5_000);
    harness.now = at(DAYS[2]);
    harness.close_day(DAYS[0]).unwrap();
    harness.close_day(DAYS[1]).unwrap();
    let paid_at = at("2026-10-21T15:30:00Z");
    let payment = PixPayment { e2e: "E-late".into(), amount: amount(5_000), paid_at };
    let charge = Some(charge);
    harness.fact(Fact::Charge(ChargeFact::PixReceived { charge, payment }));
    let booked = harness.records.last().unwrap();
    assert!(booked.events.iter().any(|event| !event.entry().is_empty()));
    let closed_until = harness.closed_until().unwrap();
    assert!(paid_at < closed_until && closed_until <= booked.at);
    harness.now = at("2026-10-23T15:00:00Z");
    assert_eq!(harness.close_day(DAYS[2]), APPLIED);
}
