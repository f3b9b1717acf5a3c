//! A journal of hledger: one transaction an event, balance assertions at the end.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ledger_core::accounting::Class;
use ledger_core::ledger::Record;

use super::legs::{self, ChartAccount, Leg};
use super::title;
use crate::engines::sequencer::Sequencer;

pub fn open(name: &str, into: &mut dyn Write) -> io::Result<()> {
    writeln!(into, "; ledger {name}: every entry of its journal, debits positive")?;
    writeln!(into, "decimal-mark .\n")
}

pub fn entry(
    sequencer: &Sequencer,
    record: &Record,
    index: usize,
    legs: &[Leg],
    into: &mut dyn Write,
) -> io::Result<()> {
    let (date, title) = title(sequencer, record, index);
    writeln!(into, "{date} * {title}  ; at:{}", record.at)?;
    for leg in legs {
        let (account, commodity) = (account(&leg.place), symbol(&leg.commodity));
        writeln!(into, "    {account}  {} {commodity}", leg.text())?;
    }
    writeln!(into)
}

/// What we say every account holds; hledger refuses the file where it disagrees.
pub fn close(sequencer: &Sequencer, into: &mut dyn Write) -> io::Result<()> {
    let balances = legs::balances(sequencer);
    let date = &sequencer.ledger().state.now.to_string()[..10];
    let commodities: BTreeSet<&str> = balances.iter().map(|leg| leg.commodity.as_str()).collect();
    writeln!(into, "; {} balances in {} commodities", balances.len(), commodities.len())?;
    writeln!(into, "{date} * balances as the ledger has them")?;
    for leg in &balances {
        let (account, commodity) = (account(&leg.place), symbol(&leg.commodity));
        writeln!(into, "    {account}  0 {commodity} = {} {commodity}", leg.text())?;
    }
    Ok(())
}

/// The account's full name in hledger: `liabilities:cust:avail:loja:ana`.
#[must_use]
pub fn account(place: &ChartAccount) -> String {
    let root = match place.class {
        Class::Asset => "assets",
        Class::Liability => "liabilities",
        Class::Equity => "equity",
        Class::Income => "income",
        Class::Expense => "expenses",
        Class::Trading => "equity:trading",
    };
    // `equity.funding` names its class itself.
    let chart = place.chart.trim_start_matches("equity.").replace('.', ":");
    let kept_for = place.kept_for.iter().map(|part| format!(":{}", escape(part)));
    format!("{root}:{chart}{}", kept_for.collect::<String>())
}

/// Letters, digits, `-`, `_` and dots as they are, every other byte as `%41`: two names never meet.
fn escape(part: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    part.bytes()
        .map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

/// A commodity in quotes, which may then be any name: `"USDT"`.
fn symbol(commodity: &str) -> String {
    format!("\"{}\"", commodity.to_uppercase().replace('"', "'"))
}
