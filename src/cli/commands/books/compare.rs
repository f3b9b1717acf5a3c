//! `compare`: what each account had at two moments, and the entries between.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use comfy_table::Table;
use ledger_core::time::Instant;
use ledger_store::Head;
use ledger_store::OpenMode;
use ledger_store::export::decimal;
use ledger_store::moment::{Compared, Comparison, Moment, compare};
use serde_json::{Value, json};

use crate::Failure;
use crate::store::{self, Store, StoreFirst};
use crate::table;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The first moment: after so many records, as a day began in Brasília, or at an RFC 3339
    /// instant; 0 is before the first.
    #[arg(long, value_name = "RECORD|DAY|INSTANT", value_parser = Moment::parse_start)]
    from: Moment,
    /// The second moment, of a day its end; absent: as the ledger stands.
    #[arg(long, value_name = "RECORD|DAY|INSTANT")]
    to: Option<Moment>,
    /// Accounts that nothing was booked on between, too.
    #[arg(long)]
    all: bool,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The folder of the snapshots that shorten it; absent: beside the store's file.
    #[arg(long, value_name = "DIR")]
    snapshots: Option<PathBuf>,
    /// Prints JSON instead of a table; amounts are decimal strings, debits positive.
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let store = Store::parse(options.store.name())?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let to = match options.to {
        Some(to) => to,
        None => Moment::Records(journal.head()?.seq),
    };
    let (name, snapshots) = (environment.name(), store.snapshots_in(options.snapshots.as_deref()));
    let mut compared = compare(&mut *journal, name, snapshots.as_ref(), (options.from, to))?;
    compared.accounts.retain(|account| options.all || account.legs > 0);
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{:#}", object(name, &compared))?;
        return Ok(());
    }
    writeln!(out, "Ledger {name}, debits positive")?;
    writeln!(out, "  from {}", moment(compared.from, compared.from_at))?;
    writeln!(out, "  to   {}", moment(compared.to, compared.to_at))?;
    if compared.accounts.is_empty() {
        writeln!(out, "Nothing was booked between.")?;
    } else {
        writeln!(out, "{}", table(&compared))?;
    }
    Ok(())
}

/// A moment for people.
fn moment(head: Head, at: Option<Instant>) -> String {
    match at {
        Some(at) => format!("record {}, {at}", head.seq),
        None => "before the first record".to_owned(),
    }
}

fn object(name: &str, compared: &Comparison) -> Value {
    let moment = |head: Head, at: Option<Instant>| {
        json!({
            "records": head.seq,
            "link": head.link.to_string(),
            "at": at.map(|at| at.to_string()),
        })
    };
    let account = |account: &Compared| {
        let text = |amount: i128| decimal(amount, account.scale);
        json!({
            "account": account.place.chart,
            "kept_for": account.place.kept_for,
            "commodity": account.commodity,
            "from": text(account.before),
            "to": text(account.after),
            "difference": text(account.change()),
            "legs": account.legs,
            "booked": text(account.booked),
        })
    };
    json!({
        "ledger": name,
        "from": moment(compared.from, compared.from_at),
        "to": moment(compared.to, compared.to_at),
        "accounts": compared.accounts.iter().map(account).collect::<Vec<_>>(),
    })
}

fn table(compared: &Comparison) -> Table {
    let mut table =
        table::with_header(["account", "kept for", "in", "from", "to", "difference", "legs"]);
    for account in &compared.accounts {
        let text = |amount: i128| decimal(amount, account.scale);
        table.add_row([
            account.place.chart.to_owned(),
            account.kept_for(),
            account.commodity.clone(),
            text(account.before),
            text(account.after),
            text(account.change()),
            account.legs.to_string(),
        ]);
    }
    table::align(&mut table, |place| place >= 3);
    table
}
