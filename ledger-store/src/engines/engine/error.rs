//! How an engine says no: what became of a job that has no answer, and why an engine did not start.

use std::time::Duration;

use thiserror::Error;

use crate::engines::sequencer::ReplayError;
use crate::journal::{
    Head, Holder, JournalError, Source, TAKE_OVER, TAKE_OVER_BY, describe_holder,
};
use crate::tables::projection::ProjectError;

/// Why a job has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// Another writer has taken over; this engine has stopped.
    #[error("another writer has taken over this ledger; this engine has stopped")]
    Fenced,
    /// Nothing was decided that needs writing, and whether another writer has taken over cannot be
    /// found out, so what was read may be of the past: ask again.
    #[error("not answered, since the journal does not tell whether another has taken over: {0}")]
    Unverified(String),
    /// The lease of this engine has lapsed, so another may have taken over, and what was read may
    /// be of the past: ask again. It goes on once the lease is renewed.
    #[error("not answered, since the lease has lapsed and another may have taken over")]
    LeaseLapsed,
    /// The decision was not made durable, and is forgotten: repeat it with the same id.
    #[error("not written: {0}")]
    NotWritten(String),
    /// Tells whether the decision was made durable is not known yet, since the store is away:
    /// repeat it with the same id, and it is answered as it was decided, or decided now.
    #[error("whether it was written is not known yet: {0}")]
    Unknown(String),
    /// The decision is durable, and what follows the commits failed on it; this engine has stopped.
    /// Repeated with the same id, it is answered as it was decided.
    #[error("written, and then not followed: {0}")]
    NotFollowed(String),
    /// The job panicked while it was decided, by this message: nothing of it was done, and the
    /// engine goes on.
    #[error("the job panicked, and nothing of it was done: {0}")]
    Panicked(String),
    /// A legal hold is in force on the person, and nothing was erased: the names of the holds, with
    /// commas between.
    #[error("held and not erased: the legal hold {0} is in force")]
    Held(String),
    /// The engine had stopped before it came to this job: nothing of it was decided.
    #[error("the engine has stopped, and nothing of this was decided")]
    Ended,
    /// The engine has stopped, and whether the decision was made durable is not known.
    #[error("the engine has stopped: {0}")]
    Stopped(String),
}

/// Why an engine could not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The journal could not be taken over.
    #[error("the journal cannot be written")]
    Journal(#[source] JournalError),
    /// Another engine holds the ledger, and renews its lease. One that is to follow it, and to take
    /// over when it ends, is a [`Standby`](super::Standby).
    #[error(
        "the ledger is leased to {} for {} ms yet: end it{TAKE_OVER}{TAKE_OVER_BY}",
        describe_holder(holder.as_deref()), left.as_millis()
    )]
    Leased {
        /// How long it is in force, unless it is renewed again.
        left: Duration,
        /// Who holds it, where that is known.
        holder: Option<Box<Holder>>,
    },
    /// Another writer holds the ledger, and its process lives; see
    /// [`EngineBuilder::take_over`](super::EngineBuilder::take_over).
    #[error("the ledger is held by {}: end it{TAKE_OVER}{TAKE_OVER_BY}", describe_holder(holder.as_deref()))]
    InUse {
        /// Who holds it, where that is known.
        holder: Option<Box<Holder>>,
    },
    /// A follower could not be made; see [`EngineBuilder::follower_made`].
    ///
    /// [`EngineBuilder::follower_made`]: super::EngineBuilder::follower_made
    #[error("what follows the commits cannot begin")]
    Follower(#[source] Source),
    /// The outbox cannot be filled up to the journal.
    #[error("the outbox cannot be kept")]
    Outbox(#[source] ProjectError),
    /// The standby was stopped before it took over.
    #[error("the standby was stopped before it took over")]
    Stopped,
    /// The journal could not be replayed.
    #[error("the journal cannot be replayed")]
    Replay(#[from] ReplayError),
    /// The journal does not end where an accepted loss is said to have left it.
    #[error(
        "the ledger ends at record {} with link {}, and the loss that is accepted is after record \
         {}: nothing was recorded", found.seq, found.link, accepted.seq
    )]
    EndsElsewhere {
        /// Where it was said to end.
        accepted: Head,
        /// Where it ends.
        found: Head,
    },
    /// An accepted loss could not be recorded.
    #[error("the loss that is accepted could not be recorded")]
    LossUnrecorded(#[source] EngineError),
    /// The journal does not end where the sequencer was read from it.
    #[error("the journal ends at record {found}, and was read up to record {expected}")]
    Moved {
        /// Where the sequencer stands.
        expected: u64,
        /// Where the journal ends.
        found: u64,
    },
}

impl StartError {
    /// Tells whether another writer holds the ledger, or took it first: a standby waits on.
    #[must_use]
    pub fn is_anothers(&self) -> bool {
        matches!(self, Self::Leased { .. } | Self::InUse { .. })
            || self.of_journal().is_some_and(JournalError::is_anothers)
    }

    /// The error of the journal that stopped the start.
    pub(super) const fn of_journal(&self) -> Option<&JournalError> {
        match self {
            Self::Journal(error) | Self::Replay(ReplayError::Journal(error)) => Some(error),
            _ => None,
        }
    }
}

/// Why no slot of the queue can be had at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TryReserveError {
    /// Every slot is taken: wait, or turn the caller away.
    #[error("the engine's queue is full")]
    Full,
    /// Another writer has taken over; this engine has stopped.
    #[error("another writer has taken over this ledger; this engine has stopped")]
    Fenced,
    /// The engine has stopped.
    #[error("the engine has stopped")]
    Ended,
}

/// Whoever holds the ledger is told apart from a medium that fails.
impl From<JournalError> for StartError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Leased { left, holder } => Self::Leased { left, holder },
            JournalError::InUse { holder } => Self::InUse { holder },
            error => Self::Journal(error),
        }
    }
}

impl EngineError {
    /// What is said when a thread of the engine ended in the midst of a job.
    pub(super) fn thread_lost() -> Self {
        Self::Stopped("a thread of it ended; the journal says what was written".to_owned())
    }
}
