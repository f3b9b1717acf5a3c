//! A trace read from a journal: by which text its subject is found, and at which record it ends.

use ledger_core::id::OpId;
use ledger_core::ledger::{ExternalId, Record, Scope};
use ledger_core::network::Scheme;
use ledger_store::Journal;
use ledger_store::moment::{Moment, MomentError};
use ledger_store::sequencer::{ReplayError, Sequencer};
use thiserror::Error;

use crate::reader::Subject;
use crate::rule::Rule;
use crate::trail::Trail;

/// Why nothing can be traced.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The text names no PIX and no operation that moved money.
    #[error("{text} is no PIX and no operation that moved money in the {ledger} ledger")]
    Unknown {
        /// The text that was given.
        text: String,
        /// The ledger's name.
        ledger: String,
    },
    /// The text names several operations; their own ids tell them apart.
    #[error("{text} names {}: say which", operations.join(", "))]
    Ambiguous {
        /// The text that was given.
        text: String,
        /// The ids of the operations.
        operations: Vec<String>,
    },
    /// The journal has no such moment, or cannot be replayed.
    #[error(transparent)]
    Moment(#[from] MomentError),
    /// The file is no evidence that this version writes.
    #[error("this is no evidence of a trace")]
    NoEvidence,
}

/// A trace with the ledger as it stood at its end.
#[derive(Debug)]
pub struct Traced {
    /// The text that named the subject.
    pub text: String,
    /// The rule by which money that lies together is told apart.
    pub rule: Rule,
    /// The trail, up to the ledger's last record.
    pub trail: Trail,
    /// The ledger, for names and links.
    pub sequencer: Sequencer,
}

impl Traced {
    /// Traces a PIX or an operation through a journal, up to a moment or to its end.
    ///
    /// The text is the end-to-end id of a PIX received or sent, the id of a return, a transaction
    /// in any spelling of its network (rulings 64), an operation's id, or its external id. The
    /// journal is read once where it is a PIX received or an operation's id, twice otherwise.
    ///
    /// # Errors
    ///
    /// [`TraceError`].
    pub fn read(
        journal: &mut dyn Journal,
        ledger: &str,
        (text, rule): (&str, Rule),
        at: Option<Moment>,
    ) -> Result<Self, TraceError> {
        let end = journal.head().map_err(|error| MomentError::from(ReplayError::from(error)))?;
        let at = at.unwrap_or(Moment::Records(end.seq));
        let name = journal.identity().ledger_name(ledger);
        let subject = match OpId::parse(text, &name) {
            Some(op) => Subject::Operation(op),
            None => Subject::Pix(text.into()),
        };
        let traced = Self::follow(journal, ledger, (text, rule, subject.clone()), at)?;
        if traced.has_moved() {
            return Ok(traced);
        }
        if let Subject::Pix(_) = subject
            && let Some(op) = operation_named(journal, ledger, text, at)?
        {
            let subject = Subject::Operation(op);
            let traced = Self::follow(journal, ledger, (text, rule, subject), at)?;
            if traced.has_moved() {
                return Ok(traced);
            }
        }
        Err(TraceError::Unknown { text: text.to_owned(), ledger: ledger.to_owned() })
    }

    fn has_moved(&self) -> bool {
        !self.trail.stages().is_empty()
    }

    fn follow(
        journal: &mut dyn Journal,
        ledger: &str,
        (text, rule, subject): (&str, Rule, Subject),
        at: Moment,
    ) -> Result<Self, TraceError> {
        let mut trail = Trail::new(subject, rule);
        let observe = |_: &Sequencer, record: &Record| trail.record(record);
        let sequencer = Sequencer::open_at(journal, ledger, None, at, observe)?;
        Ok(Self { text: text.to_owned(), rule, trail, sequencer })
    }
}

/// The operation that a text names by an id of the world, or of the client that created it.
fn operation_named(
    journal: &mut dyn Journal,
    ledger: &str,
    text: &str,
    at: Moment,
) -> Result<Option<OpId>, TraceError> {
    let mut named = Vec::new();
    let sequencer = Sequencer::open_at(journal, ledger, None, at, |_, record| {
        let own = record.outside.iter().filter(|id| is_named(id, text));
        let first = record.events.iter().find_map(ledger_core::ledger::Event::op);
        named.extend(own.filter_map(|_| first));
        for event in &record.events {
            let created = event.creation();
            let external = created.and_then(|(op, _, id)| (id == Some(text)).then_some(op));
            let outside = event.outsides().any(|id| is_named(&id, text));
            named.extend(external.or(event.op().filter(|_| outside)));
        }
    })?;
    named.sort_unstable();
    named.dedup();
    let name = &sequencer.ledger().state.name;
    match &named[..] {
        [] => Ok(None),
        [op] => Ok(Some(*op)),
        several => Err(TraceError::Ambiguous {
            text: text.to_owned(),
            operations: several.iter().map(|op| op.text(name)).collect(),
        }),
    }
}

/// Tells whether a text is an id of the world: byte for byte, or a transaction in another spelling.
fn is_named(id: &ExternalId, text: &str) -> bool {
    let asked = ExternalId { scope: id.scope, id: text.into() };
    let same = |known: &ExternalId, asked: &ExternalId| {
        // What stands before a transaction is ours, and after it the number of an output.
        let known = known.id.rsplit(' ').next().unwrap_or_default();
        known == &*asked.id || known.split_once(':').is_some_and(|(hash, _)| hash == &*asked.id)
    };
    id.scope != Scope::Fact
        && (same(id, &asked)
            || Scheme::ALL
                .into_iter()
                .any(|scheme| same(&id.to_canonical(scheme), &asked.to_canonical(scheme))))
}
