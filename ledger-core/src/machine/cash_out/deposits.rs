//! The deposits of a cash-out order: seen, confirmed, vanished, and what they pay once they are
//! confirmed whole.

use super::command::{Context, one};
use super::event::{DepositAccount, Event, ReviewReason};
use super::terms::{Deposit, Sale};
use super::{HeldDeposit, Progress, Stage};
use crate::machine::Verdict;
use crate::machine::refund::Coins;
use crate::money::{Amount, Cents};
use crate::terms::{Quote, Route};

/// A deposit: for the order, for suspense, or for an unmatched deposit of its own (set aside).
pub(super) fn see(progress: &Progress, deposit: Deposit, now: &Context) -> Verdict<Vec<Event>> {
    let order = &progress.order;
    if progress.accepted.is_none() {
        return Verdict::SetAside;
    }
    if let Some(held) = progress.deposits.iter().find(|held| held.deposit.hash == deposit.hash) {
        return confirms_further(held, &deposit);
    }
    let waits = matches!(progress.stage, Stage::Awaiting | Stage::Expired);
    let adds = progress.stage == Stage::Detected
        && progress.deposits.iter().all(|held| held.deposit.coins.same_kind(deposit.coins))
        && progress
            .deposited(DepositAccount::Order)
            .is_some_and(|sum| sum.plus(deposit.coins).is_some());
    let right = order.coins.same_kind(deposit.coins);
    let in_time = deposit.seen_at <= order.expires_at;
    let revives = deposit.seen_at <= order.expires_at.after(order.revival);
    let booked_in = if order.is_sellers() { DepositAccount::Order } else { DepositAccount::Wallet };
    match (right, in_time) {
        (true, true) if waits || adds => {
            // A report of a deposit in time may come after the deadline: the terms are the order's
            // own.
            let late_news = progress.stage == Stage::Expired;
            match order.deal.net {
                net if late_news => {
                    revived(progress, booked(deposit, booked_in, (None, Some(net))), net, now)
                }
                _ => one(booked(deposit, booked_in, (None, None))),
            }
        }
        (true, false) if adds => one(booked(deposit, booked_in, (None, None))),
        (true, false) if waits && revives => revive(progress, deposit, booked_in, now),
        (_, _) if waits && order.is_sellers() => Verdict::Applied(vec![
            booked(deposit, DepositAccount::Suspense, (None, None)),
            Event::ReviewOpened(ReviewReason::Strange),
        ]),
        (_, _) => Verdict::SetAside,
    }
}

/// A deposit reported again is known, but for the confirmations it has got since (rulings 51).
fn confirms_further(held: &HeldDeposit, deposit: &Deposit) -> Verdict<Vec<Event>> {
    match deposit.confirmations.filter(|_| held.is_short_of(deposit)) {
        Some(confirmations) => {
            one(Event::DepositConfirming { hash: deposit.hash.clone(), confirmations })
        }
        None => Verdict::Known,
    }
}

/// A deposit revives its order, unless a ceiling stands against what it would pay: then nothing
/// counts, and a person looks.
fn revived(progress: &Progress, seen: Event, net: Amount, now: &Context) -> Verdict<Vec<Event>> {
    match (now.ceilings.against(progress, net), seen) {
        (Some(reason), Event::DepositSeen { deposit, booked_in, repriced, .. }) => {
            let seen = booked(deposit, booked_in, (repriced, None));
            Verdict::Applied(vec![seen, Event::ReviewOpened(reason)])
        }
        (_, seen) => one(seen),
    }
}

/// Which sighting of its transaction it is, the ledger knows and adds.
fn booked(
    deposit: Deposit,
    booked_in: DepositAccount,
    (repriced, counted): (Option<Quote>, Option<Amount>),
) -> Event {
    Event::DepositSeen { deposit, booked_in, repriced, counted, sighting: None }
}

/// A late deposit revives its order at today's price, and counts on the day of its acceptance
/// (P:RevivalTerms, rulings 44).
fn revive(
    progress: &Progress,
    deposit: Deposit,
    booked_in: DepositAccount,
    now: &Context,
) -> Verdict<Vec<Event>> {
    let Some(quote) = now.quote.clone() else {
        return Verdict::Applied(vec![
            booked(deposit, booked_in, (None, None)),
            Event::ReviewOpened(ReviewReason::Unpriced),
        ]);
    };
    let priced = Progress { repriced: Some(quote.clone()), ..progress.clone() };
    // What it will pay is known when it is confirmed; what cannot be paid counts nothing.
    let net = bargain(&priced, deposit.coins, Strictness::Ranges).ok().map(|b| b.sale.deal.net);
    // What is promised already, where the deadline was not reported yet, counts once.
    let more = net.and_then(|net| net.minus(progress.counted)?.amount());
    let seen = booked(deposit, booked_in, (Some(quote), more));
    match net {
        Some(net) => revived(progress, seen, net, now),
        None => one(seen),
    }
}

