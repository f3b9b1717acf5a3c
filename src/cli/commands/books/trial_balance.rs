//! `trial-balance`: every account of the chart, by commodity, now or at any moment.

use std::io::Write;

use clap::Args;
use comfy_table::Table;
use ledger_core::coin::units_text;
use ledger_store::export::decimal;
use ledger_store::report::{TrialAccount, TrialBalance};
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use crate::Failure;
use crate::reading::Opening;
use crate::table;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    opening: Opening,
    /// Prints JSON instead of tables.
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let (sequencer, name) = options.opening.open()?;
    let all = TrialBalance::all(&sequencer);
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{:#}", object(&sequencer, name, &all))?;
    } else {
        let (seq, now) = (sequencer.head().seq, sequencer.ledger().state.now);
        match seq {
            0 => writeln!(out, "Ledger {name} before its first record")?,
            _ => writeln!(out, "Ledger {name} at record {seq}, {now}")?,
        }
        for balance in &all {
            writeln!(out, "{}", table(balance))?;
        }
    }
    match all.iter().find(|balance| !balance.is_even()) {
        None => Ok(()),
        Some(wrong) => {
            Err(Failure::new(format!("debits and credits of {} differ", wrong.commodity)))
        }
    }
}

fn object(sequencer: &Sequencer, name: &str, all: &[TrialBalance]) -> Value {
    let commodities: Vec<Value> = all
        .iter()
        .map(|balance| {
            let text = |amount: i128| decimal(amount, balance.scale);
            let account = |account: &TrialAccount| {
                json!({
                    "account": account.name,
                    "class": format!("{:?}", account.class).to_lowercase(),
                    "debit": text(-account.net_credit.min(0)),
                    "credit": text(account.net_credit.max(0)),
                })
            };
            json!({
                "commodity": balance.commodity,
                "accounts": balance.accounts.iter().map(account).collect::<Vec<_>>(),
                "debits": text(balance.debits()),
                "credits": text(balance.credits()),
            })
        })
        .collect();
    let head = sequencer.head();
    let at = (head.seq > 0).then(|| sequencer.ledger().state.now.to_string());
    json!({
        "ledger": name,
        "records": head.seq,
        "link": head.link.to_string(),
        "at": at,
        "commodities": commodities,
    })
}

fn table(balance: &TrialBalance) -> Table {
    let mut table = table::with_header([balance.commodity.as_str(), "debit", "credit"]);
    let side = |amount: i128| match amount {
        0 => String::new(),
        amount => units_text(amount.unsigned_abs(), balance.scale),
    };
    for TrialAccount { name, net_credit, .. } in &balance.accounts {
        table.add_row([name.clone(), side(-net_credit.min(&0)), side(*net_credit.max(&0))]);
    }
    let equal = if balance.is_even() { "equal" } else { "NOT EQUAL" };
    let sums = [balance.debits(), balance.credits()].map(|sum| decimal(sum, balance.scale));
    let [debits, credits] = sums;
    table.add_row([equal.to_owned(), debits, credits]);
    table::align(&mut table, |place| place >= 1);
    table
}
