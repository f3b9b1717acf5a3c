//! `balance` (`saldo`): balances, and the table that ends a run.

use std::io::Write;

use clap::Args;
use comfy_table::Table;
use ledger_core::accounting::Buckets;
use ledger_core::contract::{Environment, show_balance};
use ledger_core::ledger::Archive;
use ledger_core::money::Balance;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use crate::Failure;
use crate::reading::{Reading, views};
use crate::table;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    reading: Reading,
}

/// How many balances of a ledger the table that ends a run shows.
const MOST_ROWS: usize = 50;

/// One balance: account, subaccount, buckets.
pub type Row = (String, String, Buckets);

pub fn run(options: &Options) -> Result<(), Failure> {
    let options = &options.reading;
    let (sequencer, account) = options.open()?;
    let views = views(&sequencer);
    let subaccount = views.party(account, options.customer.as_deref());
    if let (None, Some(customer)) = (subaccount, options.customer.as_deref()) {
        let account = options.account()?;
        return Err(Failure::new(format!(
            "{account} has no customer {customer}: none was credited"
        )));
    }
    let view = show_balance(views.state, account, subaccount, options.as_of(&sequencer));
    if options.json {
        writeln!(std::io::stdout(), "{view:#}")?;
        return Ok(());
    }
    let name = options.customer.as_deref().unwrap_or("casa");
    let mut table = table::with_header([options.account()?, name]);
    for (field, value) in view.as_object().into_iter().flatten() {
        table.add_row([field.clone(), field_text(field, value)]);
    }
    writeln!(std::io::stdout(), "{table}")?;
    if subaccount.is_none() {
        writeln!(std::io::stdout(), "{name} has never been credited here, so it reads as zero.")?;
    }
    Ok(())
}

/// The first balances of a ledger in the order opened, and how many there are in all.
pub fn rows(sequencer: &Sequencer) -> (Vec<Row>, usize) {
    let ledger = sequencer.ledger();
    let each = || {
        let accounts = ledger.state.accounts();
        accounts.flat_map(|(id, account)| {
            let subaccounts = ledger.state.subaccounts_of(id, None);
            subaccounts.map(move |(subaccount, buckets)| (account, subaccount, buckets))
        })
    };
    let shown = each().take(MOST_ROWS).map(|(account, subaccount, buckets)| {
        let customer = ledger.archive.customer(subaccount).unwrap_or("casa").to_owned();
        (account.name.to_string(), customer, buckets)
    });
    (shown.collect(), each().count())
}

/// Balances as a table for people, in reais.
pub fn table(rows: &[(Environment, Row)]) -> Table {
    let mut table =
        table::with_header(["ledger", "account", "subaccount", "disponível", "bloqueado", "saldo"]);
    for (environment, (account, customer, buckets)) in rows {
        table.add_row([
            environment.name().to_owned(),
            account.clone(),
            customer.clone(),
            table::reais(buckets.available),
            table::reais(buckets.blocked_balance()),
            table::reais(buckets.total()),
        ]);
    }
    table::align(&mut table, |place| place >= 3);
    table
}

/// A field's value for people: centavos as reais beside the number.
pub fn field_text(field: &str, value: &Value) -> String {
    match (value, value.as_i64()) {
        (_, Some(cents)) if field.ends_with("_cents") => {
            format!("R$ {}", table::reais(Balance::new(cents)))
        }
        (Value::Null, _) => "-".to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(items), _) if items.is_empty() => "-".to_owned(),
        (Value::Array(items), _) => {
            let lines: Vec<String> = items.iter().map(release).collect();
            lines.join("\n")
        }
        (other, _) => other.to_string(),
    }
}

fn release(item: &Value) -> String {
    let cents = item.get("valor_cents").and_then(Value::as_i64).unwrap_or_default();
    let at = item.get("disponivel_em").and_then(Value::as_str).unwrap_or_default();
    format!("R$ {} em {at}", table::reais(Balance::new(cents)))
}
