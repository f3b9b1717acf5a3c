//! What the program proves to strangers: keys, checkpoints, proofs, and what is refused.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use tempfile::TempDir;

use crate::program::{DAY, PROGRAM, outcome, printed, refused};

/// A folder with a key, and a store that has lived the day with checkpoints.
struct Signed {
    folder: TempDir,
    key: String,
}

impl Signed {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut signed = Self { folder, key: String::new() };
        let made =
            printed(&["checkpoint-key", &signed.path("key"), "--name", "ledger.example.com"]);
        let live = made.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
        live.clone_into(&mut signed.key);
        signed.run(&["--checkpoint-every", "10"]);
        signed
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn run(&self, more: &[&str]) {
        let (store, kept, key) =
            (self.path("ledger.db"), self.path("checkpoints"), self.path("key"));
        let given =
            ["run", DAY, "--store", &store, "--checkpoints", &kept, "--checkpoint-key", &key];
        printed(&[&given[..], more].concat());
    }

    /// Proves something of the store by the file of checkpoints, into a file.
    fn prove(&self, what: &str, more: &[&str]) -> String {
        let (store, kept, file) =
            (self.path("ledger.db"), self.path("checkpoints"), self.path(what));
        let given = ["prove", what, &store, "--checkpoint", &kept, "--output", &file];
        printed(&[&given[..], more].concat());
        file
    }

    fn verify(&self, file: &str, more: &[&str]) -> (bool, String, String) {
        let kept = self.path("checkpoints");
        let given = ["verify-proof", file, "--checkpoint", &kept, "--key", &self.key];
        outcome(Command::new(PROGRAM).args([&given[..], more].concat()))
    }
}

#[test]
fn a_stranger_verifies_records_operations_and_balances_without_the_store() {
    let signed = Signed::new();
    let store = signed.path("ledger.db");
    let tables = printed(&["explain", &store, "loja"]);
    let operation = tables.split_whitespace().find(|word| word.starts_with("ci_")).unwrap();
    let files = [
        signed.prove("record", &["7"]),
        signed.prove("operation", &[operation]),
        signed.prove("balance", &["loja"]),
    ];
    // A checkpoint that somebody kept earlier: the first of the file.
    let all = fs::read_to_string(signed.path("checkpoints")).unwrap();
    let lines: Vec<&str> = all.lines().collect();
    let ends = lines.iter().position(|line| line.starts_with("— ")).unwrap();
    assert!(lines[0].ends_with("/live"), "{all}");
    fs::write(signed.path("kept"), lines[..=ends].join("\n") + "\n").unwrap();
    let since = signed.prove("since", &[&signed.path("kept")]);

    fs::remove_file(&store).unwrap();
    for file in &files {
        let (verified, out, err) = signed.verify(file, &[]);
        assert!(verified && out.starts_with("ledger.example.com/live/live at "), "{out}{err}");
    }
    let (verified, out, err) = signed.verify(&since, &["--since", &signed.path("kept")]);
    assert!(verified && out.contains("nothing up to record"), "{out}{err}");
}

#[test]
fn an_operation_is_proven_by_its_external_id_as_by_its_id() {
    let signed = Signed::new();
    let by_external_id = fs::read_to_string(signed.prove("operation", &["venda-2"])).unwrap();
    let proof: serde_json::Value = serde_json::from_str(&by_external_id).unwrap();
    let id = proof["operation"].as_str().unwrap();
    assert!(id.starts_with("ci_"), "{id}");
    let by_id = fs::read_to_string(signed.prove("operation", &[id])).unwrap();
    assert_eq!(by_id, by_external_id);
}

#[test]
fn whatever_does_not_match_is_named() {
    let signed = Signed::new();
    let file = signed.prove("record", &["7"]);
    let text = fs::read_to_string(&file).unwrap();
    let changed = signed.path("changed");
    for (from, to, why) in [
        ("\"record\": 7", "\"record\": 8", "record 8: its number, bytes and previous link"),
        ("  \"record\"", " \"record\"", "not in the form that it was written in"),
        ("/live/live", "/live/dead", "the proof is of"),
        ("{", "", "the file is no proof"),
    ] {
        fs::write(&changed, text.replacen(from, to, 1)).unwrap();
        let (verified, _, err) = signed.verify(&changed, &[]);
        assert!(!verified && err.contains(why), "{from}: {err}");
    }
    // Another key of the same name, and another ledger's.
    let (kept, other) = (signed.path("checkpoints"), signed.path("other"));
    let made = printed(&["checkpoint-key", &other, "--name", "ledger.example.com"]);
    for line in made.lines() {
        let key = line.split_once(": ").unwrap().1;
        refused(&["verify-proof", &file, "--checkpoint", &kept, "--key", key]);
    }
    let err = refused(&["verify-proof", &file, "--checkpoint", &kept, "--key", "a+b"]);
    assert!(err.contains("NAME+HASH+BASE64"), "{err}");
    // A checkpoint of which one digit was changed.
    let all = fs::read_to_string(&kept).unwrap();
    fs::write(&kept, all.replace("\ntotal cust:BRL ", "\ntotal cust:BRL 1")).unwrap();
    let (verified, _, err) = signed.verify(&file, &[]);
    assert!(!verified && err.contains("is not of this text"), "{err}");
}

