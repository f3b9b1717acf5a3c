//! What `audit` names of a store that somebody changed, and against what it verifies.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use ledger_store::projection::Target;
use tempfile::TempDir;

use crate::program::{DAY, PROGRAM, outcome, printed, refused};
use crate::{server, shell};

/// A store that has lived the day, with its tables and the heads that were kept of it.
struct Lived {
    folder: TempDir,
    store: String,
    target: Target,
}

impl Lived {
    fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let store = path.display().to_string();
        Self { folder, store, target: Target::Sqlite(path) }.lived()
    }

    fn postgres() -> Self {
        let store = server::database();
        let target = Target::Postgres(store.parse().unwrap());
        Self { folder: tempfile::tempdir().unwrap(), store, target }.lived()
    }

    fn lived(self) -> Self {
        printed(&["run", DAY, "--store", &self.store, "--heads", &self.path("heads")]);
        printed(&["project", &self.store]);
        self
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn is_sqlite(&self) -> bool {
        matches!(self.target, Target::Sqlite(_))
    }

    /// Does this to the store, and leaves its triggers as they were.
    fn tamper(&self, sql: &str) {
        let mut triggers = Vec::new();
        if self.is_sqlite() {
            let all = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";
            triggers = shell::query(&self.target, all);
        }
        for trigger in &triggers {
            shell::execute(&self.target, &format!("DROP TRIGGER {}", trigger[0]));
        }
        shell::execute(&self.target, sql);
        for trigger in &triggers {
            shell::execute(&self.target, &trigger[1]);
        }
    }

    fn audited(&self) -> String {
        printed(&["audit", &self.store])
    }

    fn not_verified(&self) -> String {
        refused(&["audit", &self.store])
    }
}

#[test]
fn what_nobody_changed_is_verified_and_says_against_what() {
    for lived in Lived::both() {
        let report = lived.audited();
        assert!(report.contains("Ledger live: verified"), "{report}");
        assert!(report.contains("verified against no kept head"), "{report}");
        assert!(report.contains("Tables of live: "), "{report}");
        let report = printed(&["audit", &lived.store, "--heads", &lived.path("heads")]);
        assert!(report.contains("verified against ") && !report.contains("no kept"), "{report}");
    }
}

/// Somebody puts another PIX key in the place of the one that is paid.
#[test]
fn another_key_in_the_vault_is_named_and_nobody_is_paid_by_it() {
    for lived in Lived::both() {
        let thief = if lived.is_sqlite() { "'11144477735'" } else { "'11144477735'::bytea" };
        let mask = if lived.is_sqlite() { "'***.444.777-**'" } else { "'***.444.777-**'::bytea" };
        lived.tamper(&format!("UPDATE vault SET value = {thief}, mask = {mask} WHERE kind = 3"));
        let named = "the vault: the row of token ";
        for arguments in [
            &["audit", &lived.store][..],
            &["run", DAY, "--store", &lived.store],
            &[
                "export",
                &lived.store,
                "--format",
                "records",
                "--with-vault",
                "--output",
                &lived.path("x"),
            ],
            &["outbox", &lived.store, "--environment", "live"],
        ] {
            let error = refused(arguments);
            assert!(error.contains(named), "{arguments:?}: {error}");
            assert!(!error.contains("11144477735"), "{error}");
        }
        assert!(lived.not_verified().contains("Ledger live: NOT verified"));
    }
}

#[test]
fn a_changed_vault_key_is_named() {
    for lived in Lived::both() {
        let key =
            if lived.is_sqlite() { "zeroblob(32)" } else { "decode(repeat('00', 32), 'hex')" };
        let name = if lived.is_sqlite() { "name" } else { "ledger" };
        lived.tamper(&format!("UPDATE ledger SET vault_key = {key} WHERE {name} = 'live'"));
        let error = lived.not_verified();
        assert!(error.contains("the vault key of ledger \"live\" was changed"), "{error}");
        let error = refused(&["run", DAY, "--store", &lived.store]);
        assert!(error.contains("the vault key of ledger \"live\" was changed"), "{error}");
    }
}

