//! What an engine is made of, and how it begins once its ledger is taken over: its followers are
//! made, and its threads started.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel, sync_channel};
use std::time::Duration;

use tracing::warn;

use super::super::lease::claiming::From;
use super::super::lease::{Lease, Moment};
use super::super::outbox::{OutboxKeeper, Turns};
use super::super::shared::Shared;
use super::super::writing::{Setup, Writer};
use super::super::{Engine, Follower, StartError};
use crate::engines::clock::{Clock as _, SystemClock};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Head, Journal, JournalError, Source, in_one_line};
use crate::state::snapshot::Snapshots;
use crate::tables::projection::{OutboxWriter, Target};

/// What an engine is made of, beside its journal and its sequencer.
pub(in crate::engines::engine) struct Parts {
    pub(in crate::engines::engine) name: String,
    pub(in crate::engines::engine) queue: usize,
    pub(in crate::engines::engine) largest_commit: usize,
    pub(in crate::engines::engine) followers: Vec<Following>,
    pub(in crate::engines::engine) outbox: Option<Target>,
    pub(in crate::engines::engine) snapshots: Option<Snapshots>,
    pub(in crate::engines::engine) lease: Option<Duration>,
    pub(in crate::engines::engine) sentinel: bool,
    /// Where it goes on from, as an operator says, whatever was lost after it.
    pub(in crate::engines::engine) accepted: Option<Head>,
    /// Tells whether it takes over from whoever holds the ledger.
    pub(in crate::engines::engine) by_force: bool,
}

/// A follower, or what makes one when the ledger is taken over.
pub(in crate::engines::engine) enum Following {
    Ready(Box<dyn Follower>),
    Made(Box<Make>),
}

type Make = dyn FnOnce(&mut dyn Journal) -> Result<Box<dyn Follower>, Source> + Send;

impl Parts {
    /// From whom the ledger is taken over: from anybody where that was said.
    pub(in crate::engines::engine) const fn from(&self, unless_said: From) -> From {
        if self.by_force { From::Anybody } else { unless_said }
    }

    /// The lease of an engine, taken by what was sent at this moment.
    pub(in crate::engines::engine) fn lease_from(&self, sent: Moment) -> Option<Lease> {
        self.lease.map(|duration| {
            let mut lease = Lease::new(duration);
            lease.record_attempt(sent, true);
            lease
        })
    }

    /// Starts the engine of a ledger that is taken over and replayed.
    pub(in crate::engines::engine) fn begin(
        self,
        mut journal: Box<dyn Journal>,
        mut sequencer: Sequencer,
        mut lease: Option<Lease>,
    ) -> Result<Engine, StartError> {
        let Self { name, queue, largest_commit, followers, outbox, snapshots, .. } = self;
        let (duration, sentinel) = (self.lease, self.sentinel);
        let made = make_all(&mut *journal, &name, (followers, outbox), lease.as_mut());
        let (followers, outbox) = made.inspect_err(|_| let_go(&mut *journal))?;
        if outbox.is_some() {
            sequencer.keep_outbox();
        }
        if sentinel {
            sequencer.watch();
        }
        let unlocked = journal.lock_fault();
        if let Some(why) = unlocked.as_ref().filter(|_| lease.is_none()) {
            warn!(%why, ledger = %name, "held by no lock and no lease: a second writer takes over");
        }
        let shared = Arc::new(Shared::new(sequencer.journal_head(), lease, unlocked));
        let (rebuilt, fresh) = sync_channel(1);
        let setup = Setup { name: name.clone(), snapshots, followers, outbox, lease: duration };
        let writer = Writer::new(journal, setup, sequencer.durable(), rebuilt, Arc::clone(&shared));
        Ok(Engine::spawn(name, sequencer, writer, fresh, shared, (queue, largest_commit)))
    }
}

type Made = (Vec<Box<dyn Follower>>, Option<OutboxKeeper>);

/// Makes what follows the commits of a ledger that is taken over.
fn make_all(
    journal: &mut dyn Journal,
    name: &str,
    (followers, outbox): (Vec<Following>, Option<Target>),
    mut lease: Option<&mut Lease>,
) -> Result<Made, StartError> {
    let mut ready = Vec::with_capacity(followers.len());
    for following in followers {
        ready.push(match following {
            Following::Ready(follower) => follower,
            Following::Made(make) => make_while_kept(journal, make, lease.as_deref_mut())?
                .map_err(StartError::Follower)?,
        });
    }
    let Some(target) = outbox else { return Ok((ready, None)) };
    let open = |journal: &mut dyn Journal| OutboxWriter::open(journal, name, &target);
    let writer = make_while_kept(journal, open, lease)?.map_err(StartError::Outbox)?;
    let turns = Turns::between(journal.file(), target.file());
    Ok((ready, Some(OutboxKeeper::start(writer, turns))))
}

/// Records first of all that an engine goes on from `accepted`, where its journal ends.
pub(super) fn record_loss(engine: Engine, accepted: Head) -> Result<Engine, StartError> {
    let now = SystemClock.now();
    let recorded = engine.decide(move |it| (it.accept_loss(accepted, now), it.head())).wait();
    match recorded.map_err(StartError::LossUnrecorded)? {
        (true, _) => Ok(engine),
        (false, found) => {
            // Whoever claims it next need not wait.
            let _ = engine.stop();
            Err(StartError::EndsElsewhere { accepted, found })
        }
    }
}

/// Lets others take over at once from an engine that does not start.
pub(in crate::engines::engine) fn let_go(journal: &mut dyn Journal) {
    if let Err(error) = journal.release() {
        warn!(error = in_one_line(&error), "the lease lapses by itself");
    }
}

/// Makes something of the journal on a thread of its own, while this one renews the lease.
fn make_while_kept<T: Send>(
    journal: &mut dyn Journal,
    make: impl FnOnce(&mut dyn Journal) -> T + Send,
    mut lease: Option<&mut Lease>,
) -> Result<T, StartError> {
    let mut reader = journal.reader()?;
    std::thread::scope(|scope| {
        let (give, given) = channel();
        let making = scope.spawn(move || {
            // Whoever waits for it is in this scope.
            let _ = give.send(make(&mut *reader));
        });
        loop {
            let rest = lease.as_ref().map_or(Duration::MAX, |lease| lease.rest(Moment::now()));
            match given.recv_timeout(rest) {
                Ok(whole) => return Ok(whole),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => match making.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => return Err(StartError::Follower("nothing was made".into())),
                },
            }
            if let Some(lease) = &mut lease {
                let sent = Moment::now();
                match journal.renew(lease.duration()) {
                    Err(error @ JournalError::Fenced { .. }) => return Err(error.into()),
                    renewed => lease.record_attempt(sent, renewed.is_ok()),
                }
            }
        }
    })
}
