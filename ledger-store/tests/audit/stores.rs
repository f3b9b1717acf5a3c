//! The story in real stores, and somebody with a database shell.

use ledger_store::journal::{Journal, OpenError, OpenMode, PostgresJournal, SqliteJournal};
use ledger_store::projection::Target;
use tempfile::TempDir;

use super::setup::{self, LIVE, lived_in_commits_of, mode, server, shell};
use super::{IN_A_ROW, STEPS};

/// A store of one ledger.
pub struct Store {
    pub target: Target,
    // Its folder goes when it does.
    _folder: TempDir,
}

impl Store {
    /// The story in an SQLite file and in a PostgreSQL database.
    pub fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    pub fn sqlite() -> Self {
        Self::written(Self::empty_sqlite())
    }

    pub fn postgres() -> Self {
        Self::written(Self::empty_postgres())
    }

    pub fn empty_sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        Self { target, _folder: folder }
    }

    pub fn empty_postgres() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Postgres(server::database().parse().unwrap());
        Self { target, _folder: folder }
    }

    fn written(store: Self) -> Self {
        let (_, commits) = lived_in_commits_of(IN_A_ROW, STEPS);
        setup::write(&mut *store.open(mode()).unwrap(), &commits);
        store
    }

    pub fn open(&self, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        self.ledger(LIVE, mode)
    }

    pub fn ledger(&self, name: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(match &self.target {
            Target::Sqlite(path) => Box::new(SqliteJournal::open(path, name, mode)?),
            Target::Postgres(server) => Box::new(PostgresJournal::open(server, name, mode)?),
            Target::Memory(_) => panic!("an outbox in memory is no store"),
        })
    }

    pub fn reader(&self) -> Box<dyn Journal> {
        self.open(OpenMode::ReadOnly).unwrap()
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self.target, Target::Sqlite(_))
    }

    /// Runs `sql` as someone would who leaves no trigger of SQLite in the way and none missing.
    pub fn tamper(&self, sql: &str) {
        let mut triggers = Vec::new();
        if self.is_sqlite() {
            let all = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";
            triggers = shell::query(&self.target, all);
            for trigger in &triggers {
                shell::execute(&self.target, &format!("DROP TRIGGER {}", trigger[0]));
            }
        }
        shell::execute(&self.target, sql);
        // The one that guards a column goes with it.
        let column = sql.split_once("DROP COLUMN ").map(|(_, column)| column);
        let stands = |text: &str| column.is_none_or(|column| !text.contains(column));
        for trigger in triggers.iter().filter(|trigger| stands(&trigger[1])) {
            shell::execute(&self.target, &trigger[1]);
        }
    }
}
