//! What a run, or many, did: counts a person can read, and the goals reached.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use ledger_core::ledger::invariants::of_the_state;
use ledger_core::ledger::{FactKind, Intent, Outcome, Refusal};
use ledger_store::chain::Link;

use crate::domains::request_name;
use crate::goal::Goal;

/// What was done and seen. Reports add up over seeds.
///
/// ```
/// use ledger_sim::{Goal, Settings, simulate};
///
/// let mut report = simulate(&Settings::commands(7, 60))?;
/// let again = simulate(&Settings::commands(7, 60))?;
/// assert_eq!(report.history(), again.history()); // One seed gives one history.
/// report.merge(&again);
/// assert_eq!((report.runs, report.commands), (2, 2 * again.commands));
/// assert!(report.unreached_goals().len() < Goal::ALL.len());
/// # Ok::<(), Box<ledger_sim::Failure>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    /// How many histories.
    pub runs: u64,
    /// How many commands were executed.
    pub commands: u64,
    /// How many records they left.
    pub records: u64,
    /// How many of these were deadlines.
    pub deadlines: u64,
    /// How many commits made them durable.
    pub commits: u64,
    /// How often the ledger was lost and rebuilt from its journal.
    pub crashes: u64,
    /// How many invariants were checked over everything; after each record they are checked on what
    /// it touched besides.
    pub invariants_checked: u64,
    /// How long it took, all threads together.
    pub elapsed: Duration,
    requests: BTreeMap<&'static str, [u64; 3]>,
    refusals: BTreeMap<String, u64>,
    facts: BTreeMap<FactKind, [u64; 3]>,
    ends: BTreeMap<(&'static str, &'static str), u64>,
    faults: BTreeMap<&'static str, u64>,
    goals: Vec<u64>,
    history: [u8; 32],
}

impl Report {
    /// Nothing done yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            runs: 0,
            commands: 0,
            records: 0,
            deadlines: 0,
            commits: 0,
            crashes: 0,
            invariants_checked: 0,
            elapsed: Duration::ZERO,
            requests: BTreeMap::new(),
            refusals: BTreeMap::new(),
            facts: BTreeMap::new(),
            ends: BTreeMap::new(),
            faults: BTreeMap::new(),
            goals: vec![0; Goal::ALL.len()],
            history: [0; 32],
        }
    }

    /// Adds what another run did.
    pub fn merge(&mut self, other: &Self) {
        self.runs += other.runs;
        self.commands += other.commands;
        self.records += other.records;
        self.deadlines += other.deadlines;
        self.commits += other.commits;
        self.crashes += other.crashes;
        self.invariants_checked += other.invariants_checked;
        self.elapsed += other.elapsed;
        add_rows(&mut self.requests, &other.requests);
        add_rows(&mut self.facts, &other.facts);
        add(&mut self.refusals, &other.refusals);
        add(&mut self.ends, &other.ends);
        add(&mut self.faults, &other.faults);
        for (sum, more) in self.goals.iter_mut().zip(&other.goals) {
            *sum += more;
        }
        for (byte, more) in self.history.iter_mut().zip(other.history) {
            *byte ^= more;
        }
    }

    /// How often a goal was reached.
    #[must_use]
    pub fn times_reached(&self, goal: Goal) -> u64 {
        self.goals[goal.place()]
    }

    /// The goals that were never reached.
    #[must_use]
    pub fn unreached_goals(&self) -> Vec<Goal> {
        Goal::ALL.iter().copied().filter(|goal| self.times_reached(*goal) == 0).collect()
    }

    /// The head of the chain the run wrote, as digits; of several runs, all of them mixed.
    #[must_use]
    pub fn history(&self) -> String {
        Link(self.history).to_string()
    }

    /// Commands a second on one core.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // A rate for people.
    pub fn rate(&self) -> f64 {
        self.commands as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    pub(crate) fn end_of_run(&mut self, head: [u8; 32], faults: &BTreeMap<&'static str, u64>) {
        self.runs += 1;
        self.history = head;
        add(&mut self.faults, faults);
    }

    pub(crate) fn reach(&mut self, goal: Goal) {
        self.goals[goal.place()] += 1;
    }

    /// Every invariant of the state is checked once more over everything.
    pub(crate) fn checked_invariants(&mut self) {
        self.invariants_checked += of_the_state().map(|_| 1).sum::<u64>();
    }

    pub(crate) fn inject(&mut self, fault: &'static str) {
        *self.faults.entry(fault).or_default() += 1;
    }

    pub(crate) fn count_end(&mut self, kind: &'static str, state: &'static str) {
        *self.ends.entry((kind, state)).or_default() += 1;
    }

    pub(crate) fn count_response(&mut self, what: &Intent, answer: &Result<Outcome, Refusal>) {
        match what {
            Intent::Request(_, request) => {
                let place = match answer {
                    Ok(Outcome::Created(_) | Outcome::Done) => 0,
                    Ok(_) => 1,
                    Err(_) => 2,
                };
                self.requests.entry(request_name(request)).or_default()[place] += 1;
            }
            Intent::Public(_) => {
                let place = usize::from(answer.is_err()) * 2;
                self.requests.entry("registration").or_default()[place] += 1;
            }
            Intent::Enrolment(_) => {
                let place = if answer.is_ok() { 0 } else { 2 };
                self.requests.entry("enrolment").or_default()[place] += 1;
            }
            Intent::Fact(reported) => {
                let place = match answer {
                    Ok(Outcome::Applied(_)) => 0,
                    Ok(Outcome::Known) => 1,
                    Ok(_) => 2,
                    Err(_) => return self.count_refusal(answer),
                };
                self.facts.entry(reported.fact.kind()).or_default()[place] += 1;
            }
        }
        self.count_refusal(answer);
    }

    fn count_refusal(&mut self, answer: &Result<Outcome, Refusal>) {
        if let Err(refusal) = answer {
            *self.refusals.entry(name_of(refusal)).or_default() += 1;
        }
    }
}

