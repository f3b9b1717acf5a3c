//! Banks that contest a PIX, and operators who block, decide and let it go back (MED 2.0).

use ledger_core::id::{OpId, SubaccountId};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::recovery::{Fact, Ruling};
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};

use crate::actors::values::amount;
use crate::oracle::{ChargeStatus, Custody, Oracle, Recovery};
use crate::world::World;

/// Few names, so that they meet again.
const NAMES: u64 = 14;

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let names: Vec<&Box<str>> = oracle.recoveries.keys().collect();
    if names.is_empty() || world.rng.percent(22) {
        return open(world, oracle);
    }
    let live: Vec<_> = names.iter().filter(|name| may_go_on(oracle, name)).copied().collect();
    let names = if live.is_empty() || world.rng.percent(10) { names } else { live };
    let Some(name) = world.rng.pick(&names).copied() else { return };
    let known = &oracle.recoveries[name];
    let [blocked, _] = oracle.covered_by(name);
    let blocks = if known.blocks_until <= world.now { 4 } else { 60 };
    let weights = match (known.accepted, blocked) {
        (None, 0) => [blocks, 12, 2, 6],
        (None, _) => [blocks / 2, 40, 5, 6],
        (Some(_), 0) => [blocks / 2, 6, 4, 6],
        (Some(_), _) => [blocks / 4, 6, 60, 4],
    };
    match world.rng.by_weight(&weights) {
        0 => block(world, oracle, name, known),
        1 => decide(world, oracle, name, known),
        2 => refund(world, oracle, name, known),
        _ => open_again(world, name, known),
    }
}

/// Tells whether more may be blocked, decided or given back.
fn may_go_on(oracle: &Oracle, name: &str) -> bool {
    let cause = oracle.recoveries[name].cause;
    !oracle.is_recovered(name) && oracle.charges[&cause].status == ChargeStatus::Paid
}

/// At the end what is undecided is mostly decided, and what is blocked of it goes back.
pub(crate) fn end_recovery(world: &mut World, oracle: &Oracle, name: &str) {
    let known = &oracle.recoveries[name];
    if known.accepted.is_none() {
        if world.rng.percent(70) {
            decide(world, oracle, name, known);
        }
    } else if oracle.covered_by(name)[0] > 0 && world.rng.percent(80) {
        refund(world, oracle, name, known);
    }
}

/// A bank asks for what is left of a deposit, a part of it, or a centavo more; mostly somebody
/// blocks soon after, and now and then decides.
fn open(world: &mut World, oracle: &Oracle) {
    let mut name = draw_name(world);
    if oracle.recoveries.contains_key(&name) && world.rng.percent(80) {
        name = draw_name(world);
    }
    let charge = draw_cause(world, oracle);
    let credited = charge.filter(|op| oracle.charges.contains_key(op));
    let left = credited.map_or(1_000, |op| oracle.contestable(op)).max(1);
    let cents = match world.rng.below(10) {
        0 => left + 1,
        1..4 => world.rng.within(1, left),
        4 => (left + 1) / 2,
        _ => left,
    };
    let watch = oracle.policy.shortfall_watch;
    let blocks_until = deadline(world, 30, watch);
    let decides_until = deadline(world, 25, Span::days(400));
    let opened = Fact::Opened {
        recovery: name.clone(),
        charge,
        amount: amount(cents),
        blocks_until,
        decides_until,
        decided_by: world.decided_by(),
    };
    world.report(opened);
    let fits = cents <= left && !oracle.recoveries.contains_key(&name);
    let Some(cause) = credited.filter(|op| fits && may_be_contested(oracle, *op)) else { return };
    let bearer = oracle.charges[&cause].subaccount;
    for percent in [60, 30] {
        if world.rng.percent(percent) {
            let soon = world.rng.within(0, 3_600);
            block_on(world, oracle, (&name, Some(cause)), Some(bearer), soon);
        }
    }
}

fn draw_name(world: &mut World) -> Box<str> {
    format!("rec-{}", 1 + world.rng.below(NAMES)).into()
}

/// Mostly a deposit that was credited; now and then any charge, what is none, or nothing.
fn draw_cause(world: &mut World, oracle: &Oracle) -> Option<OpId> {
    let usual = |op: &OpId| may_be_contested(oracle, *op);
    if world.rng.percent(78) {
        for _ in 0..6 {
            let drawn = world.rng.pick_late(&world.charges).copied().filter(usual);
            if drawn.is_some() {
                return drawn;
            }
        }
    }
    let ops = if world.rng.percent(92) { &world.charges } else { &world.payouts };
    world.rng.pick_late(ops).copied().filter(|_| world.rng.percent(97))
}

/// Tells whether a deposit was credited of a charge, and did not go back.
fn may_be_contested(oracle: &Oracle, op: OpId) -> bool {
    let charge = oracle.charges.get(&op);
    charge.is_some_and(|it| it.status == ChargeStatus::Paid && it.buy.is_none())
}

/// A deadline in so many cases of a hundred: within days, at the last, past it or over already.
fn deadline(world: &mut World, percent: u64, last: Span) -> Option<Instant> {
    if !world.rng.percent(percent) {
        return None;
    }
    let hours = u32::try_from(world.rng.within(1, 96)).unwrap_or(1);
    Some(match world.rng.below(12) {
        0 => world.now,
        1 => world.now.after(last).after(Span::days(2)),
        2 => world.now.after(last),
        _ => world.now.after(Span::hours(hours)),
    })
}

