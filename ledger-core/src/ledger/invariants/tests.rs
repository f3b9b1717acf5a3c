//! Invariants over what no decision can break: each is broken here once, and says so.

use std::collections::BTreeSet;
use std::iter::empty;
use std::sync::Arc;

use super::nowhere::Nowhere;
use super::{INVARIANTS, Invariant, Violation, check_all, of_the_state, totals};
use crate::accounting::{Account, Books, Buckets, CoinAccount, Control, Posting, Side};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, Kind, OpId, Seq, SubaccountId, Token};
use crate::ledger::agent::member::Member;
use crate::ledger::record::event::Event;
use crate::ledger::record::{Cause, Record};
use crate::ledger::registry::{Machine, Operation};
use crate::ledger::state::due::Due;
use crate::ledger::state::{State, Subaccount};
use crate::machine::payout;
use crate::machine::wallet::deposit;
use crate::money::{Amount, Balance, Cents};
use crate::terms::{Payer, PayoutFees, Terms};
use crate::time::{Instant, Span};

fn begun() -> State {
    State::new("live")
}

fn invariant(id: &str) -> &'static Invariant {
    Invariant::by_id(id).unwrap_or_else(|| panic!("{id} is listed"))
}

/// What this one invariant says of a state whose archive remembers nothing.
fn check(id: &str, state: &State) -> Result<(), Violation> {
    invariant(id).check(state, &Nowhere)
}

fn controls(of: impl Fn(Control) -> i128) -> State {
    let mut state = begun();
    let controls = Control::ALL.map(of);
    state.books = Books::restore(&controls, empty(), empty(), empty(), empty());
    state
}

fn buckets(available: i64, held: i64, frozen: i64) -> State {
    let [available, held, frozen] = [available, held, frozen].map(Balance::new);
    let known = Buckets { available, held, frozen, ..Buckets::default() };
    let mut state = begun();
    let controls = [0; Control::ALL.len()];
    state.books = Books::restore(&controls, [known].into_iter(), empty(), empty(), empty());
    state
}

fn flight(account: Account, cents: i64) -> State {
    let mut state = begun();
    let controls = [0; Control::ALL.len()];
    let flights = [(account, cents)].into_iter();
    state.books = Books::restore(&controls, empty(), flights, empty(), empty());
    state
}

fn coins(account: CoinAccount, units: i128) -> State {
    let mut state = begun();
    let controls = [0; Control::ALL.len()];
    let coins = [((AssetId(0), account), units)].into_iter();
    state.books = Books::restore(&controls, empty(), empty(), empty(), coins);
    state
}

fn charge() -> OpId {
    OpId::new(Kind::Charge, Seq(1))
}

/// A state that breaks this invariant; none where a state cannot.
fn broken(id: &str) -> Option<State> {
    let mut state = begun();
    match id {
        "INV-02" => return Some(coins(CoinAccount::Fx, 1)),
        "INV-07" => return Some(buckets(0, -1, 0)),
        "INV-08" => return Some(buckets(1, 0, 0)),
        "INV-14" => return Some(buckets(0, 0, 1)),
        "INV-24" => {
            let member = Member { referred_volume: 1, ..Member::default() };
            state.domains.agents.members.push_back(Arc::new(member));
        }
        "INV-33" => return Some(flight(Account::PixInFlight(charge()), 1)),
        "INV-36" => return Some(coins(CoinAccount::WalletReserved(AccountId(0)), 1)),
        "INV-38" => {
            let (at, machine) = (state.now, Machine::WalletDeposit(awaiting()));
            let operation = Operation { machine, created_at: at, updated_at: at, metadata: None };
            state.open.insert(OpId::new(Kind::WalletDeposit, Seq(1)), Arc::new(operation));
        }
        "INV-40" => {
            let pending = Cents::new(1).unwrap();
            state.payers.insert(Token([1; 16]), Payer { pending, ..Payer::default() });
        }
        "AGENDA" => {
            state.agenda.insert((state.now, charge(), Due::Expiry));
        }
        "ASIDE" => {
            state.set_aside.insert((charge(), OpId::new(Kind::Suspense, Seq(1))));
        }
        "CONTROL" => return Some(controls(|known| i128::from(known == Control::SuspensePix))),
        "TIME" => {
            state.agenda.insert((state.now, charge(), Due::Expiry));
            state.now = state.now.after(Span::seconds(1));
        }
        _ => return None,
    }
    Some(state)
}

