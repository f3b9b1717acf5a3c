//! Snapshots by the program: made beside the file, taken up by readers, trusted never blindly.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use ledger_store::moment::Moment;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::{Journal as _, OpenMode, SqliteJournal};

use crate::killed::PROGRAM;
use crate::program::{called, printed, refused};

#[test]
fn a_snapshot_shortens_what_reads_and_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db").display().to_string();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    printed(&["run", day, "--store", &store]);
    let questions: [&[&str]; 3] = [
        &["saldo", &store, "loja"],
        &["saldo", &store, "loja", "--customer", "ana", "--json"],
        &["extrato", &store, "loja", "--customer", "bruno", "--json"],
    ];
    let answers = questions.map(printed);

    let first = printed(&["snapshot", &store]);
    assert_eq!(first.lines().count(), 2, "{first}");
    assert!(first.lines().all(|line| line.contains("begun with the first record: ")), "{first}");
    assert_eq!(questions.map(printed), answers);
    let second = printed(&["snapshot", &store]);
    assert!(second.starts_with("live: record "), "{second}");
    assert!(second.lines().all(|line| line.contains("begun after record ")), "{second}");

    // Damaged, it is named and passed over.
    for entry in fs::read_dir(folder.path().join("ledger.db.snapshots")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(questions.map(printed), answers);
    let third = printed(&["snapshot", &store]);
    let why = "begun with the first record, since the snapshot is damaged: its hash: ";
    assert!(third.lines().all(|line| line.contains(why)), "{third}");
    assert_eq!(questions.map(printed), answers);
}

