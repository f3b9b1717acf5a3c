//! A cash-out order with all that came of it.

use std::sync::Arc;

use super::Stage;
use super::ceiling::ReviewReason;
use super::event::DepositAccount;
use super::phase::Entered;
use super::terms::{Deposit, Order, Payee, Pix, Proceeds, Sale};
use crate::coin::Scale;
use crate::id::OpId;
use crate::machine::refund::{Coins, Refund, RefundStatus};
use crate::money::{Amount, Balance, Cents};
use crate::network::address;
use crate::terms::{Quote, Switch};
use crate::time::Instant;

/// An order with all that came of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// The terms on which it was quoted.
    pub order: Arc<Order>,
    /// How far it got.
    pub stage: Stage,
    /// Tells whether the exchange is late with it: the wire's `DELAYED`.
    pub delayed: Switch,
    /// Where to deposit, once accepted.
    pub accepted: Option<DepositInstructions>,
    /// The price in force, where it is not the order's own.
    pub repriced: Option<Quote>,
    /// The decimals of what was deposited, where they are not those of the order's asset.
    pub counted_in: Option<Scale>,
    /// What was deposited and belongs to it, or waits in suspense for it.
    pub deposits: Vec<HeldDeposit>,
    /// What vanished before it was confirmed, as it was last seen: it may be mined again.
    pub vanished: Vec<Deposit>,
    /// What became an unmatched deposit, of each deposit that it was taken from.
    pub split_off: Vec<Deposit>,
    /// What came of another kind or too late and waits under a review of its own, by its
    /// transaction (rulings 67).
    pub odd: Vec<(Box<str>, OpId)>,
    /// What counts on the recipient's day: that of its acceptance (rulings 44).
    pub counted: Cents,
    /// What is sold for the recipient, once that is settled.
    pub sale: Option<Sale>,
    /// The liquidation: how far selling the coins taken in has got.
    pub liquidation: Liquidation,
    /// What the provider has of the token.
    pub handed: Option<Coins>,
    /// What it kept of the token for its payment.
    pub kept: Option<Coins>,
    /// The sends that failed.
    pub attempts: PayoutAttempts,
    /// Who is paid, as last corrected.
    pub payee: Payee,
    /// The PIX that paid.
    pub pix: Option<Pix>,
    /// What came back of it since.
    pub reversed: Cents,
    /// What the provider gave back of a refused key.
    pub given_back: Option<Amount>,
    /// The refund, once one is due.
    pub refund: Option<Refund>,
    /// Every phase it entered, in order (rulings 51).
    pub entered: Vec<Entered>,
    /// What of its deposits became unmatched deposits.
    pub parted: Option<Coins>,
    /// The unmatched deposits that are about it: what it did not take, each with a refund of its
    /// own.
    pub unmatched: Vec<OpId>,
    /// All that these brought of its own token, in smallest units.
    pub beside: u128,
}

/// Where to deposit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DepositInstructions {
    /// The address, as the provider supplied it.
    pub address: Box<str>,
    /// The memo that must accompany the deposit.
    pub tag: Option<Box<str>>,
    /// When it was accepted.
    pub at: Instant,
}

/// A deposit with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeldDeposit {
    /// It; what an unmatched deposit took of it is no longer in it.
    pub deposit: Deposit,
    /// Where it is booked.
    pub booked_in: DepositAccount,
    /// Tells whether it is confirmed.
    pub confirmed: Switch,
    /// How many confirmations it was reported to have; none where nobody said.
    pub confirmations: Option<u16>,
}

/// The liquidation of a sale through a swap or an exchange (rulings 31).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Liquidation {
    /// Nothing is on its way.
    #[default]
    None,
    /// Being sold: so much of the own stock.
    Selling(Coins),
    /// Nobody knows whether it was sold.
    Lost(Coins),
    /// Sold for this; where it is to be forwarded it still stands at the exchange.
    Sold(Proceeds),
    /// On its way to the payout provider.
    Forwarding(Proceeds),
    /// There, or in the own stock.
    Done,
}

/// The sends that failed (P:RetrySchedule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PayoutAttempts {
    /// How many sends were asked for.
    pub count: u32,
    /// When the first one failed.
    pub first: Option<Instant>,
    /// When the next one is due.
    pub retry_at: Option<Instant>,
    /// Tells whether the outcome of the last one is unknown.
    pub lost: Switch,
}

impl Progress {
    /// The price its crypto counts at.
    #[must_use]
    pub fn quote(&self) -> &Quote {
        self.repriced.as_ref().unwrap_or(&self.order.quote)
    }

