//! Which tokens have a value, and where, as the log says it.

use std::collections::HashMap;

use super::format::entry::{Content, Entry};
use super::format::names::Place;
use crate::vault::row::Token;

/// The tokens that have a value, as far as the log was read for it.
#[derive(Debug)]
pub(super) struct Kept {
    /// The first entry that was not.
    pub(super) next: u64,
    pub(super) tokens: HashMap<Token, Place>,
}

impl Default for Kept {
    fn default() -> Self {
        Self { next: 1, tokens: HashMap::new() }
    }
}

impl Kept {
    /// Goes on over the next entry.
    pub(super) fn apply(&mut self, entry: &Entry) {
        match &entry.content {
            Content::Committed { tokens, values_at, .. } => {
                let place = Place { epoch: entry.epoch, number: *values_at };
                for token in tokens {
                    self.tokens.entry(**token).or_insert(place);
                }
            }
            Content::Erased { token, .. } => {
                self.tokens.remove(&**token);
            }
            _ => {}
        }
        self.next += 1;
    }
}

/// Which value an entry says to erase.
pub(super) fn erased(content: &Content) -> Option<(Token, Place)> {
    match content {
        Content::Erased { token, epoch, values_at } => {
            Some((**token, Place { epoch: *epoch, number: *values_at }))
        }
        _ => None,
    }
}
