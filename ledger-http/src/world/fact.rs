//! `POST /facts/{name}`: one fact.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::response::Response as HttpResponse;
use ledger_cells::{FactRoute, Turn};
use ledger_core::contract::{Call, CallKind, Code, Environment, Problem, Response, RouteKind};
use ledger_core::ledger::{MachineTime, Origin};
use ledger_core::time::Instant;
use ledger_store::engine::{EngineError, Ticket};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::edge::body::read_json;
use crate::edge::content_type::negotiate;
use crate::edge::reply::{Occasion, Reply, Unfinished};
use crate::edge::supply;
use crate::ledgers::{OpenLedger, Unanswered};
use crate::request_id::RequestId;
use crate::service::Service;
use ledger_core::contract::CallOutcome;

/// The most bytes of a fact: catalogues are the largest.
pub(super) const LARGEST: usize = 1_024 * 1_024;

/// What a fact is reported with beside its body.
struct ReportTarget {
    at: Option<Instant>,
    environment: Option<Environment>,
    /// The ledger it is for, by its name.
    ledger: Option<String>,
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
        let said = parse_query(head.uri.query().unwrap_or_default())?;
        let body = read_json(&head.headers, body, LARGEST).await?;
        let call = Call {
            at: said.at.unwrap_or(occasion.at),
            origin: Origin::Request(request_id.into()),
            ask: CallKind::Fact(name),
            body,
            supplied: Value::Null,
            ip: None,
        };
        let begun = begin(&service, call, said.environment, said.ledger.as_deref()).await?;
        Ok(match begun.response().await {
            Ok(response) => Reply::new(response),
            Err(why) => Reply::from_unanswered(&why, Unfinished::Fact, occasion),
        })
    };
    let reply = told.await.unwrap_or_else(|problem| Reply::problem(&problem, occasion));
    reply.render(negotiate(&head.headers))
}

/// Facts that wait to be answered: one, or one that is of each ledger.
pub(super) struct Begun(Vec<Result<Awaited, Unanswered>>);

/// An answer to come.
enum Awaited {
    Ticket(Ticket<CallOutcome>),
    /// With the turn of a PIX, which ends when it is there, whoever reads it.
    InTurn(JoinHandle<Result<CallOutcome, EngineError>>),
}

impl Awaited {
    fn new(ticket: Ticket<CallOutcome>, turn: Option<Turn>) -> Self {
        let Some(turn) = turn else { return Self::Ticket(ticket) };
        Self::InTurn(tokio::spawn(async move {
            let outcome = ticket.await;
            drop(turn);
            outcome
        }))
    }

    async fn response(self) -> Result<Response, Unanswered> {
        let outcome = match self {
            Self::Ticket(ticket) => ticket.await?,
            Self::InTurn(task) => task.await.map_err(|_| Unanswered::Failed)??,
        };
        Ok(outcome.response)
    }
}

impl Begun {
    /// Returns what is answered: of several ledgers' answers the one that says more is wrong.
    pub(super) async fn response(self) -> Result<Response, Unanswered> {
        let mut worst: Option<Response> = None;
        for awaited in self.0 {
            let response = awaited?.response().await?;
            if worst.as_ref().is_none_or(|worst| how_wrong(worst) < how_wrong(&response)) {
                worst = Some(response);
            }
        }
        worst.ok_or(Unanswered::Failed)
    }
}

/// By its status, and where that says nothing, by whether it was set aside.
fn how_wrong(response: &Response) -> (u16, bool) {
    (response.status, response.body["outcome"] == "set_aside")
}

/// Puts a fact before the ledgers that it is for, or the one that is named, once there is room.
///
/// # Errors
///
/// What it lacks and cannot be supplied, or that there is no ledger of the name.
pub(super) async fn begin(
    service: &Service,
    call: Call,
    said: Option<Environment>,
    named: Option<&str>,
) -> Result<Begun, Problem> {
    let routes = match routes(service, &call, said, named).await? {
        Ok(routes) => routes,
        Err(why) => return Ok(Begun(vec![Err(why)])),
    };
    let mut begun = Vec::with_capacity(routes.len());
    for FactRoute { ledger, turn } in routes {
        let mut call = call.clone();
        supply(service, &ledger, &mut call).await?;
        let ticket = ledger.begin(call, service.now()).await;
        begun.push(ticket.map(|ticket| Awaited::new(ticket, turn)));
    }
    Ok(Begun(begun))
}

