//! An operation as a row of `operations`, and a hold as a row of `open_holds`.

use ledger_core::coin::Scale;
use ledger_core::contract::Words;
use ledger_core::id::{LedgerName, OpId};
use ledger_core::ledger::{Archive, Ledger, Operation};
use ledger_core::machine::hold;
use ledger_core::money::Cents;

use super::schema::labels::instant;
use super::schema::table::{Cell, Cells};

/// The row of an operation that `last_seq` touched last.
pub(super) fn row<A: Archive>(
    ledger: &Ledger<A>,
    op: OpId,
    operation: &Operation,
    last_seq: u64,
) -> Cells {
    let it = operation.row(&ledger.state.catalogue);
    let Words { status, settlement } = Words::for_operation(operation);
    let account = ledger.state.owner_of(operation);
    let account = account.and_then(|account| ledger.state.account(account));
    let customer = it
        .customer
        .or_else(|| it.subaccount.and_then(|subaccount| ledger.archive.customer(subaccount)));
    vec![
        op.text(&ledger.state.name).into(),
        op.kind().name().into(),
        account.map(|account| &*account.name).into(),
        it.subaccount.map(|subaccount| subaccount.0).into(),
        customer.into(),
        it.counterparty.map(|subaccount| subaccount.0).into(),
        it.external_id.into(),
        it.state.into(),
        status.into(),
        settlement.into(),
        it.amount.into(),
        it.fee.map(Cents::cents).into(),
        it.returned.map(Cents::cents).into(),
        it.asset.into(),
        it.network.into(),
        it.coins.into(),
        it.end_to_end.into(),
        it.transaction.into(),
        instant(operation.created_at).into(),
        instant(operation.updated_at).into(),
        op.seq().0.into(),
        last_seq.into(),
    ]
}

/// The row of a hold that is open; none of one that has ended.
pub(super) fn hold_row(
    ledger: &LedgerName,
    op: OpId,
    operation: &Operation,
    last_seq: u64,
) -> Option<Cells> {
    let Some(hold::State::Open(open)) = operation.hold() else { return None };
    Some(vec![
        op.text(ledger).into(),
        open.order.subaccount.0.into(),
        hold_kind(open.order.kind).into(),
        open.order.cause.map(|cause| cause.text(ledger)).into(),
        open.order.requested.cents().into(),
        open.blocked_cents().cents().into(),
        open.released.cents().into(),
        open.settled.cents().into(),
        open.shortfall().cents().into(),
        instant(open.order.watch_until).into(),
        open.order.ends_at.map(instant).into(),
        instant(operation.created_at).into(),
        last_seq.into(),
    ])
}

/// Net credits of crypto as the number of units and as a decimal number.
pub(super) fn signed_units(units: i128, scale: Scale) -> [Cell; 2] {
    [units.to_string().into(), crate::export::decimal(units, scale).into()]
}

const fn hold_kind(kind: hold::Kind) -> &'static str {
    match kind {
        hold::Kind::Maturity => "maturity",
        hold::Kind::Dispute => "dispute",
        hold::Kind::Precautionary => "precautionary",
        hold::Kind::Judicial => "judicial",
        hold::Kind::Administrative => "administrative",
        hold::Kind::Reservation => "reservation",
    }
}
