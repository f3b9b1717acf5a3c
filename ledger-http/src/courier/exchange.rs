//! A request to a route of ours about webhooks: counted, answered in time, and asked with the key
//! of an account, as the contract's own are.

use std::sync::{Arc, OnceLock};

use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response as HttpResponse;
use ledger_core::contract::{Code, Environment, Problem, Response, account_of};
use serde_json::Value;

use super::webhooks::Webhooks;
use crate::edge::client_address::client_address;
use crate::edge::content_type::negotiate;
use crate::edge::rate_limit::Allowance;
use crate::edge::reply::{Occasion, Reply, Unfinished};
use crate::edge::{count_against_limits, in_time, key_of};
use crate::ledgers::OpenLedger;
use crate::operation::access::Access;
use crate::request_id::RequestId;
use crate::service::Service;

/// A client that asks.
pub(super) struct Client {
    pub(super) service: Service,
    pub(super) webhooks: Webhooks,
    pub(super) ledger: Arc<OpenLedger>,
    pub(super) account: String,
    /// Tells whether it has an address.
    pub(super) listens: bool,
}

/// Answers what the client of a request asks.
pub(super) async fn respond(
    service: Service,
    head: Parts,
    route: &'static str,
    ask: impl AsyncFnOnce(Client) -> Result<Value, Problem>,
) -> HttpResponse {
    let asked = OnceLock::new();
    let answer = async {
        let client = client(&service, &head, &asked).await?;
        Ok(Response::ok(ask(client).await?))
    };
    let (access, reply) = exchange(&service, &head, answer).await;
    let environment = asked.get().copied();
    render_reply(&head, Access { route, environment, ..access }, reply)
}

/// Answers a method that a path does not take, and OPTIONS, as the contract's paths do.
pub(super) async fn method_not_allowed(
    service: Service,
    head: Parts,
    methods: &'static str,
) -> HttpResponse {
    let options = head.method == Method::OPTIONS;
    let answer = async move {
        if options {
            return Ok(Response { status: 204, body: Value::Null.into() });
        }
        Err(Problem::new(Code::MethodNotAllowed, format!("this path takes {methods}")))
    };
    let (access, reply) = exchange(&service, &head, answer).await;
    render_reply(&head, access, reply.allowing(methods))
}

/// Counts a request and has it answered in time.
async fn exchange(
    service: &Service,
    head: &Parts,
    answer: impl Future<Output = Result<Response, Problem>>,
) -> (Access, Reply) {
    let id = RequestId::from_extensions(&head.extensions, &service.parts().numbers);
    let mut access = Access::begin(service.now(), id.as_str(), head.method.as_str());
    let trusted = &service.limits().trusted_proxies;
    let address = client_address(&head.extensions, &head.headers, trusted);
    let (allowance, passes) =
        count_against_limits(service, address, key_of(&head.headers).as_deref());
    let answered = match passes {
        Ok(()) => in_time(service, Unfinished::of_method(head.method.as_str()), answer).await,
        Err(problem) => Err(problem),
    };
    let occasion = Occasion { at: access.at, request_id: id.as_str() };
    let mut reply = match answered {
        Ok(response) => Reply::new(response),
        Err(problem) => Reply::problem(&problem, occasion),
    };
    reply.headers.extend(allowance.into_iter().flat_map(Allowance::headers));
    let reply = reply.with_docs_url(service.parts().docs_url.as_deref());
    access.code = reply.code().map(str::to_owned);
    (access, reply)
}

/// The answer in the form that the client accepts.
fn render_reply(head: &Parts, access: Access, reply: Reply) -> HttpResponse {
    let mut rendered = reply.render(negotiate(&head.headers));
    rendered.extensions_mut().insert(access);
    rendered
}

/// Who asks, by the key; says which ledger that asks.
async fn client(
    service: &Service,
    head: &Parts,
    asked: &OnceLock<Environment>,
) -> Result<Client, Problem> {
    let key = key_of(&head.headers);
    let ledgers = service.ledgers();
    let environment = match &key {
        Some(key) => ledgers.of_key(key).await.map_err(|_| ledger_away())?,
        None => Environment::Live,
    };
    let environment = *asked.get_or_init(|| environment);
    let home = match &key {
        Some(key) => ledgers.home_of_key(environment, key, service.now()).await,
        None => Ok(Arc::clone(ledgers.for_environment(environment))),
    };
    let ledger = home.map_err(|_| ledger_away())?;
    let state = ledger.engine().committed_state().await.map_err(|_| ledger_away())?;
    let account = account_of(&state, ledger.tokens(), key.as_deref())?;
    let known = state.account(account).expect("a key opens an account that exists");
    let webhooks = service.webhooks().expect("these are routes of one that sends webhooks");
    if ledger.outbox().is_none() {
        let detail = format!("no webhooks of ledger {} are sent", environment.name());
        return Err(Problem::new(Code::LookupUnavailable, detail));
    }
    Ok(Client {
        service: service.clone(),
        webhooks: webhooks.clone(),
        account: known.name.to_string(),
        listens: known.credentials.webhook.is_some(),
        ledger,
    })
}

fn ledger_away() -> Problem {
    Problem::new(Code::Paused, "the ledger is away; nothing of this was done")
        .with("retry_after_seconds", 5.into())
}
