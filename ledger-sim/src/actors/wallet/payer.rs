//! Those who pay a PIX out of their wallets: by key and by code, with a quote and without.

use ledger_core::coin::Units;
use ledger_core::id::{AccountId, Kind, OpId, Seq, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::wallet::{
    Fact as WalletFact, PaymentRequest, Request as WalletRequest, WithdrawalRequest,
};
use ledger_core::ledger::{Intent, Request};
use ledger_core::machine::cash_out::{AmountBasis, KeyOwner, Payee};
use ledger_core::terms::Switch;
use ledger_core::time::Instant;

use super::owner;
use crate::actors::operator;
use crate::actors::purchase::market;
use crate::actors::sale::{near, soon};
use crate::actors::values::amount;
use crate::oracle::{Oracle, PaymentOffered};
use crate::world::{Client, World};

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    market::refresh(world, oracle, "usdt");
    if world.rng.percent(4) {
        return grant(world, oracle);
    }
    // Mostly who has something to spend.
    let rich = world.clients.iter().rev().find(|it| oracle.wallet_available(it.id) > 3_000_000);
    let rich = rich.cloned().filter(|_| world.rng.percent(65));
    let Some(client) = rich.or_else(|| owner(world, oracle)) else { return };
    let mut request = fresh(world, oracle, &client);
    // A code is quoted before it is paid, a key is not; and a quote has no name of the client's
    // own.
    let quotes = matches!(request.asked, AmountBasis::Code(_)) && world.rng.percent(75);
    request.external_id = request.external_id.filter(|_| !quotes);
    let asked = Box::new(request);
    let asked =
        if quotes { WalletRequest::PaymentQuote(asked) } else { WalletRequest::Payment(asked) };
    world.ask(client.id, asked);
}

/// An agent gets a wallet, and a fee for what is sold.
fn grant(world: &mut World, oracle: &Oracle) {
    let Some(agent) = world.rng.pick(&oracle.agents).map(|agent| agent.id.clone()) else { return };
    let terms = operator::terms_of_kind(1);
    world.report(AccountFact::TermsAdopted { account: agent, from: None, terms });
}

/// A payment of a little, or of about all there is.
fn fresh(world: &mut World, oracle: &Oracle, client: &Client) -> PaymentRequest {
    let settings = oracle.policy.wallet.as_deref();
    let least = settings.map_or(600, |settings| settings.least_payment.cents());
    let available = oracle.wallet_available(client.id).clamp(0, 1_000_000_000);
    // A real buys about a fifth of a dollar.
    let all = i64::try_from(available * 535 / 1_000_000).unwrap_or(0);
    let code = world.rng.percent(50).then(|| self::code(world));
    let payee = code.map_or_else(|| payee(world), paid_by);
    let room = oracle.room(&payee, world.now);
    let cents = match world.rng.by_weight(&[50, 12, 14, 8, 6, 4]) {
        0 => world.rng.within(least, least + 6_000),
        1 => least + world.rng.within(-1, 1),
        2 => all * 99 / 100,
        3 => all,
        4 => room + world.rng.within(0, 1),
        _ => 1 + world.rng.within(0, 500),
    };
    let net = amount(cents.max(1));
    let known = code.is_none() || !world.rng.percent(3);
    PaymentRequest {
        asked: code.map_or(AmountBasis::Net(net), AmountBasis::Code),
        net: known.then_some(net),
        payee,
        quote: None,
        external_id: external_id(world),
    }
}

fn external_id(world: &mut World) -> Option<Box<str>> {
    (!world.rng.percent(12)).then(|| world.fresh("wp"))
}

/// One of few recipients: some are paid by their documents, which mandates name.
fn payee(world: &mut World) -> Payee {
    if world.rng.percent(50) {
        return payee_by_document(world.token(8));
    }
    let payee = payee_by_key(u8::try_from(world.rng.below(10)).unwrap_or(0));
    // A lookup names some owners.
    let looked_up = world.rng.percent(40);
    let owner = if looked_up { KeyOwner::Proven(world.token(8)) } else { KeyOwner::Unproven };
    Payee { owner: Some(owner), ..payee }
}

/// Whose key is no document.
fn payee_by_key(who: u8) -> Payee {
    let key = Token([who + 100; 16]);
    let (merchant, tax_number, key_type, owner) = (None, None, None, Some(KeyOwner::Unproven));
    Payee { pix_key: Some(key), merchant, tax_number, counted_as: key, key_type, owner }
}

/// Whose key is the own document.
fn payee_by_document(document: Token) -> Payee {
    let Token(mut key) = document;
    key[0] += 20;
    let key = Some(Token(key));
    Payee {
        pix_key: key,
        merchant: None,
        tax_number: Some(document),
        counted_as: document,
        key_type: None,
        owner: Some(KeyOwner::Proven(document)),
    }
}

/// A code never seen before.
fn code(world: &mut World) -> Token {
    let number = world.number().to_be_bytes();
    let Token(mut bytes) = world.token(15);
    bytes[..8].copy_from_slice(&number);
    Token(bytes)
}

