//! A store that holds a directory of cells beside its ledgers: what each command makes of it.

use ledger_cells::directory::{DIRECTORY, DirectoryJournal};
use ledger_core::directory::{CellIdentity, Command, Placement};
use ledger_core::id::Environment;
use ledger_core::time::Instant;
use ledger_store::projection::Target;
use ledger_store::{OpenMode, SqliteJournal};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{DAY, printed, refused};
use crate::shell;

/// A store that lived the day and holds a directory: two cells, two accounts, one of them moving.
fn store() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let store = path.display().to_string();
    printed(&["run", DAY, "--store", &store]);
    let mode = OpenMode::Directory { environment: Some(Environment::Live) };
    let journal = SqliteJournal::open(&path, DIRECTORY, mode).unwrap();
    let mut directory = DirectoryJournal::open(Box::new(journal)).unwrap();
    let cell = |name: &str| {
        let (environment, key_check) = (Environment::Live, [7; 32]);
        Command::AddCell(CellIdentity { name: name.into(), environment, key_check })
    };
    let place = |account: &str| Command::Place {
        account: account.into(),
        placement: Placement::FewestAccounts,
    };
    let (id, to) = ("move-1".into(), "cell-b".into());
    let begin = Command::BeginMove { id, account: "loja".into(), to };
    let key = Command::BindKey { key: directory.key_hash("svc_live_loja"), account: "loja".into() };
    let at = Instant::parse("2026-11-20T12:00:00Z").unwrap();
    let all = [cell("cell-a"), cell("cell-b"), place("loja"), place("bazar"), key, begin];
    for command in all {
        directory.execute(&command, at).unwrap();
    }
    (folder, store)
}

#[test]
fn a_directory_is_proved_and_shown() {
    let (_folder, store) = store();
    let shown = printed(&["directory", &store]);
    let first = "Directory of live cells: 6 records, verified; 2 cells, 2 accounts, 1 keys, 1 moves \
                 under way\n  head 6:";
    assert!(shown.starts_with(first), "{shown}");
    for row in [
        "│ cell-a ┆        1 │",
        "│ loja    ┆ cell-a ┆                 ┆ move-1    │",
        "│ move-1 ┆ loja    ┆ cell-a ┆ cell-b ┆ under way │",
    ] {
        assert!(shown.contains(row), "{shown}");
    }
    let json: Value = serde_json::from_str(&printed(&["directory", &store, "--json"])).unwrap();
    assert_eq!(json["cells"][1], serde_json::json!({"cell": "cell-b", "accounts": 1}));
    assert_eq!(json["accounts"][0]["cell"], "cell-b");
    assert_eq!(json["moves"][0]["stage"], "under way");
}

#[test]
fn commands_for_ledgers_are_not_disturbed_by_a_directory_beside_them() {
    let (folder, store) = store();
    let audited = printed(&["audit", &store]);
    assert!(audited.contains("Directory of live cells: 6 records, verified"), "{audited}");
    let lines = printed(&["audit", &store, "--json"]);
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((&last["directory"], &last["records"]), (&"live".into(), &6.into()));
    printed(&["project", &store]);
    printed(&["snapshot", &store]);
    printed(&["audit", &store]);
    printed(&["run", DAY, "--store", &store]);
    let file = folder.path().join("ledger.records").display().to_string();
    printed(&["export", &store, "--format", "records", "--output", &file]);
    let copy = folder.path().join("copy.db").display().to_string();
    printed(&["import", &file, "--store", &copy]);
    let absent = refused(&["directory", &copy]);
    assert!(absent.contains("holds no directory of cells"), "{absent}");
}

#[test]
fn a_directory_is_no_ledger_by_name() {
    let (_folder, store) = store();
    for command in [
        &["audit", &store, "--ledger", DIRECTORY][..],
        &["export", &store, "--format", "records", "--ledger", DIRECTORY],
        &["export", &store, "--format", "csv", "--ledger", DIRECTORY],
    ] {
        let said = refused(command);
        assert!(said.contains("it is the name of the directory of cells"), "{said}");
    }
}

#[test]
fn a_directory_that_was_changed_or_cut_is_not_verified() {
    let (folder, store) = store();
    let target = Target::Sqlite(store.clone().into());
    let heads = folder.path().join("heads").display().to_string();
    let shown: Value = serde_json::from_str(&printed(&["directory", &store, "--json"])).unwrap();
    let link = shown["head"].as_str().unwrap();
    std::fs::write(&heads, format!("directory 6:{link}\n")).unwrap();
    printed(&["audit", &store, "--heads", &heads]);
    std::fs::write(&heads, format!("directory 7:{link}\n")).unwrap();
    let said = refused(&["audit", &store, "--heads", &heads]);
    assert!(said.contains("truncated: it ends at record 6"), "{said}");
    let triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'journal'";
    for name in shell::query(&target, triggers) {
        shell::execute(&target, &format!("DROP TRIGGER {}", name.join("")));
    }
    let mine = "ledger = (SELECT id FROM ledger WHERE name = 'directory')";
    let changed = format!(
        "UPDATE journal SET payload = CAST(substr(payload, 1, length(payload) - 1) || x'00' AS BLOB) \
         WHERE {mine} AND first = 3"
    );
    shell::execute(&target, &changed);
    for command in [&["directory", &store][..], &["audit", &store]] {
        let said = refused(command);
        assert!(said.contains("broken at record 3 of the directory"), "{said}");
        assert!(said.contains("Directory: NOT verified"), "{said}");
    }
}
