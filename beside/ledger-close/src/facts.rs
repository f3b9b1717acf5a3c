//! Bodies of the facts that a person reports, as JSON.

use std::collections::BTreeMap;

use ledger_matching::{Direction, Quantity, Statement};
use ledger_store::days::DayLine;
use ledger_store::export::decimal;
use serde_json::{Value, json};

use crate::day::{DayToClose, OpenItems};
use crate::evidence::Evidence;
use crate::history::History;

/// Who decides, and why.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The operator's name.
    pub actor: &'a str,
    /// The operator's reason, in words.
    pub reason: &'a str,
}

impl Decided<'_> {
    fn with(self, mut body: Value) -> Value {
        body["actor"] = self.actor.into();
        body["reason"] = self.reason.into();
        body
    }
}

/// The body of `day.closed`; `None` where the ledger has not come to the day.
///
/// Its id has the day and how often it was closed before: the same close has the same id.
#[must_use]
pub fn day_closed(day: &DayToClose, evidence: &Evidence, decided: Decided<'_>) -> Option<Value> {
    let accounts = day.book.as_ref()?.lines.iter().map(account);
    let number = day.history.times_closed(day.day) + 1;
    let matched = evidence.matched.as_ref();
    let left = matched.into_iter().flat_map(|matched| &matched.open);
    let open = day.open.iter().chain(left);
    let open = open
        .map(|OpenItems { reason, count }| json!({ "reason": reason, "count": count.to_string() }));
    let statements = evidence.statements.iter().map(|sha256| json!({ "sha256": sha256 }));
    Some(decided.with(json!({
        "id": format!("close-{}-{number}", day.day),
        "day": day.day.to_string(),
        "accounts": accounts.collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
        "matching_sha256": matched.map(|matched| &matched.sha256),
        "open": open.collect::<Vec<_>>(),
    })))
}

/// The body of `day.reopened`, with an id of the day and how often it was reopened before.
#[must_use]
pub fn day_reopened(history: &History, day: ledger_matching::Day, decided: Decided<'_>) -> Value {
    let number = history.times_reopened(day) + 1;
    decided.with(json!({ "id": format!("reopen-{day}-{number}"), "day": day.to_string() }))
}

/// The body of `statement.received`; its id is of the file's hash. `None` where the file says no
/// day and has no movement.
#[must_use]
pub fn statement_received(statement: &Statement, decided: Decided<'_>) -> Option<Value> {
    let mut totals: BTreeMap<String, Value> = BTreeMap::new();
    let names = statement.movements.iter().map(|it| it.account.name());
    for name in names.chain(statement.balances.iter().map(|it| it.account.name())) {
        totals.entry(name.clone()).or_insert_with(|| total(statement, &name));
    }
    let (begins, ends) = (statement.from?.end().day_begins_in_brasilia(), statement.to?.end());
    let made = statement.made.as_deref();
    let made = made.and_then(ledger_core::time::Instant::parse).map(|made| made.to_string());
    Some(decided.with(json!({
        "id": format!("statement-{}", statement.sha256),
        "sha256": statement.sha256,
        "source": statement.source.name(),
        "origin": Some(&statement.origin).filter(|origin| !origin.is_empty()),
        "begins": begins.to_string(),
        "ends": ends.to_string(),
        "made_at": made,
        "totals": totals.into_values().collect::<Vec<_>>(),
    })))
}

/// The sums of one account; a balance below zero is left out, as nothing says which side it is of.
fn total(statement: &Statement, name: &str) -> Value {
    let own = statement.movements.iter().filter(|it| it.account.name() == name);
    let count = own.clone().count();
    let sum = |direction| {
        let moved = own.clone().filter(|it| it.direction == direction);
        above_zero(moved.map(|it| it.amount).sum())
    };
    let balance = statement.balances.iter().find(|it| it.account.name() == name);
    json!({
        "name": name,
        "opening": balance.and_then(|it| it.opening).and_then(above_zero),
        "closing": balance.and_then(|it| it.closing).and_then(above_zero),
        "incoming": sum(Direction::In),
        "outgoing": sum(Direction::Out),
        "movements": Some(count.to_string()).filter(|_| count > 0),
    })
}

fn above_zero(amount: Quantity) -> Option<String> {
    (Quantity::default() < amount).then(|| amount.to_string())
}

fn account(line: &DayLine) -> Value {
    let amount = |units: i128| (units > 0).then(|| decimal(units, line.scale));
    json!({
        "name": line.account,
        "asset": Some(&line.commodity).filter(|commodity| *commodity != "BRL"),
        "chain": Some(&line.network).filter(|network| !network.is_empty()),
        "opening_debit": amount(line.opening),
        "opening_credit": amount(-line.opening),
        "debits": amount(line.debits),
        "credits": amount(line.credits),
    })
}
