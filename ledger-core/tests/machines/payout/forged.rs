//! Events that no payout came to: `follows` lets none of them come.

use ledger_core::machine::payout::{Command, State, decide, evolve, follows};

use super::{first, generous, give_back, noon, pay};
use crate::forged::{every_step, only_listed, single};
use crate::grid::name;

#[test]
fn what_no_payout_came_to_may_not_follow() {
    let facts = [Command::Submit, pay(), Command::Refuse, Command::Lose, Command::Stop];
    let returns = [4_000, 6_000, 10_000].map(give_back);
    let commands = [Command::Clear].into_iter().chain(facts).chain(returns);
    let commands: Vec<_> = commands.collect();
    let decided = |state: &State| {
        let begun = matches!(state, State::Absent).then(|| vec![first(generous())]);
        let reported = single(commands.iter().map(|command| decide(state, command.clone())));
        begun.into_iter().chain(reported).collect()
    };
    let made = every_step(State::Absent, decided, |state, event| evolve(state, event, noon()));
    only_listed("payout", &made, follows, |state| format!("{state:?}"), name, name);
}
