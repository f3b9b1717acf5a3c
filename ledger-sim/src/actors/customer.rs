//! Customers and the integrators who ask for them: charges, transfers, payouts, and asking twice.

use ledger_core::ledger::{
    ChargeRequest, Destination, GroupRequest, LegRequest, Ownership, PayoutRequest, TransferRequest,
};
use ledger_core::machine::charge::{Delivery, Qr};
use ledger_core::money::Amount;
use ledger_core::terms::{Switch, Terms};

use super::repeat;
use super::values::{amount, available, document_as_key, external_id, spender, submit};
use crate::oracle::Oracle;
use crate::world::{Client, World};

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    match world.rng.by_weight(&[42, 18, 28, 12]) {
        0 => charge(world, oracle, &client),
        1 if world.rng.percent(25) => group(world, oracle, &client),
        1 => transfer(world, oracle, &client),
        2 => payout(world, oracle, &client),
        _ => repeat::ask_again(world),
    }
}

/// One charge, or several for one customer on one day.
fn charge(world: &mut World, oracle: &Oracle, client: &Client) {
    let terms = oracle.terms(client.id, world.now);
    let customer = world.customer(client);
    if world.rng.percent(12) {
        for _ in 0..3 {
            let cents = amount(world.rng.within(300, 6_000));
            charge_of(world, client, customer.clone(), cents);
        }
    }
    let cents = charge_amount(world, &terms);
    let left = oracle.left_to_charge(client.id, &terms, world.now);
    let cents = the_rest_of_the_day(world, left).unwrap_or(cents);
    charge_of(world, client, customer, cents);
}

fn charge_of(world: &mut World, client: &Client, customer: Option<Box<str>>, amount: Amount) {
    let request = ChargeRequest {
        customer,
        amount,
        payer: world.token(4),
        payer_name: world.rng.percent(40).then(|| world.token(5)),
        allow_hold: if world.rng.percent(8) { Switch::Off } else { Switch::On },
        delivery: Delivery {
            asset: "usdt".into(),
            chain: "polygon".into(),
            address: world.rng.percent(5).then(|| "0xabc".into()),
        },
        qr: (!world.rng.percent(2)).then(|| Qr { copypaste: "00020126".into(), image_url: None }),
        payer_refused: world.rng.percent(1).then(|| "ref-1".into()),
        destination: Destination::Custody,
        external_id: external_id(world),
    };
    submit(world, client.id, request);
}

/// Where a daily ceiling leaves something, some ask for exactly that, or for a centavo more.
fn the_rest_of_the_day(world: &mut World, left: Option<i64>) -> Option<Amount> {
    let left = left.filter(|left| *left > 0 && world.rng.percent(25))?;
    Some(amount(left + world.rng.within(0, 1)))
}

fn charge_amount(world: &mut World, terms: &Terms) -> Amount {
    let least = terms.charge_least.cents().max(terms.deposit.fixed.cents());
    let above = terms.retention_above.map_or(6_000, Amount::cents);
    let rng = &mut world.rng;
    let cents = match rng.by_weight(&[12, 6, 20, 38, 14, 4, 6]) {
        0 => *rng.pick(&[above, above + 1]).unwrap_or(&above),
        1 => rng.within((least - 2).max(1), least + 8),
        2 => rng.within(100, above),
        3 => rng.within(1_000, 60_000),
        4 => rng.within(above + 1, terms.charge_most.cents()),
        5 => terms.charge_most.cents() + rng.within(0, 1),
        _ => 10_000,
    };
    amount(cents)
}

fn transfer(world: &mut World, oracle: &Oracle, client: &Client) {
    let from = spender(world, oracle, client);
    let to = if world.rng.percent(4) { from.clone() } else { world.customer(client) };
    let to = if to == from && world.rng.percent(80) { Some(world.fresh("c")) } else { to };
    let available = available(oracle, client.id, from.as_deref());
    let amount = spend_amount(world, available);
    let request = TransferRequest {
        from,
        to,
        note: world.rng.percent(30).then(|| world.token(6)),
        external_id: external_id(world),
        ..TransferRequest::new(amount)
    };
    submit(world, client.id, request);
}

/// One payer and several who receive; sometimes a leg passes on what another brought, or pays a
/// centavo too much, or goes back to who pays.
fn group(world: &mut World, oracle: &Oracle, client: &Client) {
    let payer = spender(world, oracle, client);
    let left = available(oracle, client.id, payer.as_deref()).max(1);
    let mut legs = Vec::new();
    for _ in 0..world.rng.within(1, 5) {
        let to =
            if world.rng.percent(30) { Some(world.fresh("c")) } else { world.customer(client) };
        let from =
            if world.rng.percent(85) { payer.clone() } else { spender(world, oracle, client) };
        if from == to && world.rng.percent(95) {
            continue;
        }
        let amount = amount(world.rng.within(1, (left / 3).max(1)));
        legs.push(LegRequest { from, to, amount });
    }
    if world.rng.percent(10)
        && let Some(first) = legs.first().cloned()
    {
        let to = world.customer(client);
        legs.push(LegRequest { from: first.to, to, amount: first.amount });
    }
    legs.retain(|leg| leg.from != leg.to || world.rng.percent(50));
    if legs.is_empty() {
        return;
    }
    let request = GroupRequest {
        legs,
        note: world.rng.percent(30).then(|| world.token(6)),
        external_id: external_id(world),
    };
    submit(world, client.id, request);
}

fn payout(world: &mut World, oracle: &Oracle, client: &Client) {
    let terms = oracle.terms(client.id, world.now);
    let customer = spender(world, oracle, client);
    let available = available(oracle, client.id, customer.as_deref());
    let cents = if world.rng.percent(12) {
        most_after_fees(available, &terms) + world.rng.within(0, 1)
    } else {
        spend_amount(world, available).cents()
    };
    let left = oracle.left_to_pay_out(client.id, &terms, world.now);
    let asked = the_rest_of_the_day(world, left).unwrap_or(amount(cents));
    let tax_number = world.token(8);
    // A key that is the owner's document, another's, or none: each said by a key of its own.
    let (pix_key, ownership) = match world.rng.below(30) {
        0 => (world.token(11), Ownership::Refuted),
        1..12 => (world.token(7), Ownership::Unknown),
        _ => (document_as_key(tax_number), Ownership::Proven),
    };
    let request = PayoutRequest {
        customer,
        external_id: external_id(world),
        ..PayoutRequest::new(asked, pix_key, tax_number, ownership)
    };
    submit(world, client.id, request);
}

/// About what the balance bears with fees on top; near enough that the last centavo decides.
fn most_after_fees(available: i64, terms: &Terms) -> i64 {
    let rate = 10_000 + i64::from(terms.payout_house.get() + terms.payout_partner.get());
    let tariff = match terms.payout_tariff {
        ledger_core::terms::Tariff::Fixed(tariff) => tariff.cents(),
        ledger_core::terms::Tariff::Unknown => 0,
    };
    // Rounding down leaves a centavo now and then, so one more is often still borne.
    ((available - tariff).max(1).saturating_mul(10_000) / rate).max(1)
}

fn spend_amount(world: &mut World, available: i64) -> Amount {
    let rng = &mut world.rng;
    amount(match rng.by_weight(&[55, 10, 10, 15, 10]) {
        0 => rng.within(1, (available / 2).max(1)),
        1 => available,
        2 => available + 1,
        3 => rng.within(1, 5_000),
        _ => rng.within(1, available.saturating_mul(2).max(100)),
    })
}
