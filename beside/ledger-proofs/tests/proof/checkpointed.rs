//! A ledger with its tree and checkpoints: kept as it grows, equal when it is made again, and
//! nothing signed that does not go on.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ledger_proofs::check::ProofRefused;
use ledger_proofs::checkpoint::{Checkpoint, CheckpointRefused};
use ledger_proofs::checkpoints::{
    CheckpointError, Checkpointer, CheckpointsFile, Policy, Prover, ProverError,
};
use ledger_proofs::document::Proof;
use ledger_proofs::record_tree::{RecordTree, TreeError};
use ledger_store::engine::Engine;
use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::signing::note::Note;
use ledger_store::{Commit, Journal, MemoryDisk, MemoryJournal, OpenMode};

use crate::setup::{LIVE, call, lived_in_commits_of, memory, story, write};

const NOW: Policy = Policy { records: 1, time: Duration::ZERO };

pub fn signer() -> Signer {
    Signer::new("ledger.example.com", [7; 32]).unwrap()
}

pub fn verifier() -> Verifier {
    signer().of_ledger(LIVE, LIVE).verifier()
}

pub fn reading(disk: &MemoryDisk) -> Box<dyn Journal> {
    Box::new(MemoryJournal::open(disk, LIVE, OpenMode::ReadOnly).unwrap())
}

pub fn disk_of(commits: &[Commit]) -> MemoryDisk {
    let disk = MemoryDisk::new();
    write(&mut memory(&disk), commits);
    disk
}

pub fn checkpointer(disk: &MemoryDisk, folder: &Path) -> Result<Checkpointer, CheckpointError> {
    let file = CheckpointsFile::open(&folder.join("checkpoints"))?;
    let tree = RecordTree::open(&folder.join("live.tree"))?;
    Checkpointer::new(LIVE, reading(disk), tree, (&file, &signer()), NOW)
}

pub fn last(folder: &Path) -> Checkpoint {
    let text = fs::read_to_string(folder.join("checkpoints")).unwrap();
    Checkpoint::find(&text, &verifier(), None).unwrap()
}

pub fn engine(disk: &MemoryDisk) -> Engine {
    Engine::builder(LIVE).take_over().start(Box::new(memory(disk))).unwrap()
}

/// The commits of a story, and those of another that begins like it.
pub fn commits(lines: usize) -> Vec<Commit> {
    lived_in_commits_of(37, lines).1
}

#[test]
fn a_tree_that_grew_with_its_ledger_equals_the_one_made_again() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), MemoryDisk::new());
    let engine = engine(&disk);
    let mut keeper = checkpointer(&disk, folder.path()).unwrap();
    let mut step = 0;
    story::each_line(400, |text| {
        step += 1;
        let response = engine.call(call(text)).wait().unwrap();
        if step % 23 == 0 {
            keeper.look(&engine).unwrap();
        }
        response
    });
    keeper.write(&engine).unwrap();
    assert_eq!(keeper.write(&engine).unwrap(), None);
    let head = engine.stop().unwrap();
    let checkpoint = last(folder.path());
    assert_eq!((checkpoint.size, checkpoint.head), (head.seq, head.link));

    let mut again = RecordTree::in_memory();
    again.follow(&mut *reading(&disk), LIVE).unwrap();
    assert_eq!((again.size(), again.root(head.seq).unwrap()), (head.seq, checkpoint.root));
    let mut opened = RecordTree::open(&folder.path().join("live.tree")).unwrap();
    assert_eq!(opened.size(), head.seq);
    assert!(!opened.follow(&mut *reading(&disk), LIVE).unwrap());
    assert_eq!(opened.audit(&mut *reading(&disk), LIVE).unwrap(), head.seq);

    let text = fs::read_to_string(folder.path().join("checkpoints")).unwrap();
    let all = Note::all(&text);
    assert!(all.len() > 10, "{text}");
    for note in all {
        let known = Checkpoint::from_signed_note(&note, &verifier()).unwrap();
        assert_eq!(again.root(known.size).unwrap(), known.root);
    }
}

#[test]
fn a_tree_that_is_behind_torn_or_of_another_past_is_mended_from_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.tree");
    let all = commits(300);
    let (whole, part) = (disk_of(&all), disk_of(&all[..3]));
    let mut tree = RecordTree::open(&path).unwrap();
    tree.follow(&mut *reading(&part), LIVE).unwrap();
    let behind = tree.size();
    assert!(!tree.follow(&mut *reading(&whole), LIVE).unwrap());
    let (size, root) = (tree.size(), tree.root(tree.size()).unwrap());
    assert!(behind < size);

    // What a crash left half written is beyond what the head counts.
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([7; 100]);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(RecordTree::open(&path).unwrap().root(size).unwrap(), root);
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let mut torn = RecordTree::open(&path).unwrap();
    assert_eq!(torn.size(), 0);
    torn.follow(&mut *reading(&whole), LIVE).unwrap();
    assert_eq!(torn.root(size).unwrap(), root);

    let mut other = RecordTree::open(&path).unwrap();
    assert!(other.follow(&mut *reading(&part), LIVE).unwrap(), "the journal is shorter");
    assert_eq!(other.size(), behind);
}

