//! What an SQLite file must hold before it is a journal: its tables, and the ledger asked for.

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _};

use super::{codes, statements};
use crate::chain::Algorithm;
use crate::journal::{Identity, OpenError, OpenMode, assert_key, migrations};
use crate::vault::prove_rows;

pub(in crate::journal) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    migrations::of(&[
        ("journal", include_str!("../../../migrations/0001_journal.sql")),
        ("vault key check", include_str!("../../../migrations/0002_vault_key_check.sql")),
    ])
});

/// The step since which a ledger's row tells its vault key from another.
const KEY_CHECKED: i64 = 2;

/// How long a statement waits for another writer of the same file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long opening rests before it asks again for what another process is just busy with.
pub(super) const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// A connection to a file that holds the ledger, and the ledger's place in it.
pub(super) struct Opened {
    pub(super) connection: SqliteConnection,
    pub(super) ledger: i64,
    pub(super) identity: Identity,
}

/// Opens the file at `path`, and in it the ledger named `name`.
pub(super) async fn open(path: &Path, name: &str, mode: OpenMode) -> Result<Opened, OpenError> {
    if mode == OpenMode::ReadOnly && !path.exists() {
        return Err(OpenError::Missing { path: path.to_owned() });
    }
    if mode != OpenMode::ReadOnly && is_foreign(path).await {
        let reason = "it is a database of something else, and is left as it is; name another file";
        return Err(OpenError::Schema { path: path.to_owned(), reason: reason.to_owned() });
    }
    let mut connection = connect(path, mode).await.map_err(|error| database(path, error))?;
    let (ledger, identity) = match mode {
        OpenMode::ReadOnly => existing(&mut connection, path, name).await,
        OpenMode::Create { .. } => created(&mut connection, path, name, mode).await,
    }?;
    Ok(Opened { connection, ledger, identity })
}

/// Whether a file holds tables, and none of a journal or of its projections. It is looked at
/// without a trace; what cannot be looked at is opened as ever, which says what is wrong.
async fn is_foreign(path: &Path) -> bool {
    let holds_something = path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    if !holds_something {
        return false;
    }
    // Without a log beside it nothing but the file is looked at, so that none is made.
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let options = either(path).read_only(true).immutable(!Path::new(&log).exists());
    let Ok(mut connection) = establish(options).await else { return false };
    let tables = "SELECT count(*), coalesce(sum(name IN ('ledger', 'projection_checkpoint')), 0) \
        FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let counted: sqlx::Result<(i64, i64)> = sqlx::query_as(tables).fetch_one(&mut connection).await;
    // The file is only closed: nothing was written.
    let _ = connection.close().await;
    counted.is_ok_and(|(all, ours)| all > 0 && ours == 0)
}

async fn existing(
    connection: &mut SqliteConnection,
    path: &Path,
    name: &str,
) -> Result<(i64, Identity), OpenError> {
    let applied = applied(connection).await.map_err(|error| database(path, error))?;
    let known: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
    let reason = match applied {
        None => "it holds no ledger",
        Some(applied) if applied.is_empty() => "it holds no ledger",
        // What an earlier version wrote is read as it is, from media that cannot be written too.
        Some(applied) if known.starts_with(&applied) => {
            let checked = applied.contains(&KEY_CHECKED);
            let found = find(connection, path, name, checked).await?;
            let found = found.map(|found| (found.ledger, found.identity));
            return found.ok_or_else(|| OpenError::LedgerUnknown { name: name.to_owned() });
        }
        Some(_) => "a newer version has written it",
    };
    Err(OpenError::Schema { path: path.to_owned(), reason: reason.to_owned() })
}

async fn created(
    connection: &mut SqliteConnection,
    path: &Path,
    name: &str,
    mode: OpenMode,
) -> Result<(i64, Identity), OpenError> {
    let database = |error| database(path, error);
    // One transaction, so that two processes creating the same file take turns.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(database)?;
    MIGRATIONS
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(|error| migration(path, error))?;
    let found = find(&mut transaction, path, name, true).await?;
    let identity = mode.identity(name, found.map(|found| found.identity))?;
    let ledger = match found {
        Some(found) => {
            if !found.checked {
                check_key(&mut transaction, &found).await.map_err(database)?;
            }
            found.ledger
        }
        None => create(&mut transaction, name, identity).await.map_err(database)?,
    };
    transaction.commit().await.map_err(database)?;
    Ok((ledger, identity))
}