pub(super) fn confirm(progress: &Progress, hash: &str, now: &Context) -> Verdict<Vec<Event>> {
    let Some(held) = progress.deposits.iter().find(|held| &*held.deposit.hash == hash) else {
        return Verdict::SetAside;
    };
    if held.confirmed.is_on() {
        return Verdict::Known;
    }
    let coins = held.deposit.coins;
    let mut events = vec![Event::DepositConfirmed { hash: hash.into(), coins }];
    let others = progress.deposits.iter().filter(|held| &*held.deposit.hash != hash);
    let last = others.clone().all(|held| held.confirmed.is_on());
    if last && progress.stage == Stage::Detected && !progress.delayed.is_on() {
        events.extend(advance(progress, now, Strictness::Ranges));
    }
    Verdict::Applied(events)
}

pub(super) fn vanish(progress: &Progress, hash: &str, now: &Context) -> Verdict<Vec<Event>> {
    let held = progress.deposits.iter().find(|held| &*held.deposit.hash == hash);
    let waiting = matches!(progress.stage, Stage::Detected | Stage::Review(_));
    let Some(held) = held.filter(|held| waiting && !held.confirmed.is_on()) else {
        return Verdict::SetAside;
    };
    let (coins, booked_in) = (held.deposit.coins, held.booked_in);
    let mut events = vec![Event::DepositVanished { hash: hash.into(), coins, booked_in }];
    let mut without = progress.clone();
    without.deposits.retain(|held| &*held.deposit.hash != hash);
    // The others may have waited for this one alone.
    let waits = progress.stage == Stage::Detected && !progress.delayed.is_on();
    if waits && without.all_confirmed() {
        events.extend(advance(&without, now, Strictness::Ranges));
    }
    Verdict::Applied(events)
}

/// How strictly a bargain is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// By the order's range.
    Ranges,
    /// Anything that can be paid: an operator let it go on.
    AnyNet,
}

/// What a deposit pays, and what of it is too much for a code.
struct Bargain {
    sale: Sale,
    surplus: Option<Coins>,
}

/// What comes next for a deposit that is confirmed whole.
pub(super) fn advance(progress: &Progress, now: &Context, how: Strictness) -> Vec<Event> {
    let Some(coins) = progress.deposits.iter().try_fold(None, |sum: Option<Coins>, held| {
        Some(Some(match sum {
            Some(sum) => sum.plus(held.deposit.coins)?,
            None => held.deposit.coins,
        }))
    }) else {
        return vec![Event::ReviewOpened(ReviewReason::TooMuch)];
    };
    let coins = coins.expect("only an order with deposits advances");
    let Bargain { sale, surplus } = match bargain(progress, coins, how) {
        Ok(bargain) => bargain,
        Err(reason) => return vec![Event::ReviewOpened(reason)],
    };
    if let Some(reason) = now.ceilings.against(progress, sale.deal.net) {
        return vec![Event::ReviewOpened(reason)];
    }
    let more = sale.deal.net.minus(progress.counted).and_then(Cents::amount);
    if surplus.is_some() && !progress.order.is_sellers() {
        // The payment sends what was ordered; nothing here could be given back.
        return vec![Event::ReviewOpened(ReviewReason::TooMuch)];
    }
    let mut events = Vec::with_capacity(2);
    events.extend(surplus.map(|coins| Event::Split { unmatched: now.unmatched, coins }));
    let booked_in =
        if progress.order.is_sellers() { DepositAccount::Order } else { DepositAccount::Wallet };
    events.push(match progress.order.route {
        Route::Fast | Route::Liquid => Event::PaymentBegun { sale, booked_in, counted: more },
        Route::Dex | Route::Convert => Event::Secured { sale, counted: more },
    });
    events
}

/// What `coins` pay at the price in force (P:DepositVariance).
fn bargain(progress: &Progress, coins: Coins, how: Strictness) -> Result<Bargain, ReviewReason> {
    let order = &progress.order;
    let (price, scale) = (progress.quote().price, progress.scale());
    let as_quoted = progress.repriced.is_none();
    let whole = |deal| Bargain { sale: Sale { coins, deal }, surplus: None };
    if as_quoted && coins == order.coins {
        return Ok(whole(order.deal));
    }
    if order.pays_code() {
        let net = order.deal.net;
        let needed = if as_quoted {
            Some(order.coins.units)
        } else {
            order.rates.cost(net).and_then(|cost| price.units_for(cost, scale))
        };
        let needed = needed.filter(|needed| *needed <= coins.units).ok_or(ReviewReason::Short)?;
        let gross = price.cents(needed, scale).ok_or(ReviewReason::Short)?;
        let deal = order.rates.exactly(net, gross).ok_or(ReviewReason::Short)?;
        let surplus = coins.units.minus(Some(needed)).map(|units| Coins { units, ..coins });
        return Ok(Bargain {
            sale: Sale { coins: Coins { units: needed, ..coins }, deal },
            surplus,
        });
    }
    let gross = price.cents(coins.units, scale).ok_or(ReviewReason::Short)?;
    let deal = order.rates.largest(gross).ok_or(ReviewReason::Short)?;
    let (least, most) = order.range;
    let bound = order.rates.bounded(deal).ok_or(ReviewReason::TooMuch)?;
    let exceeds = order.rates.exceeds((coins.units, deal), most, (price, scale));
    match how {
        Strictness::Ranges if bound < least => Err(ReviewReason::Short),
        _ if exceeds != Some(false) => Err(ReviewReason::TooMuch),
        _ => Ok(whole(deal)),
    }
}
