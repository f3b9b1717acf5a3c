//! Conversions on the wire, and the command that withdraws commission, which has no route.

pub(super) mod wire;

use crate::coin::{Scale, Units};
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Invocation, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, post};
use crate::contract::views::{Recall, Views};
use crate::contract::{charge, wire_names};
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Request};
use crate::machine::conversion;
use crate::machine::delivery::DeliveryTerms;
use crate::money::{Amount, Cents};

/// Conversions of a balance, and the withdrawal of commission, declared.
pub(super) struct Conversions;

impl<A: Archive, V: Vault> Routes<A, V> for Conversions {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: post("/saldo/sacar-cripto"),
                text: RouteText {
                    name: "CreateConversion",
                    tag: "Balance",
                    summary: "Withdraw custody as crypto",
                    description: "Converts available reais and delivers the asset. The balance is debited amount and fees.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: wire::CONVERSION,
                answer: answers("ChargeDetail", charge::wire::CHARGE),
                errors: &[
                    Code::AmountInvalid,
                    Code::AssetInvalid,
                    Code::CatalogueUnavailable,
                    Code::FieldsConflict,
                    Code::WaitingFirstDeposit,
                    Code::RateUnavailable,
                    Code::CustodyDisabled,
                    Code::DocumentInvalid,
                    Code::ExternalIdDiverges,
                    Code::CounterpartyNotAllowed,
                    Code::MandateExceeded,
                    Code::MemoRequired,
                    Code::AddressInvalid,
                    Code::AddressRequired,
                    Code::NetworkUnavailable,
                    Code::FundsInsufficient,
                    Code::WithdrawalUnavailable,
                    Code::TaxNumberRequired,
                    Code::FeeChanged,
                    Code::BelowMinimum,
                ],
            },
            handler: create,
        },
        Route {
            shape: RouteShape {
                ask: Invocation::Command("commission.withdraw"),
                text: RouteText {
                    name: "WithdrawCommission",
                    tag: "Balance",
                    summary: "Withdraw the commission",
                    description: "Converts the commission and delivers the asset.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: wire::COMMISSION,
                answer: answers("CommissionWithdrawal", wire::COMMISSION_WITHDRAWAL),
                errors: &[
                    Code::AmountInvalid,
                    Code::AssetInvalid,
                    Code::CatalogueUnavailable,
                    Code::FieldsConflict,
                    Code::RateUnavailable,
                    Code::ExternalIdDiverges,
                    Code::MemoRequired,
                    Code::AddressInvalid,
                    Code::AddressRequired,
                    Code::NetworkUnavailable,
                    Code::FundsInsufficient,
                    Code::CommissionInterval,
                    Code::WithdrawalUnavailable,
                    Code::BelowMinimum,
                ],
            },
            handler: withdraw,
        },
    ];
}

fn create<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = wire::conversion(&mut fields, &parts.call.supplied, parts.policy)?;
    context.create(Request::Conversion(asked), fields.into_personal())
}

fn withdraw<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let fields = parts.body()?;
    let asked = wire::commission(&fields)?;
    context.create(Request::Conversion(asked), fields.into_personal())
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// `POST /saldo/sacar-cripto`: a charge already paid, with `fonte: saldo` (CUS-35).
    #[must_use]
    pub fn conversion<'v>(&'v self, op: OpId, state: &'v conversion::State) -> Json<'v> {
        let Some(progress) = state.progress() else { return Json::Null };
        let order = &progress.order;
        let sent = progress.delivery.sent_delivery();
        let subaccount = order.source.subaccount();
        let page =
            sent.and_then(|sent| self.state.catalogue.page_of(&order.target.chain, &sent.hash));
        object! {
            "cashin_id": op.text(&self.state.name),
            "status": wire_names::conversion_status(state),
            "amount_cents": order.amount.cents(),
            "asset": &order.target.asset,
            "chain": &order.target.chain,
            "payout_address": &order.target.address,
            "qr_copypaste": Json::Null,
            "qr_image_url": Json::Null,
            "expires_at": Json::Null,
            "held": false,
            "held_hours": Json::Null,
            "delay_until": Json::Null,
            "liberar_em": Json::Null,
            "hold_hours": Json::Null,
            "external_id": &order.external_id,
            "created_at": order.created_at.to_string(),
            "settlement_status": wire_names::conversion_settlement(state),
            "depix_received_cents": Json::Null,
            "usdt_amount": usdt(order.usdt),
            "settlement_tx_hash": sent.map(|sent| &sent.hash),
            "settlement_tx_url": page,
            "e2e": Json::Null,
            "payer_name": Json::Null,
            "payer_tax_number": order.tax_number.map(|number| self.mask(number)),
            "destino": "cripto",
            "customer_ref": subaccount.and_then(|subaccount| self.archive.customer_of(subaccount)),
            "fonte": "saldo",
            "paid_at": order.created_at.to_string(),
            "settled_at": sent.map(|sent| sent.at.to_string()),
            "fee_cents": order.fees.total().map(Cents::cents),
            "debited_cents": order.total_debit().map(Amount::cents),
            "amount": delivered_amount(&order.delivery_terms, order.scale),
        }
    }

    /// A withdrawal of commission; the shape is ours (COM-05).
    #[must_use]
    pub fn commission_withdrawal<'v>(&'v self, op: OpId, state: &'v conversion::State) -> Json<'v> {
        let Some(progress) = state.progress() else { return Json::Null };
        wire::commission_record(self, op, state, progress)
    }
}

/// Millionths of USDT as a decimal string.
#[must_use]
pub(super) fn usdt(units: Option<Units>) -> Option<String> {
    units.map(|units| units.text(Scale::SIX))
}

/// The amount that reaches the wallet, as a decimal string.
#[must_use]
pub(super) fn delivered_amount(delivery_terms: &DeliveryTerms, scale: Scale) -> Option<String> {
    delivery_terms.delivered_units().map(|units| units.text(scale))
}

impl Shown for conversion::State {
    fn facts(&self) -> Facts<'_> {
        Facts {
            status: wire_names::conversion_status(self),
            settlement: wire_names::conversion_settlement(self),
            customer: self.progress().and_then(|progress| progress.order.source.subaccount()),
            ..Facts::NONE
        }
    }

    shown_as!(
        |state, views, of| views.conversion(of.op, state),
        match of.op.kind() {
            Kind::CommissionWithdrawal => views.commission_withdrawal(of.op, state),
            _ => views.conversion(of.op, state),
        }
    );
}
