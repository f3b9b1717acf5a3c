//! Legs as CSV, and events as JSON lines.

use std::io::{self, Write};

use ledger_core::ledger::Record;
use serde_json::{Value, json};

use super::legs::Leg;
use super::operation;
use crate::engines::sequencer::Sequencer;

pub fn open(into: &mut dyn Write) -> io::Result<()> {
    writeln!(into, "record,event,at,operation,account,kept_for,commodity,amount")
}

/// One row a leg; the amount signed, debits positive.
pub fn rows(
    sequencer: &Sequencer,
    record: &Record,
    index: usize,
    legs: &[Leg],
    into: &mut dyn Write,
) -> io::Result<()> {
    let op = operation(sequencer, record, index);
    for leg in legs {
        let cells = [
            record.seq.0.to_string(),
            index.to_string(),
            record.at.to_string(),
            op.clone().unwrap_or_default(),
            leg.place.chart.to_owned(),
            leg.place.kept_for_text(),
            leg.commodity.clone(),
            leg.text(),
        ];
        writeln!(into, "{}", cells.map(|cell| quote(&cell)).join(","))?;
    }
    Ok(())
}

/// One object an event.
pub fn line(
    sequencer: &Sequencer,
    record: &Record,
    index: usize,
    legs: &[Leg],
    into: &mut dyn Write,
) -> io::Result<()> {
    let legs: Vec<Value> = legs
        .iter()
        .map(|leg| {
            json!({
                "account": leg.place.chart,
                "kept_for": leg.place.kept_for,
                "commodity": leg.commodity,
                "amount": leg.text(),
            })
        })
        .collect();
    let line = json!({
        "record": record.seq.0,
        "event": index,
        "at": record.at.to_string(),
        "operation": operation(sequencer, record, index),
        "legs": legs,
    });
    writeln!(into, "{line}")
}

/// A cell, in quotes where a comma, a quote or the end of a line would break it (RFC 4180). A cell
/// that a spreadsheet would read as a formula is quoted as text too.
fn quote(cell: &str) -> String {
    let number =
        cell.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let formula = !number && cell.starts_with(['=', '+', '-', '@']);
    if formula {
        format!("\"'{}\"", cell.replace('"', "\"\""))
    } else if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
