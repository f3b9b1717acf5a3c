//! Who holds a ledger in a database, by a lease or a lock, and for how long yet by the database's
//! clock.

use std::time::Duration;

use sqlx::{ColumnIndex, Connection as _, Decode, Encode, Executor, IntoArguments, Row as _, Type};

use super::holder::Holder;
use super::lock::{Heed, LockState};
use crate::journal::database::{JournalDatabase, has_table};
use crate::journal::statements::{Ledger, integer, unsigned_column};

/// What came of an attempt to take a ledger over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::journal) enum Claimed {
    /// It is taken over.
    Taken {
        /// The new epoch.
        epoch: u64,
        /// What is left of the lease of whoever held it.
        predecessor_lease: Duration,
    },
    /// Another writer's lease is in force for so long yet.
    Leased(Duration, Option<Holder>),
    /// Another writer without a lease holds it by a lock.
    InUse(Option<Holder>),
}

/// The locks of a ledger, which the death of a process or the end of its session releases: each
/// epoch has one of its own, so whoever takes over has one at once.
pub(in crate::journal) trait WriterLock<D: JournalDatabase> {
    /// Returns what is known of the lock of an epoch.
    async fn state(
        &mut self,
        connection: &mut D::Connection,
        epoch: u64,
    ) -> sqlx::Result<LockState>;

    /// Takes the lock of an epoch that is about to begin; tells whether it could be had.
    async fn take(&mut self, connection: &mut D::Connection, epoch: u64) -> sqlx::Result<bool>;
}

/// What a database says of the writer that took a ledger over last.
struct StoredLease {
    /// The ledger's epoch.
    current: u64,
    /// The epoch of the writer.
    epoch: u64,
    /// Nothing once its lease has lapsed.
    left: Duration,
    /// Tells whether it had a lease at all.
    leased: bool,
    holder: Option<Holder>,
}

impl StoredLease {
    /// Tells whether this is another writer than the one of epoch `mine`, named `me`.
    fn is_another(&self, me: &Holder, mine: Option<u64>) -> bool {
        let is_mine = self.holder.as_ref().map_or(Some(self.epoch) == mine, |it| it.is(me));
        !is_mine
    }

    /// Tells whether its process is known to have ended.
    fn has_died(&self) -> bool {
        self.holder.as_ref().is_some_and(Holder::has_died)
    }

    /// Tells whether it has a lock that its death releases, and is not known to be dead.
    fn may_be_locked(&self) -> bool {
        self.holder.as_ref().is_some_and(|holder| holder.locked) && !self.has_died()
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
    /// Raises the ledger's epoch, unless it is left to whoever holds it, and takes a lease of
    /// `lease`; `me` is whom others are told of, and `mine` the epoch under which this writer held
    /// the ledger before.
    ///
    /// Raising the epoch comes first, since it locks the ledger's row: of two who would take over
    /// at once the second reads what the first has written.
    pub(in crate::journal) async fn claim(
        &self,
        connection: &mut D::Connection,
        lock: &mut impl WriterLock<D>,
        (me, mine): (&Holder, Option<u64>),
        (lease, heeded): (Option<Duration>, Heed),
    ) -> sqlx::Result<Claimed> {
        let mut transaction = connection.begin_with(D::BEGIN_CLAIM).await?;
        let epoch = self.take_over(&mut transaction).await?;
        let found = self.read_lease(&mut transaction).await?;
        // Only the writer of the epoch just before could still write until now: a row of an earlier
        // one is of a writer that was fenced already, and keeps nobody waiting.
        let found = found.filter(|it| it.epoch + 1 == epoch && it.is_another(me, mine));
        let mut predecessor_lease = Duration::ZERO;
        match (found, heeded) {
            (Some(found), Heed::Holders) => {
                if let Some(refused) = claim_refusal(&mut *transaction, lock, found).await? {
                    transaction.rollback().await?;
                    return Ok(refused);
                }
            }
            // It can write no more, but answers from what it knows for as long as it believes its
            // lease: the new writer waits so long before it answers anybody (`outlast`).
            (Some(found), Heed::Nobody) if !found.has_died() => predecessor_lease = found.left,
            _ => {}
        }
        let locked = lock.take(&mut transaction, epoch).await?;
        let micros = lease.map_or(0, |lease| i64::try_from(lease.as_micros()).unwrap_or(i64::MAX));
        sqlx::query(D::HOLD)
            .bind(&self.key)
            .bind(integer(epoch))
            .bind(micros)
            .bind(&*me.taking_over(locked).to_text())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Claimed::Taken { epoch, predecessor_lease })
    }

