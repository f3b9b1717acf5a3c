//! The trail of an operation that still moves, in two words: distances, that of its first record
//! from the operation's number, of each other from the one before. Most operations have few.

use ledger_core::id::Seq;

use super::arena::varint;

/// How many bytes of distances stand in the trail itself.
const FEW: usize = 14;

/// The records that moved an operation.
#[derive(Clone, Debug)]
pub(super) enum Trail {
    Few { used: u8, distances: [u8; FEW] },
    Many(Box<Many>),
}

/// The distances of a trail that is longer, and their sum: a hold may be moved by each deposit.
#[derive(Clone, Debug)]
pub(super) struct Many {
    distances: Vec<u8>,
    sum: u64,
}

impl Default for Trail {
    fn default() -> Self {
        Self::Few { used: 0, distances: [0; FEW] }
    }
}

impl Trail {
    /// The trail of these records, in order; none where they are in none.
    pub(super) fn from_records(first: Seq, records: &[Seq]) -> Option<Self> {
        let (mut trail, mut last) = (Self::default(), first.0);
        for seq in records {
            trail.push(seq.0.checked_sub(last)?);
            last = seq.0;
        }
        Some(trail)
    }

    /// Adds a record by its distance from the one before.
    pub(super) fn push(&mut self, distance: u64) {
        let mut bytes = [0; varint::LONGEST];
        let length = varint::write(distance, &mut bytes);
        let bytes = &bytes[..length];
        match self {
            Self::Many(many) => {
                many.distances.extend_from_slice(bytes);
                many.sum += distance;
            }
            Self::Few { used, distances } => {
                let begin = usize::from(*used);
                match (distances.get_mut(begin..begin + length), u8::try_from(begin + length)) {
                    (Some(free), Ok(end)) => {
                        free.copy_from_slice(bytes);
                        *used = end;
                    }
                    _ => {
                        let sum = self.distances().sum::<u64>() + distance;
                        let distances = [self.bytes(), bytes].concat();
                        *self = Self::Many(Box::new(Many { distances, sum }));
                    }
                }
            }
        }
    }

    /// How far the last record is from the operation's number; none where there is no record.
    pub(super) fn reach(&self) -> Option<u64> {
        match self {
            Self::Few { used: 0, .. } => None,
            Self::Few { .. } => Some(self.distances().sum()),
            Self::Many(many) => Some(many.sum),
        }
    }

    /// Decodes the distances, the oldest first.
    pub(super) fn distances(&self) -> impl Iterator<Item = u64> {
        let mut rest = self.bytes();
        std::iter::from_fn(move || varint::read(&mut rest))
    }

    /// The records, where the operation's number is that of record `first`.
    pub(super) fn records(&self, first: Seq) -> impl Iterator<Item = Seq> {
        records(first, self.distances())
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Few { used, distances } => &distances[..usize::from(*used)],
            Self::Many(many) => &many.distances,
        }
    }
}

/// The records at these distances.
pub(super) fn records(
    first: Seq,
    distances: impl Iterator<Item = u64>,
) -> impl Iterator<Item = Seq> {
    distances.scan(first.0, |last, distance| {
        *last += distance;
        Some(Seq(*last))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seqs(trail: &Trail, first: u64) -> Vec<u64> {
        trail.records(Seq(first)).map(|seq| seq.0).collect()
    }

    #[test]
    fn a_trail_of_a_few_records_takes_two_words_and_a_longer_one_grows() {
        assert_eq!(size_of::<Trail>(), 16);
        let mut trail = Trail::default();
        assert_eq!(trail.reach(), None);
        let mut expected = Vec::new();
        let mut last = 7;
        for distance in [0, 1, 127, 128, 1 << 20, 1 << 39, 5, 300, 2].into_iter().cycle().take(99) {
            assert_eq!(seqs(&trail, 7), expected);
            last += distance;
            trail.push(distance);
            expected.push(last);
            assert_eq!(trail.reach(), Some(last - 7));
        }
        assert_eq!(seqs(&trail, 7), expected);
    }

    #[test]
    fn records_that_do_not_follow_one_another_are_no_trail() {
        let trail = |records: &[u64]| {
            Trail::from_records(Seq(7), &records.iter().map(|seq| Seq(*seq)).collect::<Vec<_>>())
        };
        assert_eq!(seqs(&trail(&[7, 9, 1_000_000]).unwrap(), 7), [7, 9, 1_000_000]);
        assert!(trail(&[]).is_some() && trail(&[6]).is_none() && trail(&[7, 9, 8]).is_none());
    }
}
