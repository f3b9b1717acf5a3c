//! Applying records: the fold of events into state and archive.

use std::sync::Arc;

use thiserror::Error;

use super::State;
use super::due::Due;
use crate::accounting::Fault;
use crate::id::{OpId, Seq};
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup;
use crate::ledger::notification::{InstructionKey, Passing};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::record::identity::{learn, learn_outside};
use crate::ledger::registry::{Machine, Operation, Registered, each_machine};
use crate::machine::StateMachine;
use crate::terms::Policy;
use crate::time::Instant;

/// A record that no ledger in this state can have written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Corrupt {
    /// Its number is not the next.
    #[error("record {found:?} where {expected:?} was expected")]
    Sequence {
        /// The next number.
        expected: Seq,
        /// The number that the record bears.
        found: Seq,
    },
    /// It is dated before the record it follows.
    #[error("dated {found} after a record dated {last}")]
    Time {
        /// The last record's instant.
        last: Instant,
        /// The instant that the record bears.
        found: Instant,
    },
    /// An event that cannot follow what happened before.
    #[error("event {index} cannot follow: {what}")]
    Follows {
        /// The event's place in the record.
        index: usize,
        /// What does not fit.
        what: &'static str,
    },
    /// An entry that cannot be posted.
    #[error("event {index} cannot be posted")]
    Post {
        /// The event's place in the record.
        index: usize,
        /// What the books say against it.
        #[source]
        fault: Fault,
    },
}

impl State {
    /// Applies `record` to this state and the archive beside it.
    ///
    /// # Errors
    ///
    /// [`Corrupt`] when the record cannot follow. State and archive are then half-changed and must
    /// be dropped.
    pub fn apply(&mut self, archive: &mut impl Archive, record: &Record) -> Result<(), Corrupt> {
        self.apply_noting(archive, record, &mut Passing::new())
    }

    /// [`State::apply`], with how operations stood that a later event of the record moved again.
    pub(in crate::ledger) fn apply_noting(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        passing: &mut Passing,
    ) -> Result<(), Corrupt> {
        passing.clear();
        let expected = self.seq.next();
        if record.seq != expected {
            return Err(Corrupt::Sequence { expected, found: record.seq });
        }
        if record.at < self.now {
            return Err(Corrupt::Time { last: self.now, found: record.at });
        }
        self.seq = record.seq;
        self.now = record.at;
        for (index, event) in record.events.iter().enumerate() {
            let follows = learn(self, archive, event, record)
                .and_then(|()| self.remember(archive, record, event));
            follows.map_err(|what| Corrupt::Follows { index, what })?;
            self.count_settled(event);
            self.count_reputation(archive, event);
            if let Some(op) = moved_again(record, index) {
                passing.extend(self.current(archive, op).map(|known| (index, known)));
            }
            let entry = event.entry();
            if !entry.is_empty() {
                let posted = self.post(archive, record, index, event, &entry);
                posted.map_err(|fault| Corrupt::Post { index, fault })?;
            }
        }
        if let Some(outside) = &record.outside {
            let event = record.events.iter().find(|event| event.chain().is_some());
            self.learn_spelling(archive, (event, outside), record.seq);
            let first = learn_outside(archive, outside, record.seq);
            first.map_err(|what| Corrupt::Follows { index: record.events.len(), what })?;
        }
        Ok(())
    }

    pub(in crate::ledger) fn current(
        &self,
        archive: &impl Archive,
        op: OpId,
    ) -> Option<Arc<Operation>> {
        lookup::operation(self, archive, op).map(|(_, operation)| operation)
    }

    /// An event of an operation: its machine says whether it may follow, and remembers it.
    pub(in crate::ledger) fn moves<M: Applied>(
        &mut self,
        archive: &mut impl Archive,
        at: Instant,
        (op, event): (OpId, &M::Event),
    ) -> Result<(), &'static str> {
        let known = self.current(archive, op);
        let absent = M::default();
        let before = known.as_ref().and_then(|known| M::of(&known.machine)).unwrap_or(&absent);
        if !M::is_of(op.kind()) || !before.follows(event) {
            return Err(M::MISPLACED);
        }
        let after = before.evolve(event, at);
        M::count(self, &Moved { op, event, before, after: &after, at })?;
        self.settle(archive, op, known, after.registered(), at)
    }

    /// Puts the operation where it belongs now, and its deadline on the agenda.
    pub(in crate::ledger) fn settle(
        &mut self,
        archive: &mut impl Archive,
        op: OpId,
        before: Option<Arc<Operation>>,
        machine: Machine,
        at: Instant,
    ) -> Result<(), &'static str> {
        if before.is_none() && op.seq() != self.seq {
            return Err("an operation is named after the record that creates it");
        }
        self.count_outgoing(before.as_ref().map(|before| &before.machine), &machine);
        let was_due = before.as_ref().and_then(|before| before.machine.deadline());
        let is_due = machine.deadline();
        if was_due != is_due {
            if let Some((at, due)) = was_due {
                self.agenda.remove(&(at, op, due));
            }
            if let Some((at, due)) = is_due {
                self.agenda.insert((at, op, due));
            }
        }
        let waited = before.as_ref().and_then(|before| before.machine.waits_about());
        let waits = machine.waits_about();
        if waited != waits {
            if let Some(about) = waited {
                self.set_aside.remove(&(about, op));
            }
            if let Some(about) = waits {
                self.set_aside.insert((about, op));
            }
        }
        self.forget_reports(op, &machine);
        self.forget_handed_out(op, &machine);
        let is_new = before.is_none();
        let created_at = before.as_ref().map_or(at, |before| before.created_at);
        // It is changed where it stands, unless somebody else still looks at it.
        drop(before);
        let ended = machine.has_ended();
        archive.note(op, self.seq);
        let operation = Operation { machine, created_at, updated_at: at };
        if ended {
            self.open.remove(&op);
            archive.keep(op, operation);
        } else {
            let known = if is_new { None } else { self.open.get_mut(&op).and_then(Arc::get_mut) };
            match known {
                Some(known) => *known = operation,
                None => drop(self.open.insert(op, Arc::new(operation))),
            }
        }
        Ok(())
    }
}

