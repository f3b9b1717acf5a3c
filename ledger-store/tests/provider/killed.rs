//! A process with a driver, killed again and again; and one whose clock is not believed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ledger_store::clock::{Clock, ClockDoubt};
use ledger_store::projection::{EntryKind, Tables, Target};
use ledger_store::provider::{Report, TellError};
use ledger_store::{OpenMode, SqliteJournal, Vault};
use serde_json::json;

use crate::driven::{Stage, until};
use crate::world::World;

/// So many that none of the first processes carries all of them out.
const PAYOUTS: u32 = 600;

/// The example as `cargo test` has built it beside the tests; built now, where these alone were.
fn example() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let path = own.ancestors().nth(2).unwrap().join("examples").join("driven");
    if !path.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "-p", "ledger-store", "--example", "driven"]);
        assert!(build.status().unwrap().success(), "the example is not built");
    }
    path
}

fn start(folder: &Path) -> Child {
    let mut command = Command::new(example());
    command.arg(folder.join("ledger.db")).arg(folder.join("world.txt"));
    command.arg(PAYOUTS.to_string()).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn killed_at_any_instant_and_started_again_it_sends_each_pix_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = 0;
    for wait in [60, 90, 120, 150, 180, 210, 240] {
        let mut child = start(folder.path());
        std::thread::sleep(Duration::from_millis(wait));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert!(killed >= 3, "it ended by itself before it could be killed");
    assert!(start(folder.path()).wait().unwrap().success());

    let world = std::fs::read_to_string(folder.path().join("world.txt")).unwrap();
    let keys: Vec<&str> = world.lines().collect();
    let once: BTreeSet<&str> = keys.iter().copied().collect();
    assert_eq!((once.len(), keys.len()), (PAYOUTS as usize, PAYOUTS as usize), "{world}");

    let file = folder.path().join("ledger.db");
    let mut journal = SqliteJournal::open(&file, "live", OpenMode::ReadOnly).unwrap();
    let vault = Vault::open(&mut journal).unwrap();
    let mut tables = Tables::open_writing(&Target::Sqlite(file), "live").unwrap().unwrap();
    let waiting = tables.waiting(Some(EntryKind::Instruction), 100, &vault).unwrap();
    assert!(waiting.is_empty(), "each was acknowledged: {}", waiting.len());
}

/// A clock that is not believed until somebody accepts it.
struct Doubted(Arc<dyn Clock>, AtomicBool);

impl Clock for Doubted {
    fn now(&self) -> ledger_core::time::Instant {
        self.0.now()
    }

    fn doubt(&self) -> Option<ClockDoubt> {
        let now = self.now();
        let doubt = ClockDoubt { reads: now, expected: now, starts: false };
        (!self.1.load(Ordering::SeqCst)).then_some(doubt)
    }
}

#[test]
fn nothing_is_handed_out_or_told_by_a_clock_that_is_not_believed() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    let clock = Arc::new(Doubted(stage.clock(), AtomicBool::new(false)));
    let dated = Arc::clone(&clock) as Arc<dyn Clock>;
    let driver = Stage::builder(&world).start(&stage.engine(), dated, stage.outbox());
    std::thread::sleep(Duration::from_millis(300));
    let paid = json!({ "payout_id": id, "e2e": World::e2e(&id) });
    let told = driver.reports().tell(&Report::new("payout.paid", paid));
    assert!(matches!(told, Err(TellError::ClockDoubted(_))), "{told:?}");
    assert_eq!((world.send_attempts(&id), &*stage.payout_status(&id)), (0, "requested"));
    clock.1.store(true, Ordering::SeqCst);
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    stage.holds();
}
