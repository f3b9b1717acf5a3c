//! Who writes a journal: the lease and the lock that a writer holds, its name,
//! and what stands beside the journal and says how far it went.

#[cfg(feature = "_sql")]
pub(super) mod evidence;
#[cfg(any(feature = "sqlite", feature = "object"))]
pub(super) mod file_lock;
pub(super) mod holder;
#[cfg(feature = "_sql")]
pub(super) mod lease;
#[cfg(any(feature = "_sql", feature = "object"))]
pub(super) mod lock;
#[cfg(any(feature = "sqlite", feature = "object"))]
pub(super) mod noted_file;

use std::time::Duration;

use super::{Journal, JournalError, Opening};

/// How long a lock is looked at again before its holder is believed to live: a server may notice
/// the end of a session a moment later.
const NOTICED: Duration = Duration::from_millis(500);

/// How long is rested between two such looks.
const LOOK_AGAIN: Duration = Duration::from_millis(25);

/// [`Journal::claim`] for whoever does not stand by: a writer whose lock says that its process
/// lives is left alone, although its lease may have lapsed.
///
/// # Errors
///
/// [`JournalError::InUse`] names it; and as of [`Journal::claim`].
pub fn claim_when_unlocked(
    journal: &mut dyn Journal,
    lease: Option<Duration>,
) -> Result<Opening, JournalError> {
    let begun = std::time::Instant::now();
    loop {
        let holder = match journal.locked_by()? {
            Some(holder) => Some(Box::new(holder)),
            None => match journal.claim(lease) {
                Err(JournalError::InUse { holder }) => holder,
                claimed => return claimed,
            },
        };
        if begun.elapsed() > NOTICED {
            return Err(JournalError::InUse { holder });
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}
