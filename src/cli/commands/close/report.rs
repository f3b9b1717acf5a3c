//! Facts of a close, reported to a store that nobody else writes.

use ledger_core::contract::{Call, CallKind};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use serde_json::Value;

use crate::Failure;
use crate::commands::reporting::{self, FactOutcome};
use crate::store::Store;

/// Reports facts in their order, at an instant that a person named or now; each is applied, or
/// known.
///
/// # Errors
///
/// A [`Failure`] for the first that is set aside or refused: what came before it stands.
pub fn report(
    store: &Store,
    ledger: &str,
    at: Option<Instant>,
    facts: Vec<(&str, Value)>,
) -> Result<(), Failure> {
    let engine = reporting::open(store, ledger)?;
    let at = reporting::come_to(store, ledger, &engine, at)?;
    for (name, body) in facts {
        let ask = CallKind::Fact(name.to_owned());
        let (origin, supplied) = (Origin::Call, Value::Null);
        let answer = engine.call(Call { at, origin, ask, body, supplied, ip: None }).wait()?;
        match reporting::fact_outcome(&answer) {
            FactOutcome::Applied | FactOutcome::Known => {}
            FactOutcome::SetAside(reason) => {
                return Err(Failure::new(format!("{name} is set aside: {reason}")));
            }
            FactOutcome::Refused(why) => return Err(Failure::new(format!("{name}: {why}"))),
        }
    }
    engine.stop()?;
    Ok(())
}
