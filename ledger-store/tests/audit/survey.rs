//! Ledgers that were renamed, deleted or renumbered leave something behind, and it is named.

use ledger_store::journal::OpenMode;
use ledger_store::projection::Projector;
use ledger_store::survey::{Survey, survey};

use super::setup::{LIVE, shell};
use super::stores::Store;

fn surveyed(store: &Store) -> Survey {
    survey(&store.target, std::slice::from_ref(&store.target)).unwrap()
}

/// Returns what is left of no ledger, as the survey says it.
fn left(store: &Store) -> Vec<String> {
    surveyed(store).unowned.iter().map(ToString::to_string).collect()
}

fn projected() -> [Store; 2] {
    Store::both().map(|store| {
        Projector::open(&mut *store.reader(), LIVE, &store.target).unwrap();
        store
    })
}

#[test]
fn in_a_sound_store_every_row_is_of_a_ledger() {
    for store in projected() {
        drop(store.ledger("sandbox", OpenMode::create()).unwrap());
        let survey = surveyed(&store);
        assert_eq!(survey.unowned, []);
        let ledgers = survey.ledgers.iter().map(|known| (known.name.as_str(), known.has_records));
        assert_eq!(ledgers.collect::<Vec<_>>(), [(LIVE, true), ("sandbox", false)]);
    }
}

#[test]
fn rows_of_a_services_tables_that_are_of_no_ledger_are_named() {
    for store in projected() {
        for table in ["ledger_checkpoint", "webhook_deliveries"] {
            shell::execute(&store.target, &format!("CREATE TABLE {table} (ledger TEXT)"));
            shell::execute(&store.target, &format!("INSERT INTO {table} VALUES ('{LIVE}')"));
        }
        assert_eq!(left(&store), Vec::<String>::new());
        for table in ["ledger_checkpoint", "webhook_deliveries"] {
            shell::execute(&store.target, &format!("INSERT INTO {table} VALUES ('other')"));
            let line = format!("table {table} holds 1 rows of ledger other, and there is none");
            assert!(left(&store).iter().any(|left| left.starts_with(&line)), "{:?}", left(&store));
        }
    }
}

#[test]
fn a_ledger_without_records_has_no_persons_and_no_tables() {
    for store in projected() {
        store.tamper("DELETE FROM journal");
        let left = left(&store);
        for table in ["vault", "operations", "outbox"] {
            let of = format!("table {table} holds ");
            let line = left.iter().find(|line| line.starts_with(&of));
            let reason = "of ledger live, which has no record: its records were deleted";
            assert!(line.is_some_and(|line| line.ends_with(reason)), "{left:?}");
        }
    }
}
