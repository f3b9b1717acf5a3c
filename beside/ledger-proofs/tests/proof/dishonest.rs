//! Proofs that somebody made up of parts that are sound: each hash leads where it says, and what
//! they say together is not so.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ledger_core::ledger::Event;
use ledger_proofs::check::{ProofRefused, Proved};
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::{CheckpointError, Prover};
use ledger_proofs::document::{OperationProof, Proof, RecordProof};
use ledger_proofs::record_tree::RecordTree;
use ledger_store::MemoryDisk;
use ledger_store::sequencer::Sequencer;
use tempfile::TempDir;

use crate::checkpointed::{
    checkpointer, commits, disk_of, engine, last, reading, signer, verifier,
};
use crate::setup::{LIVE, call, story};

/// A ledger of some lines with its checkpoint, and whoever proves what is in it.
struct Stage {
    folder: TempDir,
    checkpoint: Checkpoint,
    prover: Prover,
    sequencer: Sequencer,
    /// The ids of its operations.
    operations: Vec<String>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let disk = disk_of(&commits(200));
        let signing = engine(&disk);
        checkpointer(&disk, folder.path()).unwrap().write(&signing).unwrap();
        signing.stop().unwrap();
        let checkpoint = last(folder.path());
        let mut operations = Vec::new();
        let sequencer = Sequencer::open(&mut *reading(&disk), LIVE, |_, record| {
            operations.extend(record.events.iter().filter_map(Event::op));
        });
        let sequencer = sequencer.unwrap();
        operations.sort_unstable();
        operations.dedup();
        let name = sequencer.ledger().state.name.clone();
        let operations = operations.iter().map(|op| op.text(&name)).collect();
        let tree = RecordTree::in_memory();
        let prover = Prover::new(reading(&disk), LIVE, tree, checkpoint.clone()).unwrap();
        Self { folder, checkpoint, prover, sequencer, operations }
    }

    /// The proofs of two operations that have several records each.
    fn two_of_several_records(&mut self) -> [OperationProof; 2] {
        let mut found = Vec::new();
        for operation in &self.operations {
            let proof = self.prover.operation(&self.sequencer, operation).unwrap();
            let Proof::Operation(proof) = proof else { panic!("it is of an operation") };
            if proof.records.len() > 1 {
                found.push(proof);
            }
        }
        let last = found.pop().unwrap();
        [found.swap_remove(0), last]
    }

    fn check(&self, proof: &Proof) -> Result<Proved, ProofRefused> {
        proof.check(&self.checkpoint, &verifier(), None)
    }
}

/// A ledger that begins as that of `commits` and goes on otherwise.
fn fork() -> MemoryDisk {
    let disk = disk_of(&commits(200)[..2]);
    let forked = engine(&disk);
    story::each_line(500, |text| forked.call(call(text)).wait().unwrap());
    forked.stop().unwrap();
    disk
}

#[test]
fn an_operation_is_proved_by_its_records_from_the_first_on_each_once_and_in_order() {
    let mut stage = Stage::new();
    let [one, other] = stage.two_of_several_records();
    let check = |change: &dyn Fn(&mut OperationProof)| {
        let mut proof = one.clone();
        change(&mut proof);
        stage.check(&Proof::Operation(proof))
    };
    assert!(check(&|_| ()).is_ok());
    let order = |found: &Result<_, _>| matches!(found, Err(ProofRefused::Order { .. }));
    let found = check(&|proof| drop(proof.records.remove(0)));
    assert!(order(&found), "without its first record: {found:?}");
    let found = check(&|proof| proof.records.clear());
    assert!(order(&found), "without any: {found:?}");
    let found = check(&|proof| proof.records.push(proof.records.last().unwrap().clone()));
    assert!(order(&found), "with its last record twice: {found:?}");
    let found = check(&|proof| proof.records.reverse());
    assert!(order(&found), "in another order: {found:?}");
    let found = check(&|proof| proof.records.clone_from(&other.records));
    assert!(order(&found), "by the records of another: {found:?}");
    let found = check(&|proof| {
        proof.records.truncate(1);
        proof.records.push(other.records.last().unwrap().clone());
    });
    assert!(matches!(found, Err(ProofRefused::OfAnother { .. })), "with one of another: {found:?}");
}

