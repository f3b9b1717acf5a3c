//! Keeping the outbox: what commits ask to be sent and carried out goes to its table once they are
//! durable, by a thread of its own, so that no answer waits for it. While nothing is committed
//! there is neither thread nor connection.
//!
//! What is lost with the process is derived from the records again when the ledger is opened next.

use std::mem::take;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant as Clock};

use ledger_core::time::Instant;
use tracing::{error, warn};

use super::resting::{Threads, Waits};
use crate::journal::{Commit, Head, in_one_line};
use crate::tables::projection::{Batch, OutboxWriter, Pending, ProjectError, in_one_file};

/// How many entries wait for the table before commits wait for them.
const MOST_WAITING: usize = 65_536;

/// For how long nothing is written although the ledger goes on, where nothing is to be sent: so
/// much of it is read again, at most, after a crash.
const RESTS: Duration = Duration::from_secs(1);

/// How long it rests before it tries again where the database failed, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// For how long entries are gathered for one transaction, unless somebody waits for them.
const GATHERS: Duration = Duration::from_millis(10);

/// So many are not kept waiting for more.
const ENOUGH: usize = 4_096;

/// How often it tries once the engine stops.
const LAST_TRIES: u32 = 5;

/// Keeps the outbox of an engine until it is dropped.
#[derive(Debug)]
pub(super) struct OutboxKeeper {
    progress: OutboxProgress,
    threads: Threads,
}

/// How far an engine's outbox is; clones look at the same.
#[derive(Clone, Debug)]
pub struct OutboxProgress(Arc<SharedProgress>);

#[derive(Debug)]
struct SharedProgress {
    state: Mutex<State>,
    changed: Condvar,
    turns: Turns,
}

struct State {
    /// What writes to the table, while no thread has it.
    writer: Option<OutboxWriter>,
    /// Tells whether a thread has it, or is about to.
    attended: bool,
    /// What waits, each with the first bytes of its record's link.
    waiting: Vec<(Pending, [u8; 8])>,
    /// The last record that it may follow from, and its instant.
    to: (Head, Instant),
    /// The last record that something waiting or written follows from.
    goal: u64,
    /// The last record whose entries are written, with all before it.
    written: u64,
    /// When the first of what waits came.
    since: Option<Clock>,
    /// Tells whether somebody waits until it is written.
    awaited: bool,
    stopping: bool,
    /// Why nothing is written any more.
    failed: Option<String>,
}

impl OutboxKeeper {
    /// Keeps an outbox that stands where the ledger does.
    pub(super) fn start(mut writer: OutboxWriter, turns: Turns) -> Self {
        let at = writer.at();
        let (goal, written) = (at.seq, at.seq);
        writer.rest();
        let state = State {
            writer: Some(writer),
            attended: false,
            waiting: Vec::new(),
            to: (at, Instant::default()),
            goal,
            written,
            since: None,
            awaited: false,
            stopping: false,
            failed: None,
        };
        let kept = SharedProgress { state: Mutex::new(state), changed: Condvar::new(), turns };
        Self { progress: OutboxProgress(Arc::new(kept)), threads: Threads::default() }
    }

    /// How far it is.
    pub(super) fn progress(&self) -> OutboxProgress {
        self.progress.clone()
    }

    /// The journal's turn to write, until it is dropped.
    pub(super) fn turn(&self) -> Turn<'_> {
        self.progress.0.turns.take()
    }

    /// Takes what a commit that is durable asks for; waits while too much waits.
    ///
    /// # Errors
    ///
    /// Why nothing is written to the outbox any more.
    pub(super) fn take(
        &self,
        commit: &Commit,
        entries: Vec<Pending>,
        as_of: Instant,
    ) -> Result<(), String> {
        let entries = with_checks(commit, entries);
        let kept = &self.progress.0;
        let full =
            |state: &mut State| state.waiting.len() >= MOST_WAITING && state.failed.is_none();
        let waited = kept.changed.wait_while(kept.state(), full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = &state.failed {
            return Err(why.clone());
        }
        let Head { seq, .. } = commit.head();
        state.to = (commit.head(), as_of);
        let tells = !entries.is_empty();
        // Whoever rests looks at the clock from the first on.
        let first = tells && state.since.is_none();
        if tells {
            state.goal = seq;
            state.since.get_or_insert_with(Clock::now);
            state.waiting.extend(entries);
        }
        let begins = !std::mem::replace(&mut state.attended, true);
        let hurries = tells && (state.waiting.len() >= ENOUGH || state.awaited);
        drop(state);
        if begins {
            self.begin();
        } else if hurries || first {
            kept.changed.notify_all();
        }
        Ok(())
    }

    /// Has a thread write what waits; where the system gives none, the next commit has it tried
    /// again.
    fn begin(&self) {
        let its = Arc::clone(&self.progress.0);
        if let Err(error) = self.threads.start("ledger-outbox", move || its.run()) {
            warn!(%error, "the system gives no thread to the outbox");
            self.progress.0.state().attended = false;
        }
    }

    /// Writes what waits, and ends.
    fn finish(&self) {
        let kept = &self.progress.0;
        kept.state().stopping = true;
        kept.changed.notify_all();
        self.threads.end();
        // What no thread could be had for.
        kept.run();
    }
}

impl Drop for OutboxKeeper {
    fn drop(&mut self) {
        self.finish();
    }
}

