//! What goes back to the seller as the oracle sees it: COUT-39, COUT-41, COUT-49 to COUT-54,
//! P:AfterRefundAddress; rulings 32 and 33.

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::refund::RefundReport;
use ledger_core::terms::Route;

use super::{APPLIED, ASIDE, Coin, Leg, Phase, Reason, Sale, UnmatchedDepositStatus};
use crate::goal::Goal;
use crate::oracle::Oracle;

/// A refund that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) coin: Coin,
    pub(crate) to: Option<Box<str>>,
    /// Whether it is small enough, or an operator allowed it.
    pub(crate) allowed: bool,
    pub(crate) way: Way,
    pub(crate) attempt: u32,
}

/// How far a refund is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Due,
    Lost,
    Sent(Box<str>),
}

/// Where the crypto of a refund stands.
#[derive(Clone, Copy)]
pub(super) enum From {
    Deposit,
    Suspense,
    /// What the provider gave back of a refused key, and what it kept.
    Sale(i64, i64),
    Reversal(i64),
    /// The provider returned the token, but for so much.
    Provider(u128),
}

impl Due {
    pub(super) const fn new(coin: Coin, to: Option<Box<str>>, allowed: bool) -> Self {
        Self { coin, to, allowed, way: Way::Due, attempt: 1 }
    }

    /// Whether nothing is missing for it to be sent.
    pub(crate) fn is_under_way(&self) -> bool {
        self.way == Way::Due && self.to.is_some() && self.allowed
    }

    /// Whether it is being sent, or nobody knows whether it was.
    pub(super) fn may_be_sent(&self) -> bool {
        self.is_under_way() || self.way == Way::Lost
    }
}

impl Sale {
    /// The wallet the customer confirmed, where it is on the network of `coin` (COUT-51).
    pub(super) fn wallet_for(&self, coin: Coin) -> Option<Box<str>> {
        self.wallet.clone().filter(|_| coin.chain == self.coin.chain)
    }

    /// Whether so much goes back without an operator (COUT-52).
    pub(super) fn goes_alone(&self, coin: Coin) -> bool {
        coin.is_like(self.coin) && self.alone.is_none_or(|most| coin.units <= most)
    }
}

impl Oracle {
    /// All that was sold, or was to be, goes back.
    pub(super) fn refund_deposit(&mut self, op: OpId, operator: bool) {
        let sale = self.sale(op);
        let sold = sale.sold.map(|(coin, _)| coin).or(sale.deposited());
        let coin = sold.expect("something was deposited");
        self.due(op, coin, From::Deposit, None, operator);
    }

    /// A refund is due: booked from where its crypto stands, and reported as it stands.
    fn due(&mut self, op: OpId, coin: Coin, from: From, to: Option<&str>, operator: bool) {
        let sale = self.sale(op);
        let to = to.map(Into::into).or_else(|| sale.wallet_for(coin));
        let alone = sale.goes_alone(coin);
        let limit = sale.alone == Some(coin.units);
        sale.delayed = false;
        if matches!(from, From::Provider(_)) {
            sale.handed = None;
        }
        sale.phase = Phase::Refunding;
        sale.refund = Some(Due::new(coin, to, operator || alone));
        self.book_refund(op, coin, from);
        self.refund_steps(op);
        if limit {
            self.reach(Goal::RefundAtLimit);
        }
        if !operator && !alone {
            self.reach(Goal::RefundNeedsOperator);
        }
    }

    pub(super) fn book_refund(&mut self, op: OpId, coin: Coin, from: From) {
        let (dep, due) = (CoinAccount::Deposited(op), CoinAccount::RefundDue(op));
        match from {
            From::Deposit => self.shift(coin, dep, due),
            From::Suspense => self.shift(coin, CoinAccount::Suspense, due),
            From::Sale(back, kept) => {
                self.shift(coin, CoinAccount::Fx, due);
                self.totals.sales_in_flight -= back + kept;
                self.totals.provider_pay -= kept;
                self.totals.fx += back;
            }
            From::Reversal(back) => {
                self.shift(coin, CoinAccount::Fx, due);
                self.totals.provider_pay += back;
                self.totals.fx += back;
            }
            From::Provider(short) => {
                self.shift(coin, coin.stock(), CoinAccount::ProviderClaim);
                self.shift(coin, dep, due);
                self.shift(Coin { units: short, ..coin }, dep, CoinAccount::ProviderClaim);
            }
        }
    }

