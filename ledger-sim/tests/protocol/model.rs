//! The model: what processes, medium, network and clocks may do, and what must hold all the same.

use stateright::{Model, Property};

use super::medium::{Answer, Commit, Guard, Medium, Request};
use super::node::{Engine, Node, Process, Settled};

/// A mistake that is planted in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// An append is guarded by its head alone.
    NoEpochInTheGuard,
    /// An append is guarded by its epoch alone, and an unknown outcome taken for not written.
    NoHeadInTheGuard,
    /// A client is answered when the append is sent.
    AnsweredBeforeTheAppend,
    /// The outbox is filled from what was decided and may not be durable.
    OutboxOfWhatIsNotDurable,
    /// A lease counts from when its renewal was answered, by the writer's own clock.
    LeaseFromItsAnswer,
    /// A lease is believed as long as it is in force, without a tenth to spare.
    LeaseBelievedToItsEnd,
    /// An append of unknown outcome is taken for not written, and nobody takes over anew.
    UnknownIsNotWritten,
}

/// What a history may hold at most.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many processes there are; all may write, and stand by until they do.
    pub processes: usize,
    /// How many commands clients ask for, each of whomever and as often as they like.
    pub commands: u8,
    /// How long it lasts.
    pub ticks: u8,
    /// Tells whether the outbox is written at any moment; otherwise it is not written.
    pub outbox: bool,
    /// How often a process is killed.
    pub crashes: u8,
    /// How many answers are lost, or requests given up that may land later.
    pub losses: u8,
}

/// The protocol, or one with a flaw.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    pub bounds: Bounds,
    /// How long a lease is; none where engines hold none.
    pub lease: Option<u8>,
    /// By how much the medium's clock is set forward, once, at any moment.
    pub skew: u8,
    pub flaw: Option<Flaw>,
}

/// How much shorter than a lease it is believed: a tenth in the code, one tick here.
pub const SPARE: u8 = 1;

/// All that there is at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The time, as processes measure it: by clocks that go alike.
    now: u8,
    /// How far the medium's clock is ahead of theirs.
    ahead: u8,
    medium: Medium,
    processes: Vec<Process>,
    /// Requests that nobody waits for any more, and that may land yet.
    late: Vec<Request>,
    /// Commands whose clients were told that they are done.
    acknowledged: Vec<u8>,
    /// Commits whose clients were told that they were not written.
    not_written: Vec<Commit>,
    crashes: u8,
    losses: u8,
}

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Time goes on.
    Tick,
    /// The medium's clock is set forward.
    ClockSteps,
    /// A process that was killed is started again.
    Starts(usize),
    /// `Follower::look`, `claim_when_lapsed`: no lease is in force, and a claim is sent.
    Claims(usize),
    /// A client asks an engine for a command: `Engine::call`, decided, and its append sent.
    Asks(usize, u8),
    /// A client asks again for what is in the state: answered by a lease, or by `is_last_writer`.
    AsksAgain(usize, u8),
    /// `Writer::keep_lease` sends a renewal.
    Renews(usize),
    /// The medium does what was asked.
    Lands(usize),
    /// The answer arrives.
    Hears(usize),
    /// The answer is lost, or the request was not done yet and may be done later.
    Loses(usize),
    /// A request that nobody waits for is done.
    LateLands(usize),
    /// The thread `ledger-outbox` writes what its engine knows to be durable.
    WritesOutbox(usize),
    /// The process is killed.
    Crashes(usize),
}

impl Protocol {
    fn guard(&self) -> Guard {
        Guard {
            epoch: self.flaw != Some(Flaw::NoEpochInTheGuard),
            head: self.flaw != Some(Flaw::NoHeadInTheGuard),
        }
    }

    /// For how long a lease is believed from when its renewal was sent (`Lease::holds`).
    fn believed(&self) -> u8 {
        let spare = if self.flaw == Some(Flaw::LeaseBelievedToItsEnd) { 0 } else { SPARE };
        self.lease.map_or(0, |lease| lease - spare)
    }

    fn does(&self, moment: &mut Moment, request: Request) -> Answer {
        let now = moment.now + moment.ahead;
        moment.medium.does(request, now, (self.lease, self.guard()))
    }

    /// Tells whether an engine answers what it knows: within its lease, or once the journal says
    /// that it is the last writer (`Writer::verify`).
    fn answers(&self, moment: &Moment, engine: &Engine) -> bool {
        match self.lease {
            Some(_) => engine.believes(moment.now, self.believed()),
            None => !engine.dead && engine.epoch == moment.medium.epoch,
        }
    }

