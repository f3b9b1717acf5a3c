//! A process that writes the ledger, or stands by to.

use super::medium::{Answer, Commit, Landed, Medium, Request};

/// A request under way: its process waits for what it is answered, as the writing thread does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnderWay {
    pub request: Request,
    /// When it was sent (`Moment::now`).
    pub sent: u8,
    /// What the medium has answered, once it has; the answer may be lost yet.
    pub answer: Option<Answer>,
}

/// An engine that has taken over.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Engine {
    pub epoch: u8,
    /// The commands of the records that it knows to be durable: its state
    /// (`Shared::publish_commit`).
    pub state: Vec<u8>,
    /// When the last renewal that succeeded was sent (`Lease::renewed`).
    pub renewed: Option<u8>,
    /// A commit whose outcome it does not know, and finds out (`Writer::append`, `Unknown`).
    pub settling: Option<Commit>,
    /// How much of its state stands in the outbox, by what it knows; none once it is given up.
    pub outbox: Option<u8>,
    /// Tells whether it may write no more (`Writer::dies`): every door says so.
    pub dead: bool,
    /// Tells whether it found that a commit of unknown outcome had landed.
    pub found: bool,
}

/// A process, by how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// It was killed.
    Down,
    /// It follows the journal, or starts, and takes over once no lease is in force
    /// (`Follower::look`, `claim_when_lapsed`).
    StandsBy,
    /// It answers callers, and writes for them.
    Writes(Engine),
}

/// A process and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Process {
    pub node: Node,
    pub under_way: Option<UnderWay>,
}

impl Process {
    pub const fn standing_by() -> Self {
        Self { node: Node::StandsBy, under_way: None }
    }

    pub fn engine(&self) -> Option<&Engine> {
        match &self.node {
            Node::Writes(engine) => Some(engine),
            Node::Down | Node::StandsBy => None,
        }
    }

    /// Tells whether what it knows is what the ledger is: nobody else has taken over, and no record
    /// stands that it does not know, but for its own one under way, which nobody was told of.
    pub fn is_up_to_date(&self, medium: &Medium) -> bool {
        let Some(engine) = self.engine() else { return false };
        let own = match self.under_way.as_ref().and_then(|under_way| under_way.answer.as_ref()) {
            // It took over from itself, and has not heard of it yet.
            Some(Answer::Opened { epoch, .. }) => *epoch,
            _ => engine.epoch,
        };
        let appends = |it: &UnderWay| matches!(it.request, Request::Append(_));
        let pending = engine.settling.is_some() || self.under_way.as_ref().is_some_and(appends);
        own == medium.epoch && medium.journal.len() <= engine.state.len() + usize::from(pending)
    }

    pub fn sends(&mut self, request: Request, sent: u8) {
        self.under_way = Some(UnderWay { request, sent, answer: None });
    }
}

impl Engine {
    /// The engine of whoever took over (`Parts::begin`): its state is the journal's, and the outbox
    /// is brought up to that by `OutboxWriter::open`.
    pub fn opened(epoch: u8, journal: &[Landed], sent: u8) -> Self {
        let state: Vec<u8> = journal.iter().map(|landed| landed.commit.command).collect();
        Self {
            epoch,
            renewed: Some(sent),
            settling: None,
            outbox: Some(u8::try_from(state.len()).expect("few records")),
            dead: false,
            found: false,
            state,
        }
    }

    /// Tells whether it answers without asking the journal (`Lease::holds`, `Belief::Holds`).
    pub fn believes(&self, now: u8, believed: u8) -> bool {
        !self.dead && self.renewed.is_some_and(|sent| now < sent + believed)
    }

    /// From now on it writes nothing and answers nothing; what it knows to be durable may go to the
    /// outbox yet.
    pub fn dies(&mut self) {
        (self.dead, self.renewed, self.settling) = (true, None, None);
    }

    /// Tells whether `commit` became the head, or nothing did, by what was opened.
    pub fn settled(commit: Commit, journal: &[Landed]) -> Settled {
        let previous = usize::from(commit.previous);
        match journal.get(previous..) {
            Some([]) => Settled::NotWritten,
            Some([landed]) if landed.commit == commit => Settled::Written,
            _ => Settled::Fenced,
        }
    }
}

/// What became of an append of unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    Written,
    NotWritten,
    Fenced,
}
