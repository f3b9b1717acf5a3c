//! One run: the world speaks, ledger and oracle answer, commits land or are lost.

use std::collections::VecDeque;
use std::time::Instant as Stopwatch;

use ledger_core::ledger::laws::LAWS;
use ledger_core::ledger::{Command, Execution, Outcome, Refusal, What};

use crate::checker;
use crate::failure::Failure;
use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::report::Report;
use crate::rng::Rng;
use crate::settings::{Length, Settings};
use crate::subject::{Subject, Wrong};
use crate::world::{self, World};

/// How many commands a failure tells of.
const REMEMBERED: usize = 20;
/// How often everything is compared, and how often every law is checked over everything.
const COMPARE_EVERY: u64 = 100;
const CHECK_EVERY: u64 = 1_000;

/// A run as it stands.
pub(crate) struct Run {
    pub(crate) settings: Settings,
    pub(crate) world: World,
    pub(crate) oracle: Oracle,
    pub(crate) subject: Subject,
    pub(crate) report: Report,
    chance: Rng,
    /// Answered by the ledger, not yet durable, so not yet told to anyone.
    batch: Vec<Said>,
    batch_size: usize,
    crash: Option<Crash>,
    /// What people say again because a crash kept its answer from them.
    again: Vec<What>,
    last: VecDeque<Command>,
    began: ledger_core::time::Instant,
}

/// A command with what came of it.
struct Said {
    command: Command,
    answer: Result<Outcome, Refusal>,
    /// The last record before it and the last one after it.
    before: u64,
    after: u64,
}

/// A crash to come at the end of this batch, with the oracle as it was at its beginning.
struct Crash {
    when: Moment,
    oracle: Box<Oracle>,
}

/// When a crash strikes.
#[derive(Clone, Copy)]
enum Moment {
    BeforeAppend,
    BetweenAppends,
    BeforeAnswer,
}

/// Runs one history.
///
/// # Errors
///
/// The [`Failure`] that ended it: ledger and oracle disagree, or a law does not hold.
pub fn simulate(settings: &Settings) -> Result<Report, Failure> {
    let stopwatch = Stopwatch::now();
    let mut run = Run::new(*settings)?;
    run.through().map_err(|what| run.failure(what))?;
    run.report.elapsed = stopwatch.elapsed();
    Ok(run.report)
}

impl Run {
    fn new(settings: Settings) -> Result<Self, Failure> {
        let subject = Subject::new().map_err(|what| Failure {
            settings,
            command: 0,
            what,
            last: Vec::new(),
        })?;
        let world = World::new(settings.seed, settings.faults);
        Ok(Self {
            settings,
            began: world.now,
            world,
            oracle: Oracle::new(settings.planted),
            subject,
            report: Report::new(),
            chance: Rng::new(!settings.seed),
            batch: Vec::new(),
            batch_size: 1,
            crash: None,
            again: Vec::new(),
            last: VecDeque::new(),
        })
    }

    fn failure(&self, what: Wrong) -> Failure {
        let command = self.report.commands;
        let settings = self.settings;
        Failure { settings, command, what, last: self.last.iter().cloned().collect() }
    }

    fn through(&mut self) -> Result<(), Wrong> {
        while self.goes_on() {
            let command = self.world.next_command(&self.oracle);
            self.say(command)?;
        }
        self.come_to_rest()?;
        let head = self.subject.head().0;
        self.report.end_of_run(head, &self.world.injected);
        Ok(())
    }

    fn goes_on(&self) -> bool {
        match self.settings.length {
            Length::Commands(commands) => self.report.commands < commands,
            Length::Days(days) => {
                self.world.now < self.began.after(ledger_core::time::Span::days(days))
            }
        }
    }

    /// Puts one command to ledger and oracle, and compares.
    pub(crate) fn say(&mut self, command: Command) -> Result<(), Wrong> {
        self.report.commands += 1;
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back(command.clone());
        let before = self.oracle.seq;
        let predicted = self.oracle.execute(&command);
        let execution = self.subject.execute(command.clone())?;
        if predicted.answer != execution.answer {
            let (expected, found) = (predicted.answer, execution.answer);
            return Err(format!("the oracle answers {expected:?}, the ledger {found:?}"));
        }
        checker::compare_notices(&self.oracle, &execution)?;
        checker::compare_dates(&self.oracle, &command, &execution.records)?;
        self.count(&command, &execution, predicted.deadlines);
        checker::compare_touched(&self.oracle, &self.subject)?;
        let after = self.oracle.seq;
        self.batch.push(Said { command, answer: execution.answer, before, after });
        if self.batch.len() >= self.batch_size {
            self.flush()?;
        }
        if self.report.commands.is_multiple_of(COMPARE_EVERY) {
            checker::compare_all(&self.oracle, &self.subject)?;
        }
        if self.report.commands.is_multiple_of(CHECK_EVERY) {
            self.check_all()?;
        }
        Ok(())
    }

