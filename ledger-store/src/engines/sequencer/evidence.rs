//! What proves a record, and which records moved an operation: read from memory, or back from the
//! journal.

use ledger_core::id::{OpId, Seq};

use super::Sequencer;
use crate::bytes::chain::{Algorithm, Link};

/// A record as it was written, between the links before and after it.
///
/// Whoever has the link before and the bytes computes the link after: H(link ‖ number as 8 bytes,
/// little endian ‖ bytes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The record's number.
    pub seq: u64,
    /// The record's bytes as they were written, over which the links are.
    pub bytes: Vec<u8>,
    /// The chain's link before it.
    pub before: Link,
    /// The chain's link after it.
    pub after: Link,
    /// What the links are computed by.
    pub algorithm: Algorithm,
}

impl Sequencer {
    /// A record with the links around it; none beyond the last record, or where reading back fails.
    ///
    /// ```
    /// use ledger_core::contract::Line;
    /// use ledger_core::ledger::Origin;
    /// use ledger_store::journal::Identity;
    /// use ledger_store::sequencer::Sequencer;
    /// use ledger_store::{Algorithm, Chain};
    ///
    /// let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
    /// let mut sequencer = Sequencer::new("live", identity);
    /// let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "time.passed"}"#;
    /// let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
    /// sequencer.call(&line.call(Origin::Call));
    ///
    /// let evidence = sequencer.evidence(1).expect("it was recorded");
    /// let mut chain = Chain::resume(evidence.algorithm, 0, evidence.before);
    /// assert_eq!(chain.push(&evidence.bytes), evidence.after);
    /// assert_eq!(sequencer.head().link, evidence.after);
    /// assert!(sequencer.evidence(2).is_none());
    /// ```
    #[must_use]
    pub fn evidence(&self, seq: u64) -> Option<Evidence> {
        let archive = &self.ledger.archive;
        if seq == 0 || archive.last() < seq {
            return None;
        }
        let mut chain = archive.chain_before(seq)?;
        let (before, bytes) = (chain.link(), archive.bytes(Seq(seq))?);
        let after = chain.push(&bytes);
        Some(Evidence { seq, bytes, before, after, algorithm: chain.algorithm() })
    }

    /// The records that moved an operation, first the one that created it; none for an operation
    /// that this ledger does not know.
    #[must_use]
    pub fn trail(&self, op: OpId) -> Option<Vec<Seq>> {
        self.views().operation(op)?;
        // What ends as it begins leaves no trail.
        Some(self.ledger.archive.trail(op).unwrap_or_else(|| vec![op.seq()]))
    }
}
