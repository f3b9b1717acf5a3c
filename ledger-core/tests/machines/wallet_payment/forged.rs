//! Events that no payment came to: `follows` lets none of them come.

use ledger_core::machine::wallet::payment::{
    Command, Event, Finding, Order, State, decide, evolve, follows,
};

use super::{
    CONSUME, FAIL, RETURN, RETURN_LOST, RICH, decided_paid, found_paid, order, ordered, pay,
    request, send,
};
use crate::forged::{applied, every_step, only_listed};
use crate::grid::name;
use crate::samples::units;

#[test]
fn what_no_payment_came_to_may_not_follow() {
    let commands = [
        request(),
        ordered(),
        Command::Accept,
        Command::Begin,
        send(),
        Command::Confirm,
        pay(),
        FAIL,
        Command::Lose,
        Command::Find(Finding::Sent("0xf1".into())),
        found_paid(),
        Command::Find(Finding::Failed),
        RETURN,
        RETURN_LOST,
        decided_paid(),
        CONSUME,
    ];
    let decided = |state: &State| {
        applied(commands.iter().map(|command| decide(state, command.clone(), RICH)))
    };
    let made = every_step(State::Absent, decided, evolve);
    let place = |state: &State| match state.standing() {
        Some(standing) => format!("{:?}", standing.stage),
        None => "Absent".to_owned(),
    };
    only_listed("wallet_payment", &made, follows, |state| format!("{state:?}"), place, name);
}

#[test]
fn no_payment_reserves_less_than_it_is_said_to_cost() {
    let asked =
        |reserved| Event::Requested(Box::new(Order { reserved: units(reserved), ..order() }));
    assert!(follows(&State::Absent, &asked(18_868_519)));
    assert!(!follows(&State::Absent, &asked(18_868_518)), "18.768519 and 0.10 for the network");
}
