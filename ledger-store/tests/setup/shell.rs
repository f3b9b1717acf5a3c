//! Someone with a database shell: whatever SQL, on tables wherever they are.
#![allow(dead_code)] // Each test binary uses its own part of it.

use ledger_store::projection::Target;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Column, ColumnIndex, ConnectOptions as _, Connection as _};
use sqlx::{Decode, PgConnection, Row, Type, TypeInfo, ValueRef};
use tokio::runtime::Builder;

/// Returns what `sql` finds, every value as text.
pub fn query(target: &Target, sql: &str) -> Vec<Vec<String>> {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        match target {
            Target::Sqlite(path) => {
                let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
                let mut connection: SqliteConnection = options.connect().await.unwrap();
                let found = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut connection).await;
                found.unwrap_or_else(|error| panic!("{sql}: {error}")).iter().map(texts).collect()
            }
            Target::Postgres(server) => {
                let mut connection = PgConnection::connect(&url(server)).await.unwrap();
                let found = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut connection).await;
                let found = found.unwrap_or_else(|error| panic!("{sql}: {error}"));
                let texts = found.iter().map(texts).collect();
                connection.close().await.unwrap();
                texts
            }
            Target::Memory(_) => panic!("memory has no shell"),
        }
    })
}

/// Runs `sql` and drops its rows.
pub fn execute(target: &Target, sql: &str) {
    query(target, sql);
}

/// The server's name is its URL, but for how the socket is given.
fn url(server: &ledger_store::PostgresServer) -> String {
    server.to_string().replace("@/", "@localhost/")
}

fn texts<R: Row>(row: &R) -> Vec<String>
where
    usize: ColumnIndex<R>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
{
    let cell = |place: usize| {
        let raw = row.try_get_raw(place).unwrap();
        if raw.is_null() {
            return "null".to_owned();
        }
        let number = row.try_get_unchecked::<i64, _>(place);
        match raw.type_info().name() {
            "INT8" | "INTEGER" => number.unwrap().to_string(),
            "TEXT" => row.try_get_unchecked::<String, _>(place).unwrap(),
            other => panic!("column {} is {other}: cast it", row.column(place).name()),
        }
    };
    (0..row.len()).map(cell).collect()
}

/// Makes a database what it was before erasures were noted.
pub fn drop_erasures(target: &Target) {
    if matches!(target, Target::Sqlite(_)) {
        execute(target, "DROP TRIGGER ledger_keeps_its_erasures_since");
    }
    execute(target, "DROP TABLE vault_erasure");
    execute(target, "ALTER TABLE ledger DROP COLUMN erasures_since");
    execute(target, "DELETE FROM _sqlx_migrations WHERE description = 'vault erasure'");
}

/// Makes a database what it was before there were legal holds.
pub fn drop_legal_holds(target: &Target) {
    drop_erasures(target);
    execute(target, "DROP TABLE legal_hold_token");
    execute(target, "DROP TABLE legal_hold");
    execute(target, "ALTER TABLE ledger_lease DROP COLUMN holder");
    execute(target, "DELETE FROM _sqlx_migrations WHERE description IN ('legal hold', 'holder')");
}

/// Makes a database what it was before a function appended, where it has one.
pub fn drop_append_function(target: &Target) {
    if !matches!(target, Target::Sqlite(_)) {
        execute(target, "DROP FUNCTION journal_append");
        execute(target, "DELETE FROM _sqlx_migrations WHERE description = 'append'");
    }
}
