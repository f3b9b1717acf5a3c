//! The PIX provider on the way in: payments, holds, cancellations and returns.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::machine::charge::PixPayment;
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};

use crate::oracle::{Charge, ChargeStatus, Oracle};
use crate::world::World;

/// What most payers and the provider do with a charge, planned when it is issued.
pub(crate) fn expect_payment(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(charge) = oracle.charges.get(&op).cloned() else { return };
    if charge.status != ChargeStatus::Pending || world.rng.percent(25) {
        return;
    }
    let left = i64::try_from(charge.expires_at.since(world.now).micros()).unwrap_or(0);
    let paid_at = plus(world.now, world.rng.within(0, left));
    if world.rng.percent(20) {
        return erroneous_delivery(world, op, &charge, paid_at);
    }
    let payment = payment(world, charge.amount, paid_at);
    if charge.buy.is_some() && charge.held_hours.is_none() {
        super::expect_delivery(world, op, paid_at);
    }
    if world.rng.percent(4) {
        return returned_first(world, op, payment, paid_at);
    }
    if world.rng.percent(12) {
        return see(world, op, payment, paid_at);
    }
    if charge.held_hours.is_some() && world.rng.percent(70) {
        let later = world.rng.within(82_000, 90_000) * 1_000_000;
        let named = world.rng.percent(60).then(|| payment.clone());
        let fact = ChargeFact::ProviderReleased { charge: Some(op), payment: named };
        world.report_at(plus(paid_at, later), fact);
    }
    world.report_at(paid_at, ChargeFact::PixReceived { charge: Some(op), payment });
}

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(4) {
        return report_again(world);
    }
    if world.rng.percent(3) {
        return about_nothing(world);
    }
    if world.rng.percent(10) {
        return dispute(world, oracle);
    }
    let Some(op) = world.rng.pick_late(&world.charges).copied() else { return };
    let Some(charge) = oracle.charges.get(&op).cloned() else { return };
    match charge.status {
        ChargeStatus::Pending => pay(world, op, &charge),
        ChargeStatus::Expired => pay_late(world, op, &charge),
        ChargeStatus::UnderReview => while_seen(world, op, &charge),
        ChargeStatus::Delayed => while_held(world, op, &charge),
        ChargeStatus::Paid => after_credit(world, op, &charge),
        ChargeStatus::Failed | ChargeStatus::Refunded => after_the_end(world, op, &charge),
    }
}

/// The payer's bank reports a return, in part or whole, before anybody reports the payment.
fn returned_first(world: &mut World, op: OpId, payment: PixPayment, at: Instant) {
    let cents = payment.amount.cents();
    let part = world.rng.within(1, cents);
    let back = if world.rng.percent(40) { cents } else { part };
    let (return_id, amount) = (world.fresh("d"), cents_of(back));
    world.inject("returns reported before their payment");
    world.report_at(at, ChargeFact::PixReturned { charge: Some(op), return_id, amount });
    let then = plus(at, world.rng.within(1, 1_200_000_000));
    world.report_at(then, ChargeFact::PixReceived { charge: Some(op), payment });
}

/// The PIX is seen before the provider settles it.
fn see(world: &mut World, op: OpId, payment: PixPayment, at: Instant) {
    let charge = Some(op);
    world.report_at(at, ChargeFact::PixSeen { charge, payment: payment.clone() });
    let then = plus(at, world.rng.within(0, 900_000_000));
    match world.rng.by_weight(&[35, 25, 20, 20, 5]) {
        4 => {
            let amount = cents_of(payment.amount.cents() + 1);
            world.report_at(
                then,
                ChargeFact::PixReceived { charge, payment: PixPayment { amount, ..payment } },
            );
        }
        0 => world.report_at(then, ChargeFact::PixReceived { charge, payment }),
        1 => world.report_at(then, ChargeFact::ProviderSettled { charge }),
        2 => world.report_at(then, ChargeFact::ProviderHeld { charge, until: None }),
        _ => {}
    }
}

/// A PIX under review: settled, held, returned in part or whole, or reported again.
fn while_seen(world: &mut World, op: OpId, charge: &Charge) {
    let left = charge.returnable();
    match world.rng.by_weight(&[30, 20, 12, 10, 8, 6, 6]) {
        0 => world.report(ChargeFact::ProviderSettled { charge: Some(op) }),
        1 => {
            let until = world.rng.percent(50).then(|| plus(world.now, 90_000_000_000));
            world.report(ChargeFact::ProviderHeld { charge: Some(op), until });
        }
        2 => {
            let part = world.rng.within(1, left);
            give_back(world, op, part);
        }
        3 => give_back(world, op, left),
        4 => pay_as(world, op, charge.amount, world.now, world.now),
        5 => world.report(ChargeFact::ProviderReleased { charge: Some(op), payment: None }),
        _ => world.report(ChargeFact::ProviderCancelled { charge: Some(op) }),
    }
}

