//! The lease of a ledger in a database: who holds it, and for how long yet by the database's clock.

use std::time::Duration;

use sqlx::{ColumnIndex, Connection as _, Decode, Encode, Executor, IntoArguments, Row as _, Type};

use super::database::{JournalDatabase, has_table};
use super::statements::{Ledger, integer, unsigned};

/// What came of an attempt to take a ledger over once its lease has lapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    /// It is taken over, under this epoch.
    Epoch(u64),
    /// Another writer's lease is in force for so long yet.
    Leased(Duration),
}

/// A lease as the database tells it.
struct Found {
    /// The ledger's epoch.
    current: u64,
    /// The epoch of the writer that took the lease.
    holder: u64,
    /// Nothing once it has lapsed.
    left: Duration,
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
    for<'v> &'v [u8]: Encode<'v, D> + Decode<'v, D>,
    for<'v> Vec<u8>: Decode<'v, D> + Type<D>,
{
    /// Raises the ledger's epoch unless a lease is in force that is not of epoch `mine`, and takes
    /// a lease of `lease`.
    ///
    /// Raising the epoch comes first, since it locks the ledger's row: of two who would take over
    /// at once the second reads the lease that the first has taken.
    pub(super) async fn claim(
        &self,
        connection: &mut D::Connection,
        mine: Option<u64>,
        lease: Option<Duration>,
    ) -> sqlx::Result<Claimed> {
        let mut transaction = connection.begin_with(D::BEGIN_CLAIM).await?;
        let epoch = self.take_over(&mut transaction).await?;
        if let Some(found) = self.lease(&mut transaction).await?
            && found.holder + 1 == epoch
            && Some(found.holder) != mine
            && !found.left.is_zero()
        {
            transaction.rollback().await?;
            return Ok(Claimed::Leased(found.left));
        }
        if let Some(lease) = lease {
            self.renew(&mut transaction, epoch, lease).await?;
        }
        transaction.commit().await?;
        Ok(Claimed::Epoch(epoch))
    }

    /// Leases the ledger to the writer of this epoch, from now on; `false` when another has taken
    /// over.
    pub(super) async fn renew(
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
    pub(super) async fn release(
        &self,
        connection: &mut D::Connection,
        epoch: u64,
    ) -> sqlx::Result<()> {
        let release = "DELETE FROM ledger_lease WHERE ledger = $1 AND epoch = $2";
        let release = sqlx::query(release).bind(&self.key).bind(integer(epoch));
        release.execute(connection).await.map(drop)
    }

    /// How long the lease of the last writer is in force yet; `None` where none is.
    pub(super) async fn lease_left(
        &self,
        connection: &mut D::Connection,
    ) -> sqlx::Result<Option<Duration>> {
        let found = self.lease(connection).await?;
        let in_force = found.filter(|found| found.holder == found.current && !found.left.is_zero());
        Ok(in_force.map(|found| found.left))
    }

    /// Whether this database is of a version that knows leases.
    pub(super) async fn knows_leases(connection: &mut D::Connection) -> sqlx::Result<bool> {
        has_table::<D>(connection, "ledger_lease").await
    }

    async fn lease(&self, connection: &mut D::Connection) -> sqlx::Result<Option<Found>> {
        let row = sqlx::query(D::LEASE).bind(&self.key).fetch_optional(connection).await?;
        row.map(|row| {
            let left: i64 = row.try_get(2)?;
            let left = Duration::from_micros(u64::try_from(left).unwrap_or(0));
            Ok(Found { current: unsigned(&row, 0)?, holder: unsigned(&row, 1)?, left })
        })
        .transpose()
    }
}
