//! A checkpoint: what a ledger says of itself at one record, in the text of C2SP tlog-checkpoint.
//!
//! ```text
//! ledger.example.com/live/live            origin: whose key, which ledger, its environment
//! 1234                                    records
//! CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=        root of the tree over their links
//! chain BLAKE3 38701383ba4c...            the chain's link after the last record
//! time 2026-11-20T12:00:00Z               the instant of the last record
//! balances 57 wqWfYqkTbZ0...=             how many balances, and the root of their tree
//! total cust:BRL 1500000 0                a column: owed to customers, owed by customers
//! ```
//!
//! Lines after the third are extensions of ours; a reader passes over those it does not know.

use std::fmt;

use thiserror::Error;

use super::Hash;
use super::balances::{Owed, Total};
use ledger_store::chain::{Algorithm, Link};
use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::signing::note::{Note, NoteRefused};

/// What a ledger says of itself at one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose it is: the key's name, the ledger's and its environment.
    pub origin: String,
    /// How many records the ledger has.
    pub size: u64,
    /// The root of the tree over their links.
    pub root: Hash,
    /// The hash function of the chain.
    pub algorithm: Algorithm,
    /// The chain's link after the last record.
    pub head: Link,
    /// The instant of the last record, RFC 3339.
    pub time: String,
    /// The tree of balances at that record.
    pub balances: Balances,
}

/// The tree of balances, as a checkpoint says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balances {
    /// How many leaves it has.
    pub count: u64,
    /// The root of the tree of balances.
    pub root: Hash,
    /// The total of each column, in order.
    pub totals: Vec<Total>,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckpointRefused {
    /// A line is not what it must be.
    #[error("line {line} of the checkpoint is not {expected}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What it must be.
        expected: &'static str,
    },
    /// A line of ours is missing.
    #[error("the checkpoint has no line `{name}`")]
    Missing {
        /// The line's first word.
        name: &'static str,
    },
    /// The signature is not believed.
    #[error(transparent)]
    Note(#[from] NoteRefused),
    /// The origin is not the key's name.
    #[error("the checkpoint is of {found}, and the key is of {expected}")]
    Origin {
        /// The key's name.
        expected: String,
        /// The origin in the checkpoint.
        found: String,
    },
    /// The file has none of this size.
    #[error("no checkpoint of {origin} at {size} records is in the file, which has {found}")]
    NoneOfSize {
        /// Whose it must be.
        origin: String,
        /// How many records it must have.
        size: u64,
        /// What there is.
        found: String,
    },
}

impl Checkpoint {
    /// Reads the text of a checkpoint. Extensions that are not known are passed over.
    ///
    /// # Errors
    ///
    /// [`CheckpointRefused`] naming the first line at fault.
    pub fn parse(text: &str) -> Result<Self, CheckpointRefused> {
        let wrong = |line, expected| CheckpointRefused::Malformed { line, expected };
        let lines: Vec<&str> = text.lines().collect();
        let line = |number: usize| lines.get(number - 1).copied().unwrap_or_default();
        let origin = line(1).to_owned();
        if origin.is_empty() {
            return Err(wrong(1, "an origin"));
        }
        let size = number(line(2)).ok_or(wrong(2, "a number of records"))?;
        let root = Hash::from_base64(line(3)).map_err(|_| wrong(3, "a hash in base64"))?;
        let (mut chain, mut time, mut tree, mut totals) = (None, None, None, Vec::new());
        for (place, extension) in (4..).zip(lines.iter().skip(3)) {
            match extension.split_once(' ') {
                Some(("chain", rest)) => {
                    let read = head(rest).ok_or(wrong(place, "chain ALGORITHM LINK"))?;
                    chain = Some(read);
                }
                Some(("time", rest)) => time = Some(rest.to_owned()),
                Some(("balances", rest)) => {
                    let read = rest.split_once(' ').and_then(|(count, root)| {
                        Some((number(count)?, Hash::from_base64(root).ok()?))
                    });
                    tree = Some(read.ok_or(wrong(place, "balances NUMBER ROOT"))?);
                }
                Some(("total", rest)) => {
                    let read = total(rest).ok_or(wrong(place, "total COLUMN OWED-TO OWED-BY"))?;
                    totals.push(read);
                }
                _ => {}
            }
        }
        let missing = |name| CheckpointRefused::Missing { name };
        let (algorithm, head) = chain.ok_or(missing("chain"))?;
        let time = time.ok_or(missing("time"))?;
        let (count, root_of_balances) = tree.ok_or(missing("balances"))?;
        let balances = Balances { count, root: root_of_balances, totals };
        Ok(Self { origin, size, root, algorithm, head, time, balances })
    }

