//! The readers of a process: how many reads are carried out at once, and how many may wait for it.

use std::sync::{Arc, LazyLock};

use ledger_core::contract::{Call, CallOutcome};
use ledger_core::time::Instant;
use ledger_store::engine::{CommittedRead, Read};
use ledger_store::sequencer::Sequencer;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::open_ledger::{OpenLedger, Unanswered, decide};

/// How many reads wait at most, those that are carried out included.
const SEATS: usize = 1_024;

/// Half of the cores: what decides and what writes want one each.
static READERS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Arc::new(Semaphore::new(cores.div_ceil(2)))
});

static WAITING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(SEATS)));

/// A place among the reads that wait.
struct Seat(OwnedSemaphorePermit);

impl OpenLedger {
    /// Returns what a reader finds in the ledger, at its last record that is durable; turned away
    /// while too many calls wait. It is computed beside the thread that decides.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when there is no answer to be given now.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Sequencer) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        self.read_committed(|_| true, |sequencer| work(sequencer)).await
    }

    /// Answers a call that leaves nothing behind, beside the deciding thread unless time has to
    /// advance first.
    pub(super) async fn read_call(
        &self,
        call: Call,
        now: Instant,
    ) -> Result<CallOutcome, Unanswered> {
        let (at, machine_time) = (call.at, self.machine_time(now));
        let may_beside = move |sequencer: &Sequencer| {
            let state = &sequencer.ledger().state;
            state.admits(now).is_ok() && state.next_due(at.max(state.now)).is_none()
        };
        let answers =
            move |sequencer: &mut Sequencer| decide(sequencer, &call, (now, machine_time), None);
        self.read_committed(may_beside, answers).await
    }

    /// Reads what is committed beside the deciding thread, where `may_beside` says that it may.
    async fn read_committed<T: Send + 'static>(
        &self,
        may_beside: impl FnOnce(&Sequencer) -> bool + Send + 'static,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        let seat = seat().ok_or(Unanswered::Overloaded)?;
        match self.permit()?.read(may_beside, work).await? {
            Read::Answered(answer) => Ok(answer),
            Read::Prepared(read) => seat.carry_out(read).await,
        }
    }
}

/// A place for one more read, if there is some now.
fn seat() -> Option<Seat> {
    Arc::clone(&WAITING).try_acquire_owned().ok().map(Seat)
}

impl Seat {
    /// Carries a read out, when it is its turn, on a thread that may block.
    async fn carry_out<T: Send + 'static>(self, read: CommittedRead<T>) -> Result<T, Unanswered> {
        let turn = Arc::clone(&READERS).acquire_owned().await.map_err(|_| Unanswered::Away)?;
        let reading = tokio::task::spawn_blocking(move || {
            // Given back when the read is over, though nobody waits for it any more.
            let _held = (self.0, turn);
            read.carry_out()
        });
        Ok(reading.await.map_err(|_| Unanswered::Failed)??)
    }
}
