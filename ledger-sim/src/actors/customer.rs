//! Customers and the integrators who ask for them: charges, transfers, payouts, and asking twice.

use ledger_core::id::{AccountId, Token};
use ledger_core::ledger::{
    ChargeRequest, Destination, FundingRequest, Intent, Ownership, PayoutRequest, Request,
    TransferRequest,
};
use ledger_core::machine::charge::{Delivery, Qr};
use ledger_core::money::Amount;
use ledger_core::terms::{Switch, Terms};
use ledger_core::time::Instant;

use super::group;
use super::sale::seller;
use super::values::{amount, available, external_id, spender, submit};
use crate::oracle::Oracle;
use crate::world::{Client, World};

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    match world.rng.by_weight(&[42, 18, 28, 12]) {
        0 => charge(world, oracle, &client),
        1 if world.rng.percent(25) => group::group(world, oracle, &client),
        1 => transfer(world, oracle, &client),
        2 => payout(world, oracle, &client),
        _ => ask_again(world),
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
    submit(world, client.id, Request::Charge(request));
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
    let request = TransferRequest {
        from,
        to,
        amount: spend_amount(world, available),
        note: world.rng.percent(30).then(|| world.token(6)),
        external_id: external_id(world),
    };
    submit(world, client.id, Request::Transfer(request));
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
        amount: asked,
        pix_key,
        tax_number,
        ownership,
        external_id: external_id(world),
    };
    submit(world, client.id, Request::Payout(request));
}

/// The key that is this document.
fn document_as_key(document: Token) -> Token {
    let mut bytes = document.0;
    bytes[0] = 10;
    Token(bytes)
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

/// Tells whether the contract takes metadata of what a request begins.
fn may_be_described(request: &Request) -> bool {
    matches!(
        request.bare(),
        Request::Charge(_)
            | Request::Payout(_)
            | Request::Transfer(_)
            | Request::Group(_)
            | Request::CashOut(_)
    )
}

/// The request without its metadata, to be changed.
fn bare(request: &mut Request) -> &mut Request {
    match request {
        Request::Described { request, .. } => bare(request),
        request => request,
    }
}

/// The same request once more, or one that says the same id and something else.
fn ask_again(world: &mut World) {
    let Some((account, mut request)) = world.rng.pick_late(&world.asked).cloned() else { return };
    world.inject("requests made twice");
    if world.rng.percent(35) {
        change(world, account, &mut request);
    }
    world.ask(account, request);
}

fn change(world: &mut World, account: AccountId, request: &mut Request) {
    world.inject("requests made twice with another body");
    let Some(client) = world.client_of(account).cloned() else { return };
    let more = amount(world.rng.within(1, 9_000));
    let customer = world.customer(&client);
    let token = world.token(9);
    let which = world.rng.below(8);
    if world.rng.percent(8) && may_be_described(request) {
        let other = world.rng.percent(70).then_some(token);
        *request = request.bare().clone().with_metadata(other);
        return;
    }
    match bare(request) {
        Request::Charge(request) => match which {
            0 => request.customer = customer,
            1 => request.payer = token,
            2 => request.payer_name = Some(token),
            3 => request.allow_hold = Switch::Off,
            4 => request.delivery.asset = "usdc".into(),
            5 => request.delivery.address = Some(format!("0x{}1", "a".repeat(39)).into()),
            6 => {
                let buys = matches!(request.destination, Destination::Crypto { .. });
                request.destination = match (buys, world.rng.percent(50)) {
                    (true, true) => Destination::Custody,
                    (_, _) => Destination::Crypto { memo: Some("78".into()) },
                };
            }
            _ => request.amount = more,
        },
        Request::Transfer(request) => match which {
            0 => request.from = customer,
            1 => request.to = customer,
            2 => request.note = Some(token),
            _ => request.amount = more,
        },
        Request::Group(request) => {
            let leg = usize::try_from(which).unwrap_or(0) % request.legs.len();
            match world.rng.below(4) {
                0 => request.note = Some(token),
                1 => request.legs[leg].to = customer,
                2 if leg > 0 => request.legs.truncate(leg),
                _ => request.legs[leg].amount = more,
            }
        }
        Request::Payout(request) => match which {
            0 => request.customer = customer,
            1 => (request.pix_key, request.ownership) = (token, Ownership::Unknown),
            2 => {
                let (key, owner) = (document_as_key(token), Ownership::Proven);
                (request.tax_number, request.pix_key, request.ownership) = (token, key, owner);
            }
            _ => request.amount = more,
        },
        Request::Conversion(request) => match which {
            0 => request.target.chain = "tron".into(),
            1 => request.target.asset = "usdt".into(),
            2 => request.memo = Some("79".into()),
            // A cap is no part of what was asked (P:MaxDebited).
            3 => request.cap = Some(more),
            4 => {
                if let FundingRequest::Custody { tax_number, .. } = &mut request.source {
                    *tax_number = token;
                }
            }
            _ => request.amount = more,
        },
        Request::CashOut(request) => seller::change_body(world, request, which),
        _ => {}
    }
}

/// Refused for a waiting period, customers try at its last microsecond and at its very end.
pub(crate) fn learn_wait(world: &mut World, what: &Intent, until: Instant) {
    let Intent::Request(account, request) = what else { return };
    let mut again = request.clone();
    match bare(&mut again) {
        Request::Payout(request) => {
            request.amount = amount(world.rng.within(1, 300));
            request.external_id = external_id(world);
        }
        Request::Transfer(request) => request.external_id = external_id(world),
        Request::Group(request) => request.external_id = external_id(world),
        Request::Conversion(request) => request.external_id = external_id(world),
        _ => return,
    }
    let last = Instant::from_micros(until.micros() - 1).unwrap_or(until);
    for at in [last, until] {
        if world.now < at && world.rng.percent(30) {
            world.plan(at, Intent::Request(*account, again.clone()));
        }
    }
}

/// Refused until an instant, some ask the same again a microsecond before it and at it.
pub(crate) fn learn_limit(world: &mut World, what: &Intent, until: Instant) {
    let Intent::Request(account, request) = what else { return };
    let mut again = request.clone();
    match bare(&mut again) {
        Request::Charge(request) => request.external_id = external_id(world),
        Request::Payout(request) => request.external_id = external_id(world),
        _ => return,
    }
    let last = Instant::from_micros(until.micros() - 1).unwrap_or(until);
    // Less than one of the two on average: each may be refused like this one, and lead to more.
    for at in [last, until] {
        if world.now < at && world.rng.percent(35) {
            world.plan(at, Intent::Request(*account, again.clone()));
        }
    }
}
