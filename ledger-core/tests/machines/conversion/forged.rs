//! Events that no conversion came to: `follows` lets none of them come.

use ledger_core::machine::conversion::{Command, Event, State, decide, evolve, follows};
use ledger_core::machine::delivery::{self, DeliveryReport};

use super::{confirm, deliver, first, noon, of_commission, order};
use crate::forged::{applied, every_step, only_listed};
use crate::grid::name;

#[test]
fn what_no_conversion_came_to_may_not_follow() {
    for (list, order) in [("conversion", order()), ("commission", of_commission())] {
        let report = [
            DeliveryReport::Begin,
            DeliveryReport::Accept,
            confirm("0xa1"),
            DeliveryReport::Fail,
            DeliveryReport::Lose,
        ];
        let commands: Vec<_> = [Command::GiveUp].into_iter().chain(report.map(deliver)).collect();
        let decided = |state: &State| {
            // A delivery that is tried for the tenth time is tried as it was for the third.
            if matches!(state, State::Paid(paid) if paid.delivery == delivery::State::Sending(3)) {
                return Vec::new();
            }
            let begun = matches!(state, State::Absent).then(|| vec![first(order.clone())]);
            let reported = applied(commands.iter().map(|command| decide(state, command.clone())));
            begun.into_iter().chain(reported).collect()
        };
        let made = every_step(State::Absent, decided, |state, event| evolve(state, event, noon()));
        let place = |state: &State| match state {
            State::Paid(paid) => name(&paid.delivery),
            state => name(state),
        };
        only_listed(
            list,
            &made,
            follows,
            |state| format!("{state:?}"),
            place,
            |event| match event {
                Event::Delivery { event, .. } => name(event),
                event => name(event),
            },
        );
    }
}
