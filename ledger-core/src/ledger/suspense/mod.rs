//! What waits for a person: unmatched money, and receivables.

pub(super) mod after;
pub(super) mod fact;
pub(super) mod hold_back;
mod lost;
pub(super) mod waiting;

use crate::accounting::{RowKind, Side};
use crate::id::{AccountId, OpId};
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, RowKinds};
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::state::apply::Applied;
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::{Waiting, WaitingReason};
use crate::machine::suspense::{self, Direction, Float};
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;

pub use fact::Fact;

impl LedgerMachine for suspense::State {
    /// Returns none: no client asked for it.
    fn creation(_: &suspense::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn outside(event: &suspense::Event) -> Option<ExternalId> {
        match event {
            suspense::Event::Received(order) => {
                Some(ExternalId::new(order.scope(), &order.outside))
            }
            suspense::Event::SentBack { return_id, .. } => {
                Some(ExternalId::new(Scope::ReturnedDeposit, return_id))
            }
            _ => None,
        }
    }

    fn paid_pix(event: &suspense::Event) -> Option<(&str, Instant)> {
        let suspense::Event::Received(order) = event else { return None };
        Some((&order.outside, order.paid_at))
    }

    fn taken_over(event: &suspense::Event) -> Option<ExternalId> {
        let suspense::Event::TakenOver { order, .. } = event else { return None };
        Some(ExternalId::new(order.scope(), &order.outside))
    }

    /// Money of a subaccount is put aside by order of a court alone.
    fn row_kinds(_: &suspense::Event, _: Side) -> RowKinds {
        [RowKind::CourtOrder, RowKind::CommissionReversed]
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        let (name, order) = match self {
            Self::Absent => return OperationRow::default(),
            Self::Waiting(order) => ("waiting", order),
            Self::Attached(order, _) => ("attached", order),
            Self::Returned(order) => ("returned", order),
        };
        OperationRow {
            state: name,
            amount: Some(Amount::cents(order.amount)),
            end_to_end: Some(&order.outside),
            ..OperationRow::default()
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let Self::Waiting(order) = self else { return None };
        let what = match order.direction {
            Direction::In => WaitingReason::Unattached,
            Direction::Out => WaitingReason::ProviderClaim,
        };
        Some(Waiting::reais(what, order.amount.as_cents().into()))
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn waits_about(&self) -> Option<OpId> {
        let Self::Waiting(order) = self else { return None };
        order.about
    }
}

impl Applied for suspense::State {}

impl suspense::Order {
    /// Returns what the id of money put aside is an id of.
    pub(in crate::ledger) const fn scope(&self) -> Scope {
        match (self.direction, self.float) {
            // A court's order is known by its fact; nothing the world numbers was received.
            (_, Float::Court) => Scope::Fact,
            (Direction::In, Float::Collection) => Scope::ReceivedPix,
            (Direction::Out, Float::Collection) => Scope::ReturnedDeposit,
            (Direction::In, Float::Payout) => Scope::ReturnedPayout,
            (Direction::Out, Float::Payout) => Scope::SentPix,
        }
    }
}
