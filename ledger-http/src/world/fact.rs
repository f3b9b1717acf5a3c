//! `POST /facts/{name}`: one fact.

use axum::extract::{Path, Request, State};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{Call, CallKind, Code, Environment, Problem, Response, RouteKind};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::engine::Ticket;
use serde_json::Value;

use crate::edge::body::read_json;
use crate::edge::content_type::accepted;
use crate::edge::reply::{Occasion, Reply};
use crate::edge::supplied;
use crate::ledgers::Unanswered;
use crate::request_id::RequestId;
use crate::service::Service;
use ledger_core::contract::CallOutcome;

/// The most bytes of a fact: catalogues are the largest.
pub(super) const LARGEST: usize = 1_024 * 1_024;

/// What a fact is reported with beside its body.
struct Said {
    at: Option<Instant>,
    environment: Option<Environment>,
}

/// Reports one fact.
pub(super) async fn report(
    State(service): State<Service>,
    Path(name): Path<String>,
    request: Request,
) -> HttpResponse {
    let (head, body) = request.into_parts();
    let request_id = head.extensions.get::<RequestId>().map_or("", RequestId::as_str);
    let occasion = Occasion { at: service.now(), request_id };
    let told = async {
        let said = said(head.uri.query().unwrap_or_default())?;
        let body = read_json(&head.headers, body, LARGEST).await?;
        let call = Call {
            at: said.at.unwrap_or(occasion.at),
            origin: Origin::Request(request_id.into()),
            ask: CallKind::Fact(name),
            body,
            supplied: Value::Null,
            ip: None,
        };
        let begun = begin(&service, call, said.environment).await?;
        Ok(match begun.answer().await {
            Ok(response) => Reply::new(response),
            Err(why) => Reply::unanswered(&why, occasion),
        })
    };
    let reply = told.await.unwrap_or_else(|problem| Reply::problem(&problem, occasion));
    reply.render(accepted(&head.headers))
}

/// Facts that wait to be answered: one, or time that passes for both ledgers.
pub(super) struct Begun(Vec<Result<Ticket<CallOutcome>, Unanswered>>);

impl Begun {
    /// What is answered: of both ledgers' answers the one that says more is wrong.
    pub(super) async fn answer(self) -> Result<Response, Unanswered> {
        let mut worst: Option<Response> = None;
        for ticket in self.0 {
            let response = ticket?.await?.response;
            if worst.as_ref().is_none_or(|worst| worst.status < response.status) {
                worst = Some(response);
            }
        }
        worst.ok_or(Unanswered::Failed)
    }
}

/// Puts a fact before the ledgers that it is for, once there is room.
///
/// # Errors
///
/// What it lacks and cannot be supplied.
pub(super) async fn begin(
    service: &Service,
    call: Call,
    said: Option<Environment>,
) -> Result<Begun, Problem> {
    let ledgers = service.ledgers();
    let targets = match ledgers.targets(&call, said).await {
        Ok(targets) => targets,
        Err(why) => return Ok(Begun(vec![Err(why)])),
    };
    let mut tickets = Vec::with_capacity(targets.len());
    for target in targets {
        let mut call = call.clone();
        supplied(service, target, &mut call).await?;
        tickets.push(ledgers.of(target).begin(call, service.now()).await);
    }
    Ok(Begun(tickets))
}

/// A problem as the answer to a request of the world.
pub(super) fn refused(service: &Service, request: &Request, problem: &Problem) -> HttpResponse {
    replied(service, request, Err(problem.clone()))
}

/// What came of a request of the world, as its answer.
pub(super) fn replied(
    service: &Service,
    request: &Request,
    told: Result<Reply, Problem>,
) -> HttpResponse {
    let request_id = request.extensions().get::<RequestId>().map_or("", RequestId::as_str);
    let occasion = Occasion { at: service.now(), request_id };
    let reply = told.unwrap_or_else(|problem| Reply::problem(&problem, occasion));
    reply.render(accepted(request.headers()))
}

/// Reads the name of an environment.
pub(super) fn environment(text: &str) -> Result<Environment, Problem> {
    let known = Environment::ALL.into_iter().find(|known| known.name() == text);
    let detail = "environment must be live or sandbox";
    known.ok_or_else(|| Problem::new(Code::RequestInvalid, detail))
}

/// The error body of a line.
pub(super) fn line_problem(problem: &Problem, at: Instant) -> Response {
    Response::problem(problem, RouteKind::Other, at, None)
}

/// Reads `at` and `environment` of the query.
fn said(query: &str) -> Result<Said, Problem> {
    let wrong = |detail: &str| Problem::new(Code::RequestInvalid, detail);
    let mut said = Said { at: None, environment: None };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "at" => {
                let at = Instant::parse(&value).ok_or_else(|| wrong("at must be RFC 3339"))?;
                said.at = Some(at);
            }
            "environment" => said.environment = Some(environment(&value)?),
            _ => return Err(wrong("the query may have at and environment")),
        }
    }
    Ok(said)
}
