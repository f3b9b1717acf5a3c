//! Every path of an order, whatever its route: what its accounts hold is what it says, and nothing
//! is both paid and refunded.

use std::collections::{BTreeSet, HashMap};

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{
    Command, Context, Event, Order, Proceeds, Progress, Request, Stage, State, entry, evolve,
    follows,
};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::terms::Route;

use super::places::strange;
use super::{
    Input, accept, by_dex, by_exchange, ceilings, confirm, decide_refund, deposit, homeless,
    judged, now, now_at, of_code, of_wallet, on_liquid, operator_refunds, order, pay, see, sent,
    this, vanish,
};
use crate::forged::{Step, steps};
use crate::grid::name;
use crate::samples::{amount, at, units};
use crate::walk::Tally;

fn client_requests() -> [Request; 2] {
    [accept(), Request::Address("0xhome".into())]
}

fn reported(order: &Order) -> Vec<Command> {
    let coins = order.coins;
    let late = deposit(coins, "0xa1", at("2026-10-20T12:20:00Z"));
    let small = Coins { units: units(1_000), ..coins };
    let proceeds = match order.route {
        Route::Convert => Proceeds::Reais(amount(10_480)),
        _ => Proceeds::Coins(Coins { units: units(19_400_000), ..coins }),
    };
    let most = Coins { units: units(coins.units.get() / 2), ..coins };
    vec![
        Command::Expire,
        Command::Cancel,
        see(coins, "0xa1"),
        see(small, "0xa2"),
        Command::See(late),
        Command::See(strange(order)),
        confirm("0xa1"),
        confirm("0xa2"),
        confirm("0xs1"),
        vanish("0xa1"),
        vanish("0xa2"),
        vanish("0xs1"),
        Command::Delay,
        Command::Resume,
        Command::StartSale,
        Command::Fill(proceeds),
        Command::FailSale,
        Command::LoseSale,
        Command::Forward,
        Command::Arrive(amount(10_470)),
        Command::StartPayment,
        pay(),
        Command::FailSend,
        Command::GiveUpPayment,
        Command::RefuseKey(amount(235)),
        Command::LosePayment,
        Command::Stop,
        Command::HandOver,
        Command::GiveBack(most),
        Command::GiveBack(coins),
        Command::Reverse(amount(200)),
        Command::Retry,
        Command::Clear(None),
        decide_refund(),
        operator_refunds(None),
        operator_refunds(Some("0xnamed")),
        sent("0xb1"),
        Command::Refund(RefundReport::Failed),
        Command::Refund(RefundReport::Lost),
    ]
}

/// Early and rich; late, without room or price.
fn contexts() -> [Context; 2] {
    let late = now_at(at("2026-10-20T12:50:00Z"));
    [now(), Context { ceilings: ceilings(0), quote: None, ..late }]
}

/// The place by name.
pub fn called(progress: &Progress) -> String {
    match (progress.stage, progress.refund_waits_for()) {
        _ if progress.delayed.is_on() => "Delayed".to_owned(),
        (Stage::Secured, _) => format!("Secured, {}", name(&progress.liquidation)),
        (Stage::Refunding, Some(waits)) => format!("Refunding({waits:?})"),
        (Stage::Refunding, None) => "Refunded".to_owned(),
        (stage, _) => format!("{stage:?}"),
    }
}

/// Tells whether the context matters to it.
fn matters(input: &Input) -> bool {
    matches!(
        input,
        Input::Asked(Request::Accept(_))
            | Input::Reported(
                Command::See(_)
                    | Command::Confirm(_)
                    | Command::Vanish(_)
                    | Command::Resume
                    | Command::Clear(_)
                    | Command::Arrive(_)
                    | Command::StartPayment
                    | Command::Retry
                    | Command::FailSend
            )
    )
}

/// Returns what tells two places apart: everything but the terms, the instants and the numbers of
/// tries.
pub fn key(progress: &Progress) -> String {
    let s = progress;
    let refund = s.refund.as_ref().map(|r| (r.coins, &r.to, r.allowed, &r.status));
    let mut deposits: Vec<_> = s
        .deposits
        .iter()
        .map(|held| (&*held.deposit.hash, held.confirmed.is_on(), held.deposit.coins.units))
        .collect();
    deposits.sort_unstable();
    if s.sale.is_some() {
        // Once they are sold it does not matter which they were.
        deposits.clear();
    }
    let attempts = (s.attempts.first.is_some(), s.attempts.retry_at.is_some(), s.attempts.lost);
    let reais = (s.given_back, s.reversed, s.pix.is_some());
    let token = (s.handed, s.kept.is_some());
    let sale = (s.sale.map(|sale| sale.coins), s.liquidation, token, s.repriced.is_some());
    let begun = (s.stage, s.delayed, s.accepted.is_some(), s.counted.is_zero());
    let odd = s.odd.is_empty();
    format!("{begun:?}{odd:?}{deposits:?}{attempts:?}{reais:?}{sale:?}{refund:?}")
}

