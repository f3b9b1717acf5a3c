//! The statements that both databases are given in the same words, and how their columns become
//! rows.

use sqlx::{ColumnIndex, Connection as _, Decode, Encode, Executor, IntoArguments, Row as _, Type};

use super::database::{JournalDatabase, damage_or_medium, medium};
use super::{Counted, Head, Identity, JournalError, Row, Token, VaultRow};
use crate::bytes::chain::{Chain, Link};

const READ: &str = "\
    SELECT first, count, link, payload FROM journal
    WHERE ledger = $1 AND first + count > $2 AND first >= coalesce(
        (SELECT max(first) FROM journal WHERE ledger = $1 AND first <= $2), 0)
    ORDER BY first LIMIT $3";

const VAULT: &str = "SELECT token, kind, value, mask FROM vault WHERE ledger = $1 ORDER BY token";

const VALUE: &str = "SELECT token, kind, value, mask FROM vault WHERE ledger = $1 AND token = $2";

/// One ledger of a database, as statements name it.
pub(super) struct Ledger<D: JournalDatabase> {
    pub(super) key: D::Key,
    /// The head before the first record.
    pub(super) genesis: Head,
}

impl<D: JournalDatabase> Ledger<D> {
    /// The ledger of this key, whose chain begins by its name and hash.
    pub(super) fn new(key: D::Key, name: &str, identity: Identity) -> Self {
        Self { key, genesis: Head::from_chain(&Chain::genesis(identity.algorithm, name)) }
    }
}

