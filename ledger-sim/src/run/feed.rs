//! Bytes as a history: while they last, every draw of the world is taken from them.

use super::Run;
use crate::failure::Failure;
use crate::failure::wrong::Mismatch;
use crate::report::Report;
use crate::rng::Rng;
use crate::settings::{Planted, Settings};
use crate::system_under_test::store::Store;

/// How many bytes a command takes, about.
const BYTES_A_COMMAND: usize = 8;
/// The most commands that bytes are made into.
const MOST: usize = 5_000;

/// Runs the history that `bytes` say: a fuzzer that changes a byte changes one decision of the
/// world.
///
/// ```
/// use ledger_sim::feed;
///
/// let bytes = b"whatever a fuzzer makes of it";
/// assert_eq!(feed(bytes)?.history(), feed(bytes)?.history()); // It fails again with them, too.
/// # Ok::<(), Box<ledger_sim::Failure>>(())
/// ```
///
/// # Errors
///
/// The [`Failure`] that ended it, with the bytes that show it again.
pub fn feed(bytes: &[u8]) -> Result<Report, Failure> {
    feed_beside(bytes, None)
}

/// The same beside an oracle whose deposit fee is off by one: it must fail where a deposit is made.
#[doc(hidden)]
pub fn feed_a_wrong_oracle(bytes: &[u8]) -> Result<Report, Failure> {
    feed_beside(bytes, Some(Planted::DepositFee))
}

fn feed_beside(bytes: &[u8], planted: Option<Planted>) -> Result<Report, Failure> {
    let fed = |failure| Failure { fed: Some(bytes.into()), ..failure };
    let settings = settings(bytes, planted);
    let none = |what| fed(Failure::new(settings, Store::Memory, what));
    let mut run = fed_run(bytes, planted).map_err(none)?;
    let done = run.through(&mut |_| ());
    done.map_err(|what| fed(run.failure(&Store::Memory, what)))?;
    Ok(run.report)
}

/// The run that these bytes say, which remembers what it says.
pub(crate) fn fed_run(bytes: &[u8], planted: Option<Planted>) -> Result<Run, Mismatch> {
    let mut run = Run::remembering(settings(bytes, planted))?;
    // Faults are drawn from every eighth byte's worth, from the end.
    let (world, faults) = bytes.split_at(bytes.len() - bytes.len() / 8);
    run.world.rng = Rng::from_bytes(world);
    run.chance = Rng::from_bytes(faults);
    Ok(run)
}

fn settings(bytes: &[u8], planted: Option<Planted>) -> Settings {
    let commands = (bytes.len() / BYTES_A_COMMAND).clamp(1, MOST);
    let commands = u64::try_from(commands).expect("a few thousands");
    Settings { planted, ..Settings::commands(0, commands) }
}
