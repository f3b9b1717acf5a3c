//! Facts of a close, reported to a store that nobody else writes.

use ledger_core::contract::{Call, CallKind};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::OpenMode;
use ledger_store::engine::Engine;
use serde_json::Value;

use crate::Failure;
use crate::store::Store;

/// Reports facts in their order; each is applied, or known.
///
/// # Errors
///
/// A [`Failure`] for the first that is set aside or refused: what came before it stands.
pub fn report(
    store: &Store,
    ledger: &str,
    at: Instant,
    facts: Vec<(&str, Value)>,
) -> Result<(), Failure> {
    let journal = store.open_named(ledger, OpenMode::create())?;
    let engine = Engine::builder(ledger).start(journal).map_err(|error| {
        Failure::because(&format!("{store}: ledger {ledger} cannot be opened"), &error)
    })?;
    // A fact may not jump far ahead; after a quiet time the passing of time comes first.
    if engine.view().wait()?.admits(at).is_err() {
        engine.call(Call::time_passed(at)).wait()?;
    }
    for (name, body) in facts {
        let ask = CallKind::Fact(name.to_owned());
        let (origin, supplied) = (Origin::Call, Value::Null);
        let answer = engine.call(Call { at, origin, ask, body, supplied, ip: None }).wait()?;
        match answer.body.text("outcome") {
            Some("applied" | "known") => {}
            Some(_) => {
                let reason = answer.body.text("reason").unwrap_or_default();
                return Err(Failure::new(format!("{name} is set aside: {reason}")));
            }
            None => {
                let (status, body) = (answer.status, &answer.body);
                return Err(Failure::new(format!("{name}: {status}: {body}")));
            }
        }
    }
    engine.stop()?;
    Ok(())
}
