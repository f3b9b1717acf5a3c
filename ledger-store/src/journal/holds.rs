//! Legal holds in a database, and the erasure that heeds them.

use ledger_core::time::Instant;
use sqlx::{ColumnIndex, Connection as _, Decode, Encode, Executor, IntoArguments, Row as _, Type};

use super::JournalError;
use super::database::{JournalDatabase, SqlDatabase, has_table};
use super::statements::{Ledger, fixed_column, integer, malformed_column, unsigned_column};
use crate::state::vault::hold::{LegalHold, OperatorNote, holding};
use crate::state::vault::named::KeptTokens;
use crate::state::vault::row::Token;

const HOLDS: &str = "\
    SELECT hold, placed_at, placed_by, placed_for, released_at, released_by, released_for
    FROM legal_hold WHERE ledger = $1 ORDER BY hold";

const TOKENS: &str = "\
    SELECT hold, token FROM legal_hold_token WHERE ledger = $1 ORDER BY hold, token";

const PLACE: &str = "\
    INSERT INTO legal_hold (ledger, hold, placed_at, placed_by, placed_for)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (ledger, hold) DO NOTHING";

const PLACE_TOKEN: &str = "\
    INSERT INTO legal_hold_token (ledger, hold, token) VALUES ($1, $2, $3)";

const RELEASE: &str = "\
    UPDATE legal_hold SET released_at = $3, released_by = $4, released_for = $5
    WHERE ledger = $1 AND hold = $2 AND released_at IS NULL";

const ERASE: &str = "DELETE FROM vault WHERE ledger = $1 AND token = $2";

/// What was erased is noted with the last record of that moment.
const NOTE: &str = "\
    INSERT INTO vault_erasure (ledger, token, records) VALUES ($1, $2, coalesce((
        SELECT first + count - 1 FROM journal WHERE ledger = $1 ORDER BY first DESC LIMIT 1), 0))
    ON CONFLICT (ledger, token) DO UPDATE SET records = excluded.records";

/// Every token that has a value, and every one that was erased, with the last record of then.
const KEPT: &str = "\
    SELECT token, CAST(NULL AS bigint) FROM vault WHERE ledger = $1
    UNION ALL SELECT token, records FROM vault_erasure WHERE ledger = $1";

/// An endpoint may have sent back what it was sent, in whatever form: what was kept of all answers
/// goes.
const FORGET_ANSWERS: &str = "\
    UPDATE webhook_attempts SET answer = '' WHERE ledger = $1 AND answer <> ''";

/// What came of an erasure.
pub(super) enum Erasing {
    /// It is done: whether there was a value.
    Done(bool),
    /// The ledger has another epoch, this one; nothing was erased.
    Fenced(u64),
    /// The token is held by these; nothing was erased.
    Held(String),
}

impl Erasing {
    /// The same as a journal of epoch `mine` says it.
    pub(super) fn into_result(self, mine: u64) -> Result<bool, JournalError> {
        match self {
            Self::Done(erased) => Ok(erased),
            Self::Fenced(current) => Err(JournalError::Fenced { mine, current }),
            Self::Held(holds) => Err(JournalError::Held { holds }),
        }
    }
}