/// The payee of a code, which is part of it.
fn paid_by(code: Token) -> Payee {
    let who = code.0[15];
    let mut document = [8; 16];
    document[15] = who;
    let payee = match who % 4 {
        0 => Payee {
            pix_key: None,
            merchant: None,
            tax_number: None,
            // Several codes stand behind one address, each with a query of its own.
            counted_as: Token([200 + who / 8; 16]),
            key_type: None,
            owner: Some(KeyOwner::Unproven),
        },
        1 => payee_by_key(who / 4 % 10),
        _ => payee_by_document(Token(document)),
    };
    Payee { merchant: Some(Token([who; 16])), ..payee }
}

/// Who was quoted pays, mostly in time, mostly once, and mostly as it was quoted.
pub(in crate::actors) fn use_quote(
    world: &mut World,
    oracle: &Oracle,
    op: OpId,
    offered: &PaymentOffered,
) {
    if world.rng.percent(8) {
        return;
    }
    let ends = oracle.quotes[&op].expires_at;
    let last = near(ends, -1).max(world.now);
    let soon_after = soon(world, world.now, 40);
    let at = match world.rng.by_weight(&[76, 8, 8, 8]) {
        0 => soon_after,
        1 => last,
        2 => ends,
        _ => soon(world, ends, 600),
    };
    let AmountBasis::Code(code) = offered.asked else { return };
    let mut request = PaymentRequest {
        asked: offered.asked,
        net: Some(amount(offered.net)),
        payee: paid_by(code),
        quote: Some(Some(op)),
        external_id: external_id(world),
    };
    if world.rng.percent(18) {
        return to_the_millionth(world, oracle, offered, &request);
    }
    if world.rng.percent(10) {
        diverge(world, oracle, &mut request);
    }
    pay(world, at, offered.account, &request);
    if world.rng.percent(25) {
        let mut again = request.clone();
        if world.rng.percent(50) {
            again.external_id = external_id(world);
        } else if world.rng.percent(60) {
            diverge(world, oracle, &mut again);
        }
        let later = soon(world, at, 200);
        pay(world, later, offered.account, &again);
    }
    if world.rng.percent(6) {
        // Not what was quoted at all.
        let external_id = world.fresh("w");
        let (coin, network, address, amount) = (None, None, None, None);
        let asked =
            WithdrawalRequest { quote: Some(op), coin, network, address, amount, external_id };
        world.plan(
            at,
            Intent::Request(offered.account, Request::Wallet(WalletRequest::Withdrawal(asked))),
        );
    }
    if world.rng.percent(5)
        && let Some(other) = world.client()
    {
        pay(world, at, other.id, &request);
    }
}

/// The network's fee is such that the payment costs all there is, a millionth more, or leaves less
/// than one percent.
fn to_the_millionth(
    world: &mut World,
    oracle: &Oracle,
    offered: &PaymentOffered,
    request: &PaymentRequest,
) {
    let Some(settings) = oracle.policy.wallet.as_deref().cloned() else { return };
    let available = u128::try_from(oracle.wallet_available(offered.account)).unwrap_or(0);
    let Some(rest) = available.checked_sub(offered.units) else { return };
    let fee = match world.rng.below(4) {
        0 => rest,
        1 | 2 => rest + 1,
        _ => rest.saturating_sub(available / 150),
    };
    let strict = if world.rng.percent(40) { Switch::On } else { Switch::Off };
    let changed = ledger_core::terms::WalletSettings {
        payment_fee: Units::new(fee),
        strict_buffer: strict,
        ..settings.clone()
    };
    configure(world, changed);
    let request = PaymentRequest { quote: None, ..request.clone() };
    pay(world, world.now, offered.account, &request);
    configure(world, settings);
}

fn configure(world: &mut World, settings: ledger_core::terms::WalletSettings) {
    let id = world.fresh("ws");
    world.plan_fact(world.now, id, WalletFact::Configured(settings));
}

fn diverge(world: &mut World, oracle: &Oracle, request: &mut PaymentRequest) {
    world.inject("payments that are not those quoted or made");
    let more = amount(request.net.map_or(700, |net| net.cents() + 1));
    let by_code = matches!(request.asked, AmountBasis::Code(_));
    match world.rng.below(5) {
        1 if !by_code => (request.asked, request.net) = (AmountBasis::Net(more), Some(more)),
        // What a code says is part of it: another amount is another code.
        which @ 0..=2 => {
            let code = self::code(world);
            (request.asked, request.payee) = (AmountBasis::Code(code), paid_by(code));
            request.net = if which == 1 { Some(more) } else { request.net };
        }
        3 => request.quote = Some(None),
        _ => request.quote = oracle.quotes.keys().next_back().map(|op| Some(*op)),
    }
}

fn pay(world: &mut World, at: Instant, account: AccountId, request: &PaymentRequest) {
    let asked = WalletRequest::Payment(Box::new(request.clone()));
    world.plan(at, Intent::Request(account, Request::Wallet(asked)));
}

/// A payment that nobody made.
pub(in crate::actors) fn nobodys() -> OpId {
    OpId::new(Kind::WalletPayment, Seq(900_000_001))
}
