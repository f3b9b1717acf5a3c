//! `audit`: proves a store's ledgers, or names the first record at fault of each.

mod directory;
mod follow;
mod invariants;
pub mod page;
mod pieces;
mod sample;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use ledger_cells::directory::DIRECTORY;
use ledger_core::contract::Environment;
use ledger_core::ledger::invariants::Invariant;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_store::audit::{Expect, Finding, audit_tables};
use ledger_store::heads::{self, KeptHead};
use ledger_store::invariant_audit::audit_invariants;
use ledger_store::projection::Target;
use ledger_store::survey::{Survey, survey};
use ledger_store::{Head, Journal, OpenError, OpenMode};

use super::proof::trees::Trees;
use crate::Failure;
use crate::checkpoints::is_of;
use crate::loss;
use crate::store::{self, Store, StoreFirst};
use follow::FollowOptions;
use invariants::Form;
pub use page::Language;
use page::{Audited, HeadingOptions};
use pieces::{InPieces, PieceOptions};
use sample::{Drawing, SampleOptions};

#[derive(Args)]
#[command(group(ArgGroup::new("one by one").args(["invariants", "list_invariants"])))]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// Only this ledger: live or sandbox.
    #[arg(long)]
    environment: Option<String>,
    /// Only the ledger of this name: one that a library or a simulation keeps in the store.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["environment", "sample", "follow"])]
    ledger: Option<String>,
    /// A head kept elsewhere, RECORD:LINK, which proves that no tail was cut; with --environment.
    #[arg(long, requires = "environment")]
    head: Option<String>,
    /// The heads kept elsewhere by `run --heads FILE`: every line of it is proved.
    #[arg(long, value_name = "FILE")]
    heads: Option<PathBuf>,
    /// The checkpoints that `run` and `serve` wrote: every one of them is proved.
    #[arg(long, value_name = "FILE", conflicts_with = "invariants")]
    checkpoints: Option<PathBuf>,
    /// The folder of the trees over the records; for a file: beside it.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
    /// Where else tables are that `project` filled; those with the ledgers are proved in any case.
    #[arg(long, value_name = "STORE")]
    tables: Option<String>,
    /// Only this invariant, by its id; may be given again. The journal is replayed, and of each it
    /// is said whether it held throughout, or after which record it did not.
    #[arg(long = "invariant", value_name = "ID", value_parser = invariants::by_id,
        conflicts_with_all = ["head", "heads", "tables"])]
    invariants: Vec<&'static Invariant>,
    /// Lists the invariants that can be checked, each with its id, and audits nothing.
    #[arg(long, conflicts_with_all = ["head", "heads", "tables", "environment"])]
    list_invariants: bool,
    /// Prints a JSON object a line: each ledger's report, or with --invariant or --list-invariants
    /// each of these.
    #[arg(long)]
    json: bool,
    /// Writes the report as one page of HTML, with the figures that --json prints; a ledger at
    /// fault leaves the file as it was.
    #[arg(long, value_name = "FILE", conflicts_with = "one by one")]
    html: Option<PathBuf>,
    /// The language of that page.
    #[arg(long, value_name = "LANGUAGE", default_value = "pt", requires = "html")]
    lang: Language,
    #[command(flatten)]
    heading: HeadingOptions,
    #[command(flatten)]
    pieces: PieceOptions,
    #[command(flatten)]
    sample: SampleOptions,
    #[command(flatten)]
    follow: FollowOptions,
}