/// An open request for a deposit that nothing awaits.
fn awaiting() -> deposit::State {
    let order = deposit::Order {
        account: AccountId(0),
        chain: ChainId(0),
        network: "polygon".into(),
        title: "Polygon".into(),
        accepted: Vec::new(),
        address: "0x1".into(),
        requested: Units::new(100).unwrap(),
        amount: Units::new(101).unwrap(),
        origin: deposit::Origin::Request,
        created_at: Instant::default(),
        expires_at: Instant::default(),
    };
    deposit::State::Waiting(Arc::new(order))
}

/// A record that requests a payout of so many centavos for nobody known.
fn requests(cents: i64) -> Record {
    let order = payout::Order::new(
        AccountId(0),
        SubaccountId(0),
        Amount::new(cents).unwrap(),
        PayoutFees::default(),
        Token([1; 16]),
        Token([2; 16]),
        Instant::default(),
    );
    let op = OpId::new(Kind::Payout, Seq(1));
    let events = vec![Event::Payout { op, event: payout::Event::Requested(Box::new(order)) }];
    let (seq, at, cause) = (Seq(1), Instant::default(), Cause::default());
    Record { seq, at, events, cause, outside: None, original: None }
}

#[test]
fn every_invariant_has_an_id_and_a_text_of_its_own() {
    let ids: BTreeSet<&str> = INVARIANTS.iter().map(|it| it.id).collect();
    let texts: BTreeSet<&str> = INVARIANTS.iter().map(|it| it.text).collect();
    assert_eq!((ids.len(), texts.len()), (INVARIANTS.len(), INVARIANTS.len()));
    assert!(INVARIANTS.iter().all(|it| !it.text.is_empty() && !it.text.ends_with('.')));
    for family in ["INV-", "OUT-"] {
        assert!(INVARIANTS.iter().map(|it| it.id).filter(|id| id.starts_with(family)).is_sorted());
    }
}

#[test]
fn an_empty_state_keeps_every_law() {
    let state = begun();
    check_all(&state, &Nowhere).unwrap();
    let record = Record { events: Vec::new(), ..requests(1) };
    for invariant in INVARIANTS {
        invariant.check(&state, &Nowhere).unwrap();
        invariant.check_record(&state, &Nowhere, &record).unwrap();
    }
}

/// Two look at records and not at states, and have tests of their own; those of the outcome are
/// broken in `tests/machines/outcome.rs`.
#[test]
fn every_invariant_of_the_state_is_broken_once_and_says_so() {
    let mut by_record = BTreeSet::new();
    for invariant in of_the_state() {
        let Some(state) = broken(invariant.id) else {
            by_record.insert(invariant.id);
            continue;
        };
        let reported = invariant.check(&state, &Nowhere).unwrap_err();
        assert_eq!(reported.invariant, invariant.id, "{reported}");
        assert!(check_all(&state, &Nowhere).is_err(), "{reported}");
    }
    assert_eq!(by_record, BTreeSet::from(["INV-01", "INV-42"]));
}

#[test]
fn legs_that_do_not_balance_are_found() {
    let leg = |side, cents| {
        let (account, amount) = (Account::ProviderPix, Amount::new(cents).unwrap());
        Posting { account, side, amount }
    };
    totals::legs_balance([leg(Side::Debit, 5), leg(Side::Credit, 5)]).unwrap();
    let message = totals::legs_balance([leg(Side::Debit, 5), leg(Side::Credit, 4)]).unwrap_err();
    assert_eq!(message, "an entry is out by -1");
}

