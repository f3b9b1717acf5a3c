//! Commands said again, some of them left out, without any of the others meaning something else.
//!
//! What was left out is stood in for by records that say nothing but that time passed, one for one:
//! what follows has its numbers still, and with them its ids and whatever else is made of numbers.

use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{Command, Fact, Intent, State};
use ledger_core::time::Instant;

use super::search::{FailingList, Trial};
use crate::checker::trial::Pair;
use crate::failure::wrong::Mismatch;
use crate::settings::Planted;
use crate::system_under_test::store::NAME;
use crate::world::nothing_but_time;

/// All that was said; a list is of places in it.
pub(super) struct Commands {
    steps: Vec<Step>,
    planted: Option<Planted>,
}

/// A command, and the number of the last record after it when all are said.
struct Step {
    command: Command,
    after: u64,
    /// Tells whether it left a record of its own, which is its last.
    recorded: bool,
}

impl Step {
    const fn is_ground(&self) -> bool {
        let Intent::Fact(reported) = &self.command.what else { return false };
        matches!(
            reported.fact,
            Fact::Purchase(
                PurchaseFact::CatalogueUpdated { .. } | PurchaseFact::MarketsUpdated { .. }
            )
        )
    }
}

impl Commands {
    /// All of them, down to the one that something is found wrong at.
    pub(super) fn new(commands: &[Command], planted: Option<Planted>) -> Result<Self, Mismatch> {
        let mut play = Play::new(planted)?;
        let mut steps = Vec::with_capacity(commands.len());
        for command in commands {
            let before = play.seq();
            let reported = play.say(command);
            let recorded = reported.as_ref().map_or(before < play.seq(), |recorded| *recorded);
            steps.push(Step { command: command.clone(), after: play.seq(), recorded });
            if reported.is_err() {
                break;
            }
        }
        Ok(Self { steps, planted })
    }

    /// The places of all that may be left out: lines know networks and tokens by the catalogue, so
    /// what is said of that stays.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.steps.len()).filter(|place| !self.steps[*place].is_ground()).collect()
    }

    /// Returns what is said where only these are: they, and what stands in for the others.
    pub(super) fn commands_at(&self, places: &[usize]) -> Vec<Command> {
        self.play(places).map(|(play, _)| play.said).unwrap_or_default()
    }

    /// Says these and what stands in for the others, and how that fails at which place, if it does.
    fn play(&self, places: &[usize]) -> Result<(Play, Option<(usize, Mismatch)>), Mismatch> {
        let mut play = Play::new(self.planted)?;
        let reached = places.last().map_or(0, |last| last + 1);
        let mut kept = places.iter().copied().peekable();
        for (place, step) in self.steps[..reached].iter().enumerate() {
            let kept = kept.next_if_eq(&place).is_some() || step.is_ground();
            let reported = if kept { play.keep(step) } else { play.stand_in(step) };
            if let Err(what) = reported {
                return Ok((play, Some((place, what))));
            }
        }
        let wrong = play.pair.end().err();
        Ok((play, wrong.map(|what| (reached, what))))
    }
}

impl Trial for Commands {
    type Item = usize;

    fn play_list(&self, places: &[usize]) -> Option<FailingList<usize>> {
        let (_, wrong) = self.play(places).ok()?;
        let (at, what) = wrong?;
        let list = places.iter().copied().take_while(|place| *place <= at).collect();
        Some(FailingList { list, what })
    }
}

/// Ledger and oracle side by side, and all that they were given.
struct Play {
    pair: Pair,
    said: Vec<Command>,
}

impl Play {
    fn new(planted: Option<Planted>) -> Result<Self, Mismatch> {
        Ok(Self { pair: Pair::new(NAME, planted)?, said: Vec::new() })
    }

    fn state(&self) -> &State {
        &self.pair.subject.ledger.state
    }

    fn seq(&self) -> u64 {
        self.state().seq.0
    }

    /// Says a command; whether it left a record of its own.
    fn say(&mut self, command: &Command) -> Result<bool, Mismatch> {
        self.said.push(command.clone());
        let execution = self.pair.say(command)?;
        Ok(execution.records.last().is_some_and(|record| !record.cause.deadline))
    }

    /// Says a command whose own record has the number it had. What it brings due may be less than
    /// it was.
    fn keep(&mut self, step: &Step) -> Result<(), Mismatch> {
        let state = self.state();
        if let Intent::Request(account, _) = &step.command.what
            && state.account(*account).is_none()
        {
            // Whoever asks was not let in: the door refuses it.
            return self.stand_in(step);
        }
        let due = state.deadlines().take_while(|(at, ..)| *at <= step.command.at).count() as u64;
        let now = state.now;
        while step.recorded && self.seq() + due + 1 < step.after {
            self.pass(now, step)?;
        }
        self.say(&step.command)?;
        self.stand_in(step)
    }

    /// As many records as there were.
    fn stand_in(&mut self, step: &Step) -> Result<(), Mismatch> {
        while self.seq() < step.after {
            self.pass(step.command.at, step)?;
        }
        Ok(())
    }

    fn pass(&mut self, at: Instant, step: &Step) -> Result<(), Mismatch> {
        let cause = step.command.cause.clone();
        self.say(&Command { at, cause, what: nothing_but_time() }).map(drop)
    }
}