// What sqlx must know of a database for these statements, said once.
impl<D> Ledger<D>
where
    D: JournalDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    [u8]: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> i64: Encode<'v, D> + Decode<'v, D> + Type<D>,
    for<'v> &'v [u8]: Encode<'v, D> + Decode<'v, D>,
    for<'v> Vec<u8>: Decode<'v, D> + Type<D>,
{
    /// Raises the ledger's epoch, and gives it.
    pub(super) async fn take_over(&self, connection: &mut D::Connection) -> sqlx::Result<u64> {
        // All rows, and not the first: only the end of the answer says that it is committed.
        let rows = sqlx::query(D::TAKE_OVER).bind(&self.key).fetch_all(connection).await?;
        unsigned_column(rows.first().ok_or(sqlx::Error::RowNotFound)?, 0)
    }

    /// The ledger's epoch.
    pub(super) async fn epoch(&self, connection: &mut D::Connection) -> sqlx::Result<u64> {
        unsigned_column(&sqlx::query(D::EPOCH).bind(&self.key).fetch_one(connection).await?, 0)
    }

    /// The ledger's head and epoch.
    pub(super) async fn head_and_epoch(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<(Head, u64)> {
        let row = sqlx::query(D::HEAD).bind(&self.key).fetch_one(connection).await?;
        let epoch = unsigned_column(&row, 0)?;
        if row.try_get::<Option<i64>, _>(1)?.is_none() {
            return Ok((self.genesis, epoch));
        }
        let link = Link(fixed_column(&row, 2)?);
        Ok((Head { seq: unsigned_column(&row, 1)?, link }, epoch))
    }

    /// The ledger's head, and what the table holds of it by itself: both as of one moment, since
    /// another writer may go on between two.
    pub(super) async fn head_and_counted(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<(Head, Counted)> {
        let mut moment = connection.begin_with(D::ONE_MOMENT).await?;
        for setting in D::UNHURRIED {
            sqlx::query(*setting).execute(&mut *moment).await?;
        }
        let (head, _) = self.head_and_epoch(&mut moment).await?;
        for setting in D::BY_THE_TABLE {
            sqlx::query(*setting).execute(&mut *moment).await?;
        }
        let row = sqlx::query(D::COUNTED).bind(&self.key).fetch_one(&mut *moment).await?;
        let (records, last) = (unsigned_column(&row, 0)?, unsigned_column(&row, 1)?);
        let gap = if records == last { None } else { self.gap(&mut moment).await? };
        moment.rollback().await?;
        Ok((head, Counted { records, last, gap }))
    }

    async fn gap(&self, connection: &mut D::Connection) -> sqlx::Result<Option<(u64, u64)>> {
        let row = sqlx::query(D::GAP).bind(&self.key).fetch_optional(connection).await?;
        row.map(|row| Ok((unsigned_column(&row, 0)?, unsigned_column(&row, 1)?))).transpose()
    }

    /// The next rows that reach `from_seq`.
    pub(super) async fn read(
        &self,
        connection: &mut D::Connection,
        from_seq: u64,
        max_rows: usize,
    ) -> sqlx::Result<Vec<Row>> {
        let rows = sqlx::query(READ)
            .bind(&self.key)
            .bind(integer(from_seq))
            .bind(i64::try_from(max_rows).unwrap_or(i64::MAX))
            .fetch_all(connection)
            .await?;
        let row = |row: &D::Row| {
            Ok(Row {
                first: unsigned_column(row, 0)?,
                count: D::count(row, 1)?,
                link: Link(fixed_column(row, 2)?),
                payload: row.try_get(3)?,
            })
        };
        rows.iter().map(row).collect()
    }

    /// Every value of the ledger.
    pub(super) async fn vault(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<Vec<VaultRow>> {
        let rows = sqlx::query(VAULT).bind(&self.key).fetch_all(connection).await?;
        rows.iter().map(D::vault_row).collect()
    }

    /// The values of the ledger that are kept for these tokens.
    pub(super) async fn values(
        &self,
        connection: &mut D::Connection,
        tokens: &[Token],
    ) -> sqlx::Result<Vec<VaultRow>> {
        let mut values = Vec::with_capacity(tokens.len());
        for token in tokens {
            let value = sqlx::query(VALUE).bind(&self.key).bind(&token[..]);
            let row = value.fetch_optional(&mut *connection).await?;
            values.extend(row.as_ref().map(D::vault_row).transpose()?);
        }
        Ok(values)
    }
}

/// Rows from `from_seq` on, one at a time where they cannot be read at once, so that those before
/// damage are still given.
pub(super) fn rows_up_to_damage<D: JournalDatabase>(
    from_seq: u64,
    max_rows: usize,
    mut read: impl FnMut(u64, usize) -> sqlx::Result<Vec<Row>>,
) -> Result<Vec<Row>, JournalError> {
    match read(from_seq, max_rows) {
        Err(error) if D::is_damage(&error) => {}
        rows => return rows.map_err(medium::<D>),
    }
    let (mut rows, mut seq) = (Vec::new(), from_seq);
    while rows.len() < max_rows {
        match read(seq, 1) {
            Ok(mut next) => match next.pop() {
                Some(row) => {
                    seq = row.last() + 1;
                    rows.push(row);
                }
                None => break,
            },
            Err(_) if !rows.is_empty() => break,
            Err(error) => return Err(damage_or_medium::<D>(error, seq)),
        }
    }
    Ok(rows)
}

/// A number as both databases keep it. Sequence numbers and epochs are counted up one by one, so
/// none reaches the bound; a caller may still ask to read from beyond it, and finds nothing there.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned_column<R: sqlx::Row>(row: &R, column: usize) -> sqlx::Result<u64>
where
    usize: ColumnIndex<R>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
{
    row.try_get::<i64, _>(column)?.try_into().map_err(|error| malformed_column(column, error))
}

/// Bytes of a length that the column keeps to.
pub(super) fn fixed_column<const N: usize, R: sqlx::Row>(
    row: &R,
    column: usize,
) -> sqlx::Result<[u8; N]>
where
    usize: ColumnIndex<R>,
    [u8]: Type<R::Database>,
    for<'r> &'r [u8]: Decode<'r, R::Database>,
{
    row.try_get::<&[u8], _>(column)?.try_into().map_err(|error| malformed_column(column, error))
}

/// A column that holds what was never written there.
pub(super) fn malformed_column(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: column.to_string(), source: Box::new(error) }
}
