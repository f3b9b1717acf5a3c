//! A charge among the ledger's operations.

use super::notification::charge_topic;
use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::ledger::notification::task::{DeliveryInstruction, Task, TaskKind};
use crate::ledger::notification::topic::Topic;
use crate::ledger::purchase::delivery_step::delivery_step;
use crate::ledger::state::due::Due;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::charge::{Event, State};
use crate::machine::{delivery, purchase};
use crate::time::Instant;

impl LedgerMachine for State {
    fn created(event: &Event) -> Option<(AccountId, Option<&str>)> {
        let Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn row_kind(event: &Event, _: Side) -> RowKind {
        match event {
            Event::Credited { .. } | Event::Purchase(purchase::Event::GivenUp { .. }) => {
                RowKind::Deposit
            }
            _ => RowKind::Reversal,
        }
    }

    fn commission_row(event: &Event) -> RowKind {
        match event {
            Event::Purchase(purchase::Event::Delivery(delivery::Event::Sent { .. })) => {
                RowKind::CommissionEarned
            }
            _ => RowKind::CommissionReversed,
        }
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        match self {
            Self::Pending(order) => Some((order.expires_at, Due::Expiry)),
            Self::Paid(paid) if paid.settled_at.is_none() => {
                paid.credit.available_at.map(|at| (at, Due::Maturity))
            }
            _ => None,
        }
    }

    fn may_notify(_: &Event) -> bool {
        true
    }

    fn topics(&self, event: &Event) -> [Option<Topic>; 2] {
        match event {
            Event::Credited { credit, .. } => {
                let settled = credit.available_at.is_none().then_some(Topic::ChargeSettled);
                [Some(Topic::ChargePaid), settled]
            }
            event => [charge_topic(event, self), None],
        }
    }

    fn may_instruct(event: &Event) -> bool {
        matches!(event, Event::Purchase(_))
    }

    fn task(&self, event: &Event) -> Option<Task> {
        let Event::Purchase(event) = event else { return None };
        let begins = matches!(
            event,
            purchase::Event::Paid { .. }
                | purchase::Event::Cleared
                | purchase::Event::Resumed(_)
                | purchase::Event::Delivery(delivery::Event::Failed)
        );
        match self {
            Self::Bought(bought)
                if begins && bought.end.is_none() && bought.delivery.can_stop() =>
            {
                let terms = bought.terms();
                Some(Task::Deliver(Box::new(DeliveryInstruction {
                    attempt: bought.delivery.attempt().checked_add(1)?,
                    delivery_terms: bought.delivery_terms(),
                    scale: terms.scale,
                    target: bought.order.delivery.clone(),
                    memo: terms.memo.clone(),
                })))
            }
            _ => None,
        }
    }

    fn step(&self, key: InstructionKey) -> Step {
        match self {
            Self::Bought(bought) if bought.end.is_none() && key.kind == TaskKind::Deliver => {
                delivery_step(&bought.delivery, key)
            }
            _ => Step::Over,
        }
    }
}