    /// A process hears what its request came to.
    fn hears(&self, moment: &mut Moment, of: usize) {
        let process = &mut moment.processes[of];
        let under_way = process.under_way.take().expect("it waits");
        let answer = under_way.answer.expect("it was answered");
        let sent = match self.flaw {
            Some(Flaw::LeaseFromItsAnswer) => moment.now,
            _ => under_way.sent,
        };
        match (&mut process.node, under_way.request, answer) {
            (node @ Node::StandsBy, Request::Claim { .. }, Answer::Opened { epoch, journal }) => {
                // `OutboxWriter::open`: brought up to the journal, by the records.
                let engine = Engine::opened(epoch, &journal, sent);
                let missing =
                    engine.state[moment.medium.outbox.len().min(engine.state.len())..].to_vec();
                moment.medium.outbox.extend(missing);
                *node = Node::Writes(engine);
            }
            (Node::Writes(engine), Request::Append(commit), Answer::Appended) => {
                engine.state.push(commit.command);
                moment.acknowledged.push(commit.command);
            }
            (Node::Writes(engine), Request::Renew { .. }, Answer::Renewed) => {
                engine.renewed = Some(sent);
            }
            (Node::Writes(engine), Request::Claim { .. }, Answer::Opened { epoch, journal }) => {
                let commit = engine.settling.take().expect("an engine claims to settle");
                (engine.epoch, engine.renewed) = (epoch, Some(sent));
                match Engine::settled(commit, &journal) {
                    Settled::Written => {
                        engine.found = true;
                        engine.state.push(commit.command);
                        moment.acknowledged.push(commit.command);
                    }
                    Settled::NotWritten => moment.not_written.push(commit),
                    Settled::Fenced => engine.dies(),
                }
            }
            (Node::Writes(engine), _, Answer::Fenced | Answer::Leased) => engine.dies(),
            // A standby whose claim came to a lease goes on standing by.
            _ => {}
        }
        moment.acknowledged.sort_unstable();
        moment.acknowledged.dedup();
        moment.not_written.sort_unstable();
        moment.not_written.dedup();
    }

    /// A process does not hear what its request came to.
    fn loses(&self, moment: &mut Moment, of: usize) {
        let now = moment.now;
        let process = &mut moment.processes[of];
        let under_way = process.under_way.take().expect("it waits");
        if under_way.answer.is_none() {
            moment.late.push(under_way.request);
            moment.late.sort_unstable();
        }
        let Node::Writes(engine) = &mut process.node else { return };
        match under_way.request {
            Request::Append(commit)
                if matches!(
                    self.flaw,
                    Some(Flaw::UnknownIsNotWritten | Flaw::NoHeadInTheGuard)
                ) =>
            {
                moment.not_written.push(commit);
            }
            // `AppendError::Unknown`: the epoch is given up, and taking over anew finds out.
            Request::Append(commit) => {
                engine.settling = Some(commit);
                let mine = self.lease.map(|_| engine.epoch);
                process.sends(Request::Claim { mine }, now);
            }
            // Nobody can find out: `EngineError::Stopped`.
            Request::Claim { .. } => engine.dies(),
            Request::Renew { .. } => {}
        }
    }

    /// Leaves out what makes no difference any more, so that a moment is not explored twice: which
    /// process is which, what has lapsed, and requests that will be refused whenever they land.
    fn simplify(&self, moment: &mut Moment) {
        let (now, believed) = (moment.now, self.believed());
        if !moment.medium.lease_left(now + moment.ahead) {
            moment.medium.lease = None;
        }
        let Medium { epoch, journal, .. } = &moment.medium;
        let guard = self.guard();
        moment.late.retain(|request| match request {
            Request::Append(commit) => {
                (commit.epoch == *epoch || !guard.epoch)
                    && (usize::from(commit.previous) == journal.len() || !guard.head)
            }
            Request::Renew { epoch: renewed } => renewed == epoch,
            Request::Claim { .. } => true,
        });
        for process in &mut moment.processes {
            if let Node::Writes(engine) = &mut process.node {
                let written = engine.outbox.is_none_or(|at| usize::from(at) >= engine.state.len());
                if engine.dead && (written || !self.bounds.outbox) {
                    (engine.epoch, engine.outbox) = (0, None);
                    engine.state.clear();
                }
                engine.renewed = engine.renewed.filter(|sent| now < sent + believed);
            }
            if let Some(under_way) = &mut process.under_way
                && (matches!(under_way.request, Request::Append(_))
                    || now >= under_way.sent + believed)
            {
                under_way.sent = 0;
            }
        }
        moment.processes.sort_unstable();
    }

