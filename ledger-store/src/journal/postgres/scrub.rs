//! Leaves no copy of what was erased in a server's files: tables, statistics, write-ahead log.
//!
//! A deleted row stays in its page until that is written anew, and so does what a vacuum moved; the
//! log holds pages as they were, and its old segments are kept to be written over. Copies that the
//! server does not know (archives, replicas, backups) are the operator's.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::journal::Scrub;

/// The tables in which a value of a person may have stood; the last holds samples of columns.
const TABLES: [(&str, Scrub); 5] = [
    ("vault", Scrub::Tables),
    ("webhook_attempts", Scrub::Tables),
    ("operator_proposals", Scrub::Tables),
    ("operator_assignments", Scrub::Tables),
    ("pg_catalog.pg_statistic", Scrub::Whole),
];

/// Tells whether this role may write a table anew; no row where there is none of its name.
const MAY_REWRITE: &str = "\
    SELECT pg_has_role(c.relowner, 'USAGE') OR c.relnamespace = 'pg_catalog'::regnamespace
        AND pg_has_role(d.datdba, 'USAGE')
    FROM pg_class AS c, pg_database AS d
    WHERE c.oid = to_regclass($1) AND d.datname = current_database()";

/// Tells whether somebody still sees rows as they were before this moment.
const SEEN: &str = "\
    SELECT count(*) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND backend_xmin IS NOT NULL";

/// How long a rewrite waits for whoever uses the table, who waits behind it in turn; it takes as
/// long as it takes once it has begun.
const SETTINGS: [&str; 2] = ["SET lock_timeout = '5s'", "SET statement_timeout = 0"];

const RESET: [&str; 2] = ["RESET lock_timeout", "RESET statement_timeout"];

const MAY_SWITCH: &str = "\
    SELECT has_function_privilege('pg_switch_wal()', 'EXECUTE')
        AND has_function_privilege('pg_ls_waldir()', 'EXECUTE')";

/// Segments that were last written before `$1`, by the second, as the file system tells it.
const OLD_SEGMENTS: &str =
    "SELECT count(*) FROM pg_ls_waldir() WHERE modification <= to_timestamp($1::bigint)";

const NOW: &str = "SELECT floor(extract(epoch FROM clock_timestamp()))::bigint";

/// Something to switch behind: a segment with nothing in it is not left.
const SWITCH: &str = "SELECT pg_logical_emit_message(false, 'scrub', ''), pg_switch_wal()";

/// How often the log is gone through; what is left then is kept by somebody.
const ROUNDS: u32 = 8;

/// How long the file system's clock is given to go on.
const A_SECOND: Duration = Duration::from_millis(1_100);

/// Writes tables anew, and the log too where the whole is asked for; what is left, in words.
pub(super) async fn scrub(
    connection: &mut PgConnection,
    scrub: Scrub,
) -> sqlx::Result<Vec<String>> {
    for setting in SETTINGS {
        connection.execute(setting).await?;
    }
    let left = scrub_tables(connection, scrub).await;
    for setting in RESET {
        connection.execute(setting).await?;
    }
    left
}

async fn scrub_tables(connection: &mut PgConnection, scrub: Scrub) -> sqlx::Result<Vec<String>> {
    let mut left = Vec::new();
    for (table, at_least) in TABLES {
        if at_least == Scrub::Whole && scrub == Scrub::Tables {
            continue;
        }
        left.extend(rewritten(connection, table).await?);
    }
    let seen: i64 = sqlx::query_scalar(SEEN).fetch_one(&mut *connection).await?;
    if seen > 0 {
        left.push(format!(
            "{seen} transactions that are open may still see erased rows, which stay for them: \
             end them, and run `custody-ledger scrub`"
        ));
    }
    left.extend(match scrub {
        Scrub::Tables => Some(
            "the server's write-ahead log holds pages as they were: run `custody-ledger scrub` as \
             a role that may switch it"
                .to_owned(),
        ),
        Scrub::Whole => log_written_over(connection).await?,
    });
    Ok(left)
}

/// Writes a table anew, without what was deleted of it, and has the server sample its columns anew;
/// why not, where it cannot.
async fn rewritten(
    connection: &mut PgConnection,
    table: &'static str,
) -> sqlx::Result<Option<String>> {
    let may: Option<bool> =
        sqlx::query_scalar(MAY_REWRITE).bind(table).fetch_optional(&mut *connection).await?;
    let why = match may {
        None => return Ok(None),
        Some(false) => "this role does not own it".to_owned(),
        Some(true) => {
            let vacuum = AssertSqlSafe(format!("VACUUM (FULL, ANALYZE) {table}"));
            match connection.execute(sqlx::raw_sql(vacuum)).await {
                Ok(_) => return Ok(None),
                Err(sqlx::Error::Database(error)) => error.to_string(),
                Err(error) => return Err(error),
            }
        }
    };
    Ok(Some(format!(
        "the table {table} was not written anew ({why}): run `custody-ledger scrub` as its owner"
    )))
}

/// Leaves no segment of the log as it was before now: old ones are written over one by one.
async fn log_written_over(connection: &mut PgConnection) -> sqlx::Result<Option<String>> {
    let refused = |why: &str| {
        Some(format!(
            "the server's write-ahead log holds pages as they were ({why}): run `custody-ledger \
             scrub` as a superuser, or let the server write over its log"
        ))
    };
    let may: bool = sqlx::query_scalar(MAY_SWITCH).fetch_one(&mut *connection).await?;
    if !may {
        return Ok(refused("this role may not switch it"));
    }
    match connection.execute("CHECKPOINT").await {
        Ok(_) => {}
        Err(sqlx::Error::Database(error)) => return Ok(refused(error.message())),
        Err(error) => return Err(error),
    }
    connection.execute(SWITCH).await?;
    let before: i64 = sqlx::query_scalar(NOW).fetch_one(&mut *connection).await?;
    let mut old: i64 = 0;
    for _ in 0..ROUNDS {
        tokio::time::sleep(A_SECOND).await;
        connection.execute("CHECKPOINT").await?;
        old = sqlx::query_scalar(OLD_SEGMENTS).bind(before).fetch_one(&mut *connection).await?;
        if old == 0 {
            return Ok(None);
        }
        for _ in 0..=old {
            connection.execute(SWITCH).await?;
        }
    }
    Ok(Some(format!(
        "{old} segments of the server's write-ahead log are kept as they were (a replication slot, \
         an archive that lags, wal_keep_size): run `custody-ledger scrub` when they are let go"
    )))
}
