//! A witness refuses with a status of its own for each reason, and keeps the evidence.

use std::path::Path;

use ledger_store::signing::{key::Signer, note::Note};
use ledger_witness::{
    AddCheckpoint, EvidencePlace, FolderError, SignedNote, Witness, WitnessFolder, origin_hash,
};

use crate::log::{Log, NOW, ORIGIN, ask, log_key, sign, status, witness_in, witness_key};

fn raw(witness: &Witness, body: &str) -> u16 {
    witness.add_checkpoint(body.as_bytes(), &|| NOW).answer.status()
}

#[test]
fn each_fault_of_a_request_has_the_status_of_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(9, 0));
    let good = log.request(0, 5);
    let body = good.to_string();
    for wrong in [
        "",
        "old 0\n",
        "nothing",
        &body.replacen("old 0", "old 00", 1),
        &body.replacen("old 0", "old -1", 1),
        &body.replacen("old 0\n", "old 0\nAAAA\n", 1),
        &body.replacen("\n5\n", "\n05\n", 1),
        &body.replace('—', "-"),
        &body[..body.len() - 1],
        &body.replacen("extension", "exten\tsion", 1),
        &format!("old 0\n{}\n{}", "A".repeat(43) + "=\n", good.checkpoint).replacen('A', "", 1),
    ] {
        assert_eq!(raw(&witness, wrong), 400, "{wrong}");
    }
    let many = format!("{}=\n", "A".repeat(43)).repeat(64);
    assert_eq!(raw(&witness, &body.replacen("old 0\n", &format!("old 0\n{many}"), 1)), 400);
    let behind = AddCheckpoint { old: 6, ..good.clone() };
    assert_eq!(status(&witness, &behind), 400, "the old size is the larger one");

    let other = Signer::new("other.example", [3; 32]).unwrap();
    let text = good.checkpoint.text();
    let signed = |text: &str, key: &Signer| -> SignedNote {
        Note::sign(text, key).to_string().parse().unwrap()
    };
    let unknown = signed(&text.replacen(ORIGIN, "other.example", 1), &other);
    assert_eq!(status(&witness, &AddCheckpoint { checkpoint: unknown, ..good.clone() }), 404);
    let foreign = signed(text, &other);
    assert_eq!(status(&witness, &AddCheckpoint { checkpoint: foreign, ..good.clone() }), 403);
    let namesake = signed(text, &Signer::new(ORIGIN, [3; 32]).unwrap());
    assert_eq!(status(&witness, &AddCheckpoint { checkpoint: namesake, ..good.clone() }), 403);
    let forged = body.replacen("extension", "extensiom", 1);
    assert_eq!(raw(&witness, &forged), 403, "the signature is of another text");
    // Lines of unknown keys are passed over.
    let mut several = good.checkpoint.clone();
    several.add(signed(text, &other).signatures()[0].clone());
    assert_eq!(status(&witness, &AddCheckpoint { checkpoint: several, ..good }), 200);

    let conflict = ask(&witness, &log.request(4, 9)).answer;
    assert_eq!((conflict.status(), &*conflict.body()), (409, "5\n"));
    assert_eq!(conflict.content_type(), "text/x.tlog.size");
    assert_eq!(status(&witness, &log.request(0, 5)), 409, "it is not from 0 any more");
    assert_eq!(status(&witness, &log.request(5, 9)), 200);
    let shrunk = ask(&witness, &log.request(5, 5)).answer;
    assert_eq!((shrunk.status(), &*shrunk.body()), (409, "9\n"), "never a smaller tree");
}

#[test]
fn a_log_of_two_keys_needs_one_of_them_and_no_line_that_names_the_other_and_is_not_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    WitnessFolder::create(&path, &witness_key()).unwrap();
    let (key, state) = WitnessFolder::open(&path).unwrap();
    let second = Signer::new(ORIGIN, [4; 32]).unwrap();
    let keys = vec![log_key(), second.verifier().to_string().parse().unwrap()];
    let witness = Witness::new(key, [(ORIGIN.to_owned(), keys)], Box::new(state));
    let (mut request, other) = (Log::new(5, 0).request(0, 5), Log::new(5, 0).request(0, 4));
    let line = |text: &str| {
        let note: SignedNote = Note::sign(text, &second).to_string().parse().unwrap();
        note.signatures()[0].clone()
    };
    request.checkpoint.add(line(other.checkpoint.text()));
    assert_eq!(status(&witness, &request), 403);
    request.checkpoint.add(line(request.checkpoint.text()));
    assert_eq!(status(&witness, &request), 200);
}

#[test]
fn a_tree_without_leaves_has_one_root_and_nothing_is_proved_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let (witness, log) = (witness_in(&folder.path().join("w")), Log::new(3, 0));
    let empty = sign(&format!("{ORIGIN}\n0\n{}\n", log.root(1).base64()));
    let lie = AddCheckpoint { old: 0, proof: Vec::new(), checkpoint: empty };
    assert_eq!(status(&witness, &lie), 422);
    assert_eq!(status(&witness, &log.request(0, 0)), 200);
    let needless = AddCheckpoint { proof: log.proof(1, 3), ..log.request(0, 3) };
    assert_eq!(status(&witness, &needless), 422);
    assert_eq!(status(&witness, &log.request(0, 3)), 200);
}

/// The files of evidence of the log, by name.
fn evidence(folder: &Path) -> Vec<(String, String)> {
    let folder = folder.join("logs").join(origin_hash(ORIGIN)).join("evidence");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut files: Vec<_> = files.map(|file| read(file.unwrap().path())).collect();
    files.sort();
    files
}