    /// What a refund that changed is reported as, and what it asks for.
    pub(super) fn refund_steps(&mut self, op: OpId) {
        if self.refund_sent_early(op) {
            return;
        }
        let sale = &self.sales[&op];
        let Some(due) = sale.refund.as_ref().filter(|due| due.way == Way::Due) else { return };
        let (ready, completed) = (due.is_under_way(), sale.phase == Phase::Completed);
        let topic = match (&due.to, due.allowed) {
            (None, _) => Topic::RefundAddressAwaited,
            (Some(_), false) => Topic::CashOutUnderReview,
            (Some(_), true) => Topic::CashOutRefunding,
        };
        let attempt = due.attempt;
        if !completed {
            self.notify(op, topic);
        }
        let asked = self.trace.tasks.last() == Some(&(op, Some(attempt)));
        if ready && !asked {
            self.trace.tasks.push((op, Some(attempt)));
        }
    }

    /// The transaction of just the refund that is due, which was claimed before it was; what
    /// brought its deposits refunds nothing.
    fn early_refund(&self, op: OpId, due: &Due) -> Option<Box<str>> {
        let own = |hash: &str| match (self.sales.get(&op), self.unmatched.get(&op)) {
            (Some(sale), _) => {
                sale.had(hash).is_some() || sale.gone.iter().any(|(gone, ..)| **gone == *hash)
            }
            (None, Some(unmatched)) => *unmatched.hash == *hash,
            (None, None) => false,
        };
        let Coin { asset, chain, units } = due.coin;
        let claim = self.erroneous_deliveries.values().find(|it| {
            let same = (it.about, it.asset, it.chain, it.units) == (op, asset, chain, units);
            same && it.end.is_none() && !own(&it.hash)
        });
        claim.map(|it| it.hash.clone())
    }

    /// A refund that may be sent now was sent before: nobody is asked again (rulings 46).
    pub(super) fn refund_sent_early(&mut self, op: OpId) -> bool {
        let due = self.refund_of(op).clone();
        if !due.is_under_way() {
            return false;
        }
        let Some(hash) = self.early_refund(op, &due) else { return false };
        self.refund_sent(op, &due, &hash);
        self.reach(Goal::RefundSentEarly);
        true
    }

    /// A refund is decided, or one that is due is allowed or gets its wallet.
    pub(super) fn refund_decided(
        &mut self,
        order: Option<OpId>,
        to: Option<&str>,
        operator: bool,
    ) -> Outcome {
        if let Some(op) = order.filter(|op| self.unmatched.contains_key(op)) {
            return if operator { self.unmatched_decided(op, to) } else { ASIDE };
        }
        let Some(op) = self.selling(order) else { return ASIDE };
        let sale = &self.sales[&op];
        if sale.refund.is_some() {
            return if operator { self.refund_amended(op, to) } else { ASIDE };
        }
        if to.is_some() && !operator || !sale.all_confirmed() {
            return ASIDE;
        }
        let held = sale.deposited();
        let found = match sale.phase {
            Phase::Review(Reason::Strange) if operator => held.map(|coin| (coin, From::Suspense)),
            Phase::Review(Reason::Short | Reason::TooMuch | Reason::Unpriced) => {
                held.map(|coin| (coin, From::Deposit))
            }
            Phase::Detected if operator => held.map(|coin| (coin, From::Deposit)),
            Phase::Secured if operator && sale.leg == Leg::None => {
                held.map(|coin| (coin, From::Deposit))
            }
            Phase::Review(Reason::KeyRefused) => sale.of_refused_key(),
            // What was tried is given up with it, unless nobody knows what became of a try.
            Phase::Review(reason) if reason.is_ceiling() && sale.attempts.count > 0 => {
                let known = operator && !sale.attempts.lost && sale.handed.is_none();
                held.map(|coin| (coin, From::Deposit)).filter(|_| known)
            }
            Phase::Review(reason) if reason.is_ceiling() => held.map(|coin| (coin, From::Deposit)),
            _ => None,
        };
        let unwinds = sale.is_paying();
        let Some((coin, from)) = found else { return ASIDE };
        // The wallet that the customer confirmed stands (P:RefundImmutable).
        if to.is_some() && sale.wallet_for(coin).is_some_and(|known| Some(&*known) != to) {
            return ASIDE;
        }
        self.reach(match from {
            From::Suspense => Goal::StrangeRefunded,
            From::Sale(..) => Goal::RefusedKeyRefunded,
            _ => Goal::HeldRefunded,
        });
        if unwinds {
            self.unwind(op);
            self.reach(Goal::CeilingGivenUp);
        }
        self.due(op, coin, from, to, operator);
        self.note(op);
        APPLIED
    }

