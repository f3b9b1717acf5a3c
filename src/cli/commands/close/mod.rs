//! `close`: a day's checklist and its close, a month over its days, and reopening, by
//! `ledger_close`.

mod report;
mod show;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_close::{
    Checklist, Decided, Evidence, History, MonthToClose, day_closed, day_reopened,
    statement_received,
};
use ledger_matching::Day;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Journal, OpenMode};
use serde_json::{Value, json};

use super::matching::StatementFiles;
use super::outbox::now;
use super::reporting;
use crate::Failure;
use crate::store::{Store, StoreOption};
use crate::whole_file::whole;

/// The examples of the command's help.
pub const HELP: &str = "Examples:\n  \
    custody-ledger close 2026-11-20 --provider bank.xml --rules rules.toml --store ledger.db\n  \
    custody-ledger close 2026-11-20 --provider bank.xml --rules rules.toml \
    --evidence 2026-11-20.json --store ledger.db --commit --operator bia\n  \
    custody-ledger close 2026-11 --store ledger.db\n  \
    custody-ledger close --reopen 2026-11-20 --store ledger.db --commit --operator bia \
    --reason \"a statement came late\"\n  \
    custody-ledger close --list --store ledger.db";

#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of the command.
pub struct Options {
    /// The day of Brasília, YYYY-MM-DD, or the month, YYYY-MM.
    #[arg(value_name = "DAY|MONTH", required_unless_present_any = ["reopen", "list"])]
    period: Option<String>,
    #[command(flatten)]
    store: StoreOption,
    #[command(flatten)]
    files: StatementFiles,
    /// Writes what the matching came to into this file, whose hash the close names.
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Reports the statements and the close; absent: the checklist is shown, and nothing changes.
    #[arg(long, requires = "operator")]
    commit: bool,
    /// The name of the operator who decides.
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,
    /// The operator's reason, which the record keeps.
    #[arg(long, default_value = "close of the day")]
    reason: String,
    /// Closes the day although statements are missing or differ.
    #[arg(long)]
    accept_differences: bool,
    /// Opens the last closed day again.
    #[arg(long, value_name = "DAY", conflicts_with_all = ["period", "list"])]
    reopen: Option<String>,
    /// Lists the closes so far.
    #[arg(long, conflicts_with = "period")]
    list: bool,
    /// The ledger: live, sandbox, or one of several ledgers.
    #[arg(long, default_value = "live")]
    ledger: String,
    /// The instant at which it is reported, RFC 3339; absent: now.
    #[arg(long, value_name = "INSTANT")]
    at: Option<String>,
    /// Prints everything as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

impl Options {
    fn journal(&self) -> Result<Box<dyn Journal>, Failure> {
        let store = Store::parse(self.store.name())?;
        Ok(store.open_named(&self.ledger, OpenMode::ReadOnly)?)
    }

    fn decision(&self) -> Decided<'_> {
        Decided { actor: self.operator.as_deref().unwrap_or_default(), reason: &self.reason }
    }

    fn print(
        &self,
        text: impl FnOnce() -> String,
        json: impl FnOnce() -> Value,
    ) -> Result<(), Failure> {
        let text = if self.json { format!("{:#}\n", json()) } else { text() };
        Ok(write!(std::io::stdout(), "{text}")?)
    }
}

pub fn run(options: &Options) -> Result<(), Failure> {
    match (&options.reopen, &options.period) {
        (Some(text), _) => reopen(options, day(text)?),
        (None, Some(text)) if text.len() == 7 => month(options, text),
        (None, Some(text)) => close(options, day(text)?),
        (None, None) => list(options),
    }
}

fn day(text: &str) -> Result<Day, Failure> {
    Day::parse(text).ok_or_else(|| Failure::new(format!("{text} is no day: YYYY-MM-DD")))
}

