//! What is reported of agents.

use super::member::Newcomer;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, attributed};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::malformed::Malformed;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::well_formed::value::{capabilities, of, text, text_if};
use crate::machine::agent::Command;

/// What is reported of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Fields bear the names of the wire's; the contract module describes each.
pub enum Fact {
    /// An agent that production was granted to comes from the sandbox.
    Activated(Box<Newcomer>),
    /// Policy stops an agent, by its permanent id.
    Suspended { agent: Box<str>, decided_by: OperatorDecision },
    /// Policy lets an agent go on.
    Reinstated { agent: Box<str>, decided_by: OperatorDecision },
}

impl Fact {
    /// What kind of fact this is.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Activated(_) => FactKind::AgentActivated,
            Self::Suspended { .. } => FactKind::AgentSuspended,
            Self::Reinstated { .. } => FactKind::AgentReinstated,
        }
    }

    /// Whether its values are such as the wire's readers would take.
    pub(in crate::ledger) fn check(&self) -> Result<(), Refusal> {
        match self {
            Self::Activated(newcomer) => {
                text("agent_id", &newcomer.id, 80)?;
                of("settlement_address", Malformed::settlement(&newcomer.settlement))?;
                text_if("referral", newcomer.referral.as_deref(), 64)?;
                capabilities(&newcomer.capabilities)
            }
            Self::Suspended { agent, .. } | Self::Reinstated { agent, .. } => {
                text("agent_id", agent, 80)
            }
        }
    }
}

impl FactContext<'_> {
    /// A fact about an agent.
    pub(in crate::ledger) fn decide_agent(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Activated(newcomer) => self.agent_activated(*newcomer),
            Fact::Suspended { agent, decided_by } => {
                attributed(self.agent_policed(&agent, Command::Suspend), decided_by)
            }
            Fact::Reinstated { agent, decided_by } => {
                attributed(self.agent_policed(&agent, Command::Reinstate), decided_by)
            }
        }
    }
}
