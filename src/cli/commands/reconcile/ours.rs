//! What the ledger knows of PIX that moved the floats at the provider.

use std::collections::BTreeMap;

use ledger_core::accounting::Account;
use ledger_core::id::{Environment, Kind as OperationKind, OpId};
use ledger_core::ledger::{Event, Record, Scope};
use ledger_store::Journal;
use ledger_store::sequencer::Sequencer;

use super::line::{Direction, Kind};
use crate::Failure;

/// A PIX that the ledger has booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its end-to-end id or its return id; of what went back out of suspense, the fact's own.
    pub id: String,
    pub direction: Direction,
    pub kind: Kind,
    /// In centavos.
    pub cents: i64,
    /// The day in Brasília on which it happened, as it was reported, YYYY-MM-DD.
    pub day: String,
    /// The record that booked it.
    pub record: u64,
    /// The operation that it is of.
    pub operation: Option<OpId>,
}

/// All of them, and how their operations are called.
#[derive(Default)]
pub struct Ours {
    /// In the order in which they were booked.
    pub items: Vec<Item>,
    /// Places of items by id and direction: a PIX between two customers is sent and received.
    by_id: BTreeMap<(String, Direction), usize>,
    by_operation: BTreeMap<OpId, Vec<usize>>,
    /// Operations by their ids and by those that clients gave them, in the letters of a `txid`.
    by_name: BTreeMap<String, Vec<OpId>>,
    texts: BTreeMap<OpId, String>,
}

impl Ours {
    /// Reads the whole journal.
    pub fn of(journal: &mut dyn Journal, environment: Environment) -> Result<Self, Failure> {
        let mut ours = Self::default();
        let name = environment.into();
        Sequencer::open(journal, environment.name(), |_, record| {
            for event in &record.events {
                if let Some((op, _, external_id)) = event.created() {
                    let text = op.text(&name);
                    for called in [Some(&*text), external_id].into_iter().flatten() {
                        ours.by_name.entry(letters(called)).or_default().push(op);
                    }
                    ours.texts.insert(op, text);
                }
            }
            ours.booked(record);
        })?;
        Ok(ours)
    }

    /// The item of this id that went this way.
    pub fn by_id(&self, id: &str, direction: Direction) -> Option<usize> {
        self.by_id.get(&(id.to_owned(), direction)).copied()
    }

    /// The places of the items of an operation.
    pub fn of_operation(&self, op: OpId) -> &[usize] {
        self.by_operation.get(&op).map_or(&[], Vec::as_slice)
    }

    /// The operations of this id, ours or a client's, perhaps as a `txid` writes it.
    pub fn named(&self, external_id: &str) -> &[OpId] {
        self.by_name.get(&letters(external_id)).map_or(&[], Vec::as_slice)
    }

    /// What an operation is called.
    pub fn text(&self, op: OpId) -> &str {
        self.texts.get(&op).map_or("", String::as_str)
    }

    fn booked(&mut self, record: &Record) {
        let ids = record.events.iter().flat_map(|event| {
            let op = event.op();
            event.outsides().map(move |id| (id, op))
        });
        let first = record.events.iter().find_map(Event::op);
        let own = record.outside.iter().map(|id| (id.clone(), first));
        for (outside, operation) in ids.chain(own) {
            let (direction, kind) = match outside.scope {
                // What was sent back out of suspense is known by its fact alone.
                Scope::Fact if first.is_some_and(|op| op.kind() == OperationKind::Suspense) => {
                    (Direction::Out, Kind::Return)
                }
                Scope::ReceivedPix => (Direction::In, Kind::Payment),
                Scope::SentPix => (Direction::Out, Kind::Payment),
                Scope::ReturnedDeposit => (Direction::Out, Kind::Return),
                Scope::ReturnedPayout => (Direction::In, Kind::Return),
                _ => continue,
            };
            let cents = moved(record, direction);
            let key = (outside.id.to_string(), direction);
            // What a later record says of a PIX again moved it before.
            if cents == 0 || self.by_id.contains_key(&key) {
                continue;
            }
            self.by_id.insert(key, self.items.len());
            if let Some(op) = operation {
                self.by_operation.entry(op).or_default().push(self.items.len());
            }
            self.items.push(Item {
                id: outside.id.to_string(),
                direction,
                kind,
                cents,
                // What was reported late counts from then on, and happened when it was said to.
                day: record.original.unwrap_or(record.at).day_in_brasilia().to_string(),
                record: record.seq.0,
                operation,
            });
        }
    }
}

/// How many centavos a record moved into, or out of, the floats at the provider.
fn moved(record: &Record, direction: Direction) -> i64 {
    let is_float = |account| matches!(account, Account::ProviderPix | Account::ProviderPay);
    let mut moved = 0;
    for event in &record.events {
        for m in event.entry().moves() {
            let (here, there) = match direction {
                Direction::In => (m.debit, m.credit),
                Direction::Out => (m.credit, m.debit),
            };
            if is_float(here) && !is_float(there) && there != Account::Funding {
                moved += m.amount.cents();
            }
        }
    }
    moved
}

/// An id in the letters that a `txid` may have, all small.
fn letters(id: &str) -> String {
    id.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}
