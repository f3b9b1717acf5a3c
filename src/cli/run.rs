//! `run`: JSON lines in, answers out, each durable before it is given.

mod answers;
pub mod ending;
mod lines;
pub mod memory;
mod options;
mod speed;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use ledger_core::contract::{
    Call, CallKind, Code, Environment, Line, Problem, Response, RouteKind, opened_account,
};
use ledger_core::ledger::Origin;
use ledger_core::time::{Instant, Span};
use ledger_sim::Sandbox;
use serde_json::Value;

use crate::checkpoints::Checkpoints;
use crate::environments::{Environments, Reply, Source};
use crate::events::{self, Events, Heard};
use crate::labels::Labels;
use crate::store::{self, Store};
use crate::{Failure, loss, provider, say};
use answers::{Answer, Answers};
use ending::Stop;
use lines::{Lines, Next, Text};
use memory::LinePosition;
use speed::Speed;

pub use options::Options;

/// How many lines may wait for their answers.
const WINDOW: usize = 16_384;

/// How many bytes of lines may: more than ten times what as many of the common ones take.
const WINDOW_BYTES: usize = 1 << 26;

/// How many answers are given one after the other before lines are read again: so many lines more
/// than one come to whoever decides at once, and wake it once.
const AT_ONCE: usize = 1_024;

/// How long a run that waits for input waits before it looks whether it is to end.
const MOMENT: Duration = Duration::from_millis(50);

/// A line whose answer is awaited.
struct Awaited {
    place: LinePosition,
    /// How long the line is, in bytes.
    length: usize,
    label: Option<String>,
    /// No answer comes to a line behind one that was not written.
    replies: Vec<(Environment, Reply)>,
    /// Tells whether it may have something for the live ledger.
    opens: bool,
    given: bool,
}

struct Run {
    environments: Environments,
    checkpoints: Checkpoints,
    labels: Labels,
    source: Source,
    store: Store,
    strict: bool,
    sandbox: Sandbox,
    answers: Answers,
    answers_from: Option<u64>,
    awaited: VecDeque<Awaited>,
    /// How long the lines are whose answers are awaited.
    awaited_bytes: usize,
    /// The last line that was taken, and the hash of all lines up to it.
    number: u64,
    hash: u64,
    /// What the last line's hash was made of, in the place of the one before it.
    chained: String,
    /// Tells whether a line was executed that is not in the journals yet.
    beyond: bool,
    /// The latest instant of a line that could be read.
    latest: Option<Instant>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let source = options.source()?;
    let key = options.vault_key.as_deref().map(store::vault_key).transpose()?;
    let store = Store::parse(options.store.name())?;
    let mut lines = Lines::open(&options.file)?;
    let stop = Stop::listen()?;
    store.say_who_reads();
    options.accept_loss.as_deref().map(|head| loss::accept(&store, head)).transpose()?;
    let environments =
        Environments::open(&store, key, &source, options.heads()?, options.take_over)?;
    let checkpoints = Checkpoints::open(&store, options.checkpoints.settings())?;
    let opened = |path| Events::open(path, environments.goes_on());
    let events = options.events.as_deref().map(opened);
    let mut run = Run {
        environments,
        checkpoints,
        labels: Labels::default(),
        source,
        store,
        strict: options.strict,
        sandbox: Sandbox::new(options.sandbox_seed),
        answers: Answers::new(events.transpose()?, options.fail_on_refused),
        answers_from: options.answers_from,
        awaited: VecDeque::new(),
        awaited_bytes: 0,
        number: 0,
        hash: 0,
        chained: String::new(),
        beyond: false,
        latest: None,
    };
    run.say_where_it_resumes();
    let stopped = run.take_all(&mut lines, &stop)?;
    run.end(stopped)
}

impl Run {
    fn say_where_it_resumes(&self) {
        for (environment, ledger) in
            self.environments.ledgers().filter(|(_, ledger)| ledger.progress.answered > 0)
        {
            let (name, last) = (environment.name(), ledger.progress.answered);
            say(&format!("{name}: lines up to {last} are recorded already; going on after them"));
        }
    }

    /// Takes lines until their end, or until a signal comes: gives its name and exit code.
    fn take_all(
        &mut self,
        lines: &mut Lines,
        stop: &Stop,
    ) -> Result<Option<(&'static str, u8)>, Failure> {
        let mut speed = Speed::new();
        loop {
            if let Some(signal) = stop.signal() {
                return Ok(Some(signal));
            }
            let mut next = lines.next()?;
            if matches!(next, Next::Waiting) {
                // Lines may come while an answer is waited for: then what follows waits no longer.
                if !self.awaited.is_empty() {
                    self.give_some()?;
                    continue;
                }
                self.drain(0)?;
                self.checkpoints.look_at(&self.environments)?;
                next = lines.wait(MOMENT)?;
            }
            match next {
                Next::Waiting => {}
                Next::End => return Ok(None),
                Next::Line(text) => {
                    self.take(&text)?;
                    self.checkpoints.look_at(&self.environments)?;
                    speed.show(self.number, &self.environments);
                }
            }
        }
    }

