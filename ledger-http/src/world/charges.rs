//! `GET /charges`: which charge a code was issued for, so that whoever reports its PIX names it.

use axum::extract::{Request, State};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{Code, Environment, Problem, Response};
use ledger_core::id::Kind;
use ledger_core::ledger::Archive as _;
use ledger_store::engine::EngineError;
use serde_json::json;

use super::fact::respond;
use crate::edge::reply::Reply;
use crate::ledgers::OpenLedger;
use crate::service::Service;

/// A query for a charge of real money.
struct ChargeQuery {
    /// The account and its own id of the charge, whatever became of it.
    named: Option<(String, String)>,
    /// Its code, as long as it may be paid: all open operations are looked through.
    code: Option<String>,
}

/// Finds a charge.
pub(super) async fn find(State(service): State<Service>, request: Request) -> HttpResponse {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let found = async {
        let query = parse(&query)?;
        for ledger in service.ledgers().each_of(Environment::Live) {
            let away = |_| {
                Problem::new(Code::Paused, "the ledger cannot be asked now: ask again")
                    .with("retry_after_seconds", 1.into())
            };
            if let Some(id) = find_in(ledger, &query).await.map_err(away)? {
                return Ok(Reply::new(Response::ok(json!({ "cashin_id": id }))));
            }
        }
        Err(Problem::new(Code::NotFound, "there is no such charge"))
    };
    let found: Result<Reply, Problem> = found.await;
    respond(&service, &request, found)
}

async fn find_in(ledger: &OpenLedger, query: &ChargeQuery) -> Result<Option<String>, EngineError> {
    if let Some((account, external_id)) = query.named.clone() {
        let found = ledger.engine().decide(move |sequencer| {
            let views = sequencer.views();
            let account = views.state.account_named(&account)?;
            let op = views.archive.identity(account, Kind::Charge, &external_id)?;
            Some(op.text(&views.state.name))
        });
        return found.await;
    }
    let Some(code) = &query.code else { return Ok(None) };
    let state = ledger.engine().committed_state().await?;
    let found = state.open_operations().find(|(_, operation)| {
        let order = operation.charge().and_then(|charge| charge.order());
        order.is_some_and(|order| *order.qr.copypaste == **code)
    });
    Ok(found.map(|(op, _)| op.text(&state.name)))
}

/// Reads the query: `account` and `external_id`, or `qr_copypaste` of a charge that has no such id.
fn parse(text: &str) -> Result<ChargeQuery, Problem> {
    let (mut account, mut external_id, mut code) = (None, None, None);
    let wrong = || {
        let detail = "the query must have account and external_id, or qr_copypaste";
        Problem::new(Code::RequestInvalid, detail)
    };
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let place = match &*name {
            "account" => &mut account,
            "external_id" => &mut external_id,
            "qr_copypaste" => &mut code,
            _ => return Err(wrong()),
        };
        *place = Some(value.into_owned()).filter(|value| !value.is_empty());
    }
    let query = ChargeQuery { named: account.zip(external_id), code };
    if query.named.is_none() && query.code.is_none() { Err(wrong()) } else { Ok(query) }
}
