//! Where a file of lines was left: what the journal says of each of its lines (rulings 5).

use std::collections::HashMap;

use ledger_core::contract::made;
use ledger_core::ledger::{Origin, Record};
use ledger_sim::PLAYED;

/// What one ledger's journal records of one file.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// How often the file had been run afresh before the run that is recorded last.
    pub pass: u32,
    /// Whether any line of the file is recorded.
    pub begun: bool,
    /// The last line of that run whose own decision is recorded, or before which all are decided.
    pub last: u64,
    lines: HashMap<u64, Recorded>,
}

/// A line whose own decision is recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// In which run of the file.
    pub pass: u32,
    /// The keyed hash of its text.
    pub hash: u64,
    /// What its answer names of what it made.
    pub ids: Vec<(String, String)>,
}

impl Progress {
    /// Takes note of a record, if a line of `file` caused it.
    pub fn observe(&mut self, file: &str, ledger: &str, record: &Record) {
        let Origin::Line { source, pass, number, hash } = &record.cause.origin else { return };
        let (source, played) = match source.strip_prefix(PLAYED) {
            Some(source) => (source, true),
            None => (&**source, false),
        };
        if source != file {
            return;
        }
        self.begun = true;
        if *pass != self.pass {
            self.pass = *pass;
            self.last = 0;
        }
        if record.cause.deadline || played {
            // Whoever brought it due came after all lines before it, and reads among them cannot be
            // answered again as they were: time has passed since.
            self.last = self.last.max(number.saturating_sub(1));
        } else {
            self.last = *number;
            let made = made(record, ledger).into_iter();
            let ids = made.map(|(name, value)| (name.to_owned(), value)).collect();
            self.lines.insert(*number, Recorded { pass: *pass, hash: *hash, ids });
        }
    }

    /// What is recorded of a line, in its last run that recorded anything.
    pub fn line(&self, number: u64) -> Option<&Recorded> {
        self.lines.get(&number)
    }
}
