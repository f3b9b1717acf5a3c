//! Judging what is asked of a cash-out order, and what is told of its deposits and its sale.

use super::command::{Circumstances, Command, Refusal, one};
use super::event::{Event, Place, Why};
use super::terms::{CorrectedKey, Deposit, DepositTo, Proceeds, Sale};
use super::{Held, Own, Stage, Standing, State, payment, returns};
use crate::machine::Verdict;
use crate::machine::refund::Coins;
use crate::money::{Amount, Share};
use crate::terms::{Quote, Route, Switch};

/// Judges `command`.
///
/// # Errors
///
/// The [`Refusal`] of a request; facts are never refused.
pub fn decide(
    state: &State,
    command: Command,
    now: &Circumstances,
) -> Result<Verdict<Vec<Event>>, Refusal> {
    let standing = match (state, command) {
        (State::Absent, Command::Quote(order)) => {
            return Ok(Verdict::Applied(vec![Event::Quoted(order)]));
        }
        (State::Absent, Command::Accept(_) | Command::Address(_)) | (_, Command::Quote(_)) => {
            return Err(Refusal::OutOfTurn);
        }
        (State::Absent, _) => return Ok(Verdict::SetAside),
        (State::Known(standing), Command::Accept(supplied)) => {
            return accept(standing, supplied, now).map(Verdict::Applied);
        }
        (State::Known(standing), Command::Address(address)) => {
            return returns::address(standing, address).map(Verdict::Applied);
        }
        (State::Known(standing), command) => (standing, command),
    };
    let (standing, command) = standing;
    Ok(told(standing, command, now))
}

/// News of any kind.
fn told(standing: &Standing, command: Command, now: &Circumstances) -> Verdict<Vec<Event>> {
    match command {
        Command::Quote(_) | Command::Accept(_) | Command::Address(_) => {
            unreachable!("requests were answered before")
        }
        Command::Expire => match standing.stage {
            Stage::Quoted | Stage::Awaiting => one(Event::Expired),
            _ => Verdict::SetAside,
        },
        Command::Cancel => match standing.stage {
            Stage::Quoted | Stage::Awaiting => one(Event::Failed),
            // A wallet's crypto is the payment's: its order holds none (P:FailedGuard).
            Stage::Review(why)
                if !standing.order.is_sellers()
                    && (why.is_ceiling()
                        || matches!(why, Why::Short | Why::TooMuch | Why::Unpriced)) =>
            {
                one(Event::Failed)
            }
            Stage::Failed => Verdict::Known,
            _ => Verdict::SetAside,
        },
        Command::See(deposit) => see(standing, deposit, now),
        Command::Confirm(hash) => confirm(standing, &hash, now),
        Command::Vanish(hash) => vanish(standing, &hash, now),
        Command::Delay => match standing.stage {
            _ if standing.delayed.is_on() => Verdict::Known,
            Stage::Detected | Stage::Secured | Stage::Paying => one(Event::Delayed),
            _ => Verdict::SetAside,
        },
        Command::Resume if standing.delayed.is_on() => {
            let mut events = vec![Event::Resumed];
            if standing.stage == Stage::Detected && standing.all_confirmed() {
                events.extend(advance(standing, now, Strictness::Ranges));
            }
            Verdict::Applied(events)
        }
        Command::Resume => Verdict::Known,
        Command::StartSale
        | Command::Fill(_)
        | Command::FailSale
        | Command::LoseSale
        | Command::Forward
        | Command::Arrive(_) => sell(standing, &command, now),
        Command::StartPayment
        | Command::Pay(_)
        | Command::FailSend
        | Command::GiveUpPayment
        | Command::RefuseKey(_)
        | Command::LosePayment
        | Command::Stop
        | Command::HandOver
        | Command::Retry => payment::decide(standing, command, now),
        Command::GiveBack(_)
        | Command::Reverse(_)
        | Command::DecideRefund { .. }
        | Command::Refund(_) => returns::decide(standing, command, now),
        Command::Clear(key) => clear(standing, key, now),
    }
}

fn accept(
    standing: &Standing,
    supplied: Option<DepositTo>,
    now: &Circumstances,
) -> Result<Vec<Event>, Refusal> {
    match standing.stage {
        // Accepting again answers with the same order, whatever became of it (P:AcceptIdempotent).
        _ if standing.accepted.is_some() => Ok(Vec::new()),
        Stage::Quoted if now.at < standing.order.expires_at => {
            let (net, bound) = (standing.order.deal.net, &now.ceilings.bound);
            if let Some(bound) = bound {
                bound.admits(net, standing.payee.tax_number).map_err(Refusal::Mandate)?;
            }
            if now.ceilings.room < net.share() {
                return Err(Refusal::RecipientCeiling { room: now.ceilings.room });
            }
            let DepositTo { address, tag } = supplied.ok_or(Refusal::NoAddress)?;
            Ok(vec![Event::Accepted { address, tag }])
        }
        Stage::Quoted | Stage::Expired => Err(Refusal::QuoteExpired),
        _ => Err(Refusal::OutOfTurn),
    }
}

