//! The entry of a product: moves posted and taken back, each set within one record.

use ledger_core::accounting::{Account, CoinAccount, Entry, ProductClass};
use ledger_core::id::ProductAccount;
use ledger_core::machine::entry::{Event, Movement, State, entry, evolve, follows};
use ledger_core::terms::Switch;

use crate::legs::line;
use crate::samples::{ANA, SOMEBODY, USDT, amount, units};

fn moved(cents: i64) -> Movement {
    let fees = ProductClass::Income.account(ProductAccount { number: 2, holder: None });
    Movement { debit: Account::Available(ANA), credit: fees, amount: amount(cents), asset: None }
}

fn posted(cents: i64, last: Switch) -> Event {
    Event::Posted { moved: moved(cents), note: Some(SOMEBODY), last, template: None }
}

fn reversed(last: Switch) -> Event {
    let Movement { debit, credit, amount, asset } = moved(7);
    Event::Reversed { moved: Movement { debit: credit, credit: debit, amount, asset }, last }
}

fn after(events: &[Event]) -> State {
    events.iter().fold(State::Absent, |state, event| evolve(&state, event))
}

/// A move, the last of a posting, a move back, and the last of a reversal.
fn events() -> [Event; 4] {
    use Switch::{Off, On};
    [posted(7, Off), posted(8, On), reversed(Off), reversed(On)]
}

#[test]
fn every_event_in_every_state() {
    let [first, last, back, last_back] = events();
    let may = |told: &[Event]| events().map(|event| follows(&after(told), &event));
    assert_eq!(may(&[]), [true, true, false, false]);
    assert_eq!(may(std::slice::from_ref(&first)), [true, true, false, false]);
    let told = [first, last, back, last_back];
    assert_eq!(may(&told[..2]), [false, false, true, true]);
    assert_eq!(may(&told[..3]), [false, false, true, true]);
    assert_eq!(may(&told), [false; 4]);
    assert_eq!(after(&told), State::Reversed(vec![moved(7), moved(8)]));
}

#[test]
fn nothing_moves_from_an_account_to_itself() {
    let moved = Movement { credit: Account::Available(ANA), ..moved(1) };
    let event = Event::Posted { moved, note: None, last: Switch::On, template: None };
    assert!(!follows(&State::Absent, &event));
}

#[test]
fn a_unit_moves_between_accounts_of_products_alone() {
    let of = |number| ProductAccount { number, holder: None };
    let (debit, credit) = (ProductClass::Equity, ProductClass::Liability);
    let moved = Movement {
        debit: debit.account(of(1)),
        credit: credit.account(of(2)),
        asset: Some(USDT),
        ..moved(7)
    };
    let posted = |moved| Event::Posted { moved, note: None, last: Switch::On, template: None };
    assert!(follows(&State::Absent, &posted(moved)));
    let made = entry(&posted(moved));
    let (from, to) = (CoinAccount::ProductEquity(of(1)), CoinAccount::ProductLiability(of(2)));
    let coins = Entry::NONE.coins(USDT, from, to, units(7));
    assert_eq!(made, coins);
    let from_ana = Movement { debit: Account::Available(ANA), ..moved };
    assert!(!follows(&State::Absent, &posted(from_ana)));
}

#[test]
fn every_event_and_its_legs() {
    assert_eq!(
        line("Posted", &entry(&posted(9_150, Switch::On))),
        "\
Posted
  Dr cust.avail[1] 9150 / Cr prod.income[2] 9150
  -9150 principal
"
    );
    assert_eq!(
        line("Reversed", &entry(&reversed(Switch::On))),
        "\
Reversed
  Dr prod.income[2] 7 / Cr cust.avail[1] 7
  +7 principal
"
    );
}
