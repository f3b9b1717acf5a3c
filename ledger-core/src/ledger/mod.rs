//! The centre: the state that events fold into, and the commands it decides.
//!
//! [`Ledger::execute`] is the whole of it: time advances, one deadline a record; then the command is
//! judged; what was decided is applied. Nothing here does I/O: records go to a journal elsewhere.

mod agenda;
mod apply;
mod archive;
mod command;
mod debit;
mod decide;
mod decision;
mod due;
mod event;
mod fact;
mod found;
pub mod laws;
mod operation;
mod operator;
mod post;
mod record;
mod refusal;
mod request;
mod state;
mod watch;

pub use apply::Corrupt;
pub use archive::Archive;
pub use command::{
    ChargeRequest, Command, Fact, Ownership, PayoutRequest, Reported, Request, TransferRequest,
    What,
};
pub use decide::decide;
pub use decision::{Decision, Outcome};
pub use due::Due;
pub use event::{Event, FactKind, Income, Judgement, OwnAccount};
pub use found::Found;
pub use operation::{Adjustment, Machine, Operation};
pub use record::{Cause, Origin, Outside, Record, Scope};
pub use refusal::{Field, Refusal};
pub use state::{ApiAccount, State, Subaccount};

/// A state with the archive beside it: all that a ledger knows.
#[derive(Clone, Debug)]
pub struct Ledger<A> {
    /// What is open, and every balance.
    pub state: State,
    /// What has ended, and every identity seen.
    pub archive: A,
}

/// What came of one command: the records it made, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Deadlines that came due first, then the command's own record, if it made one.
    pub records: Vec<Record>,
    /// The answer to the command itself.
    pub answer: Result<Outcome, Refusal>,
}

impl<A: Archive> Ledger<A> {
    /// An empty ledger of this name over an empty archive.
    #[must_use]
    pub fn new(name: &str, archive: A) -> Self {
        Self { state: State::new(name), archive }
    }

    /// Advances time to the command's instant, judges the command, applies what was decided.
    ///
    /// # Panics
    ///
    /// When what was just decided cannot be applied: a bug here, never a caller's mistake.
    pub fn execute(&mut self, command: Command) -> Execution {
        if let Err(refusal) = self.state.admits_instant(&command) {
            return Execution { records: Vec::new(), answer: Err(refusal) };
        }
        let at = command.at.max(self.state.now);
        let mut records = self.advance(at, &command.cause);
        let found = Found::gather(&self.state, &self.archive, &command.what);
        let original = (command.at < at).then_some(command.at);
        let outside = command.what.outside();
        let answer = decide(&self.state, &found, command.what, at).map(|decision| {
            if !decision.events.is_empty() {
                let mut events = decision.events;
                events.splice(0..0, self.state.opening_event());
                let cause = command.cause;
                let seq = self.state.seq.next();
                let record = Record { seq, at, events, cause, outside, original };
                self.commit(&record);
                records.push(record);
            }
            decision.outcome
        });
        Execution { records, answer }
    }

    /// Brings every deadline due up to `at`, one record each, dated at its own instant (rulings 3).
    ///
    /// # Panics
    ///
    /// When a deadline cannot be applied: a bug here.
    pub fn advance(&mut self, at: crate::time::Instant, cause: &Cause) -> Vec<Record> {
        let mut records = Vec::new();
        while let Some(due) = self.state.next_due(at) {
            let events = agenda::decide_due(&self.state, due);
            let record = Record {
                seq: self.state.seq.next(),
                at: due.0.max(self.state.now),
                original: None,
                cause: cause.for_deadline(),
                outside: None,
                events,
            };
            self.commit(&record);
            records.push(record);
        }
        records
    }

    /// Applies a record read from a journal.
    ///
    /// # Errors
    ///
    /// [`Corrupt`] when it is not what a ledger in this state can have written.
    pub fn replay(&mut self, record: &Record) -> Result<(), Corrupt> {
        self.state.apply(&mut self.archive, record)
    }

    fn commit(&mut self, record: &Record) {
        let applied = self.state.apply(&mut self.archive, record);
        applied.expect("what was just decided on this state applies to it");
    }
}