/// What a few do with a charge while it is pending: all but paying it.
fn erroneous_delivery(world: &mut World, op: OpId, charge: &Charge, at: Instant) {
    match world.rng.by_weight(&[50, 30, 20]) {
        0 => pay_wrongly(world, op, charge, at),
        1 => world.report_at(at, ChargeFact::ProviderCancelled { charge: Some(op) }),
        _ => release_unreported(world, op, charge),
    }
}

fn pay_wrongly(world: &mut World, op: OpId, charge: &Charge, at: Instant) {
    let exact = charge.amount;
    let wrong = [exact + 1, exact - 1, exact * 2, exact / 2, 50];
    let wrong = *world.rng.pick(&wrong).unwrap_or(&1);
    pay_as(world, op, wrong, at, at);
}

/// A deposit goes back on a subaccount that has others still held.
fn dispute(world: &mut World, oracle: &Oracle) {
    let holding = oracle.charges.values().filter(|charge| charge.part > 0);
    let holding: Vec<_> = holding.map(|charge| charge.subaccount).collect();
    let Some(subaccount) = world.rng.pick(&holding).copied() else { return };
    let paid = oracle.charges.iter();
    let paid =
        paid.filter(|(_, charge)| charge.subaccount == subaccount && charge.returnable() > 0);
    let paid: Vec<_> = paid.map(|(op, charge)| (*op, charge.returnable())).collect();
    if let Some((op, left)) = world.rng.pick(&paid).copied() {
        let some = world.rng.within(1, left);
        let amount = if world.rng.percent(60) { left } else { some };
        give_back(world, op, amount);
    }
}

fn pay(world: &mut World, op: OpId, charge: &Charge) {
    let exact = charge.amount;
    let now = world.now;
    match world.rng.by_weight(&[40, 14, 10, 10, 14, 12, 10, 12, 10]) {
        8 => pay_by_another_clock(world, op, charge),
        7 => go_back_first(world, op, exact),
        6 => {
            let payment = payment(world, exact, now);
            see(world, op, payment, now);
        }
        0 => pay_as(world, op, exact, now, now),
        1 => pay_wrongly(world, op, charge, now),
        // Paid in time, reported too late; sometimes at the very last instant.
        2 => {
            let paid_at = if world.rng.percent(60) { charge.expires_at } else { now };
            let reported = plus(charge.expires_at, world.rng.within(0, 9_000_000_000));
            pay_as(world, op, exact, paid_at, reported);
        }
        3 => {
            let late = plus(charge.expires_at, 1);
            pay_as(world, op, exact, late, late);
        }
        4 => world.report(ChargeFact::ProviderCancelled { charge: Some(op) }),
        _ => release_unreported(world, op, charge),
    }
}

/// That it went back is reported before that it was paid: a part, several parts, the whole, or
/// more.
fn go_back_first(world: &mut World, op: OpId, exact: i64) {
    let part = world.rng.within(1, exact);
    match world.rng.by_weight(&[35, 30, 25, 10]) {
        0 => give_back(world, op, exact),
        1 => give_back(world, op, part),
        2 => {
            give_back(world, op, part);
            give_back(world, op, (exact - part).max(1));
        }
        _ => give_back(world, op, exact + 1),
    }
    let later = plus(world.now, world.rng.within(0, 600_000_000));
    if world.rng.percent(70) {
        pay_as(world, op, exact, world.now, later);
    }
}

/// The release comes first and names the PIX; the PIX itself is reported later.
fn release_unreported(world: &mut World, op: OpId, charge: &Charge) {
    let wrong = i64::from(world.rng.percent(15));
    let payment = payment(world, charge.amount + wrong, world.now);
    let named = world.rng.percent(80).then(|| payment.clone());
    world.report(ChargeFact::ProviderReleased { charge: Some(op), payment: named });
    let later = plus(world.now, world.rng.within(0, 600_000_000));
    world.report_at(later, ChargeFact::PixReceived { charge: Some(op), payment });
}

fn pay_late(world: &mut World, op: OpId, charge: &Charge) {
    let now = world.now;
    match world.rng.by_weight(&[40, 15, 15, 15, 15]) {
        0 => {
            let before = world.rng.within(0, 600_000_000);
            let paid_at = Instant::from_micros(charge.expires_at.micros() - before);
            pay_as(world, op, charge.amount, paid_at.unwrap_or(now), now);
        }
        1 => pay_as(world, op, charge.amount, charge.expires_at, now),
        2 => pay_as(world, op, charge.amount, plus(charge.expires_at, 1), now),
        3 => world.report(ChargeFact::ProviderCancelled { charge: Some(op) }),
        _ => give_back(world, op, charge.amount),
    }
}

