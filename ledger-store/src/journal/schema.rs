//! What any database must hold before it is a journal: the tables of this version or an earlier
//! one, and the ledger asked for.

use std::path::Path;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{ColumnIndex, Decode, Encode, Executor, IntoArguments, Row as _, Type};

use super::database::{JournalDatabase, SqlDatabase, has_table};
use super::environment::designation;
use super::statements::Ledger;
use super::{Identity, OpenError, VaultRow, assert_key};
use crate::bytes::chain::Algorithm;
use crate::state::vault::prove_rows;

/// A ledger of a database.
pub(super) struct ExistingSchema<D: JournalDatabase> {
    pub(super) ledger: Ledger<D>,
    pub(super) identity: Identity,
    /// Tells whether its row tells its vault key from another.
    pub(super) is_checked: bool,
}

/// A connection on which a ledger is looked for.
pub(super) struct Opener<'a, D: JournalDatabase> {
    pub(super) connection: &'a mut D::Connection,
    /// The file, or the server and its database, as errors name it.
    pub(super) path: &'a Path,
    pub(super) name: &'a str,
}

// What sqlx must know of a database for these statements, said once.
impl<D> Opener<'_, D>
where
    D: JournalDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    [u8]: Type<D>,
    str: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> &'v [u8]: Encode<'v, D>,
    for<'v> &'v str: Encode<'v, D>,
    for<'v> i64: Decode<'v, D> + Type<D>,
    for<'v> Vec<u8>: Decode<'v, D> + Type<D>,
{
    /// The ledger as it stands, of this version's `steps` or an earlier version's: what is only
    /// read is left as it is, so that it can be read from media that cannot be written.
    pub(super) async fn existing(
        &mut self,
        steps: &Migrator,
    ) -> Result<ExistingSchema<D>, OpenError> {
        let applied = applied_versions::<D>(self.connection).await;
        let applied = applied.map_err(|error| D::opening(self.path, error))?;
        let reason = match applied {
            None => "it holds no ledger",
            Some(applied) if applied.is_empty() => "it holds no ledger",
            Some(applied) if versions(steps).starts_with(&applied) => {
                let select = if applied == versions(steps) {
                    D::FIND
                } else {
                    let answered = |(step, _): &&(i64, _)| applied.contains(step);
                    D::FIND_EARLIER.iter().find(answered).map_or(D::FIND, |(_, select)| *select)
                };
                let found = self.found_by(select).await?;
                return found
                    .ok_or_else(|| OpenError::LedgerUnknown { name: self.name.to_owned() });
            }
            Some(_) => "a newer version has written it",
        };
        Err(OpenError::Schema { path: self.path.to_owned(), reason: reason.to_owned() })
    }

    /// The ledger in tables of this version, if there is one of its name.
    pub(super) async fn look_up(&mut self) -> Result<Option<ExistingSchema<D>>, OpenError> {
        self.found_by(D::FIND).await
    }

    async fn found_by(
        &mut self,
        select: &'static str,
    ) -> Result<Option<ExistingSchema<D>>, OpenError> {
        let row = sqlx::query(select).bind(self.name).fetch_optional(&mut *self.connection).await;
        let columns = row.and_then(|row| row.as_ref().map(columns::<D>).transpose());
        let columns = columns.map_err(|error| D::opening(self.path, error))?;
        let Some((key, tag, vault_key, key_check, environment)) = columns else {
            return Ok(None);
        };
        let name = self.name;
        let algorithm = Algorithm::try_from(u8::try_from(tag).unwrap_or(0))
            .map_err(|source| OpenError::AlgorithmUnknown { name: name.to_owned(), source })?;
        let vault_key = vault_key.try_into().map_err(|_| OpenError::Schema {
            path: self.path.to_owned(),
            reason: format!("the vault key of ledger \"{name}\" is not 32 bytes"),
        })?;
        let designation = designation(environment).ok_or_else(|| OpenError::Schema {
            path: self.path.to_owned(),
            reason: format!("the environment of ledger \"{name}\" is none of this version"),
        })?;
        let identity = Identity { algorithm, vault_key, designation };
        let identity = assert_key(name, identity, key_check.as_deref())?;
        let ledger = Ledger::new(key, name, identity);
        Ok(Some(ExistingSchema { ledger, identity, is_checked: key_check.is_some() }))
    }

    /// Gives a ledger of an earlier version the check of its key, unless its own tokens contradict
    /// it: whoever reads the vault then says so.
    pub(super) async fn check_key(
        &mut self,
        found: &ExistingSchema<D>,
        vault: &[VaultRow],
    ) -> sqlx::Result<()> {
        if prove_rows(vault, &found.identity.vault_key).is_ok() {
            sqlx::query(D::SET_KEY_CHECK)
                .bind(&found.ledger.key)
                .bind(&found.identity.key_check()[..])
                .execute(&mut *self.connection)
                .await?;
        }
        Ok(())
    }
}

/// The key, the hash's tag, the vault key and its check, and the environment's tag.
type Columns<D> = (<D as JournalDatabase>::Key, i64, Vec<u8>, Option<Vec<u8>>, Option<i64>);

fn columns<D>(row: &D::Row) -> sqlx::Result<Columns<D>>
where
    D: JournalDatabase,
    usize: ColumnIndex<D::Row>,
    for<'v> i64: Decode<'v, D> + Type<D>,
    for<'v> Vec<u8>: Decode<'v, D> + Type<D>,
{
    Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?))
}

/// The versions of the steps a database has taken, `None` if it never took any.
pub(super) async fn applied_versions<D>(
    connection: &mut D::Connection,
) -> sqlx::Result<Option<Vec<i64>>>
where
    D: SqlDatabase,
    D::Arguments: IntoArguments<D>,
    usize: ColumnIndex<D::Row>,
    str: Type<D>,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'v> &'v str: Encode<'v, D>,
    for<'v> i64: Decode<'v, D> + Type<D>,
{
    if !has_table::<D>(connection, "_sqlx_migrations").await? {
        return Ok(None);
    }
    let versions = "SELECT version FROM _sqlx_migrations ORDER BY version";
    let rows = sqlx::query(versions).fetch_all(connection).await?;
    rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>().map(Some)
}

/// The versions of these steps.
pub(super) fn versions(steps: &Migrator) -> Vec<i64> {
    steps.iter().map(|step| step.version).collect()
}

/// Why the tables could not be brought up to date.
pub(super) fn migration<D: JournalDatabase>(path: &Path, error: MigrateError) -> OpenError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            D::opening(path, error)
        }
        other => OpenError::Schema { path: path.to_owned(), reason: other.to_string() },
    }
}
