//! What the ledger knows of PIX that moved the floats at the provider.

use std::collections::BTreeMap;

use ledger_core::accounting::Account;
use ledger_core::id::{Kind as OperationKind, LedgerName, OpId};
use ledger_core::ledger::{Event, Record, Scope};
use ledger_core::machine::suspense;
use ledger_core::pix::EndToEnd;
use ledger_core::time::{Instant, Span};
use ledger_store::Journal;
use ledger_store::sequencer::{ReplayError, Sequencer};

use crate::line::{Direction, Kind};

/// A PIX that the ledger has booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its end-to-end id or its return id; of what went back out of suspense, the fact's own.
    pub id: String,
    /// Where the money went.
    pub direction: Direction,
    /// A payment or a return.
    pub kind: Kind,
    /// The amount in centavos, above zero.
    pub cents: i64,
    /// The day in Brasília on which it was paid, YYYY-MM-DD.
    pub day: String,
    /// The record that booked it.
    pub record: u64,
    /// The operation that it is of.
    pub operation: Option<OpId>,
}

/// Every PIX that a ledger has booked, and how their operations are called.
#[derive(Debug, Default)]
pub struct Ours {
    /// In the order in which they were booked.
    pub items: Vec<Item>,
    /// Places of items by id and direction: a PIX between two customers is sent and received.
    by_id: BTreeMap<(String, Direction), usize>,
    by_operation: BTreeMap<OpId, Vec<usize>>,
    /// Operations by the ids that clients gave them, letter by letter.
    by_name: BTreeMap<String, Vec<OpId>>,
    /// Operations by their own ids, as a `txid` writes them.
    by_own_id: BTreeMap<String, OpId>,
    texts: BTreeMap<OpId, String>,
}

impl Ours {
    /// Reads the whole journal of the ledger of this name.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] where the journal cannot be replayed.
    pub fn read(journal: &mut dyn Journal, name: &str) -> Result<Self, ReplayError> {
        let mut ours = Self::default();
        Sequencer::open(journal, name, |sequencer, record| {
            ours.follow(&sequencer.ledger().state.name, record);
        })?;
        Ok(ours)
    }

    /// Takes in the next record of the ledger of this name.
    pub fn follow(&mut self, name: &LedgerName, record: &Record) {
        for event in &record.events {
            if let Some((op, _, external_id)) = event.creation() {
                let text = op.text(name);
                if let Some(called) = external_id {
                    self.by_name.entry(called.to_owned()).or_default().push(op);
                }
                self.by_own_id.insert(as_txid(&text), op);
                self.texts.insert(op, text);
            }
        }
        self.add_record(record);
    }

    /// The place of the item of this id that went this way.
    pub(crate) fn by_id(&self, id: &str, direction: Direction) -> Option<usize> {
        self.by_id.get(&(id.to_owned(), direction)).copied()
    }

    /// The places of the items of an operation.
    pub(crate) fn of_operation(&self, op: OpId) -> &[usize] {
        self.by_operation.get(&op).map_or(&[], Vec::as_slice)
    }

    /// The operations of this id: ours, which a `txid` writes without its line and in whichever
    /// letters, or a client's, letter by letter.
    #[must_use]
    pub fn find_by_id(&self, name: &str) -> Vec<OpId> {
        let own = self.by_own_id.get(&as_txid(name));
        let clients = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        own.into_iter().chain(clients).copied().collect()
    }

    /// Returns what an operation is called.
    #[must_use]
    pub fn text(&self, op: OpId) -> &str {
        self.texts.get(&op).map_or("", String::as_str)
    }

    fn add_record(&mut self, record: &Record) {
        let ids = record.events.iter().flat_map(|event| {
            let op = event.op();
            event.outsides().map(move |id| (id, op))
        });
        let first = record.events.iter().find_map(Event::op);
        let own = record.outside.iter().map(|id| (id.clone(), first));
        let of_suspense = first.is_some_and(|op| op.kind() == OperationKind::Suspense);
        let mut is_booked = false;
        for (outside, operation) in ids.chain(own) {
            let (direction, kind) = match outside.scope {
                // What left suspense by a return without an id is known by its fact alone.
                Scope::Fact if of_suspense && !is_booked => (left_by(record), Kind::Return),
                Scope::ReturnedDeposit if of_suspense && sent_back(record) => {
                    (left_by(record), Kind::Return)
                }
                Scope::ReceivedPix => (Direction::In, Kind::Payment),
                Scope::SentPix => (Direction::Out, Kind::Payment),
                Scope::ReturnedDeposit => (Direction::Out, Kind::Return),
                Scope::ReturnedPayout => (Direction::In, Kind::Return),
                _ => continue,
            };
            let cents = moved_cents(record, direction);
            let key = (outside.id.to_string(), direction);
            // What a later record says of a PIX again moved it before.
            if cents == 0 || self.by_id.contains_key(&key) {
                continue;
            }
            is_booked = true;
            self.by_id.insert(key, self.items.len());
            if let Some(op) = operation {
                self.by_operation.entry(op).or_default().push(self.items.len());
            }
            self.items.push(Item {
                id: outside.id.to_string(),
                direction,
                kind,
                cents,
                day: day_of(record, &outside.id),
                record: record.seq.0,
                operation,
            });
        }
    }
}

/// Tells whether the record says by which return something left suspense.
fn sent_back(record: &Record) -> bool {
    record.events.iter().any(|event| {
        matches!(event, Event::Suspense { event: suspense::Event::SentBack { .. }, .. })
    })
}

/// Which way a record moved what left suspense: out to its payer, or in from whoever had it.
fn left_by(record: &Record) -> Direction {
    if moved_cents(record, Direction::Out) == 0 { Direction::In } else { Direction::Out }
}

/// How many centavos a record moved into, or out of, the floats at the provider.
fn moved_cents(record: &Record, direction: Direction) -> i64 {
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

/// One of our own ids as a `txid` writes it: a prefix and hexadecimal digits, without the line
/// between them, so that no two ids become one.
fn as_txid(id: &str) -> String {
    id.replacen('_', "", 1).to_ascii_lowercase()
}

/// The day on which a PIX was paid, in Brasília: by the instant that was told of it; where only the
/// report's is known, by the minute in its end-to-end id, if that is shortly before the report.
fn day_of(record: &Record, id: &str) -> String {
    let reported = record.original.unwrap_or(record.at);
    let mut pix = record.events.iter().filter_map(Event::paid_pix);
    let told = pix.find(|(known, _)| *known == id).map(|(_, paid_at)| paid_at);
    let told = told.filter(|paid| *paid < reported);
    let began = || sent_minute(id).filter(|at| *at <= reported && reported.since(*at) <= SOON);
    told.or_else(began).unwrap_or(reported).day_in_brasilia().to_string()
}

/// For how long after its beginning a PIX is believed to have been on its way to the ledger.
const SOON: Span = Span::seconds(15 * 60);

/// The minute in which a PIX began, as its end-to-end id says it, in UTC.
fn sent_minute(id: &str) -> Option<Instant> {
    let parts = EndToEnd::parse(id)?.parts()?;
    let minute = &*parts.minute;
    let (year, month, day) = (&minute[..4], &minute[4..6], &minute[6..8]);
    let (hour, minute) = (&minute[8..10], &minute[10..12]);
    Instant::parse(&format!("{year}-{month}-{day}T{hour}:{minute}:00Z"))
}
