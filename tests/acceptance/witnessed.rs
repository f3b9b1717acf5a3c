//! Checkpoints that leave the house: kept in the store, audited there, proved against, and sent to a
//! witness until it takes them; and two forks of one ledger, which no checkpoint fits both.

use std::fs;

use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::CheckpointsTable;
use ledger_store::projection::Target;
use ledger_store::signing::key::Verifier;
use ledger_store::signing::note::Note;
use tempfile::TempDir;

use crate::program::{DAY, done, refused};
use crate::witness::Witness;
use crate::{server, shell};

const VAULT_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A folder with a key.
struct House {
    folder: TempDir,
    key: String,
    live: Verifier,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("key").display().to_string();
        let (keys, _) = done(&["checkpoint-key", &key, "--name", "ledger.example.com"]);
        let live = keys.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
        let live = live.parse().unwrap();
        Self { folder, key, live }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn run(&self, lines: &str, store: &str, more: &[&str]) -> String {
        let given = ["run", lines, "--store", store, "--checkpoint-key", &self.key];
        done(&[&given[..], more].concat()).1
    }

    /// Tells whether the key of the live ledger signed this.
    fn signed(&self, text: &str) -> Checkpoint {
        let [note] = <[Note; 1]>::try_from(Note::all(text)).unwrap();
        Checkpoint::from_signed_note(&note, &self.live).unwrap()
    }
}

pub fn target(store: &str) -> Target {
    if store.starts_with("postgres") {
        Target::Postgres(store.parse().unwrap())
    } else {
        Target::Sqlite(store.into())
    }
}

fn in_store(store: &str, ledger: &str) -> Vec<String> {
    let notes = CheckpointsTable::notes(&target(store), ledger).unwrap();
    notes.iter().map(|(_, note)| note.to_string()).collect()
}

#[test]
fn checkpoints_stand_in_the_store_are_audited_and_proved_against_and_never_changed() {
    let house = House::new();
    for store in [house.path("ledger.db"), server::database()] {
        house.run(DAY, &store, &["--checkpoint-every", "5"]);
        let notes = in_store(&store, "live");
        assert_eq!(house.signed(notes.last().unwrap()).size, 64);
        let (audited, _) = done(&["audit", &store]);
        let counted =
            format!("Checkpoints of live in the store: {}, the last of record 64", notes.len());
        assert!(audited.contains(&counted), "{audited}");
        assert!(audited.contains("Checkpoints of sandbox in the store: "), "{audited}");
        // No file of checkpoints is needed to prove, only to verify.
        let (proof, kept) = (house.path("proof"), house.path("kept"));
        let given = ["prove", "balance", &*store, "loja", "--customer", "ana", "--output", &proof];
        done(&given);
        fs::write(&kept, notes.last().unwrap()).unwrap();
        done(&["verify-proof", &proof, "--checkpoint", &kept, "--key", &house.live.to_string()]);
        // Nobody changes or removes one by mistake.
        if let Target::Sqlite(_) = target(&store) {
            let sql = ["UPDATE ledger_checkpoint SET note = ''", "DELETE FROM ledger_checkpoint"];
            for sql in sql {
                let tried = std::panic::catch_unwind(|| shell::execute(&target(&store), sql));
                assert!(tried.is_err(), "{sql}");
            }
            shell::execute(&target(&store), "DROP TRIGGER ledger_checkpoint_stays");
        } else {
            for sql in [
                "UPDATE ledger_checkpoint SET note = ''",
                "DELETE FROM ledger_checkpoint",
                "TRUNCATE ledger_checkpoint",
            ] {
                assert!(server::execute(&store, sql).is_err(), "{sql}");
            }
            let sql = "DROP TRIGGER ledger_checkpoint_stays ON ledger_checkpoint";
            shell::execute(&target(&store), sql);
        }
        // A store that lets them is named by the audit, before anything was changed.
        let wrong = refused(&["audit", &store]);
        assert!(wrong.contains("ledger_checkpoint_stays is missing"), "{wrong}");
        // Whoever does it on purpose is named too: a size that is not the row's.
        let sql = "UPDATE ledger_checkpoint SET note = replace(note, '\n64\n', '\n63\n') \
            WHERE ledger = 'live' AND records = 64";
        shell::execute(&target(&store), sql);
        let wrong = refused(&["audit", &store]);
        let none = "checkpoint of ledger live at 64 records in the store is none";
        assert!(wrong.contains(none), "{wrong}");
        let sql = "UPDATE ledger_checkpoint SET note = 'nothing' WHERE ledger = 'live'";
        shell::execute(&target(&store), sql);
        let wrong = refused(&["audit", &store]);
        assert!(wrong.contains("checkpoint of ledger live at"), "{wrong}");
    }
}

#[test]
fn triggers_of_checkpoints_that_were_changed_or_added_are_named_by_the_audit() {
    let house = House::new();
    for (store, spoiled) in [
        (
            house.path("changed.db"),
            [
                "DROP TRIGGER ledger_checkpoint_is_kept",
                "CREATE TRIGGER ledger_checkpoint_is_kept BEFORE DELETE ON ledger_checkpoint \
                 BEGIN SELECT 1; END",
            ],
        ),
        (
            server::database(),
            [
                "CREATE RULE nothing AS ON INSERT TO ledger_checkpoint DO INSTEAD NOTHING",
                "ALTER TABLE ledger_checkpoint DISABLE TRIGGER ledger_checkpoint_stays",
            ],
        ),
    ] {
        house.run(DAY, &store, &["--checkpoint-every", "5"]);
        done(&["audit", &store]);
        for sql in spoiled {
            shell::execute(&target(&store), sql);
        }
        let wrong = refused(&["audit", &store]);
        let changed = if store.starts_with("postgres") { "stays" } else { "is_kept" };
        assert!(wrong.contains(&format!("ledger_checkpoint_{changed} is changed")), "{wrong}");
        assert_eq!(wrong.contains("nothing was added"), store.starts_with("postgres"), "{wrong}");
    }
}

