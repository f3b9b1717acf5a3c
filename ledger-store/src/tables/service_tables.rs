//! Tables of a service in the same database as a ledger's, which no record is projected to: what a
//! service must not forget and a journal does not say.
//!
//! Statements are written once, with `$1`, `$2` for values, `BIGINT` and `TEXT` for columns, and
//! mean the same in SQLite and PostgreSQL.

use crate::tables::projection::backend::{Backend, Step, Written};
use crate::tables::projection::schema::table::{Cell, Cells};
use crate::tables::projection::{TablesFailed, Target};

/// A statement and its values.
pub type Statement = (String, Vec<Cell>);

/// How many rows go to one statement, the most first: each size is prepared once.
const AT_ONCE: [usize; 3] = [ServiceTables::ROWS, 8, 1];

/// A connection to a service's own tables. Its methods block, and may be called within async code.
///
/// ```
/// use ledger_store::ServiceTables;
/// use ledger_store::projection::{Target, schema::table::Cell};
///
/// let folder = tempfile::tempdir()?;
/// let target = Target::Sqlite(folder.path().join("ledger.db"));
/// let making = "CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, times BIGINT NOT NULL)";
/// let mut tables = ServiceTables::open(&target, "seen", &[making])?;
/// let seen = |id: &str| {
///     let sql = "INSERT INTO seen (id, times) VALUES ($1, 1) \
///         ON CONFLICT (id) DO UPDATE SET times = seen.times + 1";
///     (sql.to_owned(), vec![Cell::from(id)])
/// };
/// tables.write(&[seen("ev_1"), seen("ev_1")])?;
/// let found = tables.read("SELECT times FROM seen WHERE id = $1", &["ev_1".into()])?;
/// assert_eq!(found, [vec![Cell::Integer(2)]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ServiceTables(Box<dyn Backend>);

impl ServiceTables {
    /// How many rows a statement of [`ServiceTables::insert`] has at most.
    pub const ROWS: usize = 32;

    /// Connects to the database, and makes what `making` says where there is no table named `last`,
    /// the last that it makes: a role without the right to make tables gets by where they are made.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn open(target: &Target, last: &str, making: &[&str]) -> Result<Self, TablesFailed> {
        let mut tables = Self(target.lasting()?);
        if tables.0.has(last)? {
            return Ok(tables);
        }
        let statements = tables.0.turn().into_iter().chain(making.iter().copied());
        let statements: Vec<_> = statements.map(|sql| (sql.to_owned(), Vec::new())).collect();
        tables.write(&statements)?;
        Ok(tables)
    }

    /// Connects to tables that somebody made, the last of them `last`; none where it is not there.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be read.
    pub fn existing(target: &Target, last: &str) -> Result<Option<Self>, TablesFailed> {
        let mut tables = Self(target.lasting()?);
        Ok(tables.0.has(last)?.then_some(tables))
    }

    /// Connects to read tables that somebody made, one of them `name`; none where it is not there.
    /// Nothing is made, a file neither.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be read.
    pub fn open_to_read(target: &Target, name: &str) -> Result<Option<Self>, TablesFailed> {
        let Some(backend) = target.connect()? else { return Ok(None) };
        let mut tables = Self(backend);
        Ok(tables.has(name)?.then_some(tables))
    }

    /// Tells whether there is a table of this name.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be read.
    pub fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        self.0.has(table)
    }

    /// Makes an index by `making` where there is none of its name, in tables that an earlier
    /// version made.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn index(&mut self, name: &str, making: &str) -> Result<(), TablesFailed> {
        // A server finds indexes by the names of tables, and a file those that it owns.
        if self.0.has(name)? || self.0.owns_index(name)? {
            return Ok(());
        }
        self.write(&[(making.to_owned(), Vec::new())]).map(drop)
    }

    /// Returns what a query finds.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be read.
    pub fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        self.0.read(sql, values)
    }

    /// Does all statements in one transaction, or none; says how many rows they touched.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn write(&mut self, statements: &[Statement]) -> Result<u64, TablesFailed> {
        let run = |(sql, values): &Statement| Step::Run(sql.clone(), values.clone(), None);
        match self.0.write(&statements.iter().map(run).collect::<Vec<_>>())? {
            Written::Yes(touched) => Ok(touched),
            Written::No => Ok(0),
        }
    }

    /// Statements that insert rows, up to [`ServiceTables::ROWS`] each: `into`, then `row` for each
    /// of them, whose own values are `$1`, `$2` there, then `conflict`.
    ///
    /// ```
    /// use ledger_store::ServiceTables;
    ///
    /// let rows = vec![vec!["ev_1".into()]; 40];
    /// let statements = ServiceTables::insert("INSERT INTO seen (id) VALUES", "($1)", "", &rows);
    /// assert_eq!(statements.len(), 2);
    /// assert!(statements[0].0.ends_with("($30), ($31), ($32) "));
    /// ```
    #[must_use]
    pub fn insert(into: &str, row: &str, conflict: &str, rows: &[Cells]) -> Vec<Statement> {
        let (mut left, mut statements) = (rows, Vec::new());
        for size in AT_ONCE {
            let chunks = left.chunks_exact(size);
            left = chunks.remainder();
            statements.extend(chunks.map(|chunk| {
                let first = |nth: usize| chunk[..nth].iter().map(Vec::len).sum();
                let places = (0..size).map(|nth| renumber(row, first(nth)));
                let places = places.collect::<Vec<_>>().join(", ");
                (format!("{into} {places} {conflict}"), chunk.concat())
            }));
        }
        statements
    }
}

