//! A hold among the ledger's operations.

use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::state::due::{Due, watches};
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::hold;
use crate::time::Instant;

impl LedgerMachine for hold::State {
    /// What no client asked for is no client's.
    fn created(_: &hold::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn row_kind(_: &hold::Event, _: Side) -> RowKind {
        RowKind::Reversal
    }

    fn commission_row(_: &hold::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        let Self::Open(open) = self else { return None };
        let lapse = watches(open).then_some((open.order.watch_until, Due::Lapse));
        let end = open.order.ends_at.map(|at| (at, Due::End));
        lapse.into_iter().chain(end).min()
    }
}
