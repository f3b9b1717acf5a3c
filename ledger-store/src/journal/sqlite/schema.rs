//! What an SQLite file must hold before it is a journal: its tables, and the ledger asked for.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Sqlite};
use tracing::warn;

use super::cut::{beside, cut, holds_something};
use super::{codes, statements};
use crate::journal::database::JournalDatabase as _;
use crate::journal::environment::tag;
use crate::journal::schema::{ExistingSchema, Opener, applied_versions, migration};
use crate::journal::statements::Ledger;
use crate::journal::writer::file_lock::{second_name, writer_of_lost};
use crate::journal::{Identity, OpenError, OpenMode, migrations};
use crate::state::private;

pub(in crate::journal) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    migrations::migrator(&[
        ("journal", include_str!("../../../migrations/0001_journal.sql")),
        ("vault key check", include_str!("../../../migrations/0002_vault_key_check.sql")),
        ("lease", include_str!("../../../migrations/0003_lease.sql")),
        ("environment", include_str!("../../../migrations/0004_environment.sql")),
        ("legal hold", include_str!("../../../migrations/0005_legal_hold.sql")),
        ("holder", include_str!("../../../migrations/0006_holder.sql")),
        ("vault erasure", include_str!("../../../migrations/0007_vault_erasure.sql")),
    ])
});

/// How long a statement waits for another writer of the same file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long opening rests before it asks again for what another process is just busy with.
pub(super) const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// Opens the file at `path`, and in it the ledger named `name`.
pub(super) async fn open(
    path: &Path,
    name: &str,
    mode: OpenMode,
) -> Result<(SqliteConnection, ExistingSchema<Sqlite>), OpenError> {
    if mode == OpenMode::ReadOnly && !path.exists() {
        return Err(OpenError::Missing { path: path.to_owned() });
    }
    if let Some(cut) = cut(path) {
        return Err(OpenError::Database { path: path.to_owned(), source: cut.into() });
    }
    if mode != OpenMode::ReadOnly
        && let Some(second) = second_name(path)
    {
        return Err(OpenError::Database { path: path.to_owned(), source: second.into() });
    }
    if mode != OpenMode::ReadOnly && is_foreign(path).await {
        let reason = "it is a database of something else, and is left as it is; name another file";
        return Err(OpenError::Schema { path: path.to_owned(), reason: reason.to_owned() });
    }
    if mode != OpenMode::ReadOnly
        && !path.exists()
        && let Some(writer) = writer_of_lost(path)
    {
        let lost = format!(
            "it was moved or deleted, and a process that writes it lives ({writer}): put the file \
             back, or end that process"
        );
        return Err(OpenError::Database { path: path.to_owned(), source: lost.into() });
    }
    if mode != OpenMode::ReadOnly {
        private(path).map_err(|error| Sqlite::opening(path, sqlx::Error::Io(error)))?;
    }
    let mut connection = connect(path, mode).await.map_err(|error| Sqlite::opening(path, error))?;
    let found = match mode {
        OpenMode::ReadOnly => {
            let mut opener = Opener { connection: &mut connection, path, name };
            opener.existing(&MIGRATIONS).await
        }
        OpenMode::Create { .. } | OpenMode::Directory { .. } => {
            create_schema(&mut connection, path, name, mode).await
        }
    }?;
    Ok((connection, found))
}

/// Makes a file that is not there with mode 0600, since it is to hold personal values; what SQLite
/// makes beside it has the same mode. Tells whether it was made.
pub(crate) fn create_private(path: &Path) -> std::io::Result<bool> {
    match private::private(File::options().write(true).create_new(true)).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        made => made.map(|_| true),
    }
}

/// Makes a file that is not there, and says so of one that others may read, which is left so: it
/// holds the key of tokens, too.
fn private(path: &Path) -> std::io::Result<()> {
    if create_private(path)? {
        return Ok(());
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&path.metadata()?) & 0o077 != 0 {
        let file = path.display();
        warn!(%file, "others may read the file, with its personal values and their key: chmod 600");
    }
    Ok(())
}

/// Tells whether a file holds tables, and none of a journal or of its projections. It is looked at
/// without a trace; what cannot be looked at is opened as ever, which says what is wrong.
async fn is_foreign(path: &Path) -> bool {
    if !holds_something(path) {
        return false;
    }
    // Without a log beside it nothing but the file is looked at, so that none is made.
    let options = either(path).read_only(true).immutable(!beside(path, "-wal").exists());
    let Ok(mut connection) = establish(options).await else { return false };
    let tables = "SELECT count(*), coalesce(sum(name IN ('ledger', 'projection_checkpoint')), 0) \
        FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let counted: sqlx::Result<(i64, i64)> = sqlx::query_as(tables).fetch_one(&mut connection).await;
    // The file is only closed: nothing was written.
    let _ = connection.close().await;
    counted.is_ok_and(|(all, ours)| all > 0 && ours == 0)
}

