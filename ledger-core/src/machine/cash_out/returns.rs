//! What goes back to the seller: decided, addressed, allowed, sent.

use super::ceiling::ReviewReason;
use super::event::{Event, RefundSource};
use super::terms::Sale;
use super::{Context, Liquidation, Progress, Refusal, Stage, Waits, one};
use crate::coin::Units;
use crate::machine::Verdict;
use crate::machine::refund::{Coins, Refund, RefundReport};
use crate::money::Amount;
use crate::terms::{Deal, Route, Switch};

/// The return wallet, from the client (COUT-58, P:RefundImmutable).
pub(super) fn address(progress: &Progress, address: Box<str>) -> Result<Vec<Event>, Refusal> {
    let known = progress.refund.as_ref().and_then(|refund| refund.to.as_deref());
    let known = known.or(progress.order.refund_address.as_deref());
    // A wallet the client names is on the order's network; on another, an operator names it.
    let due = progress.to_refund().is_none_or(|due| due.chain == progress.order.coins.chain);
    match (known, progress.refund_waits_for().filter(|_| due)) {
        (Some(known), _) if *known == *address => Ok(Vec::new()),
        (Some(_), _) => Err(Refusal::AddressFixed),
        (None, Some(Waits::Address)) => Ok(vec![Event::RefundAddressed(address)]),
        (None, _) => Err(Refusal::OutOfTurn),
    }
}

/// Everything that stands in `dep` goes back.
pub(super) fn of_deposit(progress: &Progress, coins: Coins, operator: Switch) -> Event {
    due(progress, coins, RefundSource::Deposit, None, operator)
}

fn due(
    progress: &Progress,
    coins: Coins,
    source: RefundSource,
    to: Option<Box<str>>,
    operator: Switch,
) -> Event {
    let to = to.or_else(|| progress.return_wallet(coins).map(Into::into));
    let allowed = if operator.is_on() { Switch::On } else { alone(progress, coins) };
    Event::RefundDecided { coins, source, to, allowed }
}

impl Progress {
    /// The wallet that the customer confirmed, where it is on the network of `coins` (COUT-51).
    fn return_wallet(&self, coins: Coins) -> Option<&str> {
        let same = coins.chain == self.order.coins.chain;
        self.order.refund_address.as_deref().filter(|_| same)
    }
}

/// Tells whether so much is refunded without an operator, with all that goes back of its unmatched
/// deposits (COUT-52).
fn alone(progress: &Progress, coins: Coins) -> Switch {
    let order = &progress.order;
    let sum = coins.units.get().saturating_add(progress.beside);
    let small = order.refund_alone.is_none_or(|most| sum <= most.get());
    if small && coins.same_kind(order.coins) { Switch::On } else { Switch::Off }
}

impl Progress {
    /// Returns how much more is refunded without an operator, as an unmatched deposit of its own;
    /// none where nothing is.
    #[must_use]
    pub fn refunds_alone(&self) -> Option<Units> {
        let Some(most) = self.order.refund_alone else { return Some(self.order.coins.units) };
        let own = self.refund.as_ref().map(|refund| refund.coins);
        let own = own.filter(|own| own.same_kind(self.order.coins));
        let own = own.map_or(0, |own| own.units.get());
        Units::new(most.get().saturating_sub(own).saturating_sub(self.beside))
    }
}

/// The provider returned the token: never more is refunded than came back (COUT-50).
pub(super) fn given_back(progress: &Progress, coins: Coins) -> Verdict<Vec<Event>> {
    let liquid = progress.order.route == Route::Liquid;
    // That it came back implies that it was handed over (rulings 8).
    let implied = progress.sale.filter(|_| liquid && progress.kept.is_none());
    let Some(handed) = progress.handed.or(implied.map(|sale| sale.coins)) else {
        return Verdict::SetAside;
    };
    if !handed.same_kind(coins) || handed.units < coins.units {
        return Verdict::SetAside;
    }
    let first = progress.handed.is_none().then_some(Event::HandedOver(handed));
    let short = handed.units.minus(Some(coins.units));
    let refund = due(progress, coins, RefundSource::Returned { short }, None, Switch::Off);
    let then = match (progress.stage, progress.sale) {
        (Stage::Review(ReviewReason::ReturnAwaited), _) => vec![refund],
        // And that it cannot be paid; but a part is no evidence of a PIX that may have been.
        (_, Some(sale))
            if progress.is_paying() && !(short.is_some() && progress.attempts.lost.is_on()) =>
        {
            vec![Event::PaymentUnwound(sale), refund]
        }
        // What the seller gets was decided without it: it is ours again.
        (Stage::Refunding, _) if first.is_none() => vec![Event::TokenRecovered(coins)],
        // The payment may begin again, and with the whole of it or nothing.
        (Stage::Review(ReviewReason::KeyRefused), _) if first.is_none() && short.is_none() => {
            vec![Event::TokenRecovered(coins)]
        }
        (_, _) => return Verdict::SetAside,
    };
    Verdict::Applied(first.into_iter().chain(then).collect())
}

