//! One of several ledgers of real money, as it is said on the command line: `NAME=STORE`.

use std::collections::HashSet;

use ledger_cells::directory::DIRECTORY;
use ledger_core::id::Environment;

use crate::Failure;
use crate::store::Store;

/// A ledger of real money, one of several.
pub(super) struct Cell {
    name: String,
    /// What its store is called on the command line.
    at: String,
}

impl Cell {
    /// Reads a cell of the form `NAME=STORE`.
    fn read(text: &str) -> Result<Self, Failure> {
        // What is no such pair may be a store's URL, with a password.
        let (name, at) = text
            .split_once('=')
            .ok_or_else(|| Failure::new("the settings: a cell is said as NAME=STORE"))?;
        let wrong = |what: &str| Failure::new(format!("the settings: cell {name}: {what}"));
        let named = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        if !named || name.contains('/') {
            return Err(wrong("a name has visible characters, and no slash"));
        }
        if name == DIRECTORY || name == Environment::Sandbox.name() {
            return Err(wrong("no cell may have that name"));
        }
        if at.is_empty() {
            return Err(wrong("say where it is kept"));
        }
        Ok(Self { name: name.to_owned(), at: at.to_owned() })
    }

    /// Every cell that is to be served; each has a name of its own.
    pub(super) fn all(texts: &[String]) -> Result<Vec<Self>, Failure> {
        let cells: Vec<Self> =
            texts.iter().map(|text| Self::read(text)).collect::<Result<_, _>>()?;
        let mut names = HashSet::new();
        match cells.iter().find(|cell| !names.insert(&*cell.name)) {
            Some(twice) => Err(Failure::new(format!(
                "the settings: two cells are named {}: ids are derived from names, so each has \
                 its own",
                twice.name
            ))),
            None => Ok(cells),
        }
    }

    /// As it is said, and no password shows.
    pub(super) fn redacted_text(&self) -> Result<String, Failure> {
        Ok(format!("{}={}", self.name, Store::parse(&self.at)?))
    }

    /// The name of the ledger.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns what its store is called.
    pub(super) fn store(&self) -> &str {
        &self.at
    }
}
