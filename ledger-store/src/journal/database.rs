//! The two databases as statements see them: the words in which they differ, and what their errors
//! say.

use std::path::Path;

use sqlx::{ColumnIndex, Decode, Encode, Executor, IntoArguments, Row as _, Type};

use super::{JournalError, OpenError, Source, VaultRow};

/// A database that keeps journals or tables.
pub(crate) trait SqlDatabase: sqlx::Database {
    /// Counts the tables named `$1`: one or none.
    const HAS_TABLE: &'static str;

    /// Begins a transaction that only reads, and all of it as of one moment.
    const ONE_MOMENT: &'static str;

    /// How many rows a statement touched: sqlx gives the number to each database apart.
    fn rows_affected(done: &Self::QueryResult) -> u64;
}

/// Tells whether the database has a table of this name.
pub(super) async fn has_table<D>(
    connection: &mut D::Connection,
    name: &'static str,
) -> sqlx::Result<bool>
where
    D: SqlDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    str: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> i64: Decode<'v, D> + Type<D>,
    for<'v> &'v str: Encode<'v, D>,
{
    let table = sqlx::query(D::HAS_TABLE).bind(name).fetch_one(connection).await?;
    Ok(table.try_get::<i64, _>(0)? > 0)
}

/// A database that keeps journals.
///
/// What stands here differs by its schema, by its dialect of SQL or by the type of a column; every
/// other statement is written once, in `statements.rs` and `schema.rs` beside this file.
pub(super) trait JournalDatabase: SqlDatabase {
    /// What rows call their ledger: its number in an SQLite file, its name on a server.
    type Key: for<'q> Encode<'q, Self> + for<'r> Decode<'r, Self> + Type<Self> + Send + Sync;

    /// The key, the hash's tag, the vault key, its check and the environment's tag of the ledger
    /// named `$1`.
    const FIND: &'static str;

    /// The same for tables of earlier versions, each with the step since which they answer it;
    /// latest first.
    const FIND_EARLIER: &'static [(i64, &'static str)];

    /// Gives the ledger of key `$1` the check `$2` of its vault key, if it has none.
    const SET_KEY_CHECK: &'static str;

    /// Raises the epoch of the ledger of key `$1`, and gives it.
    const TAKE_OVER: &'static str;

    /// Begins a transaction in which each statement sees what was committed before it.
    const BEGIN_CLAIM: &'static str;

    /// The epoch of the ledger of key `$1`, the epoch of its lease, and how many microseconds are
    /// left of that; no row where there is no lease.
    const LEASE: &'static str;

    /// The epoch of the ledger of key `$1`; of the writer that took it over last its epoch, how
    /// many microseconds are left of its lease, 1 if it had one at all, and who it is; no row where
    /// none is known.
    const HOLDER: &'static str;

    /// Says that the writer of epoch `$2` holds the ledger of key `$1`, by a lease of `$3`
    /// microseconds from now on or by none if it is 0, and that it is `$4`.
    const HOLD: &'static str;

    /// Leases the ledger of key `$1`, if its epoch is `$2`, for `$3` microseconds from now on.
    ///
    /// The clock is read after the statement has begun, so a lease lasts at least as long as
    /// whoever asked counts from before asking.
    const RENEW: &'static str;

    /// The epoch of the ledger of key `$1`, which nobody raises until the transaction has ended.
    const LOCK: &'static str;

    /// The epoch of the ledger of key `$1`.
    const EPOCH: &'static str;

    /// The record up to which nobody noted erasures in the ledger of key `$1`.
    const ERASURES_SINCE: &'static str;

    /// The epoch of the ledger of key `$1`; its last record and link, null before the first.
    ///
    /// Each finds the last row in the way that its planner answers by the index alone.
    const HEAD: &'static str;

    /// Statements that let what follows in a transaction take its time.
    const UNHURRIED: &'static [&'static str];

    /// Statements that let what follows in a transaction go by tables and not by their indexes.
    const BY_THE_TABLE: &'static [&'static str];

    /// How many records the rows of the ledger of key `$1` say they hold, and the number of the
    /// last.
    ///
    /// Counted in the table itself: an index that hides rows must not pass for a shorter journal.
    const COUNTED: &'static str;

    /// Where the table's rows of the ledger of key `$1` do not continue one another first: the
    /// record expected, and the one found.
    const GAP: &'static str;

    /// A row's count of records, which PostgreSQL keeps with a sign.
    fn count(row: &Self::Row, column: usize) -> sqlx::Result<u32>;

    /// A value of the vault from its token, kind, value and mask: PostgreSQL keeps the texts as
    /// bytes, since its own cannot hold every character of JSON's.
    fn vault_row(row: &Self::Row) -> sqlx::Result<VaultRow>;

    /// Tells whether `error` says that the database undid the statement or never began it.
    ///
    /// Anything else may have left a whole commit behind.
    fn surely_not_written(error: &sqlx::Error) -> bool;

    /// Tells whether `error` says that the medium is not as it was written.
    fn is_damage(error: &sqlx::Error) -> bool;

    /// `error` as the cause of another, in words for a person where the database has only a code.
    fn cause(error: sqlx::Error) -> Source;

    /// `error` met while opening the database at `path`.
    fn opening(path: &Path, error: sqlx::Error) -> OpenError;
}

