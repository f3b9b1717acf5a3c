//! The policies that operators adopt: drawn anew each time, and what is paused goes on later.

use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::terms::{Ladder, Policy, SaleLimits, Switch};
use ledger_core::time::Span;

use super::{as_cents, cents};
use crate::actors::sale;
use crate::world::World;

pub(super) fn adopt_policy(world: &mut World) {
    let policy = policy(world);
    let sales = policy.sale_limits();
    let stopped = sales.paused.is_on() || sales.codes_paused.is_on();
    let paused = policy.cash_in_paused.is_on() || policy.conversions_paused.is_on() || stopped;
    if paused {
        let on = Policy {
            cash_in_paused: Switch::Off,
            conversions_paused: Switch::Off,
            sales: Some(SaleLimits { paused: Switch::Off, codes_paused: Switch::Off, ..sales }),
            ..policy.clone()
        };
        world.report_at(world.now.after(Span::seconds(900)), AccountFact::PolicyAdopted(on));
    }
    world.report(AccountFact::PolicyAdopted(policy));
}

pub(super) fn policy(world: &mut World) -> Policy {
    let published = Policy::default();
    let steep = Ladder {
        first_qr: cents(20_000),
        first_transaction: cents(30_000),
        first_day: cents(50_000),
        mature_day: cents(90_000),
        held: cents(250_000),
        hours: 30,
    };
    let sales = sale::limits(world);
    let ladders = [None, None, Some(Ladder::default()), Some(steep)];
    let rng = &mut world.rng;
    let mut switch = |on: u64| if rng.percent(on) { Switch::On } else { Switch::Off };
    let policy = Policy {
        house_covers_negatives: switch(85),
        returned_payout_refunds_fee: switch(50),
        divergent_charge_is_refused: switch(75),
        interval_before_reference: switch(20),
        cash_in_paused: switch(3),
        conversions_paused: switch(5),
        sales,
        test_keys: Some(2),
        ..published
    };
    Policy {
        largest_jump: *world
            .rng
            .pick(&[24, 48, 48, 72])
            .map(|h| Span::hours(*h))
            .get_or_insert(policy.largest_jump),
        least_net: as_cents(*world.rng.pick(&[1, 1, 0, 50]).unwrap_or(&1)),
        shortfall_watch: *world
            .rng
            .pick(&[Span::days(90), Span::days(1), Span::hours(1)])
            .unwrap_or(&policy.shortfall_watch),
        ladder: *world.rng.pick(&ladders).unwrap_or(&None),
        rate_age: *world
            .rng
            .pick(&[Some(Span::seconds(900)), Some(Span::seconds(900)), Some(Span::hours(2)), None])
            .unwrap_or(&None),
        precaution: *world
            .rng
            .pick(&[Some(Span::hours(72)), Some(Span::hours(72)), Some(Span::hours(1)), None])
            .unwrap_or(&None),
        commission_interval: *world
            .rng
            .pick(&[Some(Span::hours(24)), Some(Span::hours(1)), None])
            .unwrap_or(&None),
        ..policy
    }
}