/// A deposit: for the order, for suspense, or for a receipt of its own (set aside).
fn see(standing: &Standing, deposit: Deposit, now: &Circumstances) -> Verdict<Vec<Event>> {
    let order = &standing.order;
    if standing.accepted.is_none() {
        return Verdict::SetAside;
    }
    if let Some(held) = standing.deposits.iter().find(|held| held.deposit.hash == deposit.hash) {
        return confirms_further(held, &deposit);
    }
    let waits = matches!(standing.stage, Stage::Awaiting | Stage::Expired);
    let adds = standing.stage == Stage::Detected
        && standing.deposits.iter().all(|held| held.deposit.coins.same_kind(deposit.coins))
        && standing.deposited(Place::Order).is_some_and(|sum| sum.plus(deposit.coins).is_some());
    let right = order.coins.same_kind(deposit.coins);
    let in_time = deposit.seen_at <= order.expires_at;
    let revives = deposit.seen_at <= order.expires_at.after(order.revival);
    let place = if order.is_sellers() { Place::Order } else { Place::Wallet };
    match (right, in_time) {
        (true, true) if waits || adds => {
            // News of a deposit in time may come after the deadline: the terms are the order's own.
            let late_news = standing.stage == Stage::Expired;
            match order.deal.net {
                net if late_news => {
                    revived(standing, booked(deposit, place, (None, Some(net))), net, now)
                }
                _ => one(booked(deposit, place, (None, None))),
            }
        }
        (true, false) if adds => one(booked(deposit, place, (None, None))),
        (true, false) if waits && revives => revive(standing, deposit, place, now),
        (_, _) if waits && order.is_sellers() => Verdict::Applied(vec![
            booked(deposit, Place::Suspense, (None, None)),
            Event::ReviewOpened(Why::Strange),
        ]),
        (_, _) => Verdict::SetAside,
    }
}

/// A deposit told of again is known, but for the confirmations it has got since (rulings 51).
fn confirms_further(held: &Held, deposit: &Deposit) -> Verdict<Vec<Event>> {
    match deposit.confirmations.filter(|_| held.is_short_of(deposit)) {
        Some(confirmations) => {
            one(Event::DepositConfirming { hash: deposit.hash.clone(), confirmations })
        }
        None => Verdict::Known,
    }
}

/// A deposit revives its order, unless a ceiling stands against what it would pay: then nothing
/// counts, and a person looks.
fn revived(
    standing: &Standing,
    seen: Event,
    net: Amount,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
    match (now.ceilings.against(standing, net), seen) {
        (Some(why), Event::DepositSeen { deposit, place, repriced, .. }) => {
            let seen = booked(deposit, place, (repriced, None));
            Verdict::Applied(vec![seen, Event::ReviewOpened(why)])
        }
        (_, seen) => one(seen),
    }
}

/// Which sighting of its transaction it is, the ledger knows and adds.
fn booked(
    deposit: Deposit,
    place: Place,
    (repriced, counted): (Option<Quote>, Option<Amount>),
) -> Event {
    Event::DepositSeen { deposit, place, repriced, counted, sighting: None }
}

/// A late deposit revives its order at today's price, and counts on the day of its acceptance
/// (P:RevivalTerms, rulings 44).
fn revive(
    standing: &Standing,
    deposit: Deposit,
    place: Place,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
    let Some(quote) = now.quote.clone() else {
        return Verdict::Applied(vec![
            booked(deposit, place, (None, None)),
            Event::ReviewOpened(Why::Unpriced),
        ]);
    };
    let priced = Standing { repriced: Some(quote.clone()), ..standing.clone() };
    // What it will pay is known when it is confirmed; what cannot be paid counts nothing.
    let net = bargain(&priced, deposit.coins, Strictness::Ranges).ok().map(|b| b.sale.deal.net);
    // What is promised already, where the deadline was not told of yet, counts once.
    let more = net.and_then(|net| net.minus(standing.counted)?.amount());
    let seen = booked(deposit, place, (Some(quote), more));
    match net {
        Some(net) => revived(standing, seen, net, now),
        None => one(seen),
    }
}