/// A failure of the medium.
pub(super) fn medium<D: JournalDatabase>(error: sqlx::Error) -> JournalError {
    JournalError::Medium(D::cause(error))
}

/// Damage from record `seq` on, or a failure of the medium.
pub(super) fn damage_or_medium<D: JournalDatabase>(error: sqlx::Error, seq: u64) -> JournalError {
    if D::is_damage(&error) {
        JournalError::Damaged { seq, source: error.into() }
    } else {
        medium::<D>(error)
    }
}

/// The calls of a journal that are the same on every database.
macro_rules! same_calls {
    ($database:ty) => {
        fn open_writer(&mut self) -> Result<Opening, JournalError> {
            self.taken_over(None, Heed::Nobody)
        }

        fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
            self.taken_over(lease, Heed::Holders)
        }

        fn accept_loss(&mut self, head: Head) {
            self.accepted = Some(head);
        }

        fn lock_fault(&self) -> Option<String> {
            self.locks.fault().map(str::to_owned)
        }

        fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
            self.writable()?;
            let mine = self.epoch.ok_or(JournalError::NotWriting)?;
            let renewed =
                self.run(async |connection, ledger| ledger.renew(connection, mine, lease).await);
            if renewed.map_err(medium::<$database>)? {
                self.held = Some(mine);
                return Ok(());
            }
            let (_, current) = self.head_and_epoch().map_err(medium::<$database>)?;
            Err(JournalError::Fenced { mine, current })
        }

        fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
            // What is only read may be older than leases.
            let may_be_old = self.read_only;
            let left = self.run(async |connection, ledger| {
                if may_be_old && !Ledger::<$database>::knows_leases(connection).await? {
                    return Ok(None);
                }
                ledger.lease_left(connection, may_be_old).await
            });
            left.map_err(medium::<$database>)
        }

        fn is_last_writer(&mut self) -> Result<bool, JournalError> {
            let Some(mine) = self.epoch else { return Ok(false) };
            let current = self.run(async |connection, ledger| ledger.epoch(connection).await);
            Ok(current.map_err(medium::<$database>)? == mine)
        }

        fn may_recover(&self) -> bool {
            true
        }

        fn identity(&self) -> Identity {
            self.identity
        }

        fn values(&mut self, tokens: &[Token]) -> Result<Vec<VaultRow>, JournalError> {
            self.run(async |connection, ledger| ledger.values(connection, tokens).await)
                .map_err(medium::<$database>)
        }

        fn erase(&mut self, token: Token) -> Result<bool, JournalError> {
            self.writable()?;
            let mine = self.epoch.ok_or(JournalError::NotWriting)?;
            let name = self.name.clone();
            let erased = self.run(async |connection, ledger| {
                ledger.erase(connection, (&name, mine), token).await
            });
            erased.map_err(medium::<$database>)?.into_result(mine)
        }

        fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
            self.run(async |connection, ledger| ledger.holds(connection).await)
                .map_err(medium::<$database>)
        }

        fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
            self.writable()?;
            self.run(async |connection, ledger| ledger.place(connection, hold).await)
                .map_err(medium::<$database>)
        }

        fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
            self.writable()?;
            self.run(async |connection, ledger| ledger.release_hold(connection, (id, note)).await)
                .map_err(medium::<$database>)
        }
    };
}
pub(super) use same_calls;
