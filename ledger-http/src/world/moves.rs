//! `POST /moves`: an account moved from one ledger of real money to another, or kept; and how moves
//! stand.

use axum::extract::{Path, Request, State};
use axum::response::Response as HttpResponse;
use ledger_cells::directory::DirectoryError;
use ledger_cells::{AccountMove, MoveError};
use ledger_core::contract::{Code, Problem, Response};
use ledger_core::directory::{Move, MoveStage, Refusal};
use serde_json::{Value, json};

use super::fact::respond;
use crate::edge::body::read_json;
use crate::edge::reply::Reply;
use crate::service::Service;

/// The most bytes of a body.
const LARGEST: usize = 4_096;

/// Moves an account, or goes on with its move: which, the id says.
pub(super) async fn begin(State(service): State<Service>, request: Request) -> HttpResponse {
    let (head, body) = request.into_parts();
    let moved = async {
        let body = read_json(&head.headers, body, LARGEST).await?;
        let [id, account, to] = fields(&body)?;
        let asked = (id.clone(), account.clone(), to.clone());
        if let Some(doubt) = service.clock_doubt() {
            return Err(move_problem(&doubt.into()));
        }
        let moved = service.ledgers().move_account(asked, service.now()).await;
        let stands = moved.ok_or_else(one_ledger)?.map_err(|error| move_problem(&error))?;
        let mut shown = json!({ "id": id, "account": account, "to": to });
        match stands {
            AccountMove::Waiting { open } => {
                shown["state"] = "waiting".into();
                shown["open_operations"] = open.into();
            }
            _ => shown["state"] = "done".into(),
        }
        Ok(Reply::new(Response::ok(shown)))
    };
    let moved: Result<Reply, Problem> = moved.await;
    respond(&service, &Request::from_parts(head, axum::body::Body::empty()), moved)
}

/// Gives a move up, so that the account works again in the ledger that it was to leave.
pub(super) async fn abandon(
    State(service): State<Service>,
    Path(id): Path<String>,
    request: Request,
) -> HttpResponse {
    let abandoned = async {
        if let Some(doubt) = service.clock_doubt() {
            return Err(move_problem(&doubt.into()));
        }
        let given_up = service.ledgers().abandon_move(id.clone(), service.now()).await;
        given_up.ok_or_else(one_ledger)?.map_err(|error| move_problem(&error))?;
        let cells = service.ledgers().cells().ok_or_else(one_ledger)?;
        let directory = cells.directory();
        let known = directory.move_of(&id).ok_or_else(unknown_move)?;
        Ok(Reply::new(Response::ok(move_json(known))))
    };
    let abandoned: Result<Reply, Problem> = abandoned.await;
    respond(&service, &request, abandoned)
}

/// The moves that have not ended.
pub(super) async fn under_way(State(service): State<Service>, request: Request) -> HttpResponse {
    let listed = service.ledgers().cells().ok_or_else(one_ledger).map(|cells| {
        let directory = cells.directory();
        let items: Vec<Value> = directory.moves_under_way().map(move_json).collect();
        Reply::new(Response::ok(json!({ "items": items })))
    });
    respond(&service, &request, listed)
}

/// One move, ended or not.
pub(super) async fn one(
    State(service): State<Service>,
    Path(id): Path<String>,
    request: Request,
) -> HttpResponse {
    let found = service.ledgers().cells().ok_or_else(one_ledger).and_then(|cells| {
        let directory = cells.directory();
        let known = directory.move_of(&id).map(move_json);
        Ok(Reply::new(Response::ok(known.ok_or_else(unknown_move)?)))
    });
    respond(&service, &request, found)
}

/// Returns what a move is asked with; each is a text that is not empty, and nothing else is taken.
fn fields(body: &Value) -> Result<[String; 3], Problem> {
    const NAMES: [&str; 3] = ["id", "account", "to"];
    let wrong = |detail: String| Problem::new(Code::RequestInvalid, detail);
    let object = body.as_object();
    let object = object.ok_or_else(|| wrong("the body must have id, account and to".to_owned()))?;
    if let Some(other) = object.keys().find(|name| !NAMES.contains(&name.as_str())) {
        return Err(wrong(format!("the body may have id, account and to, and not {other:?}")));
    }
    let text = |name: &str| {
        let text = object.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| wrong(format!("{name} must be a text")))
    };
    Ok([text("id")?, text("account")?, text("to")?])
}

fn move_json(known: &Move) -> Value {
    let Move { id, account, from, to, stage } = known;
    let state = match stage {
        MoveStage::UnderWay => "under_way",
        MoveStage::Finished => "done",
        MoveStage::Abandoned => "abandoned",
    };
    json!({ "id": &**id, "account": &**account, "from": &**from, "to": &**to, "state": state })
}

fn unknown_move() -> Problem {
    Problem::new(Code::NotFound, "no move of this id was begun")
}

fn one_ledger() -> Problem {
    let detail = "this service has one ledger of real money: accounts move between several";
    Problem::new(Code::NotFound, detail)
}

/// Why an account is not moved: what stands against it, or that it is not known now.
fn move_problem(error: &MoveError) -> Problem {
    match error {
        MoveError::Id(_) => Problem::new(Code::RequestInvalid, error.to_string()),
        MoveError::Directory(DirectoryError::Refused(Refusal::MoveUnknown { .. })) => {
            unknown_move()
        }
        MoveError::Ended(_)
        | MoveError::ClockDoubted(_)
        | MoveError::Directory(
            DirectoryError::Fenced
            | DirectoryError::NotWritten(_)
            | DirectoryError::Unknown(_)
            | DirectoryError::Unverified(_),
        ) => Problem::new(Code::Paused, format!("{error}: ask again with the same id"))
            .with("retry_after_seconds", 1.into()),
        _ => Problem::new(Code::Conflict, error.to_string()),
    }
}