#[test]
fn a_ledger_that_was_deleted_is_named_though_another_verifies() {
    for lived in Lived::both() {
        let name = if lived.is_sqlite() { "name" } else { "ledger" };
        lived.tamper(&format!("DELETE FROM ledger WHERE {name} = 'live'"));
        let error = lived.not_verified();
        for table in ["journal", "vault", "outbox"] {
            assert!(error.contains(&format!("table {table} holds ")), "{table}: {error}");
        }
        let error = refused(&["audit", &lived.store, "--heads", &lived.path("heads")]);
        assert!(error.contains("of ledger live was kept, and there is no such ledger"), "{error}");
    }
}

#[test]
fn a_ledger_that_was_renamed_is_named_though_another_verifies() {
    for lived in Lived::both() {
        let name = if lived.is_sqlite() { "name" } else { "ledger" };
        lived.tamper(&format!("UPDATE ledger SET {name} = 'old' WHERE {name} = 'live'"));
        let error = lived.not_verified();
        assert!(error.contains("ledger old is neither live nor sandbox"), "{error}");
        assert!(error.contains("rows of ledger live, and there is none"), "{error}");
    }
}

#[test]
fn a_ledger_that_was_renumbered_is_named_though_another_verifies() {
    let lived = Lived::sqlite();
    lived.tamper("UPDATE ledger SET id = 77 WHERE name = 'live'");
    let error = lived.not_verified();
    assert!(
        error.contains("table journal holds ") && error.contains("and there is none"),
        "{error}"
    );
    assert!(error.contains("of ledger live, which has no record"), "its tables: {error}");
}

#[test]
fn tables_are_proved_because_they_are_there() {
    for (forgery, named) in [
        (
            "DELETE FROM projection_checkpoint WHERE ledger = 'live'",
            "projection_checkpoint has no row",
        ),
        ("DROP TABLE balances", "table balances is missing"),
        ("UPDATE projection_checkpoint SET outbox_pruned_seq = 1000000", "the journal ends before"),
    ] {
        for lived in Lived::both() {
            if forgery.starts_with("UPDATE") {
                lived.tamper("DELETE FROM outbox");
            }
            lived.tamper(forgery);
            let error = lived.not_verified();
            assert!(error.contains(named), "{forgery}: {error}");
        }
    }
}

#[test]
fn a_missing_trigger_is_named() {
    let lived = Lived::sqlite();
    shell::execute(&lived.target, "DROP TRIGGER ledger_is_never_deleted");
    let error = lived.not_verified();
    assert!(error.contains("table ledger lacks rule ledger_is_never_deleted"), "{error}");
}

#[test]
fn a_middle_row_that_is_gone_is_named_by_its_record() {
    let lived = Lived::sqlite();
    let id = "(SELECT id FROM ledger WHERE name = 'live')";
    let second =
        format!("SELECT first FROM journal WHERE ledger = {id} ORDER BY first LIMIT 1 OFFSET 1");
    let first = shell::query(&lived.target, &second)[0][0].clone();
    lived.tamper(&format!("DELETE FROM journal WHERE ledger = {id} AND first = {first}"));
    let error = lived.not_verified();
    assert!(error.contains(&format!("broken at record {first} of ledger live")), "{error}");
}

