//! The audit of some invariants: a journal is replayed, and of each of them it is said whether it
//! held throughout, or after which record it did not.

use ledger_core::ledger::Record;
use ledger_core::ledger::invariants::{Invariant, Violation};
use ledger_core::ledger::outcome::Outcomes;

use crate::audits::audit::{Checkpoints, Finding, STRIDE};
use crate::audits::movements::Movements;
use crate::engines::sequencer::Sequencer;
use crate::journal::{Head, Journal};

/// What an audit of some invariants found in one ledger.
#[derive(Debug)]
pub struct Checked {
    /// The head that the journal was replayed to.
    pub head: Head,
    /// What was found of each, in the order asked for.
    pub verdicts: Vec<Verdict>,
}

/// What was found of one invariant.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The invariant in question.
    pub invariant: &'static Invariant,
    /// Where it does not hold; none where it does throughout.
    pub broken: Option<Broken>,
}

/// Where an invariant does not hold.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The record after which it was first seen.
    pub seq: u64,
    /// What was seen.
    pub violation: Violation,
    /// Up to which record a walk over everything had found nothing, where it was a walk that saw
    /// it.
    sound: Option<u64>,
}

/// Replays the journal of one ledger and checks these invariants only: what a record touched after
/// every record, everything each time the journal has doubled, as [`audit`](crate::audit::audit)
/// does for all. `progress` hears of each thousand records.
///
/// # Errors
///
/// The [`Finding`] that keeps the journal from being replayed: nothing is said then of any
/// invariant.
pub fn audit_invariants(
    journal: &mut dyn Journal,
    name: &str,
    invariants: &[&'static Invariant],
    mut progress: impl FnMut(u64),
) -> Result<Checked, Finding> {
    let mut watch = Watch::new(invariants, Checkpoints::doubling());
    let sequencer = Sequencer::open(journal, name, |sequencer, record| {
        watch.record(sequencer, record);
        if record.seq.0.is_multiple_of(STRIDE) {
            progress(record.seq.0);
        }
    })?;
    let head = sequencer.head();
    watch.everything(&sequencer, head.seq);
    let mut verdicts = watch.verdicts;
    drop(sequencer);
    trace(journal, name, &mut verdicts)?;
    Ok(Checked { head, verdicts })
}

/// Brings what only walks over everything saw as near to its cause as a stride.
fn trace(journal: &mut dyn Journal, name: &str, verdicts: &mut [Verdict]) -> Result<(), Finding> {
    let sound = |verdict: &Verdict| verdict.broken.as_ref().and_then(|broken| broken.sound);
    let Some(first) = verdicts.iter().filter_map(sound).min() else { return Ok(()) };
    let walked: Vec<&mut Verdict> =
        verdicts.iter_mut().filter(|verdict| sound(verdict).is_some()).collect();
    let invariants: Vec<&'static Invariant> = walked.iter().map(|it| it.invariant).collect();
    let mut watch = Watch::new(&invariants, Checkpoints::even_from(first));
    Sequencer::open(journal, name, |sequencer, record| watch.record(sequencer, record))?;
    for (verdict, nearer) in walked.into_iter().zip(watch.verdicts) {
        if nearer.broken.is_some() {
            *verdict = nearer;
        }
    }
    Ok(())
}

/// Invariants watched along a replay.
struct Watch {
    verdicts: Vec<Verdict>,
    checkpoints: Checkpoints,
    outcomes: Outcomes,
    movements: Movements,
}

impl Watch {
    fn new(invariants: &[&'static Invariant], checkpoints: Checkpoints) -> Self {
        let verdicts = invariants.iter().map(|invariant| Verdict { invariant, broken: None });
        let (outcomes, movements) = (Outcomes::new(), Movements::default());
        Self { verdicts: verdicts.collect(), checkpoints, outcomes, movements }
    }

    /// Checks what a record touched, and everything where a checkpoint is reached.
    fn record(&mut self, sequencer: &Sequencer, record: &Record) {
        let (ledger, seq) = (sequencer.ledger(), record.seq.0);
        self.outcome(sequencer, record);
        self.sums(sequencer, record);
        for verdict in self.verdicts.iter_mut().filter(|verdict| verdict.broken.is_none()) {
            let checked = verdict.invariant.check_record(&ledger.state, &ledger.archive, record);
            verdict.note(seq, checked.err(), None);
        }
        if self.checkpoints.is_due(seq) {
            self.everything(sequencer, seq);
            self.checkpoints.pass(seq);
        }
    }

    /// Checks everything that stands after record `seq`.
    fn everything(&mut self, sequencer: &Sequencer, seq: u64) {
        let (ledger, sound) = (sequencer.ledger(), self.checkpoints.sound());
        for verdict in self.verdicts.iter_mut().filter(|verdict| verdict.broken.is_none()) {
            let checked = verdict.invariant.check(&ledger.state, &ledger.archive);
            verdict.note(seq, checked.err(), Some(sound));
        }
    }

    /// The outcome keeps its books along every record, if it is asked about.
    fn outcome(&mut self, sequencer: &Sequencer, record: &Record) {
        if !self.verdicts.iter().any(|verdict| verdict.invariant.is_of_the_outcome()) {
            return;
        }
        let given = sequencer.ledger().instructions(record);
        for violation in self.outcomes.check(record, &given) {
            self.note(record.seq.0, violation);
        }
    }

    /// Entries are added up beside the books, if it is asked whether balances are their sums.
    fn sums(&mut self, sequencer: &Sequencer, record: &Record) {
        if !self.verdicts.iter().any(|verdict| verdict.invariant.id == Movements::INVARIANT) {
            return;
        }
        if let Err(violation) = self.movements.count(record, &sequencer.ledger().state) {
            self.note(record.seq.0, violation);
        }
    }

    /// Notes a violation of the invariant that it names, if that is asked about.
    fn note(&mut self, seq: u64, violation: Violation) {
        let mut verdicts = self.verdicts.iter_mut();
        if let Some(verdict) = verdicts.find(|it| it.invariant.id == violation.invariant) {
            verdict.note(seq, Some(violation), None);
        }
    }
}

impl Verdict {
    /// Notes what was seen after record `seq`, if nothing was before.
    fn note(&mut self, seq: u64, seen: Option<Violation>, sound: Option<u64>) {
        if self.broken.is_none() {
            self.broken = seen.map(|violation| Broken { seq, violation, sound });
        }
    }
}

impl Checked {
    /// Returns what is wrong, as an audit of everything would say it, in the order asked for.
    pub fn findings(&self) -> impl Iterator<Item = Finding> + '_ {
        self.verdicts.iter().filter_map(|Verdict { invariant, broken }| {
            let Broken { seq, violation, .. } = broken.clone()?;
            Some(if invariant.is_of_the_outcome() {
                Finding::Outcome { seq, violation, others: 0 }
            } else {
                Finding::Invariant { seq, violation }
            })
        })
    }
}
