//! Commands as JSON lines, in the form that `run` reads: what the contract's reader makes commands
//! of.
//!
//! Persons, keys and documents are tokens in a command; each gets a text of its own, made up once,
//! so that the reader's token for it stands wherever the command's stood. An operation is named by
//! the label of the line that created it, so that a list still holds together when lines are taken
//! out.

mod agents;
mod codes;
mod fact;
mod keys;
mod market;
mod payments;
mod people;
#[cfg(test)]
mod proof;
mod requests;
mod sales;
mod secrets;
mod terms;
mod wallets;
use std::collections::{BTreeMap, BTreeSet};

use ledger_core::contract::created_ids;
use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::{Command, Event, Execution, Intent, State};
use people::People;
use serde_json::{Map, Value, json};

/// The ledger that lines are about: of real money, as `run` takes a line that says nothing else.
pub(crate) const LEDGER: &str = "live";

/// The field of an answer that tells what must be sent to a deposit.
pub(super) const TO_SEND: &str = "amount_to_send";

/// Why a command cannot be said in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unrepresentable(pub(crate) &'static str);

/// Writes commands as lines, in the order in which they are executed.
pub(crate) struct Writer {
    people: People,
    /// Who created what, by the number of the line.
    created: BTreeMap<OpId, usize>,
    /// Which deposit wants exactly so much, the same way.
    wanted: BTreeMap<String, usize>,
    /// Who asked for a referral, the same way.
    referrals: BTreeMap<String, usize>,
    /// The lines that others refer to.
    named: BTreeSet<usize>,
    lines: Vec<Map<String, Value>>,
}

/// A command being written: what the ledger knows at this moment, and what stands for whom.
struct LineWriter<'a> {
    state: &'a State,
    people: &'a mut People,
    created: &'a BTreeMap<OpId, usize>,
    wanted: &'a BTreeMap<String, usize>,
    referrals: &'a BTreeMap<String, usize>,
    named: &'a mut BTreeSet<usize>,
}

type Written<T> = Result<T, Unrepresentable>;

impl Writer {
    pub(crate) fn new() -> Self {
        Self {
            people: People::new(),
            created: BTreeMap::new(),
            wanted: BTreeMap::new(),
            referrals: BTreeMap::new(),
            named: BTreeSet::new(),
            lines: Vec::new(),
        }
    }

    /// Writes `command`, which is about to be executed on `state`; gives the line's place.
    ///
    /// # Errors
    ///
    /// [`Unrepresentable`], when no line says it.
    pub(crate) fn write(&mut self, command: &Command, state: &State) -> Written<usize> {
        let line = self.write_line(command, state)?;
        self.lines.push(line);
        Ok(self.lines.len() - 1)
    }

    fn write_line(&mut self, command: &Command, state: &State) -> Written<Map<String, Value>> {
        let Self { people, created, wanted, referrals, named, .. } = self;
        let mut pen = LineWriter { state, people, created, wanted, referrals, named };
        let mut line = match &command.what {
            Intent::Request(account, request) => pen.request(*account, request)?,
            Intent::Fact(reported) => pen.fact(reported, command.at)?,
            Intent::Public(_) => {
                return Err(Unrepresentable("an agent that registers beside real money"));
            }
            Intent::Enrolment(asked) => pen.enrolment(asked)?,
        };
        line.shift_insert(0, "at".into(), command.at.to_string().into());
        Ok(line)
    }

    /// Learns what the command of the line at `place` created.
    pub(crate) fn learn(&mut self, place: usize, execution: &Execution) {
        let own = execution.records.iter().filter(|record| !record.cause.deadline);
        for record in own {
            let ops = record.events.iter().filter_map(Event::op);
            for op in ops.filter(|op| op.seq() == record.seq) {
                self.created.entry(op).or_insert(place);
            }
            for (name, value) in created_ids(record, &LEDGER.into()) {
                match name {
                    "referral_id" => drop(self.referrals.insert(value, place)),
                    TO_SEND => drop(self.wanted.insert(value, place)),
                    _ => {}
                }
            }
        }
    }

    /// The text of every line, with labels where others refer to them.
    pub(crate) fn finish(self) -> Vec<String> {
        let named = self.named;
        let lines = self.lines.into_iter().enumerate().map(|(place, mut line)| {
            if named.contains(&place) {
                line.insert("as".into(), label(place).into());
            }
            Value::Object(line).to_string()
        });
        lines.collect()
    }
}

/// The name by which later lines refer to the line at `place`.
pub(crate) fn label(place: usize) -> String {
    format!("n{}", place + 1)
}

impl LineWriter<'_> {
    /// How a line names an operation: by who created it, or by its id where no line did.
    fn op(&mut self, op: Option<OpId>) -> String {
        match op {
            None => "none".into(),
            Some(op) => match self.created.get(&op) {
                Some(place) => {
                    self.named.insert(*place);
                    format!("${}.{}", label(*place), op.field())
                }
                None => op.text(&LEDGER.into()),
            },
        }
    }

    /// The key that opens an account now.
    fn key_of(&mut self, account: AccountId) -> Written<String> {
        let known = self.state.account(account).and_then(|account| account.key);
        let key = known.ok_or(Unrepresentable("a request of an account without a key"))?;
        Ok(self.people.key(key))
    }
}

/// A body without what is not given.
fn body(value: Value) -> Value {
    match value {
        Value::Object(map) => map.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

/// A line of these parts.
fn line(parts: Value) -> Map<String, Value> {
    match body(parts) {
        Value::Object(map) => map,
        other => unreachable!("a line is an object, not {other}"),
    }
}

/// A request by its route.
fn request(route: &str, key: &str, asked: Value) -> Map<String, Value> {
    line(json!({ "request": route, "key": key, "body": body(asked) }))
}

/// A body of these fields in the clear, and of the others.
fn merge_fields(mut clear: Map<String, Value>, others: Value) -> Value {
    if let Value::Object(others) = others {
        clear.extend(others);
    }
    Value::Object(clear)
}

/// An end-to-end id of 32 letters and digits, the same for the same id.
pub(crate) fn end_to_end(id: &str) -> String {
    if id.len() == 32 && id.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    let plain: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("E{plain:0>31}")
}
