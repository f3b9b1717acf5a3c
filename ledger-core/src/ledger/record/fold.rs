//! What records tell by themselves: how an operation stands after those that moved it, and the
//! statement rows a record posted. So a journal answers for what has left memory.

use super::Record;
use super::event::Event;
use super::operation_event::OperationEvent;
use crate::accounting::Row;
use crate::id::{AccountId, OpId, SubaccountId, Token};
use crate::ledger::ledger_machine::LedgerMachine;
use crate::ledger::registry::{Machine, Operation, Registered, each_machine};
use crate::ledger::state::posting;
use crate::machine::refund::Coins;
use crate::money::Balance;
use crate::time::Instant;

impl Operation {
    /// The operation after `records`: all that moved it, in their order.
    ///
    /// None when no event of theirs belongs to it.
    ///
    /// # Panics
    ///
    /// When its events cannot follow one another: these are not the records of a ledger.
    #[must_use]
    pub fn after<'a>(op: OpId, records: impl IntoIterator<Item = &'a Record>) -> Option<Self> {
        let mut known: Option<Self> = None;
        for record in records {
            for event in &record.events {
                known = Self::then(known, op, event, record.at);
            }
        }
        known
    }

    /// The operation `op` after one more event, whether that moves it, tells it of a receipt, or is
    /// of another.
    pub(in crate::ledger) fn then(
        before: Option<Self>,
        op: OpId,
        event: &Event,
        at: Instant,
    ) -> Option<Self> {
        match event {
            // These move no machine.
            Event::HandedOut { .. } => return before,
            Event::MetadataAttached { op: of, metadata } if *of == op => {
                return before.map(|known| Self { metadata: Some(*metadata), ..known });
            }
            Event::MetadataAttached { .. } => return before,
            _ => {}
        }
        let created_at = before.as_ref().map_or(at, |known| known.created_at);
        let metadata = before.as_ref().and_then(|known| known.metadata);
        let machine = if event.op() == Some(op) {
            evolve_machine(before.as_ref().map(|known| &known.machine), event, at)?
        } else {
            match (event.unmatched_about(), before) {
                (Some((order, unmatched)), Some(known)) if order == op => {
                    known.machine.with_unmatched(unmatched)
                }
                (_, before) => return before,
            }
        };
        Some(Self { machine, created_at, updated_at: at, metadata })
    }
}

impl Machine {
    /// An order with a receipt about it; anything else as it is.
    #[must_use]
    pub(in crate::ledger) fn with_unmatched(self, unmatched: (OpId, Coins)) -> Self {
        each_machine!(of self, it => LedgerMachine::told_of(it, unmatched).into_machine(), self)
    }
}

/// A machine after an event of its own.
fn evolve_machine(before: Option<&Machine>, event: &Event, at: Instant) -> Option<Machine> {
    let (_, event) = event.operation()?;
    if let OperationEvent::Adjusted(_, adjustment) = event {
        return Some(Machine::Adjustment(adjustment));
    }
    each_machine!(by event, M, event => Some(after::<M>(before, event, at)), None)
}

fn after<M: Registered>(before: Option<&Machine>, event: &M::Event, at: Instant) -> Machine {
    let absent = M::default();
    before.and_then(M::from_machine).unwrap_or(&absent).evolve(event, at).into_machine()
}

impl Record {
    /// The token of the metadata that it attaches to `op`; none where it attaches none.
    #[must_use]
    pub fn metadata(&self, op: OpId) -> Option<Token> {
        self.events.iter().find_map(|event| match event {
            Event::MetadataAttached { op: of, metadata } if *of == op => Some(*metadata),
            _ => None,
        })
    }

    /// Checks that it creates `op`, and attaches metadata to it once, after that.
    pub(in crate::ledger) fn attaches(&self, op: OpId) -> Result<(), &'static str> {
        let mut own = self.events.iter().filter(|event| event.op() == Some(op));
        let creates = own.next().is_some_and(|event| event.operation().is_some());
        let attached = own.filter(|event| matches!(event, Event::MetadataAttached { .. }));
        if op.seq() == self.seq && creates && attached.count() == 1 {
            Ok(())
        } else {
            Err("metadata is attached once to what its record creates")
        }
    }

    /// The rows the record posted to a subaccount's statement, whose balance stood at `before`.
    #[must_use]
    pub fn rows(&self, subaccount: SubaccountId, before: Balance) -> Vec<Row> {
        let mut balance = before;
        let mut rows = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            posting::rows(self, index, event, &event.entry(), (subaccount, balance), |row| {
                balance = row.balance_after;
                rows.push(row);
            })
            .expect("what was posted once does not overflow");
        }
        rows
    }

    /// The rows the record posted to a partner's commission, which stood at `before` (COM-03).
    #[must_use]
    pub fn commission_rows(&self, partner: AccountId, before: Balance) -> Vec<Row> {
        let mut balance = before;
        let mut rows = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            let entry = event.entry();
            posting::commission_rows(self, index, event, &entry, (partner, balance), |row| {
                balance = row.balance_after;
                rows.push(row);
            })
            .expect("what was posted once does not overflow");
        }
        rows
    }
}