#[test]
fn a_record_that_requests_more_than_the_platforms_limit_is_found() {
    let most = Terms::published_at(Instant::default()).payout_most.cents();
    let passed = |cents| {
        let checked = invariant("INV-42").check_record(&begun(), &Nowhere, &requests(cents));
        checked.map_err(|reported| reported.invariant)
    };
    assert_eq!((passed(most), passed(most + 1)), (Ok(()), Err("INV-42")));
}

#[test]
fn a_bucket_below_zero_is_found() {
    let of = |available, held, frozen| {
        let checked = check("INV-07", &buckets(available, held, frozen));
        checked.map_err(|reported| reported.invariant)
    };
    assert_eq!((of(0, 0, 0), of(-1, 0, 0)), (Ok(()), Ok(())));
    assert_eq!((of(0, -1, 0), of(0, 0, -1)), (Err("INV-07"), Err("INV-07")));
}

#[test]
fn what_is_in_flight_or_suspense_below_zero_is_found() {
    let suspense = controls(|known| if known == Control::SuspensePix { -1 } else { 0 });
    for state in [
        flight(Account::PixInFlight(charge()), -1),
        coins(CoinAccount::DeliveryInFlight(charge()), -1),
        coins(CoinAccount::Suspense, -1),
        suspense,
    ] {
        assert_eq!(check("INV-07", &state).unwrap_err().invariant, "INV-07");
    }
    check("INV-07", &coins(CoinAccount::Fx, -1)).unwrap();
}

#[test]
fn what_is_held_without_a_schedule_and_frozen_without_a_hold_is_found() {
    for state in [buckets(0, 1, 0), buckets(0, 0, 1)] {
        assert_eq!(check("INV-14", &state).unwrap_err().invariant, "INV-14");
    }
}

#[test]
fn a_subaccount_that_counts_a_watching_hold_there_is_not_is_found() {
    let mut state = begun();
    let account = AccountId(0);
    let of = |watchers| Subaccount { account, waiting_until: None, deposited: false, watchers };
    state.subaccounts.push(of(0));
    check("INV-14", &state).unwrap();
    state.subaccounts.push(of(1));
    assert_eq!(check("INV-14", &state).unwrap_err().invariant, "INV-14");
}

#[test]
fn a_deadline_of_nobody_and_one_that_was_passed_over_are_found() {
    let mut state = begun();
    state.agenda.insert((state.now, charge(), Due::Expiry));
    assert_eq!(check("AGENDA", &state).unwrap_err().invariant, "AGENDA");
    check("TIME", &state).unwrap();
    state.now = state.now.after(Span::seconds(1));
    assert_eq!(check("TIME", &state).unwrap_err().invariant, "TIME");
}

#[test]
fn something_found_that_does_not_wait_breaks_an_invariant() {
    check("ASIDE", &begun()).unwrap();
    let state = broken("ASIDE").expect("a state breaks it");
    assert_eq!(check("ASIDE", &state).unwrap_err().invariant, "ASIDE");
}

#[test]
fn a_control_that_no_part_stands_behind_is_found() {
    for control in [
        Control::Available,
        Control::Held,
        Control::Frozen,
        Control::Commission,
        Control::PixInFlight,
        Control::PayoutInFlight,
        Control::ConversionInFlight,
        Control::SaleInFlight,
        Control::Reward,
        Control::RewardExpense,
        Control::SuspensePix,
    ] {
        let state = controls(|known| i128::from(known == control));
        let reported = check("CONTROL", &state).unwrap_err();
        let named = reported.what.contains(control.name());
        assert_eq!((reported.invariant, named), ("CONTROL", true), "{reported}");
    }
}

#[test]
fn books_that_do_not_sum_to_nothing_are_found() {
    let reais = controls(|known| i128::from(known == Control::ALL[0]));
    for state in [reais, coins(CoinAccount::Fx, 1)] {
        assert_eq!(check("INV-02", &state).unwrap_err().invariant, "INV-02");
    }
}
