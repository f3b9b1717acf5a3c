//! The statements of the PostgreSQL journal, and how their columns become rows.

use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Connection as _, Row as _};

use crate::chain::Link;
use crate::journal::{Commit, Counted, Head, Row, Token, VaultRow};

/// Writes rows and values if the epoch is the writer's and the head is where it believes.
///
/// The lock on the ledger's row makes this and a take-over wait for one another: either the
/// take-over finds what was appended here, or the append finds the epoch raised and writes nothing.
const APPEND: &str = "\
    WITH guard AS (
        SELECT ledger.ledger
        FROM ledger LEFT JOIN LATERAL (
            SELECT first + count - 1 AS last, link FROM journal
            WHERE journal.ledger = $1 ORDER BY first DESC LIMIT 1
        ) AS head ON true
        WHERE ledger.ledger = $1 AND ledger.epoch = $2
            AND coalesce(head.last, 0) = $3 AND coalesce(head.link, $5) = $4
        FOR UPDATE OF ledger
    ), kept AS (
        INSERT INTO vault (ledger, token, kind, value, mask)
        SELECT guard.ledger, learned.token, learned.kind, learned.value, learned.mask
        FROM guard, unnest($10::bytea[], $11::smallint[], $12::bytea[], $13::bytea[])
            AS learned (token, kind, value, mask)
        ON CONFLICT (ledger, token) DO NOTHING
    )
    INSERT INTO journal (ledger, first, count, link, payload)
    SELECT guard.ledger, added.first, added.count, added.link, added.payload
    FROM guard, unnest($6::bigint[], $7::integer[], $8::bytea[], $9::bytea[])
        AS added (first, count, link, payload)";

const TAKE_OVER: &str = "UPDATE ledger SET epoch = epoch + 1 WHERE ledger = $1 RETURNING epoch";

const HEAD: &str = "\
    SELECT ledger.epoch, head.last, head.link
    FROM ledger LEFT JOIN LATERAL (
        SELECT first + count - 1 AS last, link FROM journal
        WHERE journal.ledger = $1 ORDER BY first DESC LIMIT 1
    ) AS head ON true
    WHERE ledger.ledger = $1";

const READ: &str = "\
    SELECT first, count, link, payload FROM journal
    WHERE ledger = $1 AND first + count > $2 AND first >= coalesce(
        (SELECT max(first) FROM journal WHERE ledger = $1 AND first <= $2), 0)
    ORDER BY first LIMIT $3";

/// Counted in the table itself: an index that hides rows must not pass for a shorter journal.
const COUNTED: &str = "\
    SELECT coalesce(sum(count), 0)::bigint, coalesce(max(first + count - 1), 0)::bigint
    FROM journal WHERE ledger = $1";

/// Where the table's rows do not continue one another first.
const GAP: &str = "\
    SELECT expected, first FROM (
        SELECT first, lag(first + count, 1, 1::bigint) OVER (ORDER BY first) AS expected
        FROM journal WHERE ledger = $1) AS placed
    WHERE first <> expected ORDER BY first LIMIT 1";

/// Triggers, rewriting rules and row security of these tables: none is this program's.
const RULES: &str = "\
    SELECT relname::text, tgname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE NOT tgisinternal AND tgrelid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)
    UNION ALL
    SELECT relname::text, rulename::text FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
        WHERE ev_class = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)
    UNION ALL
    SELECT relname::text, 'row security' FROM pg_class
        WHERE relrowsecurity AND oid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)
    ORDER BY 1, 2";

const ONE_MOMENT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// For what reads the whole journal: the time it takes is the caller's to limit.
const AS_LONG_AS_IT_TAKES: &str = "SET LOCAL statement_timeout = 0";

const BY_THE_TABLE: [&str; 3] = [
    "SET LOCAL enable_indexscan = off",
    "SET LOCAL enable_indexonlyscan = off",
    "SET LOCAL enable_bitmapscan = off",
];

const VAULT: &str = "SELECT token, kind, value, mask FROM vault WHERE ledger = $1 ORDER BY token";

const ERASE: &str = "DELETE FROM vault WHERE ledger = $1 AND token = $2";

/// Whose journal it is, and what a writer's append must find.
#[derive(Clone, Copy)]
pub(super) struct Guard<'a> {
    pub(super) ledger: &'a str,
    pub(super) epoch: u64,
    pub(super) genesis: Head,
}

impl Guard<'_> {
    /// Appends `commit` in one statement; `false` when the guard does not hold.
    pub(super) async fn append(
        self,
        connection: &mut PgConnection,
        commit: &Commit,
    ) -> sqlx::Result<bool> {
        let (rows, vault) = (&commit.rows, &commit.vault);
        let append = sqlx::query(APPEND)
            .bind(self.ledger)
            .bind(integer(self.epoch))
            .bind(integer(commit.previous.seq))
            .bind(&commit.previous.link.0[..])
            .bind(&self.genesis.link.0[..])
            .bind(rows.iter().map(|row| integer(row.first)).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.count.cast_signed()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| &row.link.0[..]).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| &row.payload[..]).collect::<Vec<_>>())
            .bind(vault.iter().map(|row| &row.token[..]).collect::<Vec<_>>())
            .bind(vault.iter().map(|row| i16::from(row.kind)).collect::<Vec<_>>())
            .bind(vault.iter().map(|row| row.value.as_bytes()).collect::<Vec<_>>())
            .bind(vault.iter().map(|row| row.mask.as_bytes()).collect::<Vec<_>>());
        // The answer is awaited to its end: only the last word of it says that it is committed.
        Ok(append.execute(connection).await?.rows_affected() == rows.len() as u64)
    }
}

