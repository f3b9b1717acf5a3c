//! What a writer appends, and where that leads.

use super::{AppendError, MAX_ROW_RECORDS, Row, VaultRow};
use crate::bytes::chain::{Algorithm, Chain, Link};

/// Where a journal ends.
///
/// ```
/// # use ledger_store::{Chain, Head, Journal as _, MemoryDisk, MemoryJournal, OpenMode};
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let genesis = Chain::genesis(journal.identity().algorithm, "live");
/// assert_eq!(journal.head()?, Head::from_chain(&genesis));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last record's sequence number; 0 while there is none.
    pub seq: u64,
    /// The link after it; the chain's genesis while there is none.
    pub link: Link,
}

/// What becomes durable together, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The head the writer believes in.
    pub previous: Head,
    /// The rows that follow it: at least one, without a gap.
    pub rows: Vec<Row>,
    /// Values the rows name by tokens not seen before; a token already kept keeps its value.
    pub vault: Vec<VaultRow>,
}

impl Commit {
    /// The head once this commit has landed.
    ///
    /// # Panics
    ///
    /// When the commit has no row.
    #[must_use]
    pub fn head(&self) -> Head {
        let row = self.rows.last().expect("a commit has at least one row");
        Head { seq: row.last(), link: row.link }
    }

    /// Why the writer of epoch `mine` could not append this commit, by what stands there.
    pub(super) fn append_error(&self, mine: u64, (found, current): (Head, u64)) -> AppendError {
        if current == mine {
            AppendError::HeadMoved { expected: self.previous, found }
        } else {
            AppendError::Fenced { mine, current }
        }
    }

    /// Asserted by every backend before it writes: a malformed commit is a writer's bug.
    pub(super) fn assert_whole(&self) {
        assert!(!self.rows.is_empty(), "a commit has at least one row");
        let mut previous = self.previous.seq;
        for row in &self.rows {
            assert_eq!(row.first, previous + 1, "a row begins where the last one ended");
            assert!((1..=MAX_ROW_RECORDS).contains(&row.count), "a row of {} records", row.count);
            previous = row.last();
        }
    }
}

impl Head {
    /// The head of an empty journal, or of a chain followed by hand.
    #[must_use]
    pub fn from_chain(chain: &Chain) -> Self {
        Self { seq: chain.seq(), link: chain.link() }
    }

    /// The chain, to go on from here.
    #[must_use]
    pub fn chain(self, algorithm: Algorithm) -> Chain {
        Chain::resume(algorithm, self.seq, self.link)
    }
}