    /// The decimals that its crypto is counted in.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.counted_in.unwrap_or(self.order.scale)
    }

    /// Where the coins stand that it sells.
    pub(super) fn booked_in(&self) -> DepositAccount {
        if self.order.is_sellers() { DepositAccount::Order } else { DepositAccount::Wallet }
    }

    /// All that this transaction brought it and did not take back, what became an unmatched deposit
    /// included.
    #[must_use]
    pub fn had(&self, hash: &str) -> Option<Coins> {
        let held = self.deposits.iter().map(|held| &held.deposit);
        let all = held.chain(&self.split_off).filter(|deposit| *deposit.hash == *hash);
        all.map(|deposit| deposit.coins).reduce(|sum, more| {
            sum.plus(more).expect("a transaction is of one token and brought what it is split into")
        })
    }

    /// Tells whether this transaction brought coins for it, also where they vanished or it went on
    /// without them: such a one refunds nothing.
    #[must_use]
    pub fn was_brought_by(&self, hash: &str) -> bool {
        let vanished = self.vanished.iter().any(|deposit| *deposit.hash == *hash);
        vanished || self.had(hash).is_some() || self.odd(hash).is_some()
    }

    /// The unmatched deposit under a review of its own that this transaction's became.
    #[must_use]
    pub fn odd(&self, hash: &str) -> Option<OpId> {
        self.odd.iter().rev().find(|(known, _)| **known == *hash).map(|(_, op)| *op)
    }

    /// Tells whether a deposit of its own token adds to what it holds: its coins are not ordered
    /// sold, its PIX is not submitted, and no refund is decided (rulings 67).
    pub(super) const fn takes_more(&self) -> bool {
        match self.stage {
            Stage::Awaiting | Stage::Expired | Stage::Detected => true,
            Stage::Review(ReviewReason::Strange) => true,
            Stage::Review(reason) => reason.takes_more() && self.sale.is_none(),
            _ => false,
        }
    }

    /// A return wallet as it was confirmed, where this is another spelling of it (rulings 64).
    #[must_use]
    pub fn as_confirmed(&self, wallet: Box<str>) -> Box<str> {
        let known = self.refund.as_ref().and_then(|refund| refund.to.as_deref());
        let known = known.or(self.order.refund_address.as_deref());
        match known.filter(|_| address::is_same(&self.order.chain_name, known, Some(&*wallet))) {
            Some(known) => known.into(),
            None => wallet,
        }
    }

    /// Returns what stands in `dep` for it, or waits in suspense for it.
    #[must_use]
    pub fn deposit_sum(&self, booked_in: DepositAccount) -> Option<Coins> {
        let mut all = self.deposits.iter().filter(|held| held.booked_in == booked_in);
        let first = all.next()?.deposit.coins;
        let sum = all.try_fold(first, |sum, held| sum.plus(held.deposit.coins))?;
        Some(sum)
    }

    /// All that arrived for it: what it holds, and what of that became unmatched deposits. None
    /// where nothing did, or what did is not of one kind.
    #[must_use]
    pub fn received_coins(&self) -> Option<Coins> {
        let held = self.deposits.iter().map(|held| held.deposit.coins);
        let mut all = held.chain(self.parted);
        let first = all.next()?;
        all.try_fold(first, Coins::plus)
    }

    /// The deposit that is still to be confirmed: the latest of them.
    #[must_use]
    pub fn confirming(&self) -> Option<&HeldDeposit> {
        self.deposits.iter().rev().find(|held| !held.confirmed.is_on())
    }

    /// Returns what stands in `dep` now: what was deposited and neither sold nor to be refunded.
    #[must_use]
    pub fn in_deposit(&self) -> Option<Coins> {
        let stands = match self.stage {
            Stage::Detected | Stage::Secured => true,
            Stage::Review(reason) if reason.is_ceiling() => !self.payment_began(),
            Stage::Review(reason) => !matches!(
                reason,
                ReviewReason::Strange | ReviewReason::KeyRefused | ReviewReason::Stopped
            ),
            _ => false,
        };
        if stands { self.deposit_sum(DepositAccount::Order) } else { None }
    }

    /// Returns what an operator may send back of it, and has not decided on: what stands in `dep`,
    /// waits in suspense, or was to be paid for when a ceiling came to stand against that.
    #[must_use]
    pub fn may_go_back(&self) -> Option<Coins> {
        let held = self.in_suspense().or(self.in_deposit());
        match self.stage {
            Stage::Review(reason) if reason.is_ceiling() => {
                held.or(self.deposit_sum(DepositAccount::Order))
            }
            _ => held,
        }
    }

    /// Tells whether what waits in suspense for it is of the right kind and only came too late.
    #[must_use]
    pub fn is_only_late(&self) -> bool {
        let last = self.order.expires_at.after(self.order.revival);
        self.suspends_only(|deposit| last < deposit.seen_at)
    }

    /// Tells whether what waits in suspense for it is its own token, seen in time: its confirmation
    /// contradicted the sighting.
    pub(super) fn is_contradicted(&self) -> bool {
        self.suspends_only(|deposit| deposit.seen_at <= self.order.expires_at)
    }

    /// Tells whether all that waits in suspense for it is of the right kind and `so`.
    fn suspends_only(&self, so: impl Fn(&Deposit) -> bool) -> bool {
        let mut waiting =
            self.deposits.iter().filter(|held| held.booked_in == DepositAccount::Suspense);
        waiting.all(|HeldDeposit { deposit, .. }| {
            deposit.coins.same_kind(self.order.coins) && so(deposit)
        })
    }

    /// Returns what stands in suspense for it.
    #[must_use]
    pub fn in_suspense(&self) -> Option<Coins> {
        let strange = self.stage == Stage::Review(ReviewReason::Strange);
        if strange { self.deposit_sum(DepositAccount::Suspense) } else { None }
    }

    /// Returns what stands in flight for it, in centavos.
    #[must_use]
    pub fn in_flight(&self) -> Balance {
        let Some(sale) = self.sale.filter(|_| self.order.is_sellers()) else {
            return Balance::ZERO;
        };
        match self.stage {
            Stage::Review(ReviewReason::KeyRefused) => sale.deal.gross().as_cents().into(),
            _ if self.is_paying() => sale.deal.gross().as_cents().into(),
            // The fees and the reserve are earned when the refund is sent (W54).
            Stage::Refunding if self.earns_by_refund() => {
                sale.deal.deductions().map_or(Balance::ZERO, Balance::from)
            }
            _ => Balance::ZERO,
        }
    }

    /// Returns what is to be refunded and was not sent.
    #[must_use]
    pub fn to_refund(&self) -> Option<Coins> {
        self.refund
            .as_ref()
            .filter(|refund| refund.sent_hash().is_none())
            .map(|refund| refund.coins)
    }

    /// Tells whether fees and reserve wait for the refund to be sent: the key was refused after the
    /// sale.
    pub(super) fn earns_by_refund(&self) -> bool {
        let unsent = self.refund.as_ref().is_some_and(|refund| refund.sent_hash().is_none());
        self.given_back.is_some() && self.pix.is_none() && unsent
    }

    /// At which instant of its day it counts: of its acceptance, or of its quote before that.
    #[must_use]
    pub fn counts_at(&self) -> Instant {
        self.accepted.as_ref().map_or(self.order.created_at, |accepted| accepted.at)
    }

    /// Until when a deposit may revive it, once it was accepted; a wallet's order is not revived.
    #[must_use]
    pub fn may_revive_until(&self) -> Option<Instant> {
        let order = self.accepted.as_ref().map(|_| &self.order).filter(|order| order.is_sellers());
        order.map(|order| order.expires_at.after(order.revival))
    }

    /// Tells whether its payment began: the customer's crypto was exchanged for reais in flight.
    pub(super) const fn payment_began(&self) -> bool {
        self.attempts.count > 0
    }

    /// Tells whether its PIX is being paid, or waits to be: reais are in flight for it.
    pub(super) fn is_paying(&self) -> bool {
        match self.stage {
            Stage::Paying | Stage::Review(ReviewReason::Stopped) => true,
            Stage::Review(reason) => reason.is_ceiling() && self.payment_began(),
            _ => false,
        }
    }

    /// Tells whether every deposit is confirmed, and there is one.
    pub(super) fn all_confirmed(&self) -> bool {
        !self.deposits.is_empty() && self.deposits.iter().all(|held| held.confirmed.is_on())
    }

    /// Returns what waits for an address, an operator, evidence, or the network; none where nothing
    /// is due.
    #[must_use]
    pub fn refund_waits_for(&self) -> Option<Waits> {
        let refund = self.refund.as_ref()?;
        Some(match (&refund.status, &refund.to, refund.allowed) {
            (RefundStatus::Sent(_), _, _) => return None,
            (RefundStatus::Lost, _, _) => Waits::Evidence,
            (RefundStatus::Due, None, _) => Waits::Address,
            (RefundStatus::Due, Some(_), Switch::Off) => Waits::Operator,
            (RefundStatus::Due, Some(_), Switch::On) => Waits::Network,
        })
    }
}

/// What a refund waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// A return wallet.
    Address,
    /// An operator's permission.
    Operator,
    /// Evidence of what became of it.
    Evidence,
    /// The network, since it is being sent.
    Network,
}

impl HeldDeposit {
    /// Tells whether it is still to be confirmed, and `deposit` tells of more confirmations of just
    /// it than are known.
    #[must_use]
    pub fn is_short_of(&self, deposit: &Deposit) -> bool {
        let same = self.deposit.coins == deposit.coins;
        same && !self.confirmed.is_on() && self.confirmations < deposit.confirmations
    }
}

impl Coins {
    /// Both together; `None` where they are not of one kind, or too many.
    #[must_use]
    pub fn plus(self, more: Self) -> Option<Self> {
        let units = self.units.get().checked_add(more.units.get())?;
        let units = crate::coin::Units::new(units).filter(|_| self.same_kind(more))?;
        Some(Self { units, ..self })
    }
}
