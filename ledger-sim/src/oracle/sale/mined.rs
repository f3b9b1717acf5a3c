//! Transactions that bring deposits, as the oracle sees them: which of them is seen, confirmed and
//! vanished, how often, and who has it (rulings 1, 8).

use std::collections::BTreeSet;

use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::machine::cash_out::Deposit;
use ledger_core::machine::erroneous_delivery::End;
use ledger_core::machine::refund::Coins;
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, Coin, UnmatchedDepositStatus};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle};

/// A transaction, as it was reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mined {
    /// How often it vanished unconfirmed.
    vanished: u32,
    /// Who has what it brought, since it was last mined.
    holder: Option<OpId>,
    /// Tells whether it is reported to be confirmed.
    confirmed: bool,
    /// Tells whether it vanished the last time before it was reported.
    unreported: bool,
    /// The unmatched deposit that it was the last time.
    former: Option<OpId>,
    /// A report of it that moved nothing: what, of whom, the how manieth time.
    misreported: BTreeSet<(&'static str, Option<OpId>, u32)>,
}

impl Oracle {
    /// Somebody has what the transaction brought.
    pub(super) fn brought(&mut self, hash: &str, holder: OpId) {
        let mined = self.mined.entry(hash.into()).or_default();
        mined.holder = Some(holder);
        if mined.vanished == 0 {
            self.seen.insert((IdScope::Deposit, hash.into()));
        }
    }

    /// It is confirmed as it is brought.
    pub(super) fn brought_confirmed(&mut self, hash: &str, holder: OpId) {
        self.brought(hash, holder);
        self.mined.entry(hash.into()).or_default().confirmed = true;
    }

    /// It was ours, to pay from a wallet.
    pub(super) fn brought_by_us(&mut self, hash: &str, holder: OpId) {
        let mined = self.mined.entry(hash.into()).or_default();
        if mined.vanished == 0 {
            mined.holder = Some(holder);
        }
        mined.unreported &= mined.vanished > 1;
        self.seen.insert((IdScope::Deposit, hash.into()));
    }

    /// What vanished was reported at last.
    pub(super) fn brought_late(&mut self, hash: &str, unmatched: OpId) {
        let mined = self.mined.entry(hash.into()).or_default();
        (mined.unreported, mined.former) = (false, Some(unmatched));
        if mined.vanished == 1 {
            self.seen.insert((IdScope::Deposit, hash.into()));
        }
    }

    fn mined_transaction(&self, hash: &str) -> Mined {
        self.mined.get(hash).cloned().unwrap_or_default()
    }

    /// Tells whether the report is of somebody else than it names.
    fn is_wrong(&self, order: Option<OpId>, hash: &str) -> bool {
        let sale = order.and_then(|op| self.sales.get(&op));
        if sale.is_some_and(|sale| sale.payment.is_some()) {
            // What funds a payment is reported by the payment.
            return true;
        }
        let Some(holder) = self.mined_transaction(hash).holder else { return false };
        let has = sale.is_some_and(|sale| sale.had(hash).is_some() || sale.odd(hash).is_some());
        !self.unmatched.contains_key(&holder) && !has && self.named_unmatched(order, hash).is_none()
    }

    /// An unmatched deposit that is named and is what the transaction brought.
    fn named_unmatched(&self, named: Option<OpId>, hash: &str) -> Option<OpId> {
        named.filter(|op| {
            let known = self.unmatched.get(op);
            known
                .is_some_and(|it| *it.hash == *hash && it.phase != UnmatchedDepositStatus::Vanished)
        })
    }

    /// The order that a report is about: a surplus bears the transaction of the order that split it
    /// off.
    fn whose(&self, named: Option<OpId>, hash: &str) -> Option<OpId> {
        let surplus = self.named_unmatched(named, hash).and_then(|op| self.unmatched[&op].about);
        let split = |op: &OpId| self.sales.get(op).is_some_and(|sale| sale.had(hash).is_some());
        surplus.filter(split).or(named)
    }

    /// The unmatched deposit that the transaction became, or that is named as such.
    fn find_unmatched(&self, named: Option<OpId>, hash: &str) -> Option<OpId> {
        let holder =
            self.mined_transaction(hash).holder.filter(|op| self.unmatched.contains_key(op));
        holder.or_else(|| self.odd(named, hash)).or_else(|| self.named_unmatched(named, hash))
    }

    /// Returns what the order that is named went on without, while its transaction has not
    /// vanished.
    fn odd(&self, named: Option<OpId>, hash: &str) -> Option<OpId> {
        let sale = named.and_then(|op| self.sales.get(&op));
        let odd = sale.filter(|_| self.mined_transaction(hash).holder.is_some())?.odd(hash);
        // One that vanished and is mined again is the order's, whose confirmation it is.
        odd.filter(|op| self.unmatched[op].phase != UnmatchedDepositStatus::Vanished)
    }

