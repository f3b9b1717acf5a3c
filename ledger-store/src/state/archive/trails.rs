//! Trails: which records moved an operation. What it became by them, they say.

use std::io::{self, Read, Write};

use hashbrown::{HashMap, HashTable};
use ledger_core::id::{OpId, Seq};

use super::arena::Bytes;
use super::trail::{Trail, records};
use crate::state::snapshot::wire::{Take, encode};

/// The records that moved each operation: as numbers while it moves, packed once it has ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Trails {
    moving: HashMap<OpId, Trail>,
    ended: HashTable<EndedTrail>,
    packed: Bytes,
}

/// An operation's number and the place of its packed trail, in three words.
#[derive(Clone, Copy, Debug)]
struct EndedTrail([u32; 3]);

const OP_BITS: u32 = 44;

impl Trails {
    /// A record moved the operation.
    pub(super) fn note(&mut self, op: OpId, seq: Seq) {
        let known = match self.moving.get_mut(&op) {
            Some(known) => known,
            // Moved again after its end.
            None => {
                let trail = self.reopen(op);
                self.moving.entry(op).or_insert(trail)
            }
        };
        let (reached, distance) = (known.reach(), seq.0 - op.seq().0);
        if reached != Some(distance) {
            known.push(distance - reached.unwrap_or(0));
        }
    }

    /// The operation has ended.
    pub(super) fn end(&mut self, op: OpId) {
        // What ends as it begins has no trail.
        let Some(trail) = self.moving.remove(&op) else { return };
        let place = self.packed.keep(trail.distances(), trail.distances().count());
        let place = EndedTrail::new(op, place);
        self.ended.insert_unique(spread(op.number()), place, |place| spread(place.op()));
    }

    /// The records that moved an operation which has ended.
    pub(super) fn records_of(&self, op: OpId) -> Option<Vec<Seq>> {
        let place = self.ended.find(spread(op.number()), |place| place.op() == op.number())?;
        Some(records(op.seq(), self.packed.get(place.place())).collect())
    }

    /// The records that moved an operation which still moves.
    pub(super) fn still(&self, op: OpId) -> Option<Vec<Seq>> {
        Some(self.moving.get(&op)?.records(op.seq()).collect())
    }

    fn reopen(&mut self, op: OpId) -> Trail {
        let mut trail = Trail::default();
        let same = |place: &EndedTrail| place.op() == op.number();
        if let Ok(known) = self.ended.find_entry(spread(op.number()), same) {
            let (place, _) = known.remove();
            self.packed.get(place.place()).for_each(|distance| trail.push(distance));
        }
        trail
    }

    /// The trails of operations that still move.
    pub(super) fn moving(&self) -> impl ExactSizeIterator<Item = (OpId, Vec<Seq>)> {
        self.moving.iter().map(|(op, trail)| (*op, trail.records(op.seq()).collect()))
    }

    /// Puts the trails of what has ended.
    pub(super) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        encode::number(into, self.ended.len() as u64)?;
        self.ended.iter().try_for_each(|place| encode::words(into, place.0))?;
        self.packed.write_to(into)
    }

    pub(super) fn take(
        &mut self,
        moving: Vec<(OpId, Vec<Seq>)>,
        from: &mut impl Read,
    ) -> io::Result<()> {
        for (op, records) in moving {
            let trail =
                Trail::from_records(op.seq(), &records).ok_or(io::ErrorKind::InvalidData)?;
            self.moving.insert(op, trail);
        }
        let count = from.take_length()?;
        self.ended.reserve(count, |place| spread(place.op()));
        for _ in 0..count {
            let place = EndedTrail(from.take_words()?);
            self.ended.insert_unique(spread(place.op()), place, |place| spread(place.op()));
        }
        self.packed.take(from)
    }

    /// Every trail, by operation.
    pub(super) fn describe(&self, into: &mut impl Write) -> io::Result<()> {
        let mut moving: Vec<(&OpId, &Trail)> = self.moving.iter().collect();
        moving.sort_unstable_by_key(|(op, _)| **op);
        encode::number(into, moving.len() as u64)?;
        for (op, trail) in moving {
            encode::number(into, op.number())?;
            encode::number(into, trail.distances().count() as u64)?;
            trail.distances().try_for_each(|distance| encode::number(into, distance))?;
        }
        let mut ended: Vec<_> = self.ended.iter().copied().collect();
        ended.sort_unstable_by_key(|place| place.op());
        ended.into_iter().try_for_each(|place| {
            let distances = || self.packed.get(place.place());
            encode::number(into, place.op())?;
            encode::number(into, distances().count() as u64)?;
            distances().try_for_each(|distance| encode::number(into, distance))
        })
    }
}

impl EndedTrail {
    #[allow(clippy::cast_possible_truncation)] // The words are cut on purpose.
    fn new(op: OpId, place: u64) -> Self {
        let op = op.number();
        assert!(op >> OP_BITS == 0, "a ledger holds fewer than a million million records");
        assert!(place >> (96 - OP_BITS) == 0, "trails fill no more than four pebibytes");
        Self([
            op as u32,
            (op >> 32) as u32 | (place << (OP_BITS - 32)) as u32,
            (place >> 20) as u32,
        ])
    }

    fn op(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1] & 0xFFF) << 32
    }

    fn place(self) -> u64 {
        u64::from(self.0[1] >> 12) | u64::from(self.0[2]) << 20
    }
}

/// The number over all 64 bits, as the table wants it.
const fn spread(op: u64) -> u64 {
    op.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use ledger_core::id::Kind;

    use super::*;

    #[test]
    fn a_place_gives_back_what_it_was_made_of() {
        let op = |seq| OpId::new(Kind::ErroneousDelivery, Seq(seq));
        for seq in [1, 77, (1 << 40) - 1] {
            for place in [0, 1, (1 << 20) - 1, 1 << 20, (1 << 52) - 1] {
                let kept = EndedTrail::new(op(seq), place);
                assert_eq!((kept.op(), kept.place()), (op(seq).number(), place));
            }
        }
    }

    /// Quadratic work would take minutes here.
    #[test]
    fn an_operation_that_very_many_records_move_is_noted_as_quickly_at_last_as_at_first() {
        let mut trails = Trails::default();
        let op = OpId::new(Kind::Hold, Seq(5));
        (5..500_000).for_each(|seq| trails.note(op, Seq(seq)));
        assert!(trails.still(op).unwrap().into_iter().eq((5..500_000).map(Seq)));
    }

    #[test]
    fn an_operation_that_moves_after_its_end_keeps_its_whole_trail() {
        let mut trails = Trails::default();
        for number in 1..=2_000 {
            let op = OpId::new(Kind::Charge, Seq(number));
            for seq in [number, number, number + 1_000_000, number + 70_000_000_000] {
                trails.note(op, Seq(seq));
            }
            assert_eq!(trails.records_of(op), None);
            trails.end(op);
        }
        let op = OpId::new(Kind::Charge, Seq(5));
        let trail = [5, 1_000_005, 70_000_000_005].map(Seq);
        assert_eq!(trails.records_of(op), Some(trail.to_vec()));
        trails.note(op, Seq(70_000_000_006));
        assert_eq!(trails.records_of(op), None);
        trails.end(op);
        assert_eq!(trails.records_of(op), Some([&trail[..], &[Seq(70_000_000_006)]].concat()));
        assert_eq!(trails.records_of(OpId::new(Kind::Hold, Seq(5))), None);
    }
}