#[test]
fn a_lost_end_is_named_by_all_doors_until_it_is_accepted_by_its_head_and_recorded() {
    for lived in Lived::both() {
        let of_live = "(SELECT id FROM ledger WHERE name = 'live')";
        let id = if lived.is_sqlite() { of_live } else { "'live'" };
        let last = format!("SELECT max(first) FROM journal WHERE ledger = {id}");
        lived.tamper(&format!("DELETE FROM journal WHERE ledger = {id} AND first = ({last})"));
        let run = ["run", DAY, "--store", &*lived.store];
        let said = refused(&run);
        let (_, head) = said.trim_end().rsplit_once(": ").unwrap();
        assert!(said.contains("--accept-loss") && said.contains("projection_checkpoint"), "{said}");
        let (seq, link) = head.split_once(':').unwrap();

        let served = ["serve", "--store", &*lived.store, "--listen", "127.0.0.1:0"];
        assert!(refused(&served).contains(head));
        for (wrong, why) in [("62", "must be RECORD:LINK"), (&*format!("1:{link}"), head)] {
            let error = refused(&[&run[..], &["--accept-loss", wrong]].concat());
            assert!(error.contains(why), "{error}");
        }
        let standby = ["--lease-seconds", "5", "--standby", "--accept-loss", head];
        let standby = [&served[..], &standby].concat();
        assert!(refused(&standby).contains("by whoever writes it"));

        // The lines of what was lost are executed again, after the record that says so.
        let accepted = [&run[..], &["--accept-loss", head]].concat();
        printed(&accepted);
        printed(&accepted);
        let hex = if lived.is_sqlite() { "lower(hex(payload))" } else { "encode(payload, 'hex')" };
        let next = seq.parse::<u64>().unwrap() + 1;
        let next = format!("SELECT {hex} FROM journal WHERE ledger = {id} AND first = {next}");
        let record = &shell::query(&lived.target, &next)[0][0];
        assert!(record.contains(link), "the next record says from where: {record}");
        printed(&["project", &lived.store]);
        let report = lived.audited();
        let remark = format!("loss accepted, record {seq}: {link}");
        assert!(report.contains("verified") && report.contains(&remark), "{report}");
    }
}

#[test]
fn a_cut_end_is_seen_by_the_heads_that_a_run_kept() {
    for lived in Lived::both() {
        let (id, heads) = if lived.is_sqlite() {
            ("(SELECT id FROM ledger WHERE name = 'live')", lived.path("heads"))
        } else {
            ("'live'", lived.path("heads"))
        };
        lived.tamper(&format!(
            "DELETE FROM journal WHERE ledger = {id}
             AND first = (SELECT max(first) FROM journal WHERE ledger = {id})"
        ));
        for table in [
            "operations",
            "statement_rows",
            "balances",
            "open_holds",
            "commissions",
            "commission_rows",
            "coin_balances",
            "outbox",
            "projection_checkpoint",
        ] {
            lived.tamper(&format!("DELETE FROM {table}"));
        }
        let report = lived.audited();
        assert!(report.contains("verified against no kept head"), "{report}");
        let error = refused(&["audit", &lived.store, "--heads", &heads]);
        assert!(error.contains("truncated: it ends at record "), "{error}");
    }
}

/// The audit of a copy, by somebody who can read it and cannot write beside it.
fn audited_by_a_reader(program: &Path, media: &Path) -> (bool, String, String) {
    let mut command = Command::new(program);
    command.arg("audit").arg(media.join("ledger.db"));
    // Nothing is forbidden to root.
    if fs::metadata(media).unwrap().uid() == 0 {
        command.uid(65_534).gid(65_534);
    }
    outcome(&mut command)
}

fn set(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_copy_on_media_that_cannot_be_written_is_audited_and_a_log_there_is_named() {
    let lived = Lived::sqlite();
    let report = lived.audited();
    // What the log holds belongs to the file, and a copy of the file alone would lack it.
    shell::query(&lived.target, "PRAGMA wal_checkpoint(TRUNCATE)");
    let copy: PathBuf = lived.folder.path().join("media");
    fs::create_dir(&copy).unwrap();
    fs::copy(&lived.store, copy.join("ledger.db")).unwrap();
    let program = lived.folder.path().join("program");
    fs::copy(PROGRAM, &program).unwrap();
    set(&program, 0o755);
    set(lived.folder.path(), 0o755);
    set(&copy.join("ledger.db"), 0o444);
    set(&copy, 0o555);
    let read = audited_by_a_reader(&program, &copy);
    set(&copy, 0o755);
    assert_eq!(read, (true, report, String::new()));

    fs::write(copy.join("ledger.db-wal"), [1; 64]).unwrap();
    set(&copy, 0o555);
    let (succeeded, out, error) = audited_by_a_reader(&program, &copy);
    set(&copy, 0o755);
    assert!(!succeeded, "{out}");
    assert!(error.contains("ledger.db-wal holds commits that are not in the file yet"), "{error}");
}