    /// The other writer whose lock says that its process lives; `me` is this one.
    pub(in crate::journal) async fn locked_by(
        &self,
        connection: &mut D::Connection,
        lock: &mut impl WriterLock<D>,
        (me, mine): (&Holder, Option<u64>),
    ) -> sqlx::Result<Option<Holder>> {
        let found = self.read_lease(connection).await?;
        let found = found.filter(|it| it.epoch == it.current && it.is_another(me, mine));
        let Some(found) = found.filter(StoredLease::may_be_locked) else { return Ok(None) };
        let held = lock.state(connection, found.epoch).await? == LockState::Held;
        Ok(found.holder.filter(|_| held))
    }

    /// Leases the ledger to the writer of this epoch, from now on; `false` when another has taken
    /// over.
    pub(in crate::journal) async fn renew(
        &self,
        connection: &mut D::Connection,
        epoch: u64,
        lease: Duration,
    ) -> sqlx::Result<bool> {
        let micros = i64::try_from(lease.as_micros()).unwrap_or(i64::MAX);
        let renew = sqlx::query(D::RENEW).bind(&self.key).bind(integer(epoch)).bind(micros);
        Ok(D::rows_affected(&renew.execute(connection).await?) == 1)
    }

    /// Ends the lease of the writer of this epoch.
    pub(in crate::journal) async fn release(
        &self,
        connection: &mut D::Connection,
        epoch: u64,
    ) -> sqlx::Result<()> {
        let release = "DELETE FROM ledger_lease WHERE ledger = $1 AND epoch = $2";
        let release = sqlx::query(release).bind(&self.key).bind(integer(epoch));
        release.execute(connection).await.map(drop)
    }

    /// How long the lease of the last writer is in force yet; `None` where none is, or where its
    /// process is known to have ended, which is asked unless the database `may_be_old`.
    pub(in crate::journal) async fn lease_left(
        &self,
        connection: &mut D::Connection,
        may_be_old: bool,
    ) -> sqlx::Result<Option<Duration>> {
        let row = sqlx::query(D::LEASE).bind(&self.key).fetch_optional(&mut *connection).await?;
        let Some(row) = row else { return Ok(None) };
        let (current, epoch): (u64, u64) = (unsigned_column(&row, 0)?, unsigned_column(&row, 1)?);
        let left = micros_left(row.try_get(2)?);
        if current != epoch || left.is_zero() {
            return Ok(None);
        }
        let died =
            !may_be_old && self.read_lease(connection).await?.is_some_and(|found| found.has_died());
        Ok(Some(left).filter(|_| !died))
    }

    /// Tells whether this database is of a version that knows leases.
    pub(in crate::journal) async fn knows_leases(
        connection: &mut D::Connection,
    ) -> sqlx::Result<bool> {
        has_table::<D>(connection, "ledger_lease").await
    }

    async fn read_lease(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<Option<StoredLease>> {
        let row = sqlx::query(D::HOLDER).bind(&self.key).fetch_optional(connection).await?;
        row.map(|row| {
            let holder: Option<String> = row.try_get(4)?;
            Ok(StoredLease {
                current: unsigned_column(&row, 0)?,
                epoch: unsigned_column(&row, 1)?,
                left: micros_left(row.try_get(2)?),
                leased: row.try_get::<i64, _>(3)? != 0,
                holder: holder.as_deref().and_then(Holder::from_text),
            })
        })
        .transpose()
    }
}

/// Why the ledger is left to the writer that was found, if it is: its lease is in force, or it has
/// none and its process lives. A process that is known to be dead keeps nobody waiting.
async fn claim_refusal<D: JournalDatabase>(
    connection: &mut D::Connection,
    lock: &mut impl WriterLock<D>,
    found: StoredLease,
) -> sqlx::Result<Option<Claimed>> {
    let state = if found.may_be_locked() {
        lock.state(connection, found.epoch).await?
    } else {
        LockState::Free
    };
    Ok(if found.has_died() || state == LockState::Gone {
        None
    } else if !found.left.is_zero() {
        Some(Claimed::Leased(found.left, found.holder))
    } else if !found.leased && state == LockState::Held {
        Some(Claimed::InUse(found.holder))
    } else {
        None
    })
}

/// Returns what a database says is left of a lease, in microseconds: nothing once it has lapsed.
fn micros_left(micros: i64) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}
