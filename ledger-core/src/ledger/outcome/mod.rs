//! The outcome: what must hold of all that was received, decided and ordered, whatever any machine
//! believes.
//!
//! Stated from the contract and the rulings alone, over the events of each record and the
//! instructions it gave. Nothing here reads a state or calls what decides, so that a mistake which
//! the ledger and a second ledger beside it share is still seen. Each check keeps small books of
//! its own: `received` of every PIX that came in, `debited` of every debit, `deposited` of crypto,
//! `ceilings` of what recipients and agents are sent, `instructed` of every instruction, `agreed`
//! of fees, prices and corrections, `reported` of what nothing had asked for, `fitting` of receipts
//! that are an order's, `traced` of what blocks gave to returns, `reserved` of what services
//! reserve, `closed` of what each day booked, `recovered` of contested PIX, and `counted` of every
//! transaction and of when it happened; `grouped` needs none, as a group of transfers is one event.
//! Their ids and sentences stand in [`INVARIANTS`](super::invariants::INVARIANTS), `OUT-01` to
//! `OUT-22`.

mod agreed;
mod ceilings;
mod closed;
mod counted;
mod debited;
mod deposited;
mod fitting;
mod grouped;
mod instructed;
mod received;
mod recovered;
mod reported;
mod reserved;
mod traced;
mod waiting;
mod wide;

use minicbor::{Decode, Encode};

use super::invariants::Violation;
use super::notification::Instruction;
use super::record::Record;
use super::record::event::Event;
use super::record::operation_event::OperationEvent;
use crate::id::OpId;
use crate::machine::{charge, conversion, delivery, purchase};
use crate::time::Instant;

/// The books of all checks, over a journal from its first record.
///
/// They can be saved and gone on with, by the version that wrote them and by no other.
///
/// ```
/// # use ledger_core::coin::Units;
/// # use ledger_core::id::{AssetId, ChainId, Kind, OpId, Seq};
/// # use ledger_core::ledger::{Cause, Event, Instruction, Origin, Record, Task};
/// # use ledger_core::{machine::refund::Coins, time::Instant};
/// use ledger_core::ledger::outcome::Outcomes;
/// # let units = Units::new(5_000_000).expect("five USDT are above zero");
/// # let task = Task::Sell(Coins { asset: AssetId(0), chain: ChainId(0), units });
/// # let sell = Instruction { seq: Seq(15), op: OpId::new(Kind::CashOut, Seq(12)), task };
/// # let (at, cause) = (Instant::default(), Cause::new(Origin::Call));
/// # let events = vec![Event::TimePassed];
/// # let record = Record { seq: Seq(15), at, events, cause, outside: None, original: None };
///
/// // What was deposited is to be sold twice: no state is needed to see that this is wrong.
/// let violations = Outcomes::new().check(&record, &[sell.clone(), sell]);
/// assert!(violations.iter().any(|violation| violation.invariant == "OUT-04"));
/// ```
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub struct Outcomes {
    #[n(0)]
    received: received::Received,
    #[n(1)]
    debited: debited::Debited,
    #[n(2)]
    deposited: deposited::Deposited,
    #[n(3)]
    ceilings: ceilings::Ceilings,
    #[n(4)]
    instructed: instructed::Instructed,
    #[n(5)]
    agreed: agreed::Agreed,
    #[n(6)]
    reported: reported::Reported,
    /// None for a journal that an earlier version may have begun: that sent back what came after a
    /// receipt of too little.
    #[n(7)]
    fitting: Option<fitting::Fitting>,
    #[n(8)]
    traced: traced::Traced,
    /// None for a journal that an earlier version may have begun: that kept each spelling apart,
    /// and took a reporter's instants as they came.
    #[n(9)]
    counted: Option<counted::Counted>,
    #[n(10)]
    reserved: reserved::Reserved,
    #[n(11)]
    closed: closed::Closed,
    #[n(12)]
    recovered: Option<recovered::Recovered>,
}

/// What one record is found to violate; nothing allocates while nothing is.
pub(super) type Findings = Vec<Violation>;

impl Outcomes {
    /// Empty books, for a journal at its beginning.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty books, for a journal that this version alone writes: they check besides what earlier
    /// versions did not keep.
    #[must_use]
    pub fn of_this_version() -> Self {
        let fitting = Some(fitting::Fitting::default());
        let counted = Some(counted::Counted::default());
        Self { fitting, counted, ..Self::default() }
    }

