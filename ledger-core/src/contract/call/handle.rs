//! The entrance of the contract module: a call goes in, a response and the decision behind it come
//! out.

use serde_json::json;

use super::context::{Refused, RequestContext, account_of, only_read};
use super::rate_limiter::RateLimiter;
use super::{Call, CallKind, CallOutcome, Response};
use crate::contract::account::fact::key_of;
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::fact::repeat::{differing_fields, earlier_record};
use crate::contract::fact::set_aside;
use crate::contract::fact::shape::{FactShape, ReadContext};
use crate::contract::fact::table::{FACTS, nearest_name};
use crate::contract::input::echo::mask_input;
use crate::contract::input::fields::{Fields, Reads};
use crate::contract::input::nul::without_nul;
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Tokens, Vault};
use crate::contract::product::fact::uneven_unit;
use crate::contract::route::shape::Access;
use crate::contract::routes;
use crate::id::{Kind, LedgerName, OpId};
use crate::ledger::{Archive, Command, Event, Intent, Ledger, Outcome, Record};

/// Handles one call against a ledger and its vault; `recent` counts what leaves no record.
///
/// The response is true once the records are durable; an answer to a read, once those before it
/// are.
pub fn handle<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    recent: &mut RateLimiter,
    call: &Call,
) -> CallOutcome {
    let reads = Reads::default();
    let handled = enter(ledger, vault, tokens, recent, (call, &reads), None);
    handled.unwrap_or_else(|refused| {
        let Refused { problem, kind, execution } = refused;
        let response = Response::problem(&problem, kind, call.at, call.request_id());
        CallOutcome::new(response, execution.map(|execution| *execution))
    })
}

/// Reads the command that a call brings, as [`handle`] would carry it out, and the fields of a
/// request's body that nobody reads (rulings 55); carries nothing out.
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
) -> Result<(Command, Vec<String>), Problem> {
    let (mut heard, reads) = (None, Reads::default());
    let mut recent = RateLimiter::default();
    let refused = enter(ledger, vault, tokens, &mut recent, (call, &reads), Some(&mut heard));
    let command =
        heard.ok_or_else(|| refused.err().map_or_else(only_read, |refused| refused.problem))?;
    let is_request = !matches!(call.ask, CallKind::Fact(_));
    let ignored = if is_request { reads.ignored_fields(&call.body) } else { Vec::new() };
    Ok((command, ignored))
}

fn enter<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    recent: &mut RateLimiter,
    (call, reads): (&Call, &Reads),
    heard: Option<&mut Option<Command>>,
) -> Result<CallOutcome, Refused> {
    let (key, route) = match &call.ask {
        CallKind::Request { key, method, target } => (key, routes::by_target(method, target)?),
        CallKind::Command { key, name } => (key, routes::by_name(name)?),
        CallKind::Fact(name) => {
            check_nul(call)?;
            return fact(ledger, vault, tokens, call, name, heard);
        }
    };
    let (key, shape) = (key.as_deref(), &route.shape);
    // Whoever has no key learns nothing of a request's shape (rulings 73).
    let opened = match shape.access {
        Access::Key => Some(account_of(&ledger.state, tokens, key)?),
        Access::Anybody => None,
    };
    check_nul(call)?;
    let target = routes::target_of(shape, &call.ask)?;
    let context =
        RequestContext { shape, ledger, vault, tokens, recent, call, key, opened, reads, heard };
    let mut handled = routes::answer(context, &(route, target))?;
    let ignored = reads.ignored_fields(&call.body);
    if !ignored.is_empty() && handled.response.body.is_object() {
        handled.response.body["campos_ignorados"] = json!(ignored);
    }
    Ok(handled)
}

fn unknown_fact(name: &str) -> Problem {
    let shown = mask_input(name);
    let detail = match nearest_name(name, FACTS.iter().map(|shape| shape.name)) {
        Some(near) => format!("there is no fact {shown}; the nearest is {near}"),
        None => format!("there is no fact {shown}; `facts` lists them"),
    };
    Problem::new(Code::NotFound, detail)
}

fn check_nul(call: &Call) -> Result<(), Problem> {
    without_nul("body", &call.body)?;
    without_nul("supplied", &call.supplied)
}