    fn asks(&self, moment: &mut Moment, of: usize, command: u8) {
        let now = moment.now;
        let Node::Writes(engine) = &mut moment.processes[of].node else { return };
        let previous = u8::try_from(engine.state.len()).expect("few records");
        let commit = Commit { command, previous, epoch: engine.epoch };
        if self.flaw == Some(Flaw::AnsweredBeforeTheAppend) {
            moment.acknowledged.push(command);
            moment.acknowledged.sort_unstable();
            moment.acknowledged.dedup();
        }
        if self.flaw == Some(Flaw::OutboxOfWhatIsNotDurable)
            && moment.medium.writes_outbox(previous, &[command])
        {
            engine.outbox = Some(previous + 1);
        }
        moment.processes[of].sends(Request::Append(commit), now);
    }
}

impl Moment {
    /// What an engine may do that waits for nothing.
    fn actions_of(&self, of: usize, protocol: &Protocol, actions: &mut Vec<Action>) {
        let process = &self.processes[of];
        match (&process.node, &process.under_way) {
            (Node::Down, _) => actions.push(Action::Starts(of)),
            (Node::StandsBy, None) if !self.medium.lease_left(self.now + self.ahead) => {
                actions.push(Action::Claims(of));
            }
            (Node::Writes(engine), None) if !engine.dead => {
                for command in 0..protocol.bounds.commands {
                    if !engine.state.contains(&command) {
                        actions.push(Action::Asks(of, command));
                    } else if !self.acknowledged.contains(&command)
                        && protocol.answers(self, engine)
                    {
                        actions.push(Action::AsksAgain(of, command));
                    }
                }
                if protocol.lease.is_some() && engine.renewed < Some(self.now) {
                    actions.push(Action::Renews(of));
                }
            }
            _ => {}
        }
        if let Some(under_way) = &process.under_way {
            let answered = under_way.answer.is_some();
            actions.push(if answered { Action::Hears(of) } else { Action::Lands(of) });
            if self.losses < protocol.bounds.losses {
                actions.push(Action::Loses(of));
            }
        }
        if let Node::Writes(Engine { state, outbox: Some(outbox), .. }) = &process.node
            && usize::from(*outbox) < state.len()
            && protocol.bounds.outbox
        {
            actions.push(Action::WritesOutbox(of));
        }
        if process.node != Node::Down && self.crashes < protocol.bounds.crashes {
            actions.push(Action::Crashes(of));
        }
    }
}

impl Model for Protocol {
    type State = Moment;
    type Action = Action;

    fn init_states(&self) -> Vec<Moment> {
        vec![Moment {
            now: 0,
            ahead: 0,
            medium: Medium::default(),
            processes: vec![Process::standing_by(); self.bounds.processes],
            late: Vec::new(),
            acknowledged: Vec::new(),
            not_written: Vec::new(),
            crashes: 0,
            losses: 0,
        }]
    }

    fn actions(&self, moment: &Moment, actions: &mut Vec<Action>) {
        if moment.now < self.bounds.ticks {
            actions.push(Action::Tick);
        }
        if moment.ahead < self.skew {
            actions.push(Action::ClockSteps);
        }
        (0..moment.late.len()).for_each(|number| actions.push(Action::LateLands(number)));
        (0..self.bounds.processes).for_each(|of| moment.actions_of(of, self, actions));
    }

