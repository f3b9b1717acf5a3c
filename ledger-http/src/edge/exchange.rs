//! The way of one request: its limits, its route and body, the call that it makes, and the reply.

use std::net::IpAddr;

use axum::body::Body;
use axum::http::request::Parts as Head;
use axum::http::{Method, Request};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{
    Access as RouteAccess, Call, CallKind, Code, Environment, Invocation, OwnPath, Problem,
    RouteShape, shape_of,
};
use ledger_core::ledger::Origin;
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use serde_json::Value;

use super::client_address::client_address;
use super::methods::{allowed_methods, options};
use super::rate_limit::Allowance;
use super::reply::{Occasion, Reply, Unfinished};
use super::{
    body, content_type, count_against_limits, dry_run, in_time, key_of, links_recipient,
    mail_links, resolve_call, submit, with_links,
};
use crate::operation::access::Access;
use crate::operation::route::is_of_world;
use crate::request_id::RequestId;
use crate::service::Service;

/// A request that passed its limits, on its way to the ledger.
struct Exchange<'a> {
    service: &'a Service,
    occasion: Occasion<'a>,
    address: Option<IpAddr>,
    key: Option<String>,
    access: &'a mut Access,
}

/// The destination of a method and a target.
enum Route {
    /// To a route of the contract, or to the command of a path of ours.
    Declared(&'static RouteShape),
    /// To a path of ours that takes other methods.
    OtherMethods,
    /// To nothing: the contract says whether the path or the method is unknown.
    Undeclared,
}

/// Responds to any request: limits it, handles it within its time, and renders the reply.
pub(crate) async fn respond(
    service: &Service,
    request: Request<Body>,
    id: &RequestId,
    access: &mut Access,
) -> HttpResponse {
    let (head, body) = request.into_parts();
    let occasion = Occasion { at: service.now(), request_id: id.as_str() };
    let trusted = &service.limits().trusted_proxies;
    let address = client_address(&head.extensions, &head.headers, trusted);
    let key = key_of(&head.headers);
    let (allowance, passes) = count_against_limits(service, address, key.as_deref());
    let unfinished = Unfinished::of_method(head.method.as_str());
    let mut exchange = Exchange { service, occasion, address, key, access };
    let handled = match passes {
        Ok(()) => in_time(service, unfinished, exchange.handle(&head, body)).await,
        Err(problem) => Err(problem),
    };
    let mut reply = handled.unwrap_or_else(|problem| Reply::problem(&problem, occasion));
    reply.headers.extend(allowance.into_iter().flat_map(Allowance::headers));
    let reply = reply.with_docs_url(service.parts().docs_url.as_deref());
    access.code = reply.code().map(str::to_owned);
    render(reply, &head)
}

/// Renders a reply as its client accepts it.
fn render(reply: Reply, head: &Head) -> HttpResponse {
    let mut rendered = reply.render(content_type::negotiate(&head.headers));
    if head.method == Method::HEAD {
        // With the headers that GET would have had, and nothing after them.
        *rendered.body_mut() = Body::empty();
    }
    rendered
}

/// Finds where a method and a target lead.
fn route(method: &str, target: &str) -> Route {
    match shape_of::<JournalArchive, Vault>(method, target) {
        Some(shape) => Route::Declared(shape),
        None if OwnPath::on(target).next().is_some() => Route::OtherMethods,
        None => Route::Undeclared,
    }
}

impl Exchange<'_> {
    /// Routes the request, reads its body, and submits the call that both make.
    async fn handle(&mut self, head: &Head, body: Body) -> Result<Reply, Problem> {
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
        if head.method == Method::OPTIONS {
            return options(target);
        }
        let method = if head.method == Method::HEAD { "GET" } else { head.method.as_str() };
        match route(method, target) {
            Route::Declared(shape) => {
                let most = self.service.limits().body_bytes;
                let read = body::read_json(&head.headers, body, most).await;
                self.access.route = template(shape);
                let key = self.key.clone();
                match read.and_then(|body| resolve_call(method, target.to_owned(), key, body)) {
                    Ok((ask, body)) => {
                        let dry = dry_run::is_preferred(&head.headers) && dry_run::applies(shape);
                        self.submit_call(ask, body, dry).await
                    }
                    Err(problem) => self.refuse_unreadable(shape, problem).await,
                }
            }
            Route::OtherMethods => Ok(self.method_not_allowed(target)),
            Route::Undeclared => self.refuse_undeclared(method, target).await,
        }
    }