#[test]
fn what_cannot_be_proved_is_refused_with_the_reason() {
    let signed = Signed::new();
    let (store, kept) = (signed.path("ledger.db"), signed.path("checkpoints"));
    let prove = |more: &[&str]| refused(&[&["prove"], more, &["--checkpoint", &kept]].concat());
    assert!(prove(&["record", &store, "900000"]).contains("is not in the checkpoint"));
    assert!(prove(&["record", &store, "0"]).contains("is not in the checkpoint"));
    assert!(prove(&["operation", &store, "ci_1"]).contains("is no operation"));
    assert!(prove(&["balance", &store, "nobody"]).contains("had no balance"));
    assert!(prove(&["record", &store, "1", "--at", "7777777"]).contains("no checkpoint"));
    let alone = refused(&["run", DAY, "--store", &store, "--checkpoints", &kept]);
    assert!(alone.contains("--checkpoint-key"), "{alone}");
}

#[test]
fn a_key_is_its_owners_and_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let text = path.display().to_string();
    let made = printed(&["checkpoint-key", &text, "--name", "ledger.example.com"]);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(printed(&["checkpoint-key", &text]), made);
    refused(&["checkpoint-key", &text, "--name", "ledger.example.com"]);
    assert_eq!(printed(&["checkpoint-key", &text]), made);
    refused(&["checkpoint-key", &folder.path().join("b").display().to_string(), "--name", "a b"]);
}

#[test]
fn an_audit_proves_the_tree_and_every_checkpoint() {
    let signed = Signed::new();
    let (store, kept) = (signed.path("ledger.db"), signed.path("checkpoints"));
    let out = printed(&["audit", &store, "--checkpoints", &kept]);
    assert!(out.contains("Tree of live: ") && out.contains("Checkpoints of live: "), "{out}");
    let tree = signed.folder.path().join("ledger.db.trees/live.tree");
    let sound = fs::read(&tree).unwrap();
    let mut changed = sound.clone();
    changed[32 * 9] ^= 1;
    fs::write(&tree, changed).unwrap();
    let err = refused(&["audit", &store]);
    assert!(err.contains("tree of live") && err.contains("NOT verified"), "{err}");
    fs::write(&tree, sound).unwrap();
    // Another ledger under the same name is not what was signed.
    fs::remove_file(&store).unwrap();
    printed(&["run", DAY, "--store", &store, "--strict"]);
    let err = refused(&["audit", &store, "--checkpoints", &kept]);
    assert!(err.contains("NOT verified"), "{err}");
    let key = signed.path("key");
    let given = ["run", DAY, "--again", "--store", &store, "--checkpoints", &kept];
    let err = refused(&[&given[..], &["--checkpoint-key", &key]].concat());
    assert!(err.contains("not what was signed"), "{err}");
}

#[test]
fn an_audit_passes_no_checkpoint_over() {
    let signed = Signed::new();
    let (store, kept) = (signed.path("ledger.db"), signed.path("checkpoints"));
    let all = fs::read_to_string(&kept).unwrap();
    let elsewhere = signed.path("elsewhere");
    fs::write(&elsewhere, all.replace("/live/live\n", "/loja/live\n")).unwrap();
    let err = refused(&["audit", &store, "--checkpoints", &elsewhere]);
    assert!(err.contains("ledger.example.com/loja/live") && err.contains("no such"), "{err}");
    printed(&["audit", &store, "--environment", "sandbox", "--checkpoints", &elsewhere]);
    fs::write(&elsewhere, "").unwrap();
    let err = refused(&["audit", &store, "--checkpoints", &elsewhere]);
    assert!(err.contains("elsewhere") && err.contains("there is no checkpoint"), "{err}");
}

/// The page that tells strangers how to verify shows a checkpoint, a key and three proofs.
#[test]
fn every_vector_of_the_page_on_proofs_verifies() {
    let page = include_str!("../../docs/PROOFS.md");
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    let text = |block: &str| block.split_once('\n').unwrap().1.to_owned();
    let find = |begins: &str| -> Vec<String> {
        let texts = blocks.iter().map(|block| text(block));
        texts.filter(|block| block.starts_with(begins)).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut said_of = find("ledger.example.com/live/live");
    let key = said_of.pop().unwrap();
    fs::write(path("checkpoint"), said_of.pop().unwrap()).unwrap();
    let proofs = find("{\n  \"proof\"");
    assert_eq!((said_of.len(), proofs.len()), (0, 3));
    for proof in proofs {
        fs::write(path("proof"), &proof).unwrap();
        let (file, checkpoint) = (path("proof"), path("checkpoint"));
        printed(&["verify-proof", &file, "--checkpoint", &checkpoint, "--key", key.trim()]);
    }
}