/// Returns what stands on an account: units, or centavos.
fn stands(coins: Option<Coins>) -> i128 {
    coins.map_or(0, |coins| coins.units.to_i128())
}

fn holds(state: &State, tally: &Tally) {
    let State::Known(progress) = state else { return };
    let strange = strange(&progress.order).coins;
    let in_all = |account: CoinAccount| tally.coin(strange.asset, account);
    let found = (
        in_all(CoinAccount::Deposited(this())),
        in_all(CoinAccount::RefundDue(this())),
        in_all(CoinAccount::Suspense),
        tally.balance(Account::SaleInFlight(this())),
    );
    // What it went on without stands in suspense, and is confirmed there.
    let odd = i128::try_from(progress.odd.len()).expect("a few") * strange.units.to_i128();
    let said = (
        stands(progress.in_deposit()),
        stands(progress.to_refund()),
        stands(progress.in_suspense()) + odd,
        i128::from(progress.in_flight().cents()),
    );
    assert_eq!(found, said, "dep, refund, suspense, flight of {progress:?}");
    if progress.order.is_sellers() {
        let open = progress.deposits.iter().filter(|held| !held.confirmed.is_on());
        let open: i128 = open.map(|held| held.deposit.coins.units.to_i128()).sum();
        let transit = [progress.order.coins.chain, strange.chain].map(CoinAccount::Transit);
        let transit: i128 = transit.map(in_all).iter().sum();
        assert!((open..=open + odd).contains(&-transit), "transit of {progress:?}");
    }
    if let Some(handed) = progress.handed {
        let claim = tally.coin(handed.asset, CoinAccount::ProviderClaim);
        assert_eq!(-claim, handed.units.to_i128(), "recv.prov of {progress:?}");
    } else {
        let claim = tally.coin(progress.order.coins.asset, CoinAccount::ProviderClaim);
        assert_eq!(claim, 0, "recv.prov of {progress:?}");
    }
    if state.has_ended() {
        assert_eq!((found.0, found.1, found.3), (0, 0, 0), "INV-33: {progress:?}");
    }
    refunds(progress);
}

/// INV-30 and INV-31.
fn refunds(progress: &Progress) {
    let Some(refund) = &progress.refund else { return };
    let came_in = progress.deposits.iter().map(|held| held.deposit.coins);
    let came_in: u128 =
        came_in.filter(|coins| coins.same_kind(refund.coins)).map(|coins| coins.units.get()).sum();
    assert!(refund.coins.units.get() <= came_in, "more than came in: {progress:?}");
    let paid = progress.pix.is_some();
    let reversed = !progress.reversed.is_zero();
    assert_eq!(paid, reversed, "refunded what was paid and did not come back: {progress:?}");
    if refund.sent_hash().is_some() {
        assert!(refund.to.is_some(), "sent nowhere: {progress:?}");
    }
}

pub struct Walked {
    places: Vec<(State, Tally)>,
    /// The places by name, in as many words as the wire has for them.
    names: BTreeSet<String>,
    /// Every step that was decided on the way.
    pub made: Vec<Step<State, Event>>,
}

/// The most places that are looked at: more than any route has.
const MOST: usize = 30_000;

