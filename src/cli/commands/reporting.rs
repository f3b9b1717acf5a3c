//! Facts that a command reports itself, to a ledger that nobody else writes.

use ledger_core::contract::{Call, Response};
use ledger_core::time::Instant;
use ledger_store::OpenMode;
use ledger_store::clock::Clock as _;
use ledger_store::engine::Engine;
use ledger_store::machine_clock::{KeptMoment, MachineClock};

use crate::Failure;
use crate::store::Store;

/// The outcome of a fact that was reported.
pub enum FactOutcome {
    /// It happened now.
    Applied,
    /// It happened when it was first reported.
    Known,
    /// It was set aside, now or when it was first reported: the word of the reason.
    SetAside(String),
    /// It was refused: the status and the answer.
    Refused(String),
}

/// Reads the outcome of a fact from its answer.
pub fn fact_outcome(response: &Response) -> FactOutcome {
    let text = |name: &str| response.body.text(name);
    match (text("outcome"), text("first_outcome")) {
        (Some("applied"), _) => FactOutcome::Applied,
        (Some("known"), None) => FactOutcome::Known,
        (Some(_), _) => FactOutcome::SetAside(text("reason").unwrap_or_default().to_owned()),
        (None, _) => FactOutcome::Refused(format!("{}: {}", response.status, response.body)),
    }
}

/// Opens a ledger to report to it.
pub fn open(store: &Store, ledger: &str) -> Result<Engine, Failure> {
    let journal = store.open_named(ledger, OpenMode::create())?;
    Engine::builder(ledger).start(journal).map_err(|error| {
        Failure::because(&format!("{store}: ledger {ledger} cannot be opened"), &error)
    })
}

/// The instant that a person named by `--at`.
pub fn named_instant(text: Option<&str>) -> Result<Option<Instant>, Failure> {
    let wrong = |text: &str| Failure::new(format!("--at {text} is no instant"));
    let parse = |text: &str| Instant::parse(text).ok_or_else(|| wrong(text));
    text.map(parse).transpose()
}

/// The instant at which facts are reported: the one that a person named, or now. The ledger's time
/// comes to it, where a fact of then would jump too far ahead: after a quiet time.
pub fn come_to(
    store: &Store,
    ledger: &str,
    engine: &Engine,
    named: Option<Instant>,
) -> Result<Instant, Failure> {
    let at = named.map_or_else(|| believed_now(store, ledger, engine), Ok)?;
    if engine.view().wait()?.admits(at).is_err() {
        engine.call(Call::time_passed(at)).wait()?;
    }
    Ok(at)
}

/// The instant now, by a clock that is held against the last record as that of a service is when
/// it starts (rulings 69).
fn believed_now(store: &Store, ledger: &str, engine: &Engine) -> Result<Instant, Failure> {
    let (clock, state) = (MachineClock::new(), engine.view().wait()?);
    if state.seq.0 > 0 {
        let kept = store.target().and_then(|target| KeptMoment::read(&target, ledger));
        clock.hold_against(state.now, kept.as_ref().and_then(KeptMoment::moment));
    }
    match clock.doubt() {
        None => Ok(clock.now()),
        Some(doubt) => {
            Err(Failure::new(format!("{doubt}, by the last record: --at names the instant")))
        }
    }
}
