//! Leaves no copy of what was erased in the file or its log.
//!
//! A deleted cell is overwritten (`secure_delete`), but a page that was split before may hold
//! another copy of it where nothing is allocated, and the log holds pages as they were.

use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection as _, Sqlite};

use super::schema::BUSY_TIMEOUT;
use crate::journal::Scrub;
use crate::journal::database::has_table;

/// The tables in which a value of a person may have stood.
const TABLES: [&str; 4] =
    ["vault", "webhook_attempts", "operator_proposals", "operator_assignments"];

/// Whoever reads the file for longer is named, and not waited for: commits wait meanwhile.
const LITTLE_PATIENCE: &str = "PRAGMA busy_timeout = 2000";

const FORGET_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// Writes tables, or the whole file, anew, and empties the log; what is left, in words.
pub(super) async fn scrub(
    connection: &mut SqliteConnection,
    scrub: Scrub,
) -> sqlx::Result<Vec<String>> {
    match scrub {
        Scrub::Whole => {
            sqlx::query("VACUUM").execute(&mut *connection).await?;
        }
        Scrub::Tables => {
            // Where a table names another, its rows are deleted one by one, and its pages stay.
            sqlx::query("PRAGMA foreign_keys = OFF").execute(&mut *connection).await?;
            let written = rewritten(connection).await;
            sqlx::query("PRAGMA foreign_keys = ON").execute(&mut *connection).await?;
            written?;
        }
    }
    sqlx::query(LITTLE_PATIENCE).execute(&mut *connection).await?;
    let busy = sqlx::query_scalar(FORGET_LOG).fetch_one(&mut *connection).await;
    let patience = format!("PRAGMA busy_timeout = {}", BUSY_TIMEOUT.as_millis());
    sqlx::query(AssertSqlSafe(patience)).execute(connection).await?;
    let busy: i64 = busy?;
    let left = "the log beside the file (-wal) holds pages as they were, since another program \
        reads the file: end it, and run `custody-ledger scrub`";
    Ok(if busy == 0 { Vec::new() } else { vec![left.to_owned()] })
}

/// Empties each table, so that all its pages are given up and overwritten, and fills it again.
async fn rewritten(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for table in TABLES {
        if !has_table::<Sqlite>(&mut transaction, table).await? {
            continue;
        }
        for statement in [
            format!("CREATE TABLE scrubbed_{table} AS SELECT * FROM {table}"),
            format!("DELETE FROM {table}"),
            format!("INSERT INTO {table} SELECT * FROM scrubbed_{table}"),
            format!("DROP TABLE scrubbed_{table}"),
        ] {
            sqlx::query(AssertSqlSafe(statement)).execute(&mut *transaction).await?;
        }
    }
    transaction.commit().await
}
