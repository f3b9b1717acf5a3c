//! The deliverers of crypto: the exchange, the own wallet, and the operators who look after them.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{GiveUpTo, InstructionKey, TaskKind};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::machine::erroneous_delivery;
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};

use crate::oracle::{ChargeStatus, DeliveryProgress, End, Oracle, Stage};
use crate::world::World;

/// What mostly becomes of a delivery, planned when it can begin.
pub(crate) fn expect_conversion(world: &mut World, _: &Oracle, op: OpId) {
    expect_delivery(world, op, world.now);
}

pub(crate) fn expect_delivery(world: &mut World, op: OpId, from: Instant) {
    if world.rng.percent(35) {
        return;
    }
    let begun = soon(world, from, 120);
    report_at(world, begun, op, DeliveryReport::Begin);
    let then = soon(world, begun, 1_800);
    let report = match world.rng.by_weight(&[55, 15, 15, 15]) {
        0 => DeliveryReport::Confirm(world.transaction(None)),
        1 => DeliveryReport::Accept,
        2 => DeliveryReport::Fail,
        _ => DeliveryReport::Lose,
    };
    report_at(world, then, op, report);
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(4) {
        return about_nothing(world);
    }
    if world.rng.percent(20) {
        return settle_erroneous_delivery(world, oracle);
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
            let (course, left) = (buy.course.clone(), charge.returnable());
            if let Some((_, before)) = buy.rest.filter(|_| world.rng.percent(12)) {
                // An attempt to deliver the whole was not called off after all.
                let report = DeliveryReport::Confirm(world.transaction(None));
                let command = Command { attempt: Some(before), report };
                return world.report(PurchaseFact::Delivery {
                    op: Some(op),
                    command,
                    payment: None,
                });
            }
            moves(world, op, &course, left);
        }
    }
}

/// What may happen to a delivery where it stands.
fn moves(world: &mut World, op: OpId, course: &DeliveryProgress, left: i64) {
    let weights: [u32; 9] = match course.stage {
        // begin, accept, fail, lose, confirm, found sent, found not sent, give up, return
        Stage::Waiting => [45, 6, 6, 6, 8, 2, 2, 12, 8],
        Stage::Sending => [5, 20, 18, 22, 25, 3, 3, 4, 5],
        Stage::Accepted => [4, 4, 20, 25, 35, 3, 3, 3, 5],
        Stage::Unknown => [4, 4, 12, 4, 14, 20, 26, 6, 16],
        Stage::Retrying => [48, 5, 6, 5, 10, 4, 4, 18, 10],
        Stage::Sent => [6, 6, 8, 6, 16, 8, 8, 6, 30],
    };
    let report = match world.rng.by_weight(&weights) {
        0 if world.rng.percent(40) => {
            let attempt = course.attempt + u32::from(world.rng.percent(85));
            return world.hand_out(InstructionKey { op, kind: TaskKind::Deliver, attempt });
        }
        0 => DeliveryReport::Begin,
        1 => DeliveryReport::Accept,
        2 => DeliveryReport::Fail,
        3 => DeliveryReport::Lose,
        4 => DeliveryReport::Confirm(hash(world, course)),
        place @ (5 | 6) => {
            let sent = (place == 5).then(|| hash(world, course));
            let decided_by = world.decided_by();
            return world.report(PurchaseFact::DeliveryEvidence { op: Some(op), sent, decided_by });
        }
        7 => return give_up(world, op),
        _ if op.kind() != Kind::Charge => return give_up(world, op),
        _ => {
            let some = world.rng.within(1, left.max(1));
            let amount = if world.rng.percent(50) { left.max(1) } else { some };
            let amount = Amount::new(amount).unwrap_or(Amount::CENTAVO);
            let return_id = world.fresh("d");
            return world.report(ChargeFact::PixReturned { charge: Some(op), return_id, amount });
        }
    };
    let attempt = match world.rng.by_weight(&[50, 34, 11, 5]) {
        0 => None,
        1 => Some(course.attempt.max(1)),
        2 => Some(course.attempt + 1),
        _ => Some(course.attempt.saturating_sub(1).max(1)),
    };
    let command = Command { attempt, report };
    let payment = world.rng.percent(4).then(|| another_pix(world));
    world.report(PurchaseFact::Delivery { op: Some(op), command, payment });
}

/// A PIX that a report of a delivery names although it is not the one that paid.
fn another_pix(world: &mut World) -> PixPayment {
    let amount = Amount::new(world.rng.within(1, 30_000)).unwrap_or(Amount::CENTAVO);
    PixPayment { e2e: world.fresh("e"), amount, paid_at: world.now }
}

/// Mostly a new transaction; sometimes the one we know.
fn hash(world: &mut World, course: &DeliveryProgress) -> Box<str> {
    let known = course.hash.clone().filter(|_| world.rng.percent(50));
    known.unwrap_or_else(|| world.transaction(None))
}

