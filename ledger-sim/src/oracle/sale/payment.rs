//! The PIX of a sale as the oracle sees it: COUT-36 to COUT-40, COUT-50, P:RetrySchedule; A7, A8,
//! A11; rulings 18 and 32.

use ledger_core::accounting::{CoinAccount, RowKind};
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{Fact, Outcome, SaleReport, Topic};
use ledger_core::machine::cash_out::{Command, CorrectedKey};
use ledger_core::money::Amount;
use ledger_core::terms::{Route, Switch};
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, Coin, Liquidation, PayoutAttempts, Phase, Reason, Split};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle, Waiting, later};

impl Oracle {
    pub(super) fn payment_moves(&mut self, op: OpId, command: &Command, at: Instant) -> Outcome {
        use Phase::{Completed, Paying, Review, Secured};
        use Reason::Stopped;
        let begins = matches!(command, Command::StartPayment)
            && self.sales[&op].phase == Secured
            && self.sales[&op].is_sold();
        if begins {
            self.sold_pays(op, at);
            self.note(op);
            return APPLIED;
        }
        let sale = &self.sales[&op];
        let paying = sale.is_paying();
        let net = sale.sold.map_or(0, |(_, split)| split.net);
        match (command, sale.phase) {
            (Command::StartPayment | Command::LosePayment, Completed)
            | (Command::StartPayment, Paying)
            | (Command::GiveUpPayment, Review(Reason::ReturnAwaited))
            | (Command::Stop, Review(Stopped)) => return Outcome::Known,
            (Command::FailSend, _) if paying => {
                if sale.attempts.again_at.is_some() {
                    return Outcome::Known;
                }
                self.send_failed(op, at);
            }
            (Command::GiveUpPayment, _) if paying => self.payment_given_up(op),
            (Command::GiveUpPayment, Secured) if sale.liquidation == Liquidation::None => {
                self.refund_deposit(op, false);
            }
            (Command::GiveUpPayment, Phase::Refunding)
                if sale.sold.is_some() && sale.e2e.is_none() && sale.given_back.is_none() =>
            {
                return Outcome::Known;
            }
            (Command::RefuseKey(back), _) if paying && back.cents() <= net => {
                self.key_refused(op, back.cents());
            }
            (Command::RefuseKey(back), _) if !paying && sale.given_back == Some(back.cents()) => {
                return Outcome::Known;
            }
            (Command::LosePayment, _) if paying && sale.phase != Review(Stopped) => {
                if sale.attempts.lost {
                    return Outcome::Known;
                }
                let attempts = &mut self.sale(op).attempts;
                (attempts.lost, attempts.again_at) = (true, None);
            }
            (Command::Stop, Paying) if sale.attempts.lost => {
                self.sale(op).attempts.again_at = None;
                self.review(op, Stopped);
            }
            (Command::HandOver, _) if sale.handed.is_some() || sale.kept.is_on() => {
                return Outcome::Known;
            }
            (Command::HandOver, _) if sale.route == Route::Liquid && sale.sold.is_some() => {
                let paid = sale.e2e.is_some();
                self.hand_over(op);
                if paid {
                    self.provider_keeps(op);
                    self.reach(Goal::HandedOverLate);
                } else if !paying {
                    self.reach(Goal::HandedOverInVain);
                }
            }
            (_, _) => return ASIDE,
        }
        self.note(op);
        APPLIED
    }

    /// The provider has the token: a claim until it pays, or gives it back.
    pub(super) fn hand_over(&mut self, op: OpId) {
        let coin = self.sale(op).sold.expect("what is handed over was priced").0;
        self.sale(op).handed = Some(coin.units);
        self.shift(coin, CoinAccount::ProviderClaim, coin.stock());
    }

    /// It keeps the token for its payment.
    fn provider_keeps(&mut self, op: OpId) {
        let sale = self.sale(op);
        let (coin, split) = sale.sold.expect("what is paid was priced");
        let units = sale.handed.take().expect("the caller found it");
        sale.kept = Switch::On;
        self.shift(Coin { units, ..coin }, CoinAccount::Fx, CoinAccount::ProviderClaim);
        self.totals.provider_pay += split.gross();
        self.totals.fx += split.gross();
        self.reach(Goal::TokenKept);
    }

    /// The customer's crypto is exchanged for reais owed to the recipient.
    pub(super) fn begin_payment(&mut self, op: OpId) {
        let sale = self.sale(op);
        let (coin, split) = sale.sold.expect("what is paid was priced");
        sale.phase = Phase::Paying;
        sale.attempts = PayoutAttempts { count: 1, ..PayoutAttempts::default() };
        self.exchange(op, coin, split.gross());
    }

    /// Crypto in `dep` for reais in flight; back again where they are negative.
    fn exchange(&mut self, op: OpId, coin: Coin, gross: i64) {
        let dep = CoinAccount::Deposited(op);
        if gross > 0 {
            self.shift(coin, dep, CoinAccount::Fx);
        } else {
            self.shift(coin, CoinAccount::Fx, dep);
        }
        self.totals.fx -= gross;
        self.totals.sales_in_flight += gross;
    }

