//! An operation as a row of `operations`, and a hold as a row of `open_holds`.

pub(super) mod sale;
mod wallet;

use ledger_core::coin::{Scale, Units};
use ledger_core::contract::Words;
use ledger_core::id::{AssetId, ChainId, LedgerName, OpId, SubaccountId};
use ledger_core::ledger::{Archive, Ledger, Machine, Operation};
use ledger_core::machine::{
    charge, conversion, entry, erroneous_delivery, hold, payout, suspense, transfer,
};
use ledger_core::money::{Amount, Cents};

use super::schema::labels::instant;
use super::schema::table::{Cell, Cells};

/// What differs from machine to machine.
#[derive(Default)]
pub(super) struct Particulars<'a> {
    pub(super) state: &'static str,
    pub(super) subaccount: Option<SubaccountId>,
    /// The customer, where it is not the subaccount's.
    pub(super) customer: Option<&'a str>,
    pub(super) counterparty: Option<SubaccountId>,
    pub(super) external_id: Option<&'a str>,
    pub(super) amount: Option<i64>,
    pub(super) fee: Option<Cents>,
    pub(super) returned: Option<Cents>,
    pub(super) asset: Option<String>,
    pub(super) network: Option<String>,
    pub(super) coins: Option<String>,
    pub(super) end_to_end: Option<&'a str>,
    pub(super) transaction: Option<&'a str>,
}

/// The row of an operation that `last_seq` touched last.
pub(super) fn row<A: Archive>(
    ledger: &Ledger<A>,
    op: OpId,
    operation: &Operation,
    last_seq: u64,
) -> Cells {
    let it = particulars(ledger, &operation.machine);
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

fn particulars<'a, A: Archive>(ledger: &Ledger<A>, machine: &'a Machine) -> Particulars<'a> {
    match machine {
        Machine::Charge(state) => charge(state),
        Machine::Payout(state) => payout(state),
        Machine::Conversion(state) => conversion(state),
        Machine::Transfer(transfer::State::Done(order)) => Particulars {
            state: "done",
            subaccount: Some(order.from),
            counterparty: Some(order.to),
            external_id: order.external_id.as_deref(),
            amount: Some(order.amount.cents()),
            ..Particulars::default()
        },
        Machine::Transfer(transfer::State::Grouped(group)) => Particulars {
            state: "done",
            subaccount: Some(group.legs[0].from),
            counterparty: Some(group.legs[0].to).filter(|_| group.legs.len() == 1),
            external_id: group.external_id.as_deref(),
            amount: group.total().map(Amount::cents),
            ..Particulars::default()
        },
        Machine::Transfer(transfer::State::Absent) => Particulars::default(),
        Machine::Entry(state) => entry(state),
        Machine::Hold(state) => hold(state),
        Machine::Suspense(state) => suspense(state),
        Machine::ErroneousDelivery(state) => erroneous_delivery(ledger, state),
        Machine::CashOut(state) => sale::cash_out(state),
        Machine::UnmatchedDeposit(state) => sale::unmatched_deposit(ledger, state),
        Machine::WalletDeposit(state) => wallet::deposit(ledger, state),
        Machine::CryptoWithdrawal(state) => wallet::withdrawal(state),
        Machine::Quote(state) => wallet::quote(state),
        Machine::WalletPayment(state) => wallet::payment(state),
        Machine::Adjustment(adjustment) => Particulars {
            state: "done",
            subaccount: Some(adjustment.subaccount),
            amount: Some(adjustment.value.cents()),
            ..Particulars::default()
        },
    }
}

/// An entry of a product, with the sum of its moves.
fn entry(state: &entry::State) -> Particulars<'_> {
    let state_name = match state {
        entry::State::Absent => "absent",
        entry::State::Posting(_) | entry::State::Posted(_) => "posted",
        entry::State::Reversing(_) | entry::State::Reversed(_) => "reversed",
    };
    let moved = state.moves().iter().map(|moved| moved.amount.cents());
    Particulars {
        state: state_name,
        amount: Some(moved.fold(0, i64::saturating_add)),
        ..Particulars::default()
    }
}

fn charge(state: &charge::State) -> Particulars<'_> {
    use charge::State as S;
    let Some(order) = state.order() else { return Particulars::default() };
    let (name, payment, fee, returned) = match state {
        S::Absent => ("absent", None, None, Cents::ZERO),
        S::Pending(_) => ("pending", None, None, Cents::ZERO),
        S::Expired(_) => ("expired", None, None, Cents::ZERO),
        S::Failed(_) => ("failed", None, None, Cents::ZERO),
        S::UnderReview(a) => ("under_review", Some(&a.payment), None, a.returned),
        S::Delayed(a) => ("delayed", Some(&a.payment), None, a.returned),
        S::Paid(paid) => {
            ("paid", Some(&paid.payment), Some(paid.credit.fee), paid.returned_in_all())
        }
        S::Bought(bought) => ("bought", Some(&bought.payment), None, bought.returned),
        S::Refunded(refunded) => {
            let fee = refunded.credit.as_ref().map(|credit| credit.fee);
            ("refunded", Some(&refunded.payment), fee, refunded.payment.amount.as_cents())
        }
    };
    let purchase = order.purchase.as_deref();
    let sent = match state {
        S::Bought(bought) => bought.delivery.sent_delivery(),
        _ => None,
    };
    let coins =
        purchase.and_then(|terms| text(terms.delivery_terms.delivered_units(), terms.scale));
    Particulars {
        state: name,
        subaccount: Some(order.subaccount),
        customer: purchase.and_then(|terms| terms.customer.as_deref()),
        external_id: order.external_id.as_deref(),
        amount: Some(order.amount.cents()),
        fee: purchase.map_or(fee, |terms| terms.fees.total()),
        returned: payment.map(|_| returned),
        asset: purchase.map(|_| order.delivery.asset.to_string()),
        network: purchase.map(|_| order.delivery.chain.to_string()),
        coins,
        end_to_end: payment.map(|payment| &*payment.e2e),
        transaction: sent.map(|sent| &*sent.hash),
        ..Particulars::default()
    }
}

