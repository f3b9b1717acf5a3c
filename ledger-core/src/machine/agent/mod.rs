//! Agent: a permanent identity of the mesh, from its registration to production.
//!
//! ```text
//! Absent --Registered--> Registered --Operate--> SandboxActive --Validate--> Validated
//!    |                       '----------------------Validate-------------------^   |
//!    |                                                                          Activate
//!    '--------------------------------Admitted----------------------> ProductionActive
//! any but Absent --Suspend--> Suspended --Reinstate--> where it was before
//! any but Absent, Suspended --Mandate--> the same, under that mandate
//! ```
//!
//! Part A15; AGT-01 to AGT-26. An agent registers in the sandbox ledger and is activated there; the
//! live ledger, which shares nothing with it (rulings 9), admits it under the same id by a fact. No
//! step waits on a person (AGT-02): what is missing is reported, and what is there suffices.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`]
//! accounts.

pub(crate) mod reward;
mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::accounting::Entry;
use crate::id::{AgentId, KeyHash};
use crate::machine::Verdict;
use crate::terms::Mandate;

pub use terms::{Admission, Grant, Profile};

/// What an agent that registered asks for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Show that the sandbox works.
    Validate,
    /// Set its mandate.
    Mandate(Box<Mandate>),
    /// Grant production, where nothing that it demands is missing.
    Activate {
        /// The wallet it settles to, if its account has one.
        settlement: Option<Box<str>>,
        /// The hash of the key that would be given.
        key: KeyHash,
    },
}

/// What it does, and what policy says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// It created an operation.
    Operate,
    /// Policy stops it.
    Suspend,
    /// Policy lets it go on.
    Reinstate,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Registered in the sandbox.
    #[n(0)]
    Registered(#[n(0)] Box<Profile>),
    /// Taken in from the sandbox, in production.
    #[n(1)]
    Admitted(#[n(0)] Box<Admission>),
    /// It created its first operation.
    #[n(2)]
    SandboxUsed,
    /// It showed that the sandbox works.
    #[n(3)]
    Validated,
    /// Its mandate was set; it holds for new operations.
    #[n(4)]
    MandateSet(#[n(0)] Box<Mandate>),
    /// Production was granted.
    #[n(5)]
    Activated(#[n(0)] Box<Grant>),
    /// Stopped by policy.
    #[n(6)]
    Suspended,
    /// Let go on by policy.
    #[n(7)]
    Reinstated,
}

/// Where the agent stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nobody registered under this id yet.
    #[default]
    Absent,
    /// Registered, and nothing done yet.
    Registered(Arc<Agent>),
    /// It created operations in the sandbox.
    SandboxActive(Arc<Agent>),
    /// It showed that the sandbox works.
    Validated(Arc<Agent>),
    /// It may use real money.
    ProductionActive(Arc<Agent>),
    /// Stopped; where it stood before.
    Suspended(Arc<Agent>, Stage),
}

/// A step of the way to production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Stage {
    /// Registered, and nothing done yet.
    #[n(0)]
    Registered,
    /// Active in the sandbox.
    #[n(1)]
    SandboxActive,
    /// It showed that the sandbox works.
    #[n(2)]
    Validated,
    /// Active in production.
    #[n(3)]
    ProductionActive,
}

/// An agent as it stands, whatever its stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Agent {
    /// Who it is.
    #[n(0)]
    pub profile: Profile,
    /// The agent that referred it.
    #[n(1)]
    pub referrer: Option<AgentId>,
    /// What it allows itself to send; none: what the platform allows.
    #[n(2)]
    pub mandate: Option<Mandate>,
    /// What production was granted under.
    #[n(3)]
    pub grant: Option<Grant>,
}

/// What production demands, in the order a refusal lists it (AGT-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// That policy has not stopped it (P:AgentSuspended).
    NotSuspended,
    /// That the sandbox works.
    Validated,
    /// A wallet to settle to.
    Settlement,
    /// A mandate: what it allows itself to send.
    Mandate,
}

/// Why the ledger said no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Policy has stopped it.
    Suspended,
    /// Production demands more.
    Incomplete {
        /// What, in order.
        missing: Vec<Requirement>,
    },
    /// It never registered.
    Absent,
}

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

/// Tells whether `event` may follow `state`.
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
        Event::SandboxUsed => State::SandboxActive(state.expect_agent()),
        Event::Validated => State::Validated(state.expect_agent()),
        Event::MandateSet(mandate) => {
            let mandate = Some(Mandate::clone(mandate));
            state.with(Agent { mandate, ..Agent::clone(&state.expect_agent()) })
        }
        Event::Activated(grant) => {
            let grant = Some(Grant::clone(grant));
            State::ProductionActive(Arc::new(Agent {
                grant,
                ..Agent::clone(&state.expect_agent())
            }))
        }
        Event::Suspended => State::Suspended(state.expect_agent(), state.expect_stage()),
        Event::Reinstated => State::at(state.expect_stage(), state.expect_agent()),
    }
}

/// Accounts for `event`: an agent is an identity, and moves no money by what it is.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    match event {
        Event::Registered(_)
        | Event::Admitted(_)
        | Event::SandboxUsed
        | Event::Validated
        | Event::MandateSet(_)
        | Event::Activated(_)
        | Event::Suspended
        | Event::Reinstated => Entry::NONE,
    }
}

impl State {
    /// An agent at this stage.
    #[must_use]
    pub fn at(stage: Stage, agent: Arc<Agent>) -> Self {
        match stage {
            Stage::Registered => Self::Registered(agent),
            Stage::SandboxActive => Self::SandboxActive(agent),
            Stage::Validated => Self::Validated(agent),
            Stage::ProductionActive => Self::ProductionActive(agent),
        }
    }

    /// The agent, once registered.
    #[must_use]
    pub fn agent(&self) -> Option<&Arc<Agent>> {
        match self {
            Self::Absent => None,
            Self::Registered(agent)
            | Self::SandboxActive(agent)
            | Self::Validated(agent)
            | Self::ProductionActive(agent)
            | Self::Suspended(agent, _) => Some(agent),
        }
    }

    /// How far it has come, whether stopped or not.
    #[must_use]
    pub const fn stage(&self) -> Option<Stage> {
        match self {
            Self::Absent => None,
            Self::Registered(_) => Some(Stage::Registered),
            Self::SandboxActive(_) => Some(Stage::SandboxActive),
            Self::Validated(_) => Some(Stage::Validated),
            Self::ProductionActive(_) => Some(Stage::ProductionActive),
            Self::Suspended(_, stage) => Some(*stage),
        }
    }

    /// Tells whether policy has stopped it.
    #[must_use]
    pub const fn is_suspended(&self) -> bool {
        matches!(self, Self::Suspended(..))
    }

    fn with(&self, agent: Agent) -> Self {
        Self::at(self.expect_stage(), Arc::new(agent))
    }

    fn expect_stage(&self) -> Stage {
        self.stage().expect("follows admits only a beginning on an absent agent")
    }

    fn expect_agent(&self) -> Arc<Agent> {
        let agent = self.agent();
        Arc::clone(agent.expect("follows admits only a beginning on an absent agent"))
    }
}
