//! The documents of a running service: calls of tools are carried out in its sandbox.

use axum::Router;
use axum::http::request::Parts;
use ledger_core::contract::{Call, Code, Environment, Problem, RouteKind};
use ledger_core::ledger::Origin;
use serde_json::Value;

use super::mcp::{ToolAnswer, ToolCall};
use super::{Config, routes};
use crate::edge::client_address::client_address;
use crate::edge::reply::Unfinished;
use crate::edge::{
    count_against_limits, in_time, links_recipient, mail_links, resolve_call, submit, with_links,
};
use crate::request_id::{HEADER, RequestId};
use crate::service::Service;

/// The routes of the documents of a service, and of MCP over its sandbox. They describe what this
/// service answers: without webhooks, no route about their deliveries.
pub fn router<S>(service: &Service, config: &Config) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    let service = service.clone();
    let config = Config { webhooks: service.webhooks().is_some(), ..config.clone() };
    routes(&config, move |mut call: ToolCall, parts: &Parts| {
        let service = service.clone();
        let trusted = &service.limits().trusted_proxies;
        call.address = client_address(&parts.extensions, &parts.headers, trusted);
        let given = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        let id = RequestId::from_header(given, || service.parts().numbers.next());
        Box::pin(async move {
            let unfinished = Unfinished::of_method(call.method);
            let answered = in_time(&service, unfinished, carried_out(&service, call, &id)).await;
            answered.unwrap_or_else(|problem| problem_answer(&service, &problem, &id))
        })
    })
}

/// Asks the sandbox, as the edge asks the ledger that a key is of.
async fn carried_out(
    service: &Service,
    call: ToolCall,
    id: &RequestId,
) -> Result<ToolAnswer, Problem> {
    let ToolCall { method, target, body, key, address } = call;
    count_against_limits(service, address, key.as_deref()).1?;
    if key.as_deref().is_some_and(|key| key.starts_with("svc_live_")) {
        return Err(Problem::new(Code::NotPermitted, "this route is for test keys"));
    }
    let (ask, body) = resolve_call(method, target, key, body)?;
    let (at, origin) = (service.now(), Origin::Request(id.as_str().into()));
    let call = Call { at, origin, ask, body, supplied: Value::Null, ip: address };
    let links_for = links_recipient(&call);
    // Links are counted where they are over HTTP, so that nobody has twice as many here.
    let target = if links_for.is_some() { Environment::Live } else { Environment::Sandbox };
    let answered = submit(service, target, call, at).await?;
    let (ledger, outcome) = answered.map_err(|_| {
        let detail = "the sandbox gives no answer now; ask again with the same external_id";
        Problem::new(Code::Paused, detail)
    })?;
    mail_links(service, outcome.response.status, links_for);
    let response = with_links(service, &ledger, outcome.response);
    Ok(ToolAnswer { status: response.status, body: response.body.into() })
}

fn problem_answer(service: &Service, problem: &Problem, id: &RequestId) -> ToolAnswer {
    let status = problem.code.status(RouteKind::Other);
    ToolAnswer { status, body: problem.body(service.now(), Some(id.as_str())) }
}
