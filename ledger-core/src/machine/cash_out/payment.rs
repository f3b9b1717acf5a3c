//! The PIX of a cash-out order: begun, tried again, paid, refused, impossible.

use super::ceiling::Ceilings;
use super::command::{Circumstances, Command, one};
use super::event::{Event, Why};
use super::terms::{CorrectedKey, Pix};
use super::{Own, Stage, Standing, returns};
use crate::machine::Verdict;
use crate::money::Amount;
use crate::terms::{Route, Switch};
use crate::time::{Instant, Span};

/// Judges news of the payment.
pub(super) fn decide(
    standing: &Standing,
    command: Command,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
    match command {
        Command::StartPayment => match (standing.stage, begins(standing, &now.ceilings)) {
            (Stage::Secured, Some(event)) if is_sold(standing) => one(event),
            (Stage::Paying | Stage::Completed, _) => Verdict::Known,
            (_, _) => Verdict::SetAside,
        },
        Command::Pay(pix) => paid(standing, pix),
        Command::FailSend => failed(standing, now.at),
        Command::GiveUpPayment => match standing.stage {
            _ if standing.is_paying() => Verdict::Applied(given_up(standing)),
            // A wallet's crypto is the payment's: its order holds none.
            Stage::Review(why) if why.is_ceiling() && !standing.order.is_sellers() => {
                one(Event::Failed)
            }
            Stage::Review(Why::ReturnAwaited) => Verdict::Known,
            Stage::Refunding if was_given_up(standing) => Verdict::Known,
            _ => Verdict::SetAside,
        },
        Command::RefuseKey(back) => refused(standing, back),
        Command::LosePayment => match standing.stage {
            Stage::Review(Why::Stopped) => Verdict::SetAside,
            _ if standing.is_paying() && standing.tries.lost.is_on() => Verdict::Known,
            _ if standing.is_paying() => one(Event::PaymentLost),
            Stage::Completed => Verdict::Known,
            _ => Verdict::SetAside,
        },
        Command::Stop => match standing.stage {
            Stage::Paying if standing.tries.lost.is_on() => one(Event::ReviewOpened(Why::Stopped)),
            Stage::Review(Why::Stopped) => Verdict::Known,
            _ => Verdict::SetAside,
        },
        Command::HandOver => match (standing.sale, standing.handed.or(standing.kept)) {
            (_, Some(_)) => Verdict::Known,
            (Some(sale), None) if standing.order.route == Route::Liquid => {
                let mut events = vec![Event::HandedOver(sale.coins)];
                // It was paid from what the token brought, whenever that is told (rulings 8).
                events.extend(standing.pix.is_some().then_some(Event::TokenKept(sale)));
                Verdict::Applied(events)
            }
            (_, None) => Verdict::SetAside,
        },
        Command::Retry => match (standing.stage, standing.tries.retry_at, standing.sale) {
            (Stage::Paying, Some(_), Some(sale)) => {
                let why = now.ceilings.against(standing, sale.deal.net);
                one(why.map_or(Event::RetryDue, Event::ReviewOpened))
            }
            (_, _, _) => Verdict::SetAside,
        },
        _ => unreachable!("not news of a payment"),
    }
}

/// Whether its refund is due because nothing could be paid.
fn was_given_up(standing: &Standing) -> bool {
    standing.sale.is_some() && standing.pix.is_none() && standing.given_back.is_none()
}

/// Whether the proceeds are there, or at least at the exchange.
pub(super) const fn is_sold(standing: &Standing) -> bool {
    matches!(standing.own, Own::Sold(_) | Own::Forwarding(_) | Own::Done)
}

/// The payment of an order whose crypto is sold first, or why it waits.
pub(super) fn begins(standing: &Standing, ceilings: &Ceilings) -> Option<Event> {
    let sale = standing.sale?;
    let begun = Event::PaymentBegun { sale, place: standing.place(), counted: None };
    let why = ceilings.against(standing, sale.deal.net);
    Some(why.map_or(begun, Event::ReviewOpened))
}

