//! The commands of withdrawals from wallets, which the contract describes and shows no route for
//! (WDR-14).

use super::{create, requests, show_quote, wire};
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Invocation, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes};
use crate::id::Kind;
use crate::ledger::{Archive, wallet};

/// Commands that withdraw from a wallet: the contract describes them and shows no route.
pub struct WalletWithdrawals;

impl<A: Archive, V: Vault> Routes<A, V> for WalletWithdrawals {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: Invocation::Command("wallet.withdrawal.quote"),
                text: RouteText {
                    name: "QuoteWalletWithdrawal",
                    tag: "Wallet",
                    summary: "Quote a withdrawal",
                    description: "What would arrive in an external wallet.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: requests::WITHDRAWAL_QUOTE,
                answer: answers("WalletWithdrawalQuote", wire::WITHDRAWAL_QUOTE)
                    .with_created_status(),
                errors: &[
                    Code::AssetInvalid,
                    Code::WalletUnavailable,
                    Code::WalletNotGranted,
                    Code::FundingSourceInvalid,
                    Code::AddressInvalid,
                    Code::NetworkUnavailable,
                    Code::WithdrawalUnavailable,
                    Code::BelowMinimum,
                    Code::ValueInvalid,
                ],
            },
            handler: quote_withdrawal,
        },
        Route {
            shape: RouteShape {
                ask: Invocation::Command("wallet.withdrawal.create"),
                text: RouteText {
                    name: "CreateWalletWithdrawal",
                    tag: "Wallet",
                    summary: "Withdraw to an external wallet",
                    description: "Withdraws what was quoted.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: requests::WITHDRAWAL,
                answer: answers("CreatedWalletWithdrawal", wire::CREATED_WITHDRAWAL).or_created(),
                errors: &[
                    Code::AssetInvalid,
                    Code::WalletUnavailable,
                    Code::WalletNotGranted,
                    Code::QuoteDiffers,
                    Code::QuoteExpired,
                    Code::QuoteRefused,
                    Code::ExternalIdDiverges,
                    Code::FundingSourceInvalid,
                    Code::FundsInsufficient,
                    Code::WithdrawalUnavailable,
                    Code::BelowMinimum,
                    Code::ValueInvalid,
                ],
            },
            handler: withdraw,
        },
        Route {
            shape: RouteShape {
                ask: Invocation::Command("wallet.withdrawal.get"),
                text: RouteText {
                    name: "GetWalletWithdrawal",
                    tag: "Wallet",
                    summary: "Show a withdrawal",
                    description: "A withdrawal as it stands.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: requests::WITHDRAWAL_GET,
                answer: answers("WalletWithdrawal", wire::WITHDRAWAL),
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted, Code::NotFound],
            },
            handler: withdrawal,
        },
        Route {
            shape: RouteShape {
                ask: Invocation::Command("wallet.withdrawal.list"),
                text: RouteText {
                    name: "ListWalletWithdrawals",
                    tag: "Wallet",
                    summary: "List withdrawals",
                    description: "The latest withdrawals.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: &[],
                answer: answers("WalletWithdrawals", wire::WITHDRAWALS),
                errors: &[Code::WalletUnavailable, Code::WalletNotGranted],
            },
            handler: withdrawals,
        },
    ];
}

fn quote_withdrawal<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let fields = parts.body_if()?;
    let asked = wallet::Request::WithdrawalQuote(requests::withdrawal_quote(&fields)?);
    create(&mut context, asked, fields, show_quote)
}

fn withdraw<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let fields = parts.body_if()?;
    let request = requests::withdrawal(&fields)?;
    let id = request.external_id.clone();
    create(&mut context, wallet::Request::Withdrawal(request), fields, |views, op, known| {
        views.wallet_withdrawal_made(op, known, &id)
    })
}

fn withdrawal<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let op = parts.body_if()?.operation("withdrawal_id")?;
    context.read(|views, account, at| {
        views.granted_wallet(account, at)?;
        let found = op.filter(|op| op.kind() == Kind::CryptoWithdrawal);
        let found = found.and_then(|op| Some((op, views.operation(op)?)));
        let found = found.filter(|(_, known)| known.account() == Some(account));
        let view = found.map(|(op, known)| views.wallet_withdrawal(op, &known));
        view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such withdrawal"))
    })
}

fn withdrawals<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    context.read(|views, account, at| {
        views.granted_wallet(account, at)?;
        Ok(views.wallet_withdrawals(account))
    })
}