    pub(crate) fn check_all(&mut self) -> Result<(), Wrong> {
        self.report.laws_checked += u64::try_from(LAWS.len()).unwrap_or(0);
        self.subject.check_all()
    }

    fn count(&mut self, command: &Command, execution: &Execution, deadlines: u64) {
        let answer = &execution.answer;
        self.report.records += u64::try_from(execution.records.len()).unwrap_or(0);
        self.report.deadlines += deadlines;
        self.report.answered(&command.what, answer);
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
                (What::Request(..), Ok(Outcome::Repeated(_))) => {
                    self.report.reach(Goal::AnswerLost);
                }
                (What::Request(..), Ok(Outcome::Created(_))) => {
                    self.report.reach(Goal::LostAndRedone);
                }
                (What::Fact(_), Ok(Outcome::Known)) => self.report.reach(Goal::KnownAfterCrash),
                _ => {}
            }
        }
    }

    /// Makes the batch durable and tells the answers, unless a crash comes first.
    pub(crate) fn flush(&mut self) -> Result<(), Wrong> {
        match self.crash.take() {
            Some(crash) => self.strike(crash)?,
            None => {
                while self.subject.waiting() > 0 {
                    let count = 1 + self.chance.index(self.subject.waiting());
                    let whole = self.chance.percent(80);
                    let count = if whole { self.subject.waiting() } else { count };
                    self.append(count)?;
                }
                for said in std::mem::take(&mut self.batch) {
                    self.world.learn(&said.command.what, &said.answer, &self.oracle);
                }
            }
        }
        self.batch_size = match self.chance.weighted(&[60, 30, 10]) {
            0 => 1,
            1 => 1 + self.chance.index(6),
            _ => 1 + self.chance.index(40),
        };
        if self.chance.bps(self.world.faults.scale(90)) {
            let moments = [Moment::BeforeAppend, Moment::BetweenAppends, Moment::BeforeAnswer];
            let when = *self.chance.pick(&moments).unwrap_or(&Moment::BeforeAnswer);
            self.batch_size = self.batch_size.max(3);
            self.crash = Some(Crash { when, oracle: Box::new(self.oracle.clone()) });
        }
        Ok(())
    }

    fn append(&mut self, count: usize) -> Result<(), Wrong> {
        self.report.commits += u64::from(count > 0);
        self.subject.append(count)
    }

    /// Loses what is not durable, in the ledger and in the oracle, and lets people ask again.
    fn strike(&mut self, crash: Crash) -> Result<(), Wrong> {
        let waiting = self.subject.waiting();
        let kept = match crash.when {
            Moment::BeforeAppend => 0,
            Moment::BetweenAppends => self.chance.index(waiting.max(1)),
            Moment::BeforeAnswer => waiting,
        };
        self.report.inject(match crash.when {
            Moment::BeforeAppend => "crashes before an append",
            Moment::BetweenAppends => "crashes between two appends",
            Moment::BeforeAnswer => "crashes between append and answer",
        });
        if 0 < kept && kept < waiting {
            self.report.reach(Goal::CrashInside);
        }
        self.append(kept)?;
        self.subject.crash()?;
        self.report.crashes += 1;
        self.report.reach(Goal::Fenced);
        self.oracle = *crash.oracle;
        let durable = self.subject.durable();
        for said in std::mem::take(&mut self.batch) {
            if said.before < durable && durable < said.after {
                // Of this command only deadlines that it brought due are durable.
                let at = said.command.at.max(self.oracle.now);
                self.oracle.advance(at, durable - said.before);
            } else if said.before < said.after && said.after <= durable {
                self.oracle.execute(&said.command);
            }
            self.say_again(said);
        }
        checker::compare_all(&self.oracle, &self.subject)?;
        self.check_all()
    }

    /// Who got no answer asks again: facts always, requests mostly, and those with an id surely.
    fn say_again(&mut self, said: Said) {
        let what = said.command.what;
        let asks = match &what {
            What::Fact(_) | What::Public(_) | What::Enrolment(_) => true,
            What::Request(_, request) => world::has_identity(request) || self.chance.percent(50),
        };
        if asks {
            let wait = u32::try_from(self.chance.below(90)).unwrap_or(1);
            let at = self.world.now.after(ledger_core::time::Span::seconds(wait));
            self.again.push(what.clone());
            self.world.plan(at, what);
        }
    }
}
