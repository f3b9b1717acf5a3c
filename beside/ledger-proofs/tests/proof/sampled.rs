//! Samples: what is drawn is proved against a checkpoint, and a record that was changed is found
//! when it is drawn.

use std::fs;
use std::time::Duration;

use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::{Checkpointer, CheckpointsFile, Policy, Prover, ProverError};
use ledger_proofs::record_tree::RecordTree;
use ledger_proofs::sample::{Sample, SampleRefused, sample};
use ledger_store::engine::Engine;
use ledger_store::journal::Row;
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::key::Signer;
use ledger_store::snapshot::Snapshots;
use tempfile::TempDir;

use super::setup::rows_given::{RowsGiven, forged};
use super::setup::{LIVE, lived_in_commits_of, mode, shell};
use super::stores::Store;
use super::{IN_A_ROW, STEPS};

/// The story with its tree, and a checkpoint of all of it.
struct Signed {
    store: Store,
    folder: TempDir,
    checkpoint: Checkpoint,
}

impl Signed {
    fn new() -> Self {
        let (store, folder) = (Store::sqlite(), tempfile::tempdir().unwrap());
        let engine = Engine::start(store.open(mode()).unwrap(), LIVE, |_, _| ()).unwrap();
        let path = folder.path().join("checkpoints");
        let file = CheckpointsFile::open(&path).unwrap();
        let signer = Signer::new("ledger.example.com", [7; 32]).unwrap();
        let tree = RecordTree::open(&folder.path().join("live.tree")).unwrap();
        let policy = Policy { records: 1, time: Duration::ZERO };
        let keeper = Checkpointer::new(LIVE, store.reader(), tree, (&file, &signer), policy);
        keeper.unwrap().write(&engine).unwrap();
        engine.stop().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let key = signer.of_ledger(LIVE, LIVE).verifier();
        let checkpoint = Checkpoint::find(&text, &key, None).unwrap();
        Self { store, folder, checkpoint }
    }

    fn prover(&self) -> Result<Prover, ProverError> {
        let tree = RecordTree::open(&self.folder.path().join("live.tree")).unwrap();
        Prover::new(self.store.reader(), LIVE, tree, self.checkpoint.clone())
    }

    /// The ledger as it stands, by a snapshot.
    fn beside(&self) -> Sequencer {
        let snapshots = Snapshots::in_folder(self.folder.path());
        snapshots.refresh(&mut *self.store.reader(), LIVE).unwrap();
        let size = self.checkpoint.size;
        let by = Sequencer::open_by_snapshot(&mut *self.store.reader(), LIVE, &snapshots, size);
        by.unwrap().unwrap()
    }
}

const fn draw(records: u64, seed: u64) -> Sample {
    Sample { records, seed }
}

#[test]
fn what_is_drawn_is_proved_with_the_operations_and_balances_it_touches() {
    let signed = Signed::new();
    let beside = signed.beside();
    let size = signed.checkpoint.size;
    let all = sample(&mut signed.prover().unwrap(), Some(&beside), draw(u64::MAX, 1)).unwrap();
    assert_eq!((all.size, all.records.len() as u64), (size, size));
    let (operations, records) = all.operations.unwrap();
    assert!(operations > 20 && operations < records, "{operations}, {records}");
    assert!(all.balances.unwrap() > 2, "{all:?}");
    assert_eq!(all.miss_chance(1).parts, 0);
    let drawn =
        |seed| sample(&mut signed.prover().unwrap(), Some(&beside), draw(10, seed)).unwrap();
    assert_eq!(drawn(7).records, drawn(7).records);
    assert_ne!(drawn(7).records, drawn(8).records);
    assert!(drawn(7).operations.unwrap().0 <= operations);
    // Without a snapshot nobody says which operations there are.
    let alone = sample(&mut signed.prover().unwrap(), None, draw(10, 7)).unwrap();
    assert_eq!((alone.operations, alone.balances), (None, None));
    assert_eq!(alone.records, drawn(7).records);
}

#[test]
fn a_record_that_was_changed_is_found_when_it_is_drawn_and_missed_otherwise() {
    let signed = Signed::new();
    // The first record of a row in the midst: before it lie rows that nothing was done to.
    let firsts = shell::query(&signed.store.target, "SELECT first, count FROM journal");
    let number = |text: &String| text.parse::<u64>().unwrap();
    let (target, count) = (number(&firsts[2][0]), number(&firsts[2][1]));
    signed.store.tamper(&format!(
        "UPDATE journal SET payload = zeroblob(length(payload)) WHERE first = {target}"
    ));
    let mut found = 0;
    for seed in 0..40 {
        match sample(&mut signed.prover().unwrap(), None, draw(5, seed)) {
            Ok(sampled) => {
                assert!(sampled.records.iter().all(|it| !(target..target + count).contains(it)));
            }
            Err(SampleRefused::Prover(ProverError::Tree(error))) => {
                assert!(error.to_string().starts_with("record "), "{error}");
                found += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(0 < found && found < 40, "{found} of 40 samples found it");
}

#[test]
fn a_ledger_that_was_rewritten_is_not_what_was_signed() {
    let signed = Signed::new();
    let (_, commits) = lived_in_commits_of(IN_A_ROW, STEPS);
    let rows: Vec<Row> = commits.into_iter().flat_map(|commit| commit.rows).collect();
    let rewritten = forged(&rows, |records| {
        records[5].cause.deadline = !records[5].cause.deadline;
    });
    let tree = RecordTree::open(&signed.folder.path().join("live.tree")).unwrap();
    let journal = Box::new(RowsGiven::new(rewritten));
    let refused = Prover::new(journal, LIVE, tree, signed.checkpoint.clone());
    assert!(matches!(refused, Err(ProverError::OtherRoot { .. })), "{refused:?}");
}
