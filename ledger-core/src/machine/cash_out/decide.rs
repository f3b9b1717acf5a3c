//! Judging what is asked of a cash-out order, and what is reported of its deposits and its sale.

use super::command::{Circumstances, Command, Refusal, Request, one};
use super::event::{DepositAccount, Event, ReviewReason};
use super::terms::{CorrectedKey, Deposit, DepositTo, Proceeds, Sale};
use super::{HeldDeposit, Liquidation, Progress, Stage, State, payment, returns};
use crate::machine::Verdict;
use crate::machine::refund::Coins;
use crate::money::{Amount, Cents};
use crate::terms::{Quote, Route, Switch};

/// Judges what a client asks of an order that was quoted; no event where it was done before.
///
/// # Errors
///
/// The [`Refusal`], when the order as it stands does not admit what is asked.
pub fn request(state: &State, asked: Request, now: &Circumstances) -> Result<Vec<Event>, Refusal> {
    let State::Known(progress) = state else { return Err(Refusal::OutOfTurn) };
    match asked {
        Request::Accept(supplied) => accept(progress, supplied, now),
        Request::Address(address) => returns::address(progress, address),
    }
}

/// Judges what the world reports, an operator decides, or time brings.
#[must_use]
pub fn decide(state: &State, command: Command, now: &Circumstances) -> Verdict<Vec<Event>> {
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
        Command::StartPayment => payment::started(progress, now),
        Command::Pay(pix) => payment::paid(progress, pix),
        Command::FailSend => payment::failed(progress, now.at),
        Command::GiveUpPayment => payment::abandoned(progress),
        Command::RefuseKey(back) => payment::refused(progress, back),
        Command::LosePayment => payment::lost(progress),
        Command::Stop => payment::stopped(progress),
        Command::HandOver => payment::handed_over(progress),
        Command::Retry => payment::retried(progress, now),
        Command::GiveBack(coins) => returns::given_back(progress, coins),
        Command::Reverse(back) => returns::reversed(progress, back),
        Command::DecideRefund { to, operator } => returns::decided(progress, to, operator, now),
        Command::Refund(report) => returns::reported(progress, report),
        Command::Clear(key) => clear(progress, key, now),
    }
}

fn accept(
    progress: &Progress,
    supplied: Option<DepositTo>,
    now: &Circumstances,
) -> Result<Vec<Event>, Refusal> {
    match progress.stage {
        // Accepting again answers with the same order, whatever became of it (P:AcceptIdempotent).
        _ if progress.accepted.is_some() => Ok(Vec::new()),
        Stage::Quoted if now.at < progress.order.expires_at => {
            let (net, bound) = (progress.order.deal.net, &now.ceilings.bound);
            if let Some(bound) = bound {
                bound.admits(net, progress.payee.tax_number).map_err(Refusal::Mandate)?;
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

/// A deposit: for the order, for suspense, or for a receipt of its own (set aside).
fn see(progress: &Progress, deposit: Deposit, now: &Circumstances) -> Verdict<Vec<Event>> {
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
fn revived(
    progress: &Progress,
    seen: Event,
    net: Amount,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
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
    now: &Circumstances,
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

fn confirm(progress: &Progress, hash: &str, now: &Circumstances) -> Verdict<Vec<Event>> {
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

fn vanish(progress: &Progress, hash: &str, now: &Circumstances) -> Verdict<Vec<Event>> {
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
fn advance(progress: &Progress, now: &Circumstances, how: Strictness) -> Vec<Event> {
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
    match how {
        Strictness::Ranges if bound < least => Err(ReviewReason::Short),
        _ if most < bound => Err(ReviewReason::TooMuch),
        _ => Ok(whole(deal)),
    }
}

/// The own leg, which moves whatever the order does.
fn sell(progress: &Progress, command: &Command, now: &Circumstances) -> Verdict<Vec<Event>> {
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
            if sold_first && unsold(progress) =>
        {
            // That it was sold implies that selling began (rulings 8).
            let coins = sale.coins;
            filled(vec![Event::SellingBegun(coins)], coins, *proceeds, forwards)
        }
        (Command::Fill(proceeds), Liquidation::Selling(coins) | Liquidation::Lost(coins), _) => {
            filled(Vec::new(), coins, *proceeds, forwards)
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
    progress: &Progress,
    key: Option<CorrectedKey>,
    now: &Circumstances,
) -> Verdict<Vec<Event>> {
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
            let new_price = matches!(reason, ReviewReason::Strange | ReviewReason::Unpriced);
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
