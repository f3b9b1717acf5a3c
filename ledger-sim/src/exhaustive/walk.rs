//! The walk itself: breadth first, every command in every state.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write;
use std::hash::Hasher;
use std::sync::Arc;

use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::{
    Cause, Command, Execution, Intent, Ledger, Origin, Outcome, Refusal, invariants,
};
use ledger_core::time::{Instant, Span};
use ledger_store::archive::MemoryArchive;

use super::{Small, Walk, WalkFailure, ground};
use crate::checker;
use crate::checker::trial::judge;
use crate::failure::wrong::Mismatch;
use crate::oracle::{Oracle, Trace};
use crate::system_under_test::SystemUnderTest;
use crate::world::nothing_but_time;

/// A state of the world: the ledger, the oracle beside it, and how one came here.
struct Spot {
    ledger: Ledger<MemoryArchive>,
    oracle: Oracle,
    outcomes: Outcomes,
    path: Option<Arc<Step>>,
}

/// How near midnight is where it is waited for: nearer than an order's deadline.
const SOON: Span = Span::seconds(600);

/// The last step of a path, and those before it.
struct Step {
    command: Command,
    before: Option<Arc<Step>>,
}

/// Walks a small world to this depth, and says what was seen.
///
/// # Errors
///
/// [`WalkFailure`], with the shortest path to a disagreement or a broken invariant.
pub fn walk(small: &Small, depth: u32) -> Result<Walk, Box<WalkFailure>> {
    walk_beside(small, depth, Oracle::new(None))
}

fn walk_beside(small: &Small, depth: u32, oracle: Oracle) -> Result<Walk, Box<WalkFailure>> {
    let (mut seen, mut taken) = (HashSet::new(), HashSet::new());
    let mut steps = 0;
    let mut frontier = vec![begin(small, oracle)?];
    seen.insert(mark(&frontier[0]));
    let mut reached = 0;
    while reached < depth && !frontier.is_empty() {
        let mut next = Vec::new();
        for spot in &frontier {
            for (name, at, what) in sayings(small, spot) {
                steps += 1;
                let (answer, there) = go(small, spot, at, what)?;
                if !matches!(answer, Ok(Outcome::SetAside(_)) | Err(_)) {
                    taken.insert(name);
                }
                let Some(there) = there else { continue };
                if seen.insert(mark(&there)) {
                    next.push(there);
                }
            }
        }
        reached += u32::from(!next.is_empty());
        for spot in &next {
            let whole = invariants::check_all(&spot.ledger.state, &spot.ledger.archive);
            whole.map_err(|broken| {
                let what = format!("invariant {}: {}", broken.invariant, broken.what);
                Box::new(failure(small, spot, what))
            })?;
        }
        frontier = next;
    }
    let states = u64::try_from(seen.len()).unwrap_or(u64::MAX);
    let names = small.alphabet.iter().flat_map(|part| part.iter().map(|(name, _)| *name));
    Ok(Walk {
        world: small.name,
        depth: reached,
        states,
        steps,
        whole: frontier.is_empty(),
        in_vain: names.filter(|name| !taken.contains(name)).collect(),
    })
}

/// The ground and what the world begins with, said in order.
fn begin(small: &Small, oracle: Oracle) -> Result<Spot, Box<WalkFailure>> {
    let ledger = Ledger::new("small", MemoryArchive::new());
    let mut spot = Spot { ledger, oracle, outcomes: Outcomes::of_this_version(), path: None };
    let openings = std::iter::once(&small.opening).chain(small.more);
    for say in ground::GROUND.iter().chain(openings) {
        let Some(what) = say(&spot.oracle) else {
            let what = "the world does not begin as it should".into();
            return Err(Box::new(failure(small, &spot, what)));
        };
        let at = spot.oracle.now.max((small.begins)());
        spot = match go(small, &spot, at, what.clone())? {
            (_, Some(there)) => there,
            (_, None) => {
                let what = format!("{what:?} leaves no record");
                return Err(Box::new(failure(small, &spot, what)));
            }
        };
    }
    spot.path = None;
    Ok(spot)
}