    /// Has the contract refuse a path or a method that it does not declare, whatever the body is.
    async fn refuse_undeclared(&mut self, method: &str, target: &str) -> Result<Reply, Problem> {
        let (method, key) = (method.to_owned(), self.key.clone());
        let ask = CallKind::Request { method, target: target.to_owned(), key };
        let reply = self.submit_call(ask, Value::Null, false).await?;
        Ok(match reply.response.status {
            405 => reply.allowing(&allowed_methods(target)),
            404 if is_of_world(target) => {
                let detail = "this path is of the internal listener, where facts are reported and \
                              metrics are read";
                Reply::problem(&Problem::new(Code::NotFound, detail), self.occasion)
            }
            _ => reply,
        })
    }

    /// Refuses a body that cannot be read: on a route that needs a key, whoever has none learns
    /// that alone (rulings 73).
    async fn refuse_unreadable(
        &mut self,
        shape: &RouteShape,
        problem: Problem,
    ) -> Result<Reply, Problem> {
        if shape.access == RouteAccess::Anybody {
            return Err(problem);
        }
        let (method, target, key) = ("GET".to_owned(), "/keys/me".to_owned(), self.key.clone());
        let ask = CallKind::Request { method, target, key };
        let reply = self.submit_call(ask, Value::Null, false).await?;
        if reply.response.status < 400 { Err(problem) } else { Ok(reply) }
    }

    /// Refuses a method that a path of ours does not take.
    fn method_not_allowed(&self, target: &str) -> Reply {
        let methods = allowed_methods(target);
        let problem = Problem::new(Code::MethodNotAllowed, format!("this path takes {methods}"));
        Reply::problem(&problem, self.occasion).allowing(&methods)
    }

    /// Submits a call to the ledger that it is for, or only previews it there.
    async fn submit_call(
        &mut self,
        ask: CallKind,
        body: Value,
        dry: bool,
    ) -> Result<Reply, Problem> {
        let (parts, occasion, ip) = (self.service.parts(), self.occasion, self.address);
        let (at, origin) = (occasion.at, Origin::Request(occasion.request_id.into()));
        let call = Call { at, origin, ask, body, supplied: Value::Null, ip };
        let (ledgers, unfinished) =
            (&parts.ledgers, Unfinished::of_method(self.access.method.as_str()));
        let target = match ledgers.targets(&call, None).await {
            Ok(targets) => targets.first().copied().unwrap_or(Environment::Live),
            Err(why) => return Ok(Reply::from_unanswered(&why, unfinished, occasion)),
        };
        self.access.environment = Some(target);
        if dry {
            return dry_run::preview(self.service, target, call, occasion).await;
        }
        let links_for = links_recipient(&call);
        Ok(match submit(self.service, target, call, occasion.at).await? {
            Ok((ledger, outcome)) => {
                mail_links(self.service, outcome.response.status, links_for);
                let recorded = outcome.records.last().map(|record| record.seq.0);
                Reply::new(with_links(self.service, &ledger, outcome.response))
                    .with_record(recorded)
            }
            Err(why) => Reply::from_unanswered(&why, unfinished, occasion),
        })
    }
}

/// The path as it is declared, for logs and metrics: never with what stood in it.
fn template(shape: &RouteShape) -> &'static str {
    match shape.ask {
        Invocation::Route(_, path) => path,
        Invocation::Command(name) => OwnPath::of_command(name).map_or(name, |own| own.path),
    }
}