#[test]
fn a_fork_is_refused_and_leaves_both_signed_checkpoints_as_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    let (witness, log, fork) = (witness_in(&path), Log::new(20, 0), Log::new(20, 7));
    assert_eq!(status(&witness, &log.request(0, 12)), 200);
    for (old, expected) in [(12, 422), (3, 409), (0, 409)] {
        let request = AddCheckpoint { old, ..fork.request(0, 12) };
        let refused = ask(&witness, &request);
        assert_eq!(refused.answer.status(), expected);
        let left = refused.evidence.expect("it is kept");
        assert!(left.is_fork);
        let kept = left.kept.unwrap();
        assert_eq!(
            matches!(kept, EvidencePlace::Written(_)),
            old == 12,
            "the first one is told of"
        );
        assert_eq!(kept == EvidencePlace::Known, old != 12, "{kept:?}");
    }
    let files = evidence(&path);
    assert_eq!(files.len(), 1, "the same two checkpoints are one piece of evidence: {files:?}");
    assert!(files[0].0.starts_with("fork-12-"), "{files:?}");
    // Anybody with the log's key verifies both: two roots of one size.
    let notes = Note::all(&files[0].1);
    let roots: Vec<_> = notes.iter().map(|note| note.text.lines().nth(2).unwrap()).collect();
    assert_eq!(roots, [log.root(12).base64(), fork.root(12).base64()]);
    for note in &notes {
        note.verify(&crate::log::signer().verifier()).unwrap();
    }
    // A fork that has grown meanwhile has no proof; the log goes on.
    let grown = ask(&witness, &AddCheckpoint { old: 12, ..fork.request(12, 20) });
    assert_eq!(grown.answer.status(), 422);
    assert!(grown.evidence.is_some_and(|left| !left.is_fork));
    assert_eq!(evidence(&path).len(), 2);
    assert_eq!(status(&witness, &log.request(12, 20)), 200);
}

#[test]
fn whoever_sends_proofs_that_lead_nowhere_does_not_fill_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    let (witness, log) = (witness_in(&path), Log::new(300, 0));
    assert_eq!(status(&witness, &log.request(0, 100)), 200);
    for size in 101..300 {
        let request = AddCheckpoint { proof: Vec::new(), ..log.request(100, size) };
        assert_eq!(status(&witness, &request), 422);
    }
    assert_eq!(evidence(&path).len(), 64);
    let fork = AddCheckpoint { old: 100, ..Log::new(100, 7).request(0, 100) };
    assert_eq!(status(&witness, &fork), 422);
    assert_eq!(evidence(&path).len(), 65, "a fork is kept all the same");
}

#[test]
fn a_log_that_signs_many_forks_does_not_fill_the_disk_and_each_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    let (witness, log) = (witness_in(&path), Log::new(5, 0));
    assert_eq!(status(&witness, &log.request(0, 4)), 200);
    let fork = |salt| {
        let refused = ask(&witness, &AddCheckpoint { old: 4, ..Log::new(4, salt).request(0, 4) });
        assert_eq!(refused.answer.status(), 422);
        let left = refused.evidence.expect("it is told of");
        assert!(left.is_fork);
        left.kept.unwrap()
    };
    for salt in 1..=64 {
        assert!(matches!(fork(salt), EvidencePlace::Written(_)), "fork {salt}");
    }
    assert_eq!(
        [fork(65), fork(66), fork(64)],
        [EvidencePlace::Full, EvidencePlace::Full, EvidencePlace::Known]
    );
    assert_eq!(evidence(&path).len(), 64);
    // What proves nothing by itself is counted apart.
    let unproved = AddCheckpoint { proof: Vec::new(), ..log.request(4, 5) };
    let left = ask(&witness, &unproved).evidence.expect("it is kept");
    assert!(matches!(left.kept.unwrap(), EvidencePlace::Written(_)));
    assert_eq!(evidence(&path).len(), 65);
}

#[test]
fn a_folder_without_its_past_or_in_use_is_no_witness() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    let first = witness_in(&path);
    assert!(matches!(WitnessFolder::open(&path), Err(FolderError::InUse(_))));
    drop(first);
    assert!(WitnessFolder::create(&path, &witness_key()).is_err(), "nothing is made twice");
    let (key, open) = WitnessFolder::open(&path).unwrap();
    assert_eq!(key.public(), witness_key().public());
    drop(open);
    std::fs::remove_dir_all(path.join("logs")).unwrap();
    assert!(matches!(WitnessFolder::open(&path), Err(FolderError::Forgotten(_))));
}

#[test]
fn a_memory_that_was_changed_cosigns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w");
    let (witness, log) = (witness_in(&path), Log::new(9, 0));
    assert_eq!(status(&witness, &log.request(0, 5)), 200);
    let file = path.join("logs").join(origin_hash(ORIGIN)).join("checkpoint");
    let text = std::fs::read_to_string(&file).unwrap();
    for changed in [text.replacen("\n5\n", "\n4\n", 1), text[..text.len() / 2].to_owned()] {
        std::fs::write(&file, changed).unwrap();
        assert_eq!(status(&witness, &log.request(5, 9)), 503);
        assert!(witness.checkpoint(&origin_hash(ORIGIN)).is_err());
    }
    std::fs::write(&file, text).unwrap();
    assert_eq!(status(&witness, &log.request(5, 9)), 200);
}
