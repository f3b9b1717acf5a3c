//! Whoever sends crypto: the exchange, the own wallet, and the operators who look after them.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::{Fact, GiveUpTo};
use ledger_core::machine::charge::Receipt;
use ledger_core::machine::delivery::{Command, News};
use ledger_core::machine::stray;
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};

use crate::oracle::{ChargeStatus, Course, End, Oracle, Stage};
use crate::world::World;

/// What mostly becomes of a delivery, planned when it can begin.
pub(crate) fn expect_delivery(world: &mut World, op: OpId, from: Instant) {
    if world.rng.percent(35) {
        return;
    }
    let begun = soon(world, from, 120);
    tell_at(world, begun, op, News::Begin);
    let then = soon(world, begun, 1_800);
    let news = match world.rng.weighted(&[55, 15, 15, 15]) {
        0 => News::Confirm(world.fresh("0x")),
        1 => News::Accept,
        2 => News::Fail,
        _ => News::Lose,
    };
    tell_at(world, then, op, news);
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(4) {
        return about_nothing(world);
    }
    if world.rng.percent(20) {
        return settle_stray(world, oracle);
    }
    let of_charge = world.rng.percent(60);
    let list = if of_charge { &world.charges } else { &world.conversions };
    let buys = |op: &&OpId| oracle.charges.get(op).is_none_or(|charge| charge.buy.is_some());
    let recent: Vec<OpId> = list.iter().rev().filter(buys).take(25).copied().collect();
    let Some(op) = world.rng.pick(&recent).copied() else { return };
    if let Some(conversion) = oracle.conversions.get(&op) {
        let course = conversion.course.clone();
        return if conversion.refunded {
            afterwards(world, op);
        } else {
            moves(world, op, &course, conversion.amount);
        };
    }
    let Some(charge) = oracle.charges.get(&op) else { return };
    let Some(buy) = &charge.buy else { return };
    if !charge.credited {
        return unpaid(world, op, charge.amount, charge.status == ChargeStatus::Pending);
    }
    match buy.end {
        Some(End::Halted) if world.rng.percent(40) => resume(world, op),
        Some(End::Halted) if world.rng.percent(60) => give_up(world, op),
        Some(_) => afterwards(world, op),
        None => {
            let (course, left) = (buy.course.clone(), charge.left());
            if let Some((_, before)) = buy.rest.filter(|_| world.rng.percent(12)) {
                // An attempt to deliver the whole was not called off after all.
                let news = News::Confirm(world.fresh("0x"));
                let command = Command { attempt: Some(before), news };
                return world.tell(Fact::Delivery { op: Some(op), command, receipt: None });
            }
            moves(world, op, &course, left);
        }
    }
}

/// What may happen to a delivery where it stands.
fn moves(world: &mut World, op: OpId, course: &Course, left: i64) {
    let weights: [u32; 9] = match course.stage {
        // begin, accept, fail, lose, confirm, found sent, found not sent, give up, return
        Stage::Waiting => [45, 6, 6, 6, 8, 2, 2, 12, 8],
        Stage::Sending => [5, 20, 18, 22, 25, 3, 3, 4, 5],
        Stage::Accepted => [4, 4, 20, 25, 35, 3, 3, 3, 5],
        Stage::Unknown => [4, 4, 12, 4, 14, 20, 26, 6, 16],
        Stage::Retrying => [48, 5, 6, 5, 10, 4, 4, 18, 10],
        Stage::Sent => [6, 6, 8, 6, 16, 8, 8, 6, 30],
    };
    let news = match world.rng.weighted(&weights) {
        0 => News::Begin,
        1 => News::Accept,
        2 => News::Fail,
        3 => News::Lose,
        4 => News::Confirm(hash(world, course)),
        place @ (5 | 6) => {
            let sent = (place == 5).then(|| hash(world, course));
            let judgement = world.judgement();
            return world.tell(Fact::DeliveryEvidence { op: Some(op), sent, judgement });
        }
        7 => return give_up(world, op),
        _ if op.kind() != Kind::Charge => return give_up(world, op),
        _ => {
            let some = world.rng.within(1, left.max(1));
            let amount = if world.rng.percent(50) { left.max(1) } else { some };
            let amount = Amount::new(amount).unwrap_or(Amount::CENTAVO);
            let return_id = world.fresh("d");
            return world.tell(Fact::PixReturned { charge: Some(op), return_id, amount });
        }
    };
    let attempt = match world.rng.weighted(&[50, 34, 11, 5]) {
        0 => None,
        1 => Some(course.attempt.max(1)),
        2 => Some(course.attempt + 1),
        _ => Some(course.attempt.saturating_sub(1).max(1)),
    };
    let command = Command { attempt, news };
    let receipt = world.rng.percent(4).then(|| another_pix(world));
    world.tell(Fact::Delivery { op: Some(op), command, receipt });
}

/// A PIX that news of a delivery names although it is not the one that paid.
fn another_pix(world: &mut World) -> Receipt {
    let amount = Amount::new(world.rng.within(1, 30_000)).unwrap_or(Amount::CENTAVO);
    Receipt { e2e: world.fresh("e"), amount, paid_at: world.now }
}

/// Mostly a new transaction; sometimes the one we know.
fn hash(world: &mut World, course: &Course) -> Box<str> {
    let known = course.hash.clone().filter(|_| world.rng.percent(50));
    known.unwrap_or_else(|| world.fresh("0x"))
}

