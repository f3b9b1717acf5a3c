//! A conversion, or a withdrawal of commission, among the ledger's operations.

use super::notification::conversion_topic;
use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::ledger::notification::task::{DeliveryInstruction, Task, TaskKind};
use crate::ledger::notification::topic::Topic;
use crate::ledger::purchase::delivery_step::delivery_step;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::conversion::{Event, State};
use crate::machine::delivery;

impl LedgerMachine for State {
    fn created(event: &Event) -> Option<(AccountId, Option<&str>)> {
        let Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn row_kind(event: &Event, _: Side) -> RowKind {
        match event {
            Event::Requested(_) => RowKind::Conversion,
            Event::Delivery { .. } | Event::Refunded { .. } => RowKind::Reversal,
        }
    }

    fn commission_row(event: &Event) -> RowKind {
        match event {
            Event::Requested(_) => RowKind::CommissionWithdrawn,
            Event::Refunded { .. } => RowKind::CommissionRestored,
            Event::Delivery { .. } => RowKind::CommissionEarned,
        }
    }

    /// A withdrawal of commission sends the partner's own earnings, and is no payment of an agent.
    fn outgoing(&self) -> Option<Outgoing> {
        match self {
            Self::Paid(progress) => {
                let order = &progress.order;
                order.source.subaccount().map(|_| Outgoing {
                    account: order.account,
                    amount: order.amount,
                    counterparty: order.tax_number,
                    at: order.created_at,
                })
            }
            Self::Absent | Self::Refunded(_) => None,
        }
    }

    fn may_notify(_: &Event) -> bool {
        true
    }

    fn topics(&self, event: &Event) -> [Option<Topic>; 2] {
        [conversion_topic(event), None]
    }

    fn may_instruct(_: &Event) -> bool {
        true
    }

    fn task(&self, event: &Event) -> Option<Task> {
        let begins = matches!(
            event,
            Event::Requested(_) | Event::Delivery { event: delivery::Event::Failed, .. }
        );
        match self {
            Self::Paid(progress) if begins && progress.delivery.can_stop() => {
                Some(Task::Deliver(Box::new(DeliveryInstruction {
                    attempt: progress.delivery.attempt().checked_add(1)?,
                    delivery_terms: progress.order.delivery_terms,
                    scale: progress.order.scale,
                    target: progress.order.target.clone(),
                    memo: progress.order.memo.clone(),
                })))
            }
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        match self {
            Self::Paid(progress) if key.kind == TaskKind::Deliver => {
                delivery_step(&progress.delivery, key)
            }
            _ => Step::Over,
        }
    }
}