    /// An operator allows a refund that is due, or names its wallet where none was.
    fn refund_amended(&mut self, op: OpId, to: Option<&str>) -> Outcome {
        let due = self.sale(op).refund.as_mut().expect("the caller found one");
        if let (Some(known), Some(to)) = (&due.to, to)
            && **known != *to
        {
            return ASIDE;
        }
        let names = due.to.is_none() && to.is_some();
        let allows = !due.allowed;
        if !names && !allows {
            return Outcome::Known;
        }
        if due.way != Way::Due {
            return ASIDE;
        }
        due.allowed = true;
        if let Some(to) = to.filter(|_| names) {
            self.refund_addressed(op, to);
            self.reach(Goal::OperatorNamedWallet);
        }
        // Each step is reported as the refund stands after both.
        for _ in 0..u8::from(names) + u8::from(allows) {
            self.refund_steps(op);
        }
        if allows {
            self.reach(Goal::OperatorAllowed);
        }
        self.note(op);
        APPLIED
    }

    /// Somebody named the wallet; of a reversal that is what it waited for (rulings 52).
    pub(super) fn refund_addressed(&mut self, op: OpId, address: &str) {
        let sale = self.sale(op);
        let reversed = sale.phase == Phase::Completed;
        let due = sale.refund.as_mut().expect("the caller found one");
        due.to = Some(address.into());
        let due = due.clone();
        let early = due.is_under_way() && self.early_refund(op, &due).is_some();
        if reversed && !early {
            self.notify(op, Topic::CashOutRefunding);
        }
    }

    /// The provider returned so much of the token: never more is refunded (COUT-50).
    pub(super) fn token_returned(&mut self, order: Option<OpId>, units: u128) -> Outcome {
        let Some(op) = self.selling(order) else { return ASIDE };
        let sale = &self.sales[&op];
        if sale.route != Route::Liquid {
            return ASIDE;
        }
        let back = Coin { units, ..sale.sold.map_or(sale.coin, |(coin, _)| coin) };
        let sold = sale.sold.filter(|_| !sale.kept.is_on()).map(|(coin, _)| coin.units);
        let Some(handed) = sale.handed.or(sold).filter(|had| units <= *had) else {
            return self.token_unexpected(op, back);
        };
        let reported = sale.handed.is_some();
        match sale.phase {
            Phase::Review(Reason::ReturnAwaited) => {}
            // That it came back implies that it was there, and cannot be paid.
            _ if sale.is_paying() => {
                if !reported {
                    self.hand_over(op);
                    self.reach(Goal::HandingOverImplied);
                }
                self.unwind(op);
            }
            // A payment that may begin again has the whole of it there, or nothing.
            Phase::Review(Reason::KeyRefused) if units < handed => {
                return self.token_unexpected(op, back);
            }
            Phase::Refunding | Phase::Review(Reason::KeyRefused) if reported => {
                self.sale(op).handed = Some(handed - units).filter(|left| *left > 0);
                self.shift(back, back.stock(), CoinAccount::ProviderClaim);
                self.reach(Goal::TokenRecovered);
                self.note(op);
                return APPLIED;
            }
            _ => return self.token_unexpected(op, back),
        }
        let short = handed - units;
        self.due(op, back, From::Provider(short), None, false);
        self.reach(if short > 0 { Goal::TokenCameShort } else { Goal::TokenCameBack });
        self.note(op);
        APPLIED
    }

