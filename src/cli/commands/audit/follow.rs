//! `audit --follow`: a running ledger, audited as it grows.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::audit::{Finding, FollowingAudit};
use ledger_store::projection::Target;
use ledger_store::{OpenError, OpenMode};
use serde_json::json;

use super::invariants::Form;
use super::progress;
use crate::Failure;
use crate::run::ending::Stop;
use crate::store::Store;

/// How often it is looked for what was appended.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Args)]
pub struct FollowOptions {
    /// Follows a running ledger: replays and checks each commit as it comes, holds vault, tables
    /// and outbox against it now and then, and ends at the first fault, or at a signal.
    #[arg(long, conflicts_with_all = ["one by one", "head", "heads", "checkpoints", "trees", "html"])]
    pub follow: bool,
    /// How often vault, tables and outbox are held against the journal, and a line is printed.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "follow")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

/// What is followed.
pub struct Followed<'a> {
    store: &'a Store,
    tables: &'a [Target],
    form: Form,
    /// The audits of the ledgers that are there, by their names.
    audits: BTreeMap<&'static str, FollowingAudit>,
    /// How many records came since a line was printed.
    new: BTreeMap<&'static str, u64>,
}

impl FollowOptions {
    /// Follows until a signal, and then says what was proved.
    pub fn run(
        &self,
        store: &Store,
        tables: &[Target],
        (only, form): (Option<Environment>, Form),
    ) -> Result<(), Failure> {
        let stop = Stop::listen()?;
        let (audits, new) = (BTreeMap::new(), BTreeMap::new());
        let mut followed = Followed { store, tables, form, audits, new };
        let every = Duration::from_secs(self.every);
        let mut due = Instant::now();
        while stop.signal().is_none() {
            followed.catch_up(only)?;
            if due <= Instant::now() {
                followed.hold()?;
                due = Instant::now() + every;
            }
            std::thread::sleep(LOOK);
        }
        followed.catch_up(only)?;
        followed.hold()?;
        followed.finish()
    }
}

impl Followed<'_> {
    /// Audits what was appended; a ledger that is made meanwhile is followed from then on.
    fn catch_up(&mut self, only: Option<Environment>) -> Result<(), Failure> {
        for environment in Environment::ALL {
            let name = environment.name();
            if only.is_some_and(|only| only != environment) {
                continue;
            }
            if !self.audits.contains_key(name) {
                match self.store.open(environment, OpenMode::ReadOnly) {
                    Err(OpenError::LedgerUnknown { .. }) => continue,
                    Err(error) => return Err(error.into()),
                    Ok(journal) => {
                        let audit =
                            FollowingAudit::open(journal, name).map_err(|it| wrong(it, name))?;
                        self.audits.insert(name, audit);
                    }
                }
            }
            let audit = self.audits.get_mut(name).expect("it was put there");
            let records = audit.catch_up(progress).map_err(|it| wrong(it, name))?;
            *self.new.entry(name).or_default() += records;
        }
        Ok(())
    }

    /// Holds what stands beside each journal against it, and says how far it is.
    fn hold(&mut self) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        for (name, audit) in &mut self.audits {
            let head = audit.head();
            let values = audit.hold_vault().map_err(|it| wrong(it, name))?;
            let mut tables = Vec::new();
            for target in self.tables {
                tables.extend(audit.hold_tables(target).map_err(|it| wrong(it, name))?);
            }
            let new = self.new.insert(name, 0).unwrap_or_default();
            match self.form {
                Form::Text => {
                    write!(
                        out,
                        "{name}: record {}, {new} new, verified; {values} values",
                        head.seq
                    )?;
                    for proved in &tables {
                        let (rows, seq) = (proved.rows, proved.head.seq);
                        write!(out, "; {rows} rows of tables, equal at record {seq}")?;
                    }
                    writeln!(out, "; link {}", head.link)?;
                }
                Form::Json => {
                    let tables: Vec<_> = tables
                        .iter()
                        .map(|it| json!({ "rows": it.rows, "record": it.head.seq }))
                        .collect();
                    let hash = head.link.to_string();
                    let line = json!({ "ledger": name, "record": head.seq, "link": hash,
                        "new": new, "values": values, "tables": tables });
                    writeln!(out, "{line}")?;
                }
            }
        }
        Ok(out.flush()?)
    }

    /// The summary: each ledger's report, as an audit gives it.
    fn finish(self) -> Result<(), Failure> {
        if self.audits.is_empty() {
            return Err(Failure::new(format!("{} holds no ledger", self.store)));
        }
        let mut out = std::io::stdout().lock();
        for (name, audit) in self.audits {
            let is_empty = audit.head().seq == 0;
            let report = audit.finish().map_err(|it| wrong(it, name))?;
            match self.form {
                Form::Text if is_empty => writeln!(out, "Ledger {name}: empty\n")?,
                Form::Text => writeln!(out, "{report}")?,
                Form::Json => {
                    let sheet = report.sheet().expect("an audit closes its report");
                    writeln!(out, "{}", sheet.json())?;
                }
            }
        }
        Ok(())
    }
}

/// Returns what ends it: named as an audit names it.
fn wrong(finding: Finding, name: &str) -> Failure {
    let mut failure = Failure::from_finding(finding, name);
    failure.lines.push(format!("Ledger {name}: NOT verified"));
    failure
}
