//! What both databases of tables do in the same words.

use std::path::Path;

use sqlx::error::DatabaseError;
use sqlx::query::Query;
use sqlx::{
    AssertSqlSafe, Column as _, ColumnIndex, Connection as _, Database, Decode, Encode, Executor,
    IntoArguments, Row, Type, TypeInfo as _, ValueRef as _,
};

use super::{Backend, Step, TablesFailed, Written};
use crate::journal::{Source, SqlDatabase};
use crate::tables::projection::schema::table::{Cell, Cells, Dialect, Index, Table};

/// A connection to tables, and the ways that are its database's own.
pub(super) trait SqlTables: Send {
    /// The database as sqlx knows it.
    type Database: SqlDatabase;

    /// The words in which tables are made.
    const DIALECT: Dialect;

    /// Begins a transaction that writes.
    const BEGIN: &'static str;

    /// Makers of tables take turns by this, where beginning to write is no turn.
    const TURN: Option<&'static str>;

    /// By this the rest of a transaction waits for no reader for long, where it would.
    const WAITS_BRIEFLY: Option<&'static str>;

    /// Runs `work` on the connection.
    fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut Connection<Self>) -> sqlx::Result<T> + Send,
    ) -> Result<T, TablesFailed>;

    /// Makes ready for what is read as of one moment, on one connection.
    fn begin_moment(&mut self) -> Result<(), TablesFailed> {
        Ok(())
    }

    /// Gives up what that took.
    fn end_moment(&mut self) {}

    /// By this the server lets who reads as of one moment rest between two reads, where it would
    /// not.
    const RESTS_WITHIN_MOMENT: Option<&'static str>;

    /// How many columns a table has of a name.
    const HAS_COLUMN: &'static str;

    /// How many primary keys a table has, which is one at most.
    const HAS_PRIMARY_KEY: &'static str;

    /// What stands before the names of tables whose rows are gone, where what they took is not
    /// given back by itself.
    const RECLAIMS: Option<&'static str>;

    /// The file that the tables are in, if they are in one.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// How many indexes there are of a name that may be dropped.
    const OWNS_INDEX: &'static str;

    /// Tells whether tables that are there are left as they are, missing ones among them.
    fn skips_making(&mut self, tables: &[&'static Table]) -> Result<bool, TablesFailed>;

    /// Adds rows, each of the columns of `table` without `ledger`, none of whose keys is there.
    async fn add(
        connection: &mut Connection<Self>,
        table: &Table,
        ledger: &str,
        rows: &[Cells],
    ) -> sqlx::Result<()>;

    /// Writes such rows in the place of those that have their keys, in few statements.
    async fn upsert(
        connection: &mut Connection<Self>,
        table: &Table,
        ledger: &str,
        rows: &[Cells],
    ) -> sqlx::Result<()>;
}

/// A row stands where one is to be added.
#[derive(Debug, thiserror::Error)]
#[error(
    "table {table} has a row already of a record that is not in it yet: somebody else wrote it, and \
     a rebuild (--rebuild) makes the table anew"
)]
struct Occupied {
    table: &'static str,
    source: Source,
}

/// The indexes that a table is to have. One that was made when its key was a primary key keeps
/// that, and has none in its place.
pub(super) fn indexes<T: SqlTables + Backend>(
    tables: &mut T,
    table: &Table,
) -> Result<Vec<Index>, TablesFailed> {
    let declared =
        table.key_index.is_some() && tables.count(T::HAS_PRIMARY_KEY, &[table.name.into()])? > 0;
    let indexes = table.own_indexes();
    Ok(indexes.filter(|index| !(declared && table.key_index == Some(index.name))).collect())
}

/// The connection that `T` runs its work on.
pub(super) type Connection<T> = <<T as SqlTables>::Database as Database>::Connection;

