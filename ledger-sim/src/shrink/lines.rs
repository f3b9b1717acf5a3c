//! Commands as lines, and lines that say less.

use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::{Command, Fact, Intent, Public, Reported, State};
use ledger_core::time::Span;
use serde_json::Value;

use super::search::{FailingList, Search, Trial};
use crate::domains::IntoFact as _;
use crate::lines::{Unrepresentable, Writer};
use crate::run::script::Script;
use crate::settings::Planted;
use crate::system_under_test::SystemUnderTest;
use crate::system_under_test::store::Store;
use crate::world::nothing_but_time;

/// What lists of lines are played to: those that cannot be read are left out.
pub(super) struct Lines {
    pub(super) planted: Option<Planted>,
}

impl Trial for Lines {
    type Item = String;

    fn play_list(&self, lines: &[String]) -> Option<FailingList<String>> {
        let mut script = Script::new(self.planted).ok()?;
        let mut read = Vec::with_capacity(lines.len());
        let mut wrong = None;
        for line in lines {
            match script.say(line) {
                Ok(Ok(())) => read.push(line.clone()),
                Ok(Err(_)) => {}
                Err(what) => {
                    read.push(line.clone());
                    wrong = Some(what);
                    break;
                }
            }
        }
        let what = wrong.or_else(|| script.end().err())?;
        Some(FailingList { list: read, what })
    }
}

/// The commands as lines, and what had to be left out.
pub(super) fn write_lines(commands: &[Command]) -> (Vec<String>, Vec<Unrepresentable>) {
    let mut writer = Writer::new();
    let mut left_out = Vec::new();
    // As it was said: what is derived of a ledger's name is that of the run's.
    let Ok(mut subject) = SystemUnderTest::new(&Store::Memory) else { return Default::default() };
    for (number, command) in commands.iter().enumerate() {
        let state = &subject.ledger.state;
        let place = writer.write(command, state).or_else(|form| {
            let near = nearly(command, number, state);
            writer.write(&near, state).map_err(|_| form)
        });
        let Ok(execution) = subject.execute(command.clone()) else { break };
        if subject.append(subject.waiting()).is_err() {
            break;
        }
        match place {
            Ok(place) => writer.learn(place, &execution),
            Err(form) => {
                left_out.push(form);
                if execution.records.iter().any(|record| !record.cause.deadline) {
                    // Numbers stay as they are: ids follow from them, and the decimals that tell
                    // deposits apart.
                    let passed = Command { what: nothing_but_time(), ..command.clone() };
                    let _ = writer.write(&passed, &subject.ledger.state);
                }
            }
        }
    }
    left_out.sort_unstable();
    left_out.dedup();
    (writer.finish(), left_out)
}

/// The nearest to a command that a line may say: whether it fails the same way is tried, not
/// argued.
fn nearly(command: &Command, number: usize, state: &State) -> Command {
    let mut near = command.clone();
    if let Intent::Public(Public::Register(asked)) = &near.what {
        // Agents register in the sandbox; here an account is opened under the same key.
        let (name, key) = (format!("agente-{number}").into(), asked.key);
        let fact = AccountFact::Opened { name, key, terms: None };
        near.what = Intent::Fact(Reported { id: None, fact: fact.into_fact() });
    }
    if let Intent::Fact(reported) = &mut near.what {
        reported.id.get_or_insert_with(|| format!("unnamed-{number}").into());
        if let Fact::Account(AccountFact::PolicyAdopted(policy)) = &mut reported.fact {
            // As it stands where others were left out before it.
            policy.wallet.clone_from(&state.policy.wallet);
            policy.rate_age = policy.rate_age.or(state.policy.rate_age);
            policy.precaution = policy.precaution.or(state.policy.precaution);
            let interval = state.policy.commission_interval;
            policy.commission_interval = policy.commission_interval.or(interval);
            // A watch is reported in days.
            let days = policy.shortfall_watch.whole_hours().div_ceil(24);
            policy.shortfall_watch = Span::days(u32::try_from(days).unwrap_or(1));
        }
    }
    near
}

impl Search<Lines> {
    /// Leaves out of each line's body what need not be said.
    pub(super) fn say_less(&mut self, found: &mut FailingList<String>) {
        let mut place = 0;
        while place < found.list.len() && self.has_time() {
            if !self.shorten(found, place) {
                place += 1;
            }
        }
    }

    /// Tells whether one field of the line at `place` could be left out.
    fn shorten(&mut self, found: &mut FailingList<String>, place: usize) -> bool {
        for shorter in shorter(&found.list[place]) {
            let mut lines = found.list.clone();
            lines[place] = shorter;
            let as_long = |less: &FailingList<String>| less.list.len() == found.list.len();
            if let Some(less) = self.fails(&lines).filter(as_long) {
                *found = less;
                return true;
            }
        }
        false
    }
}

/// The line without one field of its body, for each of them.
fn shorter(line: &str) -> Vec<String> {
    let Ok(line) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let names = line["body"].as_object().into_iter().flat_map(|body| body.keys().cloned());
    let without = |name: String| {
        let mut line = line.clone();
        line["body"].as_object_mut()?.shift_remove(&name);
        Some(line.to_string())
    };
    names.collect::<Vec<_>>().into_iter().filter_map(without).collect()
}
