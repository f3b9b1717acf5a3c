//! Crypto received that no order takes, as the oracle sees it: rulings 1, 32, P:MultipleDeposits.

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::machine::cash_out::Deposit;
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, Coin, Due, HeldDeposit, Way};
use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::wallets::is_same_on;

/// Crypto received that no order takes.
#[derive(Clone, Debug)]
pub(crate) struct UnmatchedDeposit {
    pub(crate) coin: Coin,
    pub(crate) about: Option<OpId>,
    pub(crate) hash: Box<str>,
    pub(crate) seen_at: Instant,
    /// The wallet confirmed for its order.
    pub(crate) wallet: Option<Box<str>>,
    /// The largest that goes back without an operator; none where only an operator decides.
    alone: Option<u128>,
    pub(crate) phase: UnmatchedDepositStatus,
    pub(crate) refund: Option<Due>,
}

/// Where an unmatched deposit stands before its refund is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnmatchedDepositStatus {
    Unconfirmed,
    Confirmed,
    Vanished,
    Refunding,
}

impl UnmatchedDeposit {
    /// Tells whether nobody waits for it.
    pub(crate) fn is_over(&self) -> bool {
        let sent = |due: &Due| matches!(due.way, Way::Sent(_));
        self.phase == UnmatchedDepositStatus::Vanished || self.refund.as_ref().is_some_and(sent)
    }
}

impl Oracle {
    /// Crypto that no order takes stands in suspense.
    pub(super) fn book_unmatched(
        &mut self,
        order: Option<OpId>,
        deposit: &Deposit,
        confirmed: bool,
    ) -> Outcome {
        let op = self.in_suspense(order, deposit);
        self.brought(&deposit.hash, op);
        if confirmed {
            self.unmatched_confirmed(op);
        }
        if self.selling(order).is_none() {
            self.reach(Goal::DepositForNothing);
        }
        self.note(op);
        Outcome::SetAside(Some(op))
    }

    /// It is of the order named, or of that which its transaction was of before.
    fn in_suspense(&mut self, order: Option<OpId>, deposit: &Deposit) -> OpId {
        let coins = deposit.coins;
        let coin = Coin { asset: coins.asset.0, chain: coins.chain.0, units: coins.units.get() };
        let op = self.next_op(Kind::UnmatchedDeposit);
        let about = self.selling(order);
        let mut unmatched = self.unmatched_about(about, coin, (&deposit.hash, deposit.seen_at));
        if let (None, Some(former)) = (about, self.former_unmatched(order, &deposit.hash)) {
            let UnmatchedDeposit { about, wallet, alone, .. } = self.unmatched[&former].clone();
            (unmatched.about, unmatched.wallet, unmatched.alone) = (about, wallet, alone);
        }
        self.unmatched.insert(op, unmatched);
        self.shift(coin, coin.transit(), CoinAccount::Suspense);
        op
    }

    /// An order goes on without what it had in suspense, which waits by itself from now on.
    pub(super) fn part_odd(&mut self, order: OpId) {
        let op = self.next_op(Kind::UnmatchedDeposit);
        let sale = self.sale(order);
        sale.phase = super::Phase::Detected;
        let odd = sale.deposits.pop().expect("something odd waited");
        sale.odd.push((odd.hash.clone(), op));
        let mut unmatched = self.unmatched_about(Some(order), odd.coin, (&odd.hash, odd.seen_at));
        if odd.confirmed {
            unmatched.phase = UnmatchedDepositStatus::Confirmed;
        }
        self.unmatched.insert(op, unmatched);
        self.note(op);
        self.reach(Goal::OddParted);
    }

    /// A token came back that the provider should not have had: it waits for a person.
    pub(super) fn token_unexpected(&mut self, about: OpId, coin: Coin) -> Outcome {
        let op = self.next_op(Kind::UnmatchedDeposit);
        // It names no transaction: its own number stands for one.
        let hash: Box<str> = format!("returned {op:?}").into();
        let unmatched = UnmatchedDeposit {
            coin,
            about: Some(about),
            hash: hash.clone(),
            seen_at: self.now,
            wallet: None,
            alone: None,
            phase: UnmatchedDepositStatus::Confirmed,
            refund: None,
        };
        self.unmatched.insert(op, unmatched);
        self.brought_confirmed(&hash, op);
        self.shift(coin, coin.stock(), CoinAccount::Suspense);
        self.note(op);
        self.reach(Goal::TokenUnexpected);
        Outcome::SetAside(Some(op))
    }

    /// Takes a deposit reported after it vanished for one that came and went.
    pub(super) fn came_and_went(&mut self, order: Option<OpId>, deposit: &Deposit) -> Outcome {
        let op = self.in_suspense(order, deposit);
        self.brought_late(&deposit.hash, op);
        self.unmatched_vanished(op);
        self.reach(Goal::VanishedFirst);
        APPLIED
    }

    /// It goes back to the wallet confirmed for its order, where both are of one asset on one
    /// network (COUT-51).
    fn unmatched_about(
        &self,
        about: Option<OpId>,
        coin: Coin,
        (hash, seen_at): (&str, Instant),
    ) -> UnmatchedDeposit {
        let order = about.and_then(|op| self.sales.get(&op));
        let same = order.filter(|sale| sale.coin.is_like(coin));
        let alone = same.and_then(|sale| {
            let Some(most) = sale.alone else { return Some(sale.coin.units) };
            let own = sale.refund.as_ref().map(|due| due.coin).filter(|own| own.is_like(coin));
            let gone = own.map_or(0, |own| own.units) + about.map_or(0, |op| self.beside(op));
            most.checked_sub(gone).filter(|left| *left > 0)
        });
        UnmatchedDeposit {
            coin,
            about,
            hash: hash.into(),
            seen_at,
            wallet: same.and_then(|sale| sale.wallet.clone()),
            alone,
            phase: UnmatchedDepositStatus::Unconfirmed,
            refund: None,
        }
    }

