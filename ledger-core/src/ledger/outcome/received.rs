//! Every PIX that came in: what was sent on of it, and what went back (OUT-01, OUT-05, OUT-09).
//!
//! A return that was set aside counts as gone from the moment it was reported; one that the
//! provider took back counts no longer.

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::waiting::Waiting;
use super::wide::AgreedAmount;
use super::{Findings, delivery_event, violates};
use crate::id::{Kind, OpId};
use crate::ledger::notification::{DeliveryInstruction, Instruction, Task};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::charge::purchase::Remainder;
use crate::machine::suspense::{Direction, Float};
use crate::machine::{charge, delivery, purchase};

#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Received {
    #[n(0)]
    money: BTreeMap<OpId, Money>,
    /// Returns that were set aside and still are, by the charge each names.
    #[n(1)]
    pub(super) aside: Waiting,
}

impl Default for Received {
    fn default() -> Self {
        let aside = Waiting::new(Direction::Out, Float::Collection, Some(Kind::Charge));
        Self { money: BTreeMap::new(), aside }
    }
}

/// What one charge received and what became of it, in centavos.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
struct Money {
    #[n(0)]
    came: i64,
    /// What went back by a return that was applied.
    #[n(1)]
    back: i64,
    /// What became a balance.
    #[n(2)]
    credited: i64,
    /// What had gone when an operator let what was left be delivered.
    #[n(3)]
    allowed: i64,
    /// What was agreed to be delivered: its cost and its units.
    #[n(4)]
    agreed: Option<AgreedAmount>,
}

impl Received {
    pub(super) fn charge(&mut self, op: OpId, event: &charge::Event, found: &mut Findings) {
        use charge::Event as E;
        let money = self.money.entry(op).or_default();
        match event {
            E::Requested(order) => {
                let terms = order.purchase.as_deref();
                money.agreed = terms.map(|terms| {
                    let (cost, units) = (terms.delivery_terms.cost, terms.delivery_terms.units);
                    AgreedAmount(cost.cents(), units.get())
                });
            }
            E::UnderReview { payment } | E::Delayed { payment, .. } => {
                money.came = payment.amount.cents();
            }
            E::Credited { payment, credit } => {
                money.came = payment.amount.cents();
                money.credited += credit.gross.cents();
                if money.came < money.credited + money.back {
                    let Money { came, back, credited, .. } = money;
                    let what = format!(
                        "{op:?}: of {came}, {back} went back and {credited} became a balance"
                    );
                    violates(found, "OUT-01", what);
                }
            }
            E::ReturnedUncredited { amount }
            | E::Returned { amount, .. }
            | E::ReturnedTraced { amount, .. } => {
                money.back += amount.cents();
            }
            E::Purchase(purchase::Event::Resumed(_)) => {
                let aside: i64 = self.aside.amounts(op).sum();
                money.allowed = money.back + aside;
            }
            E::Purchase(event) => count_purchase(money, event),
            E::Expired
            | E::Failed
            | E::Matured { .. }
            | E::PartTaken { .. }
            | E::PartRestored { .. }
            | E::Withheld { .. } => return,
        }
        if money.came < money.back {
            let Money { came, back, .. } = money;
            violates(found, "OUT-01", format!("{op:?}: {back} went back of {came}"));
        }
    }

    /// All that is reported gone of a charge, applied or set aside.
    fn returned_cents(&self, op: OpId) -> i64 {
        let back = self.money.get(&op).map_or(0, |money| money.back);
        back + self.aside.amounts(op).sum::<i64>()
    }

    /// A decision that books a payment, or ends a delivery, books what went back before it
    /// (rulings 45 and 46).
    pub(super) fn record(&self, record: &Record, found: &mut Findings) {
        if self.aside.is_empty() {
            return;
        }
        for (place, event) in record.events.iter().enumerate() {
            let Event::Charge { op, event } = event else { continue };
            let books = match event {
                charge::Event::Credited { .. } => true,
                charge::Event::Purchase(purchase::Event::Delivery(delivery::Event::Sent {
                    ..
                })) => true,
                // Nobody knows yet what becomes of an attempt that had begun by then.
                charge::Event::Purchase(
                    purchase::Event::Paid { .. }
                    | purchase::Event::Cleared
                    | purchase::Event::Delivery(delivery::Event::Failed),
                ) => !begins(*op, &record.events[place..]),
                _ => false,
            };
            let money = self.money.get(op).filter(|_| books);
            let left = |money: &Money| self.aside.applicable(*op, money.came - money.back);
            let left_aside = money.map_or(0, left);
            if left_aside > 0 {
                let what = format!("{op:?}: {left_aside} went back before, and is not booked");
                violates(found, "OUT-05", what);
            }
        }
    }

    /// What is delivered and what went back are never more than came in, and nothing is delivered
    /// while any part of it is gone that no operator knew of who let the rest go (rulings 45).
    pub(super) fn instruction(&self, instruction: &Instruction, found: &mut Findings) {
        let Task::Deliver(delivery) = &instruction.task else { return };
        let op = instruction.op;
        if op.kind() != Kind::Charge {
            return;
        }
        let nothing = Money::default();
        let money = self.money.get(&op).unwrap_or(&nothing);
        let DeliveryInstruction { delivery_terms, attempt, .. } = &**delivery;
        let (cost, units, gone) =
            (delivery_terms.cost.cents(), delivery_terms.units.get(), self.returned_cents(op));
        if money.came < cost + gone + money.credited || gone > money.allowed {
            let what = format!(
                "{op:?}: delivery {attempt} of {cost} is ordered, and of {} there went {gone} back",
                money.came
            );
            violates(found, "OUT-01", what);
        }
        if money
            .agreed
            .is_none_or(|AgreedAmount(most, most_units)| most < cost || most_units < units)
        {
            violates(found, "OUT-09", format!("{op:?}: {units} for {cost} were not agreed"));
        }
    }
}

/// Tells whether an attempt to deliver begins in these events.
fn begins(op: OpId, events: &[Event]) -> bool {
    use delivery::Event::{Begun, BegunAgain};
    events
        .iter()
        .filter_map(delivery_event)
        .any(|(known, event)| known == op && matches!(event, Begun(_) | BegunAgain { .. }))
}

fn count_purchase(money: &mut Money, event: &purchase::Event) {
    match event {
        purchase::Event::Paid { payment, .. } => money.came = payment.amount.cents(),
        purchase::Event::ReturnedUndelivered { amount, .. }
        | purchase::Event::ReturnedDelivered { amount, .. }
        | purchase::Event::ReturnedCredited { amount, .. }
        | purchase::Event::GivenUp { to: Remainder::Payer(_), amount, .. } => {
            money.back += amount.cents();
        }
        purchase::Event::GivenUp { to: Remainder::Custody(_), amount, .. } => {
            money.credited += amount.cents();
        }
        _ => {}
    }
}