    /// The unmatched deposit that the transaction was before it vanished.
    pub(super) fn former_unmatched(&self, named: Option<OpId>, hash: &str) -> Option<OpId> {
        let mined = self.mined.get(hash)?;
        let sale = named.and_then(|op| self.sales.get(&op)).filter(|_| mined.vanished > 0);
        mined.former.or_else(|| sale?.odd(hash))
    }

    /// A report that moves nothing is set aside once, and keeps no other from being reported.
    fn is_misreported(&mut self, what: &'static str, named: Option<OpId>, hash: &str) -> Outcome {
        let holder =
            self.mined_transaction(hash).holder.filter(|op| self.unmatched.contains_key(op));
        let holder = holder.or_else(|| self.odd(named, hash));
        let mined = self.mined.entry(hash.into()).or_default();
        let fresh = mined.misreported.insert((what, holder.or(named), mined.vanished));
        if fresh { ASIDE } else { Outcome::Known }
    }

    /// A deposit was seen: its order takes it, or it becomes an unmatched deposit.
    pub(super) fn deposit_seen(
        &mut self,
        order: Option<OpId>,
        deposit: &Deposit,
        at: Instant,
    ) -> Outcome {
        let hash = &deposit.hash;
        let order = self.whose(order, hash);
        let mined = self.mined_transaction(hash);
        if self.is_wrong(order, hash) {
            return self.is_misreported("seen", order, hash);
        }
        if mined.holder.is_some() {
            return self.confirms_further(order, deposit);
        }
        if mined.unreported {
            return self.came_and_went(order, deposit);
        }
        if self.is_old(order, deposit) {
            self.reach(Goal::VanishedSeenAgain);
            return Outcome::Known;
        }
        if mined.confirmed {
            self.reach(Goal::ConfirmedFirst);
            return self.mined_and_confirmed(order, deposit, at);
        }
        let taken = self.selling(order).is_some_and(|op| self.only_seen(op, deposit, at));
        if mined.vanished > 0 {
            self.reach(if taken { Goal::MinedAgain } else { Goal::MinedTooLate });
        }
        if !mined.misreported.is_empty() && taken {
            self.reach(Goal::RightAfterWrong);
        }
        if taken { APPLIED } else { self.book_unmatched(order, deposit, false) }
    }

    /// A deposit reported again is known, but for the confirmations it has got since (rulings 51).
    fn confirms_further(&mut self, order: Option<OpId>, deposit: &Deposit) -> Outcome {
        let Some(op) = self.selling(order) else { return Outcome::Known };
        let Coins { asset, chain, units } = deposit.coins;
        let coin = Coin { asset: asset.0, chain: chain.0, units: units.get() };
        let mut held = self.sale(op).deposits.iter_mut();
        let held = held.find(|it| it.hash == deposit.hash && it.coin == coin && !it.confirmed);
        match held.filter(|held| held.confirmations < deposit.confirmations) {
            Some(held) => {
                held.confirmations = deposit.confirmations;
                self.reach(Goal::ConfirmedFurther);
                self.note(op);
                APPLIED
            }
            None => Outcome::Known,
        }
    }

    /// Tells whether it tells of nothing later than what vanished of the same order.
    fn is_old(&self, order: Option<OpId>, deposit: &Deposit) -> bool {
        let named = self.selling(order);
        let gone = named.into_iter().flat_map(|op| &self.sales[&op].gone);
        let former = self
            .former_unmatched(order, &deposit.hash)
            .filter(|former| Some(*former) == order || self.unmatched[former].about == named);
        let times = gone.filter(|(hash, ..)| *hash == deposit.hash).map(|(_, _, seen_at)| *seen_at);
        let mut times = times.chain(former.map(|op| self.unmatched[&op].seen_at));
        times.any(|seen_at| deposit.seen_at <= seen_at)
    }

    /// A deposit is confirmed; reported in full, or known from before, that implies that it was
    /// seen (rulings 8).
    pub(super) fn sale_deposit_confirmed(
        &mut self,
        order: Option<OpId>,
        hash: &str,
        deposit: Option<&Deposit>,
        at: Instant,
    ) -> Outcome {
        let order = self.whose(order, hash);
        let mined = self.mined_transaction(hash);
        if self.is_wrong(order, hash) {
            return self.is_misreported("confirmed", order, hash);
        }
        if mined.holder.is_some() && mined.confirmed {
            return Outcome::Known;
        }
        let outcome = if let Some(op) = self.find_unmatched(order, hash) {
            self.unmatched_confirmed(op)
        } else if mined.holder.is_some() {
            let op = order.expect("who holds it was named");
            self.held_confirmed(op, hash, at);
            APPLIED
        } else if let Some(deposit) = deposit {
            self.reach(Goal::ConfirmedUnseen);
            self.mined_and_confirmed(order, deposit, at)
        } else if let Some(deposit) = self.known_from_before(order, hash, at) {
            self.reach(Goal::MinedAgainConfirmed);
            self.mined_and_confirmed(order, &deposit, at)
        } else if mined.confirmed {
            Outcome::Known
        } else {
            ASIDE
        };
        if outcome != Outcome::Known {
            self.mined.entry(hash.into()).or_default().confirmed = true;
            let right = mined.misreported.iter().any(|(what, ..)| *what == "confirmed");
            if right && outcome == APPLIED {
                self.reach(Goal::RightAfterWrong);
            }
        }
        outcome
    }

