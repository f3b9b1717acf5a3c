//! A thousand proofs of a simulated ledger: each is verified, and refused with one byte changed.
//!
//! With `PROOFS_KEPT=FOLDER` they are left there, for `tests/verifier/run`, where another program
//! verifies and refuses the same files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ledger_core::id::OpId;
use ledger_core::ledger::Event;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::{Checkpointer, CheckpointsFile, Policy, Prover};
use ledger_proofs::document::Proof;
use ledger_proofs::record_tree::RecordTree;
use ledger_store::engine::Engine;
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::{Journal, OpenMode, SqliteJournal};

const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// The ledger's name.
const NAME: &str = "simulated";

/// How many commands the history has.
const COMMANDS: &str = "6000";

/// How many proofs there are of each of three kinds, and one more of the first.
const EACH: usize = 333;

/// Numbers by chance, the same each time.
struct Dice(u64);

impl Dice {
    /// A number below this one.
    fn below(&mut self, end: usize) -> usize {
        // A step of SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }
}

fn reading(store: &Path) -> Box<dyn Journal> {
    Box::new(SqliteJournal::open(store, NAME, OpenMode::ReadOnly).unwrap())
}

/// A simulated ledger, signed at its end: the checkpoint, who verifies it, and who proves.
fn signed(folder: &Path) -> (Checkpoint, Verifier, Prover, Sequencer, Vec<OpId>) {
    let store = folder.join("simulated.db");
    let given = format!("sqlite:{}", store.display());
    let simulate = ["simulate", "--seed", "11", "--commands", COMMANDS, "--store", &*given];
    let done = Command::new(PROGRAM).args(simulate).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mode = OpenMode::create();
    let engine =
        Engine::start(Box::new(SqliteJournal::open(&store, NAME, mode).unwrap()), NAME, |_, _| ());
    let engine = engine.unwrap();
    let path = folder.join("checkpoints");
    let file = CheckpointsFile::open(&path).unwrap();
    let signer = Signer::new("ledger.example.com", [7; 32]).unwrap();
    let policy = Policy { records: 1, time: Duration::ZERO };
    let tree = RecordTree::in_memory();
    let keeper = Checkpointer::new(NAME, reading(&store), tree, (&file, &signer), policy);
    keeper.unwrap().write(&engine).unwrap();
    engine.stop().unwrap();
    let environment = reading(&store).identity().environment(NAME);
    let key = signer.of_ledger(NAME, environment.name()).verifier();
    fs::write(folder.join("key"), format!("{key}\n")).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let checkpoint = Checkpoint::find(&text, &key, None).unwrap();
    let mut operations = Vec::new();
    let sequencer = Sequencer::open(&mut *reading(&store), NAME, |_, record| {
        operations.extend(record.events.iter().filter_map(Event::op));
    });
    operations.sort_unstable();
    operations.dedup();
    let tree = RecordTree::in_memory();
    let prover = Prover::new(reading(&store), NAME, tree, checkpoint.clone()).unwrap();
    (checkpoint, key, prover, sequencer.unwrap(), operations)
}

/// Every holder of a balance: accounts, and customers of them.
fn holders(sequencer: &Sequencer) -> Vec<(String, Option<String>)> {
    use ledger_core::ledger::Archive as _;
    let (state, archive) = (&sequencer.ledger().state, &sequencer.ledger().archive);
    let mut holders = Vec::new();
    for (account, known) in state.accounts() {
        for (subaccount, _) in state.subaccounts_of(account, None) {
            let customer = archive.customer(subaccount).map(str::to_owned);
            holders.push((known.name.to_string(), customer));
        }
    }
    holders
}

#[test]
fn a_thousand_proofs_verify_and_each_with_one_byte_changed_is_refused() {
    let given = std::env::var_os("PROOFS_KEPT").map(PathBuf::from);
    let temporary = tempfile::tempdir().unwrap();
    let folder = given.unwrap_or_else(|| temporary.path().to_owned());
    fs::create_dir_all(&folder).unwrap();
    let (checkpoint, key, mut prover, sequencer, operations) = signed(&folder);
    let holders = holders(&sequencer);
    let size = usize::try_from(checkpoint.size).unwrap();
    assert!(size > 2_000 && operations.len() > EACH && holders.len() > 5, "{size} records");
    let name = sequencer.ledger().state.name.clone();
    let mut dice = Dice(20_261_124);
    let mut refusals = std::collections::BTreeSet::new();
    for number in 0..=3 * EACH {
        let proof = match number % 3 {
            0 => prover.record(dice.below(size) as u64 + 1),
            1 => {
                let op = operations[dice.below(operations.len())];
                prover.operation(&sequencer, &op.text(&name))
            }
            _ => {
                let (account, customer) = &holders[dice.below(holders.len())];
                prover.balance(account, customer.as_deref())
            }
        };
        let text = proof.unwrap().text();
        let verified = Proof::parse(&text).unwrap().check(&checkpoint, &key, None);
        assert!(verified.is_ok(), "proof {number}: {verified:?}");
        // Whatever byte it is: a proof has one form, so white space counts as much as content.
        let mut changed = text.clone().into_bytes();
        let place = dice.below(changed.len());
        changed[place] ^= 1 << dice.below(8);
        let refused = match std::str::from_utf8(&changed) {
            Err(error) => error.to_string(),
            Ok(changed) => match Proof::parse(changed) {
                Err(error) => error.to_string(),
                Ok(proof) => {
                    let checked = proof.check(&checkpoint, &key, None);
                    checked.expect_err(&format!("proof {number}, byte {place}")).to_string()
                }
            },
        };
        refusals.insert(refused.split(' ').take(2).collect::<Vec<_>>().join(" "));
        fs::write(folder.join(format!("{number:04}.proof")), text).unwrap();
        fs::write(folder.join(format!("{number:04}.changed")), changed).unwrap();
    }
    // Form and content were changed both.
    assert!(refusals.len() > 5, "{refusals:?}");
}