fn while_held(world: &mut World, op: OpId, charge: &Charge) {
    match world.rng.by_weight(&[40, 25, 10, 10, 10, 5]) {
        0 => world.report(ChargeFact::ProviderReleased { charge: Some(op), payment: None }),
        // A part of it, or all but a few centavos, so that less is left than the fee.
        1 => {
            let left = charge.returnable();
            let most_of_it = left - world.rng.within(1, 120);
            let part = world.rng.within(1, left);
            let part = if world.rng.percent(40) { most_of_it } else { part };
            give_back(world, op, part);
        }
        2 => give_back(world, op, charge.returnable()),
        3 => give_back(world, op, charge.returnable() + 1),
        4 => pay_as(world, op, charge.amount, world.now, world.now),
        _ => world.report(ChargeFact::ProviderCancelled { charge: Some(op) }),
    }
}

fn after_credit(world: &mut World, op: OpId, charge: &Charge) {
    let left = charge.returnable();
    let net_left = (left - charge.fee_taken).max(1);
    match world.rng.by_weight(&[22, 14, 16, 8, 12, 10, 5, 4, 4]) {
        7 => world.report(ChargeFact::ProviderSettled { charge: Some(op) }),
        8 => world.report(ChargeFact::ProviderHeld { charge: Some(op), until: None }),
        0 => {
            let part = world.rng.within(1, left);
            give_back(world, op, part);
        }
        1 => {
            let near = net_left + world.rng.within(-60, 60);
            give_back(world, op, near.min(left));
        }
        2 => give_back(world, op, left),
        3 => {
            let above = left + world.rng.within(1, 50);
            give_back(world, op, above);
        }
        4 => pay_as(world, op, charge.amount, world.now, world.now),
        5 => world.report(ChargeFact::ProviderReleased { charge: Some(op), payment: None }),
        _ => world.report(ChargeFact::ProviderCancelled { charge: Some(op) }),
    }
}

fn after_the_end(world: &mut World, op: OpId, charge: &Charge) {
    match world.rng.below(6) {
        4 => world.report(ChargeFact::ProviderSettled { charge: Some(op) }),
        5 => world.report(ChargeFact::ProviderHeld { charge: Some(op), until: None }),
        0 => pay_as(world, op, charge.amount, world.now, world.now),
        1 => give_back(world, op, charge.amount),
        2 => world.report(ChargeFact::ProviderReleased { charge: Some(op), payment: None }),
        _ => world.report(ChargeFact::ProviderCancelled { charge: Some(op) }),
    }
}

/// Money that names no charge, or one that is none.
fn about_nothing(world: &mut World) {
    let other = OpId::new(Kind::Charge, Seq(world.rng.below(9) + 900_000_000));
    let charge = match world.rng.below(3) {
        0 => Some(other),
        1 => world.rng.pick(&world.payouts).copied(),
        _ => None,
    };
    let cents = world.rng.within(1, 20_000);
    if world.rng.percent(15) {
        let payment = payment(world, cents, world.now);
        return world.report(ChargeFact::PixSeen { charge, payment });
    }
    if world.rng.percent(60) {
        let payment = payment(world, cents, world.now);
        world.report(ChargeFact::PixReceived { charge, payment });
    } else {
        let (return_id, amount) = (world.fresh("d"), cents_of(cents));
        world.report(ChargeFact::PixReturned { charge, return_id, amount });
    }
}

/// Something the provider already said, days or seconds ago.
fn report_again(world: &mut World) {
    if let Some(reported) = world.rng.pick(&world.reported).cloned() {
        world.inject("old facts reported again");
        world.plan(world.now, ledger_core::ledger::Intent::Fact(reported));
    }
}

/// A PIX whose payment the provider dates by a clock of its own, which runs ahead by up to a
/// minute, or says that it came before the charge did.
fn pay_by_another_clock(world: &mut World, op: OpId, charge: &Charge) {
    world.inject("provider's clock differs");
    let paid_at = if world.rng.percent(70) {
        plus(world.now, world.rng.within(1, 60_000_000))
    } else {
        let before = world.rng.within(1, 3_000_000);
        Instant::from_micros(charge.created_at.micros() - before).unwrap_or(world.now)
    };
    pay_as(world, op, charge.amount, paid_at, world.now);
}

fn pay_as(world: &mut World, op: OpId, cents: i64, paid_at: Instant, reported: Instant) {
    let payment = payment(world, cents, paid_at);
    world.report_at(reported.max(world.now), ChargeFact::PixReceived { charge: Some(op), payment });
}

fn give_back(world: &mut World, op: OpId, cents: i64) {
    let (return_id, amount) = (world.fresh("d"), cents_of(cents));
    world.report(ChargeFact::PixReturned { charge: Some(op), return_id, amount });
}

fn payment(world: &mut World, cents: i64, paid_at: Instant) -> PixPayment {
    PixPayment { e2e: world.fresh("e"), amount: cents_of(cents), paid_at }
}

fn cents_of(cents: i64) -> Amount {
    Amount::new(cents).unwrap_or(Amount::CENTAVO)
}

/// Later by so many microseconds.
fn plus(at: Instant, micros: i64) -> Instant {
    Instant::from_micros(at.micros() + micros.max(0)).unwrap_or(at.after(Span::seconds(0)))
}
