//! The operations of a decision, as its events leave them.

use crate::id::{Kind, OpId};
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::record::event::Event;
use crate::ledger::registry::{Machine, Operation};
use crate::ledger::state::State;
use crate::machine::cash_out::{self, Ceilings, Context};
use crate::machine::{Verdict, payout, unmatched_deposit, wallet};
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
        self.operation(op).map(|known| &known.machine)
    }

    fn operation(self, op: OpId) -> Option<&'a Operation> {
        let Lookup { operation, holder, order, .. } = self.lookup;
        let named = [operation, holder, order].into_iter().flatten();
        let named = named.clone().find(|(known, _)| *known == op).map(|(_, known)| &**known);
        named.or_else(|| self.state.open(op))
    }

    /// The machine after these events, which may have brought it: an order with the receipts that
    /// they split off it.
    fn machine(self, op: OpId, events: &[Event]) -> Option<Machine> {
        let before = self.operation(op).cloned();
        let after = |known, event| Operation::then(known, op, event, self.at);
        events.iter().fold(before, after).map(|known| known.machine)
    }

    /// The order after these events.
    pub(in crate::ledger) fn order(self, op: OpId, events: &[Event]) -> Option<cash_out::State> {
        match self.machine(op, events)? {
            Machine::CashOut(order) => Some(order),
            _ => None,
        }
    }

    /// The receipt after these events.
    pub(in crate::ledger) fn receipt(
        self,
        op: OpId,
        events: &[Event],
    ) -> Option<unmatched_deposit::State> {
        match self.machine(op, events)? {
            Machine::UnmatchedDeposit(receipt) => Some(receipt),
            _ => None,
        }
    }

    /// The payout after these events.
    pub(in crate::ledger) fn payout(self, op: OpId, events: &[Event]) -> Option<payout::State> {
        match self.machine(op, events)? {
            Machine::Payout(payout) => Some(payout),
            _ => None,
        }
    }

    /// The payment from a wallet after these events.
    pub(in crate::ledger) fn payment(
        self,
        op: OpId,
        events: &[Event],
    ) -> Option<wallet::payment::State> {
        match self.machine(op, events)? {
            Machine::WalletPayment(payment) => Some(payment),
            _ => None,
        }
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

impl FactContext<'_> {
    /// The operations that this decision leaves.
    pub(in crate::ledger) fn after(&self) -> After<'_> {
        After { state: self.state, lookup: self.lookup, at: self.at }
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
