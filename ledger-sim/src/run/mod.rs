//! One run: the world speaks, ledger and oracle answer, commits land or are lost.

pub(super) mod feed;
pub(super) mod many;
pub(super) mod script;
pub(super) mod storage_faults;

use std::collections::VecDeque;
use std::time::Instant as Stopwatch;

use ledger_core::ledger::{Command, Execution, Fact, Intent, Outcome, Refusal, Reported};
use ledger_core::time::{Instant, Span};

use crate::checker;
use crate::checker::trial::judge;
use crate::failure::Failure;
use crate::failure::wrong::Mismatch;
use crate::failure::wrong::caught;
use crate::goal::Goal;
use crate::machine::{Machine, Reading, TOLERANCE};
use crate::oracle::{Oracle, happened_at};
use crate::report::Report;
use crate::rng::Rng;
use crate::run::storage_faults::Crash;
use crate::settings::{Judges, Length, Planted, Settings};
use crate::system_under_test::store::Store;
use crate::system_under_test::{self, SystemUnderTest};
use crate::world::World;

/// How many commands a failure tells of.
const REMEMBERED: usize = 20;
/// How often everything is compared, and every invariant checked over everything.
const EVERY: u64 = 1_000;
/// How often a run shows how far it has come.
const WATCH_EVERY: u64 = 500;

/// A run as it stands.
pub(crate) struct Run {
    pub(crate) settings: Settings,
    pub(crate) world: World,
    pub(crate) oracle: Oracle,
    pub(crate) subject: SystemUnderTest,
    pub(crate) report: Report,
    pub(crate) chance: Rng,
    /// The machine that serves the run; none where lines tell the time.
    pub(crate) machine: Option<Machine>,
    /// Answered by the ledger, not yet durable, so not yet given to anyone.
    pub(crate) batch: Vec<ExecutedCommand>,
    pub(crate) batch_size: usize,
    pub(crate) crash: Option<Crash>,
    /// What people say again because a crash kept its answer from them.
    pub(crate) again: Vec<Intent>,
    last: VecDeque<Box<Command>>,
    began: Instant,
    /// What was said and is durable, where somebody wants to hear it again.
    history: Option<Vec<Command>>,
    /// What came of the last command, for its room.
    execution: Execution,
    /// What is being said; there is nothing once it was found right.
    saying: Option<Box<Command>>,
}

/// A command with what came of it.
#[derive(Clone)]
pub(crate) struct ExecutedCommand {
    pub(crate) command: Box<Command>,
    pub(crate) answer: Result<Outcome, Refusal>,
    /// The last record before it and the last one after it.
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// Runs one history in memory.
///
/// # Errors
///
/// The [`Failure`] that ended it: ledger and oracle disagree, an invariant does not hold, or
/// something panicked.
pub fn simulate(settings: &Settings) -> Result<Report, Failure> {
    simulate_on(settings, &Store::Memory, &mut |_| ())
}

/// Runs one history over a store, and shows `watch` now and then how far it has come.
///
/// # Errors
///
/// The [`Failure`] that ended it: ledger and oracle disagree, an invariant does not hold, the store
/// does not keep what it promised, or something panicked, in whichever of them.
pub fn simulate_on(
    settings: &Settings,
    store: &Store,
    watch: &mut dyn FnMut(&Report),
) -> Result<Report, Failure> {
    let stopwatch = Stopwatch::now();
    let reported = |what| Failure::new(*settings, store.clone(), what);
    let mut run = caught(|| Run::new(*settings, store)).map_err(reported)?;
    let done = run.through(&mut |report| {
        report.elapsed = stopwatch.elapsed();
        watch(report);
    });
    done.map_err(|what| run.failure(store, what))?;
    run.report.elapsed = stopwatch.elapsed();
    Ok(run.report)
}

impl Run {
    pub(crate) fn new(settings: Settings, store: &Store) -> Result<Self, Mismatch> {
        let world = World::new(settings.seed, settings.faults);
        let began = world.now;
        Ok(Self {
            settings,
            began,
            world,
            oracle: Oracle::new(settings.planted),
            subject: SystemUnderTest::new(store)?.judged_by(settings.judges),
            report: Report::new(),
            chance: Rng::new(!settings.seed),
            machine: Machine::from_seed(settings.seed, settings.faults, began),
            batch: Vec::new(),
            batch_size: 1,
            crash: None,
            again: Vec::new(),
            last: VecDeque::new(),
            history: None,
            execution: Execution::quiet(),
            saying: None,
        })
    }