#[test]
fn a_store_without_a_file_says_where_its_snapshots_are_to_stand() {
    let output = called(&["snapshot", "memory:"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let why = "custody-ledger: memory:: say with --folder where its snapshots are to stand\n";
    assert_eq!(text, why);

    let url = crate::server::database();
    let folder = tempfile::tempdir().unwrap();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    printed(&["run", day, "--store", &url]);
    let said = printed(&["snapshot", &url, "--folder", &folder.path().display().to_string()]);
    assert_eq!(said.lines().count(), 2, "{said}");
    let folder = folder.path().display().to_string();
    assert!(fs::read_dir(&folder).unwrap().count() > 2, "{said}");
    // Whoever reads the store says where they stand; they change no answer.
    for question in [
        &["saldo", &url, "loja", "--at", "20"][..],
        &["compare", &url, "--from", "10", "--to", "20"],
        &["trial-balance", &url],
    ] {
        assert_eq!(printed(&[question, &["--snapshots", &folder]].concat()), printed(question));
    }
    let newest_alone = printed(&["snapshot", &url, "--folder", &folder, "--earlier", "0"]);
    assert!(!newest_alone.contains(" of earlier records"), "{newest_alone}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    assert!(!called(&["snapshot", &url, "--earlier", "1025"]).status.success());
}

/// The live ledger's earlier snapshots that stand, each of which is whole: nothing is replayed for
/// the moment that it is of.
fn earlier(store: &str, snapshots: &Snapshots) -> BTreeMap<u64, Vec<u8>> {
    let mut journal = SqliteJournal::open(store, "live", OpenMode::ReadOnly).unwrap();
    let found = snapshots.earlier("live", journal.identity()).into_iter();
    found
        .map(|(record, path)| {
            let (moment, mut replayed) = (Moment::Records(record), 0);
            let count = |_: &Sequencer, _: &_| replayed += 1;
            Sequencer::open_at(&mut journal, "live", Some(snapshots), moment, count).unwrap();
            assert_eq!(replayed, 0, "the snapshot of record {record} was not to be trusted");
            (record, fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn killed_at_any_instant_a_snapshot_leaves_those_before_it_and_every_moment() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db").display().to_string();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    printed(&["run", day, "--store", &store]);
    let kept = folder.path().join("ledger.db.snapshots");
    let snapshots = Snapshots::in_folder(&kept);
    let asked = |at: u64| printed(&["trial-balance", &store, "--at", &at.to_string(), "--json"]);
    let expected: Vec<String> = (1..=30).map(asked).collect();
    printed(&["snapshot", &store]);
    let finished: Vec<u64> = earlier(&store, &snapshots).into_keys().collect();
    assert!(finished.len() > 7, "{finished:?}");
    let (mut killed, mut between) = (0, 0);
    for round in 0..40_u64 {
        // What a round has to write: everything, or the later half again.
        let spared = if round % 2 == 0 { 0 } else { finished.len() / 2 };
        for path in fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()) {
            let spared = finished[..spared]
                .iter()
                .any(|record| path.to_str().unwrap().ends_with(&format!(".{record}.snapshot")));
            if !spared {
                fs::remove_file(path).unwrap();
            }
        }
        let before = earlier(&store, &snapshots);
        let mut writing = Command::new(PROGRAM);
        let mut writing = writing.args(["snapshot", &store]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(700 * round));
        killed += usize::from(writing.try_wait().unwrap().is_none());
        writing.kill().unwrap();
        writing.wait().unwrap();
        let after = earlier(&store, &snapshots);
        assert!(before.iter().all(|(record, bytes)| after.get(record) == Some(bytes)));
        between += usize::from(before.len() < after.len() && after.len() < finished.len());
        let at = round % 30 + 1;
        assert_eq!(asked(at), expected[usize::try_from(at).unwrap() - 1]);
    }
    assert!(killed > 10, "killed {killed} times, {between} times between two");
    printed(&["snapshot", &store]);
    assert!(earlier(&store, &snapshots).into_keys().eq(finished));
    let left = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path());
    assert!(left.into_iter().all(|path| path.extension().is_some_and(|it| it == "snapshot")));
}

#[test]
fn what_is_made_of_a_store_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db").display().to_string();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    printed(&["run", day, "--store", &store]);
    printed(&["snapshot", &store]);
    let tables = folder.path().join("tables.db");
    printed(&["project", &store, "--into", &tables.display().to_string()]);
    let snapshots = folder.path().join("ledger.db.snapshots");
    let files = fs::read_dir(&snapshots).unwrap().map(|file| file.unwrap().path());
    for path in files.chain([tables, snapshots.clone()]) {
        let mode = path.metadata().unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}", path.display());
    }
}

#[test]
fn a_snapshot_that_could_not_be_written_leaves_no_folder_of_its_own_and_removes_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    let store = format!("file://{}", folder.path().join("books").display());
    printed(&["run", day, "--store", &store]);
    let snapshots = folder.path().join("snapshots");
    // No file may grow, as on a full disk.
    let full = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    for was_there in [false, true] {
        let mut snapshot = Command::new("sh");
        snapshot.args(["-c", full, PROGRAM, "snapshot", &store, "--folder"]).arg(&snapshots);
        let output = snapshot.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("cannot be written"), "{said}");
        assert_eq!(snapshots.exists(), was_there);
        if !was_there {
            fs::create_dir(&snapshots).unwrap();
        }
    }
}

#[test]
fn rulings_79_a_store_that_is_gone_is_not_begun_anew_beside_its_snapshots() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db").display().to_string();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    printed(&["run", day, "--store", &store]);
    printed(&["snapshot", &store]);
    for emptied in [false, true] {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{store}{end}"));
        }
        if emptied {
            fs::write(&store, "").unwrap();
        }
        let serve = ["serve", "--store", &store, "--listen", "127.0.0.1:0"];
        let said = refused(&serve);
        let (_, head) = said.split_once("accept_loss): ").unwrap();
        let head = head.lines().next().unwrap();
        assert!(said.contains("records 1 to ") && head.starts_with("0:"), "{said}");
        if emptied {
            printed(&["run", day, "--store", &store, "--accept-loss", head]);
        }
    }
}

#[test]
fn rulings_80_a_file_of_two_names_is_written_by_neither() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).display().to_string();
    let (store, link) = (named("ledger.db"), named("link.db"));
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    printed(&["run", day, "--store", &store]);
    fs::hard_link(&store, &link).unwrap();
    for store in [&store, &link] {
        let said = refused(&["run", day, "--store", store]);
        assert!(said.contains("a hard link gives it a second name"), "{said}");
    }
    printed(&["audit", &link]);
    fs::remove_file(&link).unwrap();
    printed(&["run", day, "--store", &store]);
}
