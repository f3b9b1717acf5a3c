//! A day, a month and the closes so far, as tables and as JSON.

use std::fmt::Write as _;

use comfy_table::Table;
use ledger_close::{Checklist, ClosedDay, DayToClose, History, Late, MonthToClose};
use ledger_core::hexadecimal;
use ledger_store::days::{DayBook, Days};
use ledger_store::export::decimal;
use serde_json::{Value, json};

use crate::table;

/// The accounts of a day, and its checklist.
pub fn day(day: &DayToClose, checklist: &Checklist) -> String {
    let mut text = format!("Ledger {}, {}, debits positive\n", day.ledger, day.day);
    if let Some(book) = &day.book {
        let _ = writeln!(text, "{}", accounts(book));
    }
    let mut checks = table::with_header(["check", "", "what was found"]);
    for check in &checklist.checks {
        checks.add_row([check.name, check.verdict.name(), &check.text]);
    }
    let _ = writeln!(text, "{checks}");
    text
}

/// The same as JSON, with the fact that closes the day.
pub fn day_json(day: &DayToClose, checklist: &Checklist, body: Option<&Value>) -> Value {
    let open = day.open.iter().map(|it| json!({ "reason": it.reason, "count": it.count }));
    json!({
        "ledger": day.ledger,
        "day": day.day.to_string(),
        "last_record": day.last,
        "accounts": accounts_json(day.book.as_ref()),
        "open": open.collect::<Vec<_>>(),
        "late": day.late.iter().map(late_json).collect::<Vec<_>>(),
        "came_after": day.came_after.iter().map(late_json).collect::<Vec<_>>(),
        "checklist": checklist.json(),
        "fact": "day.closed",
        "body": body,
    })
}

/// The accounts of a month, and its days that are open.
pub fn month(month: &MonthToClose) -> String {
    let (closed, open) = (month.closed.len(), month.open.len());
    let mut text = format!("{}: {closed} days closed, {open} open\n", month.month);
    if let Some(book) = &month.book {
        let _ = writeln!(text, "{}", accounts(book));
    }
    text
}

/// The same as JSON.
pub fn month_json(month: &MonthToClose) -> Value {
    let days =
        |days: &[ledger_matching::Day]| days.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "month": month.month,
        "is_closed": month.is_closed(),
        "closed": days(&month.closed),
        "open": days(&month.open),
        "accounts": accounts_json(month.book.as_ref()),
    })
}

/// The closes so far, a line each.
pub fn history(history: &History) -> String {
    let names = ["day", "record", "at", "accounts", "statements", "matching", "open", "reopened"];
    let mut table = table::with_header(names);
    for known in &history.closes {
        let close = &known.close;
        let open = close.open.iter().map(|it| format!("{} {}", it.count, it.reason));
        table.add_row([
            known.day().to_string(),
            known.record.to_string(),
            known.at.to_string(),
            close.accounts.len().to_string(),
            close.statements.len().to_string(),
            matching(known).unwrap_or_default(),
            open.collect::<Vec<_>>().join(", "),
            known.reopened.map(|record| record.to_string()).unwrap_or_default(),
        ]);
    }
    table::align(&mut table, |place| matches!(place, 1 | 3 | 4 | 7));
    format!("{table}\n")
}

/// The same as JSON, with the statements that were received.
pub fn history_json(history: &History) -> Value {
    let closes = history.closes.iter().map(|known| {
        let statements = known.close.statements.iter();
        let open = known.close.open.iter();
        json!({
            "day": known.day().to_string(),
            "record": known.record,
            "at": known.at.to_string(),
            "last_record": known.close.last.0,
            "statements": statements.map(|it| hexadecimal::digits(&it.0)).collect::<Vec<_>>(),
            "matching_sha256": matching(known),
            "open": open.map(|it| json!({ "reason": it.reason, "count": it.count }))
                .collect::<Vec<_>>(),
            "reopened": known.reopened,
        })
    });
    let statements = history.statements.iter().map(|it| {
        json!({
            "record": it.record,
            "sha256": hexadecimal::digits(&it.statement.sha256.0),
            "source": it.statement.source.name(),
            "origin": it.statement.origin,
            "begins": it.statement.begins.to_string(),
            "ends": it.statement.ends.to_string(),
        })
    });
    json!({ "closes": closes.collect::<Vec<_>>(), "statements": statements.collect::<Vec<_>>() })
}

fn matching(known: &ClosedDay) -> Option<String> {
    known.close.matching.map(|hash| hexadecimal::digits(&hash.0))
}

fn accounts(book: &DayBook) -> Table {
    let mut table =
        table::with_header(["account", "in", "opening", "debits", "credits", "closing"]);
    for line in &book.lines {
        let text = |amount: i128| decimal(amount, line.scale);
        table.add_row([
            line.name(),
            line.commodity.clone(),
            text(line.opening),
            text(line.debits),
            text(line.credits),
            text(line.closing()),
        ]);
    }
    table::align(&mut table, |place| place >= 2);
    table
}

fn accounts_json(book: Option<&DayBook>) -> Value {
    let periods = book.cloned().into_iter().collect();
    let mut periods = Days { periods }.json();
    periods.get_mut(0).map_or(Value::Null, |period| period["accounts"].take())
}

fn late_json(late: &Late) -> Value {
    json!({
        "record": late.record,
        "belongs_to": late.belongs_to.to_string(),
        "id": late.id,
        "account": late.account,
        "amount": late.amount,
    })
}
