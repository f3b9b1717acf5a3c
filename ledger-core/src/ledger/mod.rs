//! The centre: the state that events fold into, and the commands it decides.
//!
//! [`Ledger::execute`] is the whole of it: time advances, one deadline a record; then the command
//! is judged; what was decided is applied. Nothing here does I/O: a journal keeps the records.

pub mod account;
pub mod adjustment;
pub mod agent;
mod apply;
mod archive;
pub mod cell;
pub mod charge;
pub mod closing;
mod command;
mod consequences;
mod conversion;
mod decision;
mod domains;
mod fact;
pub mod hold;
pub mod invariants;
mod ledger_machine;
mod loss;
mod malformed;
mod notification;
pub mod outcome;
pub mod payout;
pub mod product;
pub mod purchase;
mod record;
pub mod recovery;
mod registry;
mod request;
mod sale;
mod state;
pub mod suspense;
mod transfer;
pub mod treasury;
mod waiting;
pub mod wallet;

pub use crate::accounting::own_accounts::{Income, OwnAccount, OwnCoins};
use crate::id::{LedgerName, Seq};
pub use crate::ledger::agent::member::{Member, Newcomer, Reputation};
pub use crate::ledger::record::set_aside_reason::SetAsideReason;
pub use crate::machine::agent::reward::{REWARD_BPS, on_volume};
pub use crate::terms::selling::Limits;
pub use account::keys::{MOST_PARTNER_BPS, may_issue_production};
pub use archive::{Archive, MapArchive};
pub use cell::{Carried, Residence};
pub use charge::request::{ChargeRequest, Destination};
pub use command::{
    AccountSettings, AgentRequest, Command, Enrolment, Intent, Public, Registration, Reported,
    Request,
};
pub use conversion::request::{ConversionRequest, FundingRequest};
pub use decision::admission::MachineTime;
pub use decision::decide::decide;
pub use decision::field::Field;
pub use decision::lookup::Lookup;
pub use decision::prefetch::{BLOCK, Prefetched};
pub use decision::refusal::{Bounds, Refusal};
pub use decision::{Decision, Outcome};
pub use fact::Fact;
pub use malformed::{LARGEST_AMOUNT, Malformed};
pub use notification::{
    DeliveryInstruction, Instruction, InstructionKey, Notification, Standing, Task, TaskKind,
    Topic, read_back,
};
pub use payout::request::{Ownership, PayoutRequest};
pub use purchase::fact::GiveUpTo;
pub use purchase::offer::Offered;
pub use record::account::{Credentials, Owner, ReplacedSecret};
pub use record::early_report::{AttemptOutcome, EarlyReport, PayoutReport};
pub use record::event::Event;
pub use record::fact_kind::FactKind;
pub use record::observation::TxObservation;
pub use record::operator_decision::OperatorDecision;
pub use record::payment_details::{FactDetails, NetworkPage, PixDetails};
pub use record::{Cause, ExternalId, Origin, Record, Scope};
pub(crate) use registry::each_machine;
pub use registry::{Adjustment, Machine, Operation, OperationRow};
pub use sale::report::{CashOutRequest, SaleReport};
pub use state::api_account::ApiAccount;
pub use state::apply::Corrupt;
pub use state::due::Due;
pub use state::outgoing::Outgoing;
pub use state::snapshot::StateSnapshot;
pub use state::usage::Usage;
pub use state::{State, Subaccount};
pub use transfer::{GroupRequest, LegRequest, TransferRequest};
pub use waiting::{Awaited, Waiting, WaitingReason, WaitingSum};

use self::invariants::Violation;

/// A state with the archive beside it: all that a ledger knows.
#[derive(Clone, Debug)]
pub struct Ledger<A> {
    /// What is open, and every balance.
    pub state: State,
    /// What has ended, and every identity seen.
    pub archive: A,
    /// How operations stood between the events of the last record.
    passing: notification::IntermediateStates,
    sentinel: Sentinel,
    /// Tells whether it is only read: then time does not advance here, and nothing is decided.
    only_read: bool,
    machine_time: Option<MachineTime>,
}

/// Tells whether what is decided is held against the invariants, and what was seen of it.
#[derive(Clone, Debug, Default)]
enum Sentinel {
    #[default]
    Off,
    Watches,
    Saw(Broken),
}

/// A record that was decided, and broke an invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {} would break {violation}", seq.0)]
pub struct Broken {
    /// The number of the record that broke it.
    pub seq: Seq,
    /// What was seen after it.
    pub violation: Violation,
}

/// What one record notifies clients of and asks of the world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What clients are notified of, in order.
    pub notifications: Vec<Notification>,
    /// What the world is asked to do.
    pub instructions: Vec<Instruction>,
}

