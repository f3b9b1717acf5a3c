//! What a command comes to: events and an answer.

pub(super) mod admission;
pub(super) mod decide;
pub(super) mod fact_context;
pub(super) mod field;
mod gather;
pub(super) mod lookup;
pub(super) mod named;
pub(super) mod prefetch;
pub(super) mod refusal;
pub(super) mod repetition;
pub(super) mod set_aside;
pub(super) mod spelling;
pub(super) mod wallet_refusal;
use super::record::event::Event;
use super::record::payment_details::FactDetails;
use crate::id::{AgentId, OpId};

/// The events of a command, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The events that happen; of a repeat or a duplicate, at most the one that keeps its new id.
    pub events: Vec<Event>,
    /// The answer to the command.
    pub outcome: Outcome,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A request created this operation.
    Created(OpId),
    /// A request was made before: this is what it created then (rulings 7).
    Repeated(OpId),
    /// An agent was registered, now or before.
    Registered(AgentId),
    /// A request changed something, or found it as asked, and created nothing.
    Done,
    /// A fact happened, and created this operation if it creates one.
    Applied(Option<OpId>),
    /// A fact was known: nothing happened, but that an id of its own is kept.
    Known,
    /// A fact contradicted the books; what money it carries waits under this id.
    SetAside(Option<OpId>),
}

impl Decision {
    /// No events, with this outcome.
    pub(super) const fn nothing(outcome: Outcome) -> Self {
        Self { events: Vec::new(), outcome }
    }
}

impl Decision {
    /// What was reported beside a fact is recorded where the fact is; of a known one nothing is.
    pub(super) fn beside(mut self, beside: FactDetails) -> Self {
        if !self.events.is_empty() {
            self.events.extend(match (beside, self.outcome) {
                (FactDetails::Pix(details), _) => Some(Event::PixDescribed(details)),
                (FactDetails::Pages(pages), _) => Some(Event::NetworkPages(pages)),
                (FactDetails::Metadata(metadata), Outcome::Applied(Some(op))) => {
                    Some(Event::MetadataAttached { op, metadata })
                }
                // Nothing is created that it could be of.
                (FactDetails::Metadata(_), _) => None,
            });
        }
        self
    }
}