    /// All that an order's unmatched deposits brought of its own token.
    pub(super) fn beside(&self, op: OpId) -> u128 {
        let of_own = self
            .unmatched
            .values()
            .filter(|it| it.about == Some(op) && it.coin.is_like(self.sales[&op].coin));
        of_own.map(|it| it.coin.units).sum()
    }

    /// An order split off what its code did not cost: that is due at once.
    pub(super) fn unmatched_split(&mut self, op: OpId, about: OpId, coin: Coin, of: &HeldDeposit) {
        let mut unmatched = self.unmatched_about(Some(about), coin, (&of.hash, of.seen_at));
        let due = Due::new(coin, unmatched.wallet.clone(), unmatched.goes_alone());
        if due.is_under_way() {
            self.trace.tasks.push((op, Some(1)));
        }
        (unmatched.phase, unmatched.refund) = (UnmatchedDepositStatus::Refunding, Some(due));
        self.unmatched.insert(op, unmatched);
        self.note(op);
    }

    pub(super) fn unmatched_confirmed(&mut self, op: OpId) -> Outcome {
        let unmatched = self.unmatched.get_mut(&op).expect("the caller found it");
        match unmatched.phase {
            UnmatchedDepositStatus::Unconfirmed => {
                unmatched.phase = UnmatchedDepositStatus::Confirmed;
            }
            UnmatchedDepositStatus::Confirmed | UnmatchedDepositStatus::Refunding => {
                return Outcome::Known;
            }
            UnmatchedDepositStatus::Vanished => return ASIDE,
        }
        let coin = unmatched.coin;
        let (to, alone) = (unmatched.wallet.clone(), unmatched.goes_alone());
        let to = to.filter(|_| unmatched.alone.is_some());
        self.shift(coin, coin.stock(), coin.transit());
        if to.is_some() {
            self.unmatched_due(op, to, alone);
        }
        self.note(op);
        APPLIED
    }

    pub(super) fn unmatched_vanished(&mut self, op: OpId) -> Outcome {
        let unmatched = self.unmatched.get_mut(&op).expect("the caller found it");
        match unmatched.phase {
            UnmatchedDepositStatus::Unconfirmed => {
                unmatched.phase = UnmatchedDepositStatus::Vanished;
            }
            UnmatchedDepositStatus::Vanished => return Outcome::Known,
            UnmatchedDepositStatus::Confirmed | UnmatchedDepositStatus::Refunding => {
                let (coin, hash) = (unmatched.coin, unmatched.hash.clone());
                // It vanished while its order had it, and is claimed once.
                if unmatched.about.is_some_and(|about| self.knows_transaction(about, &hash)) {
                    return Outcome::Known;
                }
                return self.claim(op, coin, &hash, Goal::LostAfterConfirmed);
            }
        }
        let coin = unmatched.coin;
        self.shift(coin, CoinAccount::Suspense, coin.transit());
        self.note(op);
        self.reach(Goal::UnmatchedVanished);
        APPLIED
    }

    fn unmatched_due(&mut self, op: OpId, to: Option<Box<str>>, allowed: bool) {
        let unmatched = self.unmatched.get_mut(&op).expect("the caller found it");
        let due = Due::new(unmatched.coin, to, allowed);
        let (coin, ready) = (due.coin, due.is_under_way());
        (unmatched.phase, unmatched.refund) = (UnmatchedDepositStatus::Refunding, Some(due));
        self.shift(coin, CoinAccount::Suspense, CoinAccount::RefundDue(op));
        if !self.refund_sent_early(op) {
            self.trace.tasks.extend(ready.then_some((op, Some(1))));
        }
    }

    /// An operator sends it back, allows that, or names the wallet.
    pub(super) fn unmatched_decided(&mut self, op: OpId, to: Option<&str>) -> Outcome {
        let unmatched = self.unmatched.get_mut(&op).expect("the caller found it");
        let known = match &unmatched.refund {
            Some(due) => due.to.clone(),
            None => unmatched.wallet.clone(),
        };
        let network = self.market.chain_numbered(unmatched.coin.chain);
        let differs = known.as_deref().zip(to);
        let differs = differs.is_some_and(|(known, to)| !is_same_on(network, known, to));
        let Some(to) = known.or(to.map(Into::into)).filter(|_| !differs) else { return ASIDE };
        match (unmatched.phase, &mut unmatched.refund) {
            (UnmatchedDepositStatus::Confirmed, _) => {
                self.unmatched_due(op, Some(to), true);
                self.reach(Goal::UnmatchedDecided);
            }
            (_, Some(due)) if due.is_under_way() => return Outcome::Known,
            (_, Some(due)) if due.way == Way::Due => {
                (due.to, due.allowed) = (Some(to), true);
                let attempt = due.attempt;
                if !self.refund_sent_early(op) {
                    self.trace.tasks.push((op, Some(attempt)));
                }
                self.reach(Goal::UnmatchedAllowed);
            }
            (_, _) => return ASIDE,
        }
        self.note(op);
        APPLIED
    }
}

impl UnmatchedDeposit {
    fn goes_alone(&self) -> bool {
        self.alone.is_some_and(|most| self.coin.units <= most)
    }
}