/// What came of one command: the records it made, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Deadlines that came due first, then the command's own record, if it made one.
    pub records: Vec<Record>,
    /// What clients are notified of by them.
    pub notifications: Vec<Notification>,
    /// What the world is asked to do by them.
    pub instructions: Vec<Instruction>,
    /// The answer to the command itself.
    pub answer: Result<Outcome, Refusal>,
}

impl<A: Archive> Ledger<A> {
    /// An empty ledger of this name over an empty archive; see [`State::new`].
    #[must_use]
    pub fn new(name: impl Into<LedgerName>, archive: A) -> Self {
        Self::from_state(State::new(name), archive)
    }

    /// A ledger in this state, over the archive beside it.
    #[must_use]
    pub const fn from_state(state: State, archive: A) -> Self {
        Self {
            state,
            archive,
            passing: Vec::new(),
            sentinel: Sentinel::Off,
            only_read: false,
            machine_time: None,
        }
    }

    /// From now on a command dated further ahead than the clock tolerates is taken as now, and its
    /// own instant is kept in its record (rulings 69); with none, commands are taken as dated.
    pub const fn set_machine_time(&mut self, machine_time: Option<MachineTime>) {
        self.machine_time = machine_time;
    }

    /// Holds every record that is decided from now on against the invariants, with what it touched
    /// ([`invariants::check_touched`]); what is replayed is not. [`Ledger::first_violation`]
    /// returns what was seen, and until then nothing that was decided may be made durable.
    pub fn watch(&mut self) {
        self.sentinel = Sentinel::Watches;
    }

    /// From now on it is only read: a read brings no deadline, and a command is a bug here.
    pub const fn read_only(&mut self) {
        self.only_read = true;
    }

    /// From now on it decides again.
    pub const fn decide_again(&mut self) {
        self.only_read = false;
    }

    /// Tells whether what is decided is held against the invariants.
    #[must_use]
    pub const fn is_watched(&self) -> bool {
        !matches!(self.sentinel, Sentinel::Off)
    }

    /// The first record that was decided and broke an invariant, where that is watched.
    #[must_use]
    pub const fn first_violation(&self) -> Option<&Broken> {
        match &self.sentinel {
            Sentinel::Saw(broken) => Some(broken),
            Sentinel::Off | Sentinel::Watches => None,
        }
    }

    /// Advances time to the command's instant, judges the command, applies what was decided.
    ///
    /// What the command brings is taken as it is: whoever takes commands from elsewhere checks them
    /// by [`Command::check`] before.
    ///
    /// # Panics
    ///
    /// When what was just decided cannot be applied, or the ledger is only read: a bug here, never
    /// a caller's mistake.
    pub fn execute(&mut self, command: Command) -> Execution {
        let mut execution = Execution::quiet();
        self.execute_into(command, Prefetched::default(), &mut execution);
        execution
    }

    /// [`Ledger::execute`], its outcome written over `execution`, whose room is used again; with
    /// those of the command's subaccounts that [`Ledger::look_ahead`] found before.
    ///
    /// # Panics
    ///
    /// As [`Ledger::execute`] does.
    pub fn execute_into(
        &mut self,
        mut command: Command,
        prefetched: Prefetched,
        execution: &mut Execution,
    ) {
        assert!(!self.only_read, "a ledger that is only read decides nothing");
        execution.clear();
        let told = command.at;
        command.at = self.machine_time.map_or(told, |clock| clock.date_of(told));
        if let Err(refusal) = self.state.admits_instant(&command) {
            execution.answer = Err(refusal);
            return;
        }
        let at = command.at.max(self.state.now);
        self.advance_into(at, &command.cause, execution);
        self.spell(&mut command.what);
        command.what.cap_instants(at);
        let outside = command.what.outside();
        let named = (&command.what, outside.as_ref());
        let lookup = Lookup::with(&self.state, &self.archive, named, prefetched);
        let original = (told != at).then_some(told);
        // A PIX seen before is known already, although that it was received is new; and which
        // observation of a transaction a deposit's report is about, the archive says.
        let outside = match &lookup.observation {
            Some(observation) => observation.identity(&self.archive),
            None => outside.filter(|_| lookup.seen.is_none()),
        };
        let decision = decide(&self.state, &lookup, command.what, at);
        // What was looked up is changed where it stands: nobody may look at it any more.
        drop(lookup);
        execution.answer = decision.map(|decision| {
            if !decision.events.is_empty() {
                let outside = decision.kept_identity(outside);
                let mut events = decision.events;
                if let Some(opening) = self.state.opening_event() {
                    events.insert(0, opening);
                }
                let (cause, seq) = (command.cause, self.state.seq.next());
                let record = Record { seq, at, events, cause, outside, original };
                self.commit(record, execution);
            }
            decision.outcome
        });
    }

