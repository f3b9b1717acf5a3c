//! The books that an audit keeps of its own: what its report counts, and what the outcome is judged
//! by. They are saved with a state, so that an audit from there on says what one from the first
//! record would say.

use std::io::{self, Read, Write};

use ledger_core::id::LedgerName;
use ledger_core::ledger::invariants::{self, Violation};
use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::{Event, Record};

use super::Finding;
use super::pace::Checkpoints;
use crate::audits::report::Report;
use crate::engines::sequencer::Sequencer;
use crate::state::snapshot::wire::{Take as _, encode};

/// The books of one audit.
pub(super) struct AuditBooks {
    pub(super) report: Report,
    outcomes: Outcomes,
    /// The first record whose outcome is not what it must be, and why. It is reported last, so that
    /// a journal written by a version that let something pass is first proven to be what was
    /// written.
    violated: Option<(u64, Violation)>,
    /// How many records after it violate something.
    others: u64,
}

impl AuditBooks {
    pub(super) fn new(name: LedgerName) -> Self {
        let (report, outcomes) = (Report::new(name), Outcomes::new());
        Self { report, outcomes, violated: None, others: 0 }
    }

    /// Checks what a record touched, and everything where a checkpoint is reached.
    pub(super) fn check(
        &mut self,
        sequencer: &Sequencer,
        record: &Record,
        checkpoints: &mut Checkpoints,
    ) -> Result<(), Finding> {
        let ledger = sequencer.ledger();
        let seq = record.seq.0;
        invariants::check_touched(&ledger.state, &ledger.archive, record)
            .and_then(|()| self.report.count(record, ledger))
            .map_err(|violation| Finding::Invariant { seq, violation })?;
        if seq == 1 && !matches!(record.events.first(), Some(Event::LedgerOpened { .. })) {
            let what = "the first record does not open the ledger".to_owned();
            let violation = Violation { invariant: "OPENED", what };
            return Err(Finding::Invariant { seq, violation });
        }
        if !checkpoints.is_due(seq) {
            return Ok(());
        }
        all_invariants(sequencer, seq)?;
        checkpoints.pass(seq);
        Ok(())
    }

    /// Judges the outcome of a record, without any state.
    pub(super) fn judge(&mut self, sequencer: &Sequencer, record: &Record) {
        let given = sequencer.ledger().instructions(record);
        let Err(violation) = self.outcomes.keeps(record, &given) else { return };
        match &self.violated {
            Some(_) => self.others += 1,
            None => self.violated = Some((record.seq.0, violation)),
        }
    }

    /// Tells whether every outcome so far is what it must be.
    pub(super) const fn is_sound(&self) -> bool {
        self.violated.is_none()
    }

    /// Tells whether it is, or the first record of which it is not.
    pub(super) fn sound(&self) -> Result<(), Finding> {
        let others = self.others;
        let finding = |(seq, violation): &(u64, Violation)| Finding::Outcome {
            seq: *seq,
            violation: violation.clone(),
            others,
        };
        self.violated.as_ref().map(finding).map_or(Ok(()), Err)
    }

    /// The report, where every outcome is what it must be.
    pub(super) fn into_report(self) -> Result<Report, Finding> {
        self.sound()?;
        Ok(self.report)
    }

    /// Saves the books, which must be sound.
    pub(super) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        assert!(self.is_sound(), "what violates something is not kept");
        self.report.write_to(into)?;
        encode::bytes(
            into,
            &minicbor::to_vec(&self.outcomes).expect("memory takes what is written"),
        )
    }

    /// Restores the books that [`Self::write_to`] saved.
    pub(super) fn take(name: LedgerName, from: &mut impl Read) -> io::Result<Self> {
        let report = Report::take(name, from)?;
        let outcomes = minicbor::decode(&from.take_bytes()?).map_err(io::Error::other)?;
        Ok(Self { report, outcomes, violated: None, others: 0 })
    }
}

/// Every invariant, over everything.
pub(super) fn all_invariants(sequencer: &Sequencer, seq: u64) -> Result<(), Finding> {
    let ledger = sequencer.ledger();
    invariants::check_all(&ledger.state, &ledger.archive)
        .map_err(|violation| Finding::Invariant { seq, violation })
}
