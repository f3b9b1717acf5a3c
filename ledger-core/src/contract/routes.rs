//! The table of routes: what each reads of the call, and what answers it.

use super::call::CallOutcome;
use super::call::context::{Refused, RequestContext};
use super::error::{Code, Problem, Route};
use super::input::echo::echoed;
use super::input::fields::{Fields, letters, missing};
use super::input::query::{Target, invalid, not_taken, unknown};
use super::input::tokens::Vault;
use super::sale::body;
use super::statement::{Asked, View};
use super::{account, agent, charge, conversion, payout, sandbox, transfer, wallet};
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Refusal, Request};
use crate::pix::Document;

/// A request of a client, by method and target.
#[allow(clippy::too_many_lines)] // The table of routes, one arm each.
pub fn request<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    (method, target): (&str, &str),
) -> Result<CallOutcome, Refused> {
    let target = Target::parse(target)?;
    let segments = target.segments();
    if let ["mesh", path @ ..] = &segments[..] {
        return agent::routes::route(context, method, &target, path);
    }
    let known: &[&str] = match segments[..] {
        ["cashin", "charge" | "preview"] | ["saldo", "transferir" | "sacar-cripto"] => &["POST"],
        ["payouts"] => &["POST", "GET"],
        ["cashin", "charges" | "catalog" | "limits"] | ["cashin", _, "status"] => &["GET"],
        ["saldo"] | ["saldo", "consolidado" | "clientes" | "extrato"] => &["GET"],
        ["comissao" | "catalog"] | ["comissao", "extrato"] => &["GET"],
        ["cash-outs"] => &["POST", "GET"],
        ["cash-outs", "preview"] | ["cash-outs", _, "accept" | "refund-address"] => &["POST"],
        ["cash-outs", _] => &["GET"],
        ["carteira-usdt", ref rest @ ..] if let Some(known) = wallet::known(rest) => known,
        _ => account::routes::methods(&segments)
            .or_else(|| sandbox::methods(&segments))
            .ok_or_else(|| unknown(method, &target))?,
    };
    if !known.contains(&method) {
        return Err(not_taken(&target, known).into());
    }
    if account::routes::methods(&segments).is_some() {
        return account::routes::answer(context, method, &segments, &target);
    }
    if sandbox::methods(&segments).is_some() {
        return sandbox::answer(context, &segments, &target);
    }
    let name = context.ledger.state.name.to_string();
    let policy = context.ledger.state.policy.clone();
    let (tokens, call, reads) = (context.tokens, context.call, context.reads);
    let body = || Fields::of(&call.body, tokens, &name).map(|fields| fields.noting(reads));
    match (method, &segments[..]) {
        (_, ["carteira-usdt", rest @ ..]) => wallet::request(&mut context, method, rest, &target),
        ("POST", ["cashin", "charge"]) => {
            let mut fields = body()?;
            let (asked, unoffered) = charge::body::charge(&mut fields, &call.supplied, &policy)?;
            context.create_if_offered(asked, unoffered, fields.into_personal())
        }
        ("POST", ["cashin", _]) => {
            let (amount, pair) = charge::body::preview(&body()?)?;
            context.read(|views, account, at| views.preview(account, (amount, &pair), at))
        }
        ("POST", ["saldo", "transferir"]) => {
            let mut fields = body()?;
            let asked = transfer::body::transfer(&mut fields)?;
            context.create(Request::Transfer(asked), fields.into_personal(), Route::Other)
        }
        ("POST", ["saldo", _]) => {
            let mut fields = body()?;
            let asked = conversion::body::conversion(&mut fields, &policy)?;
            context.create(Request::Conversion(asked), fields.into_personal(), Route::Withdrawal)
        }
        ("POST", ["cash-outs"]) => {
            let mut fields = body()?;
            let asked = body::request(&mut fields, &context.ledger.state)?;
            let request = Request::CashOut(Box::new(asked));
            let handled = context.create(request, fields.into_personal(), Route::Other)?;
            Ok(context.created_in_sandbox(handled))
        }
        ("POST", ["cash-outs", "preview"]) => {
            let mut fields = body()?;
            let asked = body::request(&mut fields, &context.ledger.state)?;
            let (payee, named) = (asked.payee, asked.asked);
            let mut handled =
                context.read(|views, account, at| views.preview_sale(account, asked, at))?;
            let view = &mut handled.response.body;
            body::show(view, &payee, named, &fields.into_personal());
            Ok(handled)
        }
        ("POST", ["cash-outs", id, step]) => {
            let order = OpId::parse(id, &name).filter(|op| op.kind() == Kind::CashOut);
            let order = order.ok_or_else(|| Problem::from(Refusal::NotFound));
            let request = match *step {
                "accept" => {
                    let (supplied, order) = (body::deposit_address(&call.supplied)?, order?);
                    sandbox::first_accept(&mut context, order)?;
                    Request::AcceptCashOut { supplied, order }
                }
                _ => Request::RefundAddress {
                    address: body::refund_address(&body()?)?,
                    order: order?,
                },
            };
            let op = OpId::parse(id, &name);
            context.carry_out(request, Vec::new(), Route::Other, |views, account, _| {
                views.sale(account, op).expect("what moved is an order of this account")
            })
        }
        ("POST", _) => {
            let mut fields = body()?;
            let asked = payout::body::payout(&mut fields, &call.supplied, &policy)?;
            context.create(Request::Payout(asked), fields.into_personal(), Route::Withdrawal)
        }
        (_, ["cashin", "charges"]) => {
            context.listing(&target, &[Kind::Charge, Kind::Conversion], "charges")
        }
        (_, ["cashin", "catalog"]) => {
            target.only(&[])?;
            context.read(|views, _, _| views.catalogue())
        }
        (_, ["cashin", "limits"]) => {
            target.only(&["payer_tax"])?;
            let payer = target.get("payer_tax").ok_or_else(|| missing("payer_tax"))?;
            let payer = Document::parse(payer, letters(&policy)).ok_or_else(|| {
                let detail = "payer_tax must be a CPF or CNPJ, digits only";
                Problem::new(Code::PayerTaxInvalid, detail)
            })?;
            let payer = tokens.document(&payer).token;
            context.read(|views, account, at| Ok(views.limits(account, payer, at)))
        }
        (_, ["catalog"]) => {
            target.only(&[])?;
            context.read(|views, _, _| views.markets())
        }
        (_, ["cash-outs"]) => context.listing(&target, &[Kind::CashOut], "cash_outs"),
        (_, ["cash-outs", id]) => {
            target.only(&[])?;
            let op = OpId::parse(id, &name);
            context.read(|views, account, _| views.sale(account, op))
        }
        (_, ["payouts"]) => context.listing(&target, &[Kind::Payout], "payouts"),
        (_, ["cashin", id, _]) => {
            target.only(&[])?;
            let charges = |op: &OpId| matches!(op.kind(), Kind::Charge | Kind::Conversion);
            let op = OpId::parse(id, &name).filter(charges);
            context.read(|views, account, _| {
                let found = op.and_then(|op| Some((op, views.operation(op)?)));
                let found = found.filter(|(_, known)| known.account() == Some(account));
                let view = found.as_ref().map(|(op, known)| match known.charge() {
                    Some(state) => views.charge_status(*op, state),
                    None => views.created(*op, known),
                });
                view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such charge"))
            })
        }
        (_, ["comissao"]) => {
            target.only(&[])?;
            context.read(|views, account, _| Ok(views.commission(account)))
        }
        (_, ["comissao", _]) => {
            target.only(&["limit", "before"])?;
            let (limit, before) = (target.limit()?, target.get("before"));
            context.read(|views, account, _| views.commission_statement(account, limit, before))
        }
        (_, ["saldo"]) => {
            target.only(&["customer_ref"])?;
            let customer = target.customer()?;
            context.read(|views, account, at| {
                Ok(views.balance(account, views.party(account, customer), at))
            })
        }
        (_, ["saldo", "consolidado"]) => {
            target.only(&[])?;
            context.read(|views, account, _| Ok(views.consolidated(account)))
        }
        (_, ["saldo", "clientes"]) => {
            target.only(&["limit", "com_saldo", "cursor"])?;
            let limit = target.limit()?;
            let with_balance = match target.get("com_saldo") {
                None | Some("0") => false,
                Some("1") => true,
                Some(_) => return Err(invalid("com_saldo must be 1 or 0".into()).into()),
            };
            let cursor = target.get("cursor");
            context.read(|views, account, _| views.customers(account, limit, with_balance, cursor))
        }
        _ => {
            target.only(&["customer_ref", "limit", "before", "visao"])?;
            let view = match target.get("visao") {
                None | Some("lancamentos") => View::Entries,
                Some("operacoes") => View::Operations,
                Some(_) => return Err(invalid("visao must be operacoes, or absent".into()).into()),
            };
            let (customer, limit) = (target.customer()?, target.limit()?);
            let before = target.get("before");
            context.read(|views, account, _| {
                let subaccount = views.party(account, customer);
                views.statement(&Asked { account, subaccount, customer, view, limit, before })
            })
        }
    }
}

/// What the contract describes and shows no route for.
pub fn command<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    command: &str,
) -> Result<CallOutcome, Refused> {
    let name = context.ledger.state.name.to_string();
    let (tokens, call) = (context.tokens, context.call);
    match command {
        "key.rotate" => account::routes::rotate(context),
        "commission.withdraw" => {
            let fields = Fields::of(&call.body, tokens, &name)?.noting(context.reads);
            let asked = conversion::body::commission(&fields)?;
            context.create(Request::Conversion(asked), fields.into_personal(), Route::Withdrawal)
        }
        known if wallet::COMMANDS.contains(&known) => wallet::command(&mut context, known),
        _ => {
            let detail = format!(
                "there is no command {}; known are commission.withdraw, key.rotate, {}",
                echoed(command),
                wallet::COMMANDS.join(", ")
            );
            Err(Problem::new(Code::NotFound, detail).into())
        }
    }
}