    /// Brings every transaction that a fact names to the one spelling that it is looked up by
    /// (rulings 64); [`Ledger::execute`] does so itself.
    pub fn spell(&self, what: &mut Intent) {
        what.spell(&self.state, &self.archive);
    }

    /// The record that first brought a fact's identity, in whichever spelling.
    #[must_use]
    pub fn first_seen(&self, outside: &ExternalId) -> Option<Seq> {
        archive::first_seen(&self.archive, outside)
    }

    /// Judges a command as [`Ledger::execute`] would once time has come to its instant, and carries
    /// nothing out: what would happen, on the state as it stands.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that the command would be answered with.
    pub fn preview(&self, mut command: Command) -> Result<Decision, Refusal> {
        command.at = self.machine_time.map_or(command.at, |clock| clock.date_of(command.at));
        self.state.admits_instant(&command)?;
        let at = command.at.max(self.state.now);
        command.what.cap_instants(at);
        self.spell(&mut command.what);
        let lookup = Lookup::gather(&self.state, &self.archive, &command.what);
        decide(&self.state, &lookup, command.what, at)
    }

    /// Brings every deadline due up to `at`, one record each, dated at its own instant (rulings 3).
    ///
    /// # Panics
    ///
    /// When a deadline cannot be applied: a bug here.
    pub fn advance(&mut self, at: crate::time::Instant, cause: &Cause) -> Execution {
        let mut execution = Execution::quiet();
        self.advance_into(at, cause, &mut execution);
        execution
    }

    fn advance_into(&mut self, at: crate::time::Instant, cause: &Cause, execution: &mut Execution) {
        if self.only_read {
            return;
        }
        while let Some(due) = self.state.next_due(at) {
            let record = Record {
                seq: self.state.seq.next(),
                at: due.0.max(self.state.now),
                original: None,
                cause: cause.for_deadline(),
                outside: None,
                events: state::deadlines::decide_due(&self.state, due),
            };
            self.commit(record, execution);
        }
    }

    /// Applies a record read from a journal, which the archive remembers.
    ///
    /// # Errors
    ///
    /// [`Corrupt`] when it is not what a ledger in this state can have written.
    pub fn replay(&mut self, record: &Record) -> Result<(), Corrupt> {
        self.apply(record).inspect(|()| self.archive.remember(record))
    }

    /// Returns what `record`, just applied, notifies of and asks, replayed or not (EVT-08, EVT-09).
    ///
    /// # Panics
    ///
    /// When `record` is not the last one applied: the state would be another than it speaks of.
    #[must_use]
    pub fn effects(&self, record: &Record) -> Effects {
        assert_eq!(record.seq, self.state.seq, "only the last record can be told of");
        let mut effects = Effects::default();
        let Effects { notifications, instructions } = &mut effects;
        let (state, archive, of) = (&self.state, &self.archive, (record, &self.passing));
        notification::derive::effects(state, archive, of, notifications, instructions);
        effects
    }

    /// Returns what `record`, just applied, asks of the world.
    ///
    /// # Panics
    ///
    /// When `record` is not the last one applied: the state would be another than it speaks of.
    #[must_use]
    pub fn instructions(&self, record: &Record) -> Vec<Instruction> {
        assert_eq!(record.seq, self.state.seq, "only the last record's instructions are known");
        notification::derive::instructions(&self.state, &self.archive, record)
    }

    fn commit(&mut self, record: Record, execution: &mut Execution) {
        self.replay(&record).expect("what was just decided on this state applies to it");
        if matches!(self.sentinel, Sentinel::Watches) {
            let checked = invariants::check_touched(&self.state, &self.archive, &record);
            if let Err(violation) = checked {
                self.sentinel = Sentinel::Saw(Broken { seq: record.seq, violation });
            }
        }
        let Execution { notifications, instructions, .. } = execution;
        let (state, archive, of) = (&self.state, &self.archive, (&record, &self.passing));
        notification::derive::effects(state, archive, of, notifications, instructions);
        execution.records.push(record);
    }
}

impl Execution {
    /// An execution without records, answered as done.
    #[must_use]
    pub const fn quiet() -> Self {
        let answer = Ok(Outcome::Done);
        Self { records: Vec::new(), notifications: Vec::new(), instructions: Vec::new(), answer }
    }

    fn clear(&mut self) {
        self.records.clear();
        self.notifications.clear();
        self.instructions.clear();
        self.answer = Ok(Outcome::Done);
    }
}
