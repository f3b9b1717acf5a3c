//! `POST /decisions/{name}`: one decision, by whoever brings an operator's credential; `DELETE`
//! declines one that waits for a second operator. `POST /assignments/{operation}`: with whom an
//! operation of the inbox is.

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::WWW_AUTHENTICATE;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Response as HttpResponse;
use axum::routing::post;
use ledger_core::contract::{Code, Environment, Problem, Response, mask_input};
use serde_json::{Value, json};

use super::assigning::{Assigning, assign, assignment_json};
use super::decided::{Decided, NotDecided, Proposal};
use super::deciding::decide;
use super::declining::decline;
use super::role::Operator;
use super::second::DecisionKey;
use super::{Identified, Operators};
use crate::edge::body::read_json;
use crate::edge::client_address::client_address;
use crate::edge::content_type::negotiate;
use crate::edge::dry_run;
use crate::edge::reply::{Occasion, Reply, Unfinished};
use crate::request_id::RequestId;
use crate::router::{assign_request_id, refuse_method};
use crate::service::Service;
use crate::world::token::bearer;

/// The most bytes of a decision.
const LARGEST: usize = 16 * 1_024;

/// The route of decisions, which asks for an operator's credential itself.
pub(crate) fn routes(service: &Service) -> Router {
    Router::new()
        .route("/decisions/{name}", post(take).delete(take))
        .route("/assignments/{operation}", post(assign_operation))
        .method_not_allowed_fallback(refuse_method)
        .layer(from_fn_with_state(service.clone(), assign_request_id))
        .with_state(service.clone())
}

/// Takes one decision, tries it where `Prefer: dry-run` asks for that, or declines it.
async fn take(
    State(service): State<Service>,
    Path(name): Path<String>,
    request: Request,
) -> HttpResponse {
    let (head, body) = request.into_parts();
    let dry_run = dry_run::is_preferred(&head.headers);
    let reply = async {
        let operator = operator(&service, &head).await?;
        let ledger = ledger(head.uri.query().unwrap_or_default())?;
        let body = read_json(&head.headers, body, LARGEST).await?;
        if head.method == Method::DELETE {
            return decline_proposal(&service, &operator, name, ledger, &body).await;
        }
        let proposal = Proposal { name, ledger, body, dry_run };
        decide(&service, &operator, proposal).await.map(|decided| reply(decided, dry_run))
    };
    respond(&service, &head, dry_run, reply.await)
}

/// Assigns one operation of the inbox: `with` is an operator's name, `me` or `nobody`, `note` a
/// line; either may be left out, and stays as it is.
async fn assign_operation(
    State(service): State<Service>,
    Path(operation): Path<String>,
    request: Request,
) -> HttpResponse {
    let (head, body) = request.into_parts();
    let reply = async {
        let operator = operator(&service, &head).await?;
        let ledger = ledger(head.uri.query().unwrap_or_default())?;
        let ledger = ledger.unwrap_or_else(|| Environment::Live.name().to_owned());
        let body = read_json(&head.headers, body, LARGEST).await?;
        let (with, note) = (text(&body, "with")?, text(&body, "note")?);
        let asked = Assigning { ledger, operation, with, note, was: None };
        let assignment = assign(&service, &operator, asked).await?;
        Ok(Reply::new(Response::ok(assignment_json(&assignment))))
    };
    respond(&service, &head, false, reply.await)
}

/// A text of a body; none where it is not there.
fn text(body: &Value, name: &str) -> Result<Option<String>, Problem> {
    match body.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Problem::new(Code::RequestInvalid, format!("{name} must be a text"))),
    }
}

/// The answer to whoever asked, with what they are to bring where they brought no credential.
fn respond(
    service: &Service,
    head: &Parts,
    dry_run: bool,
    done: Result<Reply, NotDecided>,
) -> HttpResponse {
    let request_id = head.extensions.get::<RequestId>().map_or("", RequestId::as_str);
    let occasion = Occasion { at: service.now(), request_id };
    let unfinished = if dry_run { Unfinished::Read } else { Unfinished::Fact };
    let reply = match done {
        Ok(reply) => reply,
        Err(NotDecided::Refused(problem)) => Reply::problem(&problem, occasion),
        Err(NotDecided::Unanswered(why)) => Reply::from_unanswered(&why, unfinished, occasion),
    };
    let reply = if dry_run { dry_run::with_preference_applied(reply) } else { reply };
    let mut rendered = reply.render(negotiate(&head.headers));
    if rendered.status() == StatusCode::UNAUTHORIZED {
        rendered.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    rendered
}

/// Declines what waits under the body's id, in the ledger of real money where none is named.
async fn decline_proposal(
    service: &Service,
    operator: &Operator,
    decision: String,
    ledger: Option<String>,
    body: &Value,
) -> Result<Reply, NotDecided> {
    let ledger = ledger.unwrap_or_else(|| Environment::Live.name().to_owned());
    let id = body["id"].as_str().unwrap_or_default().to_owned();
    let nothing = format!(
        "no {} of this id waits for a second operator in {}",
        mask_input(&decision),
        mask_input(&ledger)
    );
    if decline(service, operator, DecisionKey { ledger, decision, id }).await? {
        return Ok(Reply::new(Response::ok(json!({ "outcome": "declined" }))));
    }
    Err(Problem::new(Code::NotFound, nothing).into())
}

fn reply(decided: Decided, dry_run: bool) -> Reply {
    let preview = || {
        let mut shown = dry_run::preview_json(&decided.preview);
        shown["second_operator"] = decided.wants_second.into();
        if let Some(about) = &decided.about {
            shown["person"] = about.clone();
        }
        shown
    };
    let proposed = || json!({ "outcome": "proposed", "second_operator": true });
    let kept = || Response::ok(if dry_run { preview() } else { proposed() });
    Reply::new(decided.response.unwrap_or_else(kept))
}

/// Who asks, by the credential that the request brings.
async fn operator(service: &Service, head: &Parts) -> Result<Operator, Problem> {
    let Some(credential) = bearer(&head.headers) else {
        let detail = "Authorization is missing: it is Bearer and an operator's credential";
        return Err(Problem::new(Code::NotAuthenticated, detail));
    };
    let unknown = || Problem::new(Code::NotAuthenticated, "this credential is no operator's");
    let operators = service.operators().ok_or_else(unknown)?;
    match identify(service, operators, head, credential).await {
        Some(Identified::Known(operator)) => Ok(operator),
        Some(Identified::Unknown) => Err(unknown()),
        Some(Identified::LockedOut(seconds)) => {
            let detail = "too many wrong credentials came from this address";
            let problem = Problem::new(Code::TooManyAttempts, detail);
            Err(problem.with("retry_after_seconds", seconds.into()))
        }
        None => {
            let detail = "operators cannot be looked up now; nothing of this was done";
            let problem = Problem::new(Code::Paused, detail);
            Err(problem.with("retry_after_seconds", 5.into()))
        }
    }
}

/// Whose credential a request brings; none where that cannot be looked up.
pub(crate) async fn identify(
    service: &Service,
    operators: &Operators,
    head: &Parts,
    credential: &str,
) -> Option<Identified> {
    let trusted = &service.limits().trusted_proxies;
    let address = client_address(&head.extensions, &head.headers, trusted);
    operators.identify(credential, address, service.now()).await.ok()
}

/// Reads `ledger` of the query.
fn ledger(query: &str) -> Result<Option<String>, Problem> {
    let mut ledger = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name != "ledger" {
            return Err(Problem::new(Code::RequestInvalid, "the query may have ledger"));
        }
        ledger = Some(value.into_owned());
    }
    Ok(ledger)
}