fn confirm(standing: &Standing, hash: &str, now: &Circumstances) -> Verdict<Vec<Event>> {
    let Some(held) = standing.deposits.iter().find(|held| &*held.deposit.hash == hash) else {
        return Verdict::SetAside;
    };
    if held.confirmed.is_on() {
        return Verdict::Known;
    }
    let coins = held.deposit.coins;
    let mut events = vec![Event::DepositConfirmed { hash: hash.into(), coins }];
    let others = standing.deposits.iter().filter(|held| &*held.deposit.hash != hash);
    let last = others.clone().all(|held| held.confirmed.is_on());
    if last && standing.stage == Stage::Detected && !standing.delayed.is_on() {
        events.extend(advance(standing, now, Strictness::Ranges));
    }
    Verdict::Applied(events)
}

fn vanish(standing: &Standing, hash: &str, now: &Circumstances) -> Verdict<Vec<Event>> {
    let held = standing.deposits.iter().find(|held| &*held.deposit.hash == hash);
    let waiting = matches!(standing.stage, Stage::Detected | Stage::Review(_));
    let Some(held) = held.filter(|held| waiting && !held.confirmed.is_on()) else {
        return Verdict::SetAside;
    };
    let (coins, place) = (held.deposit.coins, held.place);
    let mut events = vec![Event::DepositVanished { hash: hash.into(), coins, place }];
    let mut without = standing.clone();
    without.deposits.retain(|held| &*held.deposit.hash != hash);
    // The others may have waited for this one alone.
    let waits = standing.stage == Stage::Detected && !standing.delayed.is_on();
    if waits && without.all_confirmed() {
        events.extend(advance(&without, now, Strictness::Ranges));
    }
    Verdict::Applied(events)
}

/// How strictly a bargain is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strictness {
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
fn advance(standing: &Standing, now: &Circumstances, how: Strictness) -> Vec<Event> {
    let Some(coins) = standing.deposits.iter().try_fold(None, |sum: Option<Coins>, held| {
        Some(Some(match sum {
            Some(sum) => sum.plus(held.deposit.coins)?,
            None => held.deposit.coins,
        }))
    }) else {
        return vec![Event::ReviewOpened(Why::TooMuch)];
    };
    let coins = coins.expect("only an order with deposits advances");
    let Bargain { sale, surplus } = match bargain(standing, coins, how) {
        Ok(bargain) => bargain,
        Err(why) => return vec![Event::ReviewOpened(why)],
    };
    if let Some(why) = now.ceilings.against(standing, sale.deal.net) {
        return vec![Event::ReviewOpened(why)];
    }
    let more = sale.deal.net.minus(standing.counted).and_then(Share::amount);
    if surplus.is_some() && !standing.order.is_sellers() {
        // The payment sends what was ordered; nothing here could be given back.
        return vec![Event::ReviewOpened(Why::TooMuch)];
    }
    let mut events = Vec::with_capacity(2);
    events.extend(surplus.map(|coins| Event::Split { receipt: now.receipt, coins }));
    let place = if standing.order.is_sellers() { Place::Order } else { Place::Wallet };
    events.push(match standing.order.route {
        Route::Fast | Route::Liquid => Event::PaymentBegun { sale, place, counted: more },
        Route::Dex | Route::Convert => Event::Secured { sale, counted: more },
    });
    events
}

/// What `coins` pay at the price in force (P:DepositVariance).
fn bargain(standing: &Standing, coins: Coins, how: Strictness) -> Result<Bargain, Why> {
    let order = &standing.order;
    let (price, scale) = (standing.quote().price, standing.scale());
    let as_quoted = standing.repriced.is_none();
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
        let needed = needed.filter(|needed| *needed <= coins.units).ok_or(Why::Short)?;
        let gross = price.cents(needed, scale).ok_or(Why::Short)?;
        let deal = order.rates.exactly(net, gross).ok_or(Why::Short)?;
        let surplus = coins.units.minus(Some(needed)).map(|units| Coins { units, ..coins });
        return Ok(Bargain {
            sale: Sale { coins: Coins { units: needed, ..coins }, deal },
            surplus,
        });
    }
    let gross = price.cents(coins.units, scale).ok_or(Why::Short)?;
    let deal = order.rates.largest(gross).ok_or(Why::Short)?;
    let (least, most) = order.range;
    let bound = order.rates.bounded(deal).ok_or(Why::TooMuch)?;
    match how {
        Strictness::Ranges if bound < least => Err(Why::Short),
        _ if most < bound => Err(Why::TooMuch),
        _ => Ok(whole(deal)),
    }
}

