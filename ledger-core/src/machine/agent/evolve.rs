//! Remembering what happened to an agent.

use std::sync::Arc;

use super::{Agent, Event, Grant, Profile, State, follows};
use crate::terms::Mandate;

/// Remembers `event`: returns what `state` becomes by it.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    match event {
        Event::Registered(profile) => State::Registered(Arc::new(Agent {
            profile: Profile::clone(profile),
            referrer: None,
            mandate: None,
            grant: None,
        })),
        Event::Admitted(admission) => State::ProductionActive(Arc::new(Agent {
            profile: admission.profile.clone(),
            referrer: admission.referrer,
            mandate: Some(admission.grant.mandate.clone()),
            grant: Some(admission.grant.clone()),
        })),
        Event::SandboxUsed => State::SandboxActive(state.known()),
        Event::Validated => State::Validated(state.known()),
        Event::MandateSet(mandate) => {
            let mandate = Some(Mandate::clone(mandate));
            state.with(Agent { mandate, ..Agent::clone(&state.known()) })
        }
        Event::Activated(grant) => {
            let grant = Some(Grant::clone(grant));
            State::ProductionActive(Arc::new(Agent { grant, ..Agent::clone(&state.known()) }))
        }
        Event::Suspended => State::Suspended(state.known(), state.reached()),
        Event::Reinstated => State::at(state.reached(), state.known()),
    }
}
