//! The PIX of a cash-out order: begun, tried again, paid, refused, impossible.

use super::ceiling::{Ceilings, ReviewReason};
use super::event::Event;
use super::terms::{CorrectedKey, Pix};
use super::{Context, Liquidation, Progress, Stage, one, returns};
use crate::machine::Verdict;
use crate::money::Amount;
use crate::terms::{Route, Switch};
use crate::time::{Instant, Span};

/// The payment began.
pub(super) fn start(progress: &Progress, now: &Context) -> Verdict<Vec<Event>> {
    match (progress.stage, begins(progress, &now.ceilings)) {
        (Stage::Secured, Some(event)) if is_sold(progress) => one(event),
        (Stage::Paying | Stage::Completed, _) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// The PIX cannot be paid, and no further try would change that.
pub(super) fn abandon(progress: &Progress) -> Verdict<Vec<Event>> {
    match progress.stage {
        _ if progress.is_paying() => Verdict::Applied(given_up(progress)),
        // What is not being sold goes back as it came.
        Stage::Secured if progress.liquidation == Liquidation::None => {
            let coins = progress.in_deposit().expect("what is secured was deposited");
            one(returns::of_deposit(progress, coins, Switch::Off))
        }
        // A wallet's crypto is the payment's: its order holds none.
        Stage::Review(reason) if reason.is_ceiling() && !progress.order.is_sellers() => {
            one(Event::Failed)
        }
        Stage::Review(ReviewReason::ReturnAwaited) => Verdict::Known,
        Stage::Refunding if was_given_up(progress) => Verdict::Known,
        _ => Verdict::SetAside,
    }
}

/// Nobody knows whether the PIX was paid.
pub(super) fn lose(progress: &Progress) -> Verdict<Vec<Event>> {
    match progress.stage {
        Stage::Review(ReviewReason::Stopped) => Verdict::SetAside,
        _ if progress.is_paying() && progress.attempts.lost.is_on() => Verdict::Known,
        _ if progress.is_paying() => one(Event::PaymentLost),
        Stage::Completed => Verdict::Known,
        _ => Verdict::SetAside,
    }
}

/// An operator takes a payment whose outcome is unknown.
pub(super) fn stop(progress: &Progress) -> Verdict<Vec<Event>> {
    match progress.stage {
        Stage::Paying if progress.attempts.lost.is_on() => {
            one(Event::ReviewOpened(ReviewReason::Stopped))
        }
        Stage::Review(ReviewReason::Stopped) => Verdict::Known,
        _ => Verdict::SetAside,
    }
}

/// The token was handed to the provider.
pub(super) fn handed_over(progress: &Progress) -> Verdict<Vec<Event>> {
    match (progress.sale, progress.handed.or(progress.kept)) {
        (_, Some(_)) => Verdict::Known,
        (Some(sale), None) if progress.order.route == Route::Liquid => {
            let mut events = vec![Event::HandedOver(sale.coins)];
            // It was paid from what the token brought, whenever that is reported (rulings 8).
            events.extend(progress.pix.is_some().then_some(Event::TokenKept(sale)));
            Verdict::Applied(events)
        }
        (_, None) => Verdict::SetAside,
    }
}

/// Another try is due.
pub(super) fn retry(progress: &Progress, now: &Context) -> Verdict<Vec<Event>> {
    match (progress.stage, progress.attempts.retry_at, progress.sale) {
        (Stage::Paying, Some(_), Some(sale)) => {
            let reason = now.ceilings.against(&progress.payee, sale.deal.net);
            one(reason.map_or(Event::RetryDue, Event::ReviewOpened))
        }
        (_, _, _) => Verdict::SetAside,
    }
}

/// Tells whether its refund is due because nothing could be paid.
fn was_given_up(progress: &Progress) -> bool {
    progress.sale.is_some() && progress.pix.is_none() && progress.given_back.is_none()
}

/// Tells whether the proceeds are there, or at least at the exchange.
pub(super) const fn is_sold(progress: &Progress) -> bool {
    matches!(
        progress.liquidation,
        Liquidation::Sold(_) | Liquidation::Forwarding(_) | Liquidation::Done
    )
}

/// The payment of an order whose crypto is sold first, or why it waits.
pub(super) fn begins(progress: &Progress, ceilings: &Ceilings) -> Option<Event> {
    let sale = progress.sale?;
    let begun = Event::PaymentBegun { sale, booked_in: progress.booked_in(), counted: None };
    let reason = ceilings.against(&progress.payee, sale.deal.net);
    Some(reason.map_or(begun, Event::ReviewOpened))
}

/// An operator lets go what a ceiling stood against after it was sold or tried, if none does now;
/// not while nobody knows what became of a try (rulings 44).
pub(super) fn let_go(progress: &Progress, now: &Context) -> Verdict<Vec<Event>> {
    let began = progress.payment_began();
    let next = match (begins(progress, &now.ceilings), progress.attempts.retry_at) {
        (None | Some(Event::ReviewOpened(_)), _) => return Verdict::SetAside,
        (Some(payment), _) if !began => payment,
        (Some(_), Some(_)) => Event::RetryDue,
        (Some(_), None) => return Verdict::SetAside,
    };
    let scale = progress.counted_in;
    Verdict::Applied(vec![Event::Cleared { coins: None, repriced: None, scale }, next])
}

/// That it was paid implies that the payment began (rulings 8).
pub(super) fn pay(progress: &Progress, pix: Pix) -> Verdict<Vec<Event>> {
    let begun = match progress.stage {
        Stage::Secured => begins(progress, &Ceilings::none()),
        _ => None,
    };
    let sale = progress.sale;
    match progress.stage {
        _ if progress.pix.as_ref().is_some_and(|known| known.e2e == pix.e2e) => Verdict::Known,
        _ if progress.is_paying() || progress.stage == Stage::Secured => {
            let sale = sale.expect("what is being paid was priced");
            let completed = Event::Completed {
                account: progress.order.account,
                sale,
                booked_in: progress.booked_in(),
                handed: progress.handed,
                pix,
            };
            Verdict::Applied(begun.into_iter().chain([completed]).collect())
        }
        _ => Verdict::SetAside,
    }
}

/// A send failed before leaving: again at the next step of the schedule, or never (COUT-40).
pub(super) fn fail(progress: &Progress, at: Instant) -> Verdict<Vec<Event>> {
    if !progress.is_paying() {
        return Verdict::SetAside;
    }
    if progress.attempts.retry_at.is_some() {
        // The try that failed is known, and the next one was not asked for yet.
        return Verdict::Known;
    }
    let first = progress.attempts.first.unwrap_or(at);
    let (every, whole) = progress.order.retries;
    if whole <= at.since(first) {
        return Verdict::Applied(given_up(progress));
    }
    let retry_at = next_step(first, every, at);
    one(Event::SendFailed { first, retry_at })
}

/// The first of the steps after `first` that lies ahead of `at` (P:RetrySchedule).
fn next_step(first: Instant, every: Span, at: Instant) -> Instant {
    let mut step = first.after(every);
    while step <= at {
        step = step.after(every);
    }
    step
}

/// No more tries: everything goes back, fee and reserve among it.
fn given_up(progress: &Progress) -> Vec<Event> {
    let sale = progress.sale.expect("what was being paid was priced");
    if !progress.order.is_sellers() {
        return vec![Event::Failed];
    }
    let mut events = vec![Event::PaymentUnwound(sale)];
    if progress.handed.is_none() {
        events.push(returns::of_deposit(progress, sale.coins, Switch::Off));
    }
    events
}

/// The provider refused the key after it had the money (COUT-39).
pub(super) fn refuse_key(progress: &Progress, back: Amount) -> Verdict<Vec<Event>> {
    let within = progress.sale.is_some_and(|sale| back <= sale.deal.net);
    match progress.is_paying() {
        true if !within => Verdict::SetAside,
        true if !progress.order.is_sellers() => one(Event::Failed),
        // A token at the provider comes back as a token.
        true if progress.handed.is_some() => Verdict::Applied(given_up(progress)),
        true => one(Event::KeyRefused(back)),
        false if progress.given_back == Some(back) => Verdict::Known,
        false => Verdict::SetAside,
    }
}

/// An operator corrected the key: what the provider kept is lost, and the net is paid in full,
/// unless a ceiling stands against it now (rulings 44).
pub(super) fn resume(
    progress: &Progress,
    key: Option<CorrectedKey>,
    now: &Context,
) -> Verdict<Vec<Event>> {
    let payee = key.map_or(progress.payee, |key| progress.payee.with_corrected_key(key));
    let against = |sale: super::Sale| now.ceilings.against(&payee, sale.deal.net).is_some();
    if progress.sale.is_some_and(against) {
        return Verdict::SetAside;
    }
    let kept = progress.sale.zip(progress.given_back);
    let kept = kept.and_then(|(sale, back)| sale.deal.net.minus(back.as_cents()));
    match kept {
        Some(kept) if !progress.order.pays_code() || key.is_none() => one(Event::PaymentResumed {
            kept,
            pix_key: key.map(|key| key.token),
            key_type: key.and_then(|key| key.kind),
            counted_as: key.map(|key| key.counted_as),
            owner: key.map(|key| key.owner),
        }),
        _ => Verdict::SetAside,
    }
}