fn open_again(world: &mut World, name: &str, known: &Recovery) {
    let says = |world: &mut World, until: Instant| world.rng.percent(40).then_some(until);
    let mut blocks_until = says(world, known.blocks_until);
    let decides_until = says(world, known.decides_until);
    let mut cents = known.amount;
    match world.rng.below(6) {
        0 => cents += 1,
        1 => blocks_until = Some(known.blocks_until.after(Span::seconds(1))),
        _ => {}
    }
    let decided_by = world.decided_by();
    world.report(Fact::Opened {
        recovery: name.into(),
        charge: Some(known.cause),
        amount: amount(cents),
        blocks_until,
        decides_until,
        decided_by,
    });
}

fn block(world: &mut World, oracle: &Oracle, name: &str, known: &Recovery) {
    let bearer = oracle.charges.get(&known.cause).map(|charge| charge.subaccount);
    let cause = named_cause(world, known);
    block_on(world, oracle, (name, cause), bearer, 0);
}

/// Its bearer, somebody of the same account who has something, or a stranger.
fn block_on(
    world: &mut World,
    oracle: &Oracle,
    (name, cause): (&str, Option<OpId>),
    bearer: Option<SubaccountId>,
    within: i64,
) {
    let Some(bearer) = bearer.map(|id| &oracle.subaccounts[id.0 as usize]) else { return };
    let rich = |it: &&Custody| it.account == bearer.account && it.available > 0;
    let rich: Vec<_> = oracle.subaccounts.iter().filter(rich).collect();
    let drawn = match world.rng.by_weight(&[35, 50, 12]) {
        0 => Some(bearer),
        1 => world.rng.pick(&rich).copied(),
        _ => None,
    };
    let (owner, customer) = match drawn {
        Some(drawn) => {
            let customer = drawn.customer.clone().filter(|_| world.rng.percent(85));
            (world.client_of(drawn.account).cloned(), customer)
        }
        None => {
            let client = world.client();
            let customer = client.as_ref().and_then(|client| world.customer(client));
            (client, customer)
        }
    };
    let Some(client) = owner else { return };
    let decided_by = world.decided_by();
    let (recovery, account) = (name.into(), client.name.clone());
    let blocked = Fact::Blocked { recovery, charge: cause, account, customer, decided_by };
    let later = world.now.after(seconds(within));
    world.report_at(later, blocked);
}

/// Its own, and now and then another charge's or none.
fn named_cause(world: &mut World, known: &Recovery) -> Option<OpId> {
    match world.rng.below(40) {
        0 => None,
        1 => world.rng.pick(&world.charges).copied(),
        _ => Some(known.cause),
    }
}

/// All of it, what is blocked, a part, nothing or too much; again the same, or otherwise.
fn decide(world: &mut World, oracle: &Oracle, name: &str, known: &Recovery) {
    let [blocked, _] = oracle.covered_by(name);
    let part = amount(world.rng.within(1, known.amount));
    let before = known.accepted.filter(|_| world.rng.percent(60)).map(Amount::new);
    let ruling = match (before, world.rng.by_weight(&[26, 26, 20, 8, 20])) {
        (Some(before), _) => before.map_or(Ruling::Rejected, |part| Ruling::Accepted(Some(part))),
        (_, 0) => Ruling::Accepted(None),
        (_, 1) => Ruling::Accepted(Some(part)),
        (_, 2) => Amount::new(blocked).map_or(Ruling::Rejected, |it| Ruling::Accepted(Some(it))),
        (_, 3) => Ruling::Accepted(Some(amount(known.amount + 1))),
        _ => Ruling::Rejected,
    };
    let charge = named_cause(world, known);
    let (recovery, decided_by) = (name.into(), world.decided_by());
    world.report(Fact::Decided { recovery, charge, ruling, decided_by });
}

/// All that may go back, a part of it, or a centavo more; the same return is told as one of the
/// PIX before or after.
fn refund(world: &mut World, oracle: &Oracle, name: &str, known: &Recovery) {
    let charge = &oracle.charges[&known.cause];
    let [blocked, _] = oracle.covered_by(name);
    let outstanding = oracle.outstanding(name).min(charge.returnable());
    let most = outstanding.min(blocked + charge.fee_taken).max(1);
    let cents = match world.rng.below(10) {
        0 => most + 1,
        1..4 => world.rng.within(1, most),
        4 => outstanding.min(blocked).max(1),
        _ => most,
    };
    let (return_id, mut cause) = (world.fresh("d"), Some(known.cause));
    if world.rng.percent(8) {
        cause = world.rng.pick_late(&world.charges).copied().filter(|_| world.rng.percent(80));
    }
    let (recovery, amount) = (name.into(), amount(cents));
    let returned =
        ChargeFact::PixReturned { charge: Some(known.cause), return_id: return_id.clone(), amount };
    let refunded = Fact::Refunded { recovery, charge: cause, return_id, amount };
    let later = world.now.after(seconds(world.rng.within(1, 7_200)));
    match world.rng.by_weight(&[80, 8, 12]) {
        0 => world.report(refunded),
        1 => {
            world.report(returned);
            world.report_at(later, refunded);
        }
        _ => {
            world.report(refunded);
            world.report_at(later, returned);
        }
    }
}

fn seconds(most: i64) -> Span {
    Span::seconds(u32::try_from(most).unwrap_or(0))
}
