//! Tables in an SQLite file: the journal's own, or another.

use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Sqlite};
use tokio::runtime::Builder;

use super::TablesFailed;
use super::sql::{SqlTables, bind};
use crate::journal::{Session, create_sqlite, is_open_journal, read_sqlite, wait_in};
use crate::tables::projection::schema::table::{Cells, Dialect, Table};

/// How long a statement waits for another writer of the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// How many rows go to one statement, largest first: each size is prepared once for a table, and a
/// statement costs a way to the driver's thread and back.
const AT_ONCE: [usize; 4] = [256, 64, 8, 1];

/// Rows of many subaccounts lie on many pages, which one transaction should read and write once
/// each: so many KiB of them stay in memory.
const CACHE: &str = "-65536";

/// For the same reason the log grows to so many pages before it goes back into the file.
const LOG_PAGES: &str = "8000";

/// A connection to a file of tables.
pub(in crate::tables::projection) struct SqliteTables {
    session: Session<SqliteConnection>,
    /// By these it is connected to again.
    options: SqliteConnectOptions,
    only_reads: bool,
    /// None of tables that are nobody else's.
    file: Option<PathBuf>,
}

impl SqliteTables {
    /// Opens the file for writing; it is created where missing, for its owner alone.
    ///
    /// Tables can be made again from the journal, so a power loss may take back the last of them,
    /// checkpoint included: `synchronous` is `NORMAL`.
    pub(in crate::tables::projection) fn writing(path: &Path) -> Result<Self, TablesFailed> {
        Self::open_for_writing(path, SqliteSynchronous::Normal)
    }

    /// Opens the file for writing what nothing can make again: every commit is on the disk.
    pub(in crate::tables::projection) fn lasting(path: &Path) -> Result<Self, TablesFailed> {
        Self::open_for_writing(path, SqliteSynchronous::Full)
    }

    fn open_for_writing(path: &Path, synchronous: SqliteSynchronous) -> Result<Self, TablesFailed> {
        // Beside a journal that is written nothing is made: its file is there, or was taken away.
        let failed = |error| TablesFailed::from(sqlx::Error::Io(error));
        let beside = is_open_journal(path).map_err(failed)?;
        if !beside {
            create_sqlite(path).map_err(failed)?;
        }
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(!beside);
        let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(synchronous);
        Ok(Self { file: Some(path.to_owned()), ..Self::connect(options)? })
    }

    /// Opens the file for reading.
    pub(in crate::tables::projection) fn reading(path: &Path) -> Result<Self, TablesFailed> {
        let options = SqliteConnectOptions::new().filename(path);
        let reading =
            Self::connect_with(options, async |options| read_sqlite(path, options).await)?;
        Ok(Self { file: Some(path.to_owned()), only_reads: true, ..reading })
    }

    /// Tables of nobody else, gone when dropped.
    pub(in crate::tables::projection) fn scratch() -> Result<Self, TablesFailed> {
        let options = SqliteConnectOptions::new().in_memory(true);
        Self::connect(options.synchronous(SqliteSynchronous::Off))
    }

    fn connect(options: SqliteConnectOptions) -> Result<Self, TablesFailed> {
        Self::connect_with(options, async |options| options.connect().await)
    }

    fn connect_with(
        options: SqliteConnectOptions,
        connect: impl AsyncFnOnce(SqliteConnectOptions) -> sqlx::Result<SqliteConnection> + Send,
    ) -> Result<Self, TablesFailed> {
        let runtime = Builder::new_current_thread().build();
        let runtime = runtime.map_err(|error| TablesFailed(error.into()))?;
        let options = options.busy_timeout(BUSY_TIMEOUT).pragma("cache_size", CACHE);
        let options = options.pragma("wal_autocheckpoint", LOG_PAGES);
        let options = options.disable_statement_logging();
        let again = options.clone().create_if_missing(false);
        let connection = wait_in(&runtime, async || connect(options).await)?;
        let session = Session::new(connection, runtime);
        Ok(Self { session, options: again, only_reads: false, file: None })
    }
}

