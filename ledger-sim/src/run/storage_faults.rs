//! What the medium does to a batch: it lands, in one commit or several, or its writer is lost
//! before, between or after them, or the writer learns nothing, or something wrong.

use ledger_core::ledger::Intent;
use ledger_core::time::Span;

use super::{ExecutedCommand, Run};
use crate::failure::wrong::Mismatch;
use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::system_under_test::StorageFault;
use crate::world;

/// What is to strike at the end of a batch, with the oracle as it was at the batch's beginning.
pub(crate) struct Crash {
    when: Moment,
    oracle: Box<Oracle>,
}

/// When a writer is lost.
#[derive(Clone, Copy)]
enum Moment {
    BeforeAppend,
    BetweenAppends,
    BeforeAnswer,
    /// The append fails with nothing written, so what it held is void.
    DiskFull,
    /// The append ends unknown, and the head read back says that nothing of it landed.
    Torn,
    /// A second writer takes over, and the first learns it when it appends.
    TakenOver,
}

impl Moment {
    const ALL: [Self; 6] = [
        Self::BeforeAppend,
        Self::BetweenAppends,
        Self::BeforeAnswer,
        Self::DiskFull,
        Self::Torn,
        Self::TakenOver,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::BeforeAppend => "crashes before an append",
            Self::BetweenAppends => "crashes between two appends",
            Self::BeforeAnswer => "crashes between append and answer",
            Self::DiskFull => "appends that failed on a full disk",
            Self::Torn => "commits torn, whose outcome was unknown",
            Self::TakenOver => "writers overtaken by a second one",
        }
    }

    /// Returns what is reached when it strikes a batch with something to lose.
    const fn goal(self) -> Option<Goal> {
        match self {
            Self::DiskFull => Some(Goal::DiskFull),
            Self::Torn => Some(Goal::Torn),
            Self::TakenOver => Some(Goal::TakenOver),
            Self::BeforeAppend | Self::BetweenAppends | Self::BeforeAnswer => None,
        }
    }
}

impl Run {
    /// Makes the batch durable and gives the answers, unless its writer is lost first.
    pub(crate) fn flush(&mut self) -> Result<(), Mismatch> {
        match self.crash.take() {
            Some(crash) => self.strike(crash)?,
            None => {
                self.land()?;
                let mut batch = std::mem::take(&mut self.batch);
                for said in batch.drain(..) {
                    self.world.learn(&said.command.what, &said.answer, &self.oracle);
                    self.remember(said);
                }
                self.batch = batch;
            }
        }
        self.batch_size = match self.chance.by_weight(&[60, 30, 10]) {
            0 => 1,
            1 => 1 + self.chance.index(6),
            _ => 1 + self.chance.index(40),
        };
        if self.chance.bps(self.world.faults.scale(90)) {
            let when = *self.chance.pick(&Moment::ALL).unwrap_or(&Moment::BeforeAnswer);
            self.batch_size = self.batch_size.max(3);
            if !self.reads_back() {
                self.subject.take_snapshot()?;
            }
            self.crash = Some(Crash { when, oracle: Box::new(self.oracle.clone()) });
        }
        Ok(())
    }

    /// Appends the batch in one commit or several; now and then an acknowledgement is lost, and the
    /// writer reads back that its commit is there.
    fn land(&mut self) -> Result<(), Mismatch> {
        while self.subject.waiting() > 0 {
            let count = 1 + self.chance.index(self.subject.waiting());
            let whole = self.chance.percent(80);
            let count = if whole { self.subject.waiting() } else { count };
            if self.chance.bps(self.world.faults.scale(40)) {
                self.report.inject("acknowledgements lost");
                self.report.reach(Goal::AcknowledgementLost);
                self.report.commits += 1;
                self.subject.append_with(count, StorageFault::AnswerLost)?;
            } else {
                self.append(count)?;
            }
        }
        Ok(())
    }

    fn append(&mut self, count: usize) -> Result<(), Mismatch> {
        self.report.commits += u64::from(count > 0);
        self.subject.append(count)
    }

    /// Loses what is not durable, in the ledger and in the oracle, and lets people ask again.
    fn strike(&mut self, crash: Crash) -> Result<(), Mismatch> {
        let Crash { when, oracle } = crash;
        self.report.inject(when.name());
        self.lose(when)?;
        self.subject.crash()?;
        if let Some(machine) = &mut self.machine {
            let last = self.subject.ledger.state.now;
            machine.restarts(self.world.now, (self.subject.durable() > 0).then_some(last));
        }
        self.report.crashes += 1;
        self.report.reach(Goal::Fenced);
        self.oracle = *oracle;
        let durable = self.subject.durable();
        for said in std::mem::take(&mut self.batch) {
            if said.before < durable && durable < said.after {
                // Of this command only deadlines that it brought due are durable.
                let at = said.command.at.max(self.oracle.now);
                self.oracle.advance(at, durable - said.before);
            } else if said.before < said.after && said.after <= durable {
                self.oracle.execute(&said.command);
                self.remember(said.clone());
            }
            self.say_again(said);
        }
        self.check_all()
    }

    /// What of the batch becomes durable before its writer is lost.
    fn lose(&mut self, when: Moment) -> Result<(), Mismatch> {
        let waiting = self.subject.waiting();
        if let Some(goal) = when.goal().filter(|_| waiting > 0) {
            self.report.reach(goal);
        }
        let kept = match when {
            Moment::BeforeAppend | Moment::TakenOver => 0,
            Moment::BetweenAppends => self.chance.index(waiting.max(1)),
            Moment::BeforeAnswer => waiting,
            Moment::DiskFull => return self.fail(waiting, StorageFault::DiskFull),
            Moment::Torn => return self.fail(waiting, StorageFault::Torn),
        };
        if 0 < kept && kept < waiting {
            self.report.reach(Goal::CrashInside);
        }
        self.append(kept)
    }

    /// A first commit lands or there is none, and the second fails.
    fn fail(&mut self, waiting: usize, mishap: StorageFault) -> Result<(), Mismatch> {
        let kept = self.chance.index(waiting.max(1));
        self.append(kept)?;
        self.subject.append_with(self.subject.waiting(), mishap)?;
        Ok(())
    }

    /// Who got no answer asks again: facts always, requests mostly, and those with an id surely.
    fn say_again(&mut self, said: ExecutedCommand) {
        let what = said.command.what;
        let asks = match &what {
            Intent::Fact(_) | Intent::Public(_) | Intent::Enrolment(_) => true,
            Intent::Request(_, request) => world::has_identity(request) || self.chance.percent(50),
        };
        if asks {
            let wait = u32::try_from(self.chance.below(90)).unwrap_or(1);
            let at = self.world.now.after(Span::seconds(wait));
            self.again.push(what.clone());
            self.world.plan(at, what);
        }
    }
}
