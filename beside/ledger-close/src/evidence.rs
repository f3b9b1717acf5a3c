//! Evidence that a day is held against: statements by their hashes, and what the matching came to.

use std::collections::{BTreeMap, HashSet};

use ledger_core::hexadecimal;
use ledger_matching::{Inputs, KeptMatches, Period, Report, Rules, Statement, match_statements};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::day::{DayToClose, OpenItems};

/// The evidence of a close.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The SHA-256 of each statement's file, in hexadecimal, each once.
    pub statements: Vec<String>,
    /// The result of the matching.
    pub matched: Option<Matched>,
}

/// The result of a matching, as the text that is hashed and kept.
#[derive(Clone, Debug)]
pub struct Matched {
    /// The report as JSON: the file to keep beside the statements.
    pub text: String,
    /// The SHA-256 of that text, in hexadecimal.
    pub sha256: String,
    /// How many movements of theirs are matched and agree.
    pub matched: u64,
    /// The movements that are left, by outcome.
    pub open: Vec<OpenItems>,
}

impl Evidence {
    /// Matches statements with the day, and adds the statements that were received before.
    #[must_use]
    pub fn from_statements(day: &DayToClose, statements: &[Statement], rules: &Rules) -> Self {
        let matched = (!statements.is_empty()).then(|| match_day(day, statements, rules));
        let mut hashes: Vec<String> = Vec::new();
        let received = day.statements().map(|it| hexadecimal::digits(&it.statement.sha256.0));
        for sha256 in received.chain(statements.iter().map(|it| it.sha256.clone())) {
            if !hashes.contains(&sha256) {
                hashes.push(sha256);
            }
        }
        Self { statements: hashes, matched }
    }

    /// How many things the matching left open.
    #[must_use]
    pub fn differences(&self) -> u64 {
        let open = self.matched.iter().flat_map(|matched| &matched.open);
        open.map(|open| open.count).sum()
    }
}

fn match_day(day: &DayToClose, statements: &[Statement], rules: &Rules) -> Matched {
    let (books, other_environment) = (&day.own, &HashSet::new());
    let period = Period { from: day.day, to: day.day };
    let inputs = Inputs { books, statements, rules, period, other_environment };
    let result = match_statements(inputs, &mut KeptMatches::new(&day.ledger));
    let report = Report { ledger: &day.ledger, inputs, matched: &result };
    let json = report.json(false);
    let text = format!("{json:#}\n");
    let mut open: BTreeMap<String, u64> = BTreeMap::new();
    let mut add = |reason: &str, count: usize| {
        if count > 0 {
            *open.entry(reason.to_owned()).or_default() += u64::try_from(count).unwrap_or(u64::MAX);
        }
    };
    for finding in report.findings() {
        add(finding.outcome, 1);
    }
    add("balance", result.balance_findings.len());
    add("unreadable", statements.iter().map(|it| it.unreadable.len()).sum());
    Matched {
        sha256: hexadecimal::digits(&Sha256::digest(&text)),
        matched: json.get("matched").and_then(Value::as_u64).unwrap_or_default(),
        open: open.into_iter().map(|(reason, count)| OpenItems { reason, count }).collect(),
        text,
    }
}
