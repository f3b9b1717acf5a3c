//! Files of statements, with the columns and rules that they are read by.

use std::path::{Path, PathBuf};

use clap::Args;
use ledger_matching::read::columns::Columns;
use ledger_matching::read::{chain, exchange, provider};
use ledger_matching::{FileError, Rules, Statement};

use crate::Failure;

#[derive(Args)]
pub struct StatementFiles {
    /// The provider's account: CSV by columns, or camt.053; may be repeated.
    #[arg(long, value_name = "FILE")]
    provider: Vec<PathBuf>,
    /// A network's transfers and balances, as JSON; may be repeated.
    #[arg(long, value_name = "FILE")]
    chain: Vec<PathBuf>,
    /// An exchange's statement, as CSV by columns; may be repeated.
    #[arg(long, value_name = "FILE")]
    exchange: Vec<PathBuf>,
    /// The TOML file that says which column of each CSV is what.
    #[arg(long, value_name = "FILE")]
    columns: Option<PathBuf>,
    /// The TOML file with the rules; absent: ids alone match.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

/// Reads the statement in these bytes, of a file of this name and number.
type ReadFile<'a> = &'a dyn Fn((&str, u32), &[u8]) -> Result<Statement, FileError>;

impl StatementFiles {
    /// The rules of the file; none but ids where there is no file.
    pub fn rules(&self) -> Result<Rules, Failure> {
        match &self.rules {
            None => Ok(Rules::default()),
            Some(path) => {
                Rules::parse(&name_of(path), &text_of(path)?).map_err(|error| failure(&error))
            }
        }
    }

    /// Reads every file, in the order of sources.
    pub fn read(&self, rules: &Rules) -> Result<Vec<Statement>, Failure> {
        let columns = match &self.columns {
            None => Columns::default(),
            Some(path) => {
                Columns::parse(&name_of(path), &text_of(path)?).map_err(|error| failure(&error))?
            }
        };
        let mut statements: Vec<Statement> = Vec::new();
        let mut add = |path: &Path, read: ReadFile<'_>| {
            let bytes = std::fs::read(path).map_err(|error| Failure::of_file(path, &error))?;
            let number = u32::try_from(statements.len()).unwrap_or(u32::MAX);
            let statement = read((&name_of(path), number), &bytes);
            statements.push(statement.map_err(|error| failure(&error))?);
            Ok::<(), Failure>(())
        };
        for path in &self.provider {
            let mapping = columns.provider.as_ref();
            add(path, &|name, bytes| provider::read(name, bytes, mapping, &rules.provider))?;
        }
        for path in &self.chain {
            add(path, &chain::read)?;
        }
        for path in &self.exchange {
            let Some(columns) = &columns.exchange else {
                return Err(Failure::new("--exchange needs [exchange] in the file of --columns"));
            };
            add(path, &|name, bytes| exchange::read(name, bytes, columns))?;
        }
        Ok(statements)
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn text_of(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))
}

pub(super) fn failure(error: &FileError) -> Failure {
    Failure::new(error.to_string())
}
