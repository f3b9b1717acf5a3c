//! What the log says up to an entry: whose epoch it is, where the records end, leases and holds.

use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::entry::{Content, Entry};
use super::wire::Hold;
use crate::bytes::chain::{LINK_BYTES, Link};
use crate::journal::{Head, Holder};
use crate::state::vault::hold::LegalHold;

/// The fold of the entries before `next`.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct State {
    /// The number of the next entry; the first is 1.
    #[n(0)]
    pub(in crate::journal::object) next: u64,
    /// The epoch in force; 0 before the first writer.
    #[n(1)]
    pub(in crate::journal::object) epoch: u64,
    #[n(2)]
    seq: u64,
    #[n(3)]
    link: ByteArray<LINK_BYTES>,
    #[n(4)]
    lease: Option<Lease>,
    /// The legal holds, sorted by id.
    #[n(5)]
    holds: Vec<Hold>,
    /// Who took over last, until it ends.
    #[n(6)]
    holder: Option<String>,
}

/// The last lease that was taken, in force or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct Lease {
    /// Whose it is.
    #[n(0)]
    pub(in crate::journal::object) epoch: u64,
    /// The entry that took or renewed it.
    #[n(1)]
    pub(in crate::journal::object) number: u64,
    /// For how many microseconds.
    #[n(2)]
    pub(in crate::journal::object) micros: u64,
    /// Since when by the store's clock, in microseconds since 1970; none where this program wrote
    /// the entry and has not asked.
    #[n(3)]
    pub(in crate::journal::object) at: Option<i64>,
}

impl State {
    /// Before the first entry.
    pub(in crate::journal::object) fn genesis(head: Head) -> Self {
        let (seq, link) = (head.seq, head.link.0.into());
        Self { next: 1, epoch: 0, seq, link, lease: None, holds: Vec::new(), holder: None }
    }

    /// Where the records end.
    pub(in crate::journal::object) fn head(&self) -> Head {
        Head { seq: self.seq, link: Link(*self.link) }
    }

    /// The lease of the last writer, whether or not it has lapsed.
    pub(in crate::journal::object) fn lease(&self) -> Option<Lease> {
        self.lease.filter(|lease| lease.epoch == self.epoch)
    }

    /// The last writer, until it ends, as far as it has named itself.
    pub(in crate::journal::object) fn holder(&self) -> Option<Holder> {
        self.holder.as_deref().and_then(Holder::from_text)
    }

    /// Every hold, released ones too.
    pub(in crate::journal::object) fn holds(&self) -> Vec<LegalHold> {
        self.holds.iter().map(LegalHold::from).collect()
    }

    /// Goes on over the next entry, which the store says was written `at`.
    ///
    /// # Errors
    ///
    /// What of it cannot follow, for a person.
    pub(in crate::journal::object) fn apply(
        &mut self,
        entry: &Entry,
        at: Option<i64>,
    ) -> Result<(), String> {
        let takes_over = matches!(entry.content, Content::TakenOver { .. });
        let expected = self.epoch + u64::from(takes_over);
        if entry.epoch != expected {
            let found = entry.epoch;
            return Err(format!("entry {} is of epoch {found}, not {expected}", self.next));
        }
        let lease = |micros| Some(Lease { epoch: expected, number: self.next, micros, at });
        match &entry.content {
            Content::TakenOver { lease: taken, holder } => {
                self.epoch = expected;
                self.lease = taken.and_then(lease);
                self.holder.clone_from(holder);
            }
            Content::Committed { rows, .. } => {
                let (mut seq, mut link) = (self.seq, self.link);
                for row in rows {
                    if row.first != seq + 1 || row.count == 0 {
                        let first = row.first;
                        return Err(format!("record {} is missing: {first} is there", seq + 1));
                    }
                    (seq, link) = (row.last(), row.link);
                }
                (self.seq, self.link) = (seq, link);
            }
            Content::LeaseRenewed { lease: renewed } => self.lease = lease(*renewed),
            Content::LeaseReleased => (self.lease, self.holder) = (None, None),
            Content::Erased { .. } => {}
            Content::HoldPlaced { hold } => {
                let place = self.holds.binary_search_by(|known| known.id.cmp(&hold.id));
                let Err(place) = place else {
                    return Err(format!("the hold {} was placed before", hold.id));
                };
                self.holds.insert(place, hold.clone());
            }
            Content::HoldReleased { id, note } => {
                let hold = self.holds.iter_mut().find(|hold| hold.id == *id);
                let Some(hold) = hold.filter(|hold| hold.released.is_none()) else {
                    return Err(format!("the hold {id} is not in force"));
                };
                hold.released = Some(note.clone());
            }
        }
        self.next += 1;
        Ok(())
    }
}