#[test]
fn a_record_is_proved_at_its_own_number_with_its_own_bytes() {
    let mut stage = Stage::new();
    let size = stage.checkpoint.size;
    let [five, six] = [5, 6].map(|record| {
        let Proof::Record(proof) = stage.prover.record(record).unwrap() else { panic!("a record") };
        proof
    });
    let check = |change: &dyn Fn(&mut RecordProof)| {
        let mut proof = five.clone();
        change(&mut proof);
        stage.check(&Proof::Record(proof))
    };
    assert!(matches!(check(&|_| ()), Ok(Proved::Record(5, _))));
    let refused = |found: &Result<_, _>| matches!(found, Err(ProofRefused::Record { .. }));
    for number in [1, 4, 6, size, size + 1] {
        let found = check(&|proof| proof.record.record = number);
        assert!(refused(&found), "as record {number}: {found:?}");
    }
    let found = check(&|proof| proof.record.bytes.clone_from(&six.record.bytes));
    assert!(refused(&found), "with the bytes of the next: {found:?}");
    let found = check(&|proof| proof.record.previous_link = six.record.previous_link);
    assert!(refused(&found), "after another link: {found:?}");
    let found = check(&|proof| proof.record.path.push(*six.record.path.last().unwrap()));
    assert!(refused(&found), "with a hash too many: {found:?}");
    // A node of the tree is no record, although its hash is in it.
    let found = check(&|proof| {
        let mut bytes = BASE64_STANDARD.decode(&proof.record.bytes).unwrap();
        bytes.extend(proof.record.path[0].0);
        proof.record.bytes = BASE64_STANDARD.encode(bytes);
        proof.record.path.remove(0);
    });
    assert!(refused(&found), "as a node: {found:?}");
}

#[test]
fn a_proof_is_of_one_ledger_and_one_size() {
    let mut stage = Stage::new();
    let Proof::Record(proof) = stage.prover.record(3).unwrap() else { panic!("a record") };
    let other = RecordProof { origin: "ledger.example.com/other/live".into(), ..proof.clone() };
    let found = stage.check(&Proof::Record(other));
    assert!(matches!(found, Err(ProofRefused::Origin { .. })), "{found:?}");
    let other = RecordProof { size: proof.size - 1, ..proof };
    let found = stage.check(&Proof::Record(other));
    assert!(matches!(found, Err(ProofRefused::Size { .. })), "{found:?}");
}

#[test]
fn a_balance_is_proved_of_its_holder_under_its_columns() {
    let mut stage = Stage::new();
    let Proof::Balance(proof) = stage.prover.balance("loja", Some("ana")).unwrap() else {
        panic!("a balance")
    };
    assert!(stage.check(&Proof::Balance(proof.clone())).is_ok());
    let mut swapped = proof.clone();
    let renamed: Vec<String> = swapped.amounts.iter().rev().map(|it| it.column.clone()).collect();
    assert!(renamed.len() > 1);
    for (column, name) in swapped.amounts.iter_mut().zip(renamed) {
        column.column = name;
    }
    let found = stage.check(&Proof::Balance(swapped));
    assert!(matches!(found, Err(ProofRefused::Columns { .. })), "{found:?}");
    for customer in [None, Some("bia".to_owned())] {
        let mut other = proof.clone();
        other.customer = customer;
        let found = stage.check(&Proof::Balance(other));
        assert!(matches!(found, Err(ProofRefused::Balance(_))), "{found:?}");
    }
    let mut more = proof.clone();
    more.amounts[0].to.0 += 1;
    let found = stage.check(&Proof::Balance(more));
    assert!(matches!(found, Err(ProofRefused::Balance(_))), "{found:?}");
}

