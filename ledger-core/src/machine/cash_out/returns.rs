//! What goes back to the seller: decided, addressed, allowed, sent.

use super::command::{Circumstances, Command, Refusal, one};
use super::event::{Event, Source, Why};
use super::terms::Sale;
use super::{Own, Stage, Standing, Waits};
use crate::machine::Verdict;
use crate::machine::refund::{Coins, News, Refund};
use crate::money::Amount;
use crate::terms::{Deal, Route, Switch};

/// The return wallet, from the client (COUT-58, P:RefundImmutable).
pub(super) fn address(standing: &Standing, address: Box<str>) -> Result<Vec<Event>, Refusal> {
    let known = standing.refund.as_ref().and_then(|refund| refund.to.as_deref());
    let known = known.or(standing.order.refund_address.as_deref());
    // A wallet the client names is on the order's network; on another, an operator names it.
    let due = standing.to_refund().is_none_or(|due| due.chain == standing.order.coins.chain);
    match (known, standing.refund_waits_for().filter(|_| due)) {
        (Some(known), _) if *known == *address => Ok(Vec::new()),
        (Some(_), _) => Err(Refusal::AddressFixed),
        (None, Some(Waits::Address)) => Ok(vec![Event::RefundAddressed(address)]),
        (None, _) => Err(Refusal::OutOfTurn),
    }
}

/// Judges news and decisions about what goes back.
pub(super) fn decide(
    standing: &Standing,
    command: Command,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
    match command {
        Command::GiveBack(coins) => given_back(standing, coins),
        Command::Reverse(back) => reversed(standing, back),
        Command::DecideRefund { to, operator } => decided(standing, to, operator, now),
        Command::Refund(news) => told(standing, news),
        _ => unreachable!("not about what goes back"),
    }
}

/// Everything that stands in `dep` goes back.
pub(super) fn of_deposit(standing: &Standing, coins: Coins, operator: Switch) -> Event {
    due(standing, coins, Source::Deposit, None, operator)
}

fn due(
    standing: &Standing,
    coins: Coins,
    source: Source,
    to: Option<Box<str>>,
    operator: Switch,
) -> Event {
    let to = to.or_else(|| standing.return_wallet(coins).map(Into::into));
    let allowed = if operator.is_on() { Switch::On } else { alone(standing, coins) };
    Event::RefundDecided { coins, source, to, allowed }
}

impl Standing {
    /// The wallet that the customer confirmed, where it is on the network of `coins` (COUT-51).
    fn return_wallet(&self, coins: Coins) -> Option<&str> {
        let same = coins.chain == self.order.coins.chain;
        self.order.refund_address.as_deref().filter(|_| same)
    }
}

/// Whether so much is refunded without an operator (COUT-52).
fn alone(standing: &Standing, coins: Coins) -> Switch {
    let order = &standing.order;
    let small = order.refund_alone.is_none_or(|most| coins.units <= most);
    if small && coins.same_kind(order.coins) { Switch::On } else { Switch::Off }
}

/// The provider returned the token: never more is refunded than came back (COUT-50).
fn given_back(standing: &Standing, coins: Coins) -> Verdict<Vec<Event>> {
    let liquid = standing.order.route == Route::Liquid;
    // That it came back implies that it was handed over (rulings 8).
    let implied = standing.sale.filter(|_| liquid && standing.kept.is_none());
    let Some(handed) = standing.handed.or(implied.map(|sale| sale.coins)) else {
        return Verdict::SetAside;
    };
    if !handed.same_kind(coins) || handed.units < coins.units {
        return Verdict::SetAside;
    }
    let first = standing.handed.is_none().then_some(Event::HandedOver(handed));
    let short = handed.units.minus(Some(coins.units));
    let refund = due(standing, coins, Source::Returned { short }, None, Switch::Off);
    let then = match (standing.stage, standing.sale) {
        (Stage::Review(Why::ReturnAwaited), _) => vec![refund],
        // And that it cannot be paid.
        (_, Some(sale)) if standing.is_paying() => vec![Event::PaymentUnwound(sale), refund],
        // What the seller gets was decided without it: it is ours again.
        (Stage::Refunding, _) if first.is_none() => vec![Event::TokenRecovered(coins)],
        // The payment may begin again, and with the whole of it or nothing.
        (Stage::Review(Why::KeyRefused), _) if first.is_none() && short.is_none() => {
            vec![Event::TokenRecovered(coins)]
        }
        (_, _) => return Verdict::SetAside,
    };
    Verdict::Applied(first.into_iter().chain(then).collect())
}

