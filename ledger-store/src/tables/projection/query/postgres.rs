//! Queries over tables on a PostgreSQL server, by a role of its own.

use std::time::Duration;

use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection as _, Row as _, TypeInfo as _, ValueRef as _};
use tokio::runtime::Builder;

use super::allowed::check_query;
use super::{QueryBounds, QueryError, QueryRows, QueryValue};
use crate::journal::{PostgresServer, wait_in};
use crate::tables::projection::TablesFailed;
use crate::tables::projection::schema::table::Dialect;

/// How many rows are asked for at once.
const AT_ONCE: usize = 256;

/// How much longer than its time a query is waited for: the server ends it by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The server has ended a statement, by its own time or because somebody asked.
const CANCELED: &str = "57014";

/// What holds until the query is over, whatever the role or the database have set.
const SETTINGS: [&str; 3] = [
    "START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL lock_timeout = '1s'",
];

pub(super) fn ask(
    server: &PostgresServer,
    sql: &str,
    bounds: QueryBounds,
) -> Result<QueryRows, QueryError> {
    let sql = check_query(sql, Dialect::Postgres)?;
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| TablesFailed(error.into()))?;
    let server = server.clone().statement_timeout(bounds.time);
    wait_in(&runtime, async || {
        let mut connection = server.connect().await?;
        let found = run_query(&mut connection, &sql, bounds);
        let Ok(found) = tokio::time::timeout(bounds.time + GRACE, found).await else {
            return Err(QueryError::TooLong(bounds.time));
        };
        // Only reading ended; whether it could be closed changes nothing that was found.
        let _ = connection.close().await;
        found
    })
}

async fn run_query(
    connection: &mut PgConnection,
    sql: &str,
    bounds: QueryBounds,
) -> Result<QueryRows, QueryError> {
    read(connection, sql, bounds).await.map_err(|error| {
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        if code.as_deref() == Some(CANCELED) {
            QueryError::TooLong(bounds.time)
        } else {
            error.into()
        }
    })
}

/// Reads through a cursor: the server takes one query for it and nothing else, and gives values as
/// text.
async fn read(
    connection: &mut PgConnection,
    sql: &str,
    bounds: QueryBounds,
) -> sqlx::Result<QueryRows> {
    for setting in SETTINGS {
        sqlx::query(setting).execute(&mut *connection).await?;
    }
    let declare = format!("DECLARE found NO SCROLL CURSOR FOR {sql}");
    sqlx::query(AssertSqlSafe(declare)).persistent(false).execute(&mut *connection).await?;
    let (mut found, mut bytes) = (QueryRows::default(), 0);
    loop {
        let fetch = format!("FETCH {AT_ONCE} FROM found");
        let rows = sqlx::raw_sql(AssertSqlSafe(fetch)).fetch_all(&mut *connection).await?;
        for row in &rows {
            found.name_columns(row.columns().iter().map(sqlx::Column::name));
            if !found.take(values(row)?, &mut bytes, bounds) {
                return Ok(found);
            }
        }
        if rows.len() < AT_ONCE {
            return Ok(found);
        }
    }
}

fn values(row: &PgRow) -> sqlx::Result<Vec<QueryValue>> {
    let value = |place| -> sqlx::Result<QueryValue> {
        let raw = row.try_get_raw(place)?;
        if raw.is_null() {
            return Ok(QueryValue::Null);
        }
        let number = matches!(
            raw.type_info().name(),
            "INT2" | "INT4" | "INT8" | "NUMERIC" | "FLOAT4" | "FLOAT8"
        );
        let text = row.try_get_unchecked::<String, _>(place)?;
        Ok(if number { QueryValue::Number(text) } else { QueryValue::Text(text) })
    };
    (0..row.len()).map(value).collect()
}
