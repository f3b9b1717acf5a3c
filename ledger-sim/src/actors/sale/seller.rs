//! Those who sell crypto for a PIX: quotes, acceptances, return wallets, and asking twice.

use ledger_core::coin::Units;
use ledger_core::id::{AccountId, Kind, OpId, Seq, Token};
use ledger_core::ledger::{CashOutRequest, Intent, Limits, Refusal, Request};
use ledger_core::machine::cash_out::{AmountBasis, DepositTo, KeyOwner, Payee};
use ledger_core::money::Amount;
use ledger_core::terms::Route;
use ledger_core::time::Instant;

use super::{PAIRS, Pair, near, soon};
use crate::actors::purchase;
use crate::actors::values::{amount, external_id, submit, wallet};
use crate::oracle::{Oracle, Phase};
use crate::world::{Client, World};

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    match world.rng.by_weight(&[70, 10, 14, 4]) {
        0 => quote(world, oracle, &client),
        1 => accept_something(world, oracle),
        2 => name_wallet(world, oracle),
        _ => super::change(world),
    }
}

fn quote(world: &mut World, oracle: &Oracle, client: &Client) {
    let Some(pair) = world.rng.pick(&PAIRS).copied() else { return };
    let pair = if world.rng.percent(30) { PAIRS[0] } else { pair };
    let (asset, network, _, route, ..) = pair;
    if world.rng.percent(94) {
        purchase::market::refresh(world, oracle, asset);
        purchase::market::refresh(world, oracle, "usdt");
    }
    let mut payee = payee(world, route);
    let room = oracle.room(&payee, world.now);
    let limits = oracle.policy.sale_limits();
    let (asked, code_amount) = match world.rng.by_weight(&[48, 30, 22]) {
        0 => {
            let least = if route == Route::Liquid { limits.liquid_least } else { limits.least };
            let most = if route == Route::Liquid { limits.liquid_most } else { limits.most };
            (AmountBasis::Net(net(world, room, (least.cents(), most.cents()))), None)
        }
        1 => (AmountBasis::Units(units(world, pair, limits.refund_alone)), None),
        _ => {
            let cents = world.rng.within(600, 40_000).min(room.max(600));
            let named = !world.rng.percent(4);
            payee.merchant = Some(world.token(15));
            (AmountBasis::Code(world.token(14)), named.then(|| amount(cents)))
        }
    };
    let address = match world.rng.below(100) {
        0..55 => Some(wallet(world, network)),
        55..57 => Some("not a wallet".into()),
        _ => None,
    };
    let unknown = world.rng.percent(1);
    let request = CashOutRequest {
        asset: if unknown { "doge".into() } else { asset.into() },
        network: network.into(),
        asked,
        code_amount,
        payee,
        refund_address: address,
        external_id: external_id(world),
    };
    submit(world, client.id, request);
}

/// One of few recipients: named by a document, or by its key.
fn payee(world: &mut World, route: Route) -> Payee {
    let who = u8::try_from(world.rng.below(14)).unwrap_or(0);
    let (key, document) = (Token([who + 100; 16]), Token([who + 150; 16]));
    let named = world.rng.percent(if route == Route::Liquid { 95 } else { 20 });
    // Some claim the document of somebody else, so that another day counts what is paid.
    let lies = named && world.rng.percent(30);
    if lies {
        world.inject("recipients under a document that is not theirs");
    }
    let others = Token([u8::try_from(world.rng.below(14)).unwrap_or(0) + 150; 16]);
    let tax_number = named.then_some(if lies { others } else { document });
    let looked_up = world.rng.percent(25);
    let owner = if looked_up { KeyOwner::Proven(document) } else { KeyOwner::Unproven };
    Payee {
        pix_key: Some(key),
        merchant: None,
        tax_number,
        counted_as: key,
        key_type: None,
        owner: Some(owner),
    }
}

/// Returns what a recipient is to have: mostly little, sometimes the very bounds.
fn net(world: &mut World, room: i64, (least, most): (i64, i64)) -> Amount {
    let rng = &mut world.rng;
    let cents = match rng.by_weight(&[52, 10, 12, 8, 4]) {
        0 => rng.within(least, least + 30_000),
        1 => least + rng.within(-1, 1),
        2 => room + rng.within(0, 1),
        3 => rng.within(2_000_000, 6_000_000).min(most),
        _ => most + rng.within(0, 1),
    };
    amount(cents.max(1))
}

/// So much crypto: mostly a few hundred reais of it, sometimes the very limit of refunds without an
/// operator.
fn units(world: &mut World, (asset, _, decimals, ..): Pair, alone: u32) -> Units {
    let one = 10_u128.pow(decimals.into());
    let thousandths = match asset {
        "eth" => world.rng.within(1, 40),
        "paxg" => world.rng.within(1, 30),
        _ => world.rng.within(1_000, 200_000),
    };
    let usual = u128::from(thousandths.unsigned_abs()) * one / 1_000;
    let limit = u128::from(alone) * one + u128::from(world.rng.below(2));
    let dollars = ["usdt", "usdc"].contains(&asset);
    let units = if dollars && world.rng.percent(25) { limit } else { usual };
    Units::new(units.max(1)).expect("at least one")
}

