//! `match`: statements of provider, chains and exchanges against the ledger, by `ledger_matching`.

mod files;
mod show;

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_core::id::Environment;
use ledger_matching::{
    Day, Inputs, KeptMatches, OwnBooks, Period, Report, Statement, match_statements,
};
use ledger_store::OpenMode;

use self::files::{failure, name_of, text_of};
use crate::Failure;
use crate::store::{self, Store, StoreOption};
use crate::whole_file::whole;

pub use self::files::StatementFiles;

/// The examples of the command's help.
pub const HELP: &str = "Examples:\n  \
    custody-ledger match --day 2026-11-20 --provider bank.xml --chain polygon.json \
    --rules rules.toml --store ledger.db\n  \
    custody-ledger match --from 2026-11-01 --to 2026-11-30 --provider bank.csv \
    --chain polygon.json --chain tron.json --exchange exchange.csv --columns columns.toml \
    --rules rules.toml --kept november.matches --store ledger.db --json";

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreOption,
    /// The one day that is matched, in Brasília, YYYY-MM-DD.
    #[arg(long, value_name = "DAY", conflicts_with_all = ["from", "to"])]
    day: Option<String>,
    /// The first day; absent: the first of the statements.
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// The last day; absent: the last of the statements.
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
    #[command(flatten)]
    files: StatementFiles,
    /// Keeps what matched in this file: what it has already is matched no more.
    #[arg(long, value_name = "FILE")]
    kept: Option<PathBuf>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Prints everything as JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Lists what matched as well, each pair with its lines and records.
    #[arg(long, requires = "json")]
    pairs: bool,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let rules = options.files.rules()?;
    let statements = options.files.read(&rules)?;
    if statements.is_empty() {
        return Err(Failure::new("no statement is named: --provider, --chain or --exchange FILE"));
    }
    let period = period(options, &statements)?;
    let store = Store::parse(options.store.name())?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let books = OwnBooks::read(&mut *journal, environment.name())?;
    let other_environment = ids_of_other(&store, environment);
    let (statements, rules, other_environment) = (&statements[..], &rules, &other_environment);
    let inputs = Inputs { books: &books, statements, rules, period, other_environment };
    let mut kept = read_kept(options, environment.name())?;
    let matched = match_statements(inputs, &mut kept);
    let report = Report { ledger: environment.name(), inputs, matched: &matched };
    if let Some(path) = &options.kept {
        let text = kept.text();
        whole(path, |file| Ok(file.write_all(text.as_bytes())?))?;
    }
    let text = if options.json {
        format!("{:#}\n", report.json(options.pairs))
    } else {
        show::text(&report)
    };
    write!(std::io::stdout(), "{text}")?;
    match report.open_count() {
        0 => Ok(()),
        1 => Err(Failure::new("1 thing is open")),
        open => Err(Failure::new(format!("{open} things are open"))),
    }
}

/// The days that are matched: as they are said, or else those of the statements.
fn period(options: &Options, statements: &[Statement]) -> Result<Period, Failure> {
    let day = |name: &str, text: &Option<String>| {
        let text = text.as_ref().or(options.day.as_ref());
        let read = |text: &String| {
            let wrong = || Failure::new(format!("--{name} {text} is no day: YYYY-MM-DD"));
            Day::parse(text).ok_or_else(wrong)
        };
        text.map(read).transpose()
    };
    let from = day(if options.day.is_some() { "day" } else { "from" }, &options.from)?;
    let to = day(if options.day.is_some() { "day" } else { "to" }, &options.to)?;
    let from = from.or_else(|| statements.iter().filter_map(|it| it.from).min());
    let to = to.or_else(|| statements.iter().filter_map(|it| it.to).max());
    match (from, to) {
        (Some(from), Some(to)) if from <= to => Ok(Period { from, to }),
        (Some(from), Some(to)) => Err(Failure::new(format!("{from} is after {to}"))),
        _ => Err(Failure::new("no statement has a movement, and --day does not say which day")),
    }
}

/// The ids that the other ledger of the store has; none where it has no other.
fn ids_of_other(store: &Store, environment: Environment) -> HashSet<Box<str>> {
    let other = match environment {
        Environment::Live => Environment::Sandbox,
        Environment::Sandbox => Environment::Live,
    };
    let journal = store.open(other, OpenMode::ReadOnly).ok();
    let books = journal.and_then(|mut journal| OwnBooks::read(&mut *journal, other.name()).ok());
    let books = books.unwrap_or_default();
    books.movements().iter().filter_map(|movement| movement.id.clone()).collect()
}

fn read_kept(options: &Options, ledger: &str) -> Result<KeptMatches, Failure> {
    match &options.kept {
        Some(path) if path.exists() => KeptMatches::parse(&name_of(path), &text_of(path)?, ledger)
            .map_err(|error| failure(&error)),
        _ => Ok(KeptMatches::new(ledger)),
    }
}