#[test]
fn a_fork_that_was_signed_at_the_same_size_is_not_what_was_kept() {
    let stage = Stage::new();
    let (kept, disk) = (&stage.checkpoint, fork());
    let mut tree = RecordTree::in_memory();
    tree.follow(&mut *reading(&disk), LIVE).unwrap();
    let mut at = |size| Checkpoint { size, root: tree.root(size).unwrap(), ..kept.clone() };
    let (then, now) = (at(kept.size), at(reading(&disk).head().unwrap().seq));
    assert!(now.size > kept.size && then.root != kept.root);
    let signed = then.sign(&signer().of_ledger(LIVE, LIVE));
    let tree = RecordTree::in_memory();
    let mut prover = Prover::new(reading(&disk), LIVE, tree, now.clone()).unwrap();
    let proof = prover.since(&signed).unwrap();
    assert!(proof.check(&now, &verifier(), None).is_ok(), "it goes on from what it brings");
    let refused = proof.check(&now, &verifier(), Some(kept)).unwrap_err();
    assert!(matches!(refused, ProofRefused::OtherEarlier { .. }), "{refused}");
    // What nobody signed is nothing to go on from.
    let mut unsigned = prover.since(&signed).unwrap();
    let Proof::Since(since) = &mut unsigned else { panic!("of what came since") };
    let another = signer().of_ledger("sandbox", "sandbox");
    since.since = then.sign(&another).to_string();
    let refused = unsigned.check(&now, &verifier(), None).unwrap_err();
    assert!(matches!(refused, ProofRefused::Earlier(_)), "{refused}");
}

#[test]
fn a_ledger_of_two_ends_does_not_go_on_from_either() {
    let stage = Stage::new();
    let (kept, disk) = (&stage.checkpoint, fork());
    let mut tree = RecordTree::in_memory();
    tree.follow(&mut *reading(&disk), LIVE).unwrap();
    let mut at = |size| Checkpoint { size, root: tree.root(size).unwrap(), ..kept.clone() };
    let (then, now) = (at(kept.size), at(reading(&disk).head().unwrap().seq));
    let tree = RecordTree::in_memory();
    let mut prover = Prover::new(reading(&disk), LIVE, tree, now.clone()).unwrap();
    let key = signer().of_ledger(LIVE, LIVE);
    let mut proof = prover.since(&then.sign(&key)).unwrap();
    let Proof::Since(since) = &mut proof else { panic!("of what came since") };
    since.since = kept.sign(&key).to_string();
    let refused = proof.check(&now, &verifier(), Some(kept)).unwrap_err();
    assert!(matches!(refused, ProofRefused::Forked { .. }), "{refused}");
    // Nor at the same size.
    let mut prover =
        Prover::new(reading(&disk), LIVE, RecordTree::in_memory(), then.clone()).unwrap();
    let mut proof = prover.since(&then.sign(&key)).unwrap();
    assert!(proof.check(&then, &verifier(), None).is_ok());
    let Proof::Since(since) = &mut proof else { panic!("of what came since") };
    since.since = kept.sign(&key).to_string();
    let refused = proof.check(&then, &verifier(), Some(kept)).unwrap_err();
    assert!(matches!(refused, ProofRefused::Forked { .. }), "{refused}");
}

#[test]
fn a_journal_that_ends_before_its_last_checkpoint_is_not_signed_again() {
    let stage = Stage::new();
    let shorter = disk_of(&commits(200)[..2]);
    let engine = engine(&shorter);
    let mut signing = checkpointer(&shorter, stage.folder.path()).unwrap();
    let refused = signing.write(&engine).unwrap_err();
    assert!(matches!(refused, CheckpointError::Forked { .. }), "{refused}");
    assert!(refused.to_string().ends_with("ends before it"), "{refused}");
    assert_eq!(last(stage.folder.path()), stage.checkpoint, "nothing is added");
    engine.stop().unwrap();
}
