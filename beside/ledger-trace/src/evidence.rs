//! The evidence of one trace: a file by itself, which is checked against a journal.

use std::collections::BTreeSet;

use ledger_core::id::Seq;
use ledger_store::export::{Leg, legs};
use ledger_store::moment::Moment;
use ledger_store::{Journal, codec};
use serde_json::{Value, json};

use crate::names::Holders;
use crate::query::{TraceError, Traced};
use crate::rule::Rule;

/// The format of the file, in its field `evidence`.
const FORMAT: &str = "custody-ledger trace 1";

impl Traced {
    /// Returns the evidence: the trace, its sources, its recoveries if it has some, and each record
    /// that moved the money, with the links of the journal before and after it and the legs of its
    /// entry.
    #[must_use]
    pub fn evidence(&self, holders: Holders) -> Value {
        let forward = self.forward(holders);
        let mut sources = self.backward(holders);
        let text = Self::text(&forward);
        let records: BTreeSet<u64> =
            self.trail.stages().iter().map(|stage| stage.record.0).collect();
        let records: Vec<_> =
            records.into_iter().filter_map(|seq| self.record_proof(seq, holders)).collect();
        let recoveries = self.recoveries(holders);
        let mut evidence = json!({
            "evidence": FORMAT,
            "holders": match holders { Holders::Named => "named", Holders::Masked => "masked" },
            "trace": forward,
            "sources": sources["sources"].take(),
            "records": records,
            "text": text.lines().collect::<Vec<_>>(),
        });
        // A file of what nobody contested stays as it was before recoveries were known.
        if !recoveries.is_empty() {
            evidence["recoveries"] = recoveries.into();
        }
        evidence
    }

    fn record_proof(&self, seq: u64, holders: Holders) -> Option<Value> {
        let found = self.sequencer.evidence(seq)?;
        let record = codec::decode(Seq(seq), &found.bytes).ok()?;
        let names = self.names(holders);
        let events = record.events.iter().filter(|event| !event.entry().is_empty());
        let events = events.map(|event| {
            let legs = legs(&self.sequencer, event).into_iter().map(|leg| leg_value(&leg, holders));
            let op = event.op().map(|op| names.op(op));
            json!({ "operation": op, "legs": legs.collect::<Vec<_>>() })
        });
        Some(json!({
            "record": seq,
            "at": record.at.to_string(),
            "link_before": found.before.to_string(),
            "link": found.after.to_string(),
            "events": events.collect::<Vec<_>>(),
        }))
    }

    /// Traces again what a file of evidence is of, and returns what the journal has instead where
    /// the two differ: the name of each part that does.
    ///
    /// # Errors
    ///
    /// [`TraceError`] where the file is no evidence, or the journal has no such trace.
    pub fn check(
        journal: &mut dyn Journal,
        ledger: &str,
        file: &Value,
    ) -> Result<Vec<String>, TraceError> {
        let trace = &file["trace"];
        let text = trace["subject"].as_str();
        let rule = trace["rule"].as_str().and_then(|rule| rule.parse::<Rule>().ok());
        let holders = match file["holders"].as_str() {
            Some("named") => Some(Holders::Named),
            Some("masked") => Some(Holders::Masked),
            _ => None,
        };
        let (Some(text), Some(rule), Some(record), Some(holders), Some(FORMAT)) =
            (text, rule, trace["record"].as_u64(), holders, file["evidence"].as_str())
        else {
            return Err(TraceError::NoEvidence);
        };
        let traced = Self::read(journal, ledger, (text, rule), Some(Moment::Records(record)))?;
        let ours = traced.evidence(holders);
        let mut differing = Vec::new();
        differ(file, &ours, &mut String::new(), &mut differing);
        Ok(differing)
    }
}

/// A leg of an entry: debits positive. The customer of a masked holder is left out.
fn leg_value(leg: &Leg, holders: Holders) -> Value {
    let mut kept_for = leg.place.kept_for.clone();
    let is_holder = leg.place.chart.starts_with("cust.") || leg.place.chart.starts_with("prod.");
    if holders == Holders::Masked && is_holder && kept_for.len() > 1 {
        kept_for.pop();
    }
    json!({
        "account": leg.place.chart,
        "kept_for": kept_for,
        "commodity": leg.commodity,
        "amount": leg.text(),
    })
}

/// The most differences that are named.
const MOST: usize = 20;

/// Names the parts in which two values differ.
fn differ(file: &Value, ours: &Value, path: &mut String, found: &mut Vec<String>) {
    if file == ours || found.len() == MOST {
        return;
    }
    let mut inner = |name: String, pair: (&Value, &Value)| {
        let length = path.len();
        path.push_str(&name);
        differ(pair.0, pair.1, path, found);
        path.truncate(length);
    };
    match (file, ours) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let part = |of: &serde_json::Map<String, Value>, name: &str| {
                of.get(name).cloned().unwrap_or_default()
            };
            for name in names {
                inner(format!("/{name}"), (&part(a, name), &part(b, name)));
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (place, pair) in a.iter().zip(b).enumerate() {
                inner(format!("/{place}"), pair);
            }
        }
        _ => found.push(path.clone()),
    }
}