/// What mostly becomes of a quote, planned when it is answered.
pub(crate) fn expect_acceptance(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(sale) = oracle.sales.get(&op).filter(|sale| sale.phase == Phase::Quoted) else {
        return;
    };
    let (account, expires_at) = (sale.account, sale.expires_at);
    let midnight = world.now.next_day_in_brasilia();
    if midnight < expires_at && world.rng.percent(60) {
        let before = world.rng.within(1, 60_000_000);
        return accept(world, near(midnight, -before).max(world.now), account, op);
    }
    let at = match world.rng.by_weight(&[70, 5, 5, 4, 16]) {
        0 => soon(world, world.now, 400),
        1 => near(expires_at, -1),
        2 => expires_at,
        3 => soon(world, expires_at, 900),
        _ => return,
    };
    accept(world, at.max(world.now), account, op);
}

/// The provider mostly supplies where to deposit; when it is silent, the same order is accepted
/// again.
fn accept(world: &mut World, at: Instant, account: AccountId, order: OpId) {
    let silent = world.rng.percent(12);
    let address = world.fresh("addr");
    let supplied = (!silent).then_some(DepositTo { address, tag: None });
    world.plan(at, Intent::Request(account, Request::AcceptCashOut { order, supplied }));
}

/// An order accepted again, by somebody else, or none at all.
fn accept_something(world: &mut World, oracle: &Oracle) {
    let none = OpId::new(Kind::CashOut, Seq(world.rng.below(9) + 900_000_000));
    let order = world.rng.pick_late(&world.sales).copied().unwrap_or(none);
    let Some(client) = world.client() else { return };
    let own = oracle.sales.get(&order).map(|sale| sale.account);
    let account = own.filter(|_| !world.rng.percent(8)).unwrap_or(client.id);
    let order = if world.rng.percent(4) { none } else { order };
    accept(world, world.now, account, order);
}

/// A client names the wallet that a refund waits for, or one where none is waited for.
fn name_wallet(world: &mut World, oracle: &Oracle) {
    let waits = |op: &&OpId| {
        let due = oracle.sales.get(op).and_then(|sale| sale.refund.as_ref());
        due.is_some_and(|due| due.to.is_none())
    };
    let waiting: Vec<OpId> = world.sales.iter().filter(waits).copied().collect();
    let some = world.rng.pick(&waiting).copied().filter(|_| world.rng.percent(80));
    let Some(order) = some.or_else(|| world.rng.pick_late(&world.sales).copied()) else { return };
    let Some(sale) = oracle.sales.get(&order) else { return };
    let (account, chain) = (sale.account, sale.pair.1.clone());
    let known = sale.wallet.clone().filter(|_| world.rng.percent(40));
    let address = if world.rng.percent(6) { "nowhere".into() } else { wallet(world, &chain) };
    let address = known.unwrap_or(address);
    world.ask(account, Request::RefundAddress { order, address });
}

/// Refused for want of an address, the same order is accepted again; refused for the recipient's
/// day, some sell what is left of it, or a centavo more.
pub(crate) fn learn_refusal(world: &mut World, oracle: &Oracle, what: &Intent, refusal: &Refusal) {
    match (what, refusal) {
        (
            Intent::Request(account, Request::AcceptCashOut { order, .. }),
            Refusal::SettlerUnavailable,
        ) if oracle.sales.contains_key(order) => {
            let at = soon(world, world.now, 240);
            accept(world, at, *account, *order);
        }
        (
            Intent::Request(account, Request::CashOut(request)),
            Refusal::RecipientCeiling { limits },
        ) => sell_what_is_left(world, *account, request, limits),
        _ => {}
    }
}

fn sell_what_is_left(
    world: &mut World,
    account: AccountId,
    request: &CashOutRequest,
    limits: &Limits,
) {
    if !world.rng.percent(40) {
        return;
    }
    let more = world.rng.within(0, 1);
    let mut again = request.clone();
    sell(&mut again, AmountBasis::Net(amount(limits.most_now.cents() + more)));
    again.external_id = external_id(world);
    world.ask(account, again);
}

/// Another body under the same id.
pub(in crate::actors) fn change_body(world: &mut World, request: &mut CashOutRequest, which: u64) {
    let cents = amount(world.rng.within(600, 9_000));
    let token = world.token(9);
    match which {
        0 => request.asset = "usdc".into(),
        1 => request.network = "tron".into(),
        2 => {
            request.payee.pix_key = Some(token);
            if matches!(request.asked, AmountBasis::Code(_)) {
                // A code of another key is another code.
                request.asked = AmountBasis::Code(token);
            }
        }
        3 => request.payee.tax_number = Some(token),
        // What a code says, none else says: its amount and the merchant.
        5 => (request.asked, request.payee.merchant) = (AmountBasis::Code(token), Some(token)),
        4 => request.refund_address = Some(wallet(world, "polygon")),
        6 => sell(request, AmountBasis::Units(Units::new(7_000_000).expect("positive"))),
        _ => sell(request, AmountBasis::Net(cents)),
    }
    let payee = &mut request.payee;
    payee.counted_as = payee.pix_key.unwrap_or(payee.counted_as);
}

/// By a key and no code.
fn sell(request: &mut CashOutRequest, asked: AmountBasis) {
    (request.asked, request.code_amount, request.payee.merchant) = (asked, None, None);
}
