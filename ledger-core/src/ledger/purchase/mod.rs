//! Purchases of crypto with a PIX, and their deliveries.

pub(super) mod delivery;
pub(super) mod delivery_step;
pub(super) mod early;
pub(super) mod fact;
pub(super) mod offer;

use crate::accounting::Side;
use crate::id::{AccountId, ChainId, OpId};
use crate::ledger::ledger_machine::operation_row::{OperationRow, text};
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::record::ExternalId;
use crate::ledger::state::apply::Applied;
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::{Waiting, WaitingReason};
use crate::machine::erroneous_delivery::{self, End};
use crate::terms::Catalogue;
use crate::time::Instant;

pub use fact::Fact;

impl LedgerMachine for erroneous_delivery::State {
    /// Returns none: no client asked for it.
    fn creation(_: &erroneous_delivery::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn outside(event: &erroneous_delivery::Event) -> Option<ExternalId> {
        let erroneous_delivery::Event::Claimed(order) = event else { return None };
        Some(ExternalId::claim(order.about, &order.hash, order.again))
    }

    fn chain(event: &erroneous_delivery::Event) -> Option<ChainId> {
        let erroneous_delivery::Event::Claimed(order) = event else { return None };
        Some(order.chain)
    }

    fn transaction(event: &erroneous_delivery::Event) -> Option<&str> {
        let erroneous_delivery::Event::Claimed(order) = event else { return None };
        Some(&order.hash)
    }

    fn row_kinds(_: &erroneous_delivery::Event, _: Side) -> RowKinds {
        REVERSED
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    fn row(&self, catalogue: &Catalogue) -> OperationRow<'_> {
        let (name, order) = match self {
            Self::Absent => return OperationRow::default(),
            Self::Waiting(order) => ("waiting", order),
            Self::Settled(order, End::Recovered) => ("recovered", order),
            Self::Settled(order, End::Lost) => ("lost", order),
        };
        let (asset, scale) = catalogue.asset_or_number(order.asset);
        OperationRow {
            state: name,
            asset: Some(asset),
            network: catalogue.chain_of(order.chain).map(str::to_owned),
            coins: text(Some(order.units), scale),
            transaction: Some(&order.hash),
            ..OperationRow::default()
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        let Self::Waiting(order) = self else { return None };
        Some(Waiting::crypto(WaitingReason::CryptoClaim, Some(order.asset), order.units))
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn waits_about(&self) -> Option<OpId> {
        let Self::Waiting(order) = self else { return None };
        Some(order.about)
    }
}

impl Applied for erroneous_delivery::State {}