/// The PIX came back after it was paid: what came back is bought anew at the frozen price (W55).
fn reversed(standing: &Standing, back: Amount) -> Verdict<Vec<Event>> {
    // Once a refund is on its way, no more is added to it: it might be sent twice.
    let unsent = standing.refund.as_ref().is_none_or(Refund::may_grow);
    let sale = standing.sale.filter(|_| standing.order.is_sellers());
    let (Stage::Completed, Some(sale), true) = (standing.stage, sale, unsent) else {
        return Verdict::SetAside;
    };
    let sum = standing.reversed.plus(back.share());
    let within = sum.is_some_and(|sum| sum <= sale.deal.net.share());
    match bought_anew(standing, sale, back) {
        Some(coins) if within => {
            let known = standing.refund.as_ref().map_or(Some(coins), |r| r.coins.plus(coins));
            let Some(whole) = known else { return Verdict::SetAside };
            // The limit is one for the order, however many returns make up its refund.
            let allowed = standing.refund.as_ref().is_some_and(|refund| refund.allowed.is_on());
            let first = standing.refund.is_none();
            let allowed = if first || allowed { alone(standing, whole) } else { Switch::Off };
            let to = standing.return_wallet(coins).map(Into::into);
            one(Event::RefundDecided { coins, source: Source::Reversal(back), to, allowed })
        }
        _ => Verdict::SetAside,
    }
}

/// What so much of the PIX that came back buys, at the price at which it was sold.
pub(super) fn bought_anew(standing: &Standing, sale: Sale, back: Amount) -> Option<Coins> {
    let units = standing.quote().price.units(back, standing.scale())?;
    Some(Coins { units, ..sale.coins })
}

fn decided(
    standing: &Standing,
    to: Option<Box<str>>,
    operator: Switch,
    _: &Circumstances,
) -> Verdict<Vec<Event>> {
    if standing.refund.is_some() {
        return amended(standing, to, operator);
    }
    // Only an operator may name a wallet (P:NoRefundAddress).
    if to.is_some() && !operator.is_on() {
        return Verdict::SetAside;
    }
    let whole = standing.all_confirmed();
    let waits = matches!(standing.stage, Stage::Review(why) if why.is_ceiling());
    let unwound = standing.sale.filter(|_| waits && standing.payment_began());
    let source = match (standing.stage, operator.is_on()) {
        (Stage::Review(Why::Strange), true) => {
            standing.in_suspense().map(|coins| (coins, Source::Suspense))
        }
        (Stage::Review(Why::Short | Why::TooMuch | Why::Unpriced), _) | (Stage::Detected, true) => {
            standing.in_deposit().map(|coins| (coins, Source::Deposit))
        }
        (Stage::Secured, true) if standing.own == Own::None => {
            standing.in_deposit().map(|coins| (coins, Source::Deposit))
        }
        (Stage::Review(Why::KeyRefused), _) => of_refused_key(standing),
        // A payment that was tried is given up with it, unless nobody knows what became of it.
        (Stage::Review(why), operator) if why.is_ceiling() => {
            let known = !standing.tries.lost.is_on() && standing.handed.is_none();
            let coins = match unwound {
                Some(sale) => Some(sale.coins).filter(|_| operator && known),
                None => standing.in_deposit(),
            };
            coins.map(|coins| (coins, Source::Deposit))
        }
        (_, _) => None,
    };
    match source {
        Some((coins, source)) if whole && standing.order.is_sellers() => {
            // The wallet that the customer confirmed stands (P:RefundImmutable).
            let known = standing.return_wallet(coins);
            if known.zip(to.as_deref()).is_some_and(|(known, to)| known != to) {
                return Verdict::SetAside;
            }
            let unwound = unwound.map(Event::PaymentUnwound).into_iter();
            let refund = due(standing, coins, source, to, operator);
            Verdict::Applied(unwound.chain([refund]).collect())
        }
        _ => Verdict::SetAside,
    }
}

/// What the provider gave back buys crypto at the frozen price; what it kept, it keeps (W54).
fn of_refused_key(standing: &Standing) -> Option<(Coins, Source)> {
    let (sale, back) = standing.sale.zip(standing.given_back)?;
    let kept = sale.deal.net.minus(back.share())?;
    Some((bought_anew(standing, sale, back)?, Source::Sale { back, kept }))
}

/// A refund that is due waits for a wallet or for an operator.
fn amended(standing: &Standing, to: Option<Box<str>>, operator: Switch) -> Verdict<Vec<Event>> {
    let (Some(refund), true) = (&standing.refund, operator.is_on()) else {
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

/// What became of the refund.
fn told(standing: &Standing, news: News) -> Verdict<Vec<Event>> {
    let Some(refund) = &standing.refund else { return Verdict::SetAside };
    match (news, standing.refund_waits_for()) {
        (News::Sent(hash), None) if refund.sent() == Some(&*hash) => Verdict::Known,
        (News::Sent(hash), Some(Waits::Network | Waits::Evidence)) => {
            one(Event::RefundSent { coins: refund.coins, hash, earned: earned(standing) })
        }
        (News::Failed, Some(Waits::Network | Waits::Evidence)) => one(Event::RefundFailed),
        (News::Lost, Some(Waits::Network)) => one(Event::RefundLost),
        (News::Lost, Some(Waits::Evidence)) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// What the refund earns, where the sale had been made.
pub(super) fn earned(standing: &Standing) -> Option<(crate::id::AccountId, Deal)> {
    let sale = standing.sale.filter(|_| standing.earns_by_refund())?;
    Some((standing.order.account, sale.deal))
}
