//! Deposits of a sale as the oracle sees them: COUT-42 to COUT-44, P:DepositVariance,
//! P:MultipleDeposits, P:RevivalTerms; rulings 8, 14, 32, 33.

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::cash_out::{CorrectedKey, Deposit};
use ledger_core::terms::Route;
use ledger_core::time::Instant;

use super::terms::Priced;
use super::{APPLIED, ASIDE, Coin, HeldDeposit, Phase, Reason};
use crate::goal::Goal;
use crate::oracle::{Oracle, later};

impl Oracle {
    /// A deposit of an order is confirmed, which was seen before or with this very report.
    pub(super) fn held_confirmed(&mut self, op: OpId, hash: &str, at: Instant) {
        let sale = self.sale(op);
        let held = sale.deposits.iter_mut().find(|held| *held.hash == *hash);
        let held = held.expect("the caller found it");
        held.confirmed = true;
        let coin = held.coin;
        self.shift(coin, coin.stock(), coin.transit());
        self.confirmed_whole(op, at);
        self.note(op);
    }

    /// Once every deposit is confirmed the order goes on by itself; what was too little does so
    /// where it no longer is (rulings 67).
    fn confirmed_whole(&mut self, op: OpId, at: Instant) {
        let sale = &self.sales[&op];
        if !sale.all_confirmed() {
            return;
        }
        match sale.phase {
            Phase::Detected if !sale.delayed => self.sale_advances(op, at),
            Phase::Review(Reason::Short) if sale.payment.is_none() => {
                match self.goes_on(op, true, at) {
                    Ok(()) => self.reach(Goal::DepositsCompleted),
                    Err(Reason::Short) => {}
                    Err(reason) => self.review(op, reason),
                }
            }
            _ => {}
        }
    }

    /// A deposit reported in full when it was confirmed; whether its order takes it.
    pub(super) fn seen_confirmed(&mut self, op: OpId, deposit: &Deposit, at: Instant) -> bool {
        let reported = self.trace.notifications.len();
        let before = self.sales[&op].phase;
        if !self.takes(op, deposit, at) {
            return false;
        }
        self.notify_review(op, before);
        self.held_confirmed(op, &deposit.hash, at);
        self.notify_detected(op, reported);
        true
    }

    /// A deposit was seen; whether its order takes it.
    pub(super) fn only_seen(&mut self, op: OpId, deposit: &Deposit, at: Instant) -> bool {
        let before = self.sales[&op].phase;
        if !self.takes(op, deposit, at) {
            return false;
        }
        self.notify_detected(op, self.trace.notifications.len());
        self.notify_review(op, before);
        self.note(op);
        true
    }

    /// A deposit of an order vanished; whether it had not been confirmed.
    pub(super) fn held_vanished(&mut self, op: OpId, hash: &str, at: Instant) -> bool {
        let sale = self.sale(op);
        let booked_in =
            sale.deposits.iter().position(|held| *held.hash == *hash && !held.confirmed);
        let waits = matches!(sale.phase, Phase::Detected | Phase::Review(_));
        let Some(booked_in) = booked_in.filter(|_| waits) else { return false };
        let HeldDeposit { coin, strange, seen_at, .. } = sale.deposits.remove(booked_in);
        sale.gone.retain(|(known, ..)| **known != *hash);
        sale.gone.push((hash.into(), coin, seen_at));
        let over = sale.expires_at <= at;
        let last = sale.deposits.is_empty();
        if last {
            sale.phase = if over { Phase::Expired } else { Phase::Awaiting };
            sale.delayed = false;
            sale.repriced = None;
        }
        let booked = if strange { CoinAccount::Suspense } else { CoinAccount::Deposited(op) };
        self.shift(coin, booked, coin.transit());
        if last {
            self.reach(Goal::LastDepositVanished);
            self.await_time(op);
        }
        if last && over {
            self.unpromise(op);
            self.notify(op, Topic::CashOutExpired);
            self.reach(Goal::ExpiredByVanishing);
        }
        self.confirmed_whole(op, at);
        self.note(op);
        true
    }

    /// Tells whether the order takes a deposit, as its own or into suspense; if so it is booked.
    fn takes(&mut self, op: OpId, deposit: &Deposit, at: Instant) -> bool {
        let coins = deposit.coins;
        let coin = Coin { asset: coins.asset.0, chain: coins.chain.0, units: coins.units.get() };
        let sale = &self.sales[&op];
        if sale.accepted.is_none() {
            return false;
        }
        let (late, revival) =
            (sale.expires_at < deposit.seen_at, later(sale.expires_at, sale.revival));
        let right = coin.is_like(sale.coin);
        let waits = matches!(sale.phase, Phase::Awaiting | Phase::Expired);
        let too_late = revival < deposit.seen_at;
        let held = |strange| {
            let hash = deposit.hash.clone();
            HeldDeposit {
                hash,
                coin,
                strange,
                confirmed: false,
                confirmations: deposit.confirmations,
                seen_at: deposit.seen_at,
            }
        };
        if right && !too_late && sale.adds_up() {
            if sale.phase == Phase::Review(Reason::Strange) {
                self.part_odd(op);
            }
            if deposit.seen_at == revival {
                self.reach(Goal::RevivedAtLast);
            }
            self.adds(op, held(false), (late, at));
        } else if waits {
            if right && deposit.seen_at.since(revival).micros() == 1 {
                self.reach(Goal::RevivedTooLate);
            }
            if !right {
                self.reach(Goal::WrongToken);
            }
            self.book_deposit(op, held(true));
            self.sale(op).phase = Phase::Review(Reason::Strange);
        } else {
            if matches!(sale.phase, Phase::Paying | Phase::Completed) {
                self.reach(Goal::DepositAfterPayment);
            }
            return false;
        }
        true
    }