/// The own leg, which moves whatever the order does.
fn sell(standing: &Standing, command: &Command, now: &Circumstances) -> Verdict<Vec<Event>> {
    let lost = standing.stage == Stage::Review(Why::SaleLost);
    let sold_first = matches!(standing.order.route, Route::Dex | Route::Convert);
    let forwards = if standing.order.route == Route::Convert { Switch::On } else { Switch::Off };
    match (command, standing.own, standing.sale) {
        (Command::StartSale, Own::None, Some(sale)) if sold_first && unsold(standing) => {
            one(Event::SellingBegun(sale.coins))
        }
        (
            Command::StartSale,
            Own::Selling(_) | Own::Lost(_) | Own::Sold(_) | Own::Forwarding(_) | Own::Done,
            _,
        )
        | (Command::LoseSale, Own::Lost(_), _) => Verdict::Known,
        // What is swapped on its network is never forwarded (A9).
        (Command::Forward, Own::Forwarding(_), _)
        | (Command::Forward | Command::Arrive(_), Own::Done, _)
            if forwards.is_on() =>
        {
            Verdict::Known
        }
        (Command::Fill(told), Own::Sold(known) | Own::Forwarding(known), _) if *told == known => {
            Verdict::Known
        }
        (Command::Fill(proceeds), Own::None, Some(sale)) if sold_first && unsold(standing) => {
            // That it was sold implies that selling began (rulings 8).
            let coins = sale.coins;
            filled(vec![Event::SellingBegun(coins)], coins, *proceeds, forwards)
        }
        (Command::Fill(proceeds), Own::Selling(coins) | Own::Lost(coins), _) => {
            filled(Vec::new(), coins, *proceeds, forwards)
        }
        (Command::FailSale, Own::Selling(coins) | Own::Lost(coins), Some(sale)) => {
            let mut events = vec![Event::SaleFailed(coins)];
            if lost || standing.stage == Stage::Secured {
                events.push(if standing.order.is_sellers() {
                    returns::of_deposit(standing, sale.coins, Switch::Off)
                } else {
                    Event::Failed
                });
            }
            Verdict::Applied(events)
        }
        (Command::LoseSale, Own::Selling(_), _) if standing.stage == Stage::Secured => {
            one(Event::ReviewOpened(Why::SaleLost))
        }
        (Command::Forward, Own::Sold(_), _) => one(Event::Forwarding),
        (Command::Arrive(arrived), Own::Sold(proceeds) | Own::Forwarding(proceeds), _) => {
            let mut events = vec![Event::Forwarded { proceeds, arrived: *arrived }];
            let secured = standing.stage == Stage::Secured;
            events.extend(payment::begins(standing, &now.ceilings).filter(|_| secured));
            Verdict::Applied(events)
        }
        (_, _, _) => Verdict::SetAside,
    }
}

/// What was deposited may still be sold: it is neither paid for nor to be refunded.
fn unsold(standing: &Standing) -> bool {
    matches!(standing.stage, Stage::Secured | Stage::Paying | Stage::Completed)
        && standing.refund.is_none()
}

fn filled(
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

/// An operator lets the order go on with what it holds.
fn clear(
    standing: &Standing,
    key: Option<CorrectedKey>,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
    let Stage::Review(why) = standing.stage else { return Verdict::SetAside };
    match why {
        Why::KeyRefused => payment::resume(standing, key, now),
        _ if why.is_ceiling() && standing.sale.is_some() => payment::let_go(standing, now),
        Why::Strange
        | Why::Short
        | Why::TooMuch
        | Why::Unpriced
        | Why::RecipientDay
        | Why::RecipientOrder
        | Why::MandateOperation
        | Why::MandateDay
        | Why::MandateRecipient => {
            if !standing.all_confirmed() {
                return Verdict::SetAside;
            }
            let coins = standing.in_suspense();
            let new_price = matches!(why, Why::Strange | Why::Unpriced);
            if new_price && now.quote.is_none() {
                return Verdict::SetAside;
            }
            let repriced = now.quote.clone().filter(|_| new_price);
            let quote = repriced.clone().or(standing.repriced.clone());
            let scale = now.scale.filter(|scale| new_price && *scale != standing.order.scale);
            let cleared = Standing { repriced: quote, counted_in: scale, ..standing.clone() };
            let next = advance(&cleared, now, Strictness::AnyNet);
            // What cannot be paid after all stays where it is.
            if matches!(next[..], [Event::ReviewOpened(_)]) {
                return Verdict::SetAside;
            }
            let mut events = vec![Event::Cleared { coins, repriced, scale }];
            events.extend(next);
            Verdict::Applied(events)
        }
        Why::Stopped | Why::SaleLost | Why::ReturnAwaited => Verdict::SetAside,
    }
}