    /// What became of a refund, of an order or of a receipt.
    pub(super) fn refund_reported(
        &mut self,
        order: Option<OpId>,
        report: &RefundReport,
    ) -> Outcome {
        let Some(op) = order else { return ASIDE };
        let due = match self.sales.get(&op) {
            Some(sale) => sale.refund.as_ref(),
            None => self.unmatched.get(&op).and_then(|unmatched| unmatched.refund.as_ref()),
        };
        let Some(due) = due.cloned() else {
            let RefundReport::Sent(hash) = report else { return ASIDE };
            let Some(coin) = self.held_by(op) else { return ASIDE };
            self.reach(Goal::RefundBeforeDecided);
            return self.claim(op, coin, hash, Goal::RefundInError);
        };
        match report {
            RefundReport::Sent(hash) if due.way == Way::Sent(hash.clone()) => Outcome::Known,
            RefundReport::Sent(hash) if due.may_be_sent() => self.refund_sent(op, &due, hash),
            RefundReport::Sent(hash) => self.claim(op, due.coin, hash, Goal::RefundInError),
            RefundReport::Failed if due.may_be_sent() => {
                let again = Due { way: Way::Due, attempt: due.attempt + 1, ..due };
                let ready = again.is_under_way().then_some((op, Some(again.attempt)));
                self.trace.tasks.extend(ready);
                *self.refund_of(op) = again;
                self.note(op);
                self.reach(Goal::RefundFailed);
                APPLIED
            }
            RefundReport::Lost if due.is_under_way() => {
                self.refund_of(op).way = Way::Lost;
                // A reversal reads as a refund until it is sent (rulings 52).
                let known = self.sales.get(&op);
                if known.is_some_and(|sale| sale.phase != Phase::Completed) {
                    self.notify(op, Topic::CashOutUnderReview);
                }
                self.note(op);
                APPLIED
            }
            RefundReport::Lost if due.way == Way::Lost => Outcome::Known,
            RefundReport::Failed | RefundReport::Lost => ASIDE,
        }
    }

    /// What an order or a receipt has of its customer's, and is not to be refunded yet.
    fn held_by(&self, op: OpId) -> Option<Coin> {
        if let Some(unmatched) = self.unmatched.get(&op) {
            let waits = matches!(
                unmatched.phase,
                UnmatchedDepositStatus::Unconfirmed | UnmatchedDepositStatus::Confirmed
            );
            return Some(unmatched.coin).filter(|_| waits);
        }
        let sale = self.sales.get(&op)?;
        match sale.phase {
            Phase::Detected | Phase::Secured => sale.deposited(),
            Phase::Review(Reason::KeyRefused | Reason::Stopped) => None,
            Phase::Review(_) => sale.deposited(),
            _ => None,
        }
    }

    fn refund_of(&mut self, op: OpId) -> &mut Due {
        let due = match self.sales.get_mut(&op) {
            Some(sale) => sale.refund.as_mut(),
            None => self.unmatched.get_mut(&op).and_then(|unmatched| unmatched.refund.as_mut()),
        };
        due.expect("the caller found one")
    }

    fn refund_sent(&mut self, op: OpId, due: &Due, hash: &str) -> Outcome {
        if self.claim_ends(op, hash) {
            self.reach(Goal::RefundClaimTakenOver);
        }
        if due.way == Way::Lost {
            self.reach(Goal::LostRefundFound);
        }
        self.refund_of(op).way = Way::Sent(hash.into());
        self.shift(due.coin, CoinAccount::RefundDue(op), due.coin.stock());
        if let Some(sale) = self.sales.get_mut(&op) {
            let reversed = sale.phase == Phase::Completed;
            let earns = sale.given_back.is_some() && sale.e2e.is_none();
            sale.phase = Phase::Refunding;
            let split = sale.sold.map(|(_, split)| split).filter(|_| earns);
            if let Some(split) = split {
                self.earn(op, split);
                self.reach(Goal::EarnedByRefund);
            }
            self.unpromise(op);
            self.notify(op, Topic::CashOutRefunded);
            self.reach(if reversed { Goal::RefundedAfterPaid } else { Goal::Refunded });
        } else {
            self.reach(Goal::UnmatchedRefunded);
        }
        self.note(op);
        APPLIED
    }
}

impl Sale {
    /// What the provider gave back buys crypto at the frozen price; what it kept, it keeps (W54).
    fn of_refused_key(&self) -> Option<(Coin, From)> {
        let ((coin, split), back) = self.sold.zip(self.given_back)?;
        let units = self.counts_by().bought(back);
        (units > 0).then_some((Coin { units, ..coin }, From::Sale(back, split.net - back)))
    }
}
