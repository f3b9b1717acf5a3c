//! Operators: accounts and terms, own money, blocks, suspense, corrections.

use std::sync::Arc;

use ledger_core::id::{KeyHash, OpId};
use ledger_core::ledger::{Fact, Income, Intent, OwnAccount, Reported};
use ledger_core::machine::hold;
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{
    Ladder, Policy, Rate, Release, Review, SaleLimits, Switch, Tariff, Terms,
};
use ledger_core::time::Span;

use super::purchase::market;
use super::sale;
use crate::oracle::{ChargeStatus, Hold, Oracle, WaitingStatus};
use crate::world::{Client, World};

/// Three integrators open accounts under terms of three kinds, and the floats are funded.
pub(crate) fn open_accounts(world: &mut World) {
    let id = Some("policy".into());
    let policy = policy(world);
    world.plan(world.now, Intent::Fact(Reported { id, fact: Fact::PolicyAdopted(policy) }));
    market::open(world);
    sale::market::open(world);
    super::offer(world);
    for _ in 0..30 {
        review(world, Review::Identified);
    }
    for (number, name) in (0..).zip(["loja", "banca", "feira"]) {
        let terms = if number == 0 { None } else { Some(terms_of_kind(number)) };
        open(world, name.into(), number, terms);
    }
    for to in [OwnAccount::ProviderPay, OwnAccount::ProviderPix] {
        let amount = cents(50_000_000);
        world.report(Fact::TreasuryMoved { from: OwnAccount::Funding, to, amount });
    }
}

fn open(world: &mut World, name: Box<str>, key: u8, terms: Option<Terms>) {
    world.report(Fact::AccountOpened { name, key: KeyHash([key; 32]), terms });
}

/// Published terms; then low percentages at once and without retention; then high fees and tariffs.
pub(super) fn terms_of_kind(kind: u8) -> Terms {
    let published = Terms { wallet: Some(Switch::On), ..Terms::published() };
    match kind {
        0 => published,
        1 => Terms {
            deposit: rate(35, 0),
            payout_house: bps(180),
            payout_partner: bps(50),
            payout_tariff: Tariff::Fixed(as_cents(100)),
            charge_least: cents(1),
            retention_above: None,
            purchase: rate(35, 0),
            purchase_partner: bps(70),
            conversion: rate(180, 100),
            liquid: as_cents(3),
            sale: Some(rate(35, 0)),
            sale_partner: Some(bps(50)),
            release: Release::Immediate,
            ..published
        },
        _ => Terms {
            deposit: rate(200, 200),
            payout_house: bps(150),
            payout_partner: bps(100),
            payout_tariff: Tariff::Fixed(as_cents(100)),
            payout_least: cents(50),
            payout_most: cents(900_000),
            waiting_hours: 36,
            purchase: rate(200, 200),
            purchase_partner: bps(100),
            crypto_withdrawal: bps(10),
            conversion: rate(330, 0),
            sale: Some(rate(200, 200)),
            ..published
        },
    }
}

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.weighted(&[30, 18, 14, 10, 10, 4, 5, 7, 2, 5, 3]) {
        10 => court(world, oracle),
        9 => {
            let found = [Review::Identified, Review::Identified, Review::Unknown, Review::Blocked];
            let found = *world.rng.pick(&found).unwrap_or(&Review::Unknown);
            review(world, found);
        }
        0 => place_hold(world, oracle),
        1 => release_hold(world, oracle),
        2 => attach(world, oracle),
        3 => return_suspense(world, oracle),
        4 => correct(world, oracle),
        5 => move_treasury(world),
        6 => adopt_policy(world),
        7 => adopt_terms(world, oracle),
        _ => open_again(world),
    }
}

