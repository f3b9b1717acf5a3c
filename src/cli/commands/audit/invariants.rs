//! `audit --invariant` and `audit --list-invariants`: some invariants checked, or all of them
//! listed.

use std::io::Write;

use ledger_core::ledger::invariants::{INVARIANTS, Invariant};
use ledger_store::invariant_audit::{Checked, Verdict};
use serde_json::{Value, json};

use crate::Failure;

/// How what is found is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines for people.
    Text,
    /// A JSON object a line.
    Json,
}

/// The invariant of an id; the error says how to find the ids.
pub fn by_id(id: &str) -> Result<&'static Invariant, String> {
    Invariant::by_id(id).ok_or_else(|| {
        "no invariant that can be checked has this id; `custody-ledger audit --list-invariants` \
         lists them"
            .to_owned()
    })
}

/// Those asked for in the order of the list, each once.
pub fn in_order(asked: &[&'static Invariant]) -> Vec<&'static Invariant> {
    let wanted = |known: &&Invariant| asked.iter().any(|asked| asked.id == known.id);
    INVARIANTS.iter().filter(wanted).collect()
}

/// Lists every invariant that can be checked: its id and what must hold.
pub fn list(form: Form) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for Invariant { id, text, .. } in INVARIANTS {
        match form {
            Form::Text => writeln!(out, "{id:<7}  {text}")?,
            Form::Json => writeln!(out, "{}", json!({ "id": id, "text": text }))?,
        }
    }
    Ok(())
}

/// Shows what was found of each invariant in one ledger.
pub fn show(name: &str, checked: &Checked, form: Form) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let (count, records) = (checked.verdicts.len(), checked.head.seq);
    if form == Form::Text {
        let what = if count == 1 { "invariant" } else { "invariants" };
        writeln!(out, "Ledger {name}: {count} {what} checked on {records} records")?;
    }
    for verdict in &checked.verdicts {
        match form {
            Form::Text => writeln!(out, "  {}", line(verdict))?,
            Form::Json => writeln!(out, "{}", object(name, records, verdict))?,
        }
    }
    if form == Form::Text {
        writeln!(out)?;
    }
    Ok(())
}

fn line(Verdict { invariant, broken }: &Verdict) -> String {
    let Invariant { id, text, .. } = invariant;
    match broken {
        None => format!("{id:<7}  holds   {text}"),
        Some(broken) => {
            format!("{id:<7}  broken  at record {}: {}", broken.seq, broken.violation.what)
        }
    }
}

fn object(ledger: &str, records: u64, Verdict { invariant, broken }: &Verdict) -> Value {
    let Invariant { id, text, .. } = invariant;
    let mut shown = json!({
        "ledger": ledger,
        "records": records,
        "id": id,
        "text": text,
        "holds": broken.is_none(),
    });
    if let Some(broken) = broken {
        shown["record"] = broken.seq.into();
        shown["what"] = broken.violation.what.as_str().into();
    }
    shown
}
