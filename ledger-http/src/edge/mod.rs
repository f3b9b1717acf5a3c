//! The edge of the service: what HTTP asks for beside the contract, and the way of one request.
//!
//! `router` accepts a request and gives it an id. `respond` counts it against its limits, `handle`
//! routes it and reads its body, and `submit` supplies what the call lacks and has the ledger
//! decide and record it. `render` writes the reply, and `router` records the access.

pub(crate) mod body;
pub(crate) mod client_address;
pub(crate) mod content_type;
pub(crate) mod dry_run;
mod exchange;
mod methods;
pub(crate) mod path;
pub(crate) mod portuguese;
pub(crate) mod rate_limit;
pub(crate) mod reply;
mod submit;

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::HeaderMap;
use ledger_core::contract::{
    Action, Call, CallKind, Code, Environment, OwnPath, Problem, Response,
};
use serde_json::{Value, json};

pub(crate) use exchange::respond;
pub(crate) use submit::submit;

use crate::documents::Config;
use crate::ledgers::OpenLedger;
use crate::pages::links;
use crate::service::Service;
use crate::supply::{ProviderAway, supply_entropy, supply_issued_keys};
use rate_limit::{Allowance, RateLimits};
use reply::Unfinished;

/// The header that brings an API key.
const API_KEY: &str = "x-api-key";

/// Returns the e-mail that a call asks links for.
pub(crate) fn links_recipient(call: &Call) -> Option<String> {
    let CallKind::Request { method, target, .. } = &call.ask else { return None };
    let path = target.split('?').next();
    let asked = method == "POST" && path == Some("/keys/painel-link");
    call.body.get("email").filter(|_| asked)?.as_str().map(str::to_owned)
}

/// Has links mailed that were asked for, where that was not refused.
pub(crate) fn mail_links(service: &Service, status: u16, email: Option<String>) {
    if let (200, Some(panel), Some(email)) = (status, service.panel(), email) {
        panel.ask(&email);
    }
}

/// Returns a response that names the service's own pages, where the provider named none, and that
/// asks nobody to repeat what never passes.
pub(crate) fn with_links(
    service: &Service,
    ledger: &OpenLedger,
    mut response: Response,
) -> Response {
    let parts = service.parts();
    if response.status >= 500 && has_no_supplier(service, ledger, response.body["erro"].as_str()) {
        response.body["acao"] = Action::CallSupport.name().into();
    }
    let may = response.status < 300 && links::may_name_pages(&response.body);
    if let Some(config) = parts.documents.as_ref().filter(|_| may) {
        let environment = ledger.environment();
        links::complete(config, ledger.tokens(), environment, &mut response.body);
    }
    response
}

/// Tells whether nobody is configured to supply what a code says was missing: then repeating the
/// request mends nothing (rulings 48).
fn has_no_supplier(service: &Service, ledger: &OpenLedger, code: Option<&str>) -> bool {
    match code.and_then(Code::parse) {
        // The contract binds `liquidante_indisponivel` to `esperar`.
        Some(Code::ProviderSilent | Code::WalletUnavailable) => {
            let is_live = ledger.environment() == Environment::Live;
            is_live && !service.parts().supply.is_configured()
        }
        Some(Code::EndpointSilent | Code::LookupUnavailable) => {
            service.webhooks().is_none() || ledger.outbox().is_none()
        }
        _ => false,
    }
}

/// Supplies what a call of a ledger lacks: what keys are made of, what the service's provider and
/// its courier know, and what the sandbox plays.
///
/// # Errors
///
/// `provedor_indisponivel` when the provider is away, `erro_interno` without randomness.
pub(crate) async fn supply(
    service: &Service,
    ledger: &Arc<OpenLedger>,
    call: &mut Call,
) -> Result<(), Problem> {
    let parts = service.parts();
    if let Some(webhooks) = service.webhooks() {
        webhooks.supply(service, ledger, call).await;
    }
    parts.supply.supply(ledger, call).await.map_err(|ProviderAway| {
        Problem::new(Code::ProviderUnavailable, "the provider is away; nothing was done")
    })?;
    supply_issued_keys(call, &parts.ledgers).await;
    supply_entropy(call, &parts.ledgers).map_err(|_| no_randomness())?;
    supply_address(call, parts.documents.as_ref());
    if let Some(sandbox) = ledger.sandbox() {
        sandbox.supply(call);
    }
    Ok(())
}