fn place_hold(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    let kinds = [
        hold::Kind::Dispute,
        hold::Kind::Precautionary,
        hold::Kind::Judicial,
        hold::Kind::Administrative,
    ];
    let kind = if world.rng.percent(2) {
        hold::Kind::Maturity
    } else {
        *world.rng.pick(&kinds).unwrap_or(&hold::Kind::Dispute)
    };
    let cause = if world.rng.percent(65) { a_cause(world, oracle) } else { None };
    let owner = cause.and_then(|cause| owner(world, oracle, cause));
    let (client, customer) = match owner {
        Some(owner) if !world.rng.percent(6) => owner,
        _ => {
            let customer = world.customer(&client);
            (client, customer)
        }
    };
    let disputed = cause.and_then(|cause| oracle.charges.get(&cause)).map(|charge| charge.amount);
    let most = disputed.unwrap_or(20_000);
    let amount = if world.rng.percent(50) { most } else { world.rng.within(1, most * 2) };
    let decided_by = world.decided_by();
    let (account, amount) = (client.name.clone(), cents(amount));
    world.report(Fact::HoldPlaced { account, customer, cause, kind, amount, decided_by });
}

/// Mostly a deposit that is still held or was paid; sometimes anything.
fn a_cause(world: &mut World, oracle: &Oracle) -> Option<OpId> {
    for _ in 0..4 {
        let op = world.rng.pick_late(&world.charges).copied()?;
        let charge = oracle.charges.get(&op)?;
        let usual =
            charge.status == ChargeStatus::Paid && (charge.part > 0 || world.rng.percent(30));
        if usual {
            return Some(op);
        }
    }
    let ops = if world.rng.percent(90) { &world.charges } else { &world.payouts };
    world.rng.pick_late(ops).copied()
}

fn owner(world: &World, oracle: &Oracle, charge: OpId) -> Option<(Arc<Client>, Option<Box<str>>)> {
    let subaccount = oracle.charges.get(&charge)?.subaccount;
    let subaccount = &oracle.subaccounts[subaccount.0 as usize];
    let client = world.client_of(subaccount.account)?;
    Some((client.clone(), subaccount.customer.clone()))
}

fn release_hold(world: &mut World, oracle: &Oracle) {
    let open: Vec<OpId> = world
        .holds
        .iter()
        .filter(|op| oracle.holds.get(op).is_some_and(|hold| !hold.closed))
        .copied()
        .collect();
    let hold = if world.rng.percent(85) {
        world.rng.pick(&open).copied()
    } else {
        world.rng.pick(&world.holds).or(world.rng.pick(&world.charges)).copied()
    };
    let blocked = hold.and_then(|op| oracle.holds.get(&op)).map_or(1_000, Hold::blocked);
    let amount = match world.rng.below(3) {
        0 => None,
        1 => Amount::new(blocked),
        _ => Amount::new(world.rng.within(1, blocked + 10)),
    };
    let decided_by = world.decided_by();
    world.report(Fact::HoldReleased { hold, amount, decided_by });
}

/// A court takes money, now and then through the block that was placed for it.
fn court(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    let customer = world.customer(&client);
    let open = |op: &&OpId| oracle.holds.get(op).is_some_and(|hold| !hold.closed);
    let open: Vec<OpId> = world.holds.iter().filter(open).copied().collect();
    let hold = world.rng.pick(&open).copied().filter(|_| world.rng.percent(40));
    // Mostly the holder's own subaccount; sometimes one that the block is not on.
    let subaccount =
        hold.and_then(|op| oracle.subaccounts.get(oracle.holds[&op].subaccount.0 as usize));
    let owner = subaccount.filter(|_| world.rng.percent(85)).and_then(|subaccount| {
        let account = world.client_of(subaccount.account)?.name.clone();
        Some((account, subaccount.customer.clone()))
    });
    let (account, customer) = owner.unwrap_or((client.name.clone(), customer));
    let amount = cents(world.rng.within(1, 20_000));
    let decided_by = world.decided_by();
    world.report(Fact::CourtOrdered { account, customer, hold, amount, decided_by });
}