/// Shows the checklist of a day, and closes it where `--commit` says so.
fn close(options: &Options, day: Day) -> Result<(), Failure> {
    let at = reporting::named_instant(options.at.as_deref())?;
    let rules = options.files.rules()?;
    let statements = options.files.read(&rules)?;
    let read = ledger_close::DayToClose::read(&mut *options.journal()?, &options.ledger, day)?;
    let evidence = Evidence::from_statements(&read, &statements, &rules);
    let checklist = Checklist::new(&read, &evidence, at.map_or_else(now, Ok)?);
    let decided = options.decision();
    let body = day_closed(&read, &evidence, decided);
    options.print(
        || show::day(&read, &checklist),
        || show::day_json(&read, &checklist, body.as_ref()),
    )?;
    if let (Some(path), Some(matched)) = (&options.evidence, &evidence.matched) {
        whole(path, |file| Ok(file.write_all(matched.text.as_bytes())?))?;
    }
    may_be_closed(options, &checklist)?;
    let Some(body) = body.filter(|_| options.commit) else { return Ok(()) };
    let mut facts = Vec::new();
    for statement in &statements {
        let received = statement_received(statement, decided).ok_or_else(|| {
            Failure::new(format!("{} says no day and has no movement", statement.file))
        })?;
        facts.push(("statement.received", received));
    }
    facts.push(("day.closed", body));
    report::report(&Store::parse(options.store.name())?, &options.ledger, at, facts)?;
    crate::say(&format!("{day} is closed"));
    Ok(())
}

/// Refuses what blocks, and what differs unless that is accepted.
fn may_be_closed(options: &Options, checklist: &Checklist) -> Result<(), Failure> {
    let texts = |checks: &mut dyn Iterator<Item = &ledger_close::Check>| {
        checks.map(|check| check.text.clone()).collect::<Vec<_>>().join("; ")
    };
    let blocks = texts(&mut checklist.blockers());
    if !blocks.is_empty() {
        return Err(Failure::new(format!("the day cannot be closed: {blocks}")));
    }
    let differs = texts(&mut checklist.differences());
    if differs.is_empty() || options.accept_differences {
        return Ok(());
    }
    Err(Failure::new(format!("{differs}: --accept-differences closes the day all the same")))
}

/// Shows a month, which is closed once all of its days are.
fn month(options: &Options, text: &str) -> Result<(), Failure> {
    let month = MonthToClose::read(&mut *options.journal()?, &options.ledger, text)?;
    let month = month.ok_or_else(|| Failure::new(format!("{text} is no month: YYYY-MM")))?;
    options.print(|| show::month(&month), || show::month_json(&month))?;
    if month.is_closed() {
        return Ok(());
    }
    let open: Vec<_> = month.open.iter().map(Day::to_string).collect();
    Err(Failure::new(format!("{text} is not closed, these days are open: {}", open.join(" "))))
}

fn history(options: &Options) -> Result<History, Failure> {
    let mut history = History::default();
    let mut journal = options.journal()?;
    Sequencer::open(&mut *journal, &options.ledger, |_, record| history.follow(record))?;
    Ok(history)
}

/// Opens the last closed day again, where `--commit` says so.
fn reopen(options: &Options, day: Day) -> Result<(), Failure> {
    let history = history(options)?;
    match history.last_closed() {
        Some(last) if last.day() == day => {}
        Some(last) if history.is_closed(day) => {
            let last = last.day();
            return Err(Failure::new(format!("{last} is closed after {day}: reopen that first")));
        }
        _ => return Err(Failure::new(format!("{day} is not closed"))),
    }
    let body = day_reopened(&history, day, options.decision());
    if !options.commit {
        let text = || format!("{day} would be open again; --commit --operator NAME reopens it\n");
        return options.print(text, || json!({ "fact": "day.reopened", "body": body }));
    }
    let facts = vec![("day.reopened", body)];
    report::report(
        &Store::parse(options.store.name())?,
        &options.ledger,
        reporting::named_instant(options.at.as_deref())?,
        facts,
    )?;
    crate::say(&format!("{day} is open again"));
    Ok(())
}

fn list(options: &Options) -> Result<(), Failure> {
    let history = history(options)?;
    options.print(|| show::history(&history), || show::history_json(&history))
}
