//! What keeps checkpoints as they were signed: triggers, which an audit holds against these texts.

use std::collections::BTreeSet;

use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

/// What keeps rows as they are in SQLite.
const SQLITE: [&str; 2] = [
    "CREATE TRIGGER IF NOT EXISTS ledger_checkpoint_stays BEFORE UPDATE ON ledger_checkpoint \
     BEGIN SELECT RAISE(ABORT, 'a checkpoint is never changed'); END",
    "CREATE TRIGGER IF NOT EXISTS ledger_checkpoint_is_kept BEFORE DELETE ON ledger_checkpoint \
     BEGIN SELECT RAISE(ABORT, 'a checkpoint is never removed'); END",
];

/// Every trigger of the table in SQLite, as it was made.
const OF_SQLITE: &str =
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'ledger_checkpoint'";

/// The same in PostgreSQL.
const POSTGRES: [&str; 2] = [
    "CREATE OR REPLACE FUNCTION ledger_checkpoint_stays() RETURNS trigger LANGUAGE plpgsql AS \
     $$BEGIN RAISE EXCEPTION 'a checkpoint is never changed or removed'; END$$",
    "CREATE OR REPLACE TRIGGER ledger_checkpoint_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON \
     ledger_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION ledger_checkpoint_stays()",
];

/// Every trigger, rule and row security of the table in PostgreSQL: when it fires (of `tgtype`, 58
/// is before a statement that updates, deletes or truncates), whether it is enabled, and what it
/// does.
const OF_POSTGRES: &str = "\
    SELECT tgname::text, concat_ws(' ', tgtype, tgenabled, tgqual IS NULL, prosrc) FROM pg_trigger \
        JOIN pg_proc ON pg_proc.oid = tgfoid \
        WHERE NOT tgisinternal AND tgrelid = to_regclass('ledger_checkpoint') \
    UNION ALL SELECT rulename::text, '' FROM pg_rewrite \
        WHERE ev_class = to_regclass('ledger_checkpoint') \
    UNION ALL SELECT 'row security', '' FROM pg_class \
        WHERE relrowsecurity AND oid = to_regclass('ledger_checkpoint')";

/// What that shows of the trigger that is made.
const ENFORCED: &str =
    "58 O t BEGIN RAISE EXCEPTION 'a checkpoint is never changed or removed'; END";

/// The statements that give the table its triggers.
pub(super) fn making(target: &Target) -> &'static [&'static str] {
    if target.is_postgres() { &POSTGRES } else { &SQLITE }
}

/// Which triggers and rules of the table are missing, changed or foreign, each in a few words.
pub(super) fn faults(
    target: &Target,
    tables: &mut ServiceTables,
) -> Result<Vec<String>, TablesFailed> {
    let (expected, sql): (BTreeSet<(String, String)>, _) = if target.is_postgres() {
        let made = ("ledger_checkpoint_stays".to_owned(), ENFORCED.to_owned());
        (BTreeSet::from([made]), OF_POSTGRES)
    } else {
        (SQLITE.iter().map(|made| of_sqlite(made)).collect(), OF_SQLITE)
    };
    let text = |cell: Option<&Cell>| cell.and_then(Cell::text).unwrap_or_default().to_owned();
    let rows = tables.read(sql, &[])?;
    let found: BTreeSet<_> = rows.iter().map(|row| (text(row.first()), text(row.get(1)))).collect();
    let missing = expected.difference(&found).map(|(name, _)| {
        let changed = found.iter().any(|(known, _)| known == name);
        format!("{name} is {}", if changed { "changed" } else { "missing" })
    });
    let foreign = found.iter().filter(|(name, _)| expected.iter().all(|(known, _)| known != name));
    let foreign = foreign.map(|(name, _)| format!("{name} was added"));
    Ok(missing.chain(foreign).collect())
}

/// The name of a trigger, and its text as SQLite keeps it.
fn of_sqlite(made: &str) -> (String, String) {
    let text = made.replace(" IF NOT EXISTS", "");
    let name = text.split(' ').nth(2).unwrap_or_default().to_owned();
    (name, text)
}
