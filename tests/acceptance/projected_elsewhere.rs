//! Tables in another database than their ledgers', of whatever kind either is.

use std::path::Path;

use ledger_store::ServiceTables;
use ledger_store::projection::Target;
use ledger_store::projection::schema::EVERY_TABLE;

use crate::program::{DAY, done, refused};
use crate::server;

/// All runs have the same tokens, so that their tables can be compared.
const VAULT_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// What is recorded after the tables were filled once.
const MORE: &str = r#"{"at":"2026-12-30T12:00:00Z","fact":"time.passed"}
{"at":"2026-12-30T12:00:00Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"carla","amount_cents":1}}
"#;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn lived(store: &str, vault_key: &str) {
    done(&["run", DAY, "--store", store, "--vault-key", vault_key]);
}

/// The key of another ledger.
fn other_key() -> String {
    format!("ff{}", &VAULT_KEY[2..])
}

fn target(name: &str) -> Target {
    if name.starts_with("postgres") {
        Target::Postgres(name.parse().unwrap())
    } else {
        Target::Sqlite(name.into())
    }
}

/// Every row of every table, as text.
fn rows(name: &str) -> Vec<String> {
    let mut tables = ServiceTables::open(&target(name), "projection_checkpoint", &[]).unwrap();
    let mut all = Vec::new();
    for table in EVERY_TABLE {
        let found = tables.read(&format!("SELECT * FROM {}", table.name), &[]).unwrap();
        all.extend(found.iter().map(|cells| format!("{}: {cells:?}", table.name)));
    }
    all.sort();
    all
}

#[test]
fn tables_elsewhere_are_those_in_place_whatever_keeps_the_ledgers_and_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let more = path(folder, "more.jsonl");
    std::fs::write(&more, MORE).unwrap();
    let in_place = path(folder, "in_place.db");
    lived(&in_place, VAULT_KEY);
    done(&["run", &more, "--store", &in_place]);
    done(&["project", &in_place]);
    let expected = rows(&in_place);
    assert!(expected.len() > 100, "{}", expected.len());
    for (number, (store, into)) in [
        (path(folder, "store.db"), path(folder, "tables.db")),
        (path(folder, "other.db"), server::database()),
        (server::database(), path(folder, "of_postgres.db")),
        (format!("file://{}?merge=2", path(folder, "objects")), path(folder, "of_objects.db")),
        (format!("file://{}", path(folder, "unmerged")), server::database()),
    ]
    .iter()
    .enumerate()
    {
        lived(store, VAULT_KEY);
        // It goes on from where it was, or begins anew over what is there.
        let first = done(&["project", store, "--into", into]).0;
        assert!(first.starts_with("live: ") && !first.contains("live: 0 records"), "{first}");
        assert_ne!(rows(into), expected, "{store}");
        done(&["run", &more, "--store", store]);
        if number % 2 == 1 {
            done(&["project", store, "--into", into, "--rebuild"]);
        } else {
            let next = done(&["project", store, "--into", into]).0;
            let records: u64 = next.split(' ').nth(1).unwrap().parse().unwrap();
            assert!((1..10).contains(&records), "{next}");
        }
        assert_eq!(rows(into), expected, "{store} into {into}");
        let again = done(&["project", store, "--into", into]).0;
        assert!(again.starts_with("live: 0 records projected, 0 rows"), "{again}");
        let audit = done(&["audit", store, "--tables", into]).0;
        assert!(audit.contains("Tables of live: ") && audit.contains("equal to the journal"));
        let extrato = ["statement", store, "loja", "--customer", "ana", "--view", "operations"];
        let extrato = done(&[&extrato[..], &["--json", "--tables", into]].concat()).0;
        assert!(extrato.contains("valor_operacao_cents"), "{extrato}");
    }
}

#[test]
fn tables_are_not_made_beside_another_journal_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (store, other) = (path(folder, "ledger.db"), path(folder, "other.db"));
    let other_on_postgres = server::database();
    lived(&store, VAULT_KEY);
    // The very same ledger kept twice, or one of another key.
    lived(&other, VAULT_KEY);
    lived(&other_on_postgres, &other_key());
    for (into, shown) in [(&other, other.as_str()), (&other_on_postgres, "postgres://")] {
        for arguments in [&[][..], &["--rebuild"]] {
            let error = refused(&[&["project", &store, "--into", into], arguments].concat());
            assert!(error.contains(shown), "{error}");
            assert!(error.contains("holds a journal of a ledger live itself"), "{error}");
        }
        assert!(refused(&["outbox", into]).contains("`project` makes them"));
    }
    // Its own file under another name is its own.
    let link = path(folder, "link.db");
    std::os::unix::fs::symlink(&store, &link).unwrap();
    done(&["project", &store, "--into", &link]);
    done(&["project", &other_on_postgres, "--into", &other_on_postgres]);
    assert!(done(&["audit", &store]).0.contains("Tables of live: "));
}

#[test]
fn tables_of_another_ledger_of_the_same_name_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (store, other) = (path(folder, "ledger.db"), path(folder, "other.db"));
    lived(&store, VAULT_KEY);
    lived(&other, &other_key());
    for into in [path(folder, "tables.db"), server::database()] {
        done(&["project", &store, "--into", &into]);
        let before = rows(&into);
        let error = refused(&["project", &other, "--into", &into]);
        assert!(error.contains("ledger live stand at record"), "{error}");
        assert!(error.contains("foreign to this journal"), "{error}");
        assert_eq!(rows(&into), before);
    }
}