/// Raises the ledger's epoch, and gives it.
pub(super) async fn take_over(connection: &mut PgConnection, ledger: &str) -> sqlx::Result<u64> {
    // All rows, and not the first: only the end of the answer says that it is committed.
    let rows = sqlx::query(TAKE_OVER).bind(ledger).fetch_all(connection).await?;
    unsigned(rows.first().ok_or(sqlx::Error::RowNotFound)?, 0)
}

/// The ledger's epoch and head.
pub(super) async fn standing(
    connection: &mut PgConnection,
    guard: Guard<'_>,
) -> sqlx::Result<(u64, Head)> {
    let row = sqlx::query(HEAD).bind(guard.ledger).fetch_one(connection).await?;
    let epoch = unsigned(&row, 0)?;
    if row.try_get::<Option<i64>, _>(1)?.is_none() {
        return Ok((epoch, guard.genesis));
    }
    let link = Link(fixed(&row, 2)?);
    Ok((epoch, Head { seq: unsigned(&row, 1)?, link }))
}

/// The ledger's epoch and head; and what the table holds of it by itself. All as of one moment.
pub(super) async fn counted(
    connection: &mut PgConnection,
    guard: Guard<'_>,
) -> sqlx::Result<((u64, Head), Counted)> {
    let mut transaction = connection.begin_with(ONE_MOMENT).await?;
    sqlx::query(AS_LONG_AS_IT_TAKES).execute(&mut *transaction).await?;
    let standing = standing(&mut transaction, guard).await?;
    for setting in BY_THE_TABLE {
        sqlx::query(setting).execute(&mut *transaction).await?;
    }
    let row = sqlx::query(COUNTED).bind(guard.ledger).fetch_one(&mut *transaction).await?;
    let (records, last) = (unsigned(&row, 0)?, unsigned(&row, 1)?);
    let mut gap = None;
    if records != last {
        let row = sqlx::query(GAP).bind(guard.ledger).fetch_optional(&mut *transaction).await?;
        gap = row
            .map(|row| Ok::<_, sqlx::Error>((unsigned(&row, 0)?, unsigned(&row, 1)?)))
            .transpose()?;
    }
    transaction.rollback().await?;
    Ok((standing, Counted { records, last, gap }))
}

/// The rules that somebody gave these tables.
pub(super) async fn rules(
    connection: &mut PgConnection,
    tables: &[&str],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let tables: Vec<String> = tables.iter().map(|table| (*table).to_owned()).collect();
    let rules: Vec<(String, String)> =
        sqlx::query_as(RULES).bind(tables).fetch_all(connection).await?;
    Ok(rules.into_iter().map(|(table, name)| (table, name, String::new())).collect())
}

/// The next rows that reach `from_seq`.
pub(super) async fn read(
    connection: &mut PgConnection,
    ledger: &str,
    from_seq: u64,
    max_rows: usize,
) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query(READ)
        .bind(ledger)
        .bind(integer(from_seq))
        .bind(i64::try_from(max_rows).unwrap_or(i64::MAX))
        .fetch_all(connection)
        .await?;
    let row = |row: &PgRow| {
        Ok(Row {
            first: unsigned(row, 0)?,
            count: row.try_get::<i32, _>(1)?.cast_unsigned(),
            link: Link(fixed(row, 2)?),
            payload: row.try_get(3)?,
        })
    };
    rows.iter().map(row).collect()
}

/// Every value of the ledger.
pub(super) async fn vault(
    connection: &mut PgConnection,
    ledger: &str,
) -> sqlx::Result<Vec<VaultRow>> {
    let mut transaction = connection.begin_with(ONE_MOMENT).await?;
    sqlx::query(AS_LONG_AS_IT_TAKES).execute(&mut *transaction).await?;
    let rows = sqlx::query(VAULT).bind(ledger).fetch_all(&mut *transaction).await?;
    transaction.rollback().await?;
    let row = |row: &PgRow| {
        let kind = row.try_get::<i16, _>(1)?;
        Ok(VaultRow {
            token: fixed(row, 0)?,
            kind: kind.try_into().map_err(|error| malformed(1, error))?,
            value: utf8(row, 2)?,
            mask: utf8(row, 3)?,
        })
    };
    rows.iter().map(row).collect()
}

/// Deletes the value behind `token`; says whether there was one.
pub(super) async fn erase(
    connection: &mut PgConnection,
    ledger: &str,
    token: Token,
) -> sqlx::Result<bool> {
    let erase = sqlx::query(ERASE).bind(ledger).bind(&token[..]);
    Ok(erase.execute(connection).await?.rows_affected() > 0)
}

/// A number as PostgreSQL keeps it. Sequence numbers and epochs are counted up one by one, so none
/// reaches the bound; a caller may still ask to read from beyond it, and finds nothing there.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &PgRow, column: usize) -> sqlx::Result<u64> {
    row.try_get::<i64, _>(column)?.try_into().map_err(|error| malformed(column, error))
}

fn fixed<const N: usize>(row: &PgRow, column: usize) -> sqlx::Result<[u8; N]> {
    row.try_get::<&[u8], _>(column)?.try_into().map_err(|error| malformed(column, error))
}

fn utf8(row: &PgRow, column: usize) -> sqlx::Result<String> {
    String::from_utf8(row.try_get(column)?).map_err(|error| malformed(column, error))
}

fn malformed(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: column.to_string(), source: Box::new(error) }
}
