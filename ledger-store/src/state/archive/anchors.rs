//! Anchors: where the chain stands before each stretch of records, so that a stretch that is read
//! back is checked from its own beginning. Whoever links a record says so; clones share them.

use std::io;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bytes::chain::Link;
use crate::state::snapshot::wire::{Take, encode};

/// The chain's link before each stretch.
#[derive(Clone, Debug)]
pub(crate) struct Anchors(Arc<Mutex<Vec<Link>>>);

impl Anchors {
    pub(super) fn new(genesis: Link) -> Self {
        Self(Arc::new(Mutex::new(vec![genesis])))
    }

    /// Takes the chain's link after record `seq`. Records are linked in order; one that was linked
    /// ahead, for a head that was asked for, is linked again when it is framed.
    pub(crate) fn link(&self, seq: u64, link: Link) {
        if !seq.is_multiple_of(STRETCH) {
            return;
        }
        let mut links = self.links();
        match usize::try_from(seq / STRETCH).ok().and_then(|nth| links.get(nth)) {
            Some(known) => debug_assert_eq!(*known, link, "a record has one link"),
            None => links.push(link),
        }
        debug_assert!(seq / STRETCH < links.len() as u64, "links come in order");
    }

    /// The link before stretch `nth`, if it is known.
    pub(super) fn before(&self, nth: u64) -> Option<Link> {
        self.links().get(usize::try_from(nth).ok()?).copied()
    }

    pub(super) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        let links = self.links();
        encode::number(into, links.len() as u64)?;
        links.iter().try_for_each(|link| into.write_all(&link.0))
    }

    /// Takes what was put in place of what there is; says how many.
    pub(super) fn take(&self, from: &mut impl Read) -> io::Result<u64> {
        let mut links = self.links();
        links.clear();
        for _ in 0..from.take_number()? {
            links.push(Link(from.take_array()?));
        }
        Ok(links.len() as u64)
    }

    fn links(&self) -> MutexGuard<'_, Vec<Link>> {
        // Nothing can panic between two writes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records are kept and read back in stretches of this many, on a grid.
pub(crate) const STRETCH: u64 = 1 << 10;
