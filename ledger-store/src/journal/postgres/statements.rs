//! The statements that only PostgreSQL is given, and the words in which its others differ.

use std::path::Path;

use sqlx::postgres::{PgConnection, PgQueryResult, PgRow};
use sqlx::{Connection as _, Postgres, Row as _};

use super::codes;
use crate::journal::database::{JournalDatabase, SqlDatabase};
use crate::journal::statements::{Ledger, fixed_column, integer, malformed_column};
use crate::journal::{Commit, OpenError, Source, VaultRow};

/// Writes rows and values if the epoch is the writer's and the head is where it believes: a
/// function of the database, so that an engine which spreads ledgers over nodes does it on one.
const APPEND: &str =
    "SELECT journal_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

/// Writes pages of the journal as a commit would, to be undone: a row that is there already may be
/// written although no table can grow.
pub(super) const PROBE: &str = "\
    INSERT INTO journal (ledger, first, count, link, payload)
    SELECT $1, 9223372036854770000, 1, decode(repeat('00', 32), 'hex'),
        decode(repeat(md5($1), 512), 'hex')";

/// The functions of this name that statements find, and what each does.
const FUNCTIONS: &str = "\
    SELECT proname::text, prosrc FROM pg_proc
    WHERE proname = 'journal_append' AND pg_function_is_visible(oid)";

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

impl SqlDatabase for Postgres {
    const HAS_TABLE: &'static str = "SELECT count(to_regclass($1))";

    const ONE_MOMENT: &'static str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    fn rows_affected(done: &PgQueryResult) -> u64 {
        done.rows_affected()
    }
}

impl JournalDatabase for Postgres {
    type Key = String;

    const FIND: &'static str = "\
        SELECT ledger, algorithm::bigint, vault_key, key_check, environment::bigint \
        FROM ledger WHERE ledger = $1";