#[test]
fn nothing_is_proved_beyond_the_records_that_a_tree_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.tree");
    let all = commits(300);
    let (whole, part) = (disk_of(&all), disk_of(&all[..3]));
    let mut kept = RecordTree::open(&path).unwrap();
    kept.follow(&mut *reading(&whole), LIVE).unwrap();
    // The file keeps the hashes of a longer past, which the journal has lost.
    let mut again = RecordTree::open(&path).unwrap();
    assert!(again.follow(&mut *reading(&part), LIVE).unwrap());
    let mut in_memory = RecordTree::in_memory();
    in_memory.follow(&mut *reading(&part), LIVE).unwrap();
    for mut tree in [again, in_memory] {
        let size = tree.size();
        for more in [size + 1, 2 * size, kept.size(), 1 << 40, u64::MAX] {
            let of_paths = [tree.inclusion(1, more), tree.consistency(size, more)];
            let of_roots = tree.root(more).map(|root| vec![root]);
            for beyond in of_paths.into_iter().chain([of_roots]) {
                let is_short = matches!(&beyond, Err(TreeError::Short { tree, record })
                    if *tree == size && *record > size);
                assert!(is_short, "{size}, {more}: {beyond:?}");
            }
        }
    }
}

#[test]
fn an_audit_names_the_record_whose_hash_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.tree");
    let disk = disk_of(&commits(120));
    let mut tree = RecordTree::open(&path).unwrap();
    tree.follow(&mut *reading(&disk), LIVE).unwrap();
    let sound = fs::read(&path).unwrap();
    for hash in 0..sound.len() / 32 - 1 {
        let mut changed = sound.clone();
        changed[32 + 32 * hash + 5] ^= 1;
        fs::write(&path, &changed).unwrap();
        let found = RecordTree::open(&path).unwrap().audit(&mut *reading(&disk), LIVE);
        assert!(matches!(found, Err(TreeError::Differs { .. })), "hash {hash}: {found:?}");
    }
    let shorter = disk_of(&commits(120)[..1]);
    fs::write(&path, &sound).unwrap();
    let found = RecordTree::open(&path).unwrap().audit(&mut *reading(&shorter), LIVE);
    assert!(matches!(found, Err(TreeError::Beyond { .. })));
}

#[test]
fn nothing_is_signed_that_does_not_go_on_from_what_was_signed() {
    let folder = tempfile::tempdir().unwrap();
    let all = commits(200);
    let disk = disk_of(&all);
    let signed = engine(&disk);
    checkpointer(&disk, folder.path()).unwrap().write(&signed).unwrap();
    signed.stop().unwrap();

    // The same ledger with another end, which is longer.
    let fork = disk_of(&all[..2]);
    let forked = engine(&fork);
    story::each_line(500, |text| forked.call(call(text)).wait().unwrap());
    let refused = checkpointer(&fork, folder.path()).unwrap().write(&forked).unwrap_err();
    assert!(matches!(refused, CheckpointError::Forked { .. }), "{refused}");

    let kept = last(folder.path());
    let tree = RecordTree::in_memory();
    let refused = Prover::new(reading(&fork), LIVE, tree, kept).unwrap_err();
    assert!(matches!(refused, ProverError::OtherRoot { .. }), "{refused}");
    forked.stop().unwrap();
}

#[test]
fn a_proof_of_what_came_since_is_held_to_the_checkpoint_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let disk = disk_of(&commits(150));
    let engine = engine(&disk);
    let mut keeper = checkpointer(&disk, folder.path()).unwrap();
    keeper.write(&engine).unwrap();
    let kept = last(folder.path());
    let note = Note::all(&fs::read_to_string(folder.path().join("checkpoints")).unwrap());
    let mut said = 0;
    story::each_line(250, |text| {
        said += 1;
        if said <= 150 {
            return engine.call(call(text)).wait().unwrap();
        }
        let response = engine.call(call(text)).wait().unwrap();
        keeper.look(&engine).unwrap();
        response
    });
    let now = last(folder.path());
    assert!(now.size > kept.size);
    let tree = RecordTree::in_memory();
    let mut prover = Prover::new(reading(&disk), LIVE, tree, now.clone()).unwrap();
    let proof = prover.since(&note[0]).unwrap();
    let proof = Proof::parse(&proof.text()).unwrap();
    proof.check(&now, &verifier(), None).unwrap();
    proof.check(&now, &verifier(), Some(&kept)).unwrap();
    let refused = proof.check(&now, &verifier(), Some(&now)).unwrap_err();
    assert!(matches!(refused, ProofRefused::OtherEarlier { .. }));
    let refused = proof.check(&kept, &verifier(), None).unwrap_err();
    assert!(matches!(refused, ProofRefused::Size { .. }));
    let text = proof.text();
    for place in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        let believed =
            Proof::parse(&changed).is_ok_and(|proof| proof.check(&now, &verifier(), None).is_ok());
        assert!(!believed, "byte {place}");
    }
    engine.stop().unwrap();
}

#[test]
fn a_checkpoint_is_found_by_its_size_and_a_missing_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let disk = disk_of(&commits(60));
    let engine = engine(&disk);
    checkpointer(&disk, folder.path()).unwrap().write(&engine).unwrap();
    let text = fs::read_to_string(folder.path().join("checkpoints")).unwrap();
    let known = last(folder.path());
    assert_eq!(Checkpoint::find(&text, &verifier(), Some(known.size)), Ok(known.clone()));
    assert_eq!(Checkpoint::parse(&known.to_string()), Ok(known.clone()));
    let twice = format!("{text}\n{text}");
    let refused = Checkpoint::find(&twice, &verifier(), Some(known.size + 1)).unwrap_err();
    assert!(matches!(refused, CheckpointRefused::NoneOfSize { .. }), "{refused}");
    let other = signer().of_ledger("sandbox", "sandbox").verifier();
    let refused = Checkpoint::find(&text, &other, None).unwrap_err();
    assert!(matches!(refused, CheckpointRefused::Note(_)), "{refused}");
    engine.stop().unwrap();
}
