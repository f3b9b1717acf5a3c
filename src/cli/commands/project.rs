//! `project`: fills SQL tables with what the ledgers of a store know, and keeps them filled.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::projection::{Projected, Projector, Target};
use ledger_store::{Journal, OpenError, OpenMode};

use crate::Failure;
use crate::store::{self, Store, StoreFirst};

/// How often `--follow` looks for what was appended.
const EVERY: Duration = Duration::from_millis(50);

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// Where the tables are; absent: with the ledgers.
    #[arg(long, value_name = "STORE")]
    into: Option<String>,
    /// Empties the tables first, and makes them anew; what was acknowledged stays acknowledged.
    #[arg(long)]
    rebuild: bool,
    /// Goes on projecting what is appended, until it is stopped.
    #[arg(long)]
    follow: bool,
    /// Only this ledger: live or sandbox.
    #[arg(long)]
    environment: Option<String>,
}

/// Where the tables are.
struct TableTarget {
    target: Target,
    /// What it is called, where it is not the ledgers' own store.
    elsewhere: Option<String>,
}

impl TableTarget {
    fn from_options(options: &Options, store: &Store) -> Result<Self, Failure> {
        let own = store.target();
        let Some(into) = &options.into else {
            let target = own.ok_or_else(|| {
                Failure::new(format!(
                    "{store} keeps no tables: name a file or a database for them by --into"
                ))
            })?;
            return Ok(Self { target, elsewhere: None });
        };
        let target = Store::target_of(into)?;
        let is_own = own.is_some_and(|own| own.is_same_place(&target));
        // As messages name it: never with a password.
        let elsewhere = if is_own { None } else { Some(Store::parse(into)?.to_string()) };
        Ok(Self { target, elsewhere })
    }

    /// A store has tables of its own ledgers and of no other's: whoever reads them there would take
    /// them for what its own journal says.
    fn is_free_for(&self, environment: Environment) -> Result<(), Failure> {
        let Some(elsewhere) = &self.elsewhere else { return Ok(()) };
        let name = environment.name();
        if self.target.holds_ledger(name)? {
            return Err(Failure::new(format!(
                "{elsewhere} holds a journal of a ledger {name} itself, and its tables are made of \
                 that one: project into another database"
            )));
        }
        Ok(())
    }
}

/// A ledger whose tables are being filled.
struct Filling {
    name: &'static str,
    journal: Box<dyn Journal>,
    projector: Projector,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(options.store.name())?;
    let place = TableTarget::from_options(options, &store)?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    let mut all = Vec::new();
    for environment in Environment::ALL {
        if only.is_some_and(|only| only != environment) {
            continue;
        }
        match store.open(environment, OpenMode::ReadOnly) {
            Ok(journal) => {
                place.is_free_for(environment)?;
                all.push(fill(environment, journal, &place.target, options.rebuild)?);
            }
            Err(OpenError::LedgerUnknown { .. }) if only.is_none() => {}
            Err(error) => return Err(error.into()),
        }
    }
    if all.is_empty() {
        return Err(Failure::new(format!("{} holds no ledger", options.store.name())));
    }
    if options.follow { follow(&mut all) } else { Ok(()) }
}

/// Projects what is appended until somebody stops the program, or a medium fails.
fn follow(all: &mut [Filling]) -> Result<(), Failure> {
    loop {
        for filling in &mut *all {
            let done = filling.projector.catch_up(&mut *filling.journal)?;
            if done.records > 0 {
                filling.print(done)?;
            }
        }
        std::thread::sleep(EVERY);
    }
}

fn fill(
    environment: Environment,
    mut journal: Box<dyn Journal>,
    target: &Target,
    rebuild: bool,
) -> Result<Filling, Failure> {
    let name = environment.name();
    let make = if rebuild { Projector::rebuild } else { Projector::open };
    let projector = make(&mut *journal, name, target)?;
    let filling = Filling { name, journal, projector };
    filling.print(filling.projector.totals())?;
    Ok(filling)
}

impl Filling {
    fn print(&self, done: Projected) -> Result<(), Failure> {
        let Projected { records, rows } = done;
        let at = self.projector.at();
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{}: {records} records projected, {rows} rows written; at record {}, link {}",
            self.name, at.seq, at.link
        )?;
        Ok(out.flush()?)
    }
}
