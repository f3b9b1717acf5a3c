//! Money in suspense among the ledger's operations.

use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::state::apply::Applied;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::suspense;

impl LedgerMachine for suspense::State {
    /// What no client asked for is no client's.
    fn created(_: &suspense::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    /// Money of a subaccount is put aside by order of a court alone.
    fn row_kind(_: &suspense::Event, _: Side) -> RowKind {
        RowKind::CourtOrder
    }

    fn commission_row(_: &suspense::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }
}

impl Applied for suspense::State {}
