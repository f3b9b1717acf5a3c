//! Events that no charge came to: `follows` lets none of them come.

use ledger_core::machine::charge::{Command, State, decide, evolve, follows};

use super::walk::commands;
use super::{first, give_back, next_day, now, retained};
use crate::forged::{every_step, only_listed, single};
use crate::grid::name;

#[test]
fn what_no_charge_came_to_may_not_follow() {
    for (list, order) in [("charge", next_day()), ("charge_held", retained())] {
        let decided = |state: &State| {
            let begun = matches!(state, State::Absent).then(|| vec![first(order.clone())]);
            let commands = commands().into_iter();
            let commands = commands.filter(|command| !matches!(command, Command::Return(_)));
            let returns = [4_000, 6_000, 10_000].map(give_back);
            let reported =
                single(commands.chain(returns).map(|command| decide(state, command, now())));
            begun.into_iter().chain(reported).collect()
        };
        let evolve = |state: &State, event: &_| evolve(state, event, now().at);
        let made = every_step(State::Absent, decided, evolve);
        only_listed(list, &made, follows, |state| format!("{state:?}"), name, name);
    }
}