/// The ledgers that a fact is for.
pub(crate) type Routes = Vec<FactRoute<Arc<OpenLedger>>>;

/// The ledgers that a fact is for.
///
/// # Errors
///
/// That there is no ledger of the name, or what the fact lacks and cannot be supplied.
pub(crate) async fn routes(
    service: &Service,
    call: &Call,
    said: Option<Environment>,
    named: Option<&str>,
) -> Result<Result<Routes, Unanswered>, Problem> {
    // What is dated ahead of the machine's clock is placed as of now too.
    let (ledgers, now) = (service.ledgers(), service.now());
    let dated = MachineTime { now, tolerance: service.limits().fact_ahead }.date_of(call.at);
    let only = |ledger: &Arc<OpenLedger>| FactRoute { ledger: Arc::clone(ledger), turn: None };
    if let Some(name) = named {
        let detail = "ledger must be one that the service names in /health/ready";
        let unknown = || Problem::new(Code::RequestInvalid, detail);
        let ledger = ledgers.by_label(name).ok_or_else(unknown)?;
        passes_no_time_of(ledger.environment(), call)?;
        return Ok(Ok(vec![only(ledger)]));
    }
    let targets = match ledgers.targets(call, said).await {
        Ok(targets) => targets,
        Err(why) => return Ok(Err(why)),
    };
    let (mut routes, placed) = (Vec::new(), Call { at: dated, ..call.clone() });
    for target in targets {
        passes_no_time_of(target, call)?;
        // What opens no account must place none: whichever ledger it is put to says what is wrong.
        let opens = target == Environment::Live && ledgers.is_placed(call);
        match if opens { is_taken(service, call).await? } else { Ok(true) } {
            Ok(true) => match ledgers.fact_routes(target, &placed).await {
                Ok(found) => routes.extend(found),
                Err(why) => return Ok(Err(why)),
            },
            Ok(false) => routes.push(only(ledgers.for_environment(target))),
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(routes))
}

/// Refuses to pass the time of real money, which goes by the machine's clock alone (rulings 69).
fn passes_no_time_of(environment: Environment, call: &Call) -> Result<(), Problem> {
    let passes = matches!(&call.ask, CallKind::Fact(name) if name == "time.passed");
    if !passes || environment == Environment::Sandbox {
        return Ok(());
    }
    let detail = "real money goes by the machine's clock: time.passed needs environment=sandbox";
    Err(Problem::new(Code::RequestInvalid, detail))
}

/// Tells whether a ledger of real money would take a fact; nothing is done.
async fn is_taken(service: &Service, call: &Call) -> Result<Result<bool, Unanswered>, Problem> {
    let (ledger, mut call) = (service.ledgers().for_environment(Environment::Live), call.clone());
    supply(service, ledger, &mut call).await?;
    Ok(ledger.preview(call, service.now()).await.map(|said| said.is_ok()))
}

/// A problem as the answer to a request of the world.
pub(super) fn respond_problem(
    service: &Service,
    request: &Request,
    problem: &Problem,
) -> HttpResponse {
    respond(service, request, Err(problem.clone()))
}

/// Returns what came of a request of the world, as its answer.
pub(super) fn respond(
    service: &Service,
    request: &Request,
    outcome: Result<Reply, Problem>,
) -> HttpResponse {
    let request_id = request.extensions().get::<RequestId>().map_or("", RequestId::as_str);
    let occasion = Occasion { at: service.now(), request_id };
    let reply = outcome.unwrap_or_else(|problem| Reply::problem(&problem, occasion));
    reply.render(negotiate(request.headers()))
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
fn parse_query(query: &str) -> Result<ReportTarget, Problem> {
    let wrong = |detail: &str| Problem::new(Code::RequestInvalid, detail);
    let mut said = ReportTarget { at: None, environment: None, ledger: None };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "at" => {
                let at = Instant::parse(&value).ok_or_else(|| wrong("at must be RFC 3339"))?;
                said.at = Some(at);
            }
            "environment" => said.environment = Some(environment(&value)?),
            "ledger" => said.ledger = Some(value.into_owned()),
            _ => return Err(wrong("the query may have at, environment and ledger")),
        }
    }
    if said.environment.is_some() && said.ledger.is_some() {
        return Err(wrong("environment and ledger say the same: name one of them"));
    }
    Ok(said)
}
