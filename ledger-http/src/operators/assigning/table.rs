//! Assignments: who took an operation of the inbox upon themselves, and the note beside it.
//!
//! They are no facts of a ledger and move no money, so they stand beside it. One is kept until its
//! operation has ended; its note is free text, which the erasure of a person reaches.

use ledger_core::time::Instant;
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};
use ledger_store::vault::Person;

use crate::operators::connection::OperatorTables;

const TABLE: &str = "operator_assignments";

const MAKING: &str = "CREATE TABLE IF NOT EXISTS operator_assignments ( \
    ledger TEXT NOT NULL, operation TEXT NOT NULL, assigned_to TEXT NOT NULL, note TEXT NOT NULL, \
    changed_by TEXT NOT NULL, changed_at BIGINT NOT NULL, PRIMARY KEY (ledger, operation))";

/// With whom an operation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    /// The operation's id.
    pub(crate) operation: String,
    /// The operator's name; none where only a note stands.
    pub(crate) with: Option<String>,
    pub(crate) note: String,
    /// Who wrote it down last, and when.
    pub(crate) by: String,
    pub(crate) at: Instant,
}

/// The table, of one connection. Its methods block.
pub(crate) struct AssignmentStore(ServiceTables);

impl OperatorTables for AssignmentStore {
    fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, TABLE, &[MAKING])?))
    }

    fn existing(target: &Target) -> Result<Option<Self>, TablesFailed> {
        Ok(ServiceTables::existing(target, TABLE)?.map(Self))
    }
}

impl AssignmentStore {
    /// Those of a ledger.
    pub(crate) fn all(&mut self, ledger: &str) -> Result<Vec<Assignment>, TablesFailed> {
        let sql = "SELECT operation, assigned_to, note, changed_by, changed_at \
            FROM operator_assignments WHERE ledger = $1 ORDER BY operation";
        let rows = self.0.read(sql, &[ledger.into()])?;
        rows.iter().map(|row| assignment(row).ok_or_else(malformed_row)).collect()
    }

    /// Keeps one in the place of another, which must be with `was` where that is said; `false`
    /// where it is not. One that says nothing is kept no more.
    pub(crate) fn keep(
        &mut self,
        ledger: &str,
        kept: &Assignment,
        was: Option<&str>,
    ) -> Result<bool, TablesFailed> {
        let upsert = "INSERT INTO operator_assignments \
            (ledger, operation, assigned_to, note, changed_by, changed_at) \
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (ledger, operation) DO UPDATE SET \
            assigned_to = excluded.assigned_to, note = excluded.note, \
            changed_by = excluded.changed_by, changed_at = excluded.changed_at \
            WHERE $7 = '*' OR operator_assignments.assigned_to = $7";
        let empty = "DELETE FROM operator_assignments \
            WHERE ledger = $1 AND operation = $2 AND assigned_to = '' AND note = ''";
        let key = vec![ledger.into(), (&*kept.operation).into()];
        let mut values = key.clone();
        values.extend([
            kept.with.as_deref().unwrap_or_default().into(),
            (&*kept.note).into(),
            (&*kept.by).into(),
            kept.at.micros().into(),
            was.unwrap_or("*").into(),
        ]);
        Ok(self.0.write(&[(upsert.to_owned(), values), (empty.to_owned(), key)])? > 0)
    }

    /// Forgets those of operations that have ended.
    pub(crate) fn remove(&mut self, ledger: &str, ended: &[String]) -> Result<(), TablesFailed> {
        let sql = "DELETE FROM operator_assignments WHERE ledger = $1 AND operation = $2";
        let one = |id: &String| (sql.to_owned(), vec![ledger.into(), (&**id).into()]);
        self.0.write(&ended.iter().map(one).collect::<Vec<_>>()).map(drop)
    }

    /// Empties the notes that say something of a person; says how many.
    pub(crate) fn forget(&mut self, person: &Person) -> Result<usize, TablesFailed> {
        let sql = "UPDATE operator_assignments SET note = '' \
            WHERE ledger = $1 AND operation = $2";
        let theirs = self.theirs(person)?;
        let one = |key: &Vec<Cell>| (sql.to_owned(), key.clone());
        self.0.write(&theirs.iter().map(one).collect::<Vec<_>>())?;
        Ok(theirs.len())
    }

    /// The keys of those whose notes say something of a person.
    pub(crate) fn theirs(&mut self, person: &Person) -> Result<Vec<Vec<Cell>>, TablesFailed> {
        let sql = "SELECT ledger, operation, note FROM operator_assignments WHERE note <> ''";
        let rows = self.0.read(sql, &[])?;
        let theirs = rows.iter().filter_map(|row| match &row[..] {
            [ledger, operation, note] if person.is_in(note.text()?) => {
                Some(vec![ledger.clone(), operation.clone()])
            }
            _ => None,
        });
        Ok(theirs.collect())
    }
}

fn assignment(row: &[Cell]) -> Option<Assignment> {
    let [operation, with, note, by, at] = row else { return None };
    Some(Assignment {
        operation: operation.text()?.to_owned(),
        with: Some(with.text()?.to_owned()).filter(|with| !with.is_empty()),
        note: note.text()?.to_owned(),
        by: by.text()?.to_owned(),
        at: Instant::from_micros(at.number()?)?,
    })
}

fn malformed_row() -> TablesFailed {
    TablesFailed("a row of the operators' tables is malformed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_kept_until_it_is_given_back_and_taken_from_nobody_unseen() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        assert!(AssignmentStore::existing(&target).unwrap().is_none());
        let mut store = AssignmentStore::open(&target).unwrap();
        let with = |with: &str, note: &str| Assignment {
            operation: "po_1".to_owned(),
            with: Some(with.to_owned()).filter(|with| !with.is_empty()),
            note: note.to_owned(),
            by: "bia".to_owned(),
            at: Instant::parse("2026-11-20T12:00:00Z").unwrap(),
        };
        assert!(store.keep("live", &with("bia", ""), Some("")).unwrap());
        assert!(!store.keep("live", &with("eva", ""), Some("")).unwrap(), "bia has it meanwhile");
        assert!(store.keep("live", &with("eva", "asks 529.982.247-25"), Some("bia")).unwrap());
        assert_eq!(store.all("live").unwrap(), [with("eva", "asks 529.982.247-25")]);
        assert_eq!(store.all("sandbox").unwrap(), []);
        for (document, forgotten) in [("11144477735", 0), ("52998224725", 1), ("52998224725", 0)] {
            let person = Person::default().name(document);
            assert_eq!(store.forget(&person).unwrap(), forgotten, "{document}");
        }
        assert_eq!(store.all("live").unwrap(), [with("eva", "")]);
        assert!(store.keep("live", &with("", ""), None).unwrap());
        assert_eq!(store.all("live").unwrap(), [], "given back, it is with nobody");
        assert!(store.keep("live", &with("", "a note alone"), None).unwrap());
        store.remove("sandbox", &["po_1".to_owned()]).unwrap();
        assert_eq!(store.all("live").unwrap().len(), 1);
        store.remove("live", &["po_1".to_owned()]).unwrap();
        assert_eq!(store.all("live").unwrap(), []);
    }
}
