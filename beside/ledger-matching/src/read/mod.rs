//! Readers of statements: a file of each source becomes a [`Statement`](crate::Statement).

pub mod chain;
pub mod columns;
pub mod exchange;
mod position;
pub mod provider;

use std::collections::HashMap;
use std::sync::Arc;

use crate::movement::{Account, Source};

/// The accounts that a file names, each once.
struct Accounts {
    source: Source,
    network: Box<str>,
    known: HashMap<Box<str>, Arc<Account>>,
}

impl Accounts {
    fn new(source: Source, network: &str) -> Self {
        Self { source, network: network.into(), known: HashMap::new() }
    }

    fn account(&mut self, asset: Box<str>) -> Arc<Account> {
        let made = Account { source: self.source, network: self.network.clone(), asset };
        let key = made.asset.clone();
        Arc::clone(self.known.entry(key).or_insert_with(|| Arc::new(made)))
    }
}
