//! The statements of the SQLite journal, and how their columns become rows.

use sqlx::Row as _;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use crate::chain::Link;
use crate::journal::{Counted, Head, Row, Token, VaultRow};

/// Writes a row if the epoch is the writer's and the head is where it believes.
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

const HEAD: &str = "\
    SELECT ledger.epoch, head.first + head.count - 1, head.link
    FROM ledger LEFT JOIN journal AS head ON head.ledger = ledger.id
        AND head.first = (SELECT max(first) FROM journal WHERE ledger = ?1)
    WHERE ledger.id = ?1";

const READ: &str = "\
    SELECT first, count, link, payload FROM journal
    WHERE ledger = ?1 AND first + count > ?2 AND first >= ifnull(
        (SELECT max(first) FROM journal WHERE ledger = ?1 AND first <= ?2), 0)
    ORDER BY first LIMIT ?3";

/// Counted in the table itself: an index that hides rows must not pass for a shorter journal.
const COUNTED: &str = "\
    SELECT ifnull(sum(count), 0), ifnull(max(first + count - 1), 0)
    FROM journal NOT INDEXED WHERE ledger = ?1";

/// Where the table's rows do not continue one another first.
const GAP: &str = "\
    SELECT expected, first FROM (
        SELECT first, lag(first + count, 1, 1) OVER (ORDER BY first) AS expected
        FROM journal NOT INDEXED WHERE ledger = ?1)
    WHERE first <> expected ORDER BY first LIMIT 1";

/// The triggers of the tables that stand in a journal's file, made by this program or not.
const TRIGGERS: &str = "\
    SELECT tbl_name, name, ifnull(sql, '') FROM sqlite_schema
    WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?1))";

const INTEGRITY: &str = "PRAGMA integrity_check(1)";

const TAKE_OVER: &str = "UPDATE ledger SET epoch = epoch + 1 WHERE id = ?1";

const VAULT: &str = "SELECT token, kind, value, mask FROM vault WHERE ledger = ?1 ORDER BY token";

const ERASE: &str = "DELETE FROM vault WHERE ledger = ?1 AND token = ?2";

const SETTLE_LOG: &str = "PRAGMA wal_checkpoint(RESTART)";

const FORGET_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// What a writer's append must find.
#[derive(Clone, Copy)]
pub(super) struct Guard {
    pub(super) ledger: i64,
    pub(super) epoch: u64,
    pub(super) genesis: Link,
}

