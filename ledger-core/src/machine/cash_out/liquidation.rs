//! The liquidation of a cash-out order: sold, forwarded, arrived, or lost.

use super::ceiling::ReviewReason;
use super::event::Event;
use super::terms::Proceeds;
use super::{Command, Context, Liquidation, Progress, Stage, one, payment, returns};
use crate::machine::Verdict;
use crate::machine::refund::Coins;
use crate::terms::{Route, Switch};

/// The liquidation, which moves whatever the order does.
pub(super) fn sell(progress: &Progress, command: &Command, now: &Context) -> Verdict<Vec<Event>> {
    let lost = progress.stage == Stage::Review(ReviewReason::SaleLost);
    let sold_first = matches!(progress.order.route, Route::Dex | Route::Convert);
    let forwards = if progress.order.route == Route::Convert { Switch::On } else { Switch::Off };
    match (command, progress.liquidation, progress.sale) {
        (Command::StartSale, Liquidation::None, Some(sale)) if sold_first && unsold(progress) => {
            one(Event::SellingBegun(sale.coins))
        }
        (
            Command::StartSale,
            Liquidation::Selling(_)
            | Liquidation::Lost(_)
            | Liquidation::Sold(_)
            | Liquidation::Forwarding(_)
            | Liquidation::Done,
            _,
        )
        | (Command::LoseSale, Liquidation::Lost(_), _) => Verdict::Known,
        // What is swapped on its network is never forwarded (A9).
        (Command::Forward, Liquidation::Forwarding(_), _)
        | (Command::Forward | Command::Arrive(_), Liquidation::Done, _)
            if forwards.is_on() =>
        {
            Verdict::Known
        }
        (Command::Fill(reported), Liquidation::Sold(known) | Liquidation::Forwarding(known), _)
            if *reported == known =>
        {
            Verdict::Known
        }
        (Command::Fill(proceeds), Liquidation::None, Some(sale))
            if sold_first && may_have_been_sold(progress) =>
        {
            // That it was sold implies that selling began (rulings 8), also where it failed before.
            let coins = sale.coins;
            fill_sale(vec![Event::SellingBegun(coins)], coins, *proceeds, forwards)
        }
        (Command::Fill(proceeds), Liquidation::Selling(coins) | Liquidation::Lost(coins), _) => {
            fill_sale(Vec::new(), coins, *proceeds, forwards)
        }
        (Command::FailSale, Liquidation::Selling(coins) | Liquidation::Lost(coins), Some(sale)) => {
            let mut events = vec![Event::SaleFailed(coins)];
            if lost || progress.stage == Stage::Secured {
                events.push(if progress.order.is_sellers() {
                    returns::of_deposit(progress, sale.coins, Switch::Off)
                } else {
                    Event::Failed
                });
            }
            Verdict::Applied(events)
        }
        (Command::LoseSale, Liquidation::Selling(_), _) if progress.stage == Stage::Secured => {
            one(Event::ReviewOpened(ReviewReason::SaleLost))
        }
        (Command::Forward, Liquidation::Sold(_), _) => one(Event::Forwarding),
        (
            Command::Arrive(arrived),
            Liquidation::Sold(proceeds) | Liquidation::Forwarding(proceeds),
            _,
        ) => {
            let mut events = vec![Event::Forwarded { proceeds, arrived: *arrived }];
            let secured = progress.stage == Stage::Secured;
            events.extend(payment::begins(progress, &now.ceilings).filter(|_| secured));
            Verdict::Applied(events)
        }
        (_, _, _) => Verdict::SetAside,
    }
}

/// What was deposited may still be sold: it is neither paid for nor to be refunded.
fn unsold(progress: &Progress) -> bool {
    matches!(progress.stage, Stage::Secured | Stage::Paying | Stage::Completed)
        && progress.refund.is_none()
}

/// So much of the own stock may have been sold, whatever became of the order since (rulings 31).
const fn may_have_been_sold(progress: &Progress) -> bool {
    matches!(progress.stage, Stage::Secured | Stage::Paying | Stage::Completed | Stage::Refunding)
}

fn fill_sale(
    mut events: Vec<Event>,
    coins: Coins,
    proceeds: Proceeds,
    forwards: Switch,
) -> Verdict<Vec<Event>> {
    // On a network there are no reais to be had.
    if matches!(proceeds, Proceeds::Reais(_)) && !forwards.is_on() {
        return Verdict::SetAside;
    }
    events.push(Event::SaleFilled { coins, proceeds, forwards });
    Verdict::Applied(events)
}
