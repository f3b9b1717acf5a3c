//! What a PostgreSQL database must hold before it is a journal: its tables, and the ledger asked
//! for.

use std::sync::LazyLock;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnection;

use super::server::PostgresServer;
use super::statements;
use crate::chain::Algorithm;
use crate::journal::migrations;
use crate::journal::{Identity, OpenError, OpenMode, assert_key};
use crate::vault::prove_rows;

pub(in crate::journal) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    migrations::of(&[
        ("journal", include_str!("../../../migrations/postgres/0001_journal.sql")),
        (
            "payload as it is",
            include_str!("../../../migrations/postgres/0002_payload_as_it_is.sql"),
        ),
        ("vault key check", include_str!("../../../migrations/postgres/0003_vault_key_check.sql")),
    ])
});

/// The step since which a ledger's row tells its vault key from another.
const KEY_CHECKED: i64 = 3;

/// Connects to `server`, and finds there the ledger named `name`, or makes it.
pub(super) async fn open(
    server: &PostgresServer,
    name: &str,
    mode: OpenMode,
) -> Result<(PgConnection, Identity), OpenError> {
    let connected = server.connect().await;
    let mut connection = connected.map_err(|error| {
        let server = server.to_string();
        OpenError::Unreachable { server, source: error.into() }
    })?;
    let identity = match mode {
        OpenMode::ReadOnly => existing(&mut connection, server, name).await,
        OpenMode::Create { .. } => created(&mut connection, server, name, mode).await,
    }?;
    Ok((connection, identity))
}

async fn existing(
    connection: &mut PgConnection,
    server: &PostgresServer,
    name: &str,
) -> Result<Identity, OpenError> {
    let applied = applied(connection).await.map_err(|error| database(server, error))?;
    let reason = match applied {
        None => "it holds no ledger",
        Some(applied) if applied.is_empty() => "it holds no ledger",
        // What an earlier version wrote is read as it is.
        Some(applied) if known().starts_with(&applied) => {
            let checked = applied.contains(&KEY_CHECKED);
            let found = find(connection, server, name, checked).await?;
            let found = found.map(|(identity, _)| identity);
            return found.ok_or_else(|| OpenError::LedgerUnknown { name: name.to_owned() });
        }
        Some(_) => "a newer version has written it",
    };
    Err(schema(server, reason.to_owned()))
}

async fn created(
    connection: &mut PgConnection,
    server: &PostgresServer,
    name: &str,
    mode: OpenMode,
) -> Result<Identity, OpenError> {
    let database = |error| database(server, error);
    durable(connection, server).await?;
    // A writer without the right to make tables must get by where they are made already.
    if applied(connection).await.map_err(database)?.is_none_or(|applied| applied != known()) {
        // Two programs that bring one database up to date at once take turns.
        MIGRATIONS.run_direct(None, connection, false).await.map_err(|error| match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                database(error)
            }
            other => schema(server, other.to_string()),
        })?;
    }
    loop {
        let found = find(connection, server, name, true).await?;
        let identity = mode.identity(name, found.map(|(identity, _)| identity))?;
        if found.is_some_and(|(_, checked)| !checked) {
            check_key(connection, name, identity).await.map_err(database)?;
        }
        if found.is_some() || create(connection, name, identity).await.map_err(database)? {
            return Ok(identity);
        }
        // Another program has created it in between: it is found now.
    }
}

/// Refuses a server that acknowledges what it may lose.
async fn durable(connection: &mut PgConnection, server: &PostgresServer) -> Result<(), OpenError> {
    for setting in ["fsync", "full_page_writes"] {
        // An engine that only speaks PostgreSQL's protocol may not know the setting.
        let value: Option<String> = sqlx::query_scalar("SELECT current_setting($1, true)")
            .bind(setting)
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| database(server, error))?;
        if value.as_deref() == Some("off") {
            return Err(OpenError::NotDurable { server: server.to_string(), setting });
        }
    }
    Ok(())
}

fn known() -> Vec<i64> {
    MIGRATIONS.iter().map(|migration| migration.version).collect()
}

/// The versions of the migrations the database has seen, `None` if it never saw any.
async fn applied(connection: &mut PgConnection) -> sqlx::Result<Option<Vec<i64>>> {
    let table = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(table).fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let versions = "SELECT version FROM _sqlx_migrations ORDER BY version";
    sqlx::query_scalar(versions).fetch_all(connection).await.map(Some)
}

/// What the ledger was created with, and whether its row tells its key from another.
async fn find(
    connection: &mut PgConnection,
    server: &PostgresServer,
    name: &str,
    checked: bool,
) -> Result<Option<(Identity, bool)>, OpenError> {
    let find = if checked {
        "SELECT algorithm, vault_key, key_check FROM ledger WHERE ledger = $1"
    } else {
        "SELECT algorithm, vault_key, NULL::bytea FROM ledger WHERE ledger = $1"
    };
    let found: Option<(i16, Vec<u8>, Option<Vec<u8>>)> = sqlx::query_as(find)
        .bind(name)
        .fetch_optional(connection)
        .await
        .map_err(|error| database(server, error))?;
    let Some((tag, vault_key, key_check)) = found else {
        return Ok(None);
    };
    let algorithm = Algorithm::try_from(u8::try_from(tag).unwrap_or(0))
        .map_err(|source| OpenError::AlgorithmUnknown { name: name.to_owned(), source })?;
    let vault_key = vault_key.try_into().map_err(|_| {
        schema(server, format!("the vault key of ledger \"{name}\" is not 32 bytes"))
    })?;
    let identity = assert_key(name, Identity { algorithm, vault_key }, key_check.as_deref())?;
    Ok(Some((identity, key_check.is_some())))
}

/// Gives a ledger of an earlier version the check of its key, unless its own tokens contradict it:
/// whoever reads the vault then says so. The writer's role may not, and leaves it to the owner's.
async fn check_key(
    connection: &mut PgConnection,
    name: &str,
    identity: Identity,
) -> sqlx::Result<()> {
    let allowed = "SELECT has_column_privilege('ledger', 'key_check', 'UPDATE')";
    if !sqlx::query_scalar::<_, bool>(allowed).fetch_one(&mut *connection).await? {
        return Ok(());
    }
    let rows = statements::vault(connection, name).await?;
    if prove_rows(&rows, &identity.vault_key).is_ok() {
        sqlx::query("UPDATE ledger SET key_check = $2 WHERE ledger = $1 AND key_check IS NULL")
            .bind(name)
            .bind(&identity.key_check()[..])
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Creates the ledger; `false` when there is one of this name.
async fn create(
    connection: &mut PgConnection,
    name: &str,
    identity: Identity,
) -> sqlx::Result<bool> {
    let created = sqlx::query(
        "INSERT INTO ledger (ledger, algorithm, vault_key, key_check) VALUES ($1, $2, $3, $4)
         ON CONFLICT (ledger) DO NOTHING",
    )
    .bind(name)
    .bind(i16::from(identity.algorithm.tag()))
    .bind(&identity.vault_key[..])
    .bind(&identity.key_check()[..])
    .execute(connection)
    .await?;
    Ok(created.rows_affected() == 1)
}

fn database(server: &PostgresServer, error: sqlx::Error) -> OpenError {
    OpenError::Database { path: server.to_string().into(), source: error.into() }
}

fn schema(server: &PostgresServer, reason: String) -> OpenError {
    OpenError::Schema { path: server.to_string().into(), reason }
}