/// The triggers that the steps a file has taken gave to these tables, made once more elsewhere.
pub(super) async fn expected_triggers(
    connection: &mut SqliteConnection,
    tables: &[&str],
) -> sqlx::Result<Vec<(String, String, String)>> {
    let applied = applied(connection).await?.unwrap_or_default();
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
        OpenMode::Create { .. } => establish(writing(path).create_if_missing(true)).await,
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
    match probed(options.clone()).await {
        Err(error) if codes::lacks_a_log(&error) => {
            let mut log = path.as_os_str().to_owned();
            log.push("-wal");
            if std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
                let log = Path::new(&log).display();
                return Err(sqlx::Error::Io(std::io::Error::other(format!(
                    "{log} holds commits that are not in the file yet, and cannot be replayed where \
                     nothing can be written: copy both files to where it can"
                ))));
            }
            probed(options.immutable(true)).await
        }
        outcome => outcome,
    }
}

/// A connection by which something was read.
async fn probed(options: SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
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

/// The versions of the migrations the file has seen, `None` if it never saw any.
async fn applied(connection: &mut SqliteConnection) -> sqlx::Result<Option<Vec<i64>>> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'";
    if sqlx::query_scalar::<_, i64>(tables).fetch_one(&mut *connection).await? == 0 {
        return Ok(None);
    }
    let versions = "SELECT version FROM _sqlx_migrations ORDER BY version";
    sqlx::query_scalar(versions).fetch_all(connection).await.map(Some)
}

/// Number, algorithm, vault key and its check.
type LedgerRow = (i64, i64, Vec<u8>, Option<Vec<u8>>);

/// A ledger of the file.
#[derive(Clone, Copy)]
struct Found {
    ledger: i64,
    identity: Identity,
    /// Whether its row tells its key from another.
    checked: bool,
}

async fn find(
    connection: &mut SqliteConnection,
    path: &Path,
    name: &str,
    checked: bool,
) -> Result<Option<Found>, OpenError> {
    let find = if checked {
        "SELECT id, algorithm, vault_key, key_check FROM ledger WHERE name = ?1"
    } else {
        "SELECT id, algorithm, vault_key, NULL FROM ledger WHERE name = ?1"
    };
    let found: Option<LedgerRow> = sqlx::query_as(find)
        .bind(name)
        .fetch_optional(connection)
        .await
        .map_err(|error| database(path, error))?;
    let Some((ledger, tag, vault_key, key_check)) = found else {
        return Ok(None);
    };
    let algorithm = Algorithm::try_from(u8::try_from(tag).unwrap_or(0))
        .map_err(|source| OpenError::AlgorithmUnknown { name: name.to_owned(), source })?;
    let vault_key = vault_key.try_into().map_err(|_| OpenError::Schema {
        path: path.to_owned(),
        reason: format!("the vault key of ledger \"{name}\" is not 32 bytes"),
    })?;
    let identity = assert_key(name, Identity { algorithm, vault_key }, key_check.as_deref())?;
    Ok(Some(Found { ledger, identity, checked: key_check.is_some() }))
}

/// Gives a ledger of an earlier version the check of its key, unless its own tokens contradict it:
/// whoever reads the vault then says so.
async fn check_key(connection: &mut SqliteConnection, found: &Found) -> sqlx::Result<()> {
    let rows = statements::vault(connection, found.ledger).await?;
    if prove_rows(&rows, &found.identity.vault_key).is_ok() {
        sqlx::query("UPDATE ledger SET key_check = ?2 WHERE id = ?1")
            .bind(found.ledger)
            .bind(&found.identity.key_check()[..])
            .execute(connection)
            .await?;
    }
    Ok(())
}

async fn create(
    connection: &mut SqliteConnection,
    name: &str,
    identity: Identity,
) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "INSERT INTO ledger (name, algorithm, vault_key, key_check) VALUES (?1, ?2, ?3, ?4)
         RETURNING id",
    )
    .bind(name)
    .bind(i64::from(identity.algorithm.tag()))
    .bind(&identity.vault_key[..])
    .bind(&identity.key_check()[..])
    .fetch_one(connection)
    .await
}

fn database(path: &Path, error: sqlx::Error) -> OpenError {
    let path = path.to_owned();
    match error {
        sqlx::Error::Io(error) => OpenError::Database { path, source: error.into() },
        error if codes::primary(&error) == Some(codes::NOTADB) => {
            OpenError::NotADatabase { path, source: codes::told(error) }
        }
        error => OpenError::Database { path, source: codes::told(error) },
    }
}

fn migration(path: &Path, error: MigrateError) -> OpenError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            database(path, error)
        }
        other => OpenError::Schema { path: path.to_owned(), reason: other.to_string() },
    }
}