fn fact<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    call: &Call,
    name: &str,
    heard: Option<&mut Option<Command>>,
) -> Result<CallOutcome, Refused> {
    let shape = FactShape::by_name(name).ok_or_else(|| unknown_fact(name))?;
    let empty = json!({});
    let body = if call.body.is_null() { &empty } else { &call.body };
    let ledger_name = ledger.state.name.clone();
    let mut fields = Fields::new(body, tokens, &ledger_name)?.with_declared(shape.fields);
    let context = ReadContext { supplied: &call.supplied, state: &ledger.state, at: call.at };
    let reported = shape.read_body(&mut fields, &context)?;
    let personal = fields.into_personal();
    let cause = call.cause();
    let opens = key_of(&reported.fact).is_some();
    let mut what = Intent::Fact(reported);
    ledger.spell(&mut what);
    let seen = what.outside();
    let deposit = set_aside::deposit_of(&what);
    // What is known stays known, whatever units were declared since.
    let is_known = || seen.as_ref().is_some_and(|outside| ledger.first_seen(outside).is_some());
    if let Some(problem) = uneven_unit(&what, &ledger.state).filter(|_| !is_known()) {
        return Err(problem.into());
    }
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
                kind: RouteKind::Other,
                execution: Some(Box::new(execution)),
            });
        }
    };
    // What is known brings nothing that a record names.
    let is_news = outcome != Outcome::Known;
    if is_news && execution.records.iter().any(|record| !record.cause.deadline) {
        for value in personal {
            vault.learn(value);
        }
    }
    let fresh = (&execution.records[..], &ledger_name);
    let mut response = match outcome {
        Outcome::Known => {
            let first = seen.and_then(|outside| ledger.first_seen(&outside));
            let first = first.or_else(|| ledger.first_seen(&deposit?));
            let record = first.and_then(|seq| ledger.archive.record(seq));
            let reads = Reads::default();
            let fields = Fields::new(body, tokens, &ledger_name)?.with_declared(shape.fields);
            let mut fields = fields.noting(&reads);
            let context =
                ReadContext { supplied: &call.supplied, state: &ledger.state, at: call.at };
            let again = shape.read_body(&mut fields, &context);
            let unread = reads.ignored_fields(body);
            let differing = again.ok().and_then(|again| {
                // Under a new id it is known by where its operation stands.
                let earlier = earlier_record(ledger, &again.fact, record.as_ref());
                let told = earlier.as_ref().or(record.as_ref())?;
                Some(differing_fields(shape, (&again.fact, &fields, &unread), ledger, told))
            });
            let differing = differing.unwrap_or_default();
            known_response(record.as_ref(), &ledger_name, &differing)
        }
        outcome => answer(outcome, fresh),
    };
    let brought = call.supplied.get("key").is_some();
    if opens && !brought && outcome == Outcome::Applied(None) {
        let key = Secret::from_supply(&call.supplied, ledger_name.environment())?;
        response.body["api_key"] = key.expose().into();
    }
    Ok(CallOutcome::new(response, Some(execution)))
}

/// The answer to a fact that happened, or was set aside: why, and where its money stands.
fn answer(outcome: Outcome, (records, ledger): (&[Record], &LedgerName)) -> Response {
    let text = |op: OpId| (op.field(), op.text(ledger));
    match outcome {
        Outcome::Applied(created) => Response::outcome("applied", created.map(text)),
        Outcome::SetAside(created) => {
            let mut response = Response::outcome("set_aside", created.map(text));
            set_aside::explain(&mut response.body, (records.last(), ledger), created);
            response
        }
        Outcome::Known
        | Outcome::Created(_)
        | Outcome::Repeated(_)
        | Outcome::Registered(_)
        | Outcome::Done => unreachable!("a fact creates nothing a client asked for"),
    }
}

/// The answer to a fact that `record` made known: it names what that created, so that whoever
/// forgot can go on, why it was set aside then, and the fields that said something else.
fn known_response(record: Option<&Record>, name: &LedgerName, differing: &[&str]) -> Response {
    // Where a record created several, its answer named the first of these.
    let kinds = [
        Kind::ErroneousDelivery,
        Kind::Suspense,
        Kind::Hold,
        Kind::Adjustment,
        Kind::WalletDeposit,
    ];
    let own = || {
        let ops = record.into_iter().flat_map(|it| it.events.iter().filter_map(Event::op));
        ops.filter(|op| record.is_some_and(|it| op.seq() == it.seq))
    };
    let created = kinds.into_iter().find_map(|kind| own().find(|op| op.kind() == kind));
    let created = created.or_else(|| own().next());
    let mut response = Response::outcome("known", created.map(|op| (op.field(), op.text(name))));
    if record.is_some_and(Record::is_set_aside) {
        response.body["first_outcome"] = "set_aside".into();
        set_aside::explain(&mut response.body, (record, name), created);
    }
    if !differing.is_empty() {
        response.body["campos_divergentes"] = json!(differing);
    }
    response
}
