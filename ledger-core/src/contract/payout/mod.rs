//! Payouts on the wire: their routes, and how a payout looks.

pub(super) mod fact;
pub(super) mod wire;

use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::object::Json;
use crate::contract::registry::{Facts, PublicPix, Receiver, Shown, shown_as};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::contract::views::{Recall, Views};
use crate::contract::wire_names;
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Operation, Request, Scope};
use crate::machine::payout;

/// `/payouts`: sending a PIX, and reading what became of it, declared.
pub(super) struct Payouts;

impl<A: Archive, V: Vault> Routes<A, V> for Payouts {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: post("/payouts"),
                text: RouteText {
                    name: "CreatePayout",
                    tag: "Payouts",
                    summary: "Pay a PIX from the balance",
                    description: "Sends a PIX to a key that belongs to `tax_number`. The balance is debited amount and fees.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: wire::CREATE,
                answer: answers("Payout", wire::PAYOUT),
                errors: &[
                    Code::AmountInvalid,
                    Code::WaitingFirstDeposit,
                    Code::RateUnavailable,
                    Code::CustodyDisabled,
                    Code::DocumentInvalid,
                    Code::ExternalIdDiverges,
                    Code::DailyLimit,
                    Code::CounterpartyNotAllowed,
                    Code::MandateExceeded,
                    Code::NotPermitted,
                    Code::PayoutsDisabled,
                    Code::PayoutRefused,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::FundsInsufficient,
                    Code::TaxNumberRequired,
                    Code::KeyTypeAmbiguous,
                    Code::BelowMinimum,
                    Code::AboveMaximum,
                ],
            },
            handler: create,
        },
        Route {
            shape: RouteShape {
                ask: get("/payouts"),
                text: RouteText {
                    name: "ListPayouts",
                    tag: "Payouts",
                    summary: "Find payouts by external id",
                    description: "The payouts of this account under one `external_id`.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["external_id"]),
                body: &[],
                answer: answers("Payouts", wire::PAYOUTS),
                errors: &[],
            },
            handler: list,
        },
    ];
}

fn create<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = wire::payout(&mut fields, &parts.call.supplied, parts.policy)?;
    let request = fields.with_metadata(Request::Payout(asked))?;
    context.create(request, fields.into_personal())
}

fn list<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.listing(parts.target, &[Kind::Payout], "payouts")
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// A payout (rulings 41, PAY-04).
    #[must_use]
    pub fn payout<'v>(
        &'v self,
        op: OpId,
        operation: &Operation,
        state: &'v payout::State,
    ) -> Json<'v> {
        let Some(order) = state.order() else { return Json::Null };
        let paid = payment(state);
        let mut view = wire::payout_record(self, op, operation, state, order, paid);
        self.show_details(&mut view, Scope::SentPix, paid.map(|paid| &*paid.e2e));
        view
    }
}

/// The PIX of a payout that was paid, whatever came back since.
fn payment(state: &payout::State) -> Option<&payout::Completed> {
    match state {
        payout::State::Completed(paid) | payout::State::Returned(paid) => Some(paid),
        _ => None,
    }
}

impl Shown for payout::State {
    fn facts(&self) -> Facts<'_> {
        let paid = payment(self);
        let verified = paid.map(|paid| PublicPix {
            e2e: &paid.e2e,
            amount: paid.order.amount,
            at: None,
            paid: paid.returned != paid.order.amount.as_cents(),
            receiver: Receiver::Person(None),
            receipt_url: None,
        });
        Facts {
            status: wire_names::payout_status(self),
            customer: self.order().map(|order| order.subaccount),
            pix: paid.map(|paid| (Scope::SentPix, &*paid.e2e)),
            verified: verified.into(),
            ..Facts::NONE
        }
    }

    shown_as!(|state, views, of| views.payout(of.op, of.operation, state));
}