/// From the quote on, every command in every context, until no new place is found.
pub fn walked(order: &Order) -> Walked {
    let mut places = vec![(super::quoted(order.clone()), Tally::default())];
    let mut seen: HashMap<String, usize> = HashMap::new();
    let (mut names, mut made) = (BTreeSet::new(), Vec::new());
    let mut next = 0;
    while next < places.len() {
        let (state, tally) = places[next].clone();
        next += 1;
        for (number, now) in contexts().into_iter().enumerate() {
            let reported = reported(order).into_iter().map(Input::from);
            for input in client_requests().into_iter().map(Input::from).chain(reported) {
                if number > 0 && !matters(&input) {
                    continue;
                }
                let steps = taken(&state, input, &now);
                let Some(Step { after, .. }) = steps.last() else { continue };
                let mut tally = tally.clone();
                for step in &steps {
                    tally.add(&entry(this(), &step.event));
                }
                holds(after, &tally);
                let progress = after.progress().expect("an order stays known");
                names.insert(called(progress));
                let number = seen.len();
                if *seen.entry(key(progress)).or_insert(number) == number {
                    places.push((after.clone(), tally));
                }
                made.extend(steps);
            }
        }
        assert!(places.len() < MOST, "the places do not end");
    }
    Walked { places, names, made }
}

/// The steps that `input` comes to; none where it changes nothing, or is refused.
fn taken(state: &State, input: Input, now: &Context) -> Vec<Step<State, Event>> {
    match judged(state, input, now) {
        Ok(Verdict::Applied(events)) => steps(state, events, |state, event| {
            assert!(follows(state, event), "{event:?} was decided and may not follow {state:?}");
            evolve(state, event, now.at)
        }),
        Ok(Verdict::Known | Verdict::SetAside) | Err(_) => Vec::new(),
    }
}

fn reaches(walked: &Walked, names: &[&str]) {
    for name in names {
        assert!(walked.names.contains(*name), "{name} is not among {:?}", walked.names);
    }
    let ended = walked.places.iter().any(|(state, _)| state.has_ended());
    assert!(ended && walked.places.len() > 100);
}

/// The places that every route knows.
const EVERYWHERE: [&str; 11] = [
    "Awaiting",
    "Completed",
    "Delayed",
    "Detected",
    "Expired",
    "Failed",
    "Paying",
    "Refunded",
    "Review(Short)",
    "Review(Strange)",
    "Review(Unpriced)",
];

#[test]
fn a_fast_order_conserves_reais_and_crypto_on_every_path() {
    let walked = walked(&homeless());
    reaches(&walked, &EVERYWHERE);
    reaches(&walked, &["Review(RecipientDay)", "Review(KeyRefused)", "Review(Stopped)"]);
    reaches(&walked, &["Refunding(Address)", "Refunding(Network)", "Refunding(Evidence)"]);
    let sold = walked.names.iter().any(|name| name.starts_with("Secured"));
    assert!(!sold, "FAST sells nothing first (COUT-56)");
}

#[test]
fn an_order_of_a_code_conserves_reais_and_crypto_on_every_path() {
    let limited = Order { refund_alone: Some(units(1)), ..of_code() };
    reaches(&walked(&limited), &["Paying", "Review(Short)", "Refunding(Operator)", "Refunded"]);
}

#[test]
fn an_order_swapped_first_conserves_reais_and_crypto_on_every_path() {
    let walked = walked(&by_dex());
    reaches(&walked, &EVERYWHERE);
    reaches(&walked, &["Secured, None", "Secured, Selling", "Secured, Done"]);
    reaches(&walked, &["Review(SaleLost)", "Refunding(Network)"]);
    assert!(!walked.names.contains("Secured, Forwarding"));
}

#[test]
fn an_order_sold_at_the_exchange_conserves_reais_and_crypto_on_every_path() {
    let walked = walked(&by_exchange());
    reaches(&walked, &EVERYWHERE);
    reaches(&walked, &["Secured, None", "Secured, Selling", "Secured, Sold"]);
    reaches(&walked, &["Secured, Forwarding", "Review(SaleLost)", "Refunding(Network)"]);
}

#[test]
fn an_order_on_liquid_conserves_reais_and_crypto_on_every_path() {
    let walked = walked(&on_liquid());
    reaches(&walked, &EVERYWHERE);
    reaches(&walked, &["Review(ReturnAwaited)", "Refunding(Network)"]);
    assert!(walked.places.iter().any(|(state, _)| super::progress(state).handed.is_some()));
}

#[test]
fn an_order_of_the_wallet_moves_no_customers_crypto_on_any_path() {
    let walked = walked(&of_wallet());
    assert!(walked.names.contains("Completed") && walked.names.contains("Failed"));
    for (state, tally) in &walked.places {
        assert_eq!(tally.coin(order().coins.asset, CoinAccount::Deposited(this())), 0);
        assert_eq!(super::progress(state).refund, None);
        assert_ne!(super::stage(state), Stage::Refunding);
    }
}
