//! Events that no withdrawal or quote came to: `follows` lets none of them come.

use ledger_core::machine::wallet::quote;
use ledger_core::machine::wallet::withdrawal::{
    Command, Event, Order, State, Terms, decide, evolve, follows,
};
use ledger_core::terms::Stablecoin;

use super::{FAILED, RESUMED, completed, converted, first, send, terms, usdt};
use crate::forged::{applied, every_step, only_listed};
use crate::grid::name;
use crate::samples::{PARTNER, at, units};

fn holds(list: &str, coin: Stablecoin) {
    let commands = [
        Command::Begin,
        Command::Fund,
        converted(49_950_000),
        converted(49_600_000),
        send(49_850_000),
        send(49_600_749),
        completed(49_850_000),
        Command::Lose,
        RESUMED,
        FAILED,
    ];
    let decided = |state: &State| {
        let begun = matches!(state, State::Absent).then(|| vec![first(coin)]);
        let reported = applied(commands.iter().map(|command| decide(state, command.clone())));
        begun.into_iter().chain(reported).collect()
    };
    let made = every_step(State::Absent, decided, evolve);
    let place = |state: &State| match state.progress() {
        Some(progress) => format!("{} {:?}", name(state), progress.stage),
        None => name(state),
    };
    only_listed(list, &made, follows, |state| format!("{state:?}"), place, name);
}

#[test]
fn what_no_withdrawal_of_usdt_came_to_may_not_follow() {
    holds("withdrawal_of_usdt", Stablecoin::Usdt);
}

#[test]
fn what_no_withdrawal_of_usdc_came_to_may_not_follow() {
    holds("withdrawal_of_usdc", Stablecoin::Usdc);
}

#[test]
fn a_withdrawal_promises_no_more_than_it_takes_and_at_least_its_minimum() {
    let asked = |minimum, estimated, amount| {
        let numbers = (units(minimum), units(estimated), units(amount));
        let (minimum, estimated, amount) = numbers;
        let terms = Terms { minimum, estimated, amount, ..terms(Stablecoin::Usdt) };
        let Event::Requested(order) = first(Stablecoin::Usdt) else { unreachable!() };
        follows(&State::Absent, &Event::Requested(Box::new(Order { terms, ..*order })))
    };
    assert!(asked(7, 7, 7));
    assert!(!asked(8, 7, 9), "less than the minimum");
    assert!(!asked(6, 8, 7), "more than it takes");
}

#[test]
fn what_is_left_of_a_withdrawal_is_known_when_it_is_over() {
    let left = |state: &State| state.progress().unwrap().left;
    assert_eq!(left(&usdt([Command::Fund])), None);
    let failed = usdt([Command::Fund, Command::Lose, FAILED]);
    assert_eq!(left(&failed), Some(units(50_000_000)), "all of it");
    let cheaper = usdt([Command::Fund, send(49_850_000)]);
    assert_eq!(left(&cheaper), Some(units(50_000)), "0.10 for the network");
}

#[test]
fn a_quote_that_is_over_when_it_is_issued_may_not_follow() {
    let issued = |until| {
        let offer = quote::Offer::Withdrawal(Box::new(terms(Stablecoin::Usdt)));
        let (created_at, expires_at) = (at("2026-10-20T12:00:00Z"), at(until));
        let order = quote::Order { account: PARTNER, offer, created_at, expires_at };
        quote::follows(&quote::State::Absent, &quote::Event::Issued(Box::new(order)))
    };
    assert!(issued("2026-10-20T12:00:00.000001Z"));
    assert!(!issued("2026-10-20T12:00:00Z"));
}