    /// Coins that were claimed and are there again may vanish again, as if for the first time.
    fn forget_recovered(&mut self, order: Option<OpId>, hash: &str) {
        let holder =
            self.mined_transaction(hash).holder.filter(|op| self.unmatched.contains_key(op));
        let Some(about) = holder.or_else(|| self.odd(order, hash)).or(order) else { return };
        let mut claims = self.erroneous_deliveries.values();
        let last = claims.rfind(|it| it.about == about && *it.hash == *hash);
        if last.is_some_and(|it| it.end == Some(End::Recovered)) {
            self.seen.remove(&(IdScope::Transaction(about), hash.into()));
            let mined = self.mined.entry(hash.into()).or_default();
            mined.misreported.remove(&("lost", Some(about), mined.vanished));
        }
    }

    fn mined_and_confirmed(
        &mut self,
        order: Option<OpId>,
        deposit: &Deposit,
        at: Instant,
    ) -> Outcome {
        match self.selling(order) {
            Some(op) if self.seen_confirmed(op, deposit, at) => APPLIED,
            _ => self.book_unmatched(order, deposit, true),
        }
    }

    /// Returns what the transaction brought before it vanished, as if it were seen now.
    fn known_from_before(&self, order: Option<OpId>, hash: &str, at: Instant) -> Option<Deposit> {
        let gone = self.selling(order).into_iter().flat_map(|op| &self.sales[&op].gone);
        let gone = gone.filter(|(known, ..)| **known == *hash).map(|(_, coin, _)| *coin).next();
        let former = self.former_unmatched(order, hash).map(|op| self.unmatched[&op].coin);
        gone.or(former).map(|coin| Deposit {
            coins: Coins::from(coin),
            hash: hash.into(),
            from: None,
            seen_at: at,
            confirmations: None,
        })
    }

    /// A deposit vanished before it was confirmed; what is confirmed and vanishes is a claim.
    pub(super) fn deposit_vanished(
        &mut self,
        order: Option<OpId>,
        hash: &str,
        at: Instant,
    ) -> Outcome {
        let order = self.whose(order, hash);
        let mined = self.mined_transaction(hash);
        if self.is_wrong(order, hash) {
            return self.is_misreported("vanished", order, hash);
        }
        let untold = mined.holder.is_none() && mined.vanished > 0;
        if mined.confirmed && untold && self.find_unmatched(order, hash).is_none() {
            self.reach(Goal::VanishedSeenAgain);
            return Outcome::Known;
        }
        if mined.confirmed {
            self.forget_recovered(order, hash);
            let outcome = self.is_misreported("lost", order, hash);
            if outcome == Outcome::Known {
                return outcome;
            }
            return match (self.find_unmatched(order, hash), self.selling(order)) {
                (Some(op), _) => self.unmatched_vanished(op),
                (None, Some(op)) => match self.sales[&op].had(hash) {
                    Some(coin) => self.claim(op, coin, hash, Goal::LostAfterConfirmed),
                    // The order went on without it, and it is known that it is gone.
                    None if self.knows_transaction(op, hash) => Outcome::Known,
                    None => ASIDE,
                },
                (None, None) => ASIDE,
            };
        }
        let outcome = if let Some(op) = self.find_unmatched(order, hash) {
            self.unmatched_vanished(op)
        } else if untold {
            return Outcome::Known;
        } else {
            let gone = self.selling(order).is_some_and(|op| self.held_vanished(op, hash, at));
            if gone { APPLIED } else { ASIDE }
        };
        let mined = self.mined.entry(hash.into()).or_default();
        mined.vanished += 1;
        mined.unreported = mined.holder.is_none();
        mined.former = mined.holder.take().filter(|op| op.kind() == Kind::UnmatchedDeposit);
        outcome
    }
}

impl From<Coin> for Coins {
    fn from(coin: Coin) -> Self {
        let units = ledger_core::coin::Units::new(coin.units).expect("something was deposited");
        let (asset, chain) = (coin.asset, coin.chain);
        Self {
            asset: ledger_core::id::AssetId(asset),
            chain: ledger_core::id::ChainId(chain),
            units,
        }
    }
}
