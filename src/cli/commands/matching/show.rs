//! The result of a matching, as tables.

use std::fmt::Write as _;

use ledger_matching::{Finding, OurMovement, Report, Statement, TheirMovement};

use crate::table;

/// Statements, sums, balances, and everything that is to be looked at.
pub fn text(report: &Report<'_>) -> String {
    let period = report.inputs.period;
    let mut text = format!("{}, {} to {}\n", report.ledger, period.from, period.to);
    for statement in report.inputs.statements {
        text += &statement_line(statement);
    }
    let _ = writeln!(text, "{}", sums(report));
    if !report.matched.balances.is_empty() {
        let _ = writeln!(text, "{}", balances(report));
    }
    let findings = report.findings();
    if !findings.is_empty() {
        let _ = writeln!(text, "{}", items(report, &findings));
    }
    for finding in &report.matched.balance_findings {
        let number = usize::try_from(finding.statement).unwrap_or(usize::MAX);
        let file = report.inputs.statements.get(number).map_or("", |it| &it.file);
        let (account, reason) = (finding.account.name(), finding.reason.name());
        let (stated, expected) = (finding.stated, finding.expected);
        let line = finding.line;
        let _ = writeln!(text, "{file}:{line}: {account}, {reason}: {stated}, expected {expected}");
    }
    for statement in report.inputs.statements {
        for fault in &statement.unreadable {
            let (line, column, reason) = (fault.line, fault.column, &fault.reason);
            let _ = writeln!(text, "{}:{line}:{column}: {reason}", statement.file);
        }
    }
    text
}

fn statement_line(statement: &Statement) -> String {
    let day = |day: Option<ledger_matching::Day>| day.map_or_else(dash, |day| day.to_string());
    let (source, file, sha256) = (statement.source.name(), &statement.file, &statement.sha256);
    let (from, to) = (day(statement.from), day(statement.to));
    let made = statement.made.as_deref().unwrap_or("-");
    format!("{source} {file}, {from} to {to}, made {made}, sha256 {sha256}\n")
}

fn sums(report: &Report<'_>) -> String {
    let names = ["account", "class", "theirs", "sum", "ours", "sum", "matched", "sum"];
    let mut sums = table::with_header(names);
    for ((account, class), sum) in report.sums() {
        sums.add_row([
            account,
            class.name().to_owned(),
            sum.theirs.to_string(),
            sum.their_sum.to_string(),
            sum.ours.to_string(),
            sum.our_sum.to_string(),
            sum.matched.to_string(),
            sum.matched_sum.to_string(),
        ]);
    }
    table::align(&mut sums, |place| place >= 2);
    sums.to_string()
}

fn balances(report: &Report<'_>) -> String {
    let names = ["account", "opening", "movements", "closing", "control", "ours", "difference"];
    let mut balances = table::with_header(names);
    for held in &report.matched.balances {
        balances.add_row([
            held.account.name(),
            held.opening.to_string(),
            held.movements.to_string(),
            held.closing.to_string(),
            held.account.control(),
            held.own_closing.to_string(),
            held.difference().to_string(),
        ]);
    }
    table::align(&mut balances, |place| matches!(place, 1..=3 | 5..=6));
    balances.to_string()
}

fn items(report: &Report<'_>, findings: &[Finding<'_>]) -> String {
    let names = ["", "by", "line", "record", "id", "day", "theirs", "ours"];
    let mut items = table::with_header(names);
    for finding in findings {
        let reasons: Vec<&str> = finding.reasons.iter().map(|reason| reason.name()).collect();
        let (theirs, ours) = (&finding.theirs, &finding.ours);
        for place in 0..theirs.len().max(ours.len()) {
            let (theirs, ours) = (theirs.get(place).copied(), ours.get(place).copied());
            let line = |it: &TheirMovement| format!("{}:{}", report.file_of(it), it.position.line);
            let outcome = if place == 0 { finding.outcome } else { "" };
            items.add_row([
                outcome.to_owned(),
                if place == 0 { reasons.join(", ") } else { String::new() },
                theirs.map_or_else(dash, line),
                ours.map_or_else(dash, |it| it.record.to_string()),
                name_of(theirs, ours),
                day_of(theirs, ours),
                theirs
                    .map_or_else(dash, |it| format!("{} {}", it.signed_amount(), it.account.asset)),
                ours.map_or_else(dash, |it| format!("{} {}", it.signed_amount(), it.account.asset)),
            ]);
        }
    }
    table::align(&mut items, |place| matches!(place, 3 | 6 | 7));
    items.to_string()
}

/// The id of either, or else a name.
fn name_of(theirs: Option<&TheirMovement>, ours: Option<&OurMovement>) -> String {
    let id = theirs.and_then(|it| it.id.as_ref().or_else(|| it.names.first()));
    let id = id.or_else(|| ours.and_then(|it| it.id.as_ref().or(it.fact.as_ref())));
    id.map_or_else(dash, ToString::to_string)
}

fn day_of(theirs: Option<&TheirMovement>, ours: Option<&OurMovement>) -> String {
    let day = theirs.map(|it| it.day).or_else(|| ours.map(|it| it.day));
    day.map_or_else(dash, |day| day.to_string())
}

fn dash() -> String {
    "-".to_owned()
}
