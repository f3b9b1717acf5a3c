//! Every deposit of crypto: what was sent back, credited or paid for (OUT-08).

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::{Findings, violates, wide};
use crate::id::{AssetId, ChainId, OpId};
use crate::ledger::notification::{Instruction, Task};
use crate::machine::refund::Coins;
use crate::machine::{cash_out, unmatched_deposit, wallet};

#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Deposited {
    #[n(0)]
    deposits: BTreeMap<OpId, Deposit>,
}

/// What one operation holds of somebody's crypto, by token and network.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
struct Deposit {
    #[n(0)]
    came: Units,
    /// What is decided to go back.
    #[n(1)]
    back: Units,
    /// What became a wallet's balance, in millionths of USDT.
    #[cbor(n(2), with = "wide")]
    credited: u128,
    /// Tells whether it is decided that the deposit itself goes back, rather than what it was sold
    /// for.
    #[n(3)]
    refunded: bool,
    /// The PIX that it paid, in centavos, and what came back of that.
    #[n(4)]
    paid: i64,
    #[n(5)]
    reversed: i64,
}

#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(transparent)]
struct Units(#[n(0)] Vec<Sum>);

/// How many units of one token on one network.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
struct Sum {
    #[n(0)]
    kind: (AssetId, ChainId),
    #[cbor(n(1), with = "wide")]
    units: u128,
}

impl Units {
    fn add(&mut self, coins: Coins) {
        let kind = (coins.asset, coins.chain);
        let units = coins.units.get();
        match self.0.iter_mut().find(|sum| sum.kind == kind) {
            Some(sum) => sum.units = sum.units.saturating_add(units),
            None => self.0.push(Sum { kind, units }),
        }
    }

    fn take(&mut self, coins: Coins) {
        let kind = (coins.asset, coins.chain);
        if let Some(sum) = self.0.iter_mut().find(|sum| sum.kind == kind) {
            sum.units = sum.units.saturating_sub(coins.units.get());
        }
    }

    fn get(&self, kind: (AssetId, ChainId)) -> u128 {
        self.0.iter().find(|sum| sum.kind == kind).map_or(0, |sum| sum.units)
    }

    /// Tells whether each kind of the other is here with at least as many units.
    fn covers(&self, other: &Self) -> bool {
        other.0.iter().all(|sum| sum.units <= self.get(sum.kind))
    }
}

impl Deposited {
    pub(super) fn sale(&mut self, op: OpId, event: &cash_out::Event, found: &mut Findings) {
        use cash_out::{Event as E, RefundSource};
        let deposit = match event {
            E::DepositSeen { .. } => self.deposits.entry(op).or_default(),
            _ => match self.deposits.get_mut(&op) {
                Some(deposit) => deposit,
                None => return,
            },
        };
        match event {
            E::DepositSeen { deposit: seen, .. } => deposit.came.add(seen.coins),
            E::DepositVanished { coins, .. }
            | E::Split { coins, .. }
            | E::OddParted { coins, .. } => deposit.came.take(*coins),
            E::Completed { sale, .. } => deposit.paid = sale.deal.net.cents(),
            E::RefundDecided { coins, source, .. } => {
                deposit.back.add(*coins);
                match source {
                    RefundSource::Reversal(reversed) => deposit.reversed += reversed.cents(),
                    _ => deposit.refunded = true,
                }
            }
            _ => return,
        }
        let Deposit { came, back, refunded, paid, reversed, .. } = deposit;
        if !came.covers(back) {
            violates(found, "OUT-08", format!("{op:?}: {back:?} goes back of {came:?}"));
        }
        if *refunded && *paid > 0 {
            violates(found, "OUT-08", format!("{op:?} was paid, and its deposit goes back"));
        }
        if paid < reversed {
            violates(found, "OUT-08", format!("{op:?}: {reversed} came back of {paid}"));
        }
    }

    pub(super) fn count_unmatched_deposit(
        &mut self,
        op: OpId,
        event: &unmatched_deposit::Event,
        found: &mut Findings,
    ) {
        let deposit = self.deposits.entry(op).or_default();
        match event {
            unmatched_deposit::Event::Received(order)
            | unmatched_deposit::Event::Parted { order, .. } => {
                deposit.came.add(order.deposit.coins);
            }
            unmatched_deposit::Event::SplitOff(order) => {
                deposit.came.add(order.deposit.coins);
                deposit.back.add(order.deposit.coins);
            }
            unmatched_deposit::Event::Vanished(coins) => deposit.came.take(*coins),
            unmatched_deposit::Event::RefundDecided { coins, .. } => deposit.back.add(*coins),
            _ => return,
        }
        let Deposit { came, back, .. } = deposit;
        if !came.covers(back) {
            violates(found, "OUT-08", format!("{op:?}: {back:?} goes back of {came:?}"));
        }
    }

    pub(super) fn wallet(
        &mut self,
        op: OpId,
        event: &wallet::deposit::Event,
        found: &mut Findings,
    ) {
        use wallet::deposit::Event as E;
        let (transfer, credited) = match event {
            E::Credited { transfer, .. } => (transfer, transfer.units.get()),
            E::Cleared { transfer, credited, .. } => (transfer, credited.get()),
            E::Reversed { credited, .. } => {
                let deposit = self.deposits.entry(op).or_default();
                if deposit.credited < credited.get() {
                    let what = format!("{op:?}: {} of {} undone", credited.get(), deposit.credited);
                    violates(found, "OUT-08", what);
                }
                deposit.credited = deposit.credited.saturating_sub(credited.get());
                return;
            }
            _ => return,
        };
        let deposit = self.deposits.entry(op).or_default();
        deposit.credited = deposit.credited.saturating_add(credited);
        let came = transfer.units.get();
        if came < deposit.credited {
            let credited = deposit.credited;
            violates(found, "OUT-08", format!("{op:?}: {credited} are credited of {came}"));
        }
    }

    /// A deposit is paid for or goes back, and only what is decided goes back.
    pub(super) fn instruction(&self, instruction: &Instruction, found: &mut Findings) {
        let op = instruction.op;
        let deposit = self.deposits.get(&op);
        match &instruction.task {
            Task::PaySale { .. } if deposit.is_none_or(|it| it.refunded || it.paid > 0) => {
                let what = format!("{op:?} is paid for what was paid already, or goes back");
                violates(found, "OUT-08", what);
            }
            Task::Refund(refund) => {
                let kind = (refund.coins.asset, refund.coins.chain);
                let decided = deposit.map_or(0, |deposit| deposit.back.get(kind));
                if decided < refund.coins.units.get() {
                    let units = refund.coins.units.get();
                    violates(found, "OUT-08", format!("{op:?}: {units} of {decided} go back"));
                }
            }
            _ => {}
        }
    }
}
