//! A standby: follows a ledger's commits, and takes over when the lease of its engine lapses.
//!
//! ```text
//! journal -> rows -> Sequencer      until no lease is in force: claim, replay what is left, start
//! ```

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tracing::{info, warn};

use super::super::lease::Moment;
use super::super::lease::claiming::claim;
use super::super::opening::open_sequencer;
use super::super::{Engine, StartError, parked};
use super::parts::{Parts, let_go};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Journal, JournalError};

/// How long a standby rests before it looks again at a journal that failed.
const PAUSE: Duration = Duration::from_millis(200);

/// How many rows are read from the journal at once.
const ROWS_AT_ONCE: usize = 16;

/// A warm standby: it replays what the ledger's engine commits, so that it can take over at once.
///
/// It takes over when nobody holds the ledger: the engine's lease has lapsed, since the engine
/// hangs or cannot reach the database, its process has ended, or it has stopped. Of several one
/// takes over, and the others go on to stand by. An engine without a lease is taken over from once
/// its lock says that its process has ended; where it has no lock either, at once.
///
/// ```
/// use std::time::Duration;
///
/// use ledger_store::engine::Engine;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let disk = MemoryDisk::new();
/// let journal = || MemoryJournal::open(&disk, "live", OpenMode::create()).map(Box::new);
/// let lease = Duration::from_secs(5);
/// let first = Engine::builder("live").lease(lease).start(journal()?)?;
/// let standby = Engine::builder("live").lease(lease).stand_by(journal()?);
/// assert_eq!(standby.seq(), 0);
///
/// // The first ends, and with it its lease: the second answers.
/// first.stop()?;
/// let second = standby.wait()?;
/// assert_eq!(second.view().wait()?.seq.0, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "it stands by until it is dropped"]
pub struct Standby {
    following: Arc<Following>,
    /// Nothing once it was taken.
    engine: Option<oneshot::Receiver<Result<Engine, StartError>>>,
    thread: Option<JoinHandle<()>>,
}

/// Where a standby stands; clones look at the same.
#[derive(Clone, Debug)]
pub struct Position(Arc<Following>);

impl Position {
    /// The last record that was replayed.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.0.seq.load(Ordering::Relaxed)
    }
}

/// What a standby shares with its thread.
#[derive(Debug, Default)]
struct Following {
    seq: AtomicU64,
    /// Tells whether it only follows for now, and leaves the ledger alone.
    held_back: AtomicBool,
    stopped: Mutex<bool>,
    changed: Condvar,
}

impl Standby {
    pub(in crate::engines::engine) fn start(
        parts: Parts,
        journal: Box<dyn Journal>,
        held_back: bool,
    ) -> Self {
        let held_back = AtomicBool::new(held_back);
        let following = Arc::new(Following { held_back, ..Following::default() });
        let (give, engine) = oneshot::channel();
        let (shared, moved) = (Arc::clone(&following), Instant::now());
        let follower = Follower { parts, journal, following: shared, moved };
        let follow = move || {
            // An engine that nobody takes any more ends here.
            let _ = give.send(follower.run());
        };
        let thread = std::thread::Builder::new().name("ledger-follows".to_owned()).spawn(follow);
        let thread = thread.expect("the system gives a thread to a service that has just started");
        Self { following, engine: Some(engine), thread: Some(thread) }
    }

    /// The last record that was replayed.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.position().seq()
    }

    /// Where it stands, to be looked at beside whoever awaits that it takes over.
    #[must_use]
    pub fn position(&self) -> Position {
        Position(Arc::clone(&self.following))
    }

    /// The engine, once this has taken over. Dropped before it is ready, it loses nothing.
    ///
    /// # Errors
    ///
    /// [`StartError`] when the journal cannot be followed or taken over; while its medium is away,
    /// it is tried again. [`StartError::Stopped`] once the engine was given.
    pub async fn promotion(&mut self) -> Result<Engine, StartError> {
        let Some(engine) = &mut self.engine else { return Err(StartError::Stopped) };
        let engine = engine.await.unwrap_or(Err(StartError::Stopped));
        self.engine = None;
        engine
    }

    /// [`Standby::promotion`], on a plain thread, which blocks until this has taken over.
    ///
    /// # Errors
    ///
    /// As of [`Standby::promotion`].
    pub fn wait(mut self) -> Result<Engine, StartError> {
        parked::wait(self.promotion())
    }

    /// From now on, where `held_back`, it only follows; or else it takes over as soon as it may.
    /// What it has taken over already is not given back.
    pub fn hold_back(&self, held_back: bool) {
        self.following.held_back.store(held_back, Ordering::SeqCst);
    }

    /// Stands by no more. What it has taken over before is stopped with it.
    pub fn stop(self) {}
}