// What sqlx must know of a database for these statements, said once.
impl<T, D> Backend for T
where
    T: SqlTables<Database = D>,
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
        Ok(self.count(D::HAS_TABLE, &[table.into()])? == 1)
    }

    fn has_column(&mut self, table: &str, column: &str) -> Result<bool, TablesFailed> {
        Ok(self.count(T::HAS_COLUMN, &[table.into(), column.into()])? > 0)
    }

    fn file(&self) -> Option<&Path> {
        SqlTables::file(self)
    }

    fn reclaim(&mut self, tables: &[&'static Table]) -> Result<(), TablesFailed> {
        let Some(reclaims) = T::RECLAIMS else { return Ok(()) };
        let names = tables.iter().map(|table| table.name).collect::<Vec<_>>().join(", ");
        let statement = format!("{reclaims} {names}");
        self.run(async |connection| connection.execute(AssertSqlSafe(statement)).await.map(drop))
    }

    fn owns_index(&mut self, index: &str) -> Result<bool, TablesFailed> {
        Ok(self.count(T::OWNS_INDEX, &[index.into()])? > 0)
    }

    fn make(&mut self, tables: &[&'static Table]) -> Result<(), TablesFailed> {
        if self.skips_making(tables)? {
            return Ok(());
        }
        let mut statements = Vec::new();
        for table in tables {
            statements.push(table.create(T::DIALECT));
            statements.extend(indexes(self, table)?.into_iter().map(|index| index.sql));
        }
        self.run(async |connection| {
            let mut transaction = connection.begin_with(T::BEGIN).await?;
            if let Some(turn) = T::TURN {
                transaction.execute(turn).await?;
            }
            for statement in statements {
                sqlx::query(AssertSqlSafe(statement)).execute(&mut *transaction).await?;
            }
            transaction.commit().await
        })
    }

    fn turn(&self) -> Option<&'static str> {
        T::TURN
    }

    fn waits_briefly(&self) -> Option<&'static str> {
        T::WAITS_BRIEFLY
    }

    fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        self.run(async |connection| {
            let rows = query::<D>(sql, values).fetch_all(connection).await?;
            rows.iter().map(cells).collect()
        })
    }

    fn begin(&mut self) -> Result<(), TablesFailed> {
        self.begin_moment()?;
        self.run(async |connection| {
            connection.execute(D::ONE_MOMENT).await?;
            match T::RESTS_WITHIN_MOMENT {
                Some(rests) => connection.execute(rests).await.map(drop),
                None => Ok(()),
            }
        })
    }

    fn end(&mut self) -> Result<(), TablesFailed> {
        let ended = self.run(async |connection| connection.execute("ROLLBACK").await.map(drop));
        self.end_moment();
        ended
    }

    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed> {
        let mut occupied = None;
        let written = self.run(async |connection| {
            let mut transaction = connection.begin_with(T::BEGIN).await?;
            let mut touched = 0;
            for step in steps {
                match step {
                    Step::Add(table, ledger, rows) => {
                        let added = T::add(&mut transaction, table, ledger, rows).await;
                        added.inspect_err(|error| {
                            let known = error.as_database_error();
                            let taken = known.is_some_and(DatabaseError::is_unique_violation);
                            occupied = taken.then_some(table.name);
                        })?;
                    }
                    Step::Put(table, ledger, rows) => {
                        T::upsert(&mut transaction, table, ledger, rows).await?;
                    }
                    _ => {}
                }
                let Some((sql, values, must)) = step.statement() else { continue };
                let done = query::<D>(&sql, &values).execute(&mut *transaction).await?;
                let rows = D::rows_affected(&done);
                if must.is_some_and(|must| must != rows) {
                    transaction.rollback().await?;
                    return Ok(Written::No);
                }
                touched += rows;
            }
            transaction.commit().await?;
            Ok(Written::Yes(touched))
        });
        match (written, occupied) {
            (Err(TablesFailed(source)), Some(table)) => {
                Err(TablesFailed(Box::new(Occupied { table, source })))
            }
            (written, _) => written,
        }
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
    values.iter().fold(sqlx::query(AssertSqlSafe(sql)), bind)
}

/// Binds one value more; null is a text to PostgreSQL, and of no type to SQLite.
pub(super) fn bind<'q, D>(
    query: Query<'q, D, D::Arguments>,
    cell: &Cell,
) -> Query<'q, D, D::Arguments>
where
    D: Database,
    for<'v> i64: Encode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
    for<'v> Option<String>: Encode<'v, D>,
    String: Type<D>,
    str: Type<D>,
{
    match cell {
        Cell::Null => query.bind(None::<String>),
        Cell::Integer(number) => query.bind(*number),
        Cell::Text(text) => query.bind(text.as_str()),
    }
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