/// That it was sent is the first we hear of its payment; the PIX is told with it, or not at all.
fn unpaid(world: &mut World, op: OpId, cents: i64, pending: bool) {
    if !world.rng.percent(if pending { 40 } else { 60 }) {
        return;
    }
    let wrong = i64::from(world.rng.percent(15));
    let amount = Amount::new(cents + wrong).unwrap_or(Amount::CENTAVO);
    let receipt = Receipt { e2e: world.fresh("e"), amount, paid_at: world.now };
    let named = world.rng.percent(if pending { 55 } else { 70 }).then(|| receipt.clone());
    let hash = world.fresh("0x");
    let news = if world.rng.percent(85) { News::Confirm(hash) } else { News::Accept };
    if let (News::Confirm(hash), None, true) = (&news, &named, pending)
        && world.rng.percent(90)
    {
        // The payment comes to light after all, and with it the reason for what was sent.
        let receipt = Receipt { e2e: world.fresh("e"), ..receipt.clone() };
        let paid = soon(world, world.now, 30);
        world.tell_at(paid, Fact::PixReceived { charge: Some(op), receipt });
        let again = soon(world, paid, 30);
        tell_at(world, again, op, News::Confirm(hash.clone()));
    }
    let receipt = named.filter(|_| matches!(news, News::Confirm(_)));
    if let Some(receipt) = receipt.clone().filter(|_| world.rng.percent(40)) {
        let later = soon(world, world.now, 900);
        world.tell_at(later, Fact::PixReceived { charge: Some(op), receipt });
    }
    let command = Command { attempt: None, news };
    world.tell(Fact::Delivery { op: Some(op), command, receipt });
}

/// What is told of a delivery whose money went elsewhere; sometimes twice of one transaction.
fn afterwards(world: &mut World, op: OpId) {
    let news = match world.rng.weighted(&[40, 20, 15, 15, 10]) {
        0 => News::Confirm(world.fresh("0x")),
        1 => News::Fail,
        2 => News::Lose,
        3 => News::Begin,
        _ if world.rng.percent(30) => return resume(world, op),
        _ => return give_up(world, op),
    };
    if let News::Confirm(hash) = &news
        && world.rng.percent(40)
    {
        let (sent, judgement) = (Some(hash.clone()), world.judgement());
        world.tell(Fact::DeliveryEvidence { op: Some(op), sent, judgement });
    }
    tell_at(world, world.now, op, news);
}

fn give_up(world: &mut World, op: OpId) {
    let judgement = world.judgement();
    let to_payer = world.rng.percent(if op.kind() == Kind::Charge { 55 } else { 8 });
    let to = if to_payer { GiveUpTo::Payer(world.fresh("d")) } else { GiveUpTo::Custody };
    if let GiveUpTo::Payer(return_id) = &to {
        // The provider tells of the same return.
        if world.rng.percent(40) {
            let (return_id, amount) = (return_id.clone(), Amount::CENTAVO);
            let later = soon(world, world.now, 3_600);
            world.tell_at(later, Fact::PixReturned { charge: Some(op), return_id, amount });
        }
        if world.rng.percent(10) {
            let to = to.clone();
            world.tell(Fact::DeliveryGivenUp { op: Some(op), to, judgement });
        }
    }
    world.tell(Fact::DeliveryGivenUp { op: Some(op), to, judgement });
}

/// A person lets what is left be delivered.
fn resume(world: &mut World, op: OpId) {
    let judgement = world.judgement();
    world.tell(Fact::DeliveryResumed { op: Some(op), judgement });
}

fn settle_stray(world: &mut World, oracle: &Oracle) {
    let open = |op: &&OpId| oracle.strays.get(op).is_some_and(|it| it.end.is_none());
    let open: Vec<OpId> = world.strays.iter().filter(open).copied().collect();
    let some = world.rng.pick(&open).copied().filter(|_| world.rng.percent(80));
    let stray = some.or_else(|| world.rng.pick(&world.strays).copied());
    let lost = world.rng.percent(40);
    let end = if lost { stray::End::Lost } else { stray::End::Recovered };
    let judgement = world.judgement();
    world.tell(Fact::StraySettled { stray, end, judgement });
}

fn about_nothing(world: &mut World) {
    let other = OpId::new(Kind::Charge, Seq(world.rng.below(9) + 900_000_000));
    let op = match world.rng.below(3) {
        0 => Some(other),
        1 => world.rng.pick(&world.payouts).copied(),
        _ => None,
    };
    let receipt = world.rng.percent(30).then(|| another_pix(world));
    let command = Command { attempt: None, news: News::Begin };
    world.tell(Fact::Delivery { op: op.or(Some(other)), command, receipt });
    let judgement = world.judgement();
    world.tell(Fact::DeliveryGivenUp { op, to: GiveUpTo::Custody, judgement });
}

fn tell_at(world: &mut World, at: Instant, op: OpId, news: News) {
    let command = Command { attempt: None, news };
    world.tell_at(at, Fact::Delivery { op: Some(op), command, receipt: None });
}

fn soon(world: &mut World, from: Instant, seconds: i64) -> Instant {
    from.after(Span::seconds(u32::try_from(world.rng.within(0, seconds)).unwrap_or(0)))
}