    /// More of the order's own token. Its price is that of the deposit which makes the sum payable:
    /// the order's own where that was seen in time, else that of its detection (rulings 67, 75).
    fn adds(&mut self, op: OpId, held: HeldDeposit, (late, at): (bool, Instant)) {
        let sale = &self.sales[&op];
        let (before, own, net) = (sale.total_deposit(), sale.priced, sale.split.net);
        let enough =
            before.is_some_and(|coin| !matches!(sale.bargain(coin, true), Err(Reason::Short)));
        let stays = matches!(sale.phase, Phase::Review(reason) if reason != Reason::Short);
        let came_late = sale.phase == Phase::Expired;
        let sum =
            Coin { units: before.map_or(0, |coin| coin.units) + held.coin.units, ..held.coin };
        self.book_deposit(op, held);
        if before.is_some() {
            self.reach(Goal::SecondDeposit);
        }
        if enough || stays {
            return;
        }
        if late {
            return self.revive(op, sum, at);
        }
        let sale = self.sale(op);
        if sale.repriced.is_some() {
            sale.repriced = Some(own);
        }
        if sale.promised < net {
            if came_late {
                self.reach(Goal::DepositNewsLate);
            }
            self.counts_again(op, net, at);
        }
    }

    fn book_deposit(&mut self, op: OpId, held: HeldDeposit) {
        self.brought(&held.hash, op);
        let coin = held.coin;
        let booked = if held.strange { CoinAccount::Suspense } else { CoinAccount::Deposited(op) };
        let sale = self.sale(op);
        sale.deposits.push(held);
        if matches!(sale.phase, Phase::Awaiting | Phase::Expired) {
            sale.phase = Phase::Detected;
        }
        self.shift(coin, coin.transit(), booked);
    }

    /// A late deposit counts at today's price, on the day its order was accepted (P:RevivalTerms,
    /// rulings 44).
    fn revive(&mut self, op: OpId, coin: Coin, at: Instant) {
        let sale = &self.sales[&op];
        let (route, asset, priced) = (sale.route, sale.pair.0.clone(), sale.priced);
        let Some(ask) = self.sale_price(route, &asset, at) else {
            self.sale(op).phase = Phase::Review(Reason::Unpriced);
            self.reach(Goal::RevivedUnpriced);
            return;
        };
        self.sale(op).repriced = Some(Priced { ask, ..priced });
        match self.sales[&op].bargain(coin, true) {
            Ok((_, split, _)) => self.counts_again(op, split.net, at),
            // What cannot be paid counts nothing.
            Err(_) => self.reach(Goal::Revived),
        }
    }

    /// A revived order counts again, or waits for a person: what it is promised already counts
    /// once.
    fn counts_again(&mut self, op: OpId, net: i64, at: Instant) {
        if let Some(reason) = self.against(op, net, at) {
            self.sale(op).phase = Phase::Review(reason);
            self.reach(Goal::RevivedOverCeiling);
        } else {
            let more = net - self.sales[&op].promised;
            self.promise(op, more);
            self.reach(Goal::Revived);
        }
    }

    /// The first deposit of an order is reported, unless the order goes to review with it.
    fn notify_detected(&mut self, op: OpId, booked_in: usize) {
        let sale = &self.sales[&op];
        if sale.deposits.len() == 1 && !matches!(sale.phase, Phase::Review(_)) {
            self.trace.notifications.insert(booked_in, (op, Topic::DepositDetected));
        }
    }

    /// A deposit that takes its order to review is reported as that.
    fn notify_review(&mut self, op: OpId, before: Phase) {
        match self.sales[&op].phase {
            now @ Phase::Review(reason) if now != before => self.review(op, reason),
            _ => {}
        }
    }

    /// What comes next for deposits that are confirmed whole.
    pub(super) fn sale_advances(&mut self, op: OpId, at: Instant) {
        if let Err(reason) = self.goes_on(op, true, at) {
            self.reach(match reason {
                Reason::Short if self.sales[&op].pays_code => Goal::CodeShort,
                Reason::Short => Goal::DepositShort,
                _ => Goal::DepositOverCeiling,
            });
            self.review(op, reason);
        }
    }

