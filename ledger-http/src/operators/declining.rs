//! A decision that waits for a second operator, declined by another or by whoever proposed it.

use ledger_core::contract::{Code, Problem};

use super::confirming::waiting;
use super::decided::{NotDecided, Proposal};
use super::deciding::decide;
use super::role::Operator;
use super::second::{DecisionKey, Proposed};
use crate::service::Service;

/// Declines a decision that waits for a second operator, by whoever may take it or proposed it;
/// `false` where it does not wait.
pub(crate) async fn decline(
    service: &Service,
    operator: &Operator,
    key: DecisionKey,
) -> Result<bool, NotDecided> {
    let Some(operators) = service.operators() else { return Ok(false) };
    let waiting = waiting(service, &key.ledger).await?;
    let Some(waits) = waiting.into_iter().find(|it| it.key == key) else { return Ok(false) };
    if waits.by != operator.name {
        may_take(service, operator, &waits).await?;
    }
    if let Some(by) = waits.confirming {
        let detail = format!("{by} confirms it: it ends so, or lapses");
        return Err(Problem::new(Code::StateInvalid, detail).into());
    }
    let (by, now) = (operator.name.clone(), service.now());
    let declined = operators.proposing(move |store| store.decline(&key, &by, now)).await?;
    Ok(declined.unwrap_or_default())
}

/// Refuses where the operator's roles or their bound keep them from a decision. One that nobody can
/// take any more is declined by whoever has the right.
async fn may_take(
    service: &Service,
    operator: &Operator,
    waits: &Proposed,
) -> Result<(), NotDecided> {
    let DecisionKey { ledger, decision, .. } = waits.key.clone();
    let (ledger, body) = (Some(ledger), waits.body.clone());
    let tried = Proposal { name: decision, ledger, body, dry_run: true };
    match decide(service, operator, tried).await {
        Err(NotDecided::Refused(problem)) if problem.code != Code::NotPermitted => Ok(()),
        tried => tried.map(drop),
    }
}
