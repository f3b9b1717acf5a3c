//! A journal of beancount: accounts opened as they are met, balance directives at the end.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ledger_core::accounting::Class;
use ledger_core::ledger::Record;

use super::legs::{self, ChartAccount, Leg};
use super::title;
use crate::engines::sequencer::Sequencer;

pub fn open(name: &str, into: &mut dyn Write) -> io::Result<()> {
    writeln!(into, "; ledger {name}: every entry of its journal, debits positive")?;
    writeln!(into, "option \"title\" \"ledger {name}\"")?;
    writeln!(into, "plugin \"beancount.plugins.auto_accounts\"\n")
}

pub fn entry(
    sequencer: &Sequencer,
    record: &Record,
    index: usize,
    legs: &[Leg],
    into: &mut dyn Write,
) -> io::Result<()> {
    let (date, title) = title(sequencer, record, index);
    writeln!(into, "{date} * \"{title}\"")?;
    writeln!(into, "  at: \"{}\"", record.at)?;
    for leg in legs {
        let (account, commodity) = (account(&leg.place), symbol(&leg.commodity));
        writeln!(into, "  {account}  {} {commodity}", leg.text())?;
    }
    writeln!(into)
}

/// What we say every account holds on the morning after; beancount refuses the file where it
/// disagrees. Tolerance is zero: we do not round.
pub fn close(sequencer: &Sequencer, into: &mut dyn Write) -> io::Result<()> {
    let balances = legs::balances(sequencer);
    let morning = sequencer.ledger().state.now.after(ledger_core::time::Span::days(1)).to_string();
    let accounts: BTreeSet<String> = balances.iter().map(|leg| account(&leg.place)).collect();
    writeln!(into, "; {} balances of {} accounts", balances.len(), accounts.len())?;
    for leg in &balances {
        let (account, commodity) = (account(&leg.place), symbol(&leg.commodity));
        let date = &morning[..10];
        writeln!(into, "{date} balance {account}  {} ~ 0 {commodity}", leg.text())?;
    }
    Ok(())
}

/// `Liabilities:Cust:Avail:Kloja:Kana`: every part begins with a capital, as beancount wants.
#[must_use]
pub fn account(place: &ChartAccount) -> String {
    let root = match place.class {
        Class::Asset => "Assets",
        Class::Liability => "Liabilities",
        Class::Equity | Class::Trading => "Equity",
        Class::Income => "Income",
        Class::Expense => "Expenses",
    };
    // `equity.funding` names its class itself.
    let chart = place.chart.trim_start_matches("equity.").split(['.', '_']).map(capital);
    let kept_for = place.kept_for.iter().map(|part| format!("K{}", escape(part)));
    std::iter::once(root.to_owned()).chain(chart).chain(kept_for).collect::<Vec<_>>().join(":")
}

fn capital(part: &str) -> String {
    let mut letters = part.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Letters and digits as they are, every other byte as `-41`: two names never meet.
fn escape(part: &str) -> String {
    let text = |b: u8| match b {
        b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
        b => format!("-{b:02X}"),
    };
    part.bytes().map(text).collect()
}

/// Capitals and digits, beginning with a capital.
fn symbol(commodity: &str) -> String {
    let plain: String = commodity
        .to_uppercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let plain = plain.trim_matches('-').to_owned();
    let begins = plain.starts_with(|c: char| c.is_ascii_uppercase());
    if begins && plain.len() > 1 { plain } else { format!("X{plain}X") }
}
