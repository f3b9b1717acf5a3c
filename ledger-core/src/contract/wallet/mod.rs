//! The USDT wallet on the wire (contract 2.5, 2.6, 4.5): routes, bodies, views, refusals, facts.

mod deposits;
pub(super) mod fact;
pub(super) mod payment_fact;
pub(super) mod payments;
mod refusals;
mod requests;
pub(super) mod settings_fact;
mod state;
pub(super) mod wire;
pub(super) mod withdrawal_fact;
pub(super) mod withdrawal_routes;
mod withdrawals;

use crate::coin::{Scale, Units, units_text};
use crate::contract::body::Body;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::fields::Fields;
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::contract::views::Views;
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Operation, Outcome, Request, wallet};
use crate::money::Amount;

pub use refusals::problem;

/// Millionths of USDT of either sign, with all six decimals (WAL-05).
fn signed_usdt(units: i128) -> String {
    let text = units_text(units.unsigned_abs(), Scale::SIX);
    if units < 0 { format!("-{text}") } else { text }
}

/// The field that tells what must be sent to a deposit, to the last decimal (WAL-10).
pub(super) const TO_SEND: &str = "amount_to_send";

/// Units of six decimals as a decimal string (WAL-09, WDR-04).
pub(super) fn six(units: Units) -> String {
    units.text(Scale::SIX)
}

fn six_if(units: Option<Units>) -> Option<String> {
    units.map(six)
}

/// Reais as a decimal string: `10.00`.
fn reais(amount: Amount) -> String {
    let cents = amount.cents();
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// `/carteira-usdt`: deposits, quotes and payments of a wallet, declared.
pub(super) struct Wallets;

impl<A: Archive, V: Vault> Routes<A, V> for Wallets {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: get("/carteira-usdt"),
                text: RouteText {
                    name: "GetWallet",
                    tag: "Wallet",
                    summary: "Show the wallet",
                    description: "Balance, networks and limits of the USDT wallet.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Wallet", wire::STATE),
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: show,
        },
        Route {
            shape: RouteShape {
                ask: post("/carteira-usdt/deposits"),
                text: RouteText {
                    name: "CreateWalletDeposit",
                    tag: "Wallet",
                    summary: "Request a deposit",
                    description: "Gives an address and the exact amount to send.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: requests::DEPOSIT,
                answer: answers("WalletDeposit", wire::DEPOSIT).with_created_status(),
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
                text: RouteText {
                    name: "ListWalletDeposits",
                    tag: "Wallet",
                    summary: "List deposits",
                    description: "The 100 latest requests.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("WalletDeposits", wire::DEPOSITS),
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: deposits,
        },
        Route {
            shape: RouteShape {
                ask: post("/carteira-usdt/payments"),
                text: RouteText {
                    name: "CreateWalletPayment",
                    tag: "Wallet",
                    summary: "Pay a PIX from the wallet",
                    description: "Reserves USDT, pays the PIX, and debits what it cost. Send `brl_amount` with `pix_key`, or `br_code`.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: requests::PAYMENT,
                answer: answers("WalletPayment", wire::PAYMENT).or_created(),
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
                text: RouteText {
                    name: "ListWalletPayments",
                    tag: "Wallet",
                    summary: "List payments",
                    description: "The 100 latest payments.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("WalletPayments", wire::PAYMENTS),
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: payments,
        },
        Route {
            shape: RouteShape {
                ask: get("/carteira-usdt/payments/{payment_id}"),
                text: RouteText {
                    name: "GetWalletPayment",
                    tag: "Wallet",
                    summary: "Show a payment",
                    description: "A payment as it stands.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("WalletPayment", wire::PAYMENT),
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted, Code::NotFound],
            },
            handler: payment,
        },
        Route {
            shape: RouteShape {
                ask: post("/carteira-usdt/quote"),
                text: RouteText {
                    name: "QuoteWalletPayment",
                    tag: "Wallet",
                    summary: "Quote a payment",
                    description: "An estimate without effect: at confirmation up to 1 % more is reserved, and the rest returns.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: requests::QUOTE,
                answer: answers("WalletQuote", wire::QUOTE),
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
    let mut handled = create(&mut context, asked, fields, show_quote)?;
    // A preview (WAL-44).
    handled.response.status = 200;
    Ok(handled)
}

/// A quote, of a payment or of a withdrawal.
fn show_quote<A: Archive, V: Vault>(
    views: &Views<'_, A, V>,
    op: OpId,
    known: &Operation,
) -> serde_json::Value {
    views.wallet_quote(op, known)
}

/// Answers 201 for an operation that a request creates, and 200 for one created before (WAL-41).
fn create<A: Archive, V: Vault>(
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