/// Counts a request, by its address and by its key, and says what its caller may still do.
pub(crate) fn count_against_limits(
    service: &Service,
    address: Option<IpAddr>,
    key: Option<&str>,
) -> (Option<Allowance>, Result<(), Problem>) {
    count_against(&service.parts().rate_limits, address, key)
}

/// The same by these limits.
pub(crate) fn count_against(
    limits: &RateLimits,
    address: Option<IpAddr>,
    key: Option<&str>,
) -> (Option<Allowance>, Result<(), Problem>) {
    let mut allowance = limits.of_address(address);
    if allowance.is_none_or(|allowance| allowance.wait.is_none()) {
        allowance = key.and_then(|key| limits.of_key(key)).or(allowance);
    }
    let passes = allowance.and_then(|allowance| allowance.wait).map_or(Ok(()), |wait| {
        let problem = Problem::new(Code::RateLimit, "too many requests: come back later");
        Err(problem.with("retry_after_seconds", wait.into()))
    });
    (allowance, passes)
}

/// Returns what is answered within the time that a request may take.
///
/// # Errors
///
/// `tempo_esgotado` after it, with what may have been done.
pub(crate) async fn in_time<T>(
    service: &Service,
    unfinished: Unfinished,
    asked: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let late = || {
        Err(Problem::new(
            Code::TimedOut,
            match unfinished {
                Unfinished::Read => "this took too long; ask again",
                Unfinished::Request => {
                    "this took too long; whether it was recorded is not known: ask again with the \
                     same external_id"
                }
                Unfinished::Fact => {
                    "this took too long; whether it was recorded is not known: send it again as it \
                     was"
                }
            },
        ))
    };
    let handling = service.limits().handling;
    tokio::time::timeout(handling, asked).await.unwrap_or_else(|_| late())
}

/// Supplies the service's own address, which links of an answer begin with; the contract takes one
/// of https alone, and links are relative to any other.
fn supply_address(call: &mut Call, config: Option<&Config>) {
    let base_url = config.map(|config| &config.base_url);
    let Some(base_url) = base_url.filter(|url| url.starts_with("https://")) else { return };
    if !matches!(call.ask, CallKind::Request { .. }) {
        return;
    }
    if !call.supplied.is_object() {
        call.supplied = json!({});
    }
    if call.supplied.get("base_url").is_none() {
        call.supplied["base_url"] = base_url.as_str().into();
    }
}

fn no_randomness() -> Problem {
    Problem::new(Code::InternalError, "the system gives no randomness")
}

/// The call that a method and a target stand for: a request, or a command by a path of ours.
///
/// # Errors
///
/// `formato_invalido` for a body that is no object, where a field of it stands in the path;
/// `nao_encontrado` where that field is no text.
pub(crate) fn resolve_call(
    method: &str,
    target: String,
    key: Option<String>,
    mut body: Value,
) -> Result<(CallKind, Value), Problem> {
    let Some((own, given)) = OwnPath::by_target(method, &target) else {
        return Ok((CallKind::Request { method: method.to_owned(), target, key }, body));
    };
    if let Some((field, text)) = given {
        if !matches!(body, Value::Null | Value::Object(_)) {
            return Err(Problem::new(Code::FormatInvalid, "the body must be a JSON object"));
        }
        body[field] = path::decode_segment(text)?.into();
    }
    Ok((CallKind::Command { name: own.command.to_owned(), key }, body))
}

/// The value of the header, as the client sent it: what is no text opens nothing. Several values
/// are one list (RFC 9110, 5.3), and a list is no key (rulings 73).
pub(crate) fn key_of(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(API_KEY).iter();
    let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    if values.is_empty() { None } else { Some(values.join(", ")) }
}
