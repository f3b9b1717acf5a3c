//! Judging what an agent asks, what it does, and what policy says of it.

use super::{Agent, Command, Event, Grant, Refusal, Request, Requirement, Stage, State};
use crate::id::KeyHash;
use crate::machine::Verdict;

/// Judges what an agent asks; no event where it is done already, so a retry is harmless.
///
/// # Errors
///
/// The [`Refusal`], when it never registered, is stopped, or lacks what production demands.
pub fn request(state: &State, asked: Request) -> Result<Option<Event>, Refusal> {
    let known = state.agent().ok_or(Refusal::Absent)?;
    let stopped = matches!(state, State::Suspended(..));
    match asked {
        Request::Activate { .. } if matches!(state, State::ProductionActive(_)) => Ok(None),
        Request::Activate { settlement, key } => activate(state, known, settlement, key).map(Some),
        Request::Validate | Request::Mandate(_) if stopped => Err(Refusal::Suspended),
        Request::Validate => {
            let done = state.stage().is_some_and(|stage| Stage::Validated <= stage);
            Ok((!done).then_some(Event::Validated))
        }
        Request::Mandate(mandate) => {
            let same = known.mandate.as_ref() == Some(&*mandate);
            Ok((!same).then_some(Event::MandateSet(mandate)))
        }
    }
}

/// Judges what an agent does, and what policy says of it.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Event> {
    use Verdict::{Applied, Known, SetAside};
    match (state, command) {
        (State::Suspended(..), Command::Reinstate) => Applied(Event::Reinstated),
        (
            State::Registered(_)
            | State::SandboxActive(_)
            | State::Validated(_)
            | State::ProductionActive(_),
            Command::Reinstate,
        )
        | (State::Suspended(..), Command::Suspend) => Known,
        (
            State::Registered(_)
            | State::SandboxActive(_)
            | State::Validated(_)
            | State::ProductionActive(_),
            Command::Suspend,
        ) => Applied(Event::Suspended),
        (State::Registered(_), Command::Operate) => Applied(Event::SandboxUsed),
        (
            State::SandboxActive(_) | State::Validated(_) | State::ProductionActive(_),
            Command::Operate,
        ) => Known,
        (State::Absent, _) | (State::Suspended(..), Command::Operate) => SetAside,
    }
}

fn activate(
    state: &State,
    agent: &Agent,
    settlement: Option<Box<str>>,
    key: KeyHash,
) -> Result<Event, Refusal> {
    let mut missing = Vec::new();
    let mut demand = |there: bool, requirement| {
        if !there {
            missing.push(requirement);
        }
    };
    demand(!matches!(state, State::Suspended(..)), Requirement::NotSuspended);
    demand(state.stage().is_some_and(|stage| Stage::Validated <= stage), Requirement::Validated);
    demand(settlement.is_some(), Requirement::Settlement);
    demand(agent.mandate.is_some(), Requirement::Mandate);
    match (settlement, agent.mandate.clone()) {
        (Some(settlement), Some(mandate)) if missing.is_empty() => {
            Ok(Event::Activated(Box::new(Grant { settlement, mandate, key })))
        }
        _ => Err(Refusal::Incomplete { missing }),
    }
}
