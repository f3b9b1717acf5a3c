//! What was reported done before it was asked for (OUT-12).
//!
//! A report that nothing had asked for is a claim: crypto that left (`Stray`), a PIX that was paid
//! (`Suspense`). While it is open, nobody is asked to do for the same operation just what it says.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::{Decode, Encode};

use super::waiting::Waiting;
use super::{Findings, violates};
use crate::id::OpId;
use crate::ledger::notification::{Instruction, Task};
use crate::machine::refund::Coins;
use crate::machine::suspense::{Direction, Float};
use crate::machine::{cash_out, erroneous_delivery, unmatched_deposit};

#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Reported {
    /// Crypto that left for an operation, by the operation and the claim.
    #[n(0)]
    coins: BTreeMap<(OpId, OpId), Coins>,
    /// PIX that were paid, by the operation each names.
    #[n(1)]
    pub(super) pix: Waiting,
    /// Transactions that brought deposits: a claim of one says that it vanished.
    #[n(2)]
    deposits: BTreeSet<Box<str>>,
}

impl Default for Reported {
    fn default() -> Self {
        let pix = Waiting::new(Direction::Out, Float::Payout, None);
        Self { coins: BTreeMap::new(), pix, deposits: BTreeSet::new() }
    }
}

impl Reported {
    pub(super) fn sale(&mut self, event: &cash_out::Event) {
        if let cash_out::Event::DepositSeen { deposit, .. } = event {
            self.deposits.insert(deposit.hash.clone());
        }
    }

    pub(super) fn unmatched_deposit(&mut self, event: &unmatched_deposit::Event) {
        use unmatched_deposit::Event::{Received, SplitOff};
        if let Received(order) | SplitOff(order) = event {
            self.deposits.insert(order.deposit.hash.clone());
        }
    }

    pub(super) fn claim(&mut self, op: OpId, event: &erroneous_delivery::Event) {
        match event {
            erroneous_delivery::Event::Claimed(order) if !self.deposits.contains(&order.hash) => {
                let erroneous_delivery::Order { asset, chain, units, about, .. } = *order;
                self.coins.insert((about, op), Coins { asset, chain, units });
            }
            erroneous_delivery::Event::Claimed(_) => {}
            erroneous_delivery::Event::Settled { order, .. } => {
                self.coins.remove(&(order.about, op));
            }
        }
    }

    pub(super) fn instruction(&self, instruction: &Instruction, found: &mut Findings) {
        let op = instruction.op;
        let done = match &instruction.task {
            Task::Refund(due) => self.has_coins_claim(op, due.coins),
            Task::Deliver(delivery) => {
                delivery.delivery_terms.delivered_units().is_some_and(|units| {
                    let (asset, chain) =
                        (delivery.delivery_terms.asset, delivery.delivery_terms.chain);
                    self.has_coins_claim(op, Coins { asset, chain, units })
                })
            }
            Task::SendPix(order) => self.has_pix_claim(op, order.amount.cents()),
            Task::PaySale { progress, .. } => {
                let net = progress.sale.map(|sale| sale.deal.net.cents());
                let payment = match progress.order.funding {
                    cash_out::Funding::Wallet(payment) => Some(payment),
                    cash_out::Funding::Seller => None,
                };
                let named = [Some(op), payment];
                net.is_some_and(|net| {
                    named.into_iter().flatten().any(|op| self.has_pix_claim(op, net))
                })
            }
            // How much a withdrawal sends is settled as it is made: whatever left counts.
            Task::Withdraw(_) => self.coins_of(op).next().is_some(),
            Task::Sell(_) | Task::Pay(_) => false,
        };
        if done {
            let what = format!("{op:?}: what is asked for was reported done, and is a claim");
            violates(found, "OUT-12", what);
        }
    }

    fn has_coins_claim(&self, op: OpId, coins: Coins) -> bool {
        self.coins_of(op).any(|claimed| claimed == coins)
    }

    /// The crypto that is claimed to have left for an operation.
    fn coins_of(&self, op: OpId) -> impl Iterator<Item = Coins> {
        let open =
            self.coins.range((op, OpId::LEAST)..).take_while(move |((about, _), _)| *about == op);
        open.map(|(_, claimed)| *claimed)
    }

    fn has_pix_claim(&self, op: OpId, cents: i64) -> bool {
        self.pix.amounts(op).any(|claimed| claimed == cents)
    }
}
