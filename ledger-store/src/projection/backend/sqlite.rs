//! Tables in an SQLite file: the journal's own, or another.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, Column as _, ConnectOptions as _, Connection as _, Executor as _};
use sqlx::{Row as _, TypeInfo as _, ValueRef as _};
use tokio::runtime::{Builder, Runtime};

use super::{Backend, Step, TablesFailed, Written};
use crate::journal::read_sqlite;
use crate::projection::schema::table::{Cell, Cells, Dialect, Table};
use crate::projection::schema::{CHECKPOINT, TABLES};

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
pub(in crate::projection) struct SqliteTables {
    connection: Option<SqliteConnection>,
    runtime: Runtime,
}

impl SqliteTables {
    /// Opens the file for writing; it is created where missing.
    ///
    /// Tables can be made again from the journal, so a power loss may take back the last of them,
    /// checkpoint included: `synchronous` is `NORMAL`.
    pub(in crate::projection) fn writing(path: &Path) -> Result<Self, TablesFailed> {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        Self::connect(
            options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal),
        )
    }

    /// Opens the file for reading.
    pub(in crate::projection) fn reading(path: &Path) -> Result<Self, TablesFailed> {
        Self::made(SqliteConnectOptions::new().filename(path), async |options| {
            read_sqlite(path, options).await
        })
    }

    /// Tables of nobody else, gone when dropped.
    pub(in crate::projection) fn scratch() -> Result<Self, TablesFailed> {
        let options = SqliteConnectOptions::new().in_memory(true);
        Self::connect(options.synchronous(SqliteSynchronous::Off))
    }

    fn connect(options: SqliteConnectOptions) -> Result<Self, TablesFailed> {
        Self::made(options, async |options| options.connect().await)
    }

    fn made(
        options: SqliteConnectOptions,
        connect: impl AsyncFnOnce(SqliteConnectOptions) -> sqlx::Result<SqliteConnection>,
    ) -> Result<Self, TablesFailed> {
        let runtime = Builder::new_current_thread().build();
        let runtime = runtime.map_err(|error| TablesFailed(error.into()))?;
        let options = options.busy_timeout(BUSY_TIMEOUT).pragma("cache_size", CACHE);
        let options = options.pragma("wal_autocheckpoint", LOG_PAGES);
        let options = options.disable_statement_logging();
        let connection = Some(runtime.block_on(connect(options))?);
        Ok(Self { connection, runtime })
    }

    fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> sqlx::Result<T>,
    ) -> Result<T, TablesFailed> {
        let connection = self.connection.as_mut().expect("the connection is taken only by drop");
        Ok(self.runtime.block_on(work(connection))?)
    }
}

impl Backend for SqliteTables {
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1";
        let found = self.read(sql, &[table.into()])?;
        Ok(found.first().and_then(|row| row.first()?.number()) == Some(1))
    }

    fn make_tables(&mut self) -> Result<(), TablesFailed> {
        self.run(async |connection| {
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            for table in TABLES.into_iter().chain([&CHECKPOINT]) {
                for statement in table.create(Dialect::Sqlite) {
                    sqlx::query(AssertSqlSafe(statement)).execute(&mut *transaction).await?;
                }
            }
            transaction.commit().await
        })
    }

    fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        self.run(async |connection| {
            let rows = query(sql, values).fetch_all(connection).await?;
            rows.iter().map(cells).collect()
        })
    }

    fn begin(&mut self) -> Result<(), TablesFailed> {
        self.run(async |connection| connection.execute("BEGIN").await.map(drop))
    }

    fn end(&mut self) -> Result<(), TablesFailed> {
        self.run(async |connection| connection.execute("ROLLBACK").await.map(drop))
    }

    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed> {
        self.run(async |connection| {
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            for step in steps {
                match step {
                    Step::Run(sql, values, must) => {
                        let done = query(sql, values).execute(&mut *transaction).await?;
                        if must.is_some_and(|must| must != done.rows_affected()) {
                            transaction.rollback().await?;
                            return Ok(Written::No);
                        }
                    }
                    Step::Put(table, ledger, rows) => {
                        put(&mut transaction, table, ledger, rows).await?;
                    }
                }
            }
            transaction.commit().await?;
            Ok(Written::Yes)
        })
    }
}

impl Drop for SqliteTables {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take()
            && tokio::runtime::Handle::try_current().is_err()
        {
            // Nothing durable depends on closing well.
            let _ = self.runtime.block_on(connection.close());
        }
    }
}

/// Writes rows, as many to a statement as there are.
async fn put(
    connection: &mut SqliteConnection,
    table: &Table,
    ledger: &str,
    rows: &[Cells],
) -> sqlx::Result<()> {
    let mut left = rows;
    for size in AT_ONCE.into_iter().filter(|size| *size <= rows.len()) {
        let chunks = left.chunks_exact(size);
        left = chunks.remainder();
        let sql = insert(table, size);
        for chunk in chunks {
            put_chunk(connection, &sql, ledger, chunk).await?;
        }
    }
    Ok(())
}

async fn put_chunk(
    connection: &mut SqliteConnection,
    sql: &str,
    ledger: &str,
    rows: &[Cells],
) -> sqlx::Result<()> {
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for row in rows {
        query = row.iter().fold(query.bind(ledger), bind);
    }
    query.execute(connection).await.map(drop)
}

/// Its values have no numbers: the driver looks the name of each up, in a list of all there are.
fn insert(table: &Table, rows: usize) -> String {
    let row = format!("(?{})", ", ?".repeat(table.columns.len()));
    let values = vec![row; rows].join(", ");
    let (columns, conflict) = (table.all_columns(), table.on_conflict());
    format!("INSERT INTO {} ({columns}) VALUES {values}{conflict}", table.name)
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, SqliteArguments>;

fn query<'q>(sql: &'q str, values: &'q [Cell]) -> Query<'q> {
    values.iter().fold(sqlx::query(AssertSqlSafe(sql)), bind)
}

fn bind<'q>(query: Query<'q>, cell: &'q Cell) -> Query<'q> {
    match cell {
        Cell::Null => query.bind(None::<i64>),
        Cell::Integer(number) => query.bind(*number),
        Cell::Text(text) => query.bind(text.as_str()),
    }
}

fn cells(row: &SqliteRow) -> sqlx::Result<Cells> {
    let columns = row.columns().iter().map(|column| {
        let place = column.ordinal();
        let value = row.try_get_raw(place)?;
        if value.is_null() {
            return Ok(Cell::Null);
        }
        match value.type_info().name() {
            "INTEGER" => row.try_get(place).map(Cell::Integer),
            _ => row.try_get(place).map(Cell::Text),
        }
    });
    columns.collect()
}