    /// What was sold first is paid, unless a ceiling stands against it.
    pub(super) fn sold_pays(&mut self, op: OpId, at: Instant) {
        match self.sold_against(op, at) {
            Some(reason) => {
                self.review(op, reason);
                self.reach(Goal::SoldAndWaits);
            }
            None => {
                self.begin_payment(op);
                self.ask_to_pay(op);
            }
        }
    }

    pub(super) fn ask_to_pay(&mut self, op: OpId) {
        let attempt = self.sale(op).attempts.count;
        self.trace.tasks.push((op, Some(attempt)));
    }

    /// A send failed before it left: again at the next fifth minute, or never more after 45.
    fn send_failed(&mut self, op: OpId, at: Instant) {
        let sale = self.sale(op);
        let (every, whole) = sale.retries;
        let known_lost = sale.attempts.lost;
        let first = *sale.attempts.first.get_or_insert(at);
        if known_lost {
            self.reach(Goal::SaleFoundUnpaid);
        }
        if whole <= at.since(first) {
            self.reach(Goal::NeverSent);
            return self.payment_given_up(op);
        }
        let mut step = later(first, every);
        while step <= at {
            step = later(step, every);
        }
        let sale = self.sale(op);
        (sale.phase, sale.attempts.again_at, sale.attempts.lost) =
            (Phase::Paying, Some(step), false);
        self.await_time(op);
    }

    /// No more sends: all goes back, fee and reserve among it; a token at the provider is awaited.
    fn payment_given_up(&mut self, op: OpId) {
        let handed = self.unwind(op);
        if handed {
            self.review(op, Reason::ReturnAwaited);
        } else {
            self.refund_deposit(op, false);
        }
    }

    /// Crypto and reais are exchanged back; whether the token is at the provider.
    pub(super) fn unwind(&mut self, op: OpId) -> bool {
        let sale = self.sale(op);
        let (coin, split) = sale.sold.expect("what is paid was priced");
        sale.attempts.again_at = None;
        let handed = sale.handed.is_some();
        self.exchange(op, coin, -split.gross());
        handed
    }

    /// The provider refused the key after it had the money, and gave so much back (COUT-39).
    fn key_refused(&mut self, op: OpId, back: i64) {
        let sale = self.sale(op);
        if sale.handed.is_some() {
            // A token at the provider comes back as a token.
            return self.payment_given_up(op);
        }
        sale.given_back = Some(back);
        sale.attempts = PayoutAttempts { count: sale.attempts.count, ..PayoutAttempts::default() };
        self.review(op, Reason::KeyRefused);
    }

    /// Splits what the provider gave back: no more than it had is the order's, the rest is
    /// nobody's yet.
    pub(super) fn key_reported_refused(
        &mut self,
        order: Option<OpId>,
        back: i64,
        at: Instant,
    ) -> Outcome {
        let sold = self.selling(order).and_then(|op| self.sales[&op].sold);
        let taken = sold.map_or(back, |(_, split)| split.net.min(back));
        let amount = Amount::new(taken).expect("some of it was taken");
        let outcome = self.sale_moves(order, &Command::RefuseKey(amount), at);
        match outcome {
            Outcome::Applied(_) if taken < back => {
                self.pays_in(back - taken, at);
                self.reach(Goal::RefusedForMore);
                outcome
            }
            Outcome::Applied(_) => outcome,
            Outcome::Known if taken == back => outcome,
            _ => {
                self.reach(Goal::RefusedInVain);
                self.pays_in(back, at)
            }
        }
    }

    /// Reais that came in without an id of their own.
    pub(super) fn pays_in(&mut self, cents: i64, at: Instant) -> Outcome {
        let outside = format!("{:?}", self.next_op(Kind::Suspense));
        self.money_in(cents, false, &outside, at)
    }

    /// Reais that the provider kept, without an id of their own.
    pub(super) fn claims(&mut self, cents: i64, at: Instant) -> Outcome {
        let outside = format!("{:?}", self.next_op(Kind::Suspense));
        self.money_out(cents, false, &outside, at)
    }

    /// An operator corrected the key: what the provider kept is lost, and the net is paid in full.
    pub(super) fn key_corrected(
        &mut self,
        op: OpId,
        key: Option<CorrectedKey>,
        at: Instant,
    ) -> Outcome {
        let sale = &self.sales[&op];
        if sale.pays_code && key.is_some() {
            return ASIDE;
        }
        let net = sale.sold.expect("what is paid was priced").1.net;
        let (whom, proven) = match key {
            Some(key) => {
                let named = [Some(key.counted_as), key.owner.document(), sale.claimed];
                (named.into_iter().flatten().collect(), key.owner.document())
            }
            None => (sale.whom.clone(), sale.document),
        };
        if self.against_payee(op, net, (&whom, proven), at).is_some() {
            return ASIDE;
        }
        self.goes_to(op, whom);
        let sale = self.sale(op);
        sale.document = proven;
        let (_, split) = sale.sold.expect("what is paid was priced");
        let kept = split.net - sale.given_back.take().expect("the key was refused");
        sale.attempts =
            PayoutAttempts { count: sale.attempts.count + 1, ..PayoutAttempts::default() };
        sale.phase = Phase::Paying;
        self.totals.loss += kept;
        self.totals.provider_pay -= kept;
        self.notify(op, Topic::CashOutProcessing);
        self.ask_to_pay(op);
        self.reach(Goal::KeyCorrected);
        self.note(op);
        APPLIED
    }

