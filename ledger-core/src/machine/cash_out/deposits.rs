//! The deposits of a cash-out order: seen, confirmed, vanished, and what they pay once they are
//! confirmed whole.

use super::ceiling::ReviewReason;
use super::event::{DepositAccount, Event};
use super::terms::{Deposit, Sale};
use super::{Context, HeldDeposit, Progress, Stage, one};
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
    let right = order.coins.same_kind(deposit.coins);
    let revives = deposit.seen_at <= order.expires_at.after(order.revival);
    if right && revives && (waits || order.is_sellers() && progress.takes_more()) {
        return add(progress, deposit, now);
    }
    if waits && order.is_sellers() {
        return Verdict::Applied(vec![
            deposit_seen(deposit, DepositAccount::Suspense, (None, None)),
            Event::ReviewOpened(ReviewReason::Strange),
        ]);
    }
    Verdict::SetAside
}

/// A deposit of the order's own token adds to what it holds; what came before of another kind, or
/// too late, gets a review of its own (rulings 67).
fn add(progress: &Progress, deposit: Deposit, now: &Context) -> Verdict<Vec<Event>> {
    if progress.stage == Stage::Review(ReviewReason::Strange) {
        let mut without = progress.clone();
        let Some(HeldDeposit { deposit: odd, .. }) = without.deposits.pop() else {
            return Verdict::SetAside;
        };
        without.stage = Stage::Detected;
        let (unmatched, hash, coins) = (now.unmatched, odd.hash, odd.coins);
        let parted = Event::OddParted { unmatched, hash, coins };
        return match add_deposit(&without, deposit, now) {
            Some(then) => Verdict::Applied([vec![parted], then].concat()),
            None => Verdict::SetAside,
        };
    }
    add_deposit(progress, deposit, now).map_or(Verdict::SetAside, Verdict::Applied)
}

/// The price of a sum is that of the deposit that makes it payable: the order's own where that came
/// in time, else the price of its detection, so that dust keeps no rate (rulings 67, 75).
fn add_deposit(progress: &Progress, deposit: Deposit, now: &Context) -> Option<Vec<Event>> {
    let order = &progress.order;
    let booked_in = progress.booked_in();
    let held = progress.deposit_sum(booked_in);
    let sum = held.map_or(Some(deposit.coins), |held| held.plus(deposit.coins))?;
    let whole = held.is_some_and(|held| is_payable(progress, held));
    let waits = match progress.stage {
        Stage::Review(reason) => reason != ReviewReason::Short,
        _ => false,
    };
    let net = order.deal.net;
    let in_time = deposit.seen_at <= order.expires_at;
    let own = progress.repriced.is_some().then(|| order.quote.clone());
    Some(match in_time {
        _ if whole || waits => vec![deposit_seen(deposit, booked_in, (None, None))],
        // It counts since it was accepted, and needs no further room (rulings 75).
        true if net.as_cents() <= progress.counted => {
            vec![deposit_seen(deposit, booked_in, (own, None))]
        }
        true => {
            let more = net.minus(progress.counted).and_then(Cents::amount);
            revival_events(progress, deposit_seen(deposit, booked_in, (own, more)), net, now)
        }
        false => revive(progress, deposit, sum, now),
    })
}

