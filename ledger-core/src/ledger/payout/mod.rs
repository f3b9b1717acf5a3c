//! Payouts: a PIX sent from custody.

pub(super) mod fact;
pub(super) mod request;

use crate::accounting::{Account, RowKind, Side};
use crate::id::{AccountId, OpId};
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::notification::step::Step;
use crate::ledger::notification::{InstructionKey, Task, TaskKind, Topic};
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::outgoing::{Crypto, Outgoing, Unsent};
use crate::ledger::waiting::{Awaited, Waiting, WaitingReason, WaitingSum};
use crate::machine::payout::{self, Order};
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;

pub use fact::Fact;

impl LedgerMachine for payout::State {
    const NOTIFIES: bool = true;
    const INSTRUCTS: bool = true;

    fn creation(event: &payout::Event) -> Option<(AccountId, Option<&str>)> {
        let payout::Event::Requested(order) = event else { return None };
        Some((order.account, order.external_id.as_deref()))
    }

    fn outside(event: &payout::Event) -> Option<ExternalId> {
        let payout::Event::Completed { e2e, .. } = event else { return None };
        Some(ExternalId::new(Scope::SentPix, e2e))
    }

    fn settlement(event: &payout::Event) -> Option<(AccountId, Amount)> {
        let payout::Event::Completed { account, amount, .. } = event else { return None };
        Some((*account, *amount))
    }

    fn fails(event: &payout::Event) -> bool {
        matches!(event, payout::Event::Failed { .. })
    }

    fn row_kinds(event: &payout::Event, _: Side) -> RowKinds {
        match event {
            payout::Event::Requested(_) => [RowKind::Payout, RowKind::CommissionReversed],
            payout::Event::Completed { .. } => [RowKind::Reversal, RowKind::CommissionEarned],
            payout::Event::Submitted
            | payout::Event::Uncertain
            | payout::Event::Failed { .. }
            | payout::Event::Returned { .. }
            | payout::Event::Stopped
            | payout::Event::Cleared => REVERSED,
        }
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        let Some(order) = self.order() else { return OperationRow::default() };
        let (name, paid) = match self {
            Self::Absent => ("absent", None),
            Self::Requested(_) => ("requested", None),
            Self::UnderReview(_) => ("under_review", None),
            Self::Submitted(_) => ("submitted", None),
            Self::Uncertain(_) => ("uncertain", None),
            Self::Failed(_) => ("failed", None),
            Self::Completed(paid) => ("completed", Some(paid)),
            Self::Returned(paid) => ("returned", Some(paid)),
        };
        OperationRow {
            state: name,
            subaccount: Some(order.subaccount),
            external_id: order.external_id.as_deref(),
            amount: Some(order.amount.cents()),
            fee: order.fees.total(),
            returned: paid.map(|paid| paid.returned),
            end_to_end: paid.map(|paid| &*paid.e2e),
            ..OperationRow::default()
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let (what, order) = match self {
            Self::Uncertain(order) => (WaitingReason::UnknownPayout, order),
            Self::UnderReview(order) => (WaitingReason::StoppedPayout, order),
            Self::Absent
            | Self::Requested(_)
            | Self::Submitted(_)
            | Self::Failed(_)
            | Self::Completed(_)
            | Self::Returned(_) => return None,
        };
        Some(Waiting::reais(what, order.amount.as_cents().into()))
    }

    fn awaited_amount(&self) -> Option<Awaited> {
        match self {
            Self::Requested(order) | Self::Submitted(order) => {
                let sum = WaitingSum::reais(order.amount.as_cents());
                Some(Awaited::new(sum).of_pix().ended_by("payout.evidence"))
            }
            _ => None,
        }
    }

    fn under_way(&self, op: OpId) -> Option<(Account, i64)> {
        let order = match self {
            Self::Requested(order)
            | Self::UnderReview(order)
            | Self::Submitted(order)
            | Self::Uncertain(order) => order,
            Self::Absent | Self::Failed(_) | Self::Completed(_) | Self::Returned(_) => return None,
        };
        Some((Account::PayoutInFlight(op), order.total_debit().map_or(0, Amount::cents)))
    }

    fn outgoing(&self) -> Option<Outgoing> {
        match self {
            Self::Requested(order)
            | Self::UnderReview(order)
            | Self::Submitted(order)
            | Self::Uncertain(order) => Some(outgoing(order)),
            Self::Completed(paid) => Some(outgoing(&paid.order)),
            Self::Absent | Self::Failed(_) | Self::Returned(_) => None,
        }
    }

    fn unsent(&self) -> Option<Unsent> {
        let order = self.order().filter(|_| !self.has_ended())?;
        Some(Unsent { account: order.account, at: order.created_at, until: None })
    }

    fn topics(&self, event: &payout::Event) -> [Option<Topic>; 2] {
        [payout_topic(event), None]
    }

    fn task(&self, event: &payout::Event) -> Option<Task> {
        match (event, self) {
            (payout::Event::Requested(_) | payout::Event::Cleared, Self::Requested(order)) => {
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

    fn awaits_report(&self, report: EarlyReport) -> bool {
        matches!((self, report), (Self::UnderReview(_), EarlyReport::Payout(_)))
    }

    fn was_reported_begun(&self) -> bool {
        !matches!(self, Self::Requested(_) | Self::UnderReview(_) | Self::Failed(_))
    }
}

fn outgoing(order: &Order) -> Outgoing {
    Outgoing {
        account: order.account,
        amount: order.amount,
        counterparty: order.counterparty(),
        at: order.created_at,
    }
}

fn payout_topic(event: &payout::Event) -> Option<Topic> {
    match event {
        payout::Event::Requested(_) => Some(Topic::PayoutCreated),
        payout::Event::Submitted => Some(Topic::PayoutProcessing),
        payout::Event::Completed { .. } => Some(Topic::PayoutCompleted),
        payout::Event::Failed { .. } => Some(Topic::PayoutFailed),
        payout::Event::Returned { .. } => Some(Topic::PayoutReturned),
        payout::Event::Uncertain | payout::Event::Stopped | payout::Event::Cleared => None,
    }
}

impl Applied for payout::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        match moved.event {
            payout::Event::Requested(order) => {
                if let Some(usage) = state.usage.get_mut(order.account.0 as usize) {
                    usage.pay_out(order.amount, moved.at);
                }
            }
            payout::Event::Failed { amount, .. } => {
                if let Some(order) = moved.before.order()
                    && let Some(usage) = state.usage.get_mut(order.account.0 as usize)
                {
                    usage.unpay(*amount, order.created_at);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
