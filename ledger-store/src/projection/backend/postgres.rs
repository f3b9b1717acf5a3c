//! Tables in a PostgreSQL database: the journal's own, or another.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Postgres};
use tokio::runtime::Builder;

use super::sql::SqlTables;
use super::{Backend as _, TablesFailed};
use crate::journal::{PostgresServer, Session, wait_in};
use crate::projection::schema::table::{Cells, Dialect, Sort, Table};

/// A connection to a database of tables; made anew by the next call where it was lost.
pub(in crate::projection) struct PostgresTables {
    session: Session<PgConnection>,
    server: PostgresServer,
}

impl PostgresTables {
    /// Connects to the server, on a runtime of its own.
    pub(in crate::projection) fn open(server: &PostgresServer) -> Result<Self, TablesFailed> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| TablesFailed(error.into()))?;
        let connection = wait_in(&runtime, async || server.connect().await)?;
        Ok(Self { session: Session::new(connection, runtime), server: server.clone() })
    }
}

impl SqlTables for PostgresTables {
    type Database = Postgres;

    const DIALECT: Dialect = Dialect::Postgres;

    const BEGIN: &'static str = "BEGIN";

    const HAS_COLUMN: &'static str = "SELECT count(*) FROM information_schema.columns \
        WHERE table_schema = ANY (current_schemas(false)) AND table_name = $1 AND column_name = $2";

    // The number of the lock is nobody else's.
    const TURN: Option<&'static str> = Some("SELECT pg_advisory_xact_lock(7310864512009141)");

    fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
    ) -> Result<T, TablesFailed> {
        let Self { session, server } = self;
        let done = session.run(async || server.connect().await, work);
        // What failed may be in the midst of a transaction: the next call begins on a new one.
        Ok(done.inspect_err(|_| session.abandon())?)
    }

    /// A role without the right to make tables must get by where they are made already.
    fn skips_making(&mut self, tables: &[&'static Table]) -> Result<bool, TablesFailed> {
        for table in tables {
            if !self.has(table.name)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes all rows in one statement: a column is an array.
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
                Sort::Text => {
                    query.bind(rows.iter().map(|row| row[place].text()).collect::<Vec<_>>())
                }
            };
        }
        query.execute(connection).await.map(drop)
    }
}