/// Tells whether so much is not too little at the price in force.
fn is_payable(progress: &Progress, coins: Coins) -> bool {
    !matches!(bargain(progress, coins, Strictness::Ranges), Err(ReviewReason::Short))
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
fn revival_events(progress: &Progress, seen: Event, net: Amount, now: &Context) -> Vec<Event> {
    match (now.ceilings.against(&progress.payee, net), seen) {
        (Some(reason), Event::DepositSeen { deposit, booked_in, repriced, .. }) => {
            reopen_review(progress, deposit_seen(deposit, booked_in, (repriced, None)), reason)
        }
        (_, seen) => vec![seen],
    }
}

/// A person looks for another reason than before.
fn reopen_review(progress: &Progress, seen: Event, reason: ReviewReason) -> Vec<Event> {
    let short = progress.stage == Stage::Review(ReviewReason::Short);
    let ended = short.then_some(Event::ReviewEnded);
    [seen].into_iter().chain(ended).chain([Event::ReviewOpened(reason)]).collect()
}

/// Which sighting of its transaction it is, the ledger knows and adds.
fn deposit_seen(
    deposit: Deposit,
    booked_in: DepositAccount,
    (repriced, counted): (Option<Quote>, Option<Amount>),
) -> Event {
    Event::DepositSeen { deposit, booked_in, repriced, counted, sighting: None }
}

/// A late deposit revives its order at today's price, with `sum` in all, and counts on the day of
/// its acceptance (P:RevivalTerms, rulings 44).
fn revive(progress: &Progress, deposit: Deposit, sum: Coins, now: &Context) -> Vec<Event> {
    let booked_in = progress.booked_in();
    let Some(quote) = now.quote.clone() else {
        let seen = deposit_seen(deposit, booked_in, (None, None));
        return reopen_review(progress, seen, ReviewReason::Unpriced);
    };
    let priced = Progress { repriced: Some(quote.clone()), ..progress.clone() };
    // What it will pay is known when it is confirmed; what cannot be paid counts nothing.
    let net = bargain(&priced, sum, Strictness::Ranges).ok().map(|b| b.sale.deal.net);
    // What is promised already, where the deadline was not reported yet, counts once.
    let more = net.and_then(|net| net.minus(progress.counted)?.amount());
    let seen = deposit_seen(deposit, booked_in, (Some(quote), more));
    match net {
        Some(net) => revival_events(progress, seen, net, now),
        None => vec![seen],
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
    let mut others = progress.deposits.iter().filter(|held| &*held.deposit.hash != hash);
    if others.all(|held| held.confirmed.is_on()) {
        events.extend(goes_on(progress, now));
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
    if without.all_confirmed() {
        events.extend(goes_on(&without, now));
    }
    Verdict::Applied(events)
}

/// Returns what follows by itself once every deposit is confirmed: what was too little and no
/// longer is waits for nobody (rulings 67).
fn goes_on(progress: &Progress, now: &Context) -> Vec<Event> {
    match progress.stage {
        Stage::Detected if !progress.delayed.is_on() => advance(progress, now, Strictness::Ranges),
        Stage::Review(ReviewReason::Short) if progress.order.is_sellers() => {
            let then = advance(progress, now, Strictness::Ranges);
            if matches!(then[..], [Event::ReviewOpened(ReviewReason::Short)]) {
                return Vec::new();
            }
            [vec![Event::ReviewEnded], then].concat()
        }
        _ => Vec::new(),
    }
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

/// Returns what comes next for a deposit that is confirmed whole.
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
    if let Some(reason) = now.ceilings.against(&progress.payee, sale.deal.net) {
        return vec![Event::ReviewOpened(reason)];
    }
    let more = sale.deal.net.minus(progress.counted).and_then(Cents::amount);
    // An unmatched deposit is named after its record, and one record can have only one of them.
    let parted = progress.odd.iter().any(|(_, op)| *op == now.unmatched);
    if surplus.is_some() && (parted || !progress.order.is_sellers()) {
        // The payment of a wallet sends what was ordered; nothing here could be given back.
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

/// Returns what `coins` pay at the price in force (P:DepositVariance).
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
    let bound = order.rates.bounded_amount(deal).ok_or(ReviewReason::TooMuch)?;
    let exceeds = order.rates.exceeds((coins.units, deal), most, (price, scale));
    match how {
        Strictness::Ranges if bound < least => Err(ReviewReason::Short),
        _ if exceeds != Some(false) => Err(ReviewReason::TooMuch),
        _ => Ok(whole(deal)),
    }
}