/// The row with its values numbered from after so many.
fn renumber(row: &str, after: usize) -> String {
    let mut parts = row.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = part[..digits].parse().expect("a row numbers its values");
        text.push('$');
        text.push_str(&(number + after).to_string());
        text.push_str(&part[digits..]);
    }
    text
}

impl std::fmt::Debug for ServiceTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServiceTables")
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;

    const MAKING: &str = "CREATE TABLE seen (id TEXT PRIMARY KEY)";

    fn insert_seen(id: &str) -> Statement {
        ("INSERT INTO seen (id) VALUES ($1)".to_owned(), vec![id.into()])
    }

    fn count(tables: &mut ServiceTables) -> Vec<Cells> {
        tables.read("SELECT count(*) FROM seen", &[]).unwrap()
    }

    #[test]
    fn many_rows_are_inserted_by_few_statements_each_with_its_own_values() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        let making = "CREATE TABLE many \
            (id TEXT PRIMARY KEY, place BIGINT NOT NULL, twice TEXT NOT NULL)";
        let mut tables = ServiceTables::open(&target, "many", &[making]).unwrap();
        let rows: Vec<Cells> = (0..43_u64)
            .map(|place| vec![format!("id-{place}").as_str().into(), place.into()])
            .collect();
        let into = "INSERT INTO many (id, place, twice) VALUES";
        let statements = ServiceTables::insert(into, "($1, $2 + 1, $1)", "", &rows);
        assert_eq!(statements.len(), 1 + 1 + 3);
        assert_eq!(tables.write(&statements).unwrap(), 43);
        let found = tables.read("SELECT id, place, twice FROM many ORDER BY place", &[]).unwrap();
        let expected = rows.iter().map(|row| {
            let place = row[1].number().unwrap() + 1;
            vec![row[0].clone(), Cell::Integer(place), row[0].clone()]
        });
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn tables_on_a_disk_that_was_full_are_read_and_written_once_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        let mut tables = ServiceTables::open(&target, "seen", &[MAKING]).unwrap();
        tables.write(&[insert_seen("a")]).unwrap();
        for times in 0..3 {
            tables.read("PRAGMA max_page_count = 1", &[]).unwrap();
            let large = "x".repeat(100_000);
            let refused = tables.write(&[insert_seen("b"), insert_seen(&large)]).unwrap_err();
            assert!(format!("{refused:?}").contains("full"), "{refused:?}");
            tables.read("PRAGMA max_page_count = 100000", &[]).unwrap();
            assert_eq!(count(&mut tables), [vec![Cell::Integer(1 + times)]], "none of it stands");
            tables.write(&[insert_seen(&times.to_string())]).unwrap();
        }
        // A refusal that is nobody's fault but the statement's leaves it as usable.
        tables.write(&[insert_seen("c"), insert_seen("a")]).unwrap_err();
        tables.write(&[insert_seen("c")]).unwrap();
        assert_eq!(count(&mut tables), [vec![Cell::Integer(5)]]);
    }
}
