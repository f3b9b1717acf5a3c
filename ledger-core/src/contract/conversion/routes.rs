//! The route of conversions, and the command that withdraws commission, which has no route.

use super::wire;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::charge;
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Invocation, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, post};
use crate::ledger::{Archive, Request};

/// Conversions of a balance, and the withdrawal of commission, declared.
pub struct Conversions;

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
