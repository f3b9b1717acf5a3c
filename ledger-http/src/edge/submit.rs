//! The ledgers that a client's request is asked of, until one has the answer.

use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome, Environment, Problem};
use ledger_core::time::Instant;

use super::supplied;
use crate::courier::{add_deliveries, lists_deliveries};
use crate::ledgers::{Asked, OpenLedger, Unanswered, completed};
use crate::service::Service;

/// Asks the ledgers of an environment that may have the answer to a call, each with what the call
/// lacks there; gives the one that answered, and what.
///
/// # Errors
///
/// As of [`supplied`].
pub(crate) async fn answered(
    service: &Service,
    target: Environment,
    call: Call,
    now: Instant,
) -> Result<Result<(Arc<OpenLedger>, CallOutcome), Unanswered>, Problem> {
    let ledgers = service.ledgers();
    match ledgers.whole_statement(target, &call).await {
        Err(why) => return Ok(Err(why)),
        Ok(Some(whole)) => {
            let home = Arc::clone(&whole.home);
            let outcome = match of_one(service, &home, whole.call.clone(), now).await? {
                Ok(outcome) => completed(whole, outcome).await,
                Err(why) => Err(why),
            };
            return Ok(outcome.map(|outcome| (home, outcome)));
        }
        Ok(None) => {}
    }
    loop {
        let asked = match ledgers.asked(target, &call).await {
            Ok(asked) => asked,
            Err(why) => return Ok(Err(why)),
        };
        let (ledger, outcome) = match &asked {
            // All of its account is there; what is read may have moved away while it was asked.
            Asked::One(ledger) if !ledgers.reads_of_cells(&call) => {
                let outcome = match of_one(service, ledger, call, now).await? {
                    Ok(outcome) => ledgers.finished(ledger, outcome, now).await,
                    Err(why) => Err(why),
                };
                return Ok(outcome.map(|outcome| (Arc::clone(ledger), outcome)));
            }
            Asked::One(ledger) => {
                let outcome = of_one(service, ledger, call.clone(), now).await?;
                if ledgers.moved_meanwhile(ledger, &call) {
                    continue;
                }
                (ledger, outcome)
            }
            Asked::Several(_) => of_several(service, &asked, &call, now).await?,
        };
        let finished = match outcome {
            Ok(mut outcome) if lists_deliveries(&call) && outcome.response.status == 200 => {
                for left in ledgers.beside_home(&call) {
                    let other = match of_one(service, &left, call.clone(), now).await? {
                        Ok(other) => other,
                        Err(why) => return Ok(Err(why)),
                    };
                    add_deliveries(&mut outcome.response.body, other.response.body.into());
                }
                Ok(outcome)
            }
            Ok(outcome) => ledgers.finished(ledger, outcome, now).await,
            Err(why) => Err(why),
        };
        return Ok(finished.map(|outcome| (Arc::clone(ledger), outcome)));
    }
}

/// Asks a ledger, with what the call lacks.
async fn of_one(
    service: &Service,
    ledger: &Arc<OpenLedger>,
    mut call: Call,
    now: Instant,
) -> Result<Result<CallOutcome, Unanswered>, Problem> {
    supplied(service, ledger, &mut call).await?;
    Ok(ledger.handle(call, now).await)
}

/// Asks one ledger after the other, until one has the answer.
async fn of_several<'a>(
    service: &Service,
    asked: &'a Asked,
    call: &Call,
    now: Instant,
) -> Result<(&'a Arc<OpenLedger>, Result<CallOutcome, Unanswered>), Problem> {
    let (mut first, mut call) = (None, call.clone());
    for ledger in asked.ledgers() {
        // What was supplied for one is for the next too: a provider is asked once.
        supplied(service, ledger, &mut call).await?;
        let outcome = ledger.handle(call.clone(), now).await;
        let is_answer = outcome.as_ref().map_or(true, |outcome| asked.is_answer(outcome));
        if is_answer {
            return Ok((ledger, outcome));
        }
        first = first.or(Some((ledger, outcome)));
    }
    Ok(first.expect("a call is for one ledger or more"))
}
