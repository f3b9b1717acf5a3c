//! Which tokens records name, and whether the vault accounts for each: by a value, or by an erasure
//! that was noted.

use std::collections::{HashMap, HashSet};

use ledger_core::ledger::{Event, Record};
use ledger_core::machine::agent;

use super::row::Token;

/// The kinds of a CBOR item that is a string.
const BYTES: u8 = 2;
const TEXT: u8 = 3;

/// Of which tokens a journal has values, and which were erased, as of one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptTokens {
    /// Those that have a value.
    pub kept: HashSet<Token>,
    /// Those whose value was erased, each with the last record of that moment.
    pub erased: HashMap<Token, u64>,
    /// Those whose value the medium itself says that it has lost.
    pub lost: Vec<Token>,
    /// The record up to which nobody noted erasures: of what those name, nothing can be said.
    pub since: u64,
}

/// The tokens that records name.
#[derive(Debug, Default)]
pub(crate) struct NamedTokens {
    /// The record after which reading began.
    after: u64,
    /// The first and the last record that names each.
    within: HashMap<Token, (u64, u64)>,
}

/// Tokens that records name and whose value no vault learned with them.
#[derive(Debug, Default)]
pub(crate) struct ValuelessTokens(HashSet<Token>);

/// A value that is not where it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unaccounted {
    /// The value of a token that records name, this one first, is gone, and so are so many others.
    Missing { token: Token, first: u64, others: u64 },
    /// A value is back that was erased after this record.
    Back { token: Token, erased: u64 },
}

impl NamedTokens {
    /// Those of the records after this one.
    pub(crate) fn after(seq: u64) -> Self {
        Self { after: seq, ..Self::default() }
    }

    /// Reads a record from its bytes. Bytes that are none are for whoever decodes them to refuse.
    pub(crate) fn read(&mut self, seq: u64, bytes: &[u8]) {
        for token in tokens(bytes) {
            self.within.entry(token).or_insert((seq, seq)).1 = seq;
        }
    }

    /// Those of which nothing is kept, in order.
    pub(crate) fn without_value(&self, kept: &HashSet<Token>) -> Vec<Token> {
        let tokens = self.within.keys().filter(|token| !kept.contains(*token));
        let mut tokens: Vec<Token> = tokens.copied().collect();
        tokens.sort_unstable();
        tokens
    }

    /// The first value that is not accounted for.
    pub(crate) fn first_unaccounted(
        &self,
        valueless: &ValuelessTokens,
        vault: &KeptTokens,
    ) -> Option<Unaccounted> {
        let KeptTokens { kept, erased, lost, since } = vault;
        // A ledger that keeps no values names persons all the same: a simulated one does.
        if kept.is_empty() && erased.is_empty() && lost.is_empty() {
            return None;
        }
        // Records that were not read may have named them while nobody noted erasures.
        let is_whole = self.after == 0 || *since == 0;
        let gone = |token: &Token| {
            !kept.contains(token) && !erased.contains_key(token) && !valueless.0.contains(token)
        };
        let named = self
            .within
            .iter()
            .filter(|(token, (first, _))| is_whole && since < first && gone(token));
        let mut missing: Vec<(u64, Token)> = named.map(|(token, of)| (of.0, *token)).collect();
        missing.extend(lost.iter().filter_map(|token| Some((self.within.get(token)?.0, *token))));
        missing.sort_unstable();
        if let [(first, token), others @ ..] = &missing[..] {
            let (first, token, others) = (*first, *token, others.len() as u64);
            return Some(Unaccounted::Missing { token, first, others });
        }
        // Whoever comes back is named by the record that brings them.
        let last = |token: &Token| self.within.get(token).map_or(0, |of| of.1);
        let back = erased.iter().filter(|(token, erased)| {
            kept.contains(*token) && self.after <= **erased && last(token) <= **erased
        });
        back.min().map(|(token, erased)| Unaccounted::Back { token: *token, erased: *erased })
    }
}

impl ValuelessTokens {
    /// Notes those of a record: addresses of callers, the locations of codes, and whoever had been
    /// erased before an account was carried here.
    pub(crate) fn note(&mut self, record: &Record) {
        for event in &record.events {
            self.0.extend(event.valueless().map(|token| token.0));
            match event {
                Event::Enrolled { address, .. } => drop(self.0.insert(address.0)),
                Event::Agent { event: agent::Event::Registered(profile), .. } => {
                    self.0.extend(profile.address.map(|address| address.0));
                }
                Event::Agent { event: agent::Event::Admitted(admission), .. } => {
                    self.0.extend(admission.profile.address.map(|address| address.0));
                }
                Event::AccountCarried { carried, .. } => {
                    let bytes = minicbor::to_vec(carried).expect("memory takes what is written");
                    self.0.extend(tokens_of(&bytes));
                }
                _ => {}
            }
        }
    }
}

/// The tokens in the bytes of a record, whose first says the version: no other string of a record
/// has 16 bytes.
fn tokens(record: &[u8]) -> impl Iterator<Item = Token> + '_ {
    tokens_of(record.get(1..).unwrap_or_default())
}

/// The strings of 16 bytes in CBOR, whatever they are nested in: its items follow one another.
fn tokens_of(mut rest: &[u8]) -> impl Iterator<Item = Token> + '_ {
    std::iter::from_fn(move || {
        loop {
            let (&head, after) = rest.split_first()?;
            let (kind, information) = (head >> 5, head & 0x1f);
            let width = match information {
                24..28 => 1 << (information - 24),
                _ => 0,
            };
            let (argument, after) = after.split_at_checked(width)?;
            let length = match kind {
                BYTES | TEXT if width > 0 => {
                    argument.iter().fold(0, |length, byte| length << 8 | usize::from(*byte))
                }
                BYTES | TEXT if information < 24 => usize::from(information),
                _ => 0,
            };
            let (string, after) = after.split_at_checked(length)?;
            rest = after;
            if let (BYTES, Ok(token)) = (kind, string.try_into()) {
                return Some(token);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_of_a_record_are_found_wherever_they_are_nested() {
        let mut record = vec![1];
        let mut encoder = minicbor::Encoder::new(&mut record);
        encoder.array(4).unwrap().u64(70_000).unwrap().str("PPPPPPPPPPPPPPPPPPPP").unwrap();
        encoder.bytes(&[1; 16]).unwrap().map(1).unwrap().i64(-300).unwrap();
        encoder.array(3).unwrap().bytes(&[2; 32]).unwrap().bytes(&[3; 300]).unwrap();
        encoder.bytes(&[4; 16]).unwrap();
        let found: Vec<Token> = tokens(&record).collect();
        assert_eq!(found, [[1; 16], [4; 16]]);
        for end in 0..record.len() {
            assert!(tokens(&record[..end]).count() < 2, "cut at {end}");
        }
    }
}
