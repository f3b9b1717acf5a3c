//! A service signs checkpoints while it serves, and a last one when it ends.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ledger_proofs::checkpoints::CheckpointsTable;
use ledger_store::projection::Target;
use serde_json::json;

use super::serving::{Serving, agent, folder, post, program, serve};
use super::witness::Witness;

/// How many notes a file of checkpoints has, once it has more than `before`.
fn more_than(path: &Path, before: usize) -> usize {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let text = fs::read_to_string(path).unwrap();
        let notes = text.lines().filter(|line| line.starts_with("— ")).count();
        if notes > before {
            return notes;
        }
        assert!(Instant::now() < end, "no checkpoint after {before}: {text}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_service_signs_what_it_records_and_a_stranger_verifies_it() {
    let (folder, store) = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (key, kept, proof) = (path("key"), path("checkpoints"), path("proof"));
    let made = program(&["checkpoint-key", &key, "--name", "ledger.example.com"]);
    let made = String::from_utf8(made.stdout).unwrap();
    let public = made.lines().find_map(|line| line.strip_prefix("sandbox: ")).unwrap();
    let mut command = serve(&store);
    command.args(["--checkpoints", &kept, "--checkpoint-key", &key, "--checkpoint-every", "1"]);
    let serving = Serving::from_command(command);
    let url = format!("{}/keys/sandbox", serving.address("serves"));
    let mut notes = 0;
    for email in ["ana@example.com", "bia@example.com"] {
        let (status, answer) = post(&agent(), &url, ("x", "y"), &json!({ "email": email }));
        assert!(status < 300, "{answer}");
        notes = more_than(Path::new(&kept), notes);
    }
    serving.signal("TERM");
    let (said, ended) = serving.rest();
    assert!(ended, "{said}");

    let store = store.display().to_string();
    let given = ["prove", "record", &store, "1", "--environment", "sandbox", "--checkpoint", &kept];
    let proved = program(&[&given[..], &["--output", &proof]].concat());
    assert!(proved.status.success(), "{proved:?}");
    let verified = program(&["verify-proof", &proof, "--checkpoint", &kept, "--key", public]);
    assert!(verified.status.success(), "{verified:?}");
    let audited = program(&["audit", &store, "--checkpoints", &kept]);
    let said = String::from_utf8(audited.stdout).unwrap();
    assert!(audited.status.success() && said.contains("Checkpoints of sandbox: "), "{said}");
}

#[test]
fn a_service_sends_its_witness_what_it_signs_and_one_that_failed_when_it_is_back() {
    let (folder, store) = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let key = path("key");
    assert!(program(&["checkpoint-key", &key, "--name", "ledger.example.com"]).status.success());
    let witness = Witness::start(2);
    let mut command = serve(&store);
    command.args(["--checkpoint-key", &key, "--checkpoint-every", "1"]);
    command.args(["--checkpoint-url", &witness.url]);
    command.stderr(fs::File::create(path("errors")).unwrap());
    let serving = Serving::from_command(command);
    let url = format!("{}/keys/sandbox", serving.address("serves"));
    for email in ["ana@example.com", "bia@example.com"] {
        let (status, answer) = post(&agent(), &url, ("x", "y"), &json!({ "email": email }));
        assert!(status < 300, "{answer}");
    }
    let end = Instant::now() + Duration::from_secs(20);
    let of_sandbox = || {
        let taken = witness.taken().into_iter();
        taken.filter(|note| note.starts_with("ledger.example.com/sandbox/sandbox\n")).count()
    };
    while of_sandbox() == 0 {
        assert!(Instant::now() < end, "the witness was sent nothing in vain");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(witness.refused(), 2);
    serving.signal("TERM");
    let (said, ended) = serving.rest();
    assert!(ended, "{said}");
    let errors = fs::read_to_string(path("errors")).unwrap();
    assert!(errors.contains("a checkpoint waits for its witness"), "{errors}");
    // What was signed last, as it ended, was sent too.
    let notes = CheckpointsTable::notes(&Target::Sqlite(store), "sandbox").unwrap();
    let (_, last) = notes.last().unwrap();
    assert!(witness.taken().contains(&last.to_string()));
}