/// The PIX came back after it was paid: what came back is bought anew at the frozen price (W55).
pub(super) fn reverse(progress: &Progress, back: Amount) -> Verdict<Vec<Event>> {
    // Once a refund is on its way, no more is added to it: it might be sent twice.
    let unsent = progress.refund.as_ref().is_none_or(Refund::may_grow);
    let sale = progress.sale.filter(|_| progress.order.is_sellers());
    let (Stage::Completed, Some(sale), true) = (progress.stage, sale, unsent) else {
        return Verdict::SetAside;
    };
    let sum = progress.reversed.plus(back.as_cents());
    let within = sum.is_some_and(|sum| sum <= sale.deal.net.as_cents());
    match bought_anew(progress, sale, back) {
        Some(coins) if within => {
            let known = progress.refund.as_ref().map_or(Some(coins), |r| r.coins.plus(coins));
            let Some(whole) = known else { return Verdict::SetAside };
            // The limit is one for the order, however many returns make up its refund.
            let allowed = progress.refund.as_ref().is_some_and(|refund| refund.allowed.is_on());
            let first = progress.refund.is_none();
            let allowed = if first || allowed { alone(progress, whole) } else { Switch::Off };
            let to = progress.return_wallet(coins).map(Into::into);
            one(Event::RefundDecided { coins, source: RefundSource::Reversal(back), to, allowed })
        }
        _ => Verdict::SetAside,
    }
}

/// Returns what so much of the PIX that came back buys, at the price at which it was sold.
pub(super) fn bought_anew(progress: &Progress, sale: Sale, back: Amount) -> Option<Coins> {
    let units = progress.quote().price.units(back, progress.scale())?;
    Some(Coins { units, ..sale.coins })
}

pub(super) fn decide_refund(
    progress: &Progress,
    to: Option<Box<str>>,
    operator: Switch,
    _: &Context,
) -> Verdict<Vec<Event>> {
    if progress.refund.is_some() {
        return amend_refund(progress, to, operator);
    }
    // Only an operator may name a wallet (P:NoRefundAddress).
    if to.is_some() && !operator.is_on() {
        return Verdict::SetAside;
    }
    let whole = progress.all_confirmed();
    let waits = matches!(progress.stage, Stage::Review(reason) if reason.is_ceiling());
    let unwound = progress.sale.filter(|_| waits && progress.payment_began());
    let source = match (progress.stage, operator.is_on()) {
        (Stage::Review(ReviewReason::Strange), true) => {
            progress.in_suspense().map(|coins| (coins, RefundSource::Suspense))
        }
        (
            Stage::Review(ReviewReason::Short | ReviewReason::TooMuch | ReviewReason::Unpriced),
            _,
        )
        | (Stage::Detected, true) => {
            progress.in_deposit().map(|coins| (coins, RefundSource::Deposit))
        }
        (Stage::Secured, true) if progress.liquidation == Liquidation::None => {
            progress.in_deposit().map(|coins| (coins, RefundSource::Deposit))
        }
        (Stage::Review(ReviewReason::KeyRefused), _) => of_refused_key(progress),
        // A payment that was tried is given up with it, unless nobody knows what became of it.
        (Stage::Review(reason), operator) if reason.is_ceiling() => {
            let known = !progress.attempts.lost.is_on() && progress.handed.is_none();
            let coins = match unwound {
                Some(sale) => Some(sale.coins).filter(|_| operator && known),
                None => progress.in_deposit(),
            };
            coins.map(|coins| (coins, RefundSource::Deposit))
        }
        (_, _) => None,
    };
    match source {
        Some((coins, source)) if whole && progress.order.is_sellers() => {
            // The wallet that the customer confirmed stands (P:RefundImmutable).
            let known = progress.return_wallet(coins);
            if known.zip(to.as_deref()).is_some_and(|(known, to)| known != to) {
                return Verdict::SetAside;
            }
            let unwound = unwound.map(Event::PaymentUnwound).into_iter();
            let refund = due(progress, coins, source, to, operator);
            Verdict::Applied(unwound.chain([refund]).collect())
        }
        _ => Verdict::SetAside,
    }
}

