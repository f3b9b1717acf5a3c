//! What the reading commands share: which store, at which moment, whose account, which subaccount.

use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::{Environment, Views};
use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::{Archive as _, Ledger};
use ledger_core::time::Instant;
use ledger_store::archive::JournalArchive;
use ledger_store::moment::Moment;
use ledger_store::projection::Target;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::vault::Vault;
use ledger_store::{Journal, OpenMode};

use crate::Failure;
use crate::store::{self, Store, StoreFirst, StoreOption};

/// How many accounts are named where another one is asked for.
const FEW: usize = 8;

/// Which ledger, and as it stood when.
#[derive(Args)]
pub struct Opening {
    #[command(flatten)]
    store: StoreFirst,
    #[command(flatten)]
    of: Of,
}

/// Which ledger of a store, and as it stood when.
#[derive(Args)]
struct Of {
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The ledger as it stood after so many records, at the end of a day in Brasília (2026-11-20)
    /// or at an RFC 3339 instant: after the last record decided by then. Absent: as it stands.
    #[arg(long, value_name = "RECORD|DAY|INSTANT")]
    at: Option<Moment>,
    /// The folder of the snapshots that shorten it; absent: beside the store's file.
    #[arg(long, value_name = "DIR")]
    snapshots: Option<PathBuf>,
}

/// An account of a ledger, and as it stood when.
#[derive(Args)]
pub struct Reading {
    /// The API account's name; the store may stand before it.
    #[arg(value_name = "ACCOUNT", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    store: StoreOption,
    /// The subaccount; absent: the house.
    #[arg(long)]
    pub customer: Option<String>,
    #[command(flatten)]
    of: Of,
    /// Prints the contract's JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

impl Opening {
    /// Opens the ledger without taking the writer's place, and gives its name.
    pub fn open(&self) -> Result<(Sequencer, &'static str), Failure> {
        self.of.open(self.store.name())
    }
}

impl Of {
    fn environment(&self) -> Result<Environment, Failure> {
        store::environment(&self.environment)
    }

    /// Opens the ledger as it stands or stood; a snapshot shortens it.
    fn open(&self, store: &str) -> Result<(Sequencer, &'static str), Failure> {
        let environment = self.environment()?;
        let store = Store::parse(store)?;
        let snapshots = store.snapshots_in(self.snapshots.as_deref());
        Ok((sequencer(&store, environment, self.at, snapshots)?, environment.name()))
    }
}

impl Reading {
    /// The API account's name.
    pub fn account(&self) -> Result<&str, Failure> {
        Ok(self.store.before_account(&self.words)?.1)
    }

    fn store(&self) -> Result<&str, Failure> {
        Ok(self.store.before_account(&self.words)?.0)
    }

    /// The ledger's journal and name; the writer's place is not taken.
    pub fn journal(&self) -> Result<(Box<dyn Journal>, &'static str), Failure> {
        let environment = self.of.environment()?;
        let journal = Store::parse(self.store()?)?.open(environment, OpenMode::ReadOnly)?;
        Ok((journal, environment.name()))
    }

    /// Where the ledger's tables are, unless they are said to be elsewhere.
    pub fn target(&self, elsewhere: Option<&str>) -> Result<Target, Failure> {
        Store::target_of(elsewhere.map_or_else(|| self.store(), Ok)?)
    }

    /// Tells whether the ledger is asked for as it stood, and not as it stands.
    pub fn is_of_a_moment(&self) -> bool {
        self.of.at.is_some()
    }

    /// Opens the ledger without taking the writer's place, and finds the account.
    ///
    /// A snapshot shortens it.
    pub fn open(&self) -> Result<(Sequencer, AccountId), Failure> {
        let (store, named) = self.store.before_account(&self.words)?;
        let (sequencer, name) = self.of.open(store)?;
        let Some(account) = sequencer.ledger().state.account_named(named) else {
            let hint = match self.of.at {
                Some(_) => " at that moment".to_owned(),
                None => self.account_hint(&sequencer, store, named),
            };
            return Err(Failure::new(format!("no {name} account is named {named}{hint}")));
        };
        Ok((sequencer, account))
    }

    /// Where an account of a name is, or else which accounts there are, if they are few.
    fn account_hint(&self, sequencer: &Sequencer, store: &str, named: &str) -> String {
        let other = Environment::ALL.into_iter().find(|it| it.name() != self.of.environment);
        let elsewhere = other.filter(|other| {
            let (environment, snapshots) = (other.name().to_owned(), self.of.snapshots.clone());
            let of = Of { environment, at: None, snapshots };
            let opened = of.open(store).ok();
            opened.is_some_and(|(it, _)| it.ledger().state.account_named(named).is_some())
        });
        if let Some(other) = elsewhere {
            return format!(": --environment {} has one", other.name());
        }
        let accounts = sequencer.ledger().state.accounts();
        let all: Vec<_> = accounts.map(|(_, account)| account.name.to_string()).collect();
        match all.len() {
            0 => ": it has no account".to_owned(),
            1..=FEW => format!(": it has {}", all.join(", ")),
            count => format!(": it has {count} others"),
        }
    }

    /// The instant that views are of: that of the last record, or the later one that was asked for.
    pub fn as_of(&self, sequencer: &Sequencer) -> Instant {
        let now = sequencer.ledger().state.now;
        match self.of.at {
            Some(Moment::Instant(at)) => at.max(now),
            Some(Moment::Records(_)) | None => now,
        }
    }
}

/// The operations that accounts created under this external id.
pub fn operations_created_as(sequencer: &Sequencer, external_id: &str) -> Vec<OpId> {
    let Ledger { state, archive, .. } = sequencer.ledger();
    let created = state.accounts().flat_map(|(account, _)| {
        Kind::all().filter_map(move |kind| archive.identity(account, kind, external_id))
    });
    created.collect()
}

/// A ledger as it stands, or stood at a moment, without taking the writer's place; a snapshot
/// shortens it where there is one.
pub fn sequencer(
    store: &Store,
    environment: Environment,
    at: Option<Moment>,
    snapshots: Option<Snapshots>,
) -> Result<Sequencer, Failure> {
    let (mut journal, name) = (store.open(environment, OpenMode::ReadOnly)?, environment.name());
    Ok(match (at, snapshots) {
        (Some(at), snapshots) => {
            Sequencer::open_at(&mut *journal, name, snapshots.as_ref(), at, |_, _| ())?
        }
        (None, Some(snapshots)) => {
            Sequencer::open_with(&mut *journal, name, &snapshots, |_, _| ())?.0
        }
        (None, None) => Sequencer::open(&mut *journal, name, |_, _| ())?,
    })
}

/// Returns what views are computed from.
pub fn views(sequencer: &Sequencer) -> Views<'_, JournalArchive, Vault> {
    let ledger = sequencer.ledger();
    Views { state: &ledger.state, archive: &ledger.archive, vault: sequencer.vault() }
}
