//! Judging what is asked of a cash-out order, what is reported of it, and what an operator decides.

use super::ceiling::ReviewReason;
use super::deposits::{Strictness, advance, confirm, see, vanish};
use super::event::Event;
use super::liquidation::sell;
use super::terms::{CorrectedKey, DepositTo};
use super::{Command, Context, Progress, Refusal, Request, Stage, State, one, payment, returns};
use crate::machine::Verdict;

/// Judges what a client asks of an order that was quoted; no event where it was done before.
///
/// # Errors
///
/// The [`Refusal`], when the order as it stands does not admit what is asked.
pub fn request(state: &State, asked: Request, now: &Context) -> Result<Vec<Event>, Refusal> {
    let State::Known(progress) = state else { return Err(Refusal::OutOfTurn) };
    match asked {
        Request::Accept(supplied) => accept(progress, supplied, now),
        Request::Address(address) => returns::address(progress, address),
    }
}

/// Judges what the world reports, an operator decides, or time brings.
#[must_use]
pub fn decide(state: &State, command: Command, now: &Context) -> Verdict<Vec<Event>> {
    let State::Known(progress) = state else { return Verdict::SetAside };
    match command {
        Command::Expire => match progress.stage {
            Stage::Quoted | Stage::Awaiting => one(Event::Expired),
            _ => Verdict::SetAside,
        },
        Command::Cancel => match progress.stage {
            Stage::Quoted | Stage::Awaiting => one(Event::Failed),
            // A wallet's crypto is the payment's: its order holds none (P:FailedGuard).
            Stage::Review(reason)
                if !progress.order.is_sellers()
                    && (reason.is_ceiling()
                        || matches!(
                            reason,
                            ReviewReason::Short | ReviewReason::TooMuch | ReviewReason::Unpriced
                        )) =>
            {
                one(Event::Failed)
            }
            Stage::Failed => Verdict::Known,
            _ => Verdict::SetAside,
        },
        Command::See(deposit) => see(progress, deposit, now),
        Command::Confirm(hash) => confirm(progress, &hash, now),
        Command::Vanish(hash) => vanish(progress, &hash, now),
        Command::Delay => match progress.stage {
            _ if progress.delayed.is_on() => Verdict::Known,
            Stage::Detected | Stage::Secured | Stage::Paying => one(Event::Delayed),
            _ => Verdict::SetAside,
        },
        Command::Resume if progress.delayed.is_on() => {
            let mut events = vec![Event::Resumed];
            if progress.stage == Stage::Detected && progress.all_confirmed() {
                events.extend(advance(progress, now, Strictness::Ranges));
            }
            Verdict::Applied(events)
        }
        Command::Resume => Verdict::Known,
        Command::StartSale
        | Command::Fill(_)
        | Command::FailSale
        | Command::LoseSale
        | Command::Forward
        | Command::Arrive(_) => sell(progress, &command, now),
        Command::StartPayment => payment::start(progress, now),
        Command::Pay(pix) => payment::pay(progress, pix),
        Command::FailSend => payment::fail(progress, now.at),
        Command::GiveUpPayment => payment::abandon(progress),
        Command::RefuseKey(back) => payment::refuse_key(progress, back),
        Command::LosePayment => payment::lose(progress),
        Command::Stop => payment::stop(progress),
        Command::HandOver => payment::handed_over(progress),
        Command::Retry => payment::retry(progress, now),
        Command::GiveBack(coins) => returns::given_back(progress, coins),
        Command::Reverse(back) => returns::reverse(progress, back),
        Command::DecideRefund { to, operator } => {
            returns::decide_refund(progress, to, operator, now)
        }
        Command::Refund(report) => returns::report_refund(progress, report),
        Command::LoseCoins(coins) => returns::lose_coins(progress, coins),
        Command::Clear(key) => clear(progress, key, now),
    }
}

fn accept(
    progress: &Progress,
    supplied: Option<DepositTo>,
    now: &Context,
) -> Result<Vec<Event>, Refusal> {
    match progress.stage {
        // Accepting again answers with the same order, whatever became of it (P:AcceptIdempotent).
        _ if progress.accepted.is_some() => Ok(Vec::new()),
        Stage::Quoted if now.at < progress.order.expires_at => {
            let (net, bound) = (progress.order.deal.net, &now.ceilings.bound);
            if let Some(bound) = bound {
                bound.admits(net, progress.payee.counterparty()).map_err(Refusal::Mandate)?;
            }
            if now.ceilings.room < net.as_cents() {
                return Err(Refusal::RecipientCeiling { room: now.ceilings.room });
            }
            let DepositTo { address, tag } = supplied.ok_or(Refusal::NoAddress)?;
            Ok(vec![Event::Accepted { address, tag }])
        }
        Stage::Quoted | Stage::Expired => Err(Refusal::QuoteExpired),
        _ => Err(Refusal::OutOfTurn),
    }
}

/// An operator lets the order go on with what it holds.
fn clear(progress: &Progress, key: Option<CorrectedKey>, now: &Context) -> Verdict<Vec<Event>> {
    let Stage::Review(reason) = progress.stage else { return Verdict::SetAside };
    match reason {
        ReviewReason::KeyRefused => payment::resume(progress, key, now),
        _ if reason.is_ceiling() && progress.sale.is_some() => payment::let_go(progress, now),
        ReviewReason::Strange
        | ReviewReason::Short
        | ReviewReason::TooMuch
        | ReviewReason::Unpriced
        | ReviewReason::RecipientDay
        | ReviewReason::RecipientOrder
        | ReviewReason::MandateOperation
        | ReviewReason::MandateDay
        | ReviewReason::MandateRecipient => {
            if !progress.all_confirmed() {
                return Verdict::SetAside;
            }
            let coins = progress.in_suspense();
            // What was in time keeps its price, whatever was reported of it (rulings 75).
            let new_price = match reason {
                ReviewReason::Strange => !progress.is_contradicted(),
                _ => reason == ReviewReason::Unpriced,
            };
            if new_price && now.quote.is_none() {
                return Verdict::SetAside;
            }
            let repriced = now.quote.clone().filter(|_| new_price);
            let quote = repriced.clone().or(progress.repriced.clone());
            let scale = now.scale.filter(|scale| new_price && *scale != progress.order.scale);
            let cleared = Progress { repriced: quote, counted_in: scale, ..progress.clone() };
            let next = advance(&cleared, now, Strictness::AnyNet);
            // What cannot be paid after all stays where it is.
            if matches!(next[..], [Event::ReviewOpened(_)]) {
                return Verdict::SetAside;
            }
            let mut events = vec![Event::Cleared { coins, repriced, scale }];
            events.extend(next);
            Verdict::Applied(events)
        }
        ReviewReason::Stopped | ReviewReason::SaleLost | ReviewReason::ReturnAwaited => {
            Verdict::SetAside
        }
    }
}