/// All that may be said here: the alphabet, and time to the next deadline and to just before it.
fn sayings(small: &Small, spot: &Spot) -> Vec<(&'static str, Instant, Intent)> {
    let now = spot.oracle.now;
    let said = small.alphabet.iter().copied().flatten();
    let said = said.filter_map(|(name, say)| Some((*name, now, say(&spot.oracle)?)));
    let mut all: Vec<_> = said.collect();
    if let Some((due, _, _)) = spot.ledger.state.deadlines().next() {
        all.push(("the deadline comes", due, nothing_but_time()));
        let before = Instant::from_micros(due.micros() - 1);
        let before = before.filter(|before| now < *before);
        all.extend(before.map(|before| ("just before the deadline", before, nothing_but_time())));
    }
    let midnight = now.next_day_in_brasilia();
    if midnight.since(now) < SOON {
        all.push(("midnight comes", midnight, nothing_but_time()));
    }
    all
}

/// What is answered, and where one is then.
type StepResult = (Result<Outcome, Refusal>, Option<Spot>);

/// Says it, compares what came of it, and is there; nowhere new when it left no record.
fn go(
    small: &Small,
    from: &Spot,
    at: Instant,
    what: Intent,
) -> Result<StepResult, Box<WalkFailure>> {
    let command = Command { at, cause: Cause::new(Origin::Call), what };
    let before = from.path.clone();
    let path = Some(Arc::new(Step { command: command.clone(), before }));
    let mut oracle = from.oracle.clone();
    let lost = |what: Mismatch| -> Box<WalkFailure> {
        Box::new(WalkFailure { world: small.name, what, path: commands(path.as_ref()) })
    };
    let mut subject =
        SystemUnderTest::over(from.ledger.clone(), from.outcomes.clone()).map_err(lost)?;
    let mut execution = Execution::quiet();
    judge(&mut oracle, &mut subject, &command, None, &mut execution).map_err(lost)?;
    checker::compare_all(&oracle, &subject).map_err(lost)?;
    // The trace is of the last command; what is believed after it is the same by any way.
    oracle.trace = Trace::default();
    let moved = !execution.records.is_empty();
    let (ledger, outcomes) = subject.into_parts();
    Ok((execution.answer, moved.then(|| Spot { ledger, oracle, outcomes, path })))
}

fn failure(small: &Small, spot: &Spot, what: Mismatch) -> WalkFailure {
    WalkFailure { world: small.name, what, path: commands(spot.path.as_ref()) }
}

fn commands(mut path: Option<&Arc<Step>>) -> Vec<Command> {
    let mut all = Vec::new();
    while let Some(step) = path {
        all.push(step.command.clone());
        path = step.before.as_ref();
    }
    all.reverse();
    all
}

/// Returns what tells states apart: all that the oracle believes, and all that is open.
fn mark(spot: &Spot) -> u64 {
    struct Hashed(DefaultHasher);
    impl Write for Hashed {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut hashed = Hashed(DefaultHasher::new());
    let open: Vec<_> = spot.ledger.state.open_operations().collect();
    write!(hashed, "{:?}{open:?}", spot.oracle).expect("hashing does not fail");
    hashed.0.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::SMALL;
    use crate::settings::Planted;

    #[test]
    fn a_wrong_oracle_is_caught_by_the_shortest_path() {
        let wrong = Oracle::new(Some(Planted::DepositFee));
        let failure = walk_beside(&SMALL[0], 3, wrong).expect_err("its deposit fee is off by one");
        assert!(failure.to_string().contains("rev.deposit"), "{failure}");
        assert_eq!(failure.path.len(), 1, "one payment shows it: {failure}");
    }
}
