//! A transfer among the ledger's operations: it happens once, and is kept at once.

use crate::accounting::{RowKind, Side};
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::ledger::state::apply::Applied;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::operation::Registered;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::transfer;

impl LedgerMachine for transfer::State {
    fn created(event: &transfer::Event) -> Option<(AccountId, Option<&str>)> {
        let transfer::Event::Done(order) = event;
        Some((order.account, order.external_id.as_deref()))
    }

    fn row_kind(_: &transfer::Event, side: Side) -> RowKind {
        match side {
            Side::Debit => RowKind::TransferOut,
            Side::Credit => RowKind::TransferIn,
        }
    }

    fn commission_row(_: &transfer::Event) -> RowKind {
        RowKind::CommissionReversed
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }
}

impl Applied for transfer::State {
    fn apply(
        _: &mut State,
        archive: &mut impl Archive,
        record: &Record,
        (op, event): (OpId, &transfer::Event),
    ) -> Result<(), &'static str> {
        if op != OpId::new(Kind::Transfer, record.seq) || !transfer::follows(&Self::Absent, event) {
            return Err(Self::MISPLACED);
        }
        let transfer::Event::Done(order) = event;
        archive.keep_transfer(op, record.at, order);
        Ok(())
    }
}
