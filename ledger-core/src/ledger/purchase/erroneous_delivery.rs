//! Crypto that was sent without reason among the ledger's operations.

use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::state::apply::Applied;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::erroneous_delivery;

impl LedgerMachine for erroneous_delivery::State {
    /// What no client asked for is no client's.
    fn created(_: &erroneous_delivery::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn row_kind(_: &erroneous_delivery::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &erroneous_delivery::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }
}

impl Applied for erroneous_delivery::State {}