/// That it was sent is the first we hear of its payment; the PIX is reported with it, or not at
/// all.
fn unpaid(world: &mut World, op: OpId, cents: i64, pending: bool) {
    if !world.rng.percent(if pending { 40 } else { 60 }) {
        return;
    }
    let wrong = i64::from(world.rng.percent(15));
    let amount = Amount::new(cents + wrong).unwrap_or(Amount::CENTAVO);
    let payment = PixPayment { e2e: world.fresh("e"), amount, paid_at: world.now };
    let named = world.rng.percent(if pending { 55 } else { 70 }).then(|| payment.clone());
    let hash = world.transaction(None);
    let report =
        if world.rng.percent(85) { DeliveryReport::Confirm(hash) } else { DeliveryReport::Accept };
    if let (DeliveryReport::Confirm(hash), None, true) = (&report, &named, pending)
        && world.rng.percent(90)
    {
        // The payment comes to light after all, and with it the reason for what was sent.
        let payment = PixPayment { e2e: world.fresh("e"), ..payment.clone() };
        let paid = soon(world, world.now, 30);
        world.report_at(paid, ChargeFact::PixReceived { charge: Some(op), payment });
        let again = soon(world, paid, 30);
        report_at(world, again, op, DeliveryReport::Confirm(hash.clone()));
    }
    let payment = named.filter(|_| matches!(report, DeliveryReport::Confirm(_)));
    if let Some(payment) = payment.clone().filter(|_| world.rng.percent(40)) {
        let later = soon(world, world.now, 900);
        world.report_at(later, ChargeFact::PixReceived { charge: Some(op), payment });
    }
    let command = Command { attempt: None, report };
    world.report(PurchaseFact::Delivery { op: Some(op), command, payment });
}

/// What is reported of a delivery whose money went elsewhere; sometimes twice of one transaction.
fn afterwards(world: &mut World, op: OpId) {
    let report = match world.rng.by_weight(&[40, 20, 15, 15, 10]) {
        0 => DeliveryReport::Confirm(world.transaction(None)),
        1 => DeliveryReport::Fail,
        2 => DeliveryReport::Lose,
        3 => DeliveryReport::Begin,
        _ if world.rng.percent(30) => return resume(world, op),
        _ => return give_up(world, op),
    };
    if let DeliveryReport::Confirm(hash) = &report
        && world.rng.percent(40)
    {
        let (sent, decided_by) = (Some(hash.clone()), world.decided_by());
        world.report(PurchaseFact::DeliveryEvidence { op: Some(op), sent, decided_by });
    }
    report_at(world, world.now, op, report);
}

fn give_up(world: &mut World, op: OpId) {
    let decided_by = world.decided_by();
    let to_payer = world.rng.percent(if op.kind() == Kind::Charge { 55 } else { 8 });
    let to = if to_payer { GiveUpTo::Payer(world.fresh("d")) } else { GiveUpTo::Custody };
    if let GiveUpTo::Payer(return_id) = &to {
        // The provider reports the same return.
        if world.rng.percent(40) {
            let (return_id, amount) = (return_id.clone(), Amount::CENTAVO);
            let later = soon(world, world.now, 3_600);
            world.report_at(later, ChargeFact::PixReturned { charge: Some(op), return_id, amount });
        }
        if world.rng.percent(10) {
            let to = to.clone();
            world.report(PurchaseFact::DeliveryGivenUp { op: Some(op), to, decided_by });
        }
    }
    world.report(PurchaseFact::DeliveryGivenUp { op: Some(op), to, decided_by });
}

/// A person lets what is left be delivered.
fn resume(world: &mut World, op: OpId) {
    let decided_by = world.decided_by();
    world.report(PurchaseFact::DeliveryResumed { op: Some(op), decided_by });
}

fn settle_erroneous_delivery(world: &mut World, oracle: &Oracle) {
    let open = |op: &&OpId| oracle.erroneous_deliveries.get(op).is_some_and(|it| it.end.is_none());
    let open: Vec<OpId> = world.erroneous_deliveries.iter().filter(open).copied().collect();
    let some = world.rng.pick(&open).copied().filter(|_| world.rng.percent(80));
    let erroneous_delivery = some.or_else(|| world.rng.pick(&world.erroneous_deliveries).copied());
    let lost = world.rng.percent(40);
    let end = if lost { erroneous_delivery::End::Lost } else { erroneous_delivery::End::Recovered };
    let decided_by = world.decided_by();
    world.report(PurchaseFact::ErroneousDeliverySettled { erroneous_delivery, end, decided_by });
}

fn about_nothing(world: &mut World) {
    let other = OpId::new(Kind::Charge, Seq(world.rng.below(9) + 900_000_000));
    let op = match world.rng.below(3) {
        0 => Some(other),
        1 => world.rng.pick(&world.payouts).copied(),
        _ => None,
    };
    let payment = world.rng.percent(30).then(|| another_pix(world));
    let command = Command { attempt: None, report: DeliveryReport::Begin };
    world.report(PurchaseFact::Delivery { op: op.or(Some(other)), command, payment });
    let decided_by = world.decided_by();
    world.report(PurchaseFact::DeliveryGivenUp { op, to: GiveUpTo::Custody, decided_by });
}

fn report_at(world: &mut World, at: Instant, op: OpId, report: DeliveryReport) {
    let command = Command { attempt: None, report };
    world.report_at(at, PurchaseFact::Delivery { op: Some(op), command, payment: None });
}

fn soon(world: &mut World, from: Instant, seconds: i64) -> Instant {
    from.after(Span::seconds(u32::try_from(world.rng.within(0, seconds)).unwrap_or(0)))
}
