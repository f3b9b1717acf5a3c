//! `audit`: proves a store's ledgers, or names the first record at fault.

use std::io::{IsTerminal, Write};

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::audit::{Expect, Finding, audit, audit_tables};
use ledger_store::{Head, Journal, OpenError, OpenMode};

use crate::Failure;
use crate::store::{self, Store};

#[derive(Args)]
pub struct Options {
    /// Where the ledgers are kept: PATH, sqlite:PATH or postgres://...
    #[arg(default_value = "ledger.db")]
    store: String,
    /// Only this ledger: live or sandbox.
    #[arg(long)]
    environment: Option<String>,
    /// A head kept elsewhere, RECORD:LINK, which proves that no tail was cut; with --environment.
    #[arg(long, requires = "environment")]
    head: Option<String>,
    /// Where the tables are that `project` filled; absent: with the ledgers.
    #[arg(long, value_name = "STORE")]
    tables: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    let head = options.head.as_deref().map(head).transpose()?;
    let tables_in = match &options.tables {
        Some(tables) => Store::parse(tables)?,
        None => store.clone(),
    };
    let mut audited = 0;
    for environment in Environment::ALL {
        if only.is_some_and(|only| only != environment) {
            continue;
        }
        let mut journal = match store.open(environment, OpenMode::ReadOnly) {
            Ok(journal) => journal,
            Err(OpenError::LedgerUnknown { .. }) if only.is_none() => continue,
            Err(error) => return Err(error.into()),
        };
        let name = environment.name();
        audited += 1;
        if journal.head()?.seq == 0 && head.is_none() {
            writeln!(std::io::stdout(), "Ledger {name}: empty\n")?;
            continue;
        }
        let report = audit(&mut *journal, name, Expect { head }, progress);
        let report = report.map_err(|finding| Failure::not_verified(finding, name))?;
        writeln!(std::io::stdout(), "{report}")?;
        tables(&tables_in, &mut *journal, name)?;
    }
    if audited == 0 {
        return Err(Failure::new(format!("{} holds no ledger", options.store)));
    }
    Ok(())
}

/// Proves the tables of a ledger, where there are any.
fn tables(store: &Store, journal: &mut dyn Journal, name: &str) -> Result<(), Failure> {
    let Some(place) = store.place() else { return Ok(()) };
    let proved = audit_tables(journal, name, &place);
    let proved = proved.map_err(|finding| Failure::not_verified(finding, name))?;
    if let Some(proved) = proved {
        let (rows, seq, head) = (proved.rows, proved.head.seq, journal.head()?.seq);
        writeln!(
            std::io::stdout(),
            "Tables of {name}: {rows} rows, equal to the journal at record {seq} of {head}\n"
        )?;
    }
    Ok(())
}

impl Failure {
    fn not_verified(finding: Finding, name: &str) -> Self {
        let Self(mut lines) = Self::from_finding(finding, name);
        lines.push(format!("Ledger {name}: NOT verified"));
        Self(lines)
    }

    fn from_finding(finding: Finding, name: &str) -> Self {
        let place = finding.seq().map(|seq| format!("broken at record {seq} of ledger {name}"));
        let Self(mut lines) = Self::from(finding);
        if let Some(place) = place {
            lines.insert(0, format!("custody-ledger: {place}"));
        }
        Self(lines)
    }
}

/// Progress on long journals, where a person watches.
fn progress(record: u64) {
    if record.is_multiple_of(100_000) && std::io::stderr().is_terminal() {
        eprint!("\r{record} records");
        // A terminal that cannot be written to needs no progress.
        let _ = std::io::stderr().flush();
    }
}

fn head(text: &str) -> Result<Head, Failure> {
    let wrong = || Failure::new("--head must be RECORD:LINK, as a run or an audit prints them");
    let (seq, link) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse().map_err(|_| wrong())?;
    let link = link.parse().map_err(|_| wrong())?;
    Ok(Head { seq, link })
}