    /// Takes in the next `record` with the `instructions` it gave, and says what it violates.
    pub fn check(&mut self, record: &Record, instructions: &[Instruction]) -> Vec<Violation> {
        let mut found = Findings::new();
        self.instructed.call_off_instructions(record, &mut found);
        for event in &record.events {
            self.ceilings.event(event);
            self.instructed.handed_out(event, &mut found);
            self.agreed.event(event, &mut found);
            if let Some((op, event)) = event.operation() {
                self.operation(op, event, record.at, &mut found);
            }
        }
        self.received.record(record, &mut found);
        self.debited.record(record, &mut found);
        grouped::whole(record, &mut found);
        self.reserved.record(record, &mut found);
        self.closed.record(record, &mut found);
        self.recovered.get_or_insert_default().record(record, &mut found);
        if let Some(counted) = &mut self.counted {
            counted.record(record, &mut found);
            counted::check_dates(record, &mut found);
        }
        if let Some(fitting) = &mut self.fitting {
            fitting.record(record, self.counted.as_ref(), &mut found);
        }
        for instruction in instructions {
            self.received.instruction(instruction, &mut found);
            self.debited.instruction(instruction, &mut found);
            self.deposited.instruction(instruction, &mut found);
            self.ceilings.instruction(instruction, &mut found);
            self.instructed.instruction(instruction, &mut found);
            self.reported.instruction(instruction, &mut found);
        }
        instructed::check_instructed(record, instructions, &mut found);
        found
    }

    /// Hands an event to the checks that look at its machine: a row each.
    fn operation(
        &mut self,
        op: OpId,
        event: OperationEvent<'_>,
        at: Instant,
        found: &mut Findings,
    ) {
        use OperationEvent as E;
        match event {
            E::Charge(event) => {
                self.received.charge(op, event, found);
                self.instructed.charge(op, event);
                self.agreed.charge(op, event, found);
                self.traced.charge(op, event, found);
            }
            E::Payout(event) => {
                self.debited.payout(op, event, found);
                self.ceilings.payout(op, event);
                self.instructed.payout(op, event);
            }
            E::Conversion(event) => {
                self.debited.conversion(op, event, found);
                self.ceilings.conversion(op, event);
                self.instructed.conversion(op, event);
            }
            E::CashOut(event) => {
                self.deposited.sale(op, event, found);
                self.ceilings.sale(op, event, at);
                self.instructed.sale(op, event);
                self.agreed.sale(op, event, at, found);
                self.reported.sale(event);
            }
            E::UnmatchedDeposit(event) => {
                self.deposited.count_unmatched_deposit(op, event, found);
                self.instructed.unmatched_deposit(op, event);
                self.reported.unmatched_deposit(event);
            }
            E::WalletDeposit(event) => self.deposited.wallet(op, event, found),
            E::WalletPayment(event) => {
                self.debited.payment(op, event, found);
                self.ceilings.payment(op, event);
                self.instructed.payment(op, event);
            }
            E::CryptoWithdrawal(event) => {
                self.debited.withdrawal(op, event, found);
                self.instructed.withdrawal(op, event);
            }
            E::Suspense(event) => {
                self.received.aside.event(op, event);
                self.debited.aside.event(op, event);
                self.reported.pix.event(op, event);
            }
            E::ErroneousDelivery(event) => self.reported.claim(op, event),
            E::Hold(event) => self.traced.hold(op, event),
            E::Transfer(_) | E::Quote(_) | E::Entry(_) | E::Adjusted(..) => {}
        }
    }

    /// The first violation of `record`.
    ///
    /// # Errors
    ///
    /// That [`Violation`], when there is one.
    pub fn keeps(
        &mut self,
        record: &Record,
        instructions: &[Instruction],
    ) -> Result<(), Violation> {
        self.check(record, instructions).into_iter().next().map_or(Ok(()), Err)
    }

    /// The operations with an instruction that was neither answered nor called off; what is sold
    /// for an order is not waited for.
    pub fn open(&self) -> impl Iterator<Item = (OpId, &'static str)> + '_ {
        self.instructed.open()
    }
}

/// Returns what an event does to the delivery of a purchase or of a conversion.
fn delivery_event(event: &Event) -> Option<(OpId, &delivery::Event)> {
    match event.operation()? {
        (
            op,
            OperationEvent::Charge(charge::Event::Purchase(purchase::Event::Delivery(event)))
            | OperationEvent::Conversion(conversion::Event::Delivery { event, .. }),
        ) => Some((op, event)),
        _ => None,
    }
}

/// Notes a violation of the check `id`.
fn violates(found: &mut Findings, id: &'static str, what: String) {
    found.push(Violation { invariant: id, what });
}