// What sqlx must know of a database for these statements, said once.
impl<D> Ledger<D>
where
    D: JournalDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    str: Type<D>,
    [u8]: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> i64: Encode<'v, D> + Decode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
    for<'v> String: Decode<'v, D> + Type<D>,
    for<'v> &'v [u8]: Encode<'v, D> + Decode<'v, D>,
    for<'v> Vec<u8>: Decode<'v, D> + Type<D>,
{
    /// Every hold, released ones too, by name; none in a database that is older than holds.
    pub(super) async fn holds(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<Vec<LegalHold>> {
        if !has_table::<D>(connection, "legal_hold_token").await? {
            return Ok(Vec::new());
        }
        let tokens = sqlx::query(TOKENS).bind(&self.key).fetch_all(&mut *connection).await?;
        let tokens =
            tokens.iter().map(|row| Ok((row.try_get::<String, _>(0)?, fixed_column(row, 1)?)));
        let tokens: Vec<(String, Token)> = tokens.collect::<sqlx::Result<_>>()?;
        let rows = sqlx::query(HOLDS).bind(&self.key).fetch_all(connection).await?;
        let hold = |row: &D::Row| {
            let id: String = row.try_get(0)?;
            let its = tokens.iter().filter(|(hold, _)| *hold == id).map(|(_, token)| *token);
            let released = row.try_get::<Option<i64>, _>(4)?.is_some();
            Ok(LegalHold {
                tokens: its.collect(),
                placed: note::<D>(row, 1)?,
                released: released.then(|| note::<D>(row, 4)).transpose()?,
                id,
            })
        };
        rows.iter().map(hold).collect()
    }

    /// Places a hold; `false` where there is one of its name.
    pub(super) async fn place(
        &self,
        connection: &mut D::Connection,
        hold: &LegalHold,
    ) -> sqlx::Result<bool> {
        let mut transaction = connection.begin_with(D::BEGIN_CLAIM).await?;
        match self.insert_hold(&mut transaction, hold).await {
            Ok(true) => transaction.commit().await.map(|()| true),
            // At once, and not with the next statement: the ledger's row is locked.
            other => transaction.rollback().await.and(other),
        }
    }

    async fn insert_hold(
        &self,
        within: &mut D::Connection,
        hold: &LegalHold,
    ) -> sqlx::Result<bool> {
        self.lock_epoch(within).await?;
        if !self.write_note(within, PLACE, (&hold.id, &hold.placed)).await? {
            return Ok(false);
        }
        for token in &hold.tokens {
            let place = sqlx::query(PLACE_TOKEN).bind(&self.key).bind(&hold.id[..]);
            place.bind(&token[..]).execute(&mut *within).await?;
        }
        Ok(true)
    }

    /// Releases a hold; `false` where none of this name is in force.
    pub(super) async fn release_hold(
        &self,
        connection: &mut D::Connection,
        released: (&str, &OperatorNote),
    ) -> sqlx::Result<bool> {
        self.write_note(connection, RELEASE, released).await
    }

    /// Deletes the value behind `token`, if the epoch is `epoch` and no hold is in force on it.
    ///
    /// The ledger's row is locked before the holds are read, as it is before a hold is placed: of
    /// the two, the second sees what the first has done. It is what an append and a take-over lock,
    /// too: what a new writer reads of the vault when it has taken over, no older one erases.
    pub(super) async fn erase(
        &self,
        connection: &mut D::Connection,
        (name, epoch): (&str, u64),
        token: Token,
    ) -> sqlx::Result<Erasing> {
        let mut transaction = connection.begin_with(D::BEGIN_CLAIM).await?;
        match self.erase_value(&mut transaction, (name, epoch), token).await {
            Ok(Erasing::Done(erased)) => transaction.commit().await.map(|()| Erasing::Done(erased)),
            // At once, and not with the next statement: the ledger's row is locked.
            other => transaction.rollback().await.and(other),
        }
    }

    async fn erase_value(
        &self,
        within: &mut D::Connection,
        (name, epoch): (&str, u64),
        token: Token,
    ) -> sqlx::Result<Erasing> {
        let current = self.lock_epoch(within).await?;
        if current != integer(epoch) {
            return Ok(Erasing::Fenced(current.cast_unsigned()));
        }
        if let Some(holds) = holding(&self.holds(within).await?, [token]) {
            return Ok(Erasing::Held(holds));
        }
        let erase = sqlx::query(ERASE).bind(&self.key).bind(&token[..]);
        let erased = D::rows_affected(&erase.execute(&mut *within).await?) > 0;
        // One without a value, too: what waits to be written may name it.
        self.note(within, token).await?;
        if erased && has_table::<D>(within, "webhook_attempts").await? {
            sqlx::query(FORGET_ANSWERS).bind(name).execute(within).await?;
        }
        Ok(Erasing::Done(erased))
    }

    /// Notes that tokens have no value on purpose, if the epoch is `epoch`; else gives the other.
    pub(super) async fn note_erased(
        &self,
        connection: &mut D::Connection,
        epoch: u64,
        tokens: &[Token],
    ) -> sqlx::Result<Erasing> {
        let mut transaction = connection.begin_with(D::BEGIN_CLAIM).await?;
        let current = self.lock_epoch(&mut transaction).await?;
        if current != integer(epoch) {
            return transaction.rollback().await.map(|()| Erasing::Fenced(current.cast_unsigned()));
        }
        for token in tokens {
            self.note(&mut transaction, *token).await?;
        }
        transaction.commit().await.map(|()| Erasing::Done(true))
    }

    async fn note(&self, within: &mut D::Connection, token: Token) -> sqlx::Result<()> {
        sqlx::query(NOTE).bind(&self.key).bind(&token[..]).execute(within).await.map(drop)
    }

    /// Of which tokens there are values, and which were erased; in a database that is older than
    /// the noting of erasures, nothing can be said.
    pub(super) async fn kept_tokens(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<KeptTokens> {
        let mut tokens = KeptTokens { since: u64::MAX, ..KeptTokens::default() };
        let mut moment = connection.begin_with(D::ONE_MOMENT).await?;
        for setting in D::UNHURRIED {
            sqlx::query(*setting).execute(&mut *moment).await?;
        }
        if has_table::<D>(&mut moment, "vault_erasure").await? {
            let since = sqlx::query(D::ERASURES_SINCE).bind(&self.key);
            tokens.since = unsigned_column(&since.fetch_one(&mut *moment).await?, 0)?;
            let rows = sqlx::query(KEPT).bind(&self.key).fetch_all(&mut *moment).await?;
            for row in &rows {
                let (token, erased) = (fixed_column(row, 0)?, row.try_get::<Option<i64>, _>(1)?);
                match erased {
                    None => drop(tokens.kept.insert(token)),
                    Some(records) => drop(tokens.erased.insert(token, records.cast_unsigned())),
                }
            }
        }
        moment.rollback().await?;
        Ok(tokens)
    }

    async fn lock_epoch(&self, connection: &mut D::Connection) -> sqlx::Result<i64> {
        sqlx::query(D::LOCK).bind(&self.key).fetch_one(connection).await?.try_get(0)
    }

    async fn write_note(
        &self,
        connection: &mut D::Connection,
        sql: &'static str,
        (id, note): (&str, &OperatorNote),
    ) -> sqlx::Result<bool> {
        let noted = sqlx::query(sql).bind(&self.key).bind(id).bind(note.at.micros());
        let noted = noted.bind(&note.by[..]).bind(&note.reason[..]).execute(connection).await?;
        Ok(D::rows_affected(&noted) == 1)
    }
}

/// Who, when and why, from three columns of a row.
fn note<D>(row: &D::Row, first: usize) -> sqlx::Result<OperatorNote>
where
    D: SqlDatabase,
    usize: ColumnIndex<D::Row>,
    for<'v> i64: Decode<'v, D> + Type<D>,
    for<'v> String: Decode<'v, D> + Type<D>,
{
    let at = Instant::from_micros(row.try_get(first)?);
    let at =
        at.ok_or_else(|| malformed_column(first, std::io::Error::other("it is no instant")))?;
    Ok(OperatorNote { at, by: row.try_get(first + 1)?, reason: row.try_get(first + 2)? })
}