    /// A run that remembers what it said.
    pub(crate) fn remembering(settings: Settings) -> Result<Self, Mismatch> {
        let run = Self::new(settings, &Store::Memory)?;
        Ok(Self { history: Some(Vec::new()), ..run })
    }

    /// Returns what was said to the ledger as it stands now, where the run remembers it.
    pub(crate) fn into_commands(self) -> Vec<Command> {
        let mut commands = self.history.unwrap_or_default();
        let waiting = self.batch.into_iter().map(|said| said.command);
        commands.extend(waiting.chain(self.saying).map(|command| *command));
        commands
    }

    /// Remembers what became durable.
    pub(crate) fn remember(&mut self, said: ExecutedCommand) {
        if let Some(history) = &mut self.history {
            history.push((*said.command).clone());
        }
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back(said.command);
    }

    pub(crate) fn failure(&self, store: &Store, what: Mismatch) -> Failure {
        let batch = self.batch.iter().map(|said| &said.command);
        let last: Vec<_> = self.last.iter().chain(batch).chain(&self.saying).collect();
        let last = &last[last.len().saturating_sub(REMEMBERED)..];
        let last = last.iter().map(|command| (***command).clone()).collect();
        let failure = Failure::new(self.settings, store.clone(), what);
        Failure { command: self.report.commands, last, ..failure }
    }

    /// Says all there is to say; a panic on the way, whoever's it is, is what is wrong.
    pub(crate) fn through(&mut self, watch: &mut dyn FnMut(&mut Report)) -> Result<(), Mismatch> {
        let ended = caught(|| self.until_its_end(watch));
        match self.settings.judges {
            Judges::All => ended,
            Judges::OutcomeAlone => ended.or_else(|what| {
                if system_under_test::is_of_the_outcome(&what) { Err(what) } else { Ok(()) }
            }),
        }
    }

    fn until_its_end(&mut self, watch: &mut dyn FnMut(&mut Report)) -> Result<(), Mismatch> {
        while self.goes_on() {
            let planted = self.settings.planted == Some(Planted::WorldPanics(self.report.commands));
            assert!(!planted, "planted: the world has said enough");
            let command = self.world.next_command(&self.oracle);
            self.say(command)?;
            if self.report.commands.is_multiple_of(WATCH_EVERY) {
                watch(&mut self.report);
            }
        }
        self.come_to_rest()?;
        let head = self.subject.head().0;
        self.report.end_of_run(head, &self.world.injected);
        Ok(())
    }

    fn goes_on(&self) -> bool {
        match self.settings.length {
            Length::Commands(commands) => self.report.commands < commands,
            Length::Days(days) => self.world.now < self.began.after(Span::days(days)),
        }
    }

    /// Puts one command to ledger and oracle, and compares; the machine that serves the run may
    /// turn it away before.
    pub(crate) fn say(&mut self, mut command: Box<Command>) -> Result<(), Mismatch> {
        let mut clock = None;
        if let Some(machine) = &mut self.machine {
            match machine.read(self.world.now, self.world.faults)? {
                Some(reading) => clock = Some(self.dates(&mut command, reading)),
                None => {
                    self.turn_away(command.what);
                    return Ok(());
                }
            }
        }
        self.set_clock(clock);
        self.report.commands += 1;
        let before = self.oracle.seq;
        let mut execution = std::mem::replace(&mut self.execution, Execution::quiet());
        let (oracle, subject) = (&mut self.oracle, &mut self.subject);
        let said = self.saying.insert(command);
        let deadlines = judge(oracle, subject, said, self.settings.planted, &mut execution)?;
        let mut command = self.saying.take().expect("it is being said");
        let dated = self.oracle.effective_instant(command.at);
        self.set_clock(None);
        self.count(&command, &execution, deadlines);
        if dated < command.at {
            self.is_dated(&mut command, dated);
        }
        let after = self.oracle.seq;
        let answer = std::mem::replace(&mut execution.answer, Ok(Outcome::Done));
        self.execution = execution;
        self.batch.push(ExecutedCommand { command, answer, before, after });
        if self.batch.len() >= self.batch_size {
            self.flush()?;
        }
        if self.report.commands.is_multiple_of(EVERY) {
            self.check_all()?;
        }
        Ok(())
    }