async fn create_schema(
    connection: &mut SqliteConnection,
    path: &Path,
    name: &str,
    mode: OpenMode,
) -> Result<ExistingSchema<Sqlite>, OpenError> {
    let database = |error| Sqlite::opening(path, error);
    // One transaction, so that two processes creating the same file take turns.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(database)?;
    MIGRATIONS
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(|error| migration::<Sqlite>(path, error))?;
    let mut opener = Opener { connection: &mut *transaction, path, name };
    let found = opener.look_up().await?;
    let identity = mode.identity(name, found.as_ref().map(|found| found.identity))?;
    let found = match found {
        Some(found) => {
            if !found.is_checked {
                let vault = found.ledger.vault(opener.connection).await.map_err(database)?;
                opener.check_key(&found, &vault).await.map_err(database)?;
            }
            found
        }
        None => {
            let key = create(&mut transaction, name, identity).await.map_err(database)?;
            ExistingSchema { ledger: Ledger::new(key, name, identity), identity, is_checked: true }
        }
    };
    transaction.commit().await.map_err(database)?;
    Ok(found)
}

/// The triggers that the steps a file has taken gave to these tables, made once more elsewhere.
pub(super) async fn expected_triggers(
    connection: &mut SqliteConnection,
    tables: &[&str],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let applied = applied_versions::<Sqlite>(connection).await?.unwrap_or_default();
    let mut scratch = SqliteConnectOptions::new().in_memory(true).connect().await?;
    for step in MIGRATIONS.iter().filter(|step| applied.contains(&step.version)) {
        sqlx::raw_sql(step.sql.clone()).execute(&mut scratch).await?;
    }
    let triggers = statements::triggers(&mut scratch, tables).await;
    scratch.close().await?;
    triggers
}

/// A new connection in the place of one that was lost; the file must still be there.
pub(super) async fn reconnect(path: &Path, read_only: bool) -> sqlx::Result<SqliteConnection> {
    if read_only { read(path, either(path)).await } else { establish(writing(path)).await }
}

async fn connect(path: &Path, mode: OpenMode) -> sqlx::Result<SqliteConnection> {
    match mode {
        OpenMode::ReadOnly => read(path, either(path)).await,
        OpenMode::Create { .. } | OpenMode::Directory { .. } => {
            establish(writing(path).create_if_missing(true)).await
        }
    }
}

/// A connection for reading, to a file on whatever media.
///
/// Beside a file that it reads SQLite makes an index of the file's log. Where it cannot, the file
/// is read as one that nobody changes, and without its log: so there must be nothing in that.
pub(crate) async fn read(
    path: &Path,
    options: SqliteConnectOptions,
) -> sqlx::Result<SqliteConnection> {
    let options = options.read_only(true);
    match probe(options.clone()).await {
        Err(error) if codes::lacks_a_log(&error) => {
            let log = beside(path, "-wal");
            if holds_something(&log) {
                let log = log.display();
                return Err(sqlx::Error::Io(std::io::Error::other(format!(
                    "{log} holds commits that are not in the file yet, and cannot be replayed where \
                     nothing can be written: copy both files to where it can"
                ))));
            }
            probe(options.immutable(true)).await
        }
        outcome => outcome,
    }
}

/// A connection by which something was read.
async fn probe(options: SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
    let mut connection = establish(options).await?;
    sqlx::query("SELECT count(*) FROM sqlite_schema").execute(&mut connection).await?;
    Ok(connection)
}

/// Erased values are overwritten and not only unlinked.
fn writing(path: &Path) -> SqliteConnectOptions {
    either(path).journal_mode(SqliteJournalMode::Wal).pragma("secure_delete", "ON")
}

fn either(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY_TIMEOUT)
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging()
}

async fn establish(options: SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
    // The change to WAL on a new file is the one lock the busy timeout does not wait for.
    let start = Instant::now();
    loop {
        match options.connect().await {
            Err(error)
                if codes::primary(&error) == Some(codes::BUSY)
                    && start.elapsed() < BUSY_TIMEOUT =>
            {
                std::thread::sleep(BUSY_PAUSE);
            }
            outcome => return outcome,
        }
    }
}

async fn create(
    connection: &mut SqliteConnection,
    name: &str,
    identity: Identity,
) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "INSERT INTO ledger (name, algorithm, vault_key, key_check, environment)
         VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
    )
    .bind(name)
    .bind(i64::from(identity.algorithm.tag()))
    .bind(&identity.vault_key[..])
    .bind(&identity.key_check()[..])
    .bind(tag(identity.designation))
    .fetch_one(connection)
    .await
}
