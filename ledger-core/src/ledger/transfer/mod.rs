//! Transfers between subaccounts of one account.

pub(super) mod group;
pub(super) mod request;

use crate::accounting::{RowKind, Side};
use crate::id::{AccountId, Kind, OpId, Token};
use crate::ledger::archive::Archive;
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, RowKinds};
use crate::ledger::record::Record;
use crate::ledger::registry::{Machine, Operation, Registered};
use crate::ledger::state::State;
use crate::ledger::state::apply::Applied;
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::Waiting;
use crate::machine::transfer;
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;
pub use group::{GroupRequest, LegRequest};
pub use request::TransferRequest;

impl Operation {
    /// Returns the transfer made on these terms at `at`, which ends as it begins.
    #[must_use]
    pub const fn from_transfer(order: transfer::Order, at: Instant) -> Self {
        let machine = Machine::Transfer(transfer::State::Done(order));
        Self { machine, created_at: at, updated_at: at, metadata: None }
    }
}

impl LedgerMachine for transfer::State {
    fn creation(event: &transfer::Event) -> Option<(AccountId, Option<&str>)> {
        Some(match event {
            transfer::Event::Done(order) => (order.account, order.external_id.as_deref()),
            transfer::Event::Grouped(group) => (group.account, group.external_id.as_deref()),
        })
    }

    fn note(event: &transfer::Event) -> Option<Token> {
        match event {
            transfer::Event::Done(order) => order.note,
            transfer::Event::Grouped(group) => group.note,
        }
    }

    fn row_kinds(_: &transfer::Event, side: Side) -> RowKinds {
        let own = match side {
            Side::Debit => RowKind::TransferOut,
            Side::Credit => RowKind::TransferIn,
        };
        [own, RowKind::CommissionReversed]
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        match self {
            Self::Done(order) => OperationRow {
                state: "done",
                subaccount: Some(order.from),
                counterparty: Some(order.to),
                external_id: order.external_id.as_deref(),
                amount: Some(order.amount.cents()),
                ..OperationRow::default()
            },
            Self::Grouped(group) => OperationRow {
                state: "done",
                subaccount: Some(group.legs[0].from),
                counterparty: Some(group.legs[0].to).filter(|_| group.legs.len() == 1),
                external_id: group.external_id.as_deref(),
                amount: group.total().map(Amount::cents),
                ..OperationRow::default()
            },
            Self::Absent => OperationRow::default(),
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        None
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
        match (event, record.metadata(op)) {
            (transfer::Event::Done(order), None) => archive.keep_transfer(op, record.at, order),
            (event, metadata) => {
                let machine = transfer::evolve(&Self::Absent, event).into_machine();
                let (created_at, updated_at) = (record.at, record.at);
                archive.keep(op, Operation { machine, created_at, updated_at, metadata });
            }
        }
        Ok(())
    }
}