impl OutboxProgress {
    /// Waits until whatever the engine has answered so far stands in the outbox; `false` when it
    /// does not after `patience`, or nothing is written there any more.
    #[must_use]
    pub fn settle(&self, patience: Duration) -> bool {
        let start = Clock::now();
        let mut state = self.0.state();
        let goal = state.goal;
        loop {
            if state.written >= goal {
                return true;
            }
            let Some(left) = patience.checked_sub(start.elapsed()) else { return false };
            if state.failed.is_some() {
                return false;
            }
            if !std::mem::replace(&mut state.awaited, true) {
                self.0.changed.notify_all();
            }
            let waited = self.0.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How many entries are not in the outbox yet, although what asked for them is durable.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.state().waiting.len()
    }

    /// Why nothing is written to the outbox any more, once that is so.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.0.state().failed.clone()
    }
}

impl SharedProgress {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of it is whole, so a poisoned one is as well.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes until there is nothing to write for some time, or nothing more will come.
    fn run(&self) {
        let ending = Ending(self);
        let Some(mut writer) = self.state().writer.take() else { return };
        loop {
            match self.next() {
                Next::Write(batch) => {
                    if let Err(why) = self.write(&mut writer, &batch) {
                        error!(why, "the outbox is not kept any more");
                        self.state().failed = Some(why);
                        return;
                    }
                    self.state().written = batch.to.seq;
                    self.changed.notify_all();
                }
                Next::Rest => {
                    writer.rest();
                    let mut state = self.state();
                    if state.has_nothing_to_do() {
                        (state.writer, state.attended) = (Some(writer), false);
                        std::mem::forget(ending);
                        return;
                    }
                }
                Next::End => return,
            }
        }
    }

    /// Returns what is to be done next.
    fn next(&self) -> Next {
        let waits = Waits::begin();
        let idle = |state: &mut State| state.waiting.is_empty() && !state.stopping;
        let rests = waits.linger().min(RESTS);
        let waited = self.changed.wait_timeout_while(self.state(), rests, idle);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let gathers =
            state.since.map_or(Duration::ZERO, |since| GATHERS.saturating_sub(since.elapsed()));
        let waited = self.changed.wait_timeout_while(state, gathers, |state| state.gathers());
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if state.to.0.seq > state.written {
            (state.since, state.awaited) = (None, false);
            let (entries, (to, as_of)) = (take(&mut state.waiting), state.to);
            drop(state);
            // Commits may have waited for room.
            self.changed.notify_all();
            return Next::Write(Batch::from_entries(entries, to, as_of));
        }
        if state.stopping { Next::End } else { Next::Rest }
    }

    /// Writes a batch; a database that is away is waited for, unless the engine stops.
    fn write(&self, writer: &mut OutboxWriter, batch: &Batch) -> Result<(), String> {
        let (mut pause, mut last) = (PAUSE.0, 0);
        loop {
            let turn = self.turns.take();
            let written = writer.write(batch);
            drop(turn);
            match written {
                Ok(()) => return Ok(()),
                Err(error @ ProjectError::Tables(_)) => {
                    let stopping = self.state().stopping;
                    last += u32::from(stopping);
                    if last > LAST_TRIES {
                        return Err(in_one_line(&error));
                    }
                    warn!(error = in_one_line(&error), "the outbox is written once more");
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(PAUSE.1);
                }
                Err(error) => return Err(in_one_line(&error)),
            }
        }
    }
}

impl State {
    /// Tells whether more may come before what waits is written.
    const fn gathers(&self) -> bool {
        !self.awaited && !self.stopping && self.waiting.len() < ENOUGH
    }

    const fn has_nothing_to_do(&self) -> bool {
        self.to.0.seq <= self.written && !self.stopping
    }
}

/// What whoever writes does next.
enum Next {
    Write(Batch),
    /// Nothing, for some time.
    Rest,
    End,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { goal, written, stopping, failed, .. } = self;
        f.debug_struct("State")
            .field("goal", goal)
            .field("written", written)
            .field("stopping", stopping)
            .field("failed", failed)
            .finish_non_exhaustive()
    }
}

/// Says that nothing is written any more, however the thread ended.
struct Ending<'a>(&'a SharedProgress);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        let ended = || "the thread that keeps the outbox has ended".to_owned();
        state.failed.get_or_insert_with(ended);
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Turns of a journal and its outbox at writing: where both are in one file, whoever finds the
/// other there would sleep, and look again.
#[derive(Debug)]
pub(super) struct Turns(Option<Mutex<()>>);

/// A turn, until it is dropped; none where nobody has to wait.
pub(super) type Turn<'a> = Option<MutexGuard<'a, ()>>;

impl Turns {
    /// Turns where these are the same file.
    pub(super) fn between(journal: Option<&Path>, outbox: Option<&Path>) -> Self {
        Self(in_one_file(journal, outbox).then(Mutex::default))
    }

    fn take(&self) -> Turn<'_> {
        // Whoever panicked with it has written nothing that another could see half of.
        self.0.as_ref().map(|turns| turns.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Entries, each with the first bytes of its record's link.
fn with_checks(commit: &Commit, entries: Vec<Pending>) -> Vec<(Pending, [u8; 8])> {
    if entries.is_empty() {
        return Vec::new();
    }
    let mut frames = commit.rows.iter().flat_map(|row| row.frames()).map_while(Result::ok);
    let mut frame = frames.next();
    let mut of = |seq| {
        while frame.as_ref().is_some_and(|frame| frame.seq < seq) {
            frame = frames.next();
        }
        frame.as_ref().map(|frame| frame.check).unwrap_or_default()
    };
    entries
        .into_iter()
        .map(|entry| (of(entry.seq()), entry))
        .map(|(it, entry)| (entry, it))
        .collect()
}