impl Default for Report {
    fn default() -> Self {
        Self::new()
    }
}

fn add<K: Ord + Clone>(sums: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (key, count) in more {
        *sums.entry(key.clone()).or_default() += count;
    }
}

fn add_rows<K: Ord + Copy>(sums: &mut BTreeMap<K, [u64; 3]>, more: &BTreeMap<K, [u64; 3]>) {
    for (key, counts) in more {
        for (sum, count) in sums.entry(*key).or_default().iter_mut().zip(counts) {
            *sum += count;
        }
    }
}

/// Returns what reports call a refusal: the words of its name, but for a few.
fn name_of(refusal: &Refusal) -> String {
    let name = match refusal {
        Refusal::QrMissing => "QR missing",
        Refusal::Leg { .. } => "a leg of a group",
        Refusal::Waiting { .. } => "waiting period",
        Refusal::CashInPaused => "cash-in paused",
        Refusal::CodeOnLiquid => "a code on Liquid",
        Refusal::Wallet(_) => "of a wallet",
        Refusal::RefundAddressInvalid => "return wallet invalid",
        Refusal::RefundAddressFixed => "return wallet fixed",
        named => return words(&format!("{named:?}")),
    };
    name.to_owned()
}

/// The words of the name that a value is shown with: `KeyTaken { .. }` gives `key taken`.
fn words(shown: &str) -> String {
    let name = shown.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let mut words = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} runs, {} commands, {} records ({} deadlines) in {} commits, {} crashes",
            self.runs, self.commands, self.records, self.deadlines, self.commits, self.crashes
        )?;
        writeln!(
            f,
            "{:.0} commands a second on one core; {} invariants checked over everything, and after each record \
             on what it touched",
            self.rate(),
            self.invariants_checked
        )?;
        writeln!(f, "\n{:<24}{:>10}{:>10}{:>10}", "requests", "created", "repeated", "refused")?;
        for (kind, counts) in &self.requests {
            write_row(f, kind, counts)?;
        }
        writeln!(f, "\n{:<24}{:>10}{:>10}{:>10}", "facts", "applied", "known", "set aside")?;
        for (kind, counts) in &self.facts {
            write_row(f, &format!("{kind:?}"), counts)?;
        }
        writeln!(f, "\n{:<34}{:>20}", "refusals", "times")?;
        for (name, count) in &self.refusals {
            writeln!(f, "  {name:<42}{count:>10}")?;
        }
        writeln!(f, "\n{:<34}{:>20}", "operations by their end", "how many")?;
        for ((kind, state), count) in &self.ends {
            writeln!(f, "  {:<42}{count:>10}", format!("{kind} {state}"))?;
        }
        writeln!(f, "\n{:<34}{:>20}", "faults injected", "times")?;
        for (name, count) in &self.faults {
            writeln!(f, "  {name:<42}{count:>10}")?;
        }
        let reached = Goal::ALL.len() - self.unreached_goals().len();
        writeln!(f, "\nsometimes ({reached} of {} goals reached)", Goal::ALL.len())?;
        for goal in Goal::ALL {
            writeln!(f, "{:>9}  {}", self.times_reached(*goal), goal.sentence())?;
        }
        Ok(())
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: &str, counts: &[u64; 3]) -> fmt::Result {
    writeln!(f, "  {name:<22}{:>10}{:>10}{:>10}", counts[0], counts[1], counts[2])
}
