//! Events that no payment came to: `follows` lets none of them come.

use ledger_core::machine::wallet::payment::{Order, State, decide, evolve, follows};

use super::{RETURN, every_command, first, order};
use crate::forged::{applied, every_step, only_listed};
use crate::grid::name;
use crate::samples::units;

#[test]
fn what_no_payment_came_to_may_not_follow() {
    let mut commands = every_command();
    commands.push(RETURN);
    let decided = |state: &State| {
        let begun = matches!(state, State::Absent).then(|| vec![first(order())]);
        let reported = applied(commands.iter().map(|command| decide(state, command.clone())));
        begun.into_iter().chain(reported).collect()
    };
    let made = every_step(State::Absent, decided, evolve);
    let place = |state: &State| match state.progress() {
        Some(progress) => format!("{:?}", progress.stage),
        None => "Absent".to_owned(),
    };
    only_listed("wallet_payment", &made, follows, |state| format!("{state:?}"), place, name);
}

#[test]
fn no_payment_reserves_less_than_it_is_said_to_cost() {
    let asked = |reserved| first(Order { reserved: units(reserved), ..order() });
    assert!(follows(&State::Absent, &asked(18_868_519)));
    assert!(!follows(&State::Absent, &asked(18_868_518)), "18.768519 and 0.10 for the network");
}