/// An event that an operation's machine made, and how it stands before and after.
pub(in crate::ledger) struct Moved<'a, M: StateMachine> {
    pub(in crate::ledger) op: OpId,
    pub(in crate::ledger) event: &'a M::Event,
    pub(in crate::ledger) before: &'a M,
    pub(in crate::ledger) after: &'a M,
    pub(in crate::ledger) at: Instant,
}

/// A machine whose events the state applies.
pub(in crate::ledger) trait Applied: Registered {
    /// Keeps what the state counts of the machine beside it.
    ///
    /// # Errors
    ///
    /// Why a record is corrupt that has the event, where what is counted says so.
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        let _ = (state, moved);
        Ok(())
    }

    /// The events of operation `op`, which this is, when what it waited for is due; none where it
    /// waits for nothing of the kind.
    fn come_due(&self, state: &State, op: OpId, due: (Instant, Due)) -> Option<Vec<Event>> {
        let _ = (state, op, due);
        None
    }

    /// Applies an event of operation `op`.
    ///
    /// # Errors
    ///
    /// Why a record that has it is corrupt.
    fn apply(
        state: &mut State,
        archive: &mut impl Archive,
        record: &Record,
        (op, event): (OpId, &Self::Event),
    ) -> Result<(), &'static str> {
        state.moves::<Self>(archive, record.at, (op, event))
    }
}

macro_rules! applied {
    ($($(#[$doc:meta])* $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*) => {
        impl State {
            /// What the event changes besides balances.
            fn remember(
                &mut self,
                archive: &mut impl Archive,
                record: &Record,
                event: &Event,
            ) -> Result<(), &'static str> {
                match event {
                    Event::LedgerOpened { name, policy } => self.begin(record.seq, name, policy),
                    Event::PolicyAdopted(policy) => {
                        self.policy = Arc::new(Policy::clone(policy));
                        Ok(())
                    }
                    Event::AccountOpened { account, name, key, house, terms } => {
                        self.add_account((*account, *house), name, *key, terms)
                    }
                    Event::TermsAdopted { account, from, terms } => {
                        self.adopt_terms(*account, *from, terms)
                    }
                    Event::SubaccountOpened { subaccount, account, customer } => {
                        self.name_subaccount(archive, *subaccount, *account, customer)
                    }
                    $(Event::$machine { op, event } => {
                        <$state as Applied>::apply(self, archive, record, (*op, event))
                    })*
                    Event::FeeAdjusted { op, subaccount, given, charged, .. } => {
                        let fees = (*given, *charged);
                        self.adjust_fee(archive, record.at, (*op, *subaccount), fees)
                    }
                    Event::BalanceWrittenOff { op, subaccount, amount } => {
                        self.write_off(archive, record.at, (*op, *subaccount), *amount)
                    }
                    Event::ReportKept { op, report } => {
                        let known = self.current(archive, *op);
                        let early = known.is_some_and(|known| known.machine.awaits_report(*report));
                        self.keep_report(*op, *report);
                        early.then_some(()).ok_or("a report is kept of what may still begin")
                    }
                    Event::HandedOut { op, kind, attempt } => {
                        let (op, kind, attempt) = (*op, *kind, *attempt);
                        self.hand_out(archive, InstructionKey { op, kind, attempt })
                    }
                    Event::CatalogueUpdated { .. }
                    | Event::RateQuoted { .. }
                    | Event::PayerReviewed { .. }
                    | Event::MarketsUpdated { .. }
                    | Event::NetworkPages(_)
                    | Event::SettlementAddressSet { .. } => self.learn(record.at, event),
                    Event::Agent { .. }
                    | Event::ReferralGiven { .. }
                    | Event::RewardAccrued { .. } => self.in_the_mesh(event, record.at),
                    Event::Enrolled { .. }
                    | Event::KeyReplaced { .. }
                    | Event::KeyRevoked { .. }
                    | Event::WebhookSet { .. }
                    | Event::WebhookSecretReplaced { .. }
                    | Event::MonitorReplaced { .. } => self.access(record.at, event),
                    Event::ResidenceChanged { .. }
                    | Event::AccountCarried { .. }
                    | Event::BalanceCarried { .. } => self.apply_cell(archive, record.at, event),
                    Event::TreasuryMoved { .. }
                    | Event::CoinsMoved { .. }
                    | Event::SetAside { .. }
                    | Event::PixDescribed(_)
                    | Event::Judged(_)
                    | Event::LossAccepted { .. }
                    | Event::TimePassed => Ok(()),
                }
            }
        }
    };
}

each_machine!(applied);

/// The operation of an event that a later event of its record moves again.
fn moved_again(record: &Record, index: usize) -> Option<OpId> {
    let later = record.events.get(index + 1..).filter(|later| !later.is_empty())?;
    let op = record.events[index].op()?;
    let touches = |event: &Event| {
        event.op() == Some(op) || event.unmatched_about().is_some_and(|(order, _)| order == op)
    };
    later.iter().any(touches).then_some(op)
}
