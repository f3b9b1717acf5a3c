//! A payout among the ledger's operations.

use super::notification::payout_topic;
use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::ledger::notification::task::{Task, TaskKind};
use crate::ledger::notification::topic::Topic;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::{Outgoing, Unsent};
use crate::machine::payout::{Event, Order, State};

impl LedgerMachine for State {
    fn created(event: &Event) -> Option<(AccountId, Option<&str>)> {
        let Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn row_kind(event: &Event, _: Side) -> RowKind {
        match event {
            Event::Requested(_) => RowKind::Payout,
            _ => RowKind::Reversal,
        }
    }

    fn commission_row(event: &Event) -> RowKind {
        match event {
            Event::Completed { .. } => RowKind::CommissionEarned,
            _ => RowKind::CommissionReversed,
        }
    }

    fn outgoing(&self) -> Option<Outgoing> {
        match self {
            Self::Requested(order)
            | Self::UnderReview(order)
            | Self::Submitted(order)
            | Self::Uncertain(order) => Some(of(order)),
            Self::Completed(paid) => Some(of(&paid.order)),
            Self::Absent | Self::Failed(_) | Self::Returned(_) => None,
        }
    }

    fn unsent(&self) -> Option<Unsent> {
        let order = self.order().filter(|_| !self.has_ended())?;
        Some(Unsent { account: order.account, at: order.created_at, until: None })
    }

    fn may_notify(_: &Event) -> bool {
        true
    }

    fn topics(&self, event: &Event) -> [Option<Topic>; 2] {
        [payout_topic(event), None]
    }

    fn may_instruct(_: &Event) -> bool {
        true
    }

    fn task(&self, event: &Event) -> Option<Task> {
        match (event, self) {
            (Event::Requested(_) | Event::Cleared, Self::Requested(order)) => {
                Some(Task::SendPix(order.clone()))
            }
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        match self {
            _ if key.kind != TaskKind::SendPix => Step::Over,
            Self::Requested(_) => Step::Noted,
            Self::Submitted(_) | Self::Uncertain(_) => Step::Again,
            Self::Absent
            | Self::UnderReview(_)
            | Self::Failed(_)
            | Self::Completed(_)
            | Self::Returned(_) => Step::Over,
        }
    }
}

fn of(order: &Order) -> Outgoing {
    Outgoing {
        account: order.account,
        amount: order.amount,
        counterparty: order.counterparty(),
        at: order.created_at,
    }
}