    /// A PIX was paid: the order's, or money that left without a reason.
    pub(super) fn sale_paid(
        &mut self,
        order: Option<OpId>,
        e2e: &str,
        amount: Option<i64>,
        at: Instant,
    ) -> Outcome {
        let sale = self.selling(order).map(|op| &self.sales[&op]);
        let owed = sale.and_then(|sale| sale.sold).map(|(_, split)| split.net);
        let pays = sale.is_some_and(|sale| {
            let stands = sale.is_paying() || sale.phase == Phase::Secured;
            stands && amount.is_none_or(|amount| Some(amount) == owed)
        });
        let Some(op) = order.filter(|_| pays) else {
            let again = sale.is_some_and(|sale| sale.phase == Phase::Completed);
            self.trace.goals.extend(again.then_some(Goal::SecondPixOfSale));
            // Before anything is priced, what was quoted is what the order means to pay.
            let left = amount.or(owed).or(sale.map(|sale| sale.split.net));
            return left.map_or(ASIDE, |cents| self.money_out(cents, false, e2e, at));
        };
        if let Some(claim) = self.waits_as(e2e, Waiting::is_payment) {
            self.settle_suspense(claim, op);
        }
        self.pay_sale(op, e2e);
        APPLIED
    }

    /// Tells whether a fact names a seller's order that a PIX reported of another one fits.
    pub(in crate::oracle) fn sale_pix_waits(&self, fact: &Fact) -> bool {
        let Fact::Sale { order: Some(op), report } = fact else { return false };
        let Some(sale) = self.sales.get(op).filter(|sale| sale.payment.is_none()) else {
            return false;
        };
        let Some((_, split)) = sale.sold else { return false };
        let amount =
            |outside: &str, wanted| Some(self.suspense[&self.waits_as(outside, wanted)?].amount);
        match report {
            SaleReport::Paid { pix, amount: told } => {
                (sale.is_paying() || sale.phase == Phase::Secured)
                    && amount(&pix.e2e, Waiting::is_payment) == Some(split.net)
                    && told.is_none_or(|told| told.cents() == split.net)
            }
            SaleReport::Reversed { return_id, amount: told } => {
                amount(return_id, Waiting::is_payment_back) == Some(told.cents())
                    && self.may_reverse(*op, told.cents())
            }
            _ => false,
        }
    }

    /// The PIX of an order that can be paid was paid.
    pub(super) fn pay_sale(&mut self, op: OpId, e2e: &str) {
        let sale = self.sale(op);
        let (phase, lost, delayed) = (sale.phase, sale.attempts.lost, sale.delayed);
        if phase == Phase::Secured {
            self.begin_payment(op);
            self.reach(Goal::PaidUnbegun);
        }
        self.complete(op, e2e);
        if lost {
            self.reach(Goal::SaleFoundPaid);
        }
        if delayed {
            self.reach(Goal::PaidThoughDelayed);
        }
    }

    fn complete(&mut self, op: OpId, e2e: &str) {
        self.seen.insert((IdScope::PixOut, e2e.into()));
        let sale = self.sale(op);
        let (coin, split) = sale.sold.expect("what is paid was priced");
        let handed = sale.handed.is_some();
        sale.e2e = Some(e2e.into());
        sale.phase = Phase::Completed;
        sale.delayed = false;
        sale.attempts = PayoutAttempts { count: sale.attempts.count, ..PayoutAttempts::default() };
        let (route, code, alike) = (sale.route, sale.pays_code, coin.is_like(sale.coin));
        let account = sale.account;
        self.totals.sales_in_flight -= split.net;
        self.totals.provider_pay -= split.net;
        if handed {
            self.provider_keeps(op);
        }
        self.earn(op, split);
        self.settles(account, split.net);
        self.notify(op, Topic::CashOutCompleted);
        self.note(op);
        self.reach(match route {
            Route::Fast => Goal::SoldFast,
            Route::Dex => Goal::SoldBySwap,
            Route::Convert => Goal::SoldAtExchange,
            Route::Liquid => Goal::SoldOnLiquid,
        });
        if code {
            self.reach(Goal::CodePaid);
        }
        if !alike {
            self.reach(Goal::WrongTokenPaid);
        }
    }

    /// Fees and reserve are earned (rulings 18), each once.
    pub(super) fn earn(&mut self, op: OpId, split: Split) {
        self.totals.sales_in_flight -= split.deductions();
        self.totals.sale_income += split.house;
        self.totals.reserve_income += split.reserve;
        self.totals.rounding += split.residue;
        let account = self.sale(op).account;
        self.commission(account, op, RowKind::CommissionEarned, split.partner);
        if split.residue > 0 {
            self.reach(Goal::RoundingLeft);
        }
        if split.reserve > 0 {
            self.reach(Goal::ReserveEarned);
        }
    }
}
