//! Proofs of a simulated ledger: its records, operations and balances verify, and none does with
//! one byte changed.

#[path = "../../ledger-store/tests/setup/server.rs"]
mod server;

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use ledger_core::accounting::Control;
use ledger_core::id::OpId;
use ledger_core::ledger::Archive as _;
use ledger_proofs::balances::Owed;
use ledger_proofs::check::Proved;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::{Checkpointer, CheckpointsFile, Policy, Prover};
use ledger_proofs::document::Proof;
use ledger_proofs::record_tree::RecordTree;
use ledger_sim::{Settings, Store, simulate_on};
use ledger_store::engine::Engine;
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::{Journal, OpenMode, PostgresJournal};

/// The name of the ledger that a simulation runs.
const NAME: &str = "simulated";

/// How many proofs of each kind are made.
const TIMES: usize = 1_000;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        usize::try_from((self.0 >> 33) % bound as u64).unwrap()
    }
}

fn open(url: &str) -> Box<dyn Journal> {
    let server = url.parse().expect("the URL of a database");
    Box::new(PostgresJournal::open(&server, NAME, OpenMode::create()).unwrap())
}

/// The proof as a stranger reads it, and whether it is refused with a byte changed.
fn held(proof: &Proof, checkpoint: &Checkpoint, key: &Verifier, dice: &mut Dice) -> Proved {
    let text = proof.text();
    let read = |text: &str| Proof::parse(text).ok()?.check(checkpoint, key, None).ok();
    let proved = read(&text).unwrap_or_else(|| panic!("{text}"));
    let mut bytes = text.into_bytes();
    let place = dice.below(bytes.len());
    bytes[place] ^= 1 << dice.below(7);
    if let Ok(changed) = String::from_utf8(bytes) {
        assert_eq!(read(&changed), None, "byte {place}: {changed}");
    }
    proved
}

#[test]
fn records_operations_and_balances_are_proved_and_no_changed_proof_is() {
    let url = server::database();
    let store = Store::parse(&url).expect("the URL of a database");
    let settings = Settings::commands(5, 2_000);
    simulate_on(&settings, &store, &mut |_| ()).unwrap_or_else(|failure| panic!("{failure}"));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoints");
    let signer = Signer::new("ledger.example.com", [7; 32]).unwrap();
    let file = CheckpointsFile::open(&path).unwrap();
    let policy = Policy { records: 1, time: Duration::ZERO };
    let engine = Engine::start(open(&url), NAME, |_, _| ()).unwrap();
    let tree = RecordTree::open(&folder.path().join("tree")).unwrap();
    let mut keeper = Checkpointer::new(NAME, open(&url), tree, (&file, &signer), policy).unwrap();
    let size = keeper.look(&engine).unwrap().expect("a simulation records something");
    engine.stop().unwrap();

    let environment = open(&url).identity().environment(NAME);
    let key = signer.of_ledger(NAME, environment.name()).verifier();
    let kept = fs::read_to_string(&path).unwrap();
    let checkpoint = Checkpoint::find(&kept, &key, Some(size)).unwrap();
    let mut ops: BTreeSet<OpId> = BTreeSet::new();
    let ledger = Sequencer::open(&mut *open(&url), NAME, |_, record| {
        ops.extend(record.events.iter().filter_map(ledger_core::ledger::Event::op));
    })
    .unwrap();
    is_the_trial_balance(&ledger, &checkpoint);

    let tree = RecordTree::open(&folder.path().join("tree")).unwrap();
    let mut prover = Prover::new(open(&url), NAME, tree, checkpoint.clone()).unwrap();
    let mut dice = Dice(1);
    for _ in 0..TIMES {
        let record = 1 + dice.below(usize::try_from(size).unwrap()) as u64;
        let proof = prover.record(record).unwrap();
        let shown = held(&proof, &checkpoint, &key, &mut dice);
        assert_eq!(shown, Proved::Record(record, ledger.evidence(record).unwrap().after));
    }
    let state = &ledger.ledger().state;
    let known: Vec<OpId> = ops.into_iter().filter(|op| ledger.trail(*op).is_some()).collect();
    assert!(known.len() > 300, "{}", known.len());
    for _ in 0..TIMES {
        let op = known[dice.below(known.len())];
        let proof = prover.operation(&ledger, &op.text(&state.name)).unwrap();
        let shown = held(&proof, &checkpoint, &key, &mut dice);
        let Proved::Operation(_, records) = shown else { panic!("{shown:?}") };
        let trail: Vec<u64> = ledger.trail(op).unwrap().iter().map(|seq| seq.0).collect();
        assert!(!records.is_empty() && records.iter().all(|record| trail.contains(record)));
    }
    let subaccounts: Vec<_> =
        state.books.subaccounts().map(|(id, buckets)| (id, *buckets)).collect();
    for _ in 0..TIMES {
        let (id, buckets) = subaccounts[dice.below(subaccounts.len())];
        let account = state.subaccount(id).unwrap().account;
        let account = &state.account(account).unwrap().name;
        let proof = prover.balance(account, ledger.ledger().archive.customer(id)).unwrap();
        let shown = held(&proof, &checkpoint, &key, &mut dice);
        let Proved::Balance(_, columns) = shown else { panic!("{shown:?}") };
        assert_eq!(columns[0].owed, Owed::from_balance(buckets.total().cents().into()));
    }
}

/// The totals of the checkpoint are what the control accounts say is owed.
fn is_the_trial_balance(ledger: &Sequencer, checkpoint: &Checkpoint) {
    let books = &ledger.ledger().state.books;
    let custody = [Control::Available, Control::Held, Control::Frozen];
    let custody: i128 = custody.into_iter().map(|control| books.balance(control)).sum();
    let totals = &checkpoint.balances.totals;
    let net = |owed: Owed| i128::try_from(owed.to).unwrap() - i128::try_from(owed.by).unwrap();
    assert_eq!(net(totals[0].owed), custody);
    assert_eq!(net(totals[1].owed), books.balance(Control::Commission));
    let wallets: i128 = totals[2..].iter().map(|total| net(total.owed)).sum();
    let coins = books.coins().filter(|(_, account, _)| account.wallet().is_some());
    assert_eq!(wallets, coins.map(|(.., units)| units).sum::<i128>());
    assert!(totals.len() > 2 && totals[0].owed.to > 0 && wallets != 0, "{totals:?}");
}
