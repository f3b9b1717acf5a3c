//! Taking a ledger over: a lease in force is waited out once, and whoever renews it is left alone.

use std::time::{Duration, Instant};

use tracing::field::Empty;
use tracing::{info, info_span};

use super::super::StartError;
use super::Moment;
use crate::journal::{Journal, JournalError, Opening};

/// How long a start rests before it looks again whether a lease is renewed.
const PAUSE: Duration = Duration::from_millis(20);

/// How much later than it was first seen to a lease may seem to lapse although nobody renewed it:
/// what its clock is rounded to, and drifts by.
const ROUNDED: Duration = Duration::from_millis(5);

/// Takes the writer's place in the journal unless it is leased to another; gives what it starts
/// from, and the moment from which a lease of its own counts.
pub(in crate::engine) fn claim(
    journal: &mut dyn Journal,
    lease: Option<Duration>,
) -> Result<(Opening, Moment), JournalError> {
    let span = info_span!("ledger.take_over", head = Empty, epoch = Empty);
    let _entered = span.enter();
    let sent = Moment::now();
    let opening = journal.claim(lease)?;
    span.record("head", opening.head.seq).record("epoch", opening.epoch);
    Ok((opening, sent))
}

/// The same, once the lease of a holder that is gone has lapsed.
///
/// # Errors
///
/// [`StartError::Leased`] as soon as its holder is seen to renew it.
pub(in crate::engine) fn claim_when_lapsed(
    journal: &mut dyn Journal,
    lease: Option<Duration>,
) -> Result<(Opening, Moment), StartError> {
    let mut wait = Wait::default();
    loop {
        let asked = Instant::now();
        let left = match journal.lease_left()? {
            Some(left) => left,
            None => match claim(journal, lease) {
                Err(JournalError::Leased { left }) => left,
                claimed => return claimed.map_err(StartError::from),
            },
        };
        if wait.is_renewed(asked, Instant::now(), left) {
            return Err(StartError::Leased { left });
        }
        info!(left = left.as_millis(), "another writer's lease is waited out");
        std::thread::sleep(left.min(PAUSE));
    }
}

/// When a lease will lapse, as it was first seen.
#[derive(Default)]
struct Wait {
    lapses: Option<Instant>,
}

impl Wait {
    /// Whether a lease that was said, between `asked` and `answered`, to have so much left has been
    /// renewed since it was first seen.
    fn is_renewed(&mut self, asked: Instant, answered: Instant, left: Duration) -> bool {
        // It lapses between these two, whatever the way took: only what cannot be is a renewal.
        let (earliest, latest) = (asked + left, answered + left);
        let first = *self.lapses.get_or_insert(latest);
        earliest > first + ROUNDED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lease_that_lapses_later_than_it_can_have_was_renewed() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let left = Duration::from_millis;
        let mut wait = Wait::default();
        assert!(!wait.is_renewed(at(0), at(40), left(300)));
        // Nobody renewed it: the way there and back took long, or hardly anything.
        assert!(!wait.is_renewed(at(100), at(900), left(200)));
        assert!(!wait.is_renewed(at(300), at(301), left(40)));
        assert!(wait.is_renewed(at(300), at(301), left(100)));
    }
}
