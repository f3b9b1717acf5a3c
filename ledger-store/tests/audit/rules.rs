//! The rules by which a database keeps a journal, taken away or added to; and rows that are gone.

use ledger_store::audit::Finding;
use ledger_store::journal::{JournalError, OpenMode};
use ledger_store::sequencer::ReplayError;

use super::audited;
use super::setup::shell;
use super::stores::Store;

/// Returns what the audit says of the rules.
fn faults(store: &Store) -> String {
    match audited(&mut *store.reader(), None) {
        Err(Finding::Broken(ReplayError::Journal(JournalError::Rules { faults }))) => faults,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_trigger_that_is_missing_is_named() {
    let store = Store::sqlite();
    let all = "SELECT tbl_name, name, sql FROM sqlite_schema WHERE type = 'trigger'";
    let triggers = shell::query(&store.target, all);
    assert!(triggers.len() > 6, "{triggers:?}");
    for trigger in &triggers {
        let [table, name, sql] = &trigger[..] else { panic!("three columns") };
        shell::execute(&store.target, &format!("DROP TRIGGER {name}"));
        assert_eq!(faults(&store), format!("table {table} lacks rule {name}"));
        shell::execute(&store.target, sql);
        audited(&mut *store.reader(), None).unwrap();
    }
}

#[test]
fn a_trigger_that_is_foreign_or_was_changed_is_named() {
    let store = Store::sqlite();
    let thief = "CREATE TRIGGER helpful AFTER INSERT ON vault
                 BEGIN UPDATE vault SET value = 'x' WHERE token = NEW.token; END";
    shell::execute(&store.target, thief);
    assert_eq!(faults(&store), "rule helpful of table vault is foreign");
    shell::execute(&store.target, "DROP TRIGGER helpful");
    shell::execute(&store.target, "DROP TRIGGER journal_is_never_deleted");
    let tame = "CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
                WHEN OLD.first = 0 BEGIN SELECT RAISE(ABORT, 'no'); END";
    shell::execute(&store.target, tame);
    assert_eq!(faults(&store), "rule journal_is_never_deleted of table journal was changed");
}

#[test]
fn triggers_rules_and_row_security_on_a_server_are_named() {
    let store = Store::postgres();
    audited(&mut *store.reader(), None).unwrap();
    for sql in [
        "CREATE FUNCTION helpful() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER helpful BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION helpful()",
        "CREATE RULE quiet AS ON DELETE TO vault DO INSTEAD NOTHING",
        "ALTER TABLE ledger ENABLE ROW LEVEL SECURITY",
    ] {
        shell::execute(&store.target, sql);
    }
    assert_eq!(
        faults(&store),
        "rule helpful of table journal is foreign; rule quiet of table vault is foreign; rule row \
         security of table ledger is foreign"
    );
}

#[test]
fn a_function_that_appends_otherwise_is_named() {
    let store = Store::postgres();
    let made = "SELECT pg_get_functiondef('journal_append'::regproc)";
    let whole = shell::query(&store.target, made).remove(0).remove(0);
    let other = whole.replace("ORDER BY journal.first DESC", "ORDER BY journal.first");
    assert_ne!(whole, other);
    shell::execute(&store.target, &other);
    assert_eq!(faults(&store), "rule journal_append of table journal was changed");
    shell::execute(&store.target, &whole);
    audited(&mut *store.reader(), None).unwrap();

    let beside =
        "CREATE FUNCTION journal_append(text) RETURNS boolean LANGUAGE sql AS 'SELECT true'";
    shell::execute(&store.target, beside);
    assert_eq!(faults(&store), "rule journal_append of table journal is foreign");
    shell::execute(&store.target, "DROP FUNCTION journal_append(text)");
    shell::execute(&store.target, "DROP FUNCTION journal_append");
    assert_eq!(faults(&store), "table journal lacks rule journal_append");
    // What is older has none, and is as it should be.
    shell::drop_legal_holds(&store.target);
    shell::execute(&store.target, "DELETE FROM _sqlx_migrations WHERE description = 'append'");
    audited(&mut *store.reader(), None).unwrap();
    // Written, it has it again.
    drop(store.open(OpenMode::create()).unwrap());
    audited(&mut *store.reader(), None).unwrap();
    assert_eq!(shell::query(&store.target, made), [[whole]]);
}
