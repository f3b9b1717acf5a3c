//! Which tokens have a value, and where, as the log says it.

use std::collections::{HashMap, HashSet};

use super::format::entry::{Content, Entry, RowHead};
use super::format::names::ValueLocation;
use crate::state::vault::row::Token;

/// The tokens that have a value, as far as the log was read for it.
#[derive(Debug)]
pub(super) struct VaultIndex {
    /// The first entry that was not.
    pub(super) next: u64,
    pub(super) tokens: HashMap<Token, ValueLocation>,
    /// The tokens whose value was erased, and after which record.
    pub(super) erased: HashMap<Token, u64>,
    /// The tokens whose value was not where the log says that it is.
    pub(super) lost: HashSet<Token>,
    /// The last record so far.
    seq: u64,
}

impl Default for VaultIndex {
    fn default() -> Self {
        Self {
            next: 1,
            tokens: HashMap::new(),
            erased: HashMap::new(),
            lost: HashSet::new(),
            seq: 0,
        }
    }
}

impl VaultIndex {
    /// Goes on over the next entry.
    pub(super) fn apply(&mut self, entry: &Entry) {
        match &entry.content {
            Content::Committed { rows, tokens, values_at } => {
                self.seq = rows.last().map_or(self.seq, RowHead::last);
                let place = ValueLocation { epoch: entry.epoch, number: *values_at };
                for token in tokens {
                    self.tokens.entry(**token).or_insert(place);
                    self.lost.remove(&**token);
                }
            }
            Content::Erased { token, .. } => {
                self.tokens.remove(&**token);
                self.lost.remove(&**token);
                self.erased.insert(**token, self.seq);
            }
            _ => {}
        }
        self.next += 1;
    }
}

/// Which value an entry says to erase.
pub(super) fn erased_value(content: &Content) -> Option<(Token, ValueLocation)> {
    match content {
        Content::Erased { token, epoch, values_at } => {
            Some((**token, ValueLocation { epoch: *epoch, number: *values_at }))
        }
        _ => None,
    }
}
