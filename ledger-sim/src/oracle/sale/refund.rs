//! What goes back to the seller as the oracle sees it: COUT-39, COUT-41, COUT-49 to COUT-54,
//! P:AfterRefundAddress; rulings 32 and 33.

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};

use super::{APPLIED, ASIDE, Coin, Liquidation, Phase, Reason, Sale};
use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::wallets::{is_same_on, is_wallet};

/// A refund that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) coin: Coin,
    pub(crate) to: Option<Box<str>>,
    /// Tells whether it is small enough, or an operator allowed it.
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

    /// Tells whether nothing is missing for it to be sent.
    pub(crate) fn is_under_way(&self) -> bool {
        self.way == Way::Due && self.to.is_some() && self.allowed
    }

    /// Tells whether it is being sent, or nobody knows whether it was.
    pub(super) fn may_be_sent(&self) -> bool {
        self.is_under_way() || self.way == Way::Lost
    }
}

impl Sale {
    /// The wallet the customer confirmed, where it is on the network of `coin` (COUT-51).
    pub(super) fn wallet_for(&self, coin: Coin) -> Option<Box<str>> {
        self.wallet.clone().filter(|_| coin.chain == self.coin.chain)
    }

    /// Tells whether so much goes back without an operator, beside so much that it did not take
    /// (COUT-52).
    pub(super) fn goes_alone(&self, coin: Coin, beside: u128) -> bool {
        coin.is_like(self.coin) && self.alone.is_none_or(|most| coin.units + beside <= most)
    }
}

impl Oracle {
    /// All that was sold, or was to be, goes back.
    pub(super) fn refund_deposit(&mut self, op: OpId, operator: bool) {
        let sale = self.sale(op);
        let sold = sale.sold.map(|(coin, _)| coin).or(sale.total_deposit());
        let coin = sold.expect("something was deposited");
        self.due(op, coin, From::Deposit, None, operator);
    }

    /// A refund is due: booked from where its crypto stands, and reported as it stands.
    pub(super) fn due(
        &mut self,
        op: OpId,
        coin: Coin,
        from: From,
        to: Option<&str>,
        operator: bool,
    ) {
        // Another spelling of the wallet that was confirmed is that wallet (rulings 64).
        let network = self.market.chain_numbered(coin.chain);
        let sale = &self.sales[&op];
        let known = match to {
            Some(to) => sale.wallet.clone().filter(|known| is_same_on(network, known, to)),
            None => sale.wallet_for(coin),
        };
        let beside = self.beside(op);
        let sale = self.sale(op);
        let to = known.or_else(|| to.map(Into::into));
        let alone = sale.goes_alone(coin, beside);
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

    /// A refund is decided, or one that is due is allowed or gets its wallet.
    pub(super) fn refund_decided(
        &mut self,
        order: Option<OpId>,
        to: Option<&str>,
        operator: bool,
    ) -> Outcome {
        if to.is_some_and(|to| !self.may_go_to(order, to)) {
            return ASIDE;
        }
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
        let held = sale.total_deposit();
        let found = match sale.phase {
            Phase::Review(Reason::Strange) if operator => held.map(|coin| (coin, From::Suspense)),
            Phase::Review(Reason::Short | Reason::TooMuch | Reason::Unpriced) => {
                held.map(|coin| (coin, From::Deposit))
            }
            Phase::Detected if operator => held.map(|coin| (coin, From::Deposit)),
            Phase::Secured if operator && sale.liquidation == Liquidation::None => {
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
        let known = sale.wallet_for(coin);
        let network = self.market.chain_numbered(coin.chain);
        if known.zip(to).is_some_and(|(known, to)| !is_same_on(network, &known, to)) {
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
    /// Whether a wallet that an operator names is one on the network of the coins (rulings 65).
    fn may_go_to(&self, order: Option<OpId>, to: &str) -> bool {
        let network = order.and_then(|op| self.refund_network(op));
        network.is_none_or(|network| is_wallet(network, to))
    }

    /// The network of the coins that an operation would send back, or has sent back.
    pub(crate) fn refund_network(&self, op: OpId) -> Option<&str> {
        let unmatched = self.unmatched.get(&op).map(|it| it.coin);
        let coin = unmatched.or_else(|| {
            let sale = self.sales.get(&op)?;
            let strange = matches!(sale.phase, Phase::Review(Reason::Strange));
            let held = sale.total_deposit().filter(|_| strange);
            Some(sale.refund.as_ref().map(|due| due.coin).or(held).unwrap_or(sale.coin))
        });
        coin.and_then(|coin| self.market.chain_numbered(coin.chain))
    }

    fn refund_amended(&mut self, op: OpId, to: Option<&str>) -> Outcome {
        let due = self.sales[&op].refund.as_ref().expect("the caller found one");
        let network = self.market.chain_numbered(due.coin.chain);
        if let (Some(known), Some(to)) = (&due.to, to)
            && !is_same_on(network, known, to)
        {
            return ASIDE;
        }
        let due = self.sale(op).refund.as_mut().expect("the caller found one");
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
            let known = self.sales[&op].wallet.clone();
            let network = self.refund_network(op);
            let known = known.filter(|known| is_same_on(network, known, to));
            self.refund_addressed(op, known.as_deref().unwrap_or(to));
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
}

impl Sale {
    /// Returns the crypto that a PIX given back buys at the frozen price; the provider keeps what
    /// it kept (W54).
    fn of_refused_key(&self) -> Option<(Coin, From)> {
        let ((coin, split), back) = self.sold.zip(self.given_back)?;
        let units = self.counts_by().buy_back_units(back);
        (units > 0).then_some((Coin { units, ..coin }, From::Sale(back, split.net - back)))
    }
}
