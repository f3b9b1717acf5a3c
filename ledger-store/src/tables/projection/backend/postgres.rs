//! Tables in a PostgreSQL database: the journal's own, or another.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Postgres};

use super::copying::copy;
use super::sql::{SqlTables, indexes};
use super::{Backend as _, TablesFailed};
use crate::journal::{PostgresConnections, PostgresServer};
use crate::tables::projection::schema::table::{Cells, Dialect, Sort, Table};

/// From so many rows on they are copied, which is a way more to the server than one statement.
/// Where that begins to pay was not measured: at 200 rows it does.
const COPIED: usize = 64;

/// How many tables of one's own there are of a name, which is one at most, without an index of a
/// name.
const LACKS_INDEX: &str = "SELECT count(*) FROM pg_class AS t \
    WHERE t.relname = $1 AND pg_has_role(t.relowner, 'USAGE') \
    AND t.relnamespace::regnamespace::text = ANY (current_schemas(false)::text[]) \
    AND NOT EXISTS (SELECT FROM pg_index JOIN pg_class AS i ON i.oid = indexrelid \
    WHERE indrelid = t.oid AND i.relname = $2)";

/// A database of tables, by a connection of its own or by those that a pool shares.
pub(in crate::tables::projection) struct PostgresTables {
    connections: PostgresConnections,
    /// What everything runs on that is of one moment: nobody else may come between.
    one_moment: Option<PostgresConnections>,
    server: PostgresServer,
}

impl PostgresTables {
    /// The tables of a server's database; connects with the first call.
    pub(in crate::tables::projection) fn open(
        server: &PostgresServer,
    ) -> Result<Self, TablesFailed> {
        let connections = PostgresConnections::open(server)?;
        Ok(Self { connections, one_moment: None, server: server.clone() })
    }

    /// Tells whether an index is not there that whoever is connected may make.
    fn lacks_an_index(&mut self, table: &Table) -> Result<bool, TablesFailed> {
        for index in indexes(self, table)? {
            if self.count(LACKS_INDEX, &[table.name.into(), index.name.into()])? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl SqlTables for PostgresTables {
    type Database = Postgres;

    const DIALECT: Dialect = Dialect::Postgres;

    const BEGIN: &'static str = "BEGIN";

    const HAS_COLUMN: &'static str = "SELECT count(*) FROM information_schema.columns \
        WHERE table_schema = ANY (current_schemas(false)) AND table_name = $1 AND column_name = $2";

    const HAS_PRIMARY_KEY: &'static str = "SELECT count(*) FROM pg_index \
        JOIN pg_class ON pg_class.oid = indrelid WHERE indisprimary AND relname = $1 \
        AND relnamespace::regnamespace::text = ANY (current_schemas(false)::text[])";

    const RECLAIMS: Option<&'static str> = Some("VACUUM");

    const OWNS_INDEX: &'static str = "SELECT count(*) FROM pg_class \
        WHERE relkind = 'i' AND relname = $1 AND pg_has_role(relowner, 'USAGE') \
        AND relnamespace::regnamespace::text = ANY (current_schemas(false)::text[])";

    // The number of the lock is nobody else's.
    const TURN: Option<&'static str> = Some("SELECT pg_advisory_xact_lock(7310864512009141)");

    const WAITS_BRIEFLY: Option<&'static str> = Some("SET LOCAL lock_timeout = '2s'");

    fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
    ) -> Result<T, TablesFailed> {
        let Self { connections, one_moment, server } = self;
        Ok(one_moment.as_mut().unwrap_or(connections).transact(server, work)?)
    }

    const RESTS_WITHIN_MOMENT: Option<&'static str> = Some(
        "SELECT set_config(name, '0', true) \
         FROM (VALUES ('idle_in_transaction_session_timeout')) AS wanted (name) \
         WHERE current_setting(name, true) IS NOT NULL",
    );

    fn begin_moment(&mut self) -> Result<(), TablesFailed> {
        self.one_moment = Some(PostgresConnections::own()?);
        Ok(())
    }

    fn end_moment(&mut self) {
        self.one_moment = None;
    }

    /// A role without the right to make tables must get by where they are made already.
    fn skips_making(&mut self, tables: &[&'static Table]) -> Result<bool, TablesFailed> {
        for table in tables {
            if !self.has(table.name)? || self.lacks_an_index(table)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Few rows take the way of the others, which is one to the server and back.
    async fn add(
        connection: &mut PgConnection,
        table: &Table,
        ledger: &str,
        rows: &[Cells],
    ) -> sqlx::Result<()> {
        if rows.len() < COPIED {
            return insert(connection, (table, ""), ledger, rows).await;
        }
        copy(connection, table, ledger, rows).await
    }

    async fn upsert(
        connection: &mut PgConnection,
        table: &Table,
        ledger: &str,
        rows: &[Cells],
    ) -> sqlx::Result<()> {
        insert(connection, (table, &table.on_conflict()), ledger, rows).await
    }
}

/// Writes all rows in one statement: a column is an array.
async fn insert(
    connection: &mut PgConnection,
    (table, conflict): (&Table, &str),
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
        conflict,
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
