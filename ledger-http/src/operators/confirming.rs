//! A decision that waits for a second operator: claimed and confirmed by another.
//!
//! Whoever confirms claims it first, in one statement, and so does whoever declines: it ends in one
//! of the two. What is claimed when the process dies is still shown; the ledger, which knows the
//! decision's id, tells whether it was carried out.

use ledger_core::contract::{Call, CallKind, Code, Problem};
use ledger_core::ledger::{Origin, Outcome};
use serde_json::Value;

use super::decided::NotDecided;
use super::role::Operator;
use super::second::{DecisionKey, Proposed};
use crate::service::Service;

/// Returns what waits for a second operator and was proposed by another, with the same words.
pub(super) async fn proposal_to_confirm(
    service: &Service,
    (key, said): (&DecisionKey, &Value),
    operator: &Operator,
) -> Result<Option<Proposed>, NotDecided> {
    let waiting = waiting(service, &key.ledger).await?;
    let Some(waits) = waiting.into_iter().find(|it| it.key == *key) else { return Ok(None) };
    if waits.body != *said {
        let detail = format!("{} proposed something else under the id, which waits", waits.by);
        return Err(Problem::new(Code::ExternalIdDiverges, detail).into());
    }
    Ok(Some(waits).filter(|waits| waits.by != operator.name))
}

/// Claims a decision for whoever confirms it, or refuses: it ended, or another confirms it.
pub(super) async fn claim(
    service: &Service,
    first: &Proposed,
    operator: &Operator,
) -> Result<(), NotDecided> {
    let Some(operators) = service.operators() else { return Ok(()) };
    let (first, by, now) = (first.clone(), operator.name.clone(), service.now());
    let claimed = operators.proposing(move |store| store.claim(&first, &by, now)).await?;
    if claimed == Some(true) {
        return Ok(());
    }
    let detail = "it waits no more: another operator confirms or declined it";
    Err(Problem::new(Code::StateInvalid, detail).into())
}

/// The decisions of a ledger that wait for a second operator now. One that was claimed and carried
/// out, by a process that died before it said so, is ended here.
pub(crate) async fn waiting(service: &Service, ledger: &str) -> Result<Vec<Proposed>, NotDecided> {
    let Some(operators) = service.operators() else { return Ok(Vec::new()) };
    let now = service.now();
    let mut waiting = Vec::new();
    for proposed in operators.proposals(ledger).await? {
        if !proposed.waits(now) {
            continue;
        }
        if proposed.confirming.is_some() && is_carried_out(service, &proposed).await? {
            operators.proposing(move |store| store.confirm(&proposed.key)).await?;
        } else {
            waiting.push(proposed);
        }
    }
    Ok(waiting)
}

/// Tells whether the ledger knows a decision by its id.
async fn is_carried_out(service: &Service, proposed: &Proposed) -> Result<bool, NotDecided> {
    let Some(ledger) = service.ledgers().by_label(&proposed.key.ledger) else { return Ok(false) };
    let mut body = proposed.body.clone();
    body["actor"] = proposed.by.clone().into();
    let ask = CallKind::Fact(proposed.key.decision.clone());
    let (at, origin, supplied, ip) = (service.now(), Origin::Call, Value::Null, None);
    let call = Call { at, origin, ask, body, supplied, ip };
    let preview = ledger.preview(call, at).await?;
    Ok(preview.is_ok_and(|preview| preview.outcome == Outcome::Known))
}