/// An operator lets go what a ceiling stood against after it was sold or tried, if none does now;
/// not while nobody knows what became of a try (rulings 44).
pub(super) fn let_go(standing: &Standing, now: &Circumstances) -> Verdict<Vec<Event>> {
    let began = standing.payment_began();
    let next = match (begins(standing, &now.ceilings), standing.tries.retry_at) {
        (None | Some(Event::ReviewOpened(_)), _) => return Verdict::SetAside,
        (Some(payment), _) if !began => payment,
        (Some(_), Some(_)) => Event::RetryDue,
        (Some(_), None) => return Verdict::SetAside,
    };
    let scale = standing.counted_in;
    Verdict::Applied(vec![Event::Cleared { coins: None, repriced: None, scale }, next])
}

/// That it was paid implies that the payment began (rulings 8).
fn paid(standing: &Standing, pix: Pix) -> Verdict<Vec<Event>> {
    let begun = match standing.stage {
        Stage::Secured => begins(standing, &Ceilings::none()),
        _ => None,
    };
    let sale = standing.sale;
    match standing.stage {
        _ if standing.pix.as_ref().is_some_and(|known| known.e2e == pix.e2e) => Verdict::Known,
        _ if standing.is_paying() || standing.stage == Stage::Secured => {
            let sale = sale.expect("what is being paid was priced");
            let completed = Event::Completed {
                account: standing.order.account,
                sale,
                place: standing.place(),
                handed: standing.handed,
                pix,
            };
            Verdict::Applied(begun.into_iter().chain([completed]).collect())
        }
        _ => Verdict::SetAside,
    }
}

/// A send failed before leaving: again at the next step of the schedule, or never (COUT-40).
fn failed(standing: &Standing, at: Instant) -> Verdict<Vec<Event>> {
    if !standing.is_paying() {
        return Verdict::SetAside;
    }
    if standing.tries.retry_at.is_some() {
        // The try that failed is known, and the next one was not asked for yet.
        return Verdict::Known;
    }
    let first = standing.tries.first.unwrap_or(at);
    let (every, whole) = standing.order.retries;
    if whole <= at.since(first) {
        return Verdict::Applied(given_up(standing));
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
fn given_up(standing: &Standing) -> Vec<Event> {
    let sale = standing.sale.expect("what was being paid was priced");
    if !standing.order.is_sellers() {
        return vec![Event::Failed];
    }
    let mut events = vec![Event::PaymentUnwound(sale)];
    if standing.handed.is_none() {
        events.push(returns::of_deposit(standing, sale.coins, Switch::Off));
    }
    events
}

/// The provider refused the key after it had the money (COUT-39).
fn refused(standing: &Standing, back: Amount) -> Verdict<Vec<Event>> {
    let within = standing.sale.is_some_and(|sale| back <= sale.deal.net);
    match standing.is_paying() {
        true if !within => Verdict::SetAside,
        true if !standing.order.is_sellers() => one(Event::Failed),
        // A token at the provider comes back as a token.
        true if standing.handed.is_some() => Verdict::Applied(given_up(standing)),
        true => one(Event::KeyRefused(back)),
        false if standing.given_back == Some(back) => Verdict::Known,
        false => Verdict::SetAside,
    }
}

/// An operator corrected the key: what the provider kept is lost, and the net is paid in full,
/// unless a ceiling stands against it now (rulings 44).
pub(super) fn resume(
    standing: &Standing,
    key: Option<CorrectedKey>,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
    let against = |sale: super::Sale| now.ceilings.against(standing, sale.deal.net).is_some();
    if standing.sale.is_some_and(against) {
        return Verdict::SetAside;
    }
    let kept = standing.sale.zip(standing.given_back);
    let kept = kept.and_then(|(sale, back)| sale.deal.net.minus(back.share()));
    match kept {
        Some(kept) if !standing.order.pays_code() || key.is_none() => {
            let (pix_key, key_type) = (key.map(|key| key.token), key.and_then(|key| key.kind));
            one(Event::PaymentResumed { kept, pix_key, key_type })
        }
        _ => Verdict::SetAside,
    }
}
