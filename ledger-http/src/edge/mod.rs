//! The edge of the service: what HTTP asks for beside the contract, and the way of one request.

pub(crate) mod body;
pub(crate) mod client_address;
pub(crate) mod content_type;
pub(crate) mod dry_run;
mod methods;
pub(crate) mod path;
pub(crate) mod portuguese;
pub(crate) mod rate_limit;
pub(crate) mod reply;
mod submit;

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts as Head;
use axum::http::{HeaderMap, Method, Request};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{
    Access as RouteAccess, Action, Call, CallKind, Code, Environment, Invocation, OwnPath, Problem,
    Response, RouteShape, methods_of, route_of,
};
use ledger_core::ledger::Origin;
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use serde_json::{Value, json};
pub(crate) use submit::submit;

use crate::documents::Config;
use crate::ledgers::OpenLedger;
use crate::operation::access::Access;
use crate::pages::links;
use crate::request_id::RequestId;
use crate::service::Service;
use crate::supply::{ProviderAway, supply_entropy, supply_issued_keys};
use client_address::client_address;
use methods::{allowed_methods, options};
use rate_limit::{Allowance, RateLimits};
use reply::{Occasion, Reply};

/// The header that brings an API key.
const API_KEY: &str = "x-api-key";

/// A request on its way through the edge.
struct Exchange<'a> {
    service: &'a Service,
    occasion: Occasion<'a>,
    address: Option<IpAddr>,
    access: &'a mut Access,
}

/// Answers any request: the contract does, and the edge where there is nothing to ask it.
pub(crate) async fn respond(
    service: &Service,
    request: Request<Body>,
    id: &RequestId,
    access: &mut Access,
) -> HttpResponse {
    let (head, body) = request.into_parts();
    let occasion = Occasion { at: service.now(), request_id: id.as_str() };
    let limits = service.limits();
    let address = client_address(&head.extensions, &head.headers, &limits.trusted_proxies);
    let accepted = content_type::negotiate(&head.headers);
    let mut exchange = Exchange { service, occasion, address, access };
    let (limited, reply) = exchange.limit(&head, body).await;
    let mut reply = match reply {
        Ok(reply) => reply,
        Err(problem) => Reply::problem(&problem, occasion),
    };
    reply.headers.extend(limited.into_iter().flat_map(Allowance::headers));
    let reply = reply.with_docs_url(service.parts().docs_url.as_deref());
    access.code = reply.code().map(str::to_owned);
    let mut rendered = reply.render(accepted);
    if head.method == Method::HEAD {
        // With the headers that GET would have had, and nothing after them.
        *rendered.body_mut() = Body::empty();
    }
    rendered
}