    /// Signs the checkpoint's text as a note.
    #[must_use]
    pub fn sign(&self, signer: &Signer) -> Note {
        Note::sign(&self.to_string(), signer)
    }

    /// The checkpoint of a note that the key signed, and whose origin is the key's name.
    ///
    /// # Errors
    ///
    /// [`CheckpointRefused`].
    pub fn from_signed_note(note: &Note, key: &Verifier) -> Result<Self, CheckpointRefused> {
        note.verify(key)?;
        let checkpoint = Self::parse(&note.text)?;
        if checkpoint.origin != key.name() {
            let (expected, found) = (key.name().to_owned(), checkpoint.origin);
            return Err(CheckpointRefused::Origin { expected, found });
        }
        Ok(checkpoint)
    }

    /// The checkpoint at `size` records among those of a file, if the key signed it; the last of
    /// the key's origin where no size is asked for.
    ///
    /// # Errors
    ///
    /// [`CheckpointRefused`]; where there is none of this size, which there are.
    pub fn find(file: &str, key: &Verifier, size: Option<u64>) -> Result<Self, CheckpointRefused> {
        let notes = Note::all(file);
        let mine = |note: &&Note| {
            let mut lines = note.text.lines();
            let origin = lines.next() == Some(key.name());
            origin && size.is_none_or(|size| lines.next() == Some(&*size.to_string()))
        };
        if let Some(note) = notes.iter().rev().find(mine) {
            return Self::from_signed_note(note, key);
        }
        // A lone note is named by what is wrong with it.
        if let [only] = &*notes {
            Self::from_signed_note(only, key)?;
        }
        let said = |note: &Note| {
            let mut lines = note.text.lines();
            let (origin, size) = (lines.next().unwrap_or("?"), lines.next().unwrap_or("?"));
            format!("{origin} at {size}")
        };
        let last: Vec<String> = notes.iter().rev().take(3).map(said).collect();
        let found = if last.is_empty() { "none at all".to_owned() } else { last.join(", ") };
        let (origin, size) = (key.name().to_owned(), size.unwrap_or_default());
        Err(CheckpointRefused::NoneOfSize { origin, size, found })
    }
}

/// Reads a number as checkpoints write it: without a plus sign or zeros before it.
#[must_use]
pub fn number<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}

fn head(rest: &str) -> Option<(Algorithm, Link)> {
    let (name, link) = rest.split_once(' ')?;
    let known = [Algorithm::Blake3, Algorithm::Sha256];
    let algorithm = known.into_iter().find(|known| known.to_string() == name)?;
    Some((algorithm, link.parse().ok()?))
}

fn total(rest: &str) -> Option<Total> {
    let mut words = rest.split(' ');
    let column = words.next()?.to_owned();
    let owed = Owed { to: number(words.next()?)?, by: number(words.next()?)? };
    words.next().is_none().then_some(Total { column, owed })
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, size, root, algorithm, head, time, balances } = self;
        writeln!(f, "{origin}\n{size}\n{}", root.base64())?;
        writeln!(f, "chain {algorithm} {head}\ntime {time}")?;
        writeln!(f, "balances {} {}", balances.count, balances.root.base64())?;
        for Total { column, owed } in &balances.totals {
            writeln!(f, "total {column} {} {}", owed.to, owed.by)?;
        }
        Ok(())
    }
}
