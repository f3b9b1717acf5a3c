//! Those who have a wallet: they ask where to deposit, what a withdrawal costs, and withdraw.

pub(super) mod chain;
pub(super) mod payer;
pub(super) mod sender;
pub(super) mod settler;

use std::sync::Arc;

use ledger_core::coin::Units;
use ledger_core::id::{AccountId, AssetId, ChainId, OpId};
use ledger_core::ledger::wallet::{
    DepositRequest, Fact as WalletFact, Request as WalletRequest, WithdrawalQuoteRequest,
    WithdrawalRequest,
};
use ledger_core::ledger::{Intent, Request};
use ledger_core::money::{Amount, Bps};
use ledger_core::terms::{Stablecoin, Switch, WalletNetwork, WalletSettings};
use ledger_core::time::{Instant, Span};

use crate::oracle::{Offer, Oracle, Use};
use crate::wallets::wallet;
use crate::world::{Client, World};

/// Network, whether it takes USDT and USDC, whether withdrawals go there, its fee.
type NetworkSupport = (&'static str, bool, bool, bool, u128);

/// Where wallets take deposits; the contract knows no withdrawal to the last one.
pub(super) const PLACES: [NetworkSupport; 5] = [
    ("polygon", true, true, true, 100_000),
    ("tron", true, false, true, 1_000_000),
    ("eth", true, true, false, 0),
    ("solana", true, true, true, 0),
    ("ton", true, false, true, 0),
];

/// The wallet as it is offered first.
pub(crate) fn offer(world: &mut World) {
    let settings = settings(world);
    world.report(WalletFact::Configured(settings));
}

fn settings(world: &mut World) -> WalletSettings {
    let on = |yes| if yes { Switch::On } else { Switch::Off };
    let rng = &mut world.rng;
    let networks = PLACES.iter().map(|(name, usdt, usdc, withdrawals, fee)| {
        let coins = [(*usdt, Stablecoin::Usdt), (*usdc, Stablecoin::Usdc)];
        WalletNetwork {
            // Numbers are those that its line is read with.
            chain: ChainId(0),
            name: (*name).into(),
            title: (*name).to_uppercase().into(),
            coins: coins.into_iter().filter(|(takes, _)| *takes).map(|(_, coin)| coin).collect(),
            eta_minutes: Some(3),
            withdrawals: on(*withdrawals),
            network_fee: Units::new(*fee),
        }
    });
    let networks = networks.collect();
    WalletSettings {
        usdt: AssetId(0),
        usdc: Some(AssetId(1)),
        networks,
        enabled: on(!rng.percent(6)),
        payments: on(!rng.percent(6)),
        by_key: on(!rng.percent(5)),
        by_code: on(!rng.percent(5)),
        withdrawals: on(!rng.percent(6)),
        document_required: Switch::Off,
        least_deposit: units(1_000_000),
        least_payment: Amount::new(*rng.pick(&[600, 600, 900]).unwrap_or(&600))
            .unwrap_or(Amount::CENTAVO),
        payment_fee: Units::new(*rng.pick(&[100_000, 100_000, 0, 7]).unwrap_or(&0)),
        deposit_hours: 1,
        open_deposits: *rng.pick(&[5, 5, 3, 2]).unwrap_or(&5),
        quote_validity: Span::seconds(*rng.pick(&[300, 300, 60]).unwrap_or(&300)),
        tolerance: bps(*rng.pick(&[50, 50, 0, 2_000]).unwrap_or(&50)),
        conversion_fee: bps(*rng.pick(&[0, 20, 330]).unwrap_or(&0)),
        strict_buffer: on(rng.percent(20)),
    }
}

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(3) {
        offer(world);
        let later = world.now.after(Span::seconds(1_800));
        let open = WalletSettings {
            enabled: Switch::On,
            withdrawals: Switch::On,
            payments: Switch::On,
            by_key: Switch::On,
            by_code: Switch::On,
            ..settings(world)
        };
        return world.report_at(later, WalletFact::Configured(open));
    }
    let Some(client) = owner(world, oracle) else { return };
    match world.rng.by_weight(&[42, 50, 8]) {
        0 => ask_where(world, oracle, &client),
        1 => quote(world, oracle, &client),
        _ => assign(world, oracle, &client),
    }
}

/// Mostly somebody who has a wallet.
pub(super) fn owner(world: &mut World, oracle: &Oracle) -> Option<Arc<Client>> {
    let mut client = world.client()?;
    for _ in 0..3 {
        let terms = oracle.terms(client.id, world.now);
        if terms.wallet.is_some() || world.rng.percent(10) {
            break;
        }
        client = world.client()?;
    }
    Some(client)
}

fn ask_where(world: &mut World, oracle: &Oracle, client: &Client) {
    let request = deposit(world, oracle);
    world.ask(client.id, WalletRequest::Deposit(request));
}

/// An operator asks for a client.
fn assign(world: &mut World, oracle: &Oracle, client: &Client) {
    let mut request = deposit(world, oracle);
    // An operator always says where.
    let address = request.address.take();
    request.address = Some(address.unwrap_or_else(|| ours(world, &request.network)));
    let decided_by = world.decided_by();
    let account = client.name.clone();
    let reported = WalletFact::DepositAssigned { account, request, decided_by };
    world.report(reported);
}

