//! Statements of a service as sqlx gives them to either database.

use sqlx::query::Query;
use sqlx::{
    AssertSqlSafe, Column as _, ColumnIndex, Connection as _, Database, Decode, Encode, Executor,
    IntoArguments, Row, Type, TypeInfo as _, ValueRef as _,
};
use tokio::runtime::{Builder, Runtime};

use super::{Connected, Statement};
use crate::journal::{Session, SqlDatabase, wait_in};
use crate::projection::TablesFailed;
use crate::projection::schema::table::{Cell, Cells};

/// A connection, and the ways that are its database's own.
trait ServiceConnection: Send {
    type Database: SqlDatabase;

    /// Begins a transaction that writes.
    const BEGIN: &'static str;

    fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut <Self::Database as Database>::Connection) -> sqlx::Result<T> + Send,
    ) -> Result<T, TablesFailed>;
}

fn runtime() -> Result<Runtime, TablesFailed> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| TablesFailed(error.into()))
}

// What sqlx must know of a database for these statements, said once.
impl<T, D> Connected for T
where
    T: ServiceConnection<Database = D>,
    D: SqlDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> i64: Encode<'v, D> + Decode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
    for<'v> String: Decode<'v, D> + Type<D>,
    for<'v> Option<String>: Encode<'v, D>,
    str: Type<D>,
{
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        let found = self.read(D::HAS_TABLE, &[table.into()])?;
        Ok(found.first().and_then(|row| row.first()?.number()) == Some(1))
    }

    fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        self.run(async |connection| {
            let rows = query::<D>(sql, values).fetch_all(connection).await?;
            rows.iter().map(cells).collect()
        })
    }

    fn write(&mut self, statements: &[Statement]) -> Result<u64, TablesFailed> {
        self.run(async |connection| {
            let mut transaction = connection.begin_with(T::BEGIN).await?;
            let mut touched = 0;
            for (sql, values) in statements {
                let done = query::<D>(sql, values).execute(&mut *transaction).await?;
                touched += D::rows_affected(&done);
            }
            transaction.commit().await?;
            Ok(touched)
        })
    }
}

fn query<'q, D>(sql: &'q str, values: &'q [Cell]) -> Query<'q, D, D::Arguments>
where
    D: Database,
    for<'v> i64: Encode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
    for<'v> Option<String>: Encode<'v, D>,
    String: Type<D>,
    str: Type<D>,
{
    // A null is typed by its column where the statement casts it, and is a text otherwise.
    values.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, cell| match cell {
        Cell::Null => query.bind(None::<String>),
        Cell::Integer(number) => query.bind(*number),
        Cell::Text(text) => query.bind(text.as_str()),
    })
}

fn cells<R: Row>(row: &R) -> sqlx::Result<Cells>
where
    usize: ColumnIndex<R>,
    for<'v> i64: Decode<'v, R::Database> + Type<R::Database>,
    for<'v> String: Decode<'v, R::Database> + Type<R::Database>,
{
    let columns = row.columns().iter().map(|column| {
        let place = column.ordinal();
        let value = row.try_get_raw(place)?;
        if value.is_null() {
            return Ok(Cell::Null);
        }
        match value.type_info().name() {
            "INTEGER" | "INT8" => row.try_get(place).map(Cell::Integer),
            _ => row.try_get(place).map(Cell::Text),
        }
    });
    columns.collect()
}

#[cfg(feature = "sqlite")]
pub(super) use sqlite::SqliteService;

#[cfg(feature = "sqlite")]
mod sqlite {
    use std::path::Path;
    use std::time::Duration;

    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::{
        Sqlite, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous,
    };

    use super::{ServiceConnection, Session, TablesFailed, runtime, wait_in};

    /// How long a statement waits for another writer of the same file.
    const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

    pub(in crate::service_tables) struct SqliteService(Session<SqliteConnection>);

    impl SqliteService {
        pub(in crate::service_tables) fn open(path: &Path) -> Result<Self, TablesFailed> {
            let options = SqliteConnectOptions::new()
                .filename(path)
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                // Nothing can make these tables again.
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(BUSY_TIMEOUT)
                .disable_statement_logging();
            let runtime = runtime()?;
            let connection = wait_in(&runtime, async || options.connect().await)?;
            Ok(Self(Session::new(connection, runtime)))
        }
    }

    impl ServiceConnection for SqliteService {
        type Database = Sqlite;

        const BEGIN: &'static str = "BEGIN IMMEDIATE";

        fn run<T: Send>(
            &mut self,
            work: impl AsyncFnOnce(&mut SqliteConnection) -> sqlx::Result<T> + Send,
        ) -> Result<T, TablesFailed> {
            let again = async || unreachable!("the connection is given up only by drop");
            Ok(self.0.run(again, work)?)
        }
    }
}

#[cfg(feature = "postgres")]
pub(super) use postgres::PostgresService;

#[cfg(feature = "postgres")]
mod postgres {
    use sqlx::postgres::{PgConnection, Postgres};

    use super::{ServiceConnection, Session, TablesFailed, runtime, wait_in};
    use crate::journal::PostgresServer;

    /// A connection; made anew by the next call where it was lost.
    pub(in crate::service_tables) struct PostgresService {
        session: Session<PgConnection>,
        server: PostgresServer,
    }

    impl PostgresService {
        pub(in crate::service_tables) fn open(
            server: &PostgresServer,
        ) -> Result<Self, TablesFailed> {
            let runtime = runtime()?;
            let connection = wait_in(&runtime, async || server.connect().await)?;
            Ok(Self { session: Session::new(connection, runtime), server: server.clone() })
        }
    }

    impl ServiceConnection for PostgresService {
        type Database = Postgres;

        const BEGIN: &'static str = "BEGIN";

        fn run<T: Send>(
            &mut self,
            work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
        ) -> Result<T, TablesFailed> {
            let Self { session, server } = self;
            let done = session.run(async || server.connect().await, work);
            // What failed may be in the midst of a transaction: the next call begins on a new one.
            Ok(done.inspect_err(|_| session.abandon())?)
        }
    }
}
