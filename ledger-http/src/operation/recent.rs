//! The last requests, for the console: what the log holds of them, and nothing more.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::access::Access;

/// How many requests are kept.
const MOST: usize = 500;

/// The last requests that were answered, in the memory of the process.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<VecDeque<Access>>);

impl Recent {
    /// Takes note of one; the oldest is forgotten for it.
    pub(crate) fn note(&self, access: Access) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(MOST - 1);
        kept.push_front(access);
    }

    /// All that are kept, the last one first.
    pub(crate) fn all(&self) -> Vec<Access> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().cloned().collect()
    }
}
