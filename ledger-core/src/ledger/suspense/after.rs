//! The orders and receipts of a decision, as its events leave them.

use crate::id::{Kind, OpId};
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::record::event::Event;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::machine::cash_out::{self, Ceilings, Context};
use crate::machine::{Verdict, unmatched_deposit};
use crate::time::Instant;

/// The knowledge that what follows from a decision is judged with.
#[derive(Clone, Copy)]
pub(in crate::ledger) struct After<'a> {
    pub(in crate::ledger) state: &'a State,
    pub(in crate::ledger) lookup: &'a Lookup,
    pub(in crate::ledger) at: Instant,
}

impl<'a> After<'a> {
    /// The machine of an operation before the decision.
    pub(in crate::ledger) fn before(self, op: OpId) -> Option<&'a Machine> {
        let Lookup { operation, holder, order, .. } = self.lookup;
        let named = [operation, holder, order].into_iter().flatten();
        let named = named.clone().find(|(known, _)| *known == op).map(|(_, known)| &**known);
        named.or_else(|| self.state.open(op)).map(|known| &known.machine)
    }

    /// The order after these events; none where it was unknown before.
    pub(in crate::ledger) fn order(self, op: OpId, events: &[Event]) -> Option<cash_out::State> {
        let Machine::CashOut(order) = self.before(op)? else { return None };
        Some(order_after(order.clone(), events, (op, self.at)))
    }

    /// The receipt after these events, which may have brought it.
    pub(in crate::ledger) fn receipt(
        self,
        op: OpId,
        events: &[Event],
    ) -> Option<unmatched_deposit::State> {
        let before = match self.before(op) {
            Some(Machine::UnmatchedDeposit(receipt)) => receipt.clone(),
            None if op.kind() == Kind::UnmatchedDeposit => unmatched_deposit::State::Absent,
            _ => return None,
        };
        Some(events.iter().fold(before, |state, event| match event {
            Event::UnmatchedDeposit { op: moved, event } if *moved == op => {
                unmatched_deposit::evolve(&state, event)
            }
            _ => state,
        }))
    }

    /// The context that an order is judged in; no ceiling stands against what goes back.
    pub(in crate::ledger) fn context(self) -> Context {
        let unmatched = OpId::new(Kind::UnmatchedDeposit, self.state.seq.next());
        let ceilings = Ceilings::none();
        Context { at: self.at, quote: None, scale: None, ceilings, unmatched }
    }

    /// The steps that an order takes by a command.
    pub(in crate::ledger) fn order_steps(
        self,
        (op, order): (OpId, &mut cash_out::State),
        command: cash_out::Command,
    ) -> Vec<Event> {
        let Verdict::Applied(steps) = cash_out::decide(order, command, &self.context()) else {
            return Vec::new();
        };
        let taken = steps.into_iter().map(|event| {
            *order = cash_out::evolve(order, &event, self.at);
            Event::CashOut { op, event }
        });
        taken.collect()
    }
}

/// The steps that a receipt takes by a command.
pub(in crate::ledger) fn receipt_steps(
    (op, receipt): (OpId, &unmatched_deposit::State),
    command: unmatched_deposit::Command,
) -> Vec<Event> {
    match unmatched_deposit::decide(receipt, command) {
        Verdict::Applied(steps) => {
            steps.into_iter().map(|event| Event::UnmatchedDeposit { op, event }).collect()
        }
        Verdict::Known | Verdict::SetAside => Vec::new(),
    }
}

/// Returns what order `op` is after these events, which happened at this instant.
pub(in crate::ledger) fn order_after(
    before: cash_out::State,
    events: &[Event],
    (op, at): (OpId, Instant),
) -> cash_out::State {
    events.iter().fold(before, |state, event| match event {
        Event::CashOut { op: moved, event } if *moved == op => cash_out::evolve(&state, event, at),
        _ => state,
    })
}