impl Guard {
    /// Appends `row` after `previous`; `false` when the guard does not hold.
    pub(super) async fn append(
        self,
        connection: &mut SqliteConnection,
        previous: Head,
        row: &Row,
    ) -> sqlx::Result<bool> {
        let done = sqlx::query(APPEND)
            .bind(self.ledger)
            .bind(integer(self.epoch))
            .bind(integer(previous.seq))
            .bind(&previous.link.0[..])
            .bind(integer(row.first))
            .bind(row.count)
            .bind(&row.link.0[..])
            .bind(&row.payload[..])
            .bind(&self.genesis.0[..])
            .execute(connection)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Keeps a value under its token, unless the token has one.
    pub(super) async fn keep(
        self,
        connection: &mut SqliteConnection,
        row: &VaultRow,
    ) -> sqlx::Result<()> {
        sqlx::query(KEEP)
            .bind(self.ledger)
            .bind(&row.token[..])
            .bind(row.kind)
            .bind(&row.value[..])
            .bind(&row.mask[..])
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Raises the ledger's epoch.
pub(super) async fn take_over(connection: &mut SqliteConnection, ledger: i64) -> sqlx::Result<()> {
    sqlx::query(TAKE_OVER).bind(ledger).execute(connection).await?;
    Ok(())
}

/// The ledger's epoch and head.
pub(super) async fn standing(
    connection: &mut SqliteConnection,
    ledger: i64,
    genesis: Head,
) -> sqlx::Result<(u64, Head)> {
    let row = sqlx::query(HEAD).bind(ledger).fetch_one(connection).await?;
    let epoch = unsigned(&row, 0)?;
    if row.try_get::<Option<i64>, _>(1)?.is_none() {
        return Ok((epoch, genesis));
    }
    let link = Link(fixed(&row, 2)?);
    Ok((epoch, Head { seq: unsigned(&row, 1)?, link }))
}

/// Brings all that the log holds into the file, and begins the log anew; `false` when readers kept
/// it from that until the busy timeout.
pub(super) async fn settle_log(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    let busy: i64 = sqlx::query_scalar(SETTLE_LOG).fetch_one(connection).await?;
    Ok(busy == 0)
}

/// What the table holds of the ledger, by itself.
pub(super) async fn counted(
    connection: &mut SqliteConnection,
    ledger: i64,
) -> sqlx::Result<Counted> {
    let row = sqlx::query(COUNTED).bind(ledger).fetch_one(&mut *connection).await?;
    let (records, last) = (unsigned(&row, 0)?, unsigned(&row, 1)?);
    let mut gap = None;
    if records != last {
        let row = sqlx::query(GAP).bind(ledger).fetch_optional(connection).await?;
        gap = row
            .map(|row| Ok::<_, sqlx::Error>((unsigned(&row, 0)?, unsigned(&row, 1)?)))
            .transpose()?;
    }
    Ok(Counted { records, last, gap })
}

/// The triggers of these tables, with their text.
pub(super) async fn triggers(
    connection: &mut SqliteConnection,
    tables: &[&str],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let tables = serde_json::to_string(tables).unwrap_or_default();
    sqlx::query_as(TRIGGERS).bind(tables).fetch_all(connection).await
}

/// What the database finds wrong with its own file; none when nothing is.
pub(super) async fn integrity(connection: &mut SqliteConnection) -> sqlx::Result<Option<String>> {
    let told: String = sqlx::query_scalar(INTEGRITY).fetch_one(connection).await?;
    Ok(Some(told).filter(|told| told != "ok"))
}

/// The next rows that reach `from_seq`.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    ledger: i64,
    from_seq: u64,
    max_rows: usize,
) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query(READ)
        .bind(ledger)
        .bind(integer(from_seq))
        .bind(i64::try_from(max_rows).unwrap_or(i64::MAX))
        .fetch_all(connection)
        .await?;
    let row = |row: &SqliteRow| {
        Ok(Row {
            first: unsigned(row, 0)?,
            count: row.try_get(1)?,
            link: Link(fixed(row, 2)?),
            payload: row.try_get(3)?,
        })
    };
    rows.iter().map(row).collect()
}

/// Every value of the ledger.
pub(super) async fn vault(
    connection: &mut SqliteConnection,
    ledger: i64,
) -> sqlx::Result<Vec<VaultRow>> {
    let rows = sqlx::query(VAULT).bind(ledger).fetch_all(connection).await?;
    let row = |row: &SqliteRow| {
        Ok(VaultRow {
            token: fixed(row, 0)?,
            kind: row.try_get(1)?,
            value: row.try_get(2)?,
            mask: row.try_get(3)?,
        })
    };
    rows.iter().map(row).collect()
}

/// Deletes the value behind `token`, from the write-ahead log too; says whether there was one.
pub(super) async fn erase(
    connection: &mut SqliteConnection,
    ledger: i64,
    token: Token,
) -> sqlx::Result<bool> {
    let erase = sqlx::query(ERASE).bind(ledger).bind(&token[..]);
    let erased = erase.execute(&mut *connection).await?.rows_affected() > 0;
    // The log still holds the page as it was. Where a reader keeps it for a while, this says so
    // and does nothing: the page then goes with a later checkpoint.
    sqlx::query(FORGET_LOG).execute(connection).await?;
    Ok(erased)
}

/// A number as SQLite keeps it. Sequence numbers and epochs are counted up one by one, so none
/// reaches the bound; a caller may still ask to read from beyond it, and finds nothing there.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &SqliteRow, column: usize) -> sqlx::Result<u64> {
    row.try_get::<i64, _>(column)?.try_into().map_err(|error| malformed(column, error))
}

fn fixed<const N: usize>(row: &SqliteRow, column: usize) -> sqlx::Result<[u8; N]> {
    row.try_get::<&[u8], _>(column)?.try_into().map_err(|error| malformed(column, error))
}

fn malformed(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: column.to_string(), source: Box::new(error) }
}