fn attach(world: &mut World, oracle: &Oracle) {
    let suspense = waiting(world, oracle);
    let unpaid = world
        .charges
        .iter()
        .rev()
        .filter(|op| oracle.charges.get(op).is_some_and(|charge| charge.received == 0));
    let unpaid: Vec<OpId> = unpaid.take(9).copied().collect();
    let charges = if world.rng.percent(70) { &unpaid } else { &world.charges };
    let charge = world.rng.pick_late(charges).copied();
    // Mostly the one it was meant for: paid too late, or in another's name.
    let waits = suspense.and_then(|op| oracle.suspense.get(&op)).map(|it| it.amount);
    let meant = oracle
        .charges
        .iter()
        .rev()
        .find(|(_, charge)| charge.received == 0 && Some(charge.amount) == waits);
    let meant = meant.map(|(op, _)| *op).filter(|_| world.rng.percent(50));
    // A return is mostly of a charge of which so much is left.
    let back = suspense.and_then(|op| oracle.suspense.get(&op)).filter(|it| it.is_deposit_back());
    let of = back.and_then(|back| {
        oracle.charges.iter().rev().find(|(_, charge)| charge.left() >= back.amount)
    });
    let of = of.map(|(op, _)| *op).filter(|_| world.rng.percent(70));
    let charge = of.or(meant).or(charge);
    let decided_by = world.decided_by();
    world.report(Fact::SuspenseAttached { suspense, charge, decided_by });
}

/// Something put aside: mostly what still waits.
fn waiting(world: &mut World, oracle: &Oracle) -> Option<OpId> {
    if world.rng.percent(20) {
        return world.rng.pick_late(&world.suspense).copied();
    }
    let waiting =
        world.suspense.iter().rev().filter(|op| {
            oracle.suspense.get(op).is_some_and(|it| it.status == WaitingStatus::Waiting)
        });
    let waiting: Vec<OpId> = waiting.take(9).copied().collect();
    world.rng.pick(&waiting).copied()
}

fn return_suspense(world: &mut World, oracle: &Oracle) {
    let suspense = waiting(world, oracle);
    let decided_by = world.decided_by();
    world.report(Fact::SuspenseReturned { suspense, decided_by });
}

/// A fee corrected, or what a subaccount owes written off.
fn correct(world: &mut World, oracle: &Oracle) {
    let owing = oracle.subaccounts.iter().find(|subaccount| subaccount.available < 0);
    if let Some(subaccount) = owing.filter(|_| world.rng.percent(50)) {
        let owed = -subaccount.available;
        let amount = match world.rng.below(4) {
            0 => owed,
            1 => owed + 1,
            _ => world.rng.within(1, owed),
        };
        let Some(account) = world.client_of(subaccount.account) else { return };
        let account = account.name.clone();
        let (customer, decided_by) = (subaccount.customer.clone(), world.decided_by());
        let amount = cents(amount);
        world.report(Fact::BalanceWrittenOff { account, customer, amount, decided_by });
        return;
    }
    let Some(client) = world.client() else { return };
    let (given, charged) = match world.rng.below(10) {
        0 => (0, 0),
        1 => (10, 10),
        2..7 => (world.rng.within(1, 500), 0),
        _ => (0, world.rng.within(1, 2_000)),
    };
    let income = if world.rng.percent(50) { Income::Deposit } else { Income::Payout };
    let customer = world.customer(&client);
    let decided_by = world.decided_by();
    let (account, given, charged) = (client.name.clone(), as_cents(given), as_cents(charged));
    world.report(Fact::FeeAdjusted { account, customer, given, charged, income, decided_by });
}

fn move_treasury(world: &mut World) {
    let all = [
        OwnAccount::Funding,
        OwnAccount::ProviderPix,
        OwnAccount::ProviderPay,
        OwnAccount::ProviderClaim,
        OwnAccount::TariffDue,
        OwnAccount::Fx,
    ];
    let from = *world.rng.pick(&all).unwrap_or(&OwnAccount::Funding);
    let to = *world.rng.pick(&all).unwrap_or(&OwnAccount::ProviderPay);
    let amount = cents(world.rng.within(1, 5_000_000));
    world.report(Fact::TreasuryMoved { from, to, amount });
}

