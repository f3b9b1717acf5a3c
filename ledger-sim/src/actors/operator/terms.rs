//! The terms that operators agree with accounts: of three kinds, adopted at once or later.

use ledger_core::id::AccountId;
use ledger_core::ledger::Intent;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::money::Bps;
use ledger_core::terms::{Rate, Release, Switch, Tariff, Terms};
use ledger_core::time::{Instant, Span};

use super::{as_cents, cents};
use crate::oracle::Oracle;
use crate::world::World;

/// Published terms; then low percentages at once and without retention; then high fees and tariffs.
pub(in crate::actors) fn terms_of_kind(kind: u8) -> Terms {
    let published = Terms { wallet: Some(Switch::On), ..Terms::latest() };
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

/// New terms, at once or for a date to come; what is switched off is switched on again.
pub(super) fn adopt_terms(world: &mut World, oracle: &Oracle) {
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
    world.report(AccountFact::TermsAdopted { account: account.clone(), from, terms });
    if !terms.custody.is_on() && world.rng.percent(40) {
        ask_while_off(world, client.id, from.unwrap_or(world.now));
    }
    if passing {
        // A ceiling lasts beyond the next midnight.
        let ceiling = terms.charged_daily.or(terms.paid_out_daily).is_some();
        let lasts = if ceiling { Span::hours(30) } else { Span::hours(1) };
        let later = from.unwrap_or(world.now).after(lasts);
        let terms = of_kind(kind);
        world.report_at(later, AccountFact::TermsAdopted { account, from: None, terms });
    }
}

/// A client asks again, while custody is switched off, what it asked last.
fn ask_while_off(world: &mut World, client: AccountId, off: Instant) {
    let last = world.asked.iter().rev().find(|(account, _)| *account == client);
    if let Some((account, request)) = last.cloned() {
        world.inject("requests made twice");
        world.plan(off.after(Span::seconds(1_200)), Intent::Request(account, request));
    }
}

fn rate(percent: u16, fixed: i64) -> Rate {
    Rate { bps: bps(percent), fixed: as_cents(fixed) }
}

fn bps(value: u16) -> Bps {
    Bps::new(value).expect("below the whole")
}
