//! The cash-out order: Parts A7 to A11 as rulings 31 to 33 and 35 correct them.

mod adding_up;
mod deposits;
mod forged;
mod mutated;
mod payments;
mod places;
mod postings;
mod refunds;
mod state_table;
mod walk;

use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId, Kind, OpId, Token};
use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{
    AmountBasis, Ceilings, Command, Context, CorrectedKey, Deposit, DepositTo, Event, Funding,
    KeyOwner, Order, Payee, Pix, Proceeds, Progress, Refusal, Request, Stage, State, decide,
    evolve, follows, request,
};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::pix::KeyType;
use ledger_core::terms::{Deal, Price, Quote, Rate, Route, SaleRates, ServiceFees, Switch};
use ledger_core::time::{Instant, Span};

use crate::samples::{
    PARTNER, POLYGON, SOMEBODY, USDT, amount, applied, as_cents, at, bps, op, quote, units,
};

const ELSEWHERE: ChainId = ChainId(2);
const DEPIX: AssetId = AssetId(1);
const LIQUID: ChainId = ChainId(1);
/// A token of eighteen decimals, on the order's own network.
const WETH: AssetId = AssetId(4);
/// W44: what 100.00 net costs at 5.40.
const W44: u128 = 19_444_445;

/// The order that every test here is about.
fn this() -> OpId {
    op(Kind::CashOut, 9)
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

pub(crate) fn usdt(number: u128) -> Coins {
    Coins { asset: USDT, chain: POLYGON, units: units(number) }
}

pub(crate) fn weth(number: u128) -> Coins {
    Coins { asset: WETH, chain: POLYGON, units: units(number) }
}

/// W44: 100.00 for 19.444445 USDT; house 4.00, reserve 1.00; on Polygon, 15 minutes.
pub(crate) fn order() -> Order {
    Order {
        account: PARTNER,
        route: Route::Fast,
        coins: usdt(W44),
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::SIX,
        asked: AmountBasis::Net(amount(10_000)),
        deal: Deal {
            net: amount(10_000),
            fees: ServiceFees { house: as_cents(400), partner: as_cents(0) },
            reserve: as_cents(100),
            residue: as_cents(0),
        },
        rates: SaleRates {
            house: Rate { bps: bps(200), fixed: as_cents(200) },
            partner: bps(0),
            reserve: as_cents(100),
            base: None,
        },
        quote: quote("5.40"),
        reserve_usdt: Some(units(185_186)),
        range: (amount(600), amount(25_000_000)),
        refund_alone: Some(units(5_000_000_000)),
        payee: Payee {
            pix_key: Some(SOMEBODY),
            merchant: None,
            tax_number: None,
            counted_as: SOMEBODY,
            key_type: None,
            owner: Some(KeyOwner::Unproven),
        },
        refund_address: Some("0xhome".into()),
        funding: Funding::Seller,
        external_id: None,
        created_at: at("2026-10-20T11:59:00Z"),
        expires_at: at("2026-10-20T12:14:00Z"),
        revival: Span::days(7),
        retries: (Span::seconds(300), Span::seconds(2_700)),
        confirmations: 64,
    }
}

/// The same without a return wallet.
fn homeless() -> Order {
    Order { refund_address: None, ..order() }
}

/// The same for a Copia e Cola.
fn of_code() -> Order {
    let payee = Payee { pix_key: None, merchant: Some(Token([8; 16])), ..order().payee };
    Order { asked: AmountBasis::Code(Token([9; 16])), payee, ..order() }
}

/// The same, swapped on its network first.
fn by_dex() -> Order {
    let coins = Coins { chain: ELSEWHERE, ..usdt(W44) };
    Order { route: Route::Dex, chain_name: "bsc".into(), coins, ..order() }
}

/// The same, sold at the exchange first.
fn by_exchange() -> Order {
    Order { route: Route::Convert, chain_name: "tron".into(), ..by_dex() }
}

/// 102.50 of the stablecoin on Liquid for 100.00: 1.5 % and 1.00, no reserve.
pub(crate) fn on_liquid() -> Order {
    Order {
        route: Route::Liquid,
        coins: depix(10_250_000_000),
        asset_name: "depix".into(),
        chain_name: "liquid".into(),
        scale: Scale::new(8).unwrap(),
        deal: Deal {
            net: amount(10_000),
            fees: ServiceFees { house: as_cents(250), partner: as_cents(0) },
            reserve: as_cents(0),
            residue: as_cents(0),
        },
        rates: SaleRates {
            house: Rate { bps: bps(150), fixed: as_cents(100) },
            partner: bps(0),
            reserve: as_cents(0),
            base: None,
        },
        quote: Quote { price: Price::PAR, source: "par".into(), at: noon() },
        reserve_usdt: None,
        range: (amount(102), amount(600_000)),
        refund_alone: None,
        ..order()
    }
}

/// W44 out of the USDT wallet.
fn of_wallet() -> Order {
    Order { funding: Funding::Wallet(op(Kind::WalletPayment, 8)), refund_address: None, ..order() }
}

pub(crate) fn depix(number: u128) -> Coins {
    Coins { asset: DEPIX, chain: LIQUID, units: units(number) }
}

/// A key that an operator corrects an order with.
fn corrected() -> CorrectedKey {
    CorrectedKey {
        token: SOMEBODY,
        kind: Some(KeyType::Email),
        counted_as: SOMEBODY,
        owner: KeyOwner::Unproven,
    }
}

fn deposit(coins: Coins, hash: &str, seen_at: Instant) -> Deposit {
    Deposit {
        coins,
        hash: hash.into(),
        from: Some("0xexchange".into()),
        seen_at,
        confirmations: None,
    }
}

/// A deposit seen now.
fn see(coins: Coins, hash: &str) -> Command {
    Command::See(deposit(coins, hash, noon()))
}

fn confirm(hash: &str) -> Command {
    Command::Confirm(hash.into())
}

fn vanish(hash: &str) -> Command {
    Command::Vanish(hash.into())
}

fn accept() -> Request {
    Request::Accept(Some(DepositTo { address: "0xdeposit".into(), tag: None }))
}

fn pix(e2e: &str) -> Pix {
    let paid_at = at("2026-10-20T12:05:00Z");
    let url = |text: &str| Some(text.into());
    Pix {
        e2e: e2e.into(),
        paid_at,
        receipt_url: url("https://receipt"),
        receipt_pdf_url: None,
        verify_url: None,
    }
}

fn pay() -> Command {
    Command::Pay(pix("E1"))
}

fn decide_refund() -> Command {
    Command::DecideRefund { to: None, operator: Switch::Off }
}

fn operator_refunds(to: Option<&str>) -> Command {
    Command::DecideRefund { to: to.map(Into::into), operator: Switch::On }
}

fn sent(hash: &str) -> Command {
    Command::Refund(RefundReport::Sent(hash.into()))
}

fn sold_for(cents: i64) -> Command {
    Command::Fill(Proceeds::Reais(amount(cents)))
}

/// Returns what a swap gives: the same number of USDT on Polygon.
fn swapped() -> Command {
    Command::Fill(Proceeds::Coins(usdt(19_400_000)))
}

/// Returns what the recipient may have on the day of acceptance; no mandate binds.
fn ceilings(room: i64) -> Ceilings {
    Ceilings { room: as_cents(room), most: as_cents(10_000_000), bound: None }
}

fn now_at(instant: Instant) -> Context {
    Context {
        at: instant,
        quote: Some(quote("5.40")),
        scale: Some(Scale::SIX),
        ceilings: ceilings(10_000_000),
        unmatched: op(Kind::UnmatchedDeposit, 12),
    }
}

fn now() -> Context {
    now_at(noon())
}

fn remember(state: &State, events: &[Event], at: Instant) -> State {
    events.iter().fold(state.clone(), |state, event| {
        assert!(follows(&state, event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, event, at)
    })
}

/// What a client asks of an order, or what is reported of it.
#[derive(Clone, Debug)]
enum Input {
    Asked(Request),
    Reported(Command),
}

impl From<Request> for Input {
    fn from(asked: Request) -> Self {
        Self::Asked(asked)
    }
}

impl From<Command> for Input {
    fn from(command: Command) -> Self {
        Self::Reported(command)
    }
}

/// Returns what comes of it under `now`; only a request may be refused.
fn judged(
    state: &State,
    input: impl Into<Input>,
    now: &Context,
) -> Result<Verdict<Vec<Event>>, Refusal> {
    match input.into() {
        Input::Asked(asked) => request(state, asked, now).map(Verdict::Applied),
        Input::Reported(command) => Ok(decide(state, command, now)),
    }
}

/// Returns what `input` makes of `state` under `now`, judged and remembered.
fn step_under(state: &State, input: impl Into<Input>, now: &Context) -> (State, Vec<Event>) {
    let events = applied(judged(state, input, now).unwrap());
    (remember(state, &events, now.at), events)
}

fn step(state: &State, input: impl Into<Input>) -> (State, Vec<Event>) {
    step_under(state, input, &now())
}

fn step_at(state: &State, input: impl Into<Input>, instant: &str) -> (State, Vec<Event>) {
    step_under(state, input, &now_at(at(instant)))
}

fn then<T: Into<Input>>(state: &State, input: impl IntoIterator<Item = T>) -> State {
    input.into_iter().fold(state.clone(), |state, input| step(&state, input).0)
}

/// Returns what an order begins with.
fn first(order: Order) -> Event {
    Event::Quoted(Box::new(order))
}

fn quoted(order: Order) -> State {
    evolve(&State::Absent, &first(order), noon())
}

fn accepted(order: Order) -> State {
    then(&quoted(order), [accept()])
}

/// Accepted, and the very coins that were quoted are seen.
fn detected(order: Order) -> State {
    let coins = order.coins;
    then(&accepted(order), [see(coins, "0xa1")])
}

/// And confirmed: being paid, or about to be sold.
fn confirmed(order: Order) -> State {
    then(&detected(order), [confirm("0xa1")])
}

/// Sold, where it is to be sold first, and being paid.
fn paying(order: Order) -> State {
    let route = order.route;
    let state = confirmed(order);
    match route {
        Route::Fast | Route::Liquid => state,
        Route::Dex => then(&state, [Command::StartSale, swapped(), Command::StartPayment]),
        Route::Convert => {
            then(&state, [Command::StartSale, sold_for(10_480), Command::Arrive(amount(10_470))])
        }
    }
}

fn completed(order: Order) -> State {
    then(&paying(order), [pay()])
}

fn verdict(state: &State, input: impl Into<Input>) -> Verdict<Vec<Event>> {
    judged(state, input, &now()).unwrap()
}

fn verdict_at(state: &State, command: Command, instant: &str) -> Verdict<Vec<Event>> {
    decide(state, command, &now_at(at(instant)))
}

fn refusal(state: &State, asked: Request) -> Option<Refusal> {
    request(state, asked, &now()).err()
}

fn progress(state: &State) -> &Progress {
    state.progress().expect("it was quoted")
}

fn stage(state: &State) -> Stage {
    progress(state).stage
}
