//! Mentions: everything that a journal says of a person, read from its first record to its last.

use std::collections::BTreeSet;
use std::fmt;

use ledger_core::contract::{Sort, Tokens};
use ledger_core::id::{self, OpId, Seq};
use ledger_core::ledger::{Event, Operation, Record};
use ledger_core::machine::hold;

use super::{LegalHold, Person};
use crate::bytes::codec;
use crate::bytes::frame::RowBroken;
use crate::engines::sequencer::ReplayError;
use crate::journal::Journal;

/// How many rows are read at once.
const ROWS: usize = 256;

/// Everything that a journal says of a person.
pub struct Mentions {
    /// The last record that was read.
    pub until: u64,
    /// Each value of theirs that stands or stood in the vault.
    pub values: Vec<MentionedValue>,
    /// The operations that records naming them moved, and those about one of these: a hold on its
    /// money, what of it is in suspense.
    pub operations: BTreeSet<OpId>,
    /// The records that name them.
    pub records: BTreeSet<u64>,
    /// The legal holds on them, released ones too.
    pub holds: Vec<LegalHold>,
}

/// A value of a person. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct MentionedValue {
    /// What stands for it in records.
    pub token: id::Token,
    /// What sort of value it is.
    pub sort: Sort,
    /// The value; none once it was erased.
    pub value: Option<String>,
    /// The last record of when it was erased.
    pub erased: Option<u64>,
}

impl Mentions {
    /// Reads a whole journal for a person: their values, and texts that mention these.
    ///
    /// ```
    /// use ledger_core::pix::{Document, Letters};
    /// use ledger_store::vault::{Mentions, Person};
    /// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    ///
    /// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// let document = Document::parse("52998224725", Letters::Accepted).expect("it is a CPF");
    /// let of = Mentions::read(&mut journal, &Person::default().document(&document))?;
    /// assert!(of.operations.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ReplayError`] where the journal cannot be read.
    pub fn read(journal: &mut dyn Journal, person: &Person) -> Result<Self, ReplayError> {
        let values = values(journal, person)?;
        let is_theirs = |token: &[u8; 16]| values.iter().any(|value| value.token.0 == *token);
        let mut holds = journal.holds()?;
        holds.retain(|hold| hold.tokens.iter().any(is_theirs));
        let (operations, records) = (BTreeSet::new(), BTreeSet::new());
        let mut mentions = Self { until: 0, values, operations, records, holds };
        loop {
            let rows = journal.read(mentions.until + 1, ROWS)?;
            let Some(last) = rows.last() else { break };
            for frame in rows.iter().flat_map(|row| row.frames()) {
                let frame = frame.map_err(RowBroken::from)?;
                let seq = frame.seq;
                let record = codec::decode(Seq(seq), frame.record);
                let record = record.map_err(|source| ReplayError::Codec { seq, source })?;
                mentions.take(&record, frame.record);
            }
            mentions.until = last.last();
        }
        Ok(mentions)
    }

    fn take(&mut self, record: &Record, bytes: &[u8]) {
        let stands = |value: &MentionedValue| {
            bytes.windows(value.token.0.len()).any(|part| part == value.token.0)
        };
        let names = self.values.iter().any(stands);
        if names {
            self.records.insert(record.seq.0);
        }
        for op in record.events.iter().filter_map(Event::op) {
            if names || self.is_about_theirs(op, record) {
                self.operations.insert(op);
            }
        }
    }

    /// Tells whether a record makes an operation that is about one of theirs.
    fn is_about_theirs(&self, op: OpId, record: &Record) -> bool {
        if op.seq() != record.seq || self.operations.is_empty() {
            return false;
        }
        let Some(made) = Operation::after(op, [record]) else { return false };
        let cause = made.hold().and_then(|hold| match hold {
            hold::State::Absent => None,
            hold::State::Open(amounts) | hold::State::Closed(amounts) => amounts.order.cause,
        });
        cause.or(made.machine.waits_about()).is_some_and(|of| self.operations.contains(&of))
    }
}

/// Returns what the vault has or had of a person.
fn values(journal: &mut dyn Journal, person: &Person) -> Result<Vec<MentionedValue>, ReplayError> {
    let erased = journal.kept_tokens()?.erased;
    let mut values = Vec::new();
    for row in journal.vault()?.into_iter().filter(|row| person.has(row)) {
        let Some(sort) = Sort::ALL.into_iter().find(|sort| *sort as u8 == row.kind) else {
            continue;
        };
        let (token, value) = (id::Token(row.token), Some(row.value));
        values.push(MentionedValue { token, sort, value, erased: None });
    }
    let tokens = Tokens::new(journal.identity().vault_key);
    for (sort, token) in person.sorted_tokens(&tokens) {
        if values.iter().all(|known| known.token != token) {
            let erased = erased.get(&token.0).copied();
            values.push(MentionedValue { token, sort, value: None, erased });
        }
    }
    Ok(values)
}

impl fmt::Debug for Mentions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mentions").field("operations", &self.operations).finish_non_exhaustive()
    }
}

impl fmt::Debug for MentionedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MentionedValue").field("token", &self.token).finish_non_exhaustive()
    }
}