/// A deposit to be waited for, mostly sound; now and then such that its amount is awaited already.
fn deposit(world: &mut World, oracle: &Oracle) -> DepositRequest {
    let place = world.rng.by_weight(&[50, 20, 12, 12, 6]);
    let (name, ..) = PLACES[place];
    let network = if world.rng.percent(3) { "moon".into() } else { Box::from(name) };
    let address = match world.rng.below(60) {
        0 => None,
        1 => Some("0x1".into()),
        _ => Some(ours(world, name)),
    };
    let amount = match world.rng.by_weight(&[30, 50, 6, 8]) {
        0 => 100_000_000,
        1 => u128::from(world.rng.below(400_000_000)) + 1_000_000,
        2 => 999_999,
        _ => {
            let at = address.as_deref().unwrap_or_default();
            let chain = oracle.market.chain_named(name);
            let keepers = chain.map(|chain| oracle.keepers(chain, at, world.now));
            let other = keepers.and_then(|mut keepers| match world.rng.below(3) {
                0 => keepers.next(),
                _ => keepers.last(),
            });
            let other = other.map(|(_, wanted)| wanted.amount);
            other.map_or(2_000_000, |amount| amount.saturating_sub(oracle.first_suffix()))
        }
    };
    DepositRequest { amount: units(amount), network, address }
}

/// One of our own addresses: few, so that requests of several accounts share one.
pub(super) fn ours(world: &mut World, network: &str) -> Box<str> {
    wallet(network, world.rng.within(1, 2))
}

/// What withdrawing costs: of about what there is, to the millionth.
fn quote(world: &mut World, oracle: &Oracle, client: &Client) {
    // Mostly who has something to withdraw.
    let rich = world.clients.iter().rev().find(|it| oracle.wallet_available(it.id) > 2_000_000);
    let rich = rich.cloned().filter(|_| world.rng.percent(60));
    let client = rich.as_deref().unwrap_or(client);
    let available = oracle.wallet_available(client.id).max(0);
    let available = u128::try_from(available).unwrap_or(0);
    let some = u64::try_from(available).unwrap_or(u64::MAX);
    let (name, _, usdc, _, fee) = PLACES[world.rng.by_weight(&[55, 15, 4, 22, 4])];
    let amount = match world.rng.by_weight(&[40, 16, 12, 18, 14]) {
        0 => u128::from(world.rng.below(some.max(2_000_000) / 2)) + 1,
        1 => available,
        2 => available + 1,
        3 => fee + u128::from(world.rng.below(4)),
        _ => 50_000_000,
    };
    let takes_usdc = usdc || world.rng.percent(5);
    let coin =
        if takes_usdc && world.rng.percent(45) { Stablecoin::Usdc } else { Stablecoin::Usdt };
    let sound = !world.rng.percent(3);
    let digit = world.rng.within(3, 9);
    let address = if sound { wallet(name, digit) } else { "bad".into() };
    let amount = units(amount.max(1));
    let request = WithdrawalQuoteRequest { coin, network: name.into(), address, amount };
    world.ask(client.id, WalletRequest::WithdrawalQuote(request));
}

/// Who was quoted withdraws, mostly in time, mostly once, and mostly as it was quoted.
pub(crate) fn use_quote(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(quote) = oracle.quotes.get(&op).filter(|quote| quote.used == Use::Not) else { return };
    let offered = match &quote.offer {
        Offer::Payment(offered) => return payer::use_quote(world, oracle, op, offered),
        Offer::Withdrawal(offered) => offered.clone(),
    };
    if world.rng.percent(10) {
        return;
    }
    let (owner, ends) = (offered.account, quote.expires_at);
    let last = Instant::from_micros(ends.micros() - 1).unwrap_or(ends);
    let soon = world.now.after(seconds(world.rng.within(0, 50)));
    let at = match world.rng.by_weight(&[70, 10, 12, 8]) {
        0 => soon,
        1 => last,
        2 => ends,
        _ => ends.after(seconds(world.rng.within(0, 600))),
    };
    let named = world.rng.percent(30);
    let mut request = WithdrawalRequest {
        quote: Some(op),
        coin: named.then_some(offered.coin),
        network: named.then(|| offered.network.clone()),
        address: named.then(|| offered.address.clone()),
        amount: named.then(|| units(offered.amount)),
        external_id: world.fresh("w"),
    };
    if world.rng.percent(10) {
        diverge(world, &mut request);
    }
    withdraw(world, at, owner, &request);
    if world.rng.percent(22) {
        // Once more: under another id, or under the same with another body.
        let again = if world.rng.percent(60) {
            WithdrawalRequest { external_id: world.fresh("w"), ..request.clone() }
        } else {
            let mut again = request.clone();
            if world.rng.percent(70) {
                diverge(world, &mut again);
            }
            again
        };
        let later = at.after(seconds(world.rng.within(0, 900)));
        withdraw(world, later, owner, &again);
    }
    if world.rng.percent(6)
        && let Some(other) = world.client()
    {
        let external_id = world.fresh("w");
        let stolen = WithdrawalRequest { external_id, ..request };
        withdraw(world, at, other.id, &stolen);
    }
}

fn diverge(world: &mut World, request: &mut WithdrawalRequest) {
    world.inject("withdrawals that are not those quoted");
    match world.rng.below(5) {
        0 => request.amount = Some(units(7)),
        1 => request.network = Some("base".into()),
        2 => request.address = Some("elsewhere".into()),
        3 => request.quote = None,
        _ => request.coin = Some(Stablecoin::Usdc),
    }
}

fn withdraw(world: &mut World, at: Instant, account: AccountId, request: &WithdrawalRequest) {
    let request = Request::Wallet(WalletRequest::Withdrawal(request.clone()));
    world.plan(at, Intent::Request(account, request));
}

pub(super) fn units(number: u128) -> Units {
    Units::new(number).unwrap_or_else(|| Units::new(1).expect("one is positive"))
}

fn bps(value: u16) -> Bps {
    Bps::new(value).expect("below the whole")
}

fn seconds(number: i64) -> Span {
    Span::seconds(u32::try_from(number).unwrap_or(0))
}