/// Ends its thread, and so its connection to the journal.
impl Drop for Standby {
    fn drop(&mut self) {
        *self.following.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.following.changed.notify_all();
        if let Some(engine) = &mut self.engine {
            engine.close();
            // One that has taken over, and that nobody took.
            drop(engine.try_recv());
        }
        if let Some(thread) = self.thread.take()
            && tokio::runtime::Handle::try_current().is_err()
        {
            // A thread that panicked has nobody left to tell.
            let _ = thread.join();
        }
    }
}

impl Following {
    /// Tells whether it is to stop; waits so long for it.
    fn stops_within(&self, rest: Duration) -> bool {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(stopped, rest, |stopped| !*stopped);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The thread's own.
struct Follower {
    parts: Parts,
    journal: Box<dyn Journal>,
    following: Arc<Following>,
    /// When something was last committed.
    moved: Instant,
}

/// What became of a look at the journal.
enum Looked {
    /// There is nothing to do for so long.
    Rests(Duration),
    /// The ledger is taken over and replayed, by a claim that was sent at this moment.
    TakenOver(Moment),
}

impl Follower {
    fn run(mut self) -> Result<Engine, StartError> {
        let (mut sequencer, mut failed_at) = (None, None);
        loop {
            let rest = match self.look(&mut sequencer) {
                Ok(Looked::TakenOver(sent)) => {
                    let sequencer = sequencer.expect("it was replayed before it was taken over");
                    let lease = self.parts.lease_from(sent);
                    info!(record = self.following.seq.load(Ordering::Relaxed), "took over");
                    return self.parts.begin(self.journal, sequencer, lease);
                }
                Ok(Looked::Rests(rest)) => rest,
                Err(error) => {
                    warn!(%error, "the journal cannot be followed");
                    let at = self.following.seq.load(Ordering::Relaxed);
                    if !is_away(&error) {
                        // Once it may be that a server was replaced by one that lacks what was not
                        // acknowledged; what cannot be replayed anew either is damaged.
                        if failed_at.replace(at) == Some(at) {
                            return Err(error);
                        }
                        sequencer = None;
                    }
                    PAUSE
                }
            };
            if self.following.stops_within(rest) {
                return Err(StartError::Stopped);
            }
        }
    }

    /// Replays what was committed, and takes over once no lease is in force.
    fn look(&mut self, opened_already: &mut Option<Sequencer>) -> Result<Looked, StartError> {
        let Self { parts, journal, following, moved } = self;
        let followed = |sequencer: &Sequencer| {
            following.seq.store(sequencer.ledger().state.seq.0, Ordering::Relaxed);
        };
        if opened_already.as_ref().is_some_and(|sequencer| sequencer.fault().is_some()) {
            // Something that had left memory could not be read back.
            *opened_already = None;
        }
        let sequencer = match opened_already {
            Some(sequencer) => sequencer,
            none => {
                let snapshots = parts.snapshots.as_ref();
                none.insert(open_sequencer(&mut **journal, &parts.name, snapshots, |_, _| ())?)
            }
        };
        let rows = journal.read(sequencer.ledger().state.seq.next().0, ROWS_AT_ONCE)?;
        for row in &rows {
            sequencer.replay(row)?;
        }
        followed(sequencer);
        if !rows.is_empty() {
            *moved = Instant::now();
            return Ok(Looked::Rests(Duration::ZERO));
        }
        let rest = journal.next_look(moved.elapsed());
        if following.held_back.load(Ordering::SeqCst) {
            return Ok(Looked::Rests(rest));
        }
        if let Some(left) = journal.lease_left()? {
            return Ok(Looked::Rests(left.min(rest)));
        }
        let sent = match claim(&mut **journal, parts.lease) {
            Ok((_, sent)) => sent,
            Err(JournalError::Leased { left, .. }) => return Ok(Looked::Rests(left.min(rest))),
            Err(JournalError::InUse { .. }) => return Ok(Looked::Rests(rest)),
            Err(error) => return Err(error.into()),
        };
        if let Err(error) = sequencer.go_on(&mut **journal, &mut |_, _| ()) {
            let_go(&mut **journal);
            return Err(error.into());
        }
        followed(sequencer);
        Ok(Looked::TakenOver(sent))
    }
}

/// Tells whether the medium may answer another time, or another writer took the ledger first.
pub(in crate::engines::engine) fn is_away(error: &StartError) -> bool {
    matches!(error.of_journal(), Some(JournalError::Medium(_))) || error.is_anothers()
}