impl Options {
    const fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

/// What is audited against what.
struct Audit {
    store: Store,
    tables: Vec<Target>,
    kept: Vec<KeptHead>,
    trees: Trees,
    pieces: InPieces,
    /// The invariants checked instead of everything; none for everything.
    invariants: Vec<&'static Invariant>,
    form: Form,
    /// The names of the ledgers that were audited.
    audited: Vec<String>,
    /// What the page and JSON show.
    reports: Vec<Audited>,
    /// What is wrong, in the order found: one fault hides no other.
    wrong: Vec<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if options.list_invariants {
        return invariants::list(options.form());
    }
    let store = Store::parse(options.store.name())?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    if !options.pieces.keys.is_empty() && !options.pieces.begins() && !options.sample.is_asked() {
        return Err(Failure::new("--key is for --from, or for --sample"));
    }
    if options.sample.is_asked() {
        let (checkpoints, trees) = (options.checkpoints.as_deref(), options.trees.as_deref());
        let (keys, form) = (&*options.pieces.keys, options.form());
        let of = Drawing { store: &store, checkpoints, trees, keys, form };
        return options.sample.run(&of, only);
    }
    let mut tables = Vec::from_iter(store.target());
    if let Some(elsewhere) = &options.tables {
        tables.push(Store::target_of(elsewhere)?);
    }
    if options.follow.follow {
        return options.follow.run(&store, &tables, (only, options.form()));
    }
    let mut kept = options.heads.as_deref().map_or_else(|| Ok(Vec::new()), kept_in)?;
    if let (Some(text), Some(environment)) = (&options.head, only) {
        kept.push(KeptHead {
            ledger: environment.name().to_owned(),
            head: loss::head("--head", text)?,
        });
    }
    let named = options.ledger.as_deref().or(only.map(Environment::name));
    kept.retain(|kept| named.is_none_or(|name| name == kept.ledger));
    let mut audit = Audit {
        store,
        tables,
        kept,
        trees: Trees::new(options.trees.as_deref(), options.checkpoints.as_deref(), named)?,
        pieces: options.pieces.read()?,
        invariants: invariants::in_order(&options.invariants),
        form: options.form(),
        audited: Vec::new(),
        reports: Vec::new(),
        wrong: Vec::new(),
    };
    if let Some(name) = &options.ledger {
        audit.ledger(name, true, |store| store.open_named(name, OpenMode::ReadOnly))?;
    }
    for environment in Environment::ALL.into_iter().filter(|_| options.ledger.is_none()) {
        if only.is_none_or(|only| only == environment) {
            let open = |store: &Store| store.open(environment, OpenMode::ReadOnly);
            audit.ledger(environment.name(), only.is_some(), open)?;
        }
    }
    if named.is_none() && audit.invariants.is_empty() {
        audit.directory()?;
    }
    if audit.invariants.is_empty()
        && let Err(Failure { lines, .. }) = audit.whatever_else_is_there()
    {
        // A damaged file may not be surveyed; what was found in it before is said all the same.
        audit.wrong.extend(lines);
    }
    if !audit.wrong.is_empty() {
        return Err(Failure::from_lines(audit.wrong));
    }
    if audit.audited.is_empty() {
        return Err(Failure::new(format!("{} holds no ledger", options.store.name())));
    }
    if let Some(path) = &options.html {
        page::write(path, &audit.reports, &options.heading, options.lang)?;
    }
    Ok(())
}

impl Audit {
    /// Audits one ledger and its tables.
    fn ledger(
        &mut self,
        name: &str,
        asked_for: bool,
        open: impl FnOnce(&Store) -> Result<Box<dyn Journal>, OpenError>,
    ) -> Result<(), Failure> {
        let mut journal = match open(&self.store) {
            Ok(journal) => journal,
            // What else there is says whether it was renamed.
            Err(OpenError::LedgerUnknown { .. }) if !asked_for => return Ok(()),
            Err(error @ OpenError::LedgerUnknown { .. }) => {
                self.wrong.extend(Failure::from(error).lines);
                return Ok(());
            }
            Err(error @ OpenError::VaultKeyChanged { .. }) => {
                self.audited.push(name.to_owned());
                self.not_verified(Failure::from(error), name);
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        self.audited.push(name.to_owned());
        if !self.invariants.is_empty() {
            return self.check_invariants(&mut *journal, name);
        }
        match self.prove_records(&mut *journal, name) {
            Ok(()) => Ok(()),
            Err(Proof::Finding(finding)) => {
                self.not_verified(Failure::from_finding(*finding, name), name);
                Ok(())
            }
            Err(Proof::Wrong(failure)) => {
                self.not_verified(failure, name);
                Ok(())
            }
            Err(Proof::Failure(failure)) => Err(failure),
        }
    }

    fn prove_records(&mut self, journal: &mut dyn Journal, name: &str) -> Result<(), Proof> {
        let mine = self.kept.iter().filter(|kept| kept.ledger == name);
        let heads: Vec<Head> = mine.map(|kept| kept.head).collect();
        let is_empty = heads.is_empty() && journal.head().map_err(Finding::from)?.seq == 0;
        let report = self.pieces.audit(journal, name, Expect { heads })?;
        if is_empty {
            self.say(&format!("Ledger {name}: empty\n"))?;
        } else {
            self.say(&report.to_string())?;
        }
        let mut beside = Vec::new();
        if self.pieces.is_from_a_state() {
            beside.push(format!(
                "Tables and tree of {name}: not proved, since they are of every record"
            ));
        }
        let from_the_first = !self.pieces.is_from_a_state();
        for target in self.tables.iter().filter(|_| from_the_first) {
            if let Some(proved) = audit_tables(journal, name, target)? {
                let (rows, seq) = (proved.rows, proved.head.seq);
                let head = journal.head().map_err(Finding::from)?.seq;
                beside.push(format!(
                    "Tables of {name}: {rows} rows, equal to the journal at record {seq} of {head}"
                ));
            }
        }
        if from_the_first {
            beside.extend(self.trees.prove(&self.store, journal, name).map_err(Proof::Wrong)?);
        }
        for line in &beside {
            self.say(&format!("{line}\n"))?;
        }
        let audited = Audited { report, beside };
        if self.form == Form::Json {
            writeln!(std::io::stdout(), "{}", audited.json())?;
        }
        self.reports.push(audited);
        Ok(())
    }

    /// Says something where people read; JSON has it in its object.
    fn say(&self, text: &str) -> std::io::Result<()> {
        match self.form {
            Form::Text => writeln!(std::io::stdout(), "{text}"),
            Form::Json => Ok(()),
        }
    }

    /// Checks the invariants asked for, and no more.
    fn check_invariants(&mut self, journal: &mut dyn Journal, name: &str) -> Result<(), Failure> {
        let checked = match audit_invariants(journal, name, &self.invariants, progress) {
            Ok(checked) => checked,
            Err(finding) => {
                self.not_verified(Failure::from_finding(finding, name), name);
                return Ok(());
            }
        };
        invariants::show(name, &checked, self.form)?;
        let found = checked.findings().map(|finding| Failure::from_finding(finding, name).lines);
        let lines: Vec<String> = found.flatten().collect();
        if !lines.is_empty() {
            self.not_verified(Failure::from_lines(lines), name);
        }
        Ok(())
    }

    fn not_verified(&mut self, failure: Failure, name: &str) {
        self.wrong.extend(failure.lines);
        self.wrong.push(format!("Ledger {name}: NOT verified"));
    }

    /// Ledgers under other names, rows of no ledger, heads and checkpoints of a ledger that is not
    /// there.
    fn whatever_else_is_there(&mut self) -> Result<(), Failure> {
        let Some(store) = self.store.target() else { return Ok(()) };
        let Survey { ledgers, unowned } = survey(&store, &self.tables)?;
        let known = |name: &str| {
            Environment::ALL.iter().any(|known| known.name() == name)
                || name == DIRECTORY
                || self.audited.iter().any(|audited| audited == name)
        };
        let mut wrong = Vec::new();
        for ledger in ledgers.iter().filter(|ledger| !known(&ledger.name)) {
            let name = &ledger.name;
            wrong.push(format!(
                "custody-ledger: ledger {name} is neither live nor sandbox: it was renamed, or is \
                 not of this program, and is not audited"
            ));
        }
        self.wrong.append(&mut wrong);
        let unowned = unowned.iter().map(|unowned| format!("custody-ledger: {unowned}"));
        self.wrong.extend(unowned);
        let there = |kept: &&KeptHead| ledgers.iter().any(|ledger| ledger.name == kept.ledger);
        if let Some(lost) = self.kept.iter().find(|kept| !there(kept)) {
            let KeptHead { ledger, head } = lost;
            self.wrong.push(format!(
                "custody-ledger: a head at record {} of ledger {ledger} was kept, and there is no \
                 such ledger",
                head.seq
            ));
        }
        let there = |origin: &str| ledgers.iter().any(|ledger| is_of(origin, &ledger.name));
        if let Some(Checkpoint { origin, size, .. }) = self.trees.first_missing(there) {
            self.wrong.push(format!(
                "custody-ledger: {origin} signed a checkpoint at record {size}, and there is no such \
                 ledger"
            ));
        }
        Ok(())
    }
}

/// Why a proof ended: the ledger is at fault, or something else is.
enum Proof {
    Finding(Box<Finding>),
    /// What is kept beside the ledger is not its.
    Wrong(Failure),
    Failure(Failure),
}

impl From<Finding> for Proof {
    fn from(finding: Finding) -> Self {
        Self::Finding(Box::new(finding))
    }
}

impl From<std::io::Error> for Proof {
    fn from(error: std::io::Error) -> Self {
        Self::Failure(error.into())
    }
}

/// The heads of a file.
fn kept_in(path: &std::path::Path) -> Result<Vec<KeptHead>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    heads::parse(&text).map_err(|error| Failure::of_file(path, &error))
}

impl Failure {
    fn from_finding(finding: Finding, name: &str) -> Self {
        let place = finding.seq().map(|seq| format!("broken at record {seq} of ledger {name}"));
        let mut failure = Self::from(finding);
        if let Some(place) = place {
            failure.lines.insert(0, format!("custody-ledger: {place}"));
        }
        failure
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