    /// The order is paid or sold with what it holds, or why not; nothing changes then.
    pub(super) fn goes_on(&mut self, op: OpId, strictly: bool, at: Instant) -> Result<(), Reason> {
        let sale = &self.sales[&op];
        let coin = sale.total_deposit().ok_or(Reason::TooMuch)?;
        let (sold, split, surplus) = sale.bargain(coin, strictly)?;
        let more = split.net - sale.promised;
        let (route, changed) = (sale.route, sold != sale.coin);
        if let Some(reason) = self.against(op, split.net, at) {
            return Err(reason);
        }
        let sale = &self.sales[&op];
        if surplus > 0 && sale.odd.last().is_some_and(|(_, odd)| odd.seq().0 == self.seq + 1) {
            // A record makes one unmatched deposit, and this one has made it.
            return Err(Reason::TooMuch);
        }
        if surplus > 0 {
            self.split_off(op, Coin { units: surplus, ..coin });
        } else if changed && !self.sales[&op].pays_code {
            self.reach(Goal::PaidWhatCame);
        }
        let sale = self.sale(op);
        sale.sold = Some((sold, split));
        self.promise(op, more);
        match route {
            Route::Fast | Route::Liquid => {
                self.begin_payment(op);
                self.notify(op, Topic::CashOutProcessing);
                self.ask_to_pay(op);
            }
            Route::Dex | Route::Convert => {
                self.sale(op).phase = Phase::Secured;
                self.trace.tasks.push((op, None));
            }
        }
        Ok(())
    }

    /// More than a code costs is an unmatched deposit of its own, of the latest deposits first
    /// (rulings 32).
    fn split_off(&mut self, op: OpId, surplus: Coin) {
        let unmatched = self.next_op(Kind::UnmatchedDeposit);
        self.shift(surplus, CoinAccount::Deposited(op), CoinAccount::RefundDue(unmatched));
        let mut left = surplus.units;
        let sale = self.sale(op);
        let deposits = &mut sale.deposits;
        let latest = deposits.last().cloned().expect("a surplus was deposited");
        while left > 0 {
            let held = deposits.last_mut().expect("a surplus is less than what was deposited");
            let taken = held.coin.units.min(left);
            held.coin.units -= taken;
            left -= taken;
            let part = (held.hash.clone(), Coin { units: taken, ..held.coin });
            if held.coin.units == 0 {
                deposits.pop();
            }
            sale.split_off.push(part);
        }
        self.unmatched_split(unmatched, op, surplus, &latest);
        self.reach(Goal::SurplusSplit);
    }

    /// An operator lets an order go on with what it holds, or with a corrected key.
    pub(super) fn sale_cleared(
        &mut self,
        order: Option<OpId>,
        key: Option<CorrectedKey>,
        at: Instant,
    ) -> Outcome {
        let Some(op) = self.selling(order) else { return ASIDE };
        let sale = &self.sales[&op];
        let reason = match sale.phase {
            Phase::Review(Reason::KeyRefused) => return self.key_corrected(op, key, at),
            Phase::Review(reason) if reason.is_ceiling() && sale.sold.is_some() => {
                return self.let_go(op, at);
            }
            Phase::Review(
                reason @ (Reason::Strange | Reason::Short | Reason::TooMuch | Reason::Unpriced),
            ) if sale.all_confirmed() => reason,
            Phase::Review(reason) if reason.is_ceiling() && sale.all_confirmed() => reason,
            _ => return ASIDE,
        };
        let before = sale.clone();
        let held = sale.deposits[0].coin;
        if matches!(reason, Reason::Strange | Reason::Unpriced) {
            // It counts at the price of what was deposited, whatever that is.
            let Some(known) = self.market.asset_numbered(held.asset) else { return ASIDE };
            let own = held.asset == sale.coin.asset;
            let route = if own { sale.route } else { Route::Convert };
            let Some(ask) = self.sale_price(route, &known.0, at) else { return ASIDE };
            self.sale(op).repriced = Some(Priced { ask, scale: known.1 });
        }
        if let Err(still) = self.goes_on(op, false, at) {
            if still.is_ceiling() {
                self.reach(Goal::CeilingStands);
            }
            self.sales.insert(op, before);
            return ASIDE;
        }
        if reason.is_ceiling() {
            self.reach(Goal::CeilingLetGo);
        }
        if let Some(coin) = before.total_deposit().filter(|_| reason == Reason::Strange) {
            self.shift(coin, CoinAccount::Suspense, CoinAccount::Deposited(op));
            self.sale(op).deposits.iter_mut().for_each(|held| held.strange = false);
            // One later than seven days belongs to a day that is closed: its ceiling stands.
            if !coin.is_like(before.coin) {
                self.reach(Goal::WrongTokenCleared);
            }
        }
        self.reach(Goal::ReviewCleared);
        self.note(op);
        APPLIED
    }

    /// The order that the report names, if it is one.
    pub(super) fn selling(&self, order: Option<OpId>) -> Option<OpId> {
        order.filter(|op| self.sales.contains_key(op))
    }
}
