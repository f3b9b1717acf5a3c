//! Every debit of a balance: what was sent for it, and what was given back (OUT-05, OUT-07,
//! OUT-09).

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::waiting::Waiting;
use super::wide::{self, AgreedAmount};
use super::{Findings, violates};
use crate::id::{Kind, OpId};
use crate::ledger::notification::{Instruction, Task};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::suspense::{Direction, Float};
use crate::machine::{conversion, delivery, payout, wallet};

#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Debited {
    #[n(0)]
    debits: BTreeMap<OpId, Debit>,
    /// Returns of payouts that were set aside and still are, by the payout each names.
    #[n(1)]
    pub(super) aside: Waiting,
}

impl Default for Debited {
    fn default() -> Self {
        let aside = Waiting::new(Direction::In, Float::Payout, Some(Kind::Payout));
        Self { debits: BTreeMap::new(), aside }
    }
}

/// One debit, in centavos; of a wallet, in millionths of USDT.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
struct Debit {
    /// Principal and fees.
    #[cbor(n(0), with = "wide")]
    taken: i128,
    /// What is to be sent for it: in centavos, in units where it is crypto.
    #[n(1)]
    agreed: AgreedAmount,
    /// Tells whether it was sent.
    #[n(2)]
    sent: bool,
    /// What was given back of it without having been sent.
    #[cbor(n(3), with = "wide")]
    given_back: i128,
    /// What came back of it after it was sent.
    #[n(4)]
    came_back: i64,
}

impl Debited {
    /// The sums given back and returned are at most those taken and agreed.
    fn check(&self, op: OpId, found: &mut Findings) {
        let Some(debit) = self.debits.get(&op) else { return };
        let Debit { taken, agreed, sent, given_back, came_back, .. } = debit;
        if *taken < *given_back || (*sent && *given_back > 0) {
            let sent = if *sent { "was sent" } else { "was not sent" };
            let what = format!("{op:?}: of {taken}, which {sent}, {given_back} were given back");
            violates(found, "OUT-07", what);
        }
        if agreed.0 < *came_back {
            let what = format!("{op:?}: {came_back} came back of {}", agreed.0);
            violates(found, "OUT-07", what);
        }
    }

    pub(super) fn payout(&mut self, op: OpId, event: &payout::Event, found: &mut Findings) {
        let debit = self.debits.entry(op).or_default();
        match event {
            payout::Event::Requested(order) => {
                let fees = order.fees;
                let fees = [fees.house, fees.partner, fees.tariff];
                let fees: i128 = fees.iter().map(|fee| i128::from(fee.cents())).sum();
                debit.taken = i128::from(order.amount.cents()) + fees;
                debit.agreed.0 = order.amount.cents();
            }
            payout::Event::Completed { .. } => debit.sent = true,
            payout::Event::Failed { amount, fees, .. } => {
                let fees = [fees.house, fees.partner, fees.tariff];
                let fees: i128 = fees.iter().map(|fee| i128::from(fee.cents())).sum();
                debit.given_back += i128::from(amount.cents()) + fees;
            }
            payout::Event::Returned { amount, .. } => debit.came_back += amount.cents(),
            payout::Event::Submitted
            | payout::Event::Uncertain
            | payout::Event::Stopped
            | payout::Event::Cleared => {}
        }
        self.check(op, found);
    }

    pub(super) fn conversion(&mut self, op: OpId, event: &conversion::Event, found: &mut Findings) {
        let debit = self.debits.entry(op).or_default();
        let sum = |amount: i64, fees: crate::terms::ServiceFees| {
            i128::from(amount) + i128::from(fees.house.cents()) + i128::from(fees.partner.cents())
        };
        match event {
            conversion::Event::Requested(order) => {
                debit.taken = sum(order.amount.cents(), order.fees);
                let (cost, units) = (order.delivery_terms.cost, order.delivery_terms.units);
                debit.agreed = AgreedAmount(cost.cents(), units.get());
            }
            conversion::Event::Delivery { event: delivery::Event::Sent { .. }, .. } => {
                debit.sent = true;
            }
            conversion::Event::Delivery { .. } => {}
            conversion::Event::Refunded { amount, fees, .. } => {
                debit.given_back += sum(amount.cents(), *fees);
            }
        }
        self.check(op, found);
    }

    pub(super) fn withdrawal(
        &mut self,
        op: OpId,
        event: &wallet::withdrawal::Event,
        found: &mut Findings,
    ) {
        use wallet::withdrawal::Event as E;
        let debit = self.debits.entry(op).or_default();
        match event {
            E::Requested(order) => debit.taken = order.terms.amount.to_i128(),
            E::Completed { .. } => debit.sent = true,
            E::Failed { terms, .. } => debit.given_back += terms.amount.to_i128(),
            E::Begun | E::Funded(_) | E::Converted { .. } | E::Questioned(_) | E::Resumed => {}
        }
        self.check(op, found);
    }

    pub(super) fn payment(
        &mut self,
        op: OpId,
        event: &wallet::payment::Event,
        found: &mut Findings,
    ) {
        use wallet::payment::Event as E;
        let debit = self.debits.entry(op).or_default();
        match event {
            E::Requested(order) => {
                debit.taken = order.reserved.to_i128();
                debit.agreed.0 = order.net.cents();
            }
            E::Completed { .. } => debit.sent = true,
            E::Failed { .. } => debit.given_back += debit.taken,
            E::Resolved { resolution, .. } => match resolution {
                wallet::payment::Resolution::Returned(_) => debit.given_back += debit.taken,
                wallet::payment::Resolution::Paid(_) | wallet::payment::Resolution::Lost(_) => {
                    debit.sent = true;
                }
            },
            _ => {}
        }
        self.check(op, found);
    }

    /// The decision that books a payment books what came back of it before (rulings 46).
    pub(super) fn record(&self, record: &Record, found: &mut Findings) {
        if self.aside.is_empty() {
            return;
        }
        for event in &record.events {
            let Event::Payout { op, event: payout::Event::Completed { .. } } = event else {
                continue;
            };
            let left = |debit: &Debit| self.aside.applicable(*op, debit.agreed.0 - debit.came_back);
            let left_aside = self.debits.get(op).map_or(0, left);
            if left_aside > 0 {
                let what = format!("{op:?}: {left_aside} came back before, and is not booked");
                violates(found, "OUT-05", what);
            }
        }
    }

    /// What is sent was debited and not given back.
    pub(super) fn instruction(&self, instruction: &Instruction, found: &mut Findings) {
        let op = instruction.op;
        let (sends, agreed) = match &instruction.task {
            Task::SendPix(order) => ((order.amount.cents(), 0), true),
            Task::Deliver(delivery) if op.kind() != Kind::Charge => {
                let delivery_terms = &delivery.delivery_terms;
                ((delivery_terms.cost.cents(), delivery_terms.units.get()), true)
            }
            Task::Pay(order) => ((order.net.cents(), 0), true),
            Task::Withdraw(_) => ((0, 0), false),
            _ => return,
        };
        let nothing = Debit::default();
        let debit = self.debits.get(&op).unwrap_or(&nothing);
        if debit.taken <= 0 || debit.sent || debit.given_back > 0 {
            violates(found, "OUT-07", format!("{op:?}: what is ordered is not debited any more"));
        }
        if agreed && (debit.agreed.0 < sends.0 || debit.agreed.1 < sends.1) {
            violates(found, "OUT-09", format!("{op:?}: {sends:?} were not agreed"));
        }
    }
}
