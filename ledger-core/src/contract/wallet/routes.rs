//! The routes of the USDT wallet.

use super::payments::PAYMENT;
use super::requests;
use crate::contract::body::Body;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::fields::Fields;
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, RouteShape};
use crate::contract::route::{Route, Routes, get, post};
use crate::contract::views::Views;
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Operation, Outcome, Request, wallet};

/// `/carteira-usdt`: deposits, quotes and payments of a wallet, declared.
pub struct Wallets;

impl<A: Archive, V: Vault> Routes<A, V> for Wallets {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: get("/carteira-usdt"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &[
                    "enabled",
                    "funding_source",
                    "currency",
                    "pix_rules",
                    "networks",
                    "balance",
                    "min_deposit",
                    "min_payment_brl",
                    "deposit_validity_hours",
                    "payments_enabled",
                    "payment_methods",
                    "sandbox",
                ],
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: show,
        },
        Route {
            shape: RouteShape {
                ask: post("/carteira-usdt/deposits"),
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: requests::DEPOSIT,
                answer: &[
                    "deposit_id",
                    "status",
                    "amount_to_send",
                    "amount_received",
                    "address",
                    "network",
                    "network_name",
                    "asset",
                    "accepted_assets",
                    "expires_at",
                    "created_at",
                    "credited_at",
                    "origin",
                    "sandbox",
                    "instructions",
                ],
                errors: &[
                    Code::WalletUnavailable,
                    Code::WalletNotGranted,
                    Code::TooManyOpen,
                    Code::NetworkUnavailable,
                    Code::BelowMinimum,
                    Code::ValueInvalid,
                ],
            },
            handler: deposit,
        },
        Route {
            shape: RouteShape {
                ask: get("/carteira-usdt/deposits"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &["items"],
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: deposits,
        },
        Route {
            shape: RouteShape {
                ask: post("/carteira-usdt/payments"),
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: requests::PAYMENT,
                answer: PAYMENT,
                errors: &[
                    Code::CodeUnavailable,
                    Code::CodeInvalid,
                    Code::CodeWithoutAmount,
                    Code::FieldsConflict,
                    Code::WalletUnavailable,
                    Code::WalletNotGranted,
                    Code::QuoteDiffers,
                    Code::QuoteExpired,
                    Code::QuoteRefused,
                    Code::ExternalIdDiverges,
                    Code::FundingSourceInvalid,
                    Code::RecipientLimit,
                    Code::PaymentsUnavailable,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::FundsInsufficient,
                    Code::KeyTypeAmbiguous,
                    Code::BelowMinimum,
                    Code::ValueInvalid,
                ],
            },
            handler: pay,
        },
        Route {
            shape: RouteShape {
                ask: get("/carteira-usdt/payments"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &["items"],
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: payments,
        },
        Route {
            shape: RouteShape {
                ask: get("/carteira-usdt/payments/{payment_id}"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: PAYMENT,
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted, Code::NotFound],
            },
            handler: payment,
        },
        Route {
            shape: RouteShape {
                ask: post("/carteira-usdt/quote"),
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: requests::QUOTE,
                answer: &[
                    "quote_id",
                    "funding_source",
                    "payment_method",
                    "brl_amount",
                    "usdt_order",
                    "withdrawal_fee",
                    "usdt_total",
                    "expires_at",
                    "sandbox",
                ],
                errors: &[
                    Code::CodeUnavailable,
                    Code::CodeInvalid,
                    Code::CodeWithoutAmount,
                    Code::FieldsConflict,
                    Code::WalletUnavailable,
                    Code::WalletNotGranted,
                    Code::FundingSourceInvalid,
                    Code::PaymentsUnavailable,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::KeyTypeAmbiguous,
                    Code::BelowMinimum,
                    Code::ValueInvalid,
                ],
            },
            handler: quote,
        },
    ];
}

fn show<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, at| {
        views.granted_wallet(account, at)?;
        views.wallet(account, at)
    })
}

fn deposit<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let fields = parts.body()?;
    let asked = requests::deposit(&fields, &parts.call.supplied)?;
    create(&mut context, wallet::Request::Deposit(asked), fields, |views, op, known| {
        views.wallet_deposit_made(op, known).into()
    })
}

fn deposits<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, at| {
        views.granted_wallet(account, at)?;
        Ok(views.wallet_deposits(account))
    })
}

fn pay<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = Box::new(requests::payment(&mut fields, &parts.call.supplied, parts.policy)?);
    create(&mut context, wallet::Request::Payment(asked), fields, |views, op, known| {
        views.wallet_payment(op, known).into()
    })
}

fn payments<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, at| {
        views.granted_wallet(account, at)?;
        Ok(views.wallet_payments(account))
    })
}

fn payment<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let op = parts.operation(&[Kind::WalletPayment]);
    context.read(|views, account, at| {
        views.granted_wallet(account, at)?;
        let found = op.and_then(|op| Some((op, views.operation(op)?)));
        let found = found.filter(|(_, known)| known.account() == Some(account));
        let view = found.map(|(op, known)| Body::from(views.wallet_payment(op, &known)));
        view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such payment"))
    })
}

fn quote<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let request = requests::payment_quote(&mut fields, &parts.call.supplied, parts.policy)?;
    let asked = wallet::Request::PaymentQuote(Box::new(request));
    let mut handled = create(&mut context, asked, fields, quoted)?;
    // A preview (WAL-44).
    handled.response.status = 200;
    Ok(handled)
}

/// A quote, of a payment or of a withdrawal.
pub(super) fn quoted<A: Archive, V: Vault>(
    views: &Views<'_, A, V>,
    op: OpId,
    known: &Operation,
) -> serde_json::Value {
    views.wallet_quote(op, known)
}

/// What a request creates, answered with 201, or created before, with 200 (WAL-41).
pub(super) fn create<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    asked: wallet::Request,
    fields: Fields<'_>,
    view: impl FnOnce(&Views<'_, A, V>, OpId, &Operation) -> serde_json::Value,
) -> Result<CallOutcome, Refused> {
    let mut status = 200;
    let personal = fields.into_personal();
    let mut handled =
        context.carry_out(Request::Wallet(asked), personal, |views, _, outcome| {
            let (Outcome::Created(op) | Outcome::Repeated(op)) = outcome else {
                unreachable!("a request is created, repeated or refused, not {outcome:?}")
            };
            if let Outcome::Created(_) = outcome {
                status = 201;
            }
            let operation = views.operation(op).expect("what was created or found is kept");
            view(views, op, &operation)
        })?;
    handled.response.status = status;
    Ok(handled)
}
