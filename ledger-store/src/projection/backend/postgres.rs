//! Tables in a PostgreSQL database: the journal's own, or another.

use sqlx::ValueRef as _;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Column as _, Connection as _, Executor as _, Row as _, TypeInfo as _};
use tokio::runtime::{Builder, Runtime};

use super::{Backend, Step, TablesFailed, Written};
use crate::journal::PostgresServer;
use crate::projection::schema::table::{Cell, Cells, Dialect, Sort, Table};
use crate::projection::schema::{CHECKPOINT, TABLES};

/// Makers of tables take turns under this number, which is nobody else's.
const MAKING: &str = "SELECT pg_advisory_xact_lock(7310864512009141)";

/// A connection to a database of tables; made anew by the next call where it was lost.
pub(in crate::projection) struct PostgresTables {
    connection: Option<PgConnection>,
    runtime: Runtime,
    server: PostgresServer,
}

impl PostgresTables {
    /// Connects.
    pub(in crate::projection) fn open(server: &PostgresServer) -> Result<Self, TablesFailed> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| TablesFailed(error.into()))?;
        let connection = Some(runtime.block_on(server.connect())?);
        Ok(Self { connection, runtime, server: server.clone() })
    }

    fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T>,
    ) -> Result<T, TablesFailed> {
        let done = self.runtime.block_on(async {
            let connection = match &mut self.connection {
                Some(connection) => connection,
                lost => lost.insert(self.server.connect().await?),
            };
            work(connection).await
        });
        // What failed may be in the midst of a transaction: the next call begins on a new one.
        Ok(done.inspect_err(|_| self.connection = None)?)
    }
}

impl Backend for PostgresTables {
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        let sql = "SELECT count(to_regclass($1))";
        let found = self.read(sql, &[table.into()])?;
        Ok(found.first().and_then(|row| row.first()?.number()) == Some(1))
    }

    fn make_tables(&mut self) -> Result<(), TablesFailed> {
        // A role without the right to make tables must get by where they are made already.
        if self.has(CHECKPOINT.name)? {
            return Ok(());
        }
        self.run(async |connection| {
            let mut transaction = connection.begin().await?;
            transaction.execute(MAKING).await?;
            for table in TABLES.into_iter().chain([&CHECKPOINT]) {
                for statement in table.create(Dialect::Postgres) {
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
        let moment = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        self.run(async |connection| connection.execute(moment).await.map(drop))
    }

    fn end(&mut self) -> Result<(), TablesFailed> {
        self.run(async |connection| connection.execute("ROLLBACK").await.map(drop))
    }

    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed> {
        self.run(async |connection| {
            let mut transaction = connection.begin().await?;
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

impl Drop for PostgresTables {
    /// Takes leave of the server, so that it keeps no session waiting.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take()
            && tokio::runtime::Handle::try_current().is_err()
        {
            let _ = self.runtime.block_on(connection.close());
        }
    }
}

/// Writes rows in one statement: a column is an array.
async fn put(
    connection: &mut PgConnection,
    table: &Table,
    ledger: &str,
    rows: &[Cells],
) -> sqlx::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let arrays = table.columns.iter().zip(2..).map(|(column, place)| match column.sort {
        Sort::Integer => format!("${place}::bigint[]"),
        Sort::Text => format!("${place}::text[]"),
    });
    let sql = format!(
        "INSERT INTO {} ({}) SELECT $1, added.* FROM unnest({}) AS added{}",
        table.name,
        table.all_columns(),
        arrays.collect::<Vec<_>>().join(", "),
        table.on_conflict(),
    );
    let mut query = sqlx::query(AssertSqlSafe(sql)).bind(ledger);
    for (place, column) in table.columns.iter().enumerate() {
        query = match column.sort {
            Sort::Integer => {
                query.bind(rows.iter().map(|row| row[place].number()).collect::<Vec<_>>())
            }
            Sort::Text => query.bind(rows.iter().map(|row| row[place].text()).collect::<Vec<_>>()),
        };
    }
    query.execute(connection).await.map(drop)
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Postgres, PgArguments>;

fn query<'q>(sql: &'q str, values: &'q [Cell]) -> Query<'q> {
    values.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, cell| match cell {
        Cell::Null => query.bind(None::<String>),
        Cell::Integer(number) => query.bind(*number),
        Cell::Text(text) => query.bind(text.as_str()),
    })
}

fn cells(row: &PgRow) -> sqlx::Result<Cells> {
    let columns = row.columns().iter().map(|column| {
        let place = column.ordinal();
        if row.try_get_raw(place)?.is_null() {
            return Ok(Cell::Null);
        }
        match column.type_info().name() {
            "INT8" => row.try_get(place).map(Cell::Integer),
            _ => row.try_get(place).map(Cell::Text),
        }
    });
    columns.collect()
}
