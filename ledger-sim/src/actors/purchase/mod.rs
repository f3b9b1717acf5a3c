//! Those who buy crypto: with a PIX, with their custody, or with their commission; beside them
//! those who deliver it.

pub(super) mod deliverer;
pub(super) mod market;

use ledger_core::ledger::{
    AccountSettings, ChargeRequest, ConversionRequest, Destination, FundingRequest, Intent,
    Ownership, Request,
};
use ledger_core::machine::charge::{Delivery, Qr};
use ledger_core::money::Amount;
use ledger_core::terms::Switch;

use crate::actors::values::{amount, available, external_id, spender, submit, wallet};
use crate::oracle::Oracle;
use crate::world::{Client, World};

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    match world.rng.by_weight(&[60, 26, 9, 3]) {
        0 => purchase(world, oracle, &client),
        1 => convert(world, oracle, &client),
        2 => withdraw(world, oracle, &client),
        _ => {
            let wallet =
                if world.rng.percent(90) { wallet(world, "polygon") } else { "0x1".into() };
            let settings =
                AccountSettings { settlement: Some(wallet), ..AccountSettings::default() };
            world.ask(client.id, settings);
        }
    }
}

fn purchase(world: &mut World, oracle: &Oracle, client: &Client) {
    let (delivery, memo) = target(world, oracle, true);
    let least = oracle.smallest_of(client.id, (&delivery, memo.as_deref()), world.now);
    let least = least.map_or(500, |(purchase, _)| purchase);
    let rng = &mut world.rng;
    let cents = match rng.by_weight(&[20, 60, 12, 8]) {
        0 if rng.percent(40) => least + rng.within(-2, 1),
        0 => rng.within(80, 4_000),
        1 => rng.within(3_000, 60_000),
        2 => rng.within(60_000, 600_001),
        _ => 20_000,
    };
    let request = ChargeRequest {
        customer: world.customer(client),
        amount: amount(cents),
        payer: world.token(4),
        payer_name: world.rng.percent(30).then(|| world.token(5)),
        allow_hold: if world.rng.percent(8) { Switch::Off } else { Switch::On },
        delivery,
        qr: (!world.rng.percent(2)).then(|| Qr { copypaste: "00020126".into(), image_url: None }),
        payer_refused: world.rng.percent(1).then(|| "ref-1".into()),
        destination: Destination::Crypto { memo },
        external_id: external_id(world),
    };
    submit(world, client.id, request);
}

fn convert(world: &mut World, oracle: &Oracle, client: &Client) {
    let (target, memo) = target(world, oracle, false);
    let customer = spender(world, oracle, client);
    let has = available(oracle, client.id, customer.as_deref());
    let terms = oracle.terms(client.id, world.now);
    let rate = terms.conversion.bps.get() + terms.crypto_withdrawal.get();
    let rate = 10_000 + i64::from(rate + terms.payout_partner.get());
    let least = oracle.smallest_of(client.id, (&target, memo.as_deref()), world.now);
    let least = least.map_or(500, |(_, conversion)| conversion);
    let most = (has - terms.conversion.fixed.cents()).max(1).saturating_mul(10_000) / rate;
    let rng = &mut world.rng;
    let cents = match rng.by_weight(&[50, 14, 10, 12, 8]) {
        0 => rng.within(1, (has / 2).max(1)),
        1 => most + rng.within(0, 1),
        2 => has + 1,
        3 => least + rng.within(-1, 1),
        _ => rng.within(1, 90_000),
    };
    let cents = cents.max(1);
    let fee = cents * (rate - 10_000) / 10_000 + terms.conversion.fixed.cents();
    let cap = (cents + fee + world.rng.within(-1, 2)).max(1);
    let cap = world.rng.percent(25).then(|| amount(cap));
    let tax_number = world.token(8);
    let proven = world.rng.percent(70);
    let ownership = if proven { Ownership::Proven } else { Ownership::Unknown };
    let request = ConversionRequest {
        source: FundingRequest::Custody { customer, tax_number, ownership },
        amount: amount(cents.max(1)),
        target,
        memo,
        cap,
        external_id: external_id(world),
    };
    world.ask(client.id, request);
}

fn withdraw(world: &mut World, oracle: &Oracle, client: &Client) {
    let owed = oracle.totals.commissions[client.id.0 as usize];
    let (target, memo) = target(world, oracle, false);
    let rng = &mut world.rng;
    let cents = match rng.by_weight(&[60, 15, 15]) {
        0 => rng.within(owed / 2, owed),
        1 => owed + 1,
        _ => rng.within(1, owed.max(1)),
    };
    let request = ConversionRequest {
        source: FundingRequest::Commission,
        amount: amount(cents.max(1)),
        target,
        memo,
        cap: None,
        external_id: external_id(world),
    };
    world.ask(client.id, request);
}

/// A pair and a wallet on it, mostly sound, at a price mostly fresh.
fn target(world: &mut World, oracle: &Oracle, may_default: bool) -> (Delivery, Option<Box<str>>) {
    let pairs: Vec<_> = oracle.market.pairs().collect();
    let pair = world.rng.pick(&pairs);
    let pair =
        pair.map(|pair| (pair.asset_name.clone(), pair.chain_name.clone(), pair.memo.is_on()));
    let pair = pair.filter(|_| !world.rng.percent(2));
    let cheap = ("usdc".into(), "polygon".into(), false);
    let pair = if world.rng.percent(35) { Some(cheap) } else { pair };
    let (asset, chain, memo) = pair.unwrap_or(("doge".into(), "polygon".into(), false));
    if world.rng.percent(92) {
        market::refresh(world, oracle, &asset);
    }
    let chance = world.rng.below(100);
    let address = match chance {
        0..12 if may_default => None,
        12..14 => Some("not a wallet".into()),
        _ => Some(wallet(world, &chain)),
    };
    let memo = (memo && !world.rng.percent(8) || world.rng.percent(4)).then(|| "77".into());
    (Delivery { asset, chain, address }, memo)
}

/// Refused as too small, some buy again for the minimum suggested.
pub(crate) fn learn_minimum(world: &mut World, what: &Intent, minimum: Amount) {
    let Intent::Request(account, request) = what else { return };
    let mut again = request.clone();
    let buys = match &mut again {
        Request::Charge(request) => {
            request.amount = minimum;
            request.external_id = external_id(world);
            matches!(request.destination, Destination::Crypto { .. })
        }
        _ => return,
    };
    if buys && world.rng.percent(40) {
        let what = Intent::Request(*account, again);
        world.suggested.push(what.clone());
        world.plan(world.now, what);
    }
}
