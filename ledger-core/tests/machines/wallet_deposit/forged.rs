//! Events that no deposit came to: `follows` lets none of them come.

use ledger_core::machine::wallet::deposit::{Command, Order, State, decide, evolve, follows};

use super::{RETURNED, VANISHED, clear, confirm, doubt, exact, find, first, order, see, transfer};
use crate::forged::{every_step, only_listed, single};
use crate::grid::name;
use crate::samples::{PARTNER, USDT, at};

#[test]
fn what_no_deposit_came_to_may_not_follow() {
    let commands = [
        find(exact()),
        Command::Expire,
        see(exact()),
        see(transfer(USDT, 100_000_000)),
        confirm(),
        doubt(),
        clear(),
        Command::Clear { account: Some(PARTNER), credited: None },
        RETURNED,
        VANISHED,
        Command::Reverse,
    ];
    let decided = |state: &State| {
        let begun = matches!(state, State::Absent).then(|| vec![first(order())]);
        let reported = single(commands.iter().map(|command| decide(state, command.clone())));
        begun.into_iter().chain(reported).collect()
    };
    let evolve = |state: &State, event: &_| evolve(state, event, at("2026-10-20T12:30:00Z"));
    let made = every_step(State::Absent, decided, evolve);
    only_listed("wallet_deposit", &made, follows, |state| format!("{state:?}"), name, name);
}

#[test]
fn no_request_has_no_suffix_or_no_time() {
    let asked = |order| follows(&State::Absent, &first(order));
    assert!(asked(order()));
    assert!(!asked(Order { amount: order().requested, ..order() }), "WAL-10");
    assert!(!asked(Order { expires_at: order().created_at, ..order() }));
}