    fn next_state(&self, last: &Moment, action: Action) -> Option<Moment> {
        let mut moment = last.clone();
        match action {
            Action::Tick => moment.now += 1,
            Action::ClockSteps => moment.ahead = self.skew,
            Action::Starts(of) => moment.processes[of] = Process::standing_by(),
            Action::Claims(of) => {
                let now = moment.now;
                moment.processes[of].sends(Request::Claim { mine: None }, now);
            }
            Action::Asks(of, command) => self.asks(&mut moment, of, command),
            Action::AsksAgain(_, command) => {
                moment.acknowledged.push(command);
                moment.acknowledged.sort_unstable();
            }
            Action::Renews(of) => {
                let (now, epoch) = (moment.now, moment.processes[of].engine()?.epoch);
                moment.processes[of].sends(Request::Renew { epoch }, now);
            }
            Action::Lands(of) => {
                let request = moment.processes[of].under_way.as_ref()?.request;
                let answer = self.does(&mut moment, request);
                moment.processes[of].under_way.as_mut()?.answer = Some(answer);
            }
            Action::Hears(of) => self.hears(&mut moment, of),
            Action::Loses(of) => {
                moment.losses += 1;
                self.loses(&mut moment, of);
            }
            Action::LateLands(number) => {
                let request = moment.late.remove(number);
                // Nobody hears what it came to.
                let _ = self.does(&mut moment, request);
            }
            Action::WritesOutbox(of) => {
                let Node::Writes(engine) = &mut moment.processes[of].node else { return None };
                let at = engine.outbox?;
                let entries = engine.state[usize::from(at)..].to_vec();
                let written = moment.medium.writes_outbox(at, &entries);
                let all = u8::try_from(engine.state.len()).expect("few records");
                engine.outbox = written.then_some(all);
            }
            Action::Crashes(of) => {
                moment.crashes += 1;
                let process = &mut moment.processes[of];
                if let Some(under_way) = process.under_way.take()
                    && under_way.answer.is_none()
                {
                    moment.late.push(under_way.request);
                    moment.late.sort_unstable();
                }
                process.node = Node::Down;
            }
        }
        self.simplify(&mut moment);
        (moment != *last).then_some(moment)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(ACKNOWLEDGED, |_, moment: &Moment| {
                let stands = |command: &u8| {
                    moment.medium.journal.iter().any(|landed| landed.commit.command == *command)
                };
                moment.acknowledged.iter().all(stands)
            }),
            Property::always(ONE_POSITION, |_, moment: &Moment| {
                let mut journal = moment.medium.journal.iter().enumerate();
                journal.all(|(place, landed)| usize::from(landed.commit.previous) == place)
            }),
            Property::always(FENCED, |_, moment: &Moment| {
                moment.medium.journal.iter().all(|landed| landed.commit.epoch == landed.under)
            }),
            Property::always(NOT_WRITTEN, |_, moment: &Moment| {
                let landed = |commit: &Commit| {
                    moment.medium.journal.iter().any(|landed| landed.commit == *commit)
                };
                !moment.not_written.iter().any(landed)
            }),
            Property::always(SENT, |_, moment: &Moment| {
                let Medium { journal, outbox, .. } = &moment.medium;
                let decided = journal.iter().map(|landed| landed.commit.command);
                outbox.len() <= journal.len() && decided.zip(outbox).all(|(it, sent)| it == *sent)
            }),
            Property::always(READ, |protocol: &Self, moment: &Moment| {
                let answers = |process: &&Process| {
                    process.engine().is_some_and(|engine| protocol.answers(moment, engine))
                };
                let mut answering = moment.processes.iter().filter(answers);
                answering.all(|process| process.is_up_to_date(&moment.medium))
            }),
            Property::sometimes(TAKEN_OVER, |_, moment: &Moment| {
                // Where no answer was lost, nobody takes over from itself.
                let first = moment.medium.journal.first().map(|landed| landed.commit.epoch);
                let mut engines = moment.processes.iter().filter_map(Process::engine);
                moment.losses == 0
                    && engines.any(|it| !it.state.is_empty() && first < Some(it.epoch))
            }),
            Property::sometimes(UNKNOWN_LANDED, |_, moment: &Moment| {
                moment.processes.iter().filter_map(Process::engine).any(|engine| engine.found)
            }),
            Property::sometimes(UNKNOWN_LOST, |_, moment: &Moment| !moment.not_written.is_empty()),
            Property::sometimes(OUTBOX, |protocol: &Self, moment: &Moment| {
                !protocol.bounds.outbox
                    || moment.medium.outbox.len() == usize::from(protocol.bounds.commands)
            }),
        ]
    }
}

pub const ACKNOWLEDGED: &str = "no acknowledged record is lost";
pub const ONE_POSITION: &str = "no two appends land at one position";
pub const FENCED: &str = "no append of a superseded writer lands";
pub const NOT_WRITTEN: &str = "nothing that was told to be not written lands";
pub const SENT: &str = "nothing is sent that was not decided";
pub const READ: &str = "no read is answered from a superseded state";
pub const TAKEN_OVER: &str = "a standby takes over, and knows what was written";
pub const UNKNOWN_LANDED: &str = "an append of unknown outcome is found to have landed";
pub const UNKNOWN_LOST: &str = "an append of unknown outcome is found not to have landed";
pub const OUTBOX: &str = "all that was decided is sent";

pub const ALWAYS: [&str; 6] = [ACKNOWLEDGED, ONE_POSITION, FENCED, NOT_WRITTEN, SENT, READ];
pub const SOMETIMES: [&str; 4] = [TAKEN_OVER, UNKNOWN_LANDED, UNKNOWN_LOST, OUTBOX];
