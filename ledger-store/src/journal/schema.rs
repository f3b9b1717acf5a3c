//! What an SQLite file must hold before it is a journal: its tables, and the ledger asked for.

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _};

use super::{Identity, OpenError, OpenMode, codes, migrations};
use crate::chain::Algorithm;

pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    migrations::of(&[("journal", include_str!("../../migrations/0001_journal.sql"))])
});

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
    let mut connection = connect(path, mode).await.map_err(|error| database(path, error))?;
    let (ledger, identity) = match mode {
        OpenMode::ReadOnly => existing(&mut connection, path, name).await,
        OpenMode::Create { .. } => created(&mut connection, path, name, mode).await,
    }?;
    Ok(Opened { connection, ledger, identity })
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
        Some(applied) if applied == known => {
            let found = find(connection, path, name).await?;
            return found.ok_or_else(|| OpenError::LedgerUnknown { name: name.to_owned() });
        }
        Some(applied) if known.starts_with(&applied) => {
            "it is older, and brought up to date when opened for writing"
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
    let found = find(&mut transaction, path, name).await?;
    let identity = mode.identity(name, found.map(|found| found.1))?;
    let ledger = match found {
        Some((ledger, _)) => ledger,
        None => create(&mut transaction, name, identity).await.map_err(database)?,
    };
    transaction.commit().await.map_err(database)?;
    Ok((ledger, identity))
}

/// A new connection in the place of one that was lost; the file must still be there.
pub(super) async fn reconnect(path: &Path, read_only: bool) -> sqlx::Result<SqliteConnection> {
    establish(if read_only { reading(path) } else { writing(path) }).await
}

async fn connect(path: &Path, mode: OpenMode) -> sqlx::Result<SqliteConnection> {
    establish(match mode {
        OpenMode::ReadOnly => reading(path),
        OpenMode::Create { .. } => writing(path).create_if_missing(true),
    })
    .await
}

fn reading(path: &Path) -> SqliteConnectOptions {
    either(path).read_only(true)
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

async fn find(
    connection: &mut SqliteConnection,
    path: &Path,
    name: &str,
) -> Result<Option<(i64, Identity)>, OpenError> {
    let found: Option<(i64, i64, Vec<u8>)> =
        sqlx::query_as("SELECT id, algorithm, vault_key FROM ledger WHERE name = ?1")
            .bind(name)
            .fetch_optional(connection)
            .await
            .map_err(|error| database(path, error))?;
    let Some((ledger, tag, vault_key)) = found else {
        return Ok(None);
    };
    let algorithm = Algorithm::try_from(u8::try_from(tag).unwrap_or(0))
        .map_err(|source| OpenError::AlgorithmUnknown { name: name.to_owned(), source })?;
    let vault_key = vault_key.try_into().map_err(|_| OpenError::Schema {
        path: path.to_owned(),
        reason: format!("the vault key of ledger \"{name}\" is not 32 bytes"),
    })?;
    Ok(Some((ledger, Identity { algorithm, vault_key })))
}

async fn create(
    connection: &mut SqliteConnection,
    name: &str,
    identity: Identity,
) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "INSERT INTO ledger (name, algorithm, vault_key) VALUES (?1, ?2, ?3) RETURNING id",
    )
    .bind(name)
    .bind(i64::from(identity.algorithm.tag()))
    .bind(&identity.vault_key[..])
    .fetch_one(connection)
    .await
}

fn database(path: &Path, error: sqlx::Error) -> OpenError {
    let path = path.to_owned();
    if codes::primary(&error) == Some(codes::NOTADB) {
        OpenError::NotADatabase { path, source: codes::told(error) }
    } else {
        OpenError::Database { path, source: codes::told(error) }
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
