//! The clock: it mostly ticks, sometimes strides, and now and then leaps.

use ledger_core::time::Span;

use crate::rng::Rng;
use crate::world::{World, nothing_but_time};

/// How long nothing happens: from nothing at all to days.
pub(crate) fn step(rng: &mut Rng) -> Span {
    match rng.by_weight(&[25, 35, 25, 12, 2, 1]) {
        0 => Span::seconds(0),
        1 => seconds(rng, 0, 30),
        2 => seconds(rng, 30, 900),
        3 => seconds(rng, 900, 7_200),
        4 => seconds(rng, 7_200, 86_400),
        _ => seconds(rng, 86_400, 260_000),
    }
}

/// Time is made to pass: a moment, over the next midnights, or past every bound.
pub(super) fn act(world: &mut World) {
    let leap = match world.rng.by_weight(&[40, 40, 15, 5]) {
        0 => Span::seconds(0),
        1 => seconds(&mut world.rng, 1, 90_000),
        2 => Span::hours(60),
        _ => Span::days(95),
    };
    world.now = world.now.after(leap);
    world.plan(world.now, nothing_but_time());
}

fn seconds(rng: &mut Rng, least: i64, most: i64) -> Span {
    Span::seconds(u32::try_from(rng.within(least, most)).unwrap_or(0))
}