impl Exchange<'_> {
    /// Counts the request, by its address and its key, and answers it in time.
    async fn limit(
        &mut self,
        head: &Head,
        body: Body,
    ) -> (Option<Allowance>, Result<Reply, Problem>) {
        let (service, key) = (self.service, key_of(&head.headers));
        let (allowance, passes) = count_against_limits(service, self.address, key.as_deref());
        let answered = match passes {
            Ok(()) => in_time(service, self.route(head, key, body)).await,
            Err(problem) => Err(problem),
        };
        (allowance, answered)
    }

    async fn route(
        &mut self,
        head: &Head,
        key: Option<String>,
        body: Body,
    ) -> Result<Reply, Problem> {
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
        if head.method == Method::OPTIONS {
            return options(&target);
        }
        let method = if head.method == Method::HEAD { "GET" } else { head.method.as_str() };
        let taken = methods_of::<JournalArchive, Vault>(&target);
        let found = taken.iter().any(|taken| taken.name() == method);
        let (ask, body) = if found {
            let most = self.service.limits().body_bytes;
            let read = body::read_json(&head.headers, body, most).await;
            match read.and_then(|body| resolve_call(method, target.clone(), key.clone(), body)) {
                Ok(read) => read,
                Err(problem) => return self.unreadable(method, target, key, problem).await,
            }
        } else if OwnPath::on(&target).next().is_some() {
            return Ok(self.not_taken(&target));
        } else {
            // The contract says what is wrong with it, whatever the body may be.
            (CallKind::Request { method: method.to_owned(), target, key }, Value::Null)
        };
        let shape = route_of::<JournalArchive, Vault>(&ask);
        self.access.route = template(shape);
        let missed = if found { None } else { target_of(&ask).map(str::to_owned) };
        let origin = Origin::Request(self.occasion.request_id.into());
        let (at, ip) = (self.occasion.at, self.address);
        let dry =
            found && dry_run::is_preferred(&head.headers) && shape.is_some_and(dry_run::applies);
        let call = Call { at, origin, ask, body, supplied: Value::Null, ip };
        let reply = self.call(call, dry).await?;
        Ok(match missed.filter(|_| reply.response.status == 405) {
            Some(target) => reply.allowing(&allowed_methods(&target)),
            None => reply,
        })
    }

    /// The answer to a body that cannot be read: on a route that needs a key, whoever has none
    /// learns that alone (rulings 73).
    async fn unreadable(
        &mut self,
        method: &str,
        target: String,
        key: Option<String>,
        problem: Problem,
    ) -> Result<Reply, Problem> {
        let command = OwnPath::by_target(method, &target).map(|(own, _)| own.command.to_owned());
        let ask = match command {
            Some(name) => CallKind::Command { name, key: None },
            None => CallKind::Request { method: method.to_owned(), target, key: None },
        };
        let shape = route_of::<JournalArchive, Vault>(&ask);
        self.access.route = template(shape);
        if shape.is_none_or(|shape| shape.access == RouteAccess::Anybody) {
            return Err(problem);
        }
        let (method, target) = ("GET".to_owned(), "/keys/me".to_owned());
        let ask = CallKind::Request { method, target, key };
        let origin = Origin::Request(self.occasion.request_id.into());
        let (at, ip) = (self.occasion.at, self.address);
        let call = Call { at, origin, ask, body: Value::Null, supplied: Value::Null, ip };
        let reply = self.call(call, false).await?;
        if reply.response.status < 400 { Err(problem) } else { Ok(reply) }
    }

    /// The answer to a method that a path of ours does not take.
    fn not_taken(&self, target: &str) -> Reply {
        let methods = allowed_methods(target);
        let problem = Problem::new(Code::MethodNotAllowed, format!("this path takes {methods}"));
        Reply::problem(&problem, self.occasion).allowing(&methods)
    }

    /// Asks the ledger that the call is for.
    async fn call(&mut self, call: Call, dry: bool) -> Result<Reply, Problem> {
        let (parts, occasion) = (self.service.parts(), self.occasion);
        let ledgers = &parts.ledgers;
        let target = match ledgers.targets(&call, None).await {
            Ok(targets) => targets.first().copied().unwrap_or(Environment::Live),
            Err(why) => return Ok(Reply::from_unanswered(&why, occasion)),
        };
        self.access.environment = Some(target);
        if dry {
            return dry_run::answer(self.service, target, call, occasion).await;
        }
        let links_for = links_asked(&call);
        Ok(match submit(self.service, target, call, occasion.at).await? {
            Ok((ledger, outcome)) => {
                mail_links(self.service, outcome.response.status, links_for);
                let recorded = outcome.records.last().map(|record| record.seq.0);
                Reply::new(with_links(self.service, &ledger, outcome.response))
                    .with_record(recorded)
            }
            Err(why) => Reply::from_unanswered(&why, occasion),
        })
    }
}

/// The e-mail that a call asks links for.
pub(crate) fn links_asked(call: &Call) -> Option<String> {
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

/// An answer that names the service's own pages, where the provider named none, and that asks
/// nobody to repeat what never passes.
pub(crate) fn with_links(
    service: &Service,
    ledger: &OpenLedger,
    mut response: Response,
) -> Response {
    let parts = service.parts();
    if response.status >= 500 && nobody_is_asked(service, ledger, response.body["erro"].as_str()) {
        response.body["acao"] = Action::CallSupport.name().into();
    }
    let may = response.status < 300 && links::may_name_pages(&response.body);
    if let Some(config) = parts.documents.as_ref().filter(|_| may) {
        let environment = ledger.environment();
        links::complete(config, ledger.tokens(), environment, &mut response.body);
    }
    response
}

/// Tells whether this was refused for want of what nobody is configured to supply: then repeating
/// it mends nothing (rulings 48).
fn nobody_is_asked(service: &Service, ledger: &OpenLedger, code: Option<&str>) -> bool {
    match code.and_then(Code::parse) {
        Some(Code::ProviderSilent | Code::SettlerUnavailable | Code::WalletUnavailable) => {
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
/// `tempo_esgotado` after it.
pub(crate) async fn in_time<T>(
    service: &Service,
    asked: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let late = || {
        let detail = "this took too long; whether it was recorded is not known: ask again with \
                      the same external_id";
        Err(Problem::new(Code::TimedOut, detail))
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

/// The path as it is declared, for logs and metrics: never with what stood in it.
fn template(shape: Option<&RouteShape>) -> &'static str {
    match shape.map(|shape| shape.ask) {
        Some(Invocation::Route(_, path)) => path,
        Some(Invocation::Command(name)) => OwnPath::of_command(name).map_or(name, |own| own.path),
        None => "-",
    }
}

/// The value of the header, as the client sent it: what is no text opens nothing. Several values
/// are one list (RFC 9110, 5.3), and a list is no key (rulings 73).
pub(crate) fn key_of(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(API_KEY).iter();
    let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    if values.is_empty() { None } else { Some(values.join(", ")) }
}

fn target_of(ask: &CallKind) -> Option<&str> {
    match ask {
        CallKind::Request { target, .. } => Some(target),
        CallKind::Command { .. } | CallKind::Fact(_) => None,
    }
}