fn payout(state: &payout::State) -> Particulars<'_> {
    use payout::State as S;
    let Some(order) = state.order() else { return Particulars::default() };
    let (name, paid) = match state {
        S::Absent => ("absent", None),
        S::Requested(_) => ("requested", None),
        S::UnderReview(_) => ("under_review", None),
        S::Submitted(_) => ("submitted", None),
        S::Uncertain(_) => ("uncertain", None),
        S::Failed(_) => ("failed", None),
        S::Completed(paid) => ("completed", Some(paid)),
        S::Returned(paid) => ("returned", Some(paid)),
    };
    Particulars {
        state: name,
        subaccount: Some(order.subaccount),
        external_id: order.external_id.as_deref(),
        amount: Some(order.amount.cents()),
        fee: order.fees.total(),
        returned: paid.map(|paid| paid.returned),
        end_to_end: paid.map(|paid| &*paid.e2e),
        ..Particulars::default()
    }
}

fn conversion(state: &conversion::State) -> Particulars<'_> {
    let Some(progress) = state.progress() else { return Particulars::default() };
    let order = &progress.order;
    Particulars {
        state: match state {
            conversion::State::Absent => "absent",
            conversion::State::Paid(_) => "paid",
            conversion::State::Refunded(_) => "refunded",
        },
        subaccount: order.source.subaccount(),
        external_id: order.external_id.as_deref(),
        amount: Some(order.amount.cents()),
        fee: order.fees.total(),
        asset: Some(order.target.asset.to_string()),
        network: Some(order.target.chain.to_string()),
        coins: text(order.delivery_terms.delivered_units(), order.scale),
        transaction: progress.delivery.sent_delivery().map(|sent| &*sent.hash),
        ..Particulars::default()
    }
}

fn hold(state: &hold::State) -> Particulars<'_> {
    let (name, progress) = match state {
        hold::State::Absent => ("absent", None),
        hold::State::Open(progress) => ("open", Some(progress)),
        hold::State::Closed(progress) => ("closed", Some(progress)),
    };
    Particulars {
        state: name,
        subaccount: progress.map(|progress| progress.order.subaccount),
        amount: progress.map(|progress| progress.order.requested.cents()),
        ..Particulars::default()
    }
}

fn suspense(state: &suspense::State) -> Particulars<'_> {
    let (name, order) = match state {
        suspense::State::Absent => return Particulars::default(),
        suspense::State::Waiting(order) => ("waiting", order),
        suspense::State::Attached(order, _) => ("attached", order),
        suspense::State::Returned(order) => ("returned", order),
    };
    Particulars {
        state: name,
        amount: Some(Amount::cents(order.amount)),
        end_to_end: Some(&order.outside),
        ..Particulars::default()
    }
}

fn erroneous_delivery<'a, A: Archive>(
    ledger: &Ledger<A>,
    state: &'a erroneous_delivery::State,
) -> Particulars<'a> {
    let (name, order) = match state {
        erroneous_delivery::State::Absent => return Particulars::default(),
        erroneous_delivery::State::Waiting(order) => ("waiting", order),
        erroneous_delivery::State::Settled(order, erroneous_delivery::End::Recovered) => {
            ("recovered", order)
        }
        erroneous_delivery::State::Settled(order, erroneous_delivery::End::Lost) => ("lost", order),
    };
    let (asset, scale) = asset(ledger, order.asset);
    Particulars {
        state: name,
        asset: Some(asset),
        network: network(ledger, order.chain),
        coins: text(Some(order.units), scale),
        transaction: Some(&order.hash),
        ..Particulars::default()
    }
}

/// An asset's name and decimals.
pub(super) fn asset<A>(ledger: &Ledger<A>, id: AssetId) -> (String, Scale) {
    let known = ledger.state.catalogue.asset_of(id);
    known.map_or_else(|| (format!("asset{}", id.0), Scale::SIX), |(name, s)| (name.to_owned(), s))
}

/// A network's name.
pub(super) fn network<A>(ledger: &Ledger<A>, id: ChainId) -> Option<String> {
    ledger.state.catalogue.chain_of(id).map(str::to_owned)
}

pub(super) fn text(units: Option<Units>, scale: Scale) -> Option<String> {
    units.map(|units| units.text(scale))
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
