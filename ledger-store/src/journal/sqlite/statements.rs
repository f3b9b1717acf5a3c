//! The statements that only SQLite is given, and the words in which its others differ.

use std::path::Path;

use sqlx::sqlite::{SqliteConnection, SqliteQueryResult, SqliteRow};
use sqlx::{Row as _, Sqlite};

use super::codes;
use crate::journal::database::{JournalDatabase, SqlDatabase};
use crate::journal::statements::{Ledger, fixed_column, integer};
use crate::journal::{Head, OpenError, Row, Source, VaultRow};

/// Writes a row if the epoch is the writer's and the head is where it believes.
///
/// One row to a statement, since SQLite has no arrays: a commit of more is a transaction.
const APPEND: &str = "\
    INSERT INTO journal (ledger, first, count, link, payload)
    SELECT ledger.id, ?5, ?6, ?7, ?8
    FROM ledger LEFT JOIN journal AS head ON head.ledger = ledger.id
        AND head.first = (SELECT max(first) FROM journal WHERE ledger = ?1)
    WHERE ledger.id = ?1 AND ledger.epoch = ?2
        AND ifnull(head.first + head.count - 1, 0) = ?3 AND ifnull(head.link, ?9) = ?4";

const KEEP: &str = "\
    INSERT INTO vault (ledger, token, kind, value, mask) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (ledger, token) DO NOTHING";

/// The triggers of the tables that stand in a journal's file, made by this program or not.
const TRIGGERS: &str = "\
    SELECT tbl_name, name, ifnull(sql, '') FROM sqlite_schema
    WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?1))";

/// Writes some pages beside the records, and gives them back: a log that was written before has
/// room for a short commit although the disk is full.
pub(super) const PROBE: [&str; 2] = [
    "UPDATE ledger_lease SET holder = trim(holder) || printf('%65536s', '') WHERE ledger = ?1",
    "UPDATE ledger_lease SET holder = trim(holder) WHERE ledger = ?1",
];

const INTEGRITY: &str = "PRAGMA integrity_check(1)";

/// Says how many pages the log has, and how many of them are in the file; and does nothing.
const LOG: &str = "PRAGMA wal_checkpoint(NOOP)";

const SETTLE_LOG: &str = "PRAGMA wal_checkpoint(RESTART)";

impl SqlDatabase for Sqlite {
    const HAS_TABLE: &'static str =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1";

    const ONE_MOMENT: &'static str = "BEGIN";

    fn rows_affected(done: &SqliteQueryResult) -> u64 {
        done.rows_affected()
    }
}

impl JournalDatabase for Sqlite {
    type Key = i64;

    const FIND: &'static str =
        "SELECT id, algorithm, vault_key, key_check, environment FROM ledger WHERE name = $1";