fn adopt_policy(world: &mut World) {
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
        world.report_at(world.now.after(Span::seconds(900)), Fact::PolicyAdopted(on));
    }
    world.report(Fact::PolicyAdopted(policy));
}

/// Somebody looks at a payer.
fn review(world: &mut World, found: Review) {
    let (payer, decided_by) = (world.token(4), world.decided_by());
    world.report(Fact::PayerReviewed { payer, review: found, decided_by });
}

fn policy(world: &mut World) -> Policy {
    let published = Policy::default();
    let steep = Ladder {
        first_qr: cents(20_000),
        first_transaction: cents(30_000),
        first_day: cents(50_000),
        mature_day: cents(90_000),
        held: cents(250_000),
        hours: 30,
    };
    let sales = sale::market::limits(world);
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

/// New terms, at once or for a date to come; what is switched off is switched on again.
fn adopt_terms(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    let kind = u8::try_from(world.rng.below(3)).unwrap_or(0);
    // Sales once agreed are priced otherwise, and not taken away.
    let agreed = oracle.terms(client.id, world.now).sale;
    let of_kind = |kind| {
        let terms = terms_of_kind(kind);
        Terms { sale: terms.sale.or(agreed), ..terms }
    };
    let mut terms = of_kind(kind);
    let mut passing = false;
    match world.rng.below(18) {
        8 => terms.purchase = rate(250, 100),
        9 => terms.purchase = rate(180, 100),
        10 | 14 => (terms.charged_daily, passing) = (Some(cents(40_000)), true),
        11 | 15 | 16 => (terms.paid_out_daily, passing) = (Some(cents(9_000)), true),
        12 => terms.purchase_partner = bps(250),
        13 => (terms.charge_least, terms.purchase) = (cents(1), rate(330, 100)),
        17 => (terms.custody, passing) = (Switch::Off, true),
        0 => (terms.custody, passing) = (Switch::Off, true),
        1 => (terms.payouts, passing) = (Switch::Off, true),
        2 => (terms.payout_tariff, passing) = (Tariff::Unknown, true),
        3 => terms.waiting_hours = 0,
        4 => terms.deposit = rate(2_500, 7),
        5 => terms.retention_above = Some(cents(500)),
        _ => {}
    }
    let wait = u32::try_from(world.rng.within(1, 200_000)).unwrap_or(1);
    let from = world.rng.percent(60).then(|| world.now.after(Span::seconds(wait)));
    let account = if world.rng.percent(4) { "nobody".into() } else { client.name.clone() };
    world.report(Fact::TermsAdopted { account: account.clone(), from, terms });
    if passing {
        // A ceiling lasts beyond the next midnight.
        let ceiling = terms.charged_daily.or(terms.paid_out_daily).is_some();
        let lasts = if ceiling { Span::hours(30) } else { Span::hours(1) };
        let later = from.unwrap_or(world.now).after(lasts);
        let terms = of_kind(kind);
        world.report_at(later, Fact::TermsAdopted { account, from: None, terms });
    }
}

/// A fourth account, or one that is open already under the same or another key.
fn open_again(world: &mut World) {
    match world.rng.below(4) {
        0 if world.clients.len() < 5 => {
            let key = u8::try_from(world.clients.len()).unwrap_or(9) + 20;
            open(world, format!("nova-{key}").into(), key, None);
        }
        1 => open(world, "loja".into(), 0, None),
        2 => open(world, "loja".into(), 1, None),
        _ => open(world, "banca".into(), 200, None),
    }
}

fn rate(percent: u16, fixed: i64) -> Rate {
    Rate { bps: bps(percent), fixed: as_cents(fixed) }
}

fn bps(value: u16) -> Bps {
    Bps::new(value).expect("below the whole")
}

fn as_cents(value: i64) -> Cents {
    Cents::new(value).expect("not negative")
}

fn cents(value: i64) -> Amount {
    Amount::new(value).unwrap_or(Amount::CENTAVO)
}