#[test]
fn a_witness_that_fails_first_is_sent_everything_in_order_after_a_restart() {
    let house = House::new();
    for store in [house.path("ledger.db"), server::database()] {
        let witness = Witness::start(u32::MAX);
        let to = ["--checkpoint-every", "10", "--checkpoint-url", &*witness.url];
        let err = house.run(DAY, &store, &to);
        assert!(err.contains("a checkpoint waits for its witness"), "{err}");
        assert!(err.contains(" records was not taken: "), "{err}");
        assert!(witness.refused() > 0 && witness.taken().is_empty());
        // Another process, and a witness that has recovered but for two failures more.
        let recovered = Witness::start(2);
        let sql = format!("UPDATE ledger_checkpoint_sent SET url = '{}'", recovered.url);
        shell::execute(&target(&store), &sql);
        let next = house.path("next.jsonl");
        let line = r#"{"at":"2026-11-27T12:00:00Z","fact":"treasury.moved","body":{"id":"float-2","from":"equity.funding","to":"prov.pay","amount_cents":100}}"#;
        fs::write(&next, format!("{line}\n")).unwrap();
        let all = || [in_store(&store, "live"), in_store(&store, "sandbox")].concat();
        for _ in 0..20 {
            house.run(&next, &store, &["--checkpoint-url", &recovered.url]);
            if recovered.taken().len() >= all().len() {
                break;
            }
        }
        let taken = recovered.taken();
        for ledger in ["live", "sandbox"] {
            let origin = format!("ledger.example.com/{ledger}/{ledger}");
            let mine = |text: &&String| text.lines().next() == Some(&*origin);
            let mut taken: Vec<&String> = taken.iter().filter(mine).collect();
            taken.dedup();
            assert_eq!(taken, in_store(&store, ledger).iter().collect::<Vec<_>>());
        }
        // What was taken is not sent again.
        house.run(&next, &store, &["--checkpoint-url", &recovered.url]);
        assert_eq!(recovered.taken(), taken);
    }
}

#[test]
fn two_forks_of_one_ledger_are_not_both_consistent_with_one_checkpoint() {
    let house = House::new();
    let lines = fs::read_to_string(DAY).unwrap();
    let begin: String = lines.split_inclusive('\n').take(30).collect();
    let (common, left, right) =
        (house.path("common"), house.path("left.jsonl"), house.path("right.jsonl"));
    let moved = |cents: u32| {
        format!(
            r#"{{"at":"2026-11-21T12:00:00Z","fact":"treasury.moved","body":{{"id":"fork","from":"equity.funding","to":"prov.pay","amount_cents":{cents}}}}}"#
        )
    };
    fs::write(&common, begin).unwrap();
    fs::write(&left, moved(100) + "\n").unwrap();
    fs::write(&right, moved(200) + "\n").unwrap();
    let stores = [(house.path("left.db"), &left), (house.path("right.db"), &right)];
    let vault = ["--vault-key", VAULT_KEY];
    for (store, _) in &stores {
        house.run(&common, store, &[&vault[..], &["--checkpoint-every", "1000"]].concat());
    }
    // So far there is one ledger: what is signed of either is of both.
    let [one, other] = [0, 1].map(|place: usize| in_store(&stores[place].0, "live"));
    assert_eq!(one, other);
    let kept = house.path("kept");
    fs::write(&kept, &one[0]).unwrap();
    for (store, lines) in &stores {
        house.run(lines, store, &vault);
    }
    let witnessed = [0, 1].map(|place: usize| in_store(&stores[place].0, "live").pop().unwrap());
    let [first, second] = [0, 1].map(|place: usize| house.signed(&witnessed[place]));
    assert_eq!(first.size, second.size);
    assert_ne!(first.root, second.root);
    // What a witness holds of one fork, the other cannot go on from; the common past both can.
    let held = house.path("held");
    fs::write(&held, &witnessed[0]).unwrap();
    for (place, (store, _)) in stores.iter().enumerate() {
        let proof = house.path("proof");
        done(&["prove", "since", store, &kept, "--output", &proof]);
        let since = ["prove", "since", &**store, &*held, "--output", &*proof];
        let audit = ["audit", &**store, "--environment", "live", "--checkpoints", &*held];
        if place == 0 {
            done(&since);
            done(&audit);
        } else {
            assert!(refused(&since).contains("the checkpoint says root"));
            assert!(refused(&audit).contains("another past than"));
        }
    }
    // Nor does the signer itself sign a fork of what it signed before.
    let later = house.path("later.jsonl");
    fs::write(&later, moved(300).replace("fork", "later") + "\n").unwrap();
    let signed = [
        "run",
        &*later,
        "--store",
        &*stores[1].0,
        "--checkpoints",
        &*held,
        "--checkpoint-key",
        &*house.key,
    ];
    let err = refused(&signed);
    assert!(err.contains("the ledger is not what was signed at"), "{err}");
}