    const FIND_EARLIER: &'static [(i64, &'static str)] = &[
        (4, Self::FIND),
        (2, "SELECT id, algorithm, vault_key, key_check, NULL FROM ledger WHERE name = $1"),
        (1, "SELECT id, algorithm, vault_key, NULL, NULL FROM ledger WHERE name = $1"),
    ];

    const SET_KEY_CHECK: &'static str = "UPDATE ledger SET key_check = $2 WHERE id = $1";

    const TAKE_OVER: &'static str =
        "UPDATE ledger SET epoch = epoch + 1 WHERE id = $1 RETURNING epoch";

    const BEGIN_CLAIM: &'static str = "BEGIN IMMEDIATE";

    const LEASE: &'static str = "\
        SELECT ledger.epoch, lease.epoch,
            lease.until - CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000
        FROM ledger JOIN ledger_lease AS lease ON lease.ledger = ledger.id WHERE ledger.id = $1";

    const HOLDER: &'static str = "\
        SELECT ledger.epoch, lease.epoch,
            lease.until - CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000,
            lease.until > 0, lease.holder
        FROM ledger JOIN ledger_lease AS lease ON lease.ledger = ledger.id WHERE ledger.id = $1";

    const HOLD: &'static str = "\
        INSERT INTO ledger_lease (ledger, epoch, until, holder)
        VALUES ($1, $2, CASE WHEN $3 = 0 THEN 0
            ELSE CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 + $3 END, $4)
        ON CONFLICT (ledger) DO UPDATE
        SET epoch = excluded.epoch, until = excluded.until, holder = excluded.holder";

    const RENEW: &'static str = "\
        INSERT INTO ledger_lease (ledger, epoch, until)
        SELECT id, epoch, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 + $3
        FROM ledger WHERE id = $1 AND epoch = $2
        ON CONFLICT (ledger) DO UPDATE SET epoch = excluded.epoch, until = excluded.until";

    // The transaction holds the whole file.
    const LOCK: &'static str = Self::EPOCH;

    const EPOCH: &'static str = "SELECT epoch FROM ledger WHERE id = $1";

    const ERASURES_SINCE: &'static str =
        "SELECT coalesce(erasures_since, 0) FROM ledger WHERE id = $1";

    const HEAD: &'static str = "\
        SELECT ledger.epoch, head.first + head.count - 1, head.link
        FROM ledger LEFT JOIN journal AS head ON head.ledger = ledger.id
            AND head.first = (SELECT max(first) FROM journal WHERE ledger = $1)
        WHERE ledger.id = $1";

    const UNHURRIED: &'static [&'static str] = &[];

    // The statements say it of each table themselves.
    const BY_THE_TABLE: &'static [&'static str] = &[];

    const COUNTED: &'static str = "\
        SELECT ifnull(sum(count), 0), ifnull(max(first + count - 1), 0)
        FROM journal NOT INDEXED WHERE ledger = $1";

    const GAP: &'static str = "\
        SELECT expected, first FROM (
            SELECT first, lag(first + count, 1, 1) OVER (ORDER BY first) AS expected
            FROM journal NOT INDEXED WHERE ledger = $1)
        WHERE first <> expected ORDER BY first LIMIT 1";

    fn count(row: &SqliteRow, column: usize) -> sqlx::Result<u32> {
        row.try_get(column)
    }

    fn vault_row(row: &SqliteRow) -> sqlx::Result<VaultRow> {
        Ok(VaultRow {
            token: fixed_column(row, 0)?,
            kind: row.try_get(1)?,
            value: row.try_get(2)?,
            mask: row.try_get(3)?,
        })
    }

    fn surely_not_written(error: &sqlx::Error) -> bool {
        codes::surely_not_written(error)
    }

    fn is_damage(error: &sqlx::Error) -> bool {
        codes::is_damage(error)
    }

    fn cause(error: sqlx::Error) -> Source {
        codes::cause(error)
    }

    fn opening(path: &Path, error: sqlx::Error) -> OpenError {
        let path = path.to_owned();
        match error {
            sqlx::Error::Io(error) => OpenError::Database { path, source: error.into() },
            error if codes::primary(&error) == Some(codes::NOTADB) => {
                OpenError::NotADatabase { path, source: codes::cause(error) }
            }
            error => OpenError::Database { path, source: codes::cause(error) },
        }
    }
}

impl Ledger<Sqlite> {
    /// Appends `row` after `previous`; `false` when the epoch is not the writer's or the head is
    /// elsewhere.
    pub(super) async fn append(
        &self,
        connection: &mut SqliteConnection,
        epoch: u64,
        previous: Head,
        row: &Row,
    ) -> sqlx::Result<bool> {
        let done = sqlx::query(APPEND)
            .bind(self.key)
            .bind(integer(epoch))
            .bind(integer(previous.seq))
            .bind(&previous.link.0[..])
            .bind(integer(row.first))
            .bind(row.count)
            .bind(&row.link.0[..])
            .bind(&row.payload[..])
            .bind(&self.genesis.link.0[..])
            .execute(connection)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Keeps a value under its token, unless the token has one.
    pub(super) async fn keep(
        &self,
        connection: &mut SqliteConnection,
        row: &VaultRow,
    ) -> sqlx::Result<()> {
        sqlx::query(KEEP)
            .bind(self.key)
            .bind(&row.token[..])
            .bind(row.kind)
            .bind(&row.value[..])
            .bind(&row.mask[..])
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Brings all that the log holds into the file, and begins the log anew; `false` when readers kept
/// it from that until the busy timeout.
pub(super) async fn settle_log(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    let busy: i64 = sqlx::query_scalar(SETTLE_LOG).fetch_one(connection).await?;
    Ok(busy == 0)
}

/// How many pages of the log are in the file.
pub(super) async fn count_copied(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    let (_, _, copied): (i64, i64, i64) = sqlx::query_as(LOG).fetch_one(connection).await?;
    Ok(copied)
}

/// The triggers of these tables, with their text.
pub(super) async fn triggers(
    connection: &mut SqliteConnection,
    tables: &[&str],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let tables = serde_json::to_string(tables).unwrap_or_default();
    sqlx::query_as(TRIGGERS).bind(tables).fetch_all(connection).await
}

/// Returns what the database finds wrong with its own file; none when nothing is.
pub(super) async fn integrity(connection: &mut SqliteConnection) -> sqlx::Result<Option<String>> {
    let found: String = sqlx::query_scalar(INTEGRITY).fetch_one(connection).await?;
    Ok(Some(found).filter(|found| found != "ok"))
}
