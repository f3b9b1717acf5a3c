//! `reconcile`: a provider's list of PIX against the ledger, line by line, by `ledger_reconcile`.

mod show;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ledger_reconcile::{Compared, Faults, List, Mapping, Ours, Period, PeriodError, proposed_fact};
use ledger_store::OpenMode;

use crate::Failure;
use crate::store::{self, Store, StoreOption};
use crate::whole_file::fresh;

#[derive(Args)]
pub struct Options {
    /// The provider's list: CSV, or an account statement of ISO 20022 (camt.053).
    file: PathBuf,
    #[command(flatten)]
    store: StoreOption,
    /// The TOML file that says which column of a CSV is what.
    #[arg(long, value_name = "FILE")]
    columns: Option<PathBuf>,
    /// What the file is; absent: camt where it begins as XML does, else CSV.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The first day, in Brasília, YYYY-MM-DD; absent: the earliest of the file.
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// The last day; absent: the latest of the file.
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
    /// Prints everything as JSON instead of a table of what does not match.
    #[arg(long)]
    json: bool,
    /// Writes what only the provider knows as facts, JSON lines for `run`, to this new file.
    #[arg(long, value_name = "FILE")]
    propose: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns by names.
    Csv,
    /// ISO 20022 camt.053.
    Camt,
}

/// The most faults of a file that are named at once.
const FAULTS: usize = 20;

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let list = list(options)?;
    for fault in named_faults(&options.file, &list.unreadable, usize::MAX) {
        crate::say(&fault);
    }
    let period = period(options, &list)?;
    let mut journal = Store::parse(options.store.name())?.open(environment, OpenMode::ReadOnly)?;
    let ours = Ours::read(&mut *journal, environment.name())?;
    let compared = Compared::new(&list, &ours, &period);
    if let Some(path) = &options.propose {
        write_proposals(path, &compared, &ours, environment.name())?;
    }
    let shown = if options.json {
        format!("{:#}\n", compared.json(&list, &period, environment.name()))
    } else {
        show::text(&compared, &list, &period, environment.name())
    };
    write!(std::io::stdout(), "{shown}")?;
    verdict(compared.open(), list.unreadable.len(), compared.only_ours.len())
}

/// Fails where items do not match, or lines could not be read.
fn verdict(open: usize, unreadable: usize, only_ours: usize) -> Result<(), Failure> {
    let items = match open {
        0 => None,
        1 => Some("1 item does not match".to_owned()),
        open => Some(format!("{open} items do not match")),
    };
    let may_be = if only_ours > 0 { ", and may say what is only ours" } else { "" };
    let lines = match unreadable {
        0 => None,
        1 => Some(format!("1 line is not readable{may_be}")),
        lines => Some(format!("{lines} lines are not readable{may_be}")),
    };
    let said: Vec<_> = items.into_iter().chain(lines).collect();
    if said.is_empty() { Ok(()) } else { Err(Failure::new(said.join("; "))) }
}

/// Reads the file, or says why it is no list.
fn list(options: &Options) -> Result<List, Failure> {
    let path = &options.file;
    let named = |error: std::io::Error| Failure::of_file(path, &error);
    let bytes = std::fs::read(path).map_err(named)?;
    let start = bytes.iter().find(|byte| byte.is_ascii_graphic());
    let format = match (options.format, start) {
        (Some(format), _) => format,
        (None, Some(b'<')) => Format::Camt,
        (None, _) => Format::Csv,
    };
    let read = match (format, &options.columns) {
        (Format::Camt, None) => List::from_camt(&bytes),
        (Format::Csv, Some(columns)) => List::from_csv(&bytes, &mapping(columns)?),
        (Format::Camt, Some(_)) => {
            return Err(Failure::new("--columns is for CSV: a camt.053 says itself what is what"));
        }
        (Format::Csv, None) => {
            return Err(Failure::new(
                "--columns FILE says which column of a CSV is what: docs/reconcile.md has examples",
            ));
        }
    };
    read.map_err(|Faults(faults)| Failure::new(named_faults(path, &faults, FAULTS).join("\n")))
}

/// Names at most so many places of a file, and what is wrong there.
fn named_faults(path: &Path, faults: &[(u64, String)], most: usize) -> Vec<String> {
    let shown = faults.iter().take(most);
    let mut text: Vec<String> =
        shown.map(|(line, what)| format!("{}:{line}: {what}", path.display())).collect();
    if faults.len() > most {
        text.push(format!("and {} more lines", faults.len() - most));
    }
    text
}

fn mapping(path: &Path) -> Result<Mapping, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    Mapping::parse(&text).map_err(|why| Failure::new(format!("{}: {why}", path.display())))
}

/// The days that are compared.
fn period(options: &Options, list: &List) -> Result<Period, Failure> {
    let Options { from, to, file, .. } = options;
    Period::over(list, from.as_deref(), to.as_deref()).map_err(|error| match error {
        PeriodError::NoDay(text) => {
            let name = if from.as_deref() == Some(&*text) { "from" } else { "to" };
            Failure::new(format!("--{name} {text} is no day: YYYY-MM-DD"))
        }
        PeriodError::Reversed { .. } => Failure::new(error.to_string()),
        PeriodError::Empty => Failure::new(format!(
            "{}:2: no line is below the names, and no --from and --to say which days it is of",
            file.display()
        )),
    })
}

/// Writes the facts that are proposed, and says of what none can be.
fn write_proposals(
    path: &Path,
    compared: &Compared,
    ours: &Ours,
    ledger: &str,
) -> Result<(), Failure> {
    fresh(path, "--propose", |file| {
        let mut lines = Vec::new();
        for theirs in &compared.only_theirs {
            match proposed_fact(theirs, ours, ledger) {
                Ok(fact) => writeln!(lines, "{fact}")?,
                Err(why) => crate::say(&format!("line {} is not proposed: {why}", theirs.number)),
            }
        }
        file.write_all(&lines).map_err(|error| Failure::of_file(path, &error))
    })
}