    const FIND_EARLIER: &'static [(i64, &'static str)] = &[
        (5, Self::FIND),
        (
            3,
            "SELECT ledger, algorithm::bigint, vault_key, key_check, NULL::bigint \
             FROM ledger WHERE ledger = $1",
        ),
        (
            1,
            "SELECT ledger, algorithm::bigint, vault_key, NULL::bytea, NULL::bigint \
             FROM ledger WHERE ledger = $1",
        ),
    ];

    // Whoever opens the same ledger at once may have set it: the row is not locked here.
    const SET_KEY_CHECK: &'static str =
        "UPDATE ledger SET key_check = $2 WHERE ledger = $1 AND key_check IS NULL";

    const TAKE_OVER: &'static str =
        "UPDATE ledger SET epoch = epoch + 1 WHERE ledger = $1 RETURNING epoch";

    const BEGIN_CLAIM: &'static str = "BEGIN ISOLATION LEVEL READ COMMITTED";

    const LEASE: &'static str = "\
        SELECT ledger.epoch, lease.epoch,
            ceil(extract(epoch FROM lease.until - clock_timestamp()) * 1000000)::bigint
        FROM ledger JOIN ledger_lease AS lease ON lease.ledger = ledger.ledger
        WHERE ledger.ledger = $1";

    const HOLDER: &'static str = "\
        SELECT ledger.epoch, lease.epoch,
            ceil(extract(epoch FROM lease.until - clock_timestamp()) * 1000000)::bigint,
            (lease.until > 'epoch')::int::bigint, lease.holder
        FROM ledger JOIN ledger_lease AS lease ON lease.ledger = ledger.ledger
        WHERE ledger.ledger = $1";

    const HOLD: &'static str = "\
        INSERT INTO ledger_lease (ledger, epoch, until, holder)
        VALUES ($1, $2, CASE WHEN $3::bigint = 0 THEN 'epoch'
            ELSE clock_timestamp() + $3::bigint * interval '1 microsecond' END, $4)
        ON CONFLICT (ledger) DO UPDATE
        SET epoch = excluded.epoch, until = excluded.until, holder = excluded.holder";

    // The lock makes this and a take-over wait for one another, as an append's does.
    const RENEW: &'static str = "\
        INSERT INTO ledger_lease (ledger, epoch, until)
        SELECT ledger, epoch, clock_timestamp() + $3 * interval '1 microsecond'
        FROM ledger WHERE ledger = $1 AND epoch = $2 FOR UPDATE
        ON CONFLICT (ledger) DO UPDATE SET epoch = excluded.epoch, until = excluded.until";

    const LOCK: &'static str = "SELECT epoch FROM ledger WHERE ledger = $1 FOR UPDATE";

    const EPOCH: &'static str = "SELECT epoch FROM ledger WHERE ledger = $1";

    const ERASURES_SINCE: &'static str =
        "SELECT coalesce(erasures_since, 0) FROM ledger WHERE ledger = $1";

    const HEAD: &'static str = "\
        SELECT ledger.epoch, head.last, head.link
        FROM ledger LEFT JOIN LATERAL (
            SELECT first + count - 1 AS last, link FROM journal
            WHERE journal.ledger = $1 ORDER BY first DESC LIMIT 1
        ) AS head ON true
        WHERE ledger.ledger = $1";

    // For what reads the whole journal: the time it takes is the caller's to limit.
    const UNHURRIED: &'static [&'static str] = &["SET LOCAL statement_timeout = 0"];

    const BY_THE_TABLE: &'static [&'static str] = &[
        "SET LOCAL enable_indexscan = off",
        "SET LOCAL enable_indexonlyscan = off",
        "SET LOCAL enable_bitmapscan = off",
    ];

    const COUNTED: &'static str = "\
        SELECT coalesce(sum(count), 0)::bigint, coalesce(max(first + count - 1), 0)::bigint
        FROM journal WHERE ledger = $1";

    const GAP: &'static str = "\
        SELECT expected, first FROM (
            SELECT first, lag(first + count, 1, 1::bigint) OVER (ORDER BY first) AS expected
            FROM journal WHERE ledger = $1) AS placed
        WHERE first <> expected ORDER BY first LIMIT 1";

    fn count(row: &PgRow, column: usize) -> sqlx::Result<u32> {
        Ok(row.try_get::<i32, _>(column)?.cast_unsigned())
    }

    fn vault_row(row: &PgRow) -> sqlx::Result<VaultRow> {
        let kind = row.try_get::<i16, _>(1)?;
        Ok(VaultRow {
            token: fixed_column(row, 0)?,
            kind: kind.try_into().map_err(|error| malformed_column(1, error))?,
            value: utf8(row, 2)?,
            mask: utf8(row, 3)?,
        })
    }

    fn surely_not_written(error: &sqlx::Error) -> bool {
        codes::surely_not_written(error)
    }

    fn is_damage(error: &sqlx::Error) -> bool {
        codes::is_damage(error)
    }

    // The server's errors are in words already.
    fn cause(error: sqlx::Error) -> Source {
        error.into()
    }

    fn opening(path: &Path, error: sqlx::Error) -> OpenError {
        OpenError::Database { path: path.to_owned(), source: error.into() }
    }
}

impl Ledger<Postgres> {
    /// Appends `commit` in one statement; `false` when the epoch is not the writer's or the head is
    /// elsewhere.
    pub(super) async fn append(
        &self,
        connection: &mut PgConnection,
        epoch: u64,
        commit: &Commit,
    ) -> sqlx::Result<bool> {
        let (rows, vault) = (&commit.rows, &commit.vault);
        let append = sqlx::query_scalar(APPEND)
            .bind(&self.key[..])
            .bind(integer(epoch))
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
        // All rows, and not the first: only the end of the answer says that it is committed.
        let written: Vec<bool> = append.fetch_all(connection).await?;
        Ok(written == [true])
    }

    /// Every value of the ledger, however long it takes to read them.
    pub(super) async fn whole_vault(
        &self,
        connection: &mut PgConnection,
    ) -> sqlx::Result<Vec<VaultRow>> {
        let mut moment = connection.begin_with(Postgres::ONE_MOMENT).await?;
        for setting in Postgres::UNHURRIED {
            sqlx::query(*setting).execute(&mut *moment).await?;
        }
        let rows = self.vault(&mut moment).await?;
        moment.rollback().await?;
        Ok(rows)
    }
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

/// Returns what stands of the function that appends, as a rule of the journal's table with its
/// text.
pub(super) async fn functions(
    connection: &mut PgConnection,
) -> sqlx::Result<Vec<(String, String, String)>> {
    let found: Vec<(String, String)> = sqlx::query_as(FUNCTIONS).fetch_all(connection).await?;
    Ok(found.into_iter().map(|(name, text)| ("journal".to_owned(), name, text)).collect())
}

fn utf8(row: &PgRow, column: usize) -> sqlx::Result<String> {
    String::from_utf8(row.try_get(column)?).map_err(|error| malformed_column(column, error))
}
