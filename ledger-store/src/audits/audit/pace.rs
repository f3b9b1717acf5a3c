//! How often an audit shows how far it is, and after which records it checks everything.

/// How often progress is shown, in records, and how finely a broken invariant is traced to its
/// record.
pub(crate) const STRIDE: u64 = 1_000;

/// After which records every invariant is checked over everything: each time the journal has
/// doubled, so that all these checks together cost no more than two of the whole. What a record
/// touched is checked after every record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoints {
    sound: u64,
    next: u64,
    step: Step,
}

/// How checkpoints follow one another.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Each at twice the record of the one before.
    Doubling,
    /// One every [`STRIDE`] records.
    Even,
}

impl Checkpoints {
    /// Those of a first replay.
    pub(crate) const fn doubling() -> Self {
        Self::doubling_from(0)
    }

    /// Those of a first replay that begins after record `sound`.
    pub(crate) const fn doubling_from(sound: u64) -> Self {
        let twice = sound.saturating_mul(2);
        let next = if twice < STRIDE { STRIDE } else { twice };
        Self { sound, next, step: Step::Doubling }
    }

    /// Those of a replay that looks more closely at what comes after record `sound`.
    pub(crate) const fn even_from(sound: u64) -> Self {
        Self { sound, next: sound.saturating_add(STRIDE), step: Step::Even }
    }

    /// The record of the last checkpoint that was passed.
    pub(crate) const fn sound(&self) -> u64 {
        self.sound
    }

    /// Tells whether the next one is reached with this record.
    pub(crate) const fn is_due(&self, seq: u64) -> bool {
        self.next <= seq
    }

    /// Takes it that everything was checked after this record.
    pub(crate) fn pass(&mut self, seq: u64) {
        self.sound = seq;
        self.next = match self.step {
            Step::Doubling => seq.saturating_mul(2),
            Step::Even => seq.saturating_add(STRIDE),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due_records(mut checkpoints: Checkpoints, records: u64) -> Vec<u64> {
        let at = (1..=records).filter(|seq| {
            let reached = checkpoints.is_due(*seq);
            if reached {
                checkpoints.pass(*seq);
            }
            reached
        });
        at.collect()
    }

    #[test]
    fn everything_is_checked_when_the_journal_has_doubled_and_evenly_when_a_law_is_traced() {
        assert_eq!(due_records(Checkpoints::doubling(), 10_000), [1_000, 2_000, 4_000, 8_000]);
        assert_eq!(due_records(Checkpoints::even_from(4_000), 8_000), [5_000, 6_000, 7_000, 8_000]);
    }
}
