//! Queries over tables in an SQLite file, which the vault may share.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant as Clock;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _, TypeInfo as _, ValueRef as _,
};
use tokio::runtime::Builder;
use tokio_stream::StreamExt as _;

use super::allowed::{QueryRefused, check_query, readable_tables};
use super::{QueryBounds, QueryError, QueryRows, QueryValue};
use crate::journal::{read_sqlite, wait_in};
use crate::tables::projection::TablesFailed;
use crate::tables::projection::schema::table::Dialect;

/// After how many steps of a program it is looked whether its time is over.
const STEPS: i32 = 10_000;

/// The pages of a cursor are named by a register, and not by the program.
const PAGE_IN_REGISTER: i64 = 0x10;

pub(super) fn ask(path: &Path, sql: &str, bounds: QueryBounds) -> Result<QueryRows, QueryError> {
    let sql = check_query(sql, Dialect::Sqlite)?;
    if !path.exists() {
        return Err(QueryError::NoTables);
    }
    let runtime = Builder::new_current_thread().build();
    let runtime = runtime.map_err(|error| TablesFailed(error.into()))?;
    wait_in(&runtime, async || {
        let options = SqliteConnectOptions::new().filename(path).busy_timeout(bounds.time);
        let options = options.pragma("query_only", "1").disable_statement_logging();
        let mut connection = read_sqlite(path, options).await?;
        let deadline = Clock::now() + bounds.time;
        let within = move || Clock::now() < deadline;
        connection.lock_handle().await?.set_progress_handler(STEPS, within);
        let found = run_query(&mut connection, &sql, bounds).await;
        // Only reading ended; whether it could be closed changes nothing that was found.
        let _ = connection.close().await;
        found.map_err(|error| if within() { error } else { QueryError::TooLong(bounds.time) })
    })
}

async fn run_query(
    connection: &mut SqliteConnection,
    sql: &str,
    bounds: QueryBounds,
) -> Result<QueryRows, QueryError> {
    // Of one moment: what is run is what was looked at, over the tables that were looked up.
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    let pages = pages(connection).await?;
    if pages.is_empty() {
        return Err(QueryError::NoTables);
    }
    opens_these_alone(connection, sql, &pages).await?;
    let mut rows = sqlx::query(AssertSqlSafe(sql)).persistent(false).fetch(&mut *connection);
    let (mut found, mut bytes) = (QueryRows::default(), 0);
    while let Some(row) = rows.next().await {
        let row = row?;
        found.name_columns(row.columns().iter().map(sqlx::Column::name));
        if !found.take(values(&row)?, &mut bytes, bounds) {
            break;
        }
    }
    Ok(found)
}

/// The pages at which the tables that may be read and their indexes begin.
async fn pages(connection: &mut SqliteConnection) -> sqlx::Result<HashSet<i64>> {
    let names: Vec<_> = readable_tables().map(|table| format!("'{}'", table.name)).collect();
    let sql = format!(
        "SELECT rootpage FROM sqlite_schema WHERE type IN ('table', 'index') AND rootpage > 0 \
         AND tbl_name IN ({})",
        names.join(", ")
    );
    let pages = sqlx::query_scalar(AssertSqlSafe(sql)).persistent(false).fetch_all(connection);
    Ok(pages.await?.into_iter().collect())
}

/// Reads the program that SQLite has made of the query: it opens nothing but these pages.
async fn opens_these_alone(
    connection: &mut SqliteConnection,
    sql: &str,
    pages: &HashSet<i64>,
) -> Result<(), QueryError> {
    let explain = format!("EXPLAIN {sql}");
    let program = sqlx::query(AssertSqlSafe(explain)).persistent(false).fetch_all(connection);
    for step in program.await? {
        let code: String = step.try_get("opcode")?;
        let number = |name| step.try_get_unchecked::<Option<i64>, _>(name);
        let (p2, p3, p5) = (number("p2")?, number("p3")?, number("p5")?.unwrap_or(0));
        let admitted = match &*code {
            "OpenRead" | "ReopenIdx" => {
                let its = p2.is_some_and(|page| pages.contains(&page));
                its && p3 == Some(0) && p5 & PAGE_IN_REGISTER == 0
            }
            // What it keeps for itself while it runs.
            "OpenDup" | "OpenEphemeral" | "OpenAutoindex" | "OpenPseudo" | "SorterOpen" => true,
            "Transaction" => p2 == Some(0),
            "Variable" => true,
            // Other tables, virtual ones, and whatever a later SQLite opens by.
            code => !(code.contains("Open") || code.starts_with('V')),
        };
        if !admitted {
            return Err(QueryRefused::program(&code).into());
        }
    }
    Ok(())
}

fn values(row: &SqliteRow) -> sqlx::Result<Vec<QueryValue>> {
    let value = |place| -> sqlx::Result<QueryValue> {
        let raw = row.try_get_raw(place)?;
        if raw.is_null() {
            return Ok(QueryValue::Null);
        }
        let sort = raw.type_info().name().to_owned();
        Ok(match &*sort {
            "INTEGER" => QueryValue::Number(row.try_get_unchecked::<i64, _>(place)?.to_string()),
            // Averages and quotients: no table has such a column.
            "REAL" => QueryValue::Number(row.try_get_unchecked::<f64, _>(place)?.to_string()),
            _ => QueryValue::Text(row.try_get_unchecked::<String, _>(place)?),
        })
    };
    (0..row.len()).map(value).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::journal::{Journal as _, OpenMode, SqliteJournal};
    use crate::tables::projection::{Projector, Target};

    const BOUNDS: QueryBounds =
        QueryBounds { rows: 10, bytes: 10_000, time: Duration::from_secs(5) };

    /// Asks what nobody has read before.
    fn unread(path: &Path, sql: &str) -> Result<QueryRows, QueryError> {
        let runtime = Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let options = SqliteConnectOptions::new().filename(path).pragma("query_only", "1");
            let mut connection = read_sqlite(path, options).await?;
            run_query(&mut connection, sql, BOUNDS).await
        })
    }

    #[test]
    fn a_program_that_opens_more_than_the_tables_is_refused_whoever_let_it_pass() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.db");
        let mut journal = SqliteJournal::open(&file, "live", OpenMode::create()).unwrap();
        journal.open_writer().unwrap();
        Projector::open(&mut journal, "live", &Target::Sqlite(file.clone())).unwrap();
        for sql in [
            "SELECT * FROM vault",
            "SELECT count(*) FROM journal",
            "SELECT * FROM sqlite_schema",
            "SELECT * FROM pragma_table_info('vault')",
            "SELECT 1 FROM operations WHERE operation IN (SELECT value FROM vault)",
            "WITH RECURSIVE v(x) AS (SELECT value FROM vault UNION SELECT x FROM v) SELECT * FROM v",
        ] {
            let refused = unread(&file, sql);
            assert!(matches!(refused, Err(QueryError::Refused(_))), "{sql}: {refused:?}");
        }
        for sql in ["DELETE FROM operations", "CREATE TABLE x (y)", "PRAGMA user_version = 7"] {
            assert!(unread(&file, sql).is_err(), "{sql}");
        }
        for sql in [
            "SELECT count(*) FROM operations",
            "SELECT * FROM operations WHERE ledger = 'live' AND account = 'a' AND kind = 'b'",
            "SELECT account, count(DISTINCT customer) FROM balances GROUP BY account ORDER BY 2",
        ] {
            assert!(unread(&file, sql).is_ok(), "{sql}");
        }
    }
}