    /// Takes one line.
    fn take(&mut self, text: &Text) -> Result<(), Failure> {
        self.number += 1;
        self.answers.count_line();
        let started = self.environments.is_started();
        if !started && self.number > self.environments.last_line() {
            self.go_on()?;
        }
        let content = match text {
            Text::Written(text) => text,
            Text::Blank => "",
            Text::Unreadable(reason) => reason,
        };
        let tokens = self.environments.ledger(Environment::Live).tokens;
        self.chained.clear();
        let _ = write!(self.chained, "{:016x}\n{content}", self.hash);
        self.hash = tokens.line(&self.chained);
        match text {
            Text::Written(text) => self.line(text)?,
            Text::Blank => {}
            Text::Unreadable(reason) => {
                self.answer_malformed(&Problem::new(Code::FormatInvalid, *reason))?;
            }
        }
        if !started {
            self.drain(0)?;
            self.environments.end_line(self.number)?;
        }
        Ok(())
    }

    /// What the journals hold was executed again: what was decided beyond it is written, and then
    /// answered.
    fn go_on(&mut self) -> Result<(), Failure> {
        self.environments.go_on()?;
        if self.environments.is_durable() {
            self.answers.give_held()?;
        }
        if self.environments.is_started() {
            self.answers.go_on();
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        let labels = &mut self.labels;
        let parsed = Line::parse(text, |name| labels.refer(name));
        let mut line = match parsed {
            Ok(line) => line,
            Err(problem) => return self.answer_malformed(&problem),
        };
        self.latest = self.latest.max(Some(line.at));
        if let Some(label) = line.label.as_deref()
            && let Err(problem) = self.labels.claim(label, self.number)
        {
            return self.answer_malformed(&problem);
        }
        let tokens = self.environments.ledger(Environment::Live).tokens;
        let reads = matches!(&line.ask, CallKind::Request { method, .. } if method == "GET");
        // Only journals of earlier versions name it, and few lines are supplied with anything.
        let alone = || tokens.line(text);
        let in_memory = (!self.environments.is_started()).then(alone);
        let place = LinePosition { number: self.number, all: self.hash, alone: in_memory, reads };
        let targets = self.environments.route(&line);
        if !self.strict {
            provider::supply_line(&mut line, &targets, alone, |text| tokens.line(text));
        }
        let label = line.label.clone();
        let opens = match &line.ask {
            CallKind::Fact(name) => {
                opened_account(name).is_some() && line.supplied.get("key").is_none()
            }
            CallKind::Request { target, .. } => line.ask.home().is_some() || goes_live(target),
            CallKind::Command { .. } => false,
        };
        let shows_key = opens || line.supplied.get("entropy").is_some();
        let before = |target: &Environment| {
            place.number <= self.environments.ledger(*target).progress.answered
        };
        let given = self.is_given(targets.iter().all(before));
        let call = line.call(Origin::Call);
        let sandbox = Some(self.sandbox).filter(|_| !self.strict);
        let mut replies = Vec::with_capacity(targets.len());
        let (last, others) = targets.split_last().expect("a line is for a ledger");
        for environment in others {
            replies.push((*environment, self.execute(*environment, place, call.clone(), sandbox)?));
        }
        replies.push((*last, self.execute(*last, place, call, sandbox)?));
        let known = label.as_deref().is_none_or(|label| self.expect(label, &mut replies));
        let length = text.len();
        self.awaited_bytes += length;
        self.awaited.push_back(Awaited { place, length, label, replies, opens, given });
        // A key shown once may be used by the very next line.
        if shows_key || !known {
            return self.drain(0);
        }
        if self.awaited.len() > WINDOW || self.awaited_bytes > WINDOW_BYTES {
            return self.give_some();
        }
        Ok(())
    }

    /// Has a label know its answer before that is given; `false` where it cannot.
    fn expect(&mut self, label: &str, replies: &mut [(Environment, Reply)]) -> bool {
        match replies {
            [(_, Reply::Now(heard))] => self.labels.bind(label, &heard.response),
            [(_, Reply::Ticket(_, decided))] => self.labels.expect(label, decided.take()),
            // Of several answers one is given.
            _ => return false,
        }
        true
    }

    /// Executes a call on a ledger as the line's.
    fn execute(
        &mut self,
        environment: Environment,
        place: LinePosition,
        mut call: Call,
        sandbox: Option<Sandbox>,
    ) -> Result<Reply, Failure> {
        let (source, pass) = (Box::<str>::from(&*self.source.name), self.environments.pass());
        let number = place.number;
        let origin = move |hash| Origin::Line { source: source.clone(), pass, number, hash };
        let wanted = self.answers.wants_events();
        self.environments.ledger_mut(environment).execute(
            place,
            origin,
            move |sequencer, origin| {
                call.origin = origin;
                events::hear_all(sequencer, &call, sandbox, wanted)
            },
        )
    }

    /// Tells whether the answer to the line is given now, if it may have been before.
    fn is_given(&self, before: bool) -> bool {
        match self.answers_from {
            Some(from) => from <= self.number,
            None => self.beyond || !before,
        }
    }

    /// A line that could not be read: answered, counted, named by its number.
    fn answer_malformed(&mut self, problem: &Problem) -> Result<(), Failure> {
        self.drain(0)?;
        // Before any line could be read, the contract of today is the one that answers.
        let at = self.latest.unwrap_or(Instant::default().after(Span::days(u32::MAX)));
        let response = Response::problem(problem, RouteKind::Other, at, None);
        let before = self.environments.ledgers().map(|(_, ledger)| ledger.progress.answered).max();
        let given = self.is_given(Some(self.number) <= before);
        let (number, effects) = (self.number, Vec::new());
        self.give(Answer { number, response, effects, malformed: true, given })
    }

    /// Gives the next answers, as many as are given at once.
    fn give_some(&mut self) -> Result<(), Failure> {
        self.drain(self.awaited.len().saturating_sub(AT_ONCE))
    }

    /// Gives answers until at most `left` are awaited.
    fn drain(&mut self, left: usize) -> Result<(), Failure> {
        while self.awaited.len() > left {
            let Some(awaited) = self.awaited.pop_front() else { break };
            self.awaited_bytes -= awaited.length;
            self.finish(awaited)?;
        }
        if self.awaited.is_empty() { self.answers.flush() } else { Ok(()) }
    }

    /// Waits for the answer to a line, learns from it, and gives it.
    fn finish(&mut self, awaited: Awaited) -> Result<(), Failure> {
        let Awaited { place, label, replies, opens, given, .. } = awaited;
        let (mut answer, mut effects): (Option<Arc<Response>>, Vec<Value>) = (None, Vec::new());
        for (environment, reply) in replies {
            let heard = self.wait(place.number, reply)?;
            effects.extend(heard.effects);
            self.environments.learn_key(environment, &heard.response.body);
            if let Some(call) = heard.onward.filter(|_| opens) {
                self.pass_on(place, *call)?;
            }
            let status = heard.response.status;
            if answer.as_ref().is_none_or(|known| known.status < status) {
                answer = Some(heard.response);
            }
        }
        let Some(response) = answer else { return Ok(()) };
        if let Some(label) = &label {
            self.labels.bind(label, &response);
        }
        let response = Arc::unwrap_or_clone(response);
        self.give(Answer { number: place.number, response, effects, malformed: false, given })
    }

    fn wait(&self, number: u64, reply: Reply) -> Result<Heard, Failure> {
        let heard = match reply {
            Reply::Now(heard) => return Ok(*heard),
            Reply::Ticket(ticket, _) => ticket.wait().map_err(|error| error.to_string()),
        };
        let lost = || "not written: a line before it was not".to_owned();
        heard.and_then(|heard| heard.ok_or_else(lost)).map_err(|error| {
            Failure::new(format!("{} line {number}: {}: {error}", self.source.name, self.store))
        })
    }

    /// Tells the live ledger what the sandbox has for it.
    fn pass_on(&mut self, place: LinePosition, call: Call) -> Result<(), Failure> {
        let reply = self.execute(Environment::Live, place, call, None)?;
        let answer = self.wait(place.number, reply)?.response;
        let outcome = answer.body.text("outcome");
        if !matches!(outcome, Some("applied" | "known")) {
            let (source, number) = (&self.source.name, place.number);
            say(&format!("{source} line {number}: the live ledger answered {}", answer.body));
        }
        Ok(())
    }

    fn give(&mut self, mut answer: Answer) -> Result<(), Failure> {
        if self.environments.is_durable() {
            return self.answers.give(answer);
        }
        // Answers are given in order, so none from here on was given before.
        self.beyond = true;
        answer.given |= self.answers_from.is_none();
        self.answers.hold(answer);
        Ok(())
    }
}

/// Tells whether a request asks for production, which the live ledger must hear of.
fn goes_live(target: &str) -> bool {
    target.starts_with("/mesh/agents/") && target.ends_with("/production-request")
}
