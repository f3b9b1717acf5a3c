//! What the reading commands share: which store, whose account, which subaccount.

use clap::Args;
use ledger_core::contract::Views;
use ledger_core::id::AccountId;
use ledger_store::archive::JournalArchive;
use ledger_store::projection::Target;
use ledger_store::sequencer::Sequencer;
use ledger_store::vault::Vault;
use ledger_store::{Journal, OpenMode};

use crate::Failure;
use crate::store::{self, Store};

#[derive(Args)]
pub struct Reading {
    /// Where the ledgers are kept: PATH, sqlite:PATH or postgres://...
    store: String,
    /// The API account's name.
    pub account: String,
    /// The subaccount; absent: the house.
    #[arg(long)]
    pub customer: Option<String>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Prints the contract's JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

impl Reading {
    /// The ledger's journal and name; the writer's place is not taken.
    pub fn journal(&self) -> Result<(Box<dyn Journal>, &'static str), Failure> {
        let environment = store::environment(&self.environment)?;
        let journal = Store::parse(&self.store)?.open(environment, OpenMode::ReadOnly)?;
        Ok((journal, environment.name()))
    }

    /// Where the ledger's tables are, unless they are said to be elsewhere.
    pub fn target(&self, elsewhere: Option<&str>) -> Result<Target, Failure> {
        Store::target_of(elsewhere.unwrap_or(&self.store))
    }

    /// Opens the ledger without taking the writer's place, and finds the account.
    ///
    /// A snapshot beside the store's file shortens it.
    pub fn open(&self) -> Result<(Sequencer, AccountId), Failure> {
        let (mut journal, name) = self.journal()?;
        let sequencer = match Store::parse(&self.store)?.snapshots() {
            Some(snapshots) => Sequencer::open_with(&mut *journal, name, &snapshots, |_, _| ())?.0,
            None => Sequencer::open(&mut *journal, name, |_, _| ())?,
        };
        let account = sequencer.ledger().state.account_named(&self.account);
        let account = account
            .ok_or_else(|| Failure::new(format!("no {name} account is named {}", self.account)))?;
        Ok((sequencer, account))
    }
}

/// What views are computed from.
pub fn views(sequencer: &Sequencer) -> Views<'_, JournalArchive, Vault> {
    let ledger = sequencer.ledger();
    Views { state: &ledger.state, archive: &ledger.archive, vault: sequencer.vault() }
}
