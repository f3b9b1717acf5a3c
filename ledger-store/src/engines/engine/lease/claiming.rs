//! Taking a ledger over: a lease in force is waited out once, and whoever renews it, or whose lock
//! says that its process lives, is left alone.

use std::time::{Duration, Instant};

use tracing::field::Empty;
use tracing::{info, info_span};

use super::super::StartError;
use super::{Lease, Moment};
use crate::journal::{Journal, JournalError, Opening, claim_when_unlocked};

/// How long a start rests before it looks again whether a lease is renewed.
const PAUSE: Duration = Duration::from_millis(20);

/// How much later than it was first seen to a lease may seem to lapse although nobody renewed it:
/// what its clock is rounded to, and drifts by.
const ROUNDED: Duration = Duration::from_millis(5);

/// Takes the writer's place in the journal unless it is leased to another; gives what it starts
/// from, and the moment from which a lease of its own counts.
pub(in crate::engines::engine) fn claim(
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

/// From whom a ledger is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engines::engine) enum From {
    /// From nobody whose process lives, as its lock says, or whose lease is in force.
    Nobody,
    /// The same, but for a process that lives and has let its lease lapse: it hangs.
    WhoeverHangs,
    /// From whoever holds it.
    Anybody,
}

/// Takes the writer's place.
pub(in crate::engines::engine) fn take_over(
    journal: &mut dyn Journal,
    lease: Option<Duration>,
    from: From,
) -> Result<(Opening, Moment), StartError> {
    let span = info_span!("ledger.take_over", head = Empty, epoch = Empty);
    let _entered = span.enter();
    let (opening, sent) = match from {
        From::Anybody => seize(journal, lease)?,
        From::WhoeverHangs => claim_when_lapsed(journal, lease, |it, lease| it.claim(lease))?,
        From::Nobody => claim_when_lapsed(journal, lease, claim_when_unlocked)?,
    };
    span.record("head", opening.head.seq).record("epoch", opening.epoch);
    Ok((opening, sent))
}

/// The same from whoever holds it; what it may believe yet is waited for by [`outlast`].
fn seize(
    journal: &mut dyn Journal,
    lease: Option<Duration>,
) -> Result<(Opening, Moment), StartError> {
    let opening = journal.open_writer()?;
    let sent = Moment::now();
    if let Some(lease) = lease {
        journal.renew(lease)?;
    }
    info!(epoch = opening.epoch, "taken over from whoever held it");
    Ok((opening, sent))
}

/// Waits until whoever was taken over from by force believes its lease no more, and renews that of
/// the new writer meanwhile.
pub(in crate::engines::engine) fn outlast(
    journal: &mut dyn Journal,
    mut lease: Option<&mut Lease>,
    until: Instant,
) -> Result<(), StartError> {
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        let rest = lease.as_ref().map_or(left, |lease| lease.rest(Moment::now()));
        std::thread::sleep(left.min(rest));
        if let Some(lease) = lease.as_mut().filter(|lease| lease.rest(Moment::now()).is_zero()) {
            let sent = Moment::now();
            journal.renew(lease.duration())?;
            lease.record_attempt(sent, true);
        }
    }
    Ok(())
}

/// Takes the writer's place once the lease of a holder that is gone has lapsed.
///
/// # Errors
///
/// [`StartError::Leased`] as soon as its holder is seen to renew it; [`StartError::InUse`] where
/// its lock says that its process lives.
fn claim_when_lapsed(
    journal: &mut dyn Journal,
    lease: Option<Duration>,
    claims: fn(&mut dyn Journal, Option<Duration>) -> Result<Opening, JournalError>,
) -> Result<(Opening, Moment), StartError> {
    let mut wait = Wait::default();
    loop {
        let asked = Instant::now();
        let sent = Moment::now();
        let (left, holder) = match claims(journal, lease) {
            Err(JournalError::Leased { left, holder }) => (left, holder),
            claimed => return Ok((claimed?, sent)),
        };
        if wait.is_renewed(asked, Instant::now(), left) {
            return Err(StartError::Leased { left, holder });
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
    /// Tells whether a lease that was said, between `asked` and `answered`, to have so much left
    /// has been renewed since it was first seen.
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
