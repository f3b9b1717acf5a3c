//! The door of the contract room: a call goes in, a response and the decision behind it come out.

use serde_json::json;

use super::adopted;
use super::call::{Ask, Call, Handled, Response};
use super::door::{Door, Refused, only_read};
use super::error::{Code, Problem, Route};
use super::facts;
use super::fields::Fields;
use super::recent::Recent;
use super::routes;
use super::shapes;
use super::tokens::{Tokens, Vault};
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Command, FactKind, Ledger, Outcome, What};

/// Handles one call against a ledger and its vault; `recent` counts what leaves no record.
///
/// The response is true once the records are durable; an answer to a read, once those before it are.
pub fn handle<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    recent: &mut Recent,
    call: &Call,
) -> Handled {
    let handled = enter(ledger, vault, tokens, recent, call, None);
    handled.unwrap_or_else(|refused| {
        let Refused { problem, route, execution } = refused;
        let response = Response::problem(&problem, route, call.at, call.request_id());
        Handled::new(response, execution.map(|execution| *execution))
    })
}

/// Reads the command that a call brings, as [`handle`] would carry it out, and carries nothing out.
///
/// # Errors
///
/// The [`Problem`] that the call is answered with before anything is decided; for a call that only
/// asks for a view, one that says so.
pub fn read<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    call: &Call,
) -> Result<Command, Problem> {
    let mut heard = None;
    let refused = enter(ledger, vault, tokens, &mut Recent::default(), call, Some(&mut heard));
    heard.ok_or_else(|| refused.err().map_or_else(only_read, |refused| refused.problem))
}

fn enter<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    recent: &mut Recent,
    call: &Call,
    heard: Option<&mut Option<Command>>,
) -> Result<Handled, Refused> {
    match &call.ask {
        Ask::Request { method, target, key } => {
            let key = key.as_deref();
            let door = Door { ledger, vault, tokens, recent, call, key, heard };
            routes::request(door, (method, target))
        }
        Ask::Command { name, key } => {
            let key = key.as_deref();
            let door = Door { ledger, vault, tokens, recent, call, key, heard };
            routes::command(door, name)
        }
        Ask::Fact(name) => fact(ledger, vault, tokens, call, name, heard),
    }
}

fn fact<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    call: &Call,
    name: &str,
    heard: Option<&mut Option<Command>>,
) -> Result<Handled, Refused> {
    let shape = shapes::shape(name).ok_or_else(|| {
        Problem::new(Code::NotFound, format!("there is no fact {name}; `facts` lists them"))
    })?;
    let empty = json!({});
    let body = if call.body.is_null() { &empty } else { &call.body };
    let ledger_name = ledger.state.name.to_string();
    let mut fields = Fields::of(body, tokens, &ledger_name)?;
    let reported = facts::read(shape, &mut fields, &call.supplied, &ledger.state, call.at)?;
    let personal = fields.into_personal();
    let cause = call.cause();
    let what = What::Fact(reported);
    let seen = what.outside();
    let command = Command { at: call.at, cause, what };
    if let Some(heard) = heard {
        *heard = Some(command);
        return Err(only_read().into());
    }
    let execution = ledger.execute(command);
    let outcome = match &execution.answer {
        Ok(outcome) => *outcome,
        Err(refusal) => {
            let problem = refusal.clone().into();
            return Err(Refused {
                problem,
                route: Route::Other,
                execution: Some(Box::new(execution)),
            });
        }
    };
    if execution.records.iter().any(|record| !record.cause.deadline) {
        for value in personal {
            vault.learn(value);
        }
    }
    let text = |op: OpId| (op.field(), op.text(&ledger_name));
    let mut response = match outcome {
        Outcome::Applied(created) => Response::outcome("applied", created.map(text)),
        Outcome::SetAside(created) => Response::outcome("set_aside", created.map(text)),
        Outcome::Known => {
            // A repeat names what the original created, so that whoever forgot can go on.
            let first = seen.and_then(|outside| ledger.archive.seen(&outside));
            let kinds =
                [Kind::Stray, Kind::Suspense, Kind::Hold, Kind::Adjustment, Kind::WalletDeposit];
            let created = first.and_then(|seq| {
                let ops = kinds.into_iter().map(|kind| OpId::new(kind, seq));
                let mut known = ops.filter(|op| {
                    ledger.state.open(*op).is_some() || ledger.archive.ended(*op).is_some()
                });
                known.next()
            });
            Response::outcome("known", created.map(text))
        }
        Outcome::Created(_) | Outcome::Repeated(_) | Outcome::Registered(_) | Outcome::Done => {
            unreachable!("a fact creates nothing a client asked for")
        }
    };
    let brought = call.supplied.get("key").is_some();
    let opens = matches!(
        shape.kind,
        FactKind::AccountOpened | FactKind::AgentActivated | FactKind::KeyReplaced
    );
    if opens && !brought && outcome == Outcome::Applied(None) {
        let key = adopted::api_key(&call.supplied, &ledger_name)?;
        response.body["api_key"] = key.expose().into();
    }
    Ok(Handled::new(response, Some(execution)))
}
