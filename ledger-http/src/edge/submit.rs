//! Submits a client's request to the ledgers that may have its answer, until one does.

use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome, Environment, Problem};
use ledger_core::time::Instant;

use super::supply;
use crate::courier::{add_deliveries, lists_deliveries};
use crate::ledgers::{OpenLedger, Recipients, Unanswered, complete_statement};
use crate::service::Service;

/// Submits a call to the ledgers of an environment that may have its answer, each with what the
/// call lacks there; gives the one that answered, and its answer.
///
/// # Errors
///
/// As of [`supply`].
pub(crate) async fn submit(
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
            let outcome = match submit_to_one(service, &home, whole.call.clone(), now).await? {
                Ok(outcome) => complete_statement(whole, outcome).await,
                Err(why) => Err(why),
            };
            return Ok(outcome.map(|outcome| (home, outcome)));
        }
        Ok(None) => {}
    }
    loop {
        let recipients = match ledgers.recipients(target, &call).await {
            Ok(recipients) => recipients,
            Err(why) => return Ok(Err(why)),
        };
        let (ledger, outcome) = match &recipients {
            // All of its account is there; what is read may have moved away while it was asked.
            Recipients::One(ledger) if !ledgers.reads_of_cells(&call) => {
                let outcome = match submit_to_one(service, ledger, call, now).await? {
                    Ok(outcome) => ledgers.follow_up(ledger, outcome, now).await,
                    Err(why) => Err(why),
                };
                return Ok(outcome.map(|outcome| (Arc::clone(ledger), outcome)));
            }
            Recipients::One(ledger) => {
                let outcome = submit_to_one(service, ledger, call.clone(), now).await?;
                if ledgers.moved_meanwhile(ledger, &call) {
                    continue;
                }
                (ledger, outcome)
            }
            Recipients::Several(_) => submit_to_several(service, &recipients, &call, now).await?,
        };
        let finished = match outcome {
            Ok(mut outcome) if lists_deliveries(&call) && outcome.response.status == 200 => {
                for left in ledgers.beside_home(&call) {
                    let other = match submit_to_one(service, &left, call.clone(), now).await? {
                        Ok(other) => other,
                        Err(why) => return Ok(Err(why)),
                    };
                    add_deliveries(&mut outcome.response.body, other.response.body.into());
                }
                Ok(outcome)
            }
            Ok(outcome) => ledgers.follow_up(ledger, outcome, now).await,
            Err(why) => Err(why),
        };
        return Ok(finished.map(|outcome| (Arc::clone(ledger), outcome)));
    }
}

/// Submits a call to a ledger, with what the call lacks.
async fn submit_to_one(
    service: &Service,
    ledger: &Arc<OpenLedger>,
    mut call: Call,
    now: Instant,
) -> Result<Result<CallOutcome, Unanswered>, Problem> {
    supply(service, ledger, &mut call).await?;
    Ok(ledger.handle(call, now).await)
}

/// Submits a call to one ledger after the other, until one has the answer.
async fn submit_to_several<'a>(
    service: &Service,
    recipients: &'a Recipients,
    call: &Call,
    now: Instant,
) -> Result<(&'a Arc<OpenLedger>, Result<CallOutcome, Unanswered>), Problem> {
    let (mut first, mut call) = (None, call.clone());
    for ledger in recipients.ledgers() {
        // What was supplied for one is for the next too: a provider is asked once.
        supply(service, ledger, &mut call).await?;
        let outcome = ledger.handle(call.clone(), now).await;
        let is_answer = outcome.as_ref().map_or(true, |outcome| recipients.is_answer(outcome));
        if is_answer {
            return Ok((ledger, outcome));
        }
        first = first.or(Some((ledger, outcome)));
    }
    Ok(first.expect("a call is for one ledger or more"))
}
