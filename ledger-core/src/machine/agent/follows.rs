//! Which event of an agent may come next; written apart from the deciding, so that each checks the
//! other.

use super::{Event, State};

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Registered(_) | Event::Admitted(_)) => true,
        (State::Registered(_), Event::SandboxUsed) => true,
        (State::Registered(_) | State::SandboxActive(_), Event::Validated) => true,
        (State::Validated(agent), Event::Activated(grant)) => {
            agent.mandate.as_ref() == Some(&grant.mandate)
        }
        (
            State::Registered(agent)
            | State::SandboxActive(agent)
            | State::Validated(agent)
            | State::ProductionActive(agent),
            Event::MandateSet(mandate),
        ) => agent.mandate.as_ref() != Some(&**mandate),
        (
            State::Registered(_)
            | State::SandboxActive(_)
            | State::Validated(_)
            | State::ProductionActive(_),
            Event::Suspended,
        ) => true,
        (State::Suspended(..), Event::Reinstated) => true,
        (_, _) => false,
    }
}
