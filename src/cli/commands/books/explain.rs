//! `explain`: the records behind a balance or an operation, leg by leg.

use std::io::Write;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_core::id::OpId;
use ledger_core::ledger::{Event, Origin, Record};
use ledger_core::money::Balance;
use ledger_sim::PLAYED;
use ledger_store::OpenMode;
use ledger_store::export::{Leg, legs};
use ledger_store::moment::Moment;
use ledger_store::sequencer::Sequencer;

use crate::Failure;
use crate::reading;
use crate::store::{self, Store, StoreOption};

#[derive(Args)]
pub struct Options {
    /// An operation's id (`ci_...`), an API account's name, or the external id of operations; the
    /// store may stand before it.
    #[arg(value_name = "WHAT", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    store: StoreOption,
    /// The subaccount, beside an account; absent: the house.
    #[arg(long)]
    customer: Option<String>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Only what was decided up to a moment: so many records, a day or an RFC 3339 instant.
    #[arg(long, value_name = "RECORD|DAY|INSTANT")]
    at: Option<Moment>,
}

/// What is explained.
enum Subject {
    /// Every step of these operations.
    Operations(Vec<OpId>),
    /// Every leg on one subaccount's buckets.
    Custody(Vec<String>),
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let name = environment.name();
    let (store, what) = options.store.before(&options.words)?;
    let store = Store::parse(store)?;
    let subject = match OpId::parse(what, &environment.into()) {
        Some(op) => Subject::Operations(vec![op]),
        None => find_subject((options, what), &store, environment)?,
    };
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let mut failed = None;
    let mut explained = 0_u64;
    let mut balance = 0_i128;
    let until = match options.at {
        Some(at) => at,
        None => Moment::Records(journal.head()?.seq),
    };
    // Every record is looked at, so no snapshot shortens it.
    let sequencer = Sequencer::open_at(&mut *journal, name, None, until, |sequencer, record| {
        if failed.is_none() {
            match explain_record(sequencer, record, &subject, &mut balance) {
                Ok(lines) => explained += lines,
                Err(error) => failed = Some(error),
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if explained == 0 {
        let by = if options.at.is_some() { " by that moment" } else { "" };
        return Err(Failure::new(nothing(&sequencer, what, name, by)));
    }
    Ok(())
}

/// An account's balance, or the operations that accounts created under this external id.
fn find_subject(
    (options, what): (&Options, &str),
    store: &Store,
    environment: Environment,
) -> Result<Subject, Failure> {
    let customer = options.customer.clone().unwrap_or_else(|| "casa".to_owned());
    let balance = Subject::Custody(vec![what.to_owned(), customer]);
    let sequencer = reading::sequencer(store, environment, None, store.snapshots_in(None))?;
    let account = sequencer.ledger().state.account_named(what);
    if options.customer.is_some() || account.is_some() {
        return Ok(balance);
    }
    let created = reading::operations_created_as(&sequencer, what);
    Ok(if created.is_empty() { balance } else { Subject::Operations(created) })
}

/// Why there was nothing to tell.
fn nothing(sequencer: &Sequencer, what: &str, name: &str, by: &str) -> String {
    match sequencer.ledger().state.account_named(what) {
        Some(_) => format!("nothing was ever booked there in the {name} ledger{by}"),
        None => format!(
            "{what} is no operation, no account and no external id of the {name} ledger{by}"
        ),
    }
}

/// Tells what a record did to the subject; gives how many events that were.
fn explain_record(
    sequencer: &Sequencer,
    record: &Record,
    subject: &Subject,
    balance: &mut i128,
) -> std::io::Result<u64> {
    let mut explained = 0;
    let mut out = std::io::stdout().lock();
    for event in &record.events {
        let legs = legs(sequencer, event);
        let concerns = match subject {
            Subject::Operations(ops) => event.op().is_some_and(|op| ops.contains(&op)),
            Subject::Custody(kept_for) => legs.iter().any(|leg| is_subaccount(leg, kept_for)),
        };
        if !concerns {
            continue;
        }
        let op = event.op().map(|op| op.text(&sequencer.ledger().state.name)).unwrap_or_default();
        writeln!(out, "record {}  {}  {}  {op}", record.seq.0, record.at, cause(record))?;
        for leg in &legs {
            let kept_for = leg.place.kept_for.join(" / ");
            let mark = match subject {
                Subject::Custody(mine) if is_subaccount(leg, mine) => {
                    *balance -= leg.amount;
                    "*"
                }
                _ => " ",
            };
            let Leg { place, commodity, .. } = leg;
            writeln!(
                out,
                "  {mark} {:<14} {kept_for:<40} {:>24} {commodity}",
                place.chart,
                leg.text()
            )?;
        }
        if matches!(subject, Subject::Custody(_)) {
            let reais = Balance::new(i64::try_from(*balance).unwrap_or(i64::MAX));
            writeln!(out, "    saldo {reais}")?;
        }
        explained += 1;
    }
    let decided = record.events.iter().filter_map(|event| match event {
        Event::Judged(by) if explained > 0 => Some(by),
        _ => None,
    });
    for by in decided {
        let views = sequencer.views();
        let (actor, reason) = (views.value(by.actor), views.value(by.reason));
        write!(out, "    decided by {actor}: {reason}")?;
        match by.evidence.map(|evidence| views.value(evidence)) {
            Some(evidence) => writeln!(out, " ({evidence})")?,
            None => writeln!(out)?,
        }
    }
    Ok(explained)
}

/// Tells whether a leg is on one of the three buckets of this subaccount.
fn is_subaccount(leg: &Leg, kept_for: &[String]) -> bool {
    leg.place.chart.starts_with("cust.") && leg.place.kept_for == kept_for
}

/// Where the record came from.
fn cause(record: &Record) -> String {
    let origin = match &record.cause.origin {
        Origin::Call => "a call".to_owned(),
        Origin::Request(id) => format!("request {id}"),
        Origin::Line { source, number, .. } => match source.strip_prefix(PLAYED) {
            Some(source) => format!("the sandbox, before {source}:{number}"),
            None => format!("{source}:{number}"),
        },
    };
    if record.cause.deadline { format!("a deadline, with {origin}") } else { origin }
}
