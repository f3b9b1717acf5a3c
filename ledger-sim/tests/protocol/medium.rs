//! The medium as its statements see it: epoch, lease, journal, outbox, and a clock of its own.
//!
//! Each function is one statement or transaction, which the database does in one step.

/// A commit of one record, as its writer sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Commit {
    /// The client's command that it records.
    pub command: u8,
    /// How many records there are before it, by what its writer believes (`Commit::previous`).
    pub previous: u8,
    /// The epoch of its writer.
    pub epoch: u8,
}

/// A record that stands, and the epoch that was the ledger's when it landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Landed {
    pub commit: Commit,
    pub under: u8,
}

/// Who holds the lease, and until when by the medium's clock (the table `ledger_lease`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    pub epoch: u8,
    pub until: u8,
}

/// A request to the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Request {
    /// A commit's append (`Journal::append`).
    Append(Commit),
    /// `Journal::claim`, by whoever last leased the ledger under `mine`.
    Claim { mine: Option<u8> },
    /// A lease's renewal (`Journal::renew`).
    Renew { epoch: u8 },
}

/// What it is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// It is written.
    Appended,
    /// Another writer has taken over, or the head is elsewhere (`AppendError::Fenced`,
    /// `AppendError::HeadMoved`, `JournalError::Fenced`).
    Fenced,
    /// It is taken over: the epoch, and the journal as it stands (`Opening`).
    Opened { epoch: u8, journal: Vec<Landed> },
    /// Another's lease is in force (`JournalError::Leased`).
    Leased,
    /// The lease is renewed.
    Renewed,
}

/// What of an append's guard is left out: nothing, in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub epoch: bool,
    pub head: bool,
}

/// The medium with all that stands on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Medium {
    pub epoch: u8,
    pub lease: Option<Lease>,
    pub journal: Vec<Landed>,
    /// The commands whose entries stand in the outbox; how many is its checkpoint.
    pub outbox: Vec<u8>,
}

impl Medium {
    /// Does what a request asks, at this moment of the medium's clock.
    pub fn does(
        &mut self,
        request: Request,
        now: u8,
        (lease, guard): (Option<u8>, Guard),
    ) -> Answer {
        match request {
            Request::Append(commit) => self.append(commit, guard),
            Request::Claim { mine } => self.claim(mine, now, lease),
            Request::Renew { epoch } => {
                if epoch != self.epoch {
                    return Answer::Fenced;
                }
                self.lease = lease.map(|lease| Lease { epoch, until: now + lease });
                Answer::Renewed
            }
        }
    }

    /// The statement `APPEND` of both databases.
    fn append(&mut self, commit: Commit, guard: Guard) -> Answer {
        let epoch = commit.epoch == self.epoch || !guard.epoch;
        let head = usize::from(commit.previous) == self.journal.len() || !guard.head;
        if !epoch || !head {
            return Answer::Fenced;
        }
        self.journal.push(Landed { commit, under: self.epoch });
        Answer::Appended
    }

    /// `Ledger::claim` in `journal/lease.rs`: the epoch is raised unless a lease is in force that
    /// is another's.
    fn claim(&mut self, mine: Option<u8>, now: u8, lease: Option<u8>) -> Answer {
        if self.lease_left(now) && self.lease.map(|lease| lease.epoch) != mine {
            return Answer::Leased;
        }
        self.epoch += 1;
        let until = lease.map(|lease| now + lease);
        self.lease = until.map(|until| Lease { epoch: self.epoch, until });
        Answer::Opened { epoch: self.epoch, journal: self.journal.clone() }
    }

    /// `Journal::lease_left`: whether the lease of the last writer is in force.
    pub fn lease_left(&self, now: u8) -> bool {
        self.lease.is_some_and(|lease| lease.epoch == self.epoch && now < lease.until)
    }

    /// `OutboxWriter::write`: what follows goes into the outbox if its checkpoint is where the
    /// writer believes; `false` where somebody else has gone on (`ProjectError::Moved`).
    pub fn writes_outbox(&mut self, at: u8, entries: &[u8]) -> bool {
        if self.outbox.len() != usize::from(at) {
            return false;
        }
        self.outbox.extend_from_slice(entries);
        true
    }
}