    /// Dates a command as the service does that takes it: by its own clock, and a fact as it is
    /// told.
    fn dates(&mut self, command: &mut Command, reading: Reading) -> Reading {
        let Reading { clock, latest } = reading;
        let told = matches!(
            &command.what,
            Intent::Fact(Reported { fact, .. }) if *fact != Fact::TimePassed
        );
        if clock.now < self.world.now {
            self.report.reach(Goal::ClockSetBack);
        }
        if !told {
            command.at = clock.now;
            return reading;
        }
        let faults = self.world.faults;
        if self.machine.as_mut().is_some_and(|it| it.misdate(&mut command.at, clock, faults)) {
            self.report.inject("facts dated ahead of the machine's clock");
        }
        Reading { clock, latest: latest.after(TOLERANCE) }
    }

    /// What is said again of a fact that was dated ahead is dated as it was taken.
    fn is_dated(&self, command: &mut Command, dated: Instant) {
        command.at = dated.max(self.oracle.now);
        if let Intent::Fact(Reported { fact, .. }) = &mut command.what
            && let Some(happened) = happened_at(fact)
        {
            *happened = command.at.min(*happened);
        }
    }

    /// Nothing is done while the machine's clock is not believed: whoever asked asks again.
    fn turn_away(&mut self, what: Intent) {
        self.report.inject("calls turned away while the machine's clock was not believed");
        self.report.reach(Goal::ClockDoubted);
        if !matches!(&what, Intent::Fact(Reported { fact: Fact::TimePassed, .. })) {
            let wait = u32::try_from(self.chance.below(90)).unwrap_or(1);
            self.world.plan(self.world.now.after(Span::seconds(wait)), what);
        }
    }

    fn set_clock(&mut self, reading: Option<Reading>) {
        let clock = reading.map(|reading| reading.clock);
        self.subject.ledger.set_machine_time(clock);
        // What the ledger has come to is not taken back.
        let now = self.subject.ledger.state.now;
        self.subject.latest = reading.map(|reading| reading.latest.max(now));
        self.oracle.machine_reads = clock.map(|clock| clock.now);
    }

    /// Compares everything, and checks every invariant over everything.
    pub(crate) fn check_all(&mut self) -> Result<(), Mismatch> {
        if self.settings.judges == Judges::OutcomeAlone {
            return Ok(());
        }
        checker::compare_all(&self.oracle, &self.subject)?;
        self.report.checked_invariants();
        self.subject.check_all()
    }

    fn count(&mut self, command: &Command, execution: &Execution, deadlines: u64) {
        let answer = &execution.answer;
        self.report.records += u64::try_from(execution.records.len()).unwrap_or(0);
        self.report.deadlines += deadlines;
        self.report.count_response(&command.what, answer);
        for goal in &self.oracle.trace.goals {
            self.report.reach(*goal);
        }
        if let Some(place) = self.world.suggested.iter().position(|what| *what == command.what) {
            self.world.suggested.swap_remove(place);
            if matches!(answer, Ok(Outcome::Created(_))) {
                self.report.reach(Goal::MinimumPasses);
            }
        }
        if let Some(place) = self.again.iter().position(|what| *what == command.what) {
            self.again.swap_remove(place);
            match (&command.what, answer) {
                (Intent::Request(..), Ok(Outcome::Repeated(_))) => {
                    self.report.reach(Goal::AnswerLost);
                }
                (Intent::Request(..), Ok(Outcome::Created(_))) => {
                    self.report.reach(Goal::LostAndRedone);
                }
                (Intent::Fact(_), Ok(Outcome::Known)) => self.report.reach(Goal::KnownAfterCrash),
                _ => {}
            }
        }
    }
}