/// Returns the crypto that a PIX given back buys at the frozen price; the provider keeps what it
/// kept (W54).
fn of_refused_key(progress: &Progress) -> Option<(Coins, RefundSource)> {
    let (sale, back) = progress.sale.zip(progress.given_back)?;
    let kept = sale.deal.net.minus(back.as_cents())?;
    Some((bought_anew(progress, sale, back)?, RefundSource::Sale { back, kept }))
}

/// A refund that is due waits for a wallet or for an operator.
fn amend_refund(
    progress: &Progress,
    to: Option<Box<str>>,
    operator: Switch,
) -> Verdict<Vec<Event>> {
    let (Some(refund), true) = (&progress.refund, operator.is_on()) else {
        return Verdict::SetAside;
    };
    let mut events = Vec::new();
    match (&refund.to, to) {
        (None, Some(address)) => events.push(Event::RefundAddressed(address)),
        (Some(known), Some(address)) if *known != address => return Verdict::SetAside,
        (_, _) => {}
    }
    if !refund.allowed.is_on() {
        events.push(Event::RefundAllowed);
    }
    let due = refund.is_under_way_or_waits();
    match (due, events.is_empty()) {
        (true, false) => Verdict::Applied(events),
        (_, true) => Verdict::Known,
        (false, false) => Verdict::SetAside,
    }
}

/// Records what became of the refund.
pub(super) fn report_refund(progress: &Progress, report: RefundReport) -> Verdict<Vec<Event>> {
    let Some(refund) = &progress.refund else { return Verdict::SetAside };
    match (report, progress.refund_waits_for()) {
        (RefundReport::Sent(hash), None) if refund.sent_hash() == Some(&*hash) => Verdict::Known,
        (RefundReport::Sent(hash), Some(Waits::Network | Waits::Evidence)) => {
            one(Event::RefundSent { coins: refund.coins, hash, earned: refund_earnings(progress) })
        }
        (RefundReport::Failed, Some(Waits::Network | Waits::Evidence)) => one(Event::RefundFailed),
        (RefundReport::Lost, Some(Waits::Network)) => one(Event::RefundLost),
        (RefundReport::Lost, Some(Waits::Evidence)) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// Coins that are lost for good are nobody's to get: the refund that is due ends by so much of it.
/// Those paid for or sent back already are our loss; those that may still be are not lost before.
pub(super) fn lose_coins(progress: &Progress, coins: Coins) -> Verdict<Vec<Event>> {
    match progress.stage {
        Stage::Quoted | Stage::Awaiting | Stage::Expired | Stage::Failed | Stage::Completed => {
            Verdict::Known
        }
        Stage::Refunding => match progress.to_refund() {
            None => Verdict::Known,
            Some(due) if due.same_kind(coins) => {
                let coins = Coins { units: due.units.min(coins.units), ..coins };
                let earned = forgone_earnings(progress, coins);
                one(Event::RefundForgone { coins, earned })
            }
            Some(_) => Verdict::SetAside,
        },
        Stage::Detected | Stage::Secured | Stage::Paying | Stage::Review(_) => Verdict::SetAside,
    }
}

/// Returns what is earned where so much of a refund is forgone: all that its end earns.
pub(super) fn forgone_earnings(
    progress: &Progress,
    coins: Coins,
) -> Option<(crate::id::AccountId, Deal)> {
    let whole = progress.to_refund() == Some(coins);
    refund_earnings(progress).filter(|_| whole)
}

/// Returns what the refund earns, where the sale had been made.
pub(super) fn refund_earnings(progress: &Progress) -> Option<(crate::id::AccountId, Deal)> {
    let sale = progress.sale.filter(|_| progress.earns_by_refund())?;
    Some((progress.order.account, sale.deal))
}
