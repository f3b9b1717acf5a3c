//! What a PostgreSQL database must hold before it is a journal: its tables, and the ledger asked
//! for.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use sqlx::Postgres;
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnection;

use super::server::PostgresServer;
use super::spread;
use crate::journal::database::JournalDatabase as _;
use crate::journal::environment::tag;
use crate::journal::schema::{ExistingSchema, Opener, applied_versions, migration, versions};
use crate::journal::statements::Ledger;
use crate::journal::{Identity, OpenError, OpenMode, TABLES, migrations};

pub(in crate::journal) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    migrations::migrator(&[
        ("journal", include_str!("../../../migrations/postgres/0001_journal.sql")),
        (
            "payload as it is",
            include_str!("../../../migrations/postgres/0002_payload_as_it_is.sql"),
        ),
        ("vault key check", include_str!("../../../migrations/postgres/0003_vault_key_check.sql")),
        ("lease", include_str!("../../../migrations/postgres/0004_lease.sql")),
        ("environment", include_str!("../../../migrations/postgres/0005_environment.sql")),
        ("append", APPEND),
        ("legal hold", include_str!("../../../migrations/postgres/0007_legal_hold.sql")),
        ("holder", include_str!("../../../migrations/postgres/0008_holder.sql")),
        ("vault erasure", include_str!("../../../migrations/postgres/0009_vault_erasure.sql")),
    ])
});

/// The step that makes the function which appends.
const APPEND: &str = include_str!("../../../migrations/postgres/0006_append.sql");

/// Returns what the function that appends does, as a rule of the journal's table with its text;
/// none where the tables are of a version that had no such function.
pub(super) async fn functions(
    connection: &mut PgConnection,
) -> sqlx::Result<Vec<(String, String, String)>> {
    let applied = applied_versions::<Postgres>(connection).await?.unwrap_or_default();
    let made = MIGRATIONS
        .iter()
        .any(|step| step.sql.as_str() == APPEND && applied.contains(&step.version));
    let text = made.then(|| APPEND.split("$$").nth(1)).flatten();
    let rule = |text: &str| ("journal".to_owned(), "journal_append".to_owned(), text.to_owned());
    Ok(text.map(rule).into_iter().collect())
}

/// Finds the ledger named `name` in the database that `connection` is to, or makes it.
pub(super) async fn open(
    connection: &mut PgConnection,
    server: &PostgresServer,
    name: &str,
    mode: OpenMode,
) -> Result<ExistingSchema<Postgres>, OpenError> {
    let path = PathBuf::from(server.to_string());
    let mut opener = Opener { connection, path: &path, name };
    match mode {
        OpenMode::ReadOnly => opener.existing(&MIGRATIONS).await,
        OpenMode::Create { .. } | OpenMode::Directory { .. } => {
            durable(opener.connection, server).await?;
            create_schema(&mut opener, mode).await
        }
    }
}

async fn create_schema(
    opener: &mut Opener<'_, Postgres>,
    mode: OpenMode,
) -> Result<ExistingSchema<Postgres>, OpenError> {
    let (path, name) = (opener.path, opener.name);
    let database = |error| Postgres::opening(path, error);
    // A writer without the right to make tables must get by where they are made already.
    let applied = applied_versions::<Postgres>(opener.connection).await.map_err(database)?;
    if applied.is_none_or(|applied| applied != versions(&MIGRATIONS)) {
        // Two programs that bring one database up to date at once take turns.
        let brought = MIGRATIONS.run_direct(None, &mut *opener.connection, false).await;
        brought.map_err(|error| migration::<Postgres>(path, error))?;
    }
    if let Some(table) = unlogged_table(opener.connection).await.map_err(database)? {
        return Err(OpenError::Unlogged { server: path.display().to_string(), table });
    }
    if let Some(fault) = spread::fault(opener.connection).await.map_err(database)? {
        return Err(OpenError::Spread { server: path.display().to_string(), fault });
    }
    loop {
        let found = opener.look_up().await?;
        let identity = mode.identity(name, found.as_ref().map(|found| found.identity))?;
        if let Some(found) = found {
            if !found.is_checked {
                check_key(opener, &found).await.map_err(database)?;
            }
            return Ok(found);
        }
        if create(opener.connection, name, identity).await.map_err(database)? {
            let ledger = Ledger::new(name.to_owned(), name, identity);
            return Ok(ExistingSchema { ledger, identity, is_checked: true });
        }
        // Another program has created it in between: it is found now.
    }
}

/// The other tables that a service keeps beside a journal.
const BESIDE: [&str; 10] = [
    "_sqlx_migrations",
    "ledger_checkpoint",
    "ledger_checkpoint_sent",
    "ledger_cosignature",
    "ledger_moment",
    "webhook_deliveries",
    "webhook_attempts",
    "webhook_endpoints",
    "webhook_filters",
    "dashboard_openers",
];

/// A table that is found by these names and does not survive a crash of the server.
const UNLOGGED: &str = "\
    SELECT relname::text FROM pg_class
    WHERE relkind IN ('r', 'p') AND relpersistence <> 'p'
        AND oid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)
    ORDER BY relname LIMIT 1";

/// A table of a journal, or of what is kept beside it, that is unlogged or temporary.
async fn unlogged_table(connection: &mut PgConnection) -> sqlx::Result<Option<String>> {
    let tables: Vec<String> = TABLES.iter().chain(&BESIDE).map(|it| (*it).to_owned()).collect();
    sqlx::query_scalar(UNLOGGED).bind(tables).fetch_optional(connection).await
}

/// Refuses a server that acknowledges what it may lose.
async fn durable(connection: &mut PgConnection, server: &PostgresServer) -> Result<(), OpenError> {
    for setting in ["fsync", "full_page_writes"] {
        // An engine that only speaks PostgreSQL's protocol may not know the setting.
        let value: Option<String> = sqlx::query_scalar("SELECT current_setting($1, true)")
            .bind(setting)
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| Postgres::opening(Path::new(&server.to_string()), error))?;
        if value.as_deref() == Some("off") {
            return Err(OpenError::NotDurable { server: server.to_string(), setting });
        }
    }
    Ok(())
}

/// Gives a ledger the check of its key, where its role may: the writer's may not, and leaves it to
/// the owner's.
async fn check_key(
    opener: &mut Opener<'_, Postgres>,
    found: &ExistingSchema<Postgres>,
) -> sqlx::Result<()> {
    let allowed = "SELECT has_column_privilege('ledger', 'key_check', 'UPDATE')";
    if !sqlx::query_scalar::<_, bool>(allowed).fetch_one(&mut *opener.connection).await? {
        return Ok(());
    }
    let vault = found.ledger.whole_vault(opener.connection).await?;
    opener.check_key(found, &vault).await
}

/// Creates the ledger; `false` when there is one of this name.
async fn create(
    connection: &mut PgConnection,
    name: &str,
    identity: Identity,
) -> sqlx::Result<bool> {
    let created = sqlx::query(
        "INSERT INTO ledger (ledger, algorithm, vault_key, key_check, environment)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (ledger) DO NOTHING",
    )
    .bind(name)
    .bind(i16::from(identity.algorithm.tag()))
    .bind(&identity.vault_key[..])
    .bind(&identity.key_check()[..])
    .bind(tag(identity.designation).map(i16::from))
    .execute(connection)
    .await?;
    Ok(created.rows_affected() == 1)
}