impl SqlTables for SqliteTables {
    type Database = Sqlite;

    const DIALECT: Dialect = Dialect::Sqlite;

    const BEGIN: &'static str = "BEGIN IMMEDIATE";

    const TURN: Option<&'static str> = None;

    const WAITS_BRIEFLY: Option<&'static str> = None;

    const RESTS_WITHIN_MOMENT: Option<&'static str> = None;

    fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> sqlx::Result<T> + Send,
    ) -> Result<T, TablesFailed> {
        let Self { session, options, only_reads, file } = self;
        let again = async || match file {
            Some(path) if *only_reads => read_sqlite(path, options.clone()).await,
            Some(path) => {
                is_open_journal(path)?;
                options.connect().await
            }
            None => options.connect().await,
        };
        let done = session.run(again, work);
        // A transaction that SQLite undid by itself, as on a full disk, is open to the driver for
        // ever. Tables in memory are gone with their connection.
        if done.is_err() && file.is_some() {
            session.close();
        }
        Ok(done?)
    }

    const HAS_COLUMN: &'static str = "SELECT count(*) FROM pragma_table_info($1) WHERE name = $2";

    const HAS_PRIMARY_KEY: &'static str =
        "SELECT count(*) FROM pragma_index_list($1) WHERE origin = 'pk'";

    const RECLAIMS: Option<&'static str> = None;

    fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    const OWNS_INDEX: &'static str =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = $1";

    /// The statements that make tables leave those that are there.
    fn skips_making(&mut self, _: &[&'static Table]) -> Result<bool, TablesFailed> {
        Ok(false)
    }

    async fn add(
        connection: &mut SqliteConnection,
        table: &Table,
        ledger: &str,
        rows: &[Cells],
    ) -> sqlx::Result<()> {
        write(connection, (table, ""), ledger, rows).await
    }

    async fn upsert(
        connection: &mut SqliteConnection,
        table: &Table,
        ledger: &str,
        rows: &[Cells],
    ) -> sqlx::Result<()> {
        write(connection, (table, &table.on_conflict()), ledger, rows).await
    }
}

/// Writes as many rows to a statement as there are, up to the largest. The values of a statement
/// are bound while the driver's thread runs the one before it.
async fn write(
    connection: &mut SqliteConnection,
    into: (&Table, &str),
    ledger: &str,
    rows: &[Cells],
) -> sqlx::Result<()> {
    let mut left = rows;
    for size in AT_ONCE.into_iter().filter(|size| *size <= rows.len()) {
        let chunks = left.chunks_exact(size);
        left = chunks.remainder();
        let sql = insert(into, size);
        let mut statements = chunks.map(|chunk| bind_rows(&sql, ledger, chunk));
        let mut next = statements.next();
        while let Some(statement) = next {
            let mut running = pin!(statement.execute(&mut *connection));
            let begun = poll_fn(|context| Poll::Ready(running.as_mut().poll(context))).await;
            next = statements.next();
            match begun {
                Poll::Ready(done) => done?,
                Poll::Pending => running.await?,
            };
        }
    }
    Ok(())
}

fn bind_rows<'q>(
    sql: &'q str,
    ledger: &'q str,
    rows: &'q [Cells],
) -> Query<'q, Sqlite, SqliteArguments> {
    rows.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, row| {
        row.iter().fold(query.bind(ledger), bind)
    })
}

/// Its values have no numbers: the driver looks the name of each up, in a list of all there are.
fn insert((table, conflict): (&Table, &str), rows: usize) -> String {
    let row = format!("(?{})", ", ?".repeat(table.columns.len()));
    let values = vec![row; rows].join(", ");
    format!("INSERT INTO {} ({}) VALUES {values}{conflict}", table.name, table.all_columns())
}
