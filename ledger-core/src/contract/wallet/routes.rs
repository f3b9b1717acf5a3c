//! The wallet's routes: what each reads of the call, and what answers it.

use serde_json::json;

use super::requests;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, Route};
use crate::contract::input::fields::Fields;
use crate::contract::input::query::Target;
use crate::contract::input::tokens::Vault;
use crate::contract::views::Views;
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Operation, Outcome, Request, wallet};

/// The methods of a route of the wallet, by what follows `carteira-usdt`; none for no route.
#[must_use]
pub fn known(segments: &[&str]) -> Option<&'static [&'static str]> {
    match segments {
        [] => Some(&["GET"]),
        ["deposits" | "payments"] => Some(&["POST", "GET"]),
        ["quote"] => Some(&["POST"]),
        ["payments", _] => Some(&["GET"]),
        _ => None,
    }
}

/// A request of a client to the wallet.
///
/// # Errors
///
/// [`Refused`], with the problem.
pub fn request<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    method: &str,
    segments: &[&str],
    target: &Target,
) -> Result<CallOutcome, Refused> {
    let call = context.call;
    let name = context.ledger.state.name.to_string();
    let (tokens, reads) = (context.tokens, context.reads);
    let policy = context.ledger.state.policy.clone();
    let body = || Fields::of(&call.body, tokens, &name).map(|fields| fields.noting(reads));
    target.only(&[])?;
    match (method, segments) {
        ("POST", ["deposits"]) => {
            let fields = body()?;
            let asked = wallet::Request::Deposit(requests::deposit(&fields, &call.supplied)?);
            create(context, asked, fields, Route::Other, |views, op, known| {
                views.wallet_deposit_made(op, known)
            })
        }
        ("POST", ["payments"]) => {
            let mut fields = body()?;
            let request = requests::payment(&mut fields, &policy)?;
            let asked = wallet::Request::Payment(Box::new(request));
            create(context, asked, fields, Route::Other, |views, op, known| {
                views.wallet_payment(op, known)
            })
        }
        ("POST", _) => {
            let mut fields = body()?;
            let request = requests::payment_quote(&mut fields, &policy)?;
            let asked = wallet::Request::PaymentQuote(Box::new(request));
            let mut handled = create(context, asked, fields, Route::Other, |views, op, known| {
                views.wallet_quote(op, known)
            })?;
            // A preview (WAL-44).
            handled.response.status = 200;
            Ok(handled)
        }
        (_, ["payments", id]) => {
            let op = OpId::parse(id, &name).filter(|op| op.kind() == Kind::WalletPayment);
            context.read(|views, account, at| {
                views.granted_wallet(account, at)?;
                let found = op.and_then(|op| Some((op, views.operation(op)?)));
                let found = found.filter(|(_, known)| known.account() == Some(account));
                let view = found.map(|(op, known)| views.wallet_payment(op, &known));
                view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such payment"))
            })
        }
        (_, ["payments"]) => context.read(|views, account, at| {
            views.granted_wallet(account, at)?;
            Ok(views.wallet_payments(account))
        }),
        (_, ["deposits"]) => context.read(|views, account, at| {
            views.granted_wallet(account, at)?;
            Ok(views.wallet_deposits(account))
        }),
        _ => context.read(|views, account, at| {
            views.granted_wallet(account, at)?;
            views.wallet(account, at)
        }),
    }
}

/// What the contract describes of wallets and shows no route for.
pub const COMMANDS: [&str; 4] = [
    "wallet.withdrawal.quote",
    "wallet.withdrawal.create",
    "wallet.withdrawal.get",
    "wallet.withdrawal.list",
];

/// A command of a client to the wallet, one of [`COMMANDS`].
///
/// # Errors
///
/// [`Refused`], with the problem.
pub fn command<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    command: &str,
) -> Result<CallOutcome, Refused> {
    let call = context.call;
    let name = context.ledger.state.name.to_string();
    let empty = json!({});
    let body = if call.body.is_null() { &empty } else { &call.body };
    let fields = Fields::of(body, context.tokens, &name)?.noting(context.reads);
    match command {
        "wallet.withdrawal.quote" => {
            let asked = wallet::Request::WithdrawalQuote(requests::withdrawal_quote(&fields)?);
            create(context, asked, fields, Route::Withdrawal, |views, op, known| {
                views.wallet_quote(op, known)
            })
        }
        "wallet.withdrawal.create" => {
            let request = requests::withdrawal(&fields)?;
            let id = request.external_id.clone();
            let asked = wallet::Request::Withdrawal(request);
            create(context, asked, fields, Route::Withdrawal, |views, op, known| {
                views.wallet_withdrawal_made(op, known, &id)
            })
        }
        "wallet.withdrawal.get" => {
            let op = fields.operation("withdrawal_id")?;
            context.read(|views, account, at| {
                views.granted_wallet(account, at)?;
                let found = op.filter(|op| op.kind() == Kind::CryptoWithdrawal);
                let found = found.and_then(|op| Some((op, views.operation(op)?)));
                let found = found.filter(|(_, known)| known.account() == Some(account));
                let view = found.map(|(op, known)| views.wallet_withdrawal(op, &known));
                view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such withdrawal"))
            })
        }
        _ => context.read(|views, account, at| {
            views.granted_wallet(account, at)?;
            Ok(views.wallet_withdrawals(account))
        }),
    }
}

/// What a request creates, answered with 201, or created before, with 200 (WAL-41).
fn create<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    asked: wallet::Request,
    fields: Fields<'_>,
    route: Route,
    view: impl FnOnce(&Views<'_, A, V>, OpId, &Operation) -> serde_json::Value,
) -> Result<CallOutcome, Refused> {
    let mut status = 200;
    let personal = fields.into_personal();
    let mut handled =
        context.carry_out(Request::Wallet(asked), personal, route, |views, _, outcome| {
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
