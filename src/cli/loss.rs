//! Going on from where a ledger ends of which later records are lost.

use ledger_core::contract::Environment;
use ledger_store::OpenMode;
use ledger_store::engine::{Engine, StartError};
use ledger_store::journal::{Head, JournalError};
use ledger_store::sequencer::ReplayError;

use crate::store::Store;
use crate::{Failure, say};

/// Reads a head, which `option` was given.
pub fn head(option: &str, text: &str) -> Result<Head, Failure> {
    let wrong =
        || Failure::new(format!("{option} must be RECORD:LINK, as a run or an audit prints them"));
    let (seq, link) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse().map_err(|_| wrong())?;
    let link = link.parse().map_err(|_| wrong())?;
    Ok(Head { seq, link })
}

/// Goes on from this head in the ledger of the store that ends there: the link tells which. Where
/// one has gone on from it before, nothing is done.
pub fn accept(store: &Store, text: &str) -> Result<(), Failure> {
    let accepted = head("--accept-loss", text)?;
    let mut ends = Vec::new();
    for environment in Environment::ALL {
        let name = environment.name();
        let mode = OpenMode::create();
        let started =
            store.open(environment, mode).map_err(|error| open_failure(store, name, &error))?;
        let engine = Engine::builder(name).accept_loss(accepted);
        let engine = match store.snapshots() {
            Some(snapshots) => engine.snapshots(snapshots),
            None => engine,
        };
        match engine.start(started) {
            Ok(engine) => {
                engine.stop()?;
                say(&format!("{name}: goes on from record {}, as is recorded", accepted.seq));
                return Ok(());
            }
            Err(
                StartError::EndsElsewhere { found, .. }
                | StartError::Journal(JournalError::Lost { head: found, .. })
                | StartError::Replay(ReplayError::Journal(JournalError::Lost {
                    head: found, ..
                })),
            ) => ends.push(format!("{name} ends at {}:{}", found.seq, found.link)),
            Err(error) => return Err(open_failure(store, name, &error)),
        }
    }
    let ends = ends.join(", ");
    Err(Failure::new(format!("{store}: no ledger ends at the head of --accept-loss: {ends}")))
}

fn open_failure(store: &Store, name: &str, error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::because(&format!("{store}: ledger {name} cannot be opened"), error)
}
