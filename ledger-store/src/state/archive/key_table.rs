//! The table of keys and names: places by hash, each found by one wait for memory, growing in
//! small pieces.
//!
//! ```text
//! hash: 56 bits = which segment (the upper bits) ‖ which line of it (the lower 32)
//! segment: lines of five places, 64 bytes each; what finds its line full goes to the next, and the
//!          line keeps a bit of its hash: what is not there is sought in one line
//! ```
//!
//! A segment that is full gets three fifths as many lines more, and one of many places becomes two:
//! nothing is ever moved but some thousand places.
//! More hashes begin with low bits than with high ones (`index_entry.rs`), so segments fill one
//! after the other and not all at once: some are always full and some always half empty, the memory
//! of one that grew is taken by the next that grows, and a place takes as much of a large table as
//! of a small one.
//! A place stands in the line that its hash leads to, so whoever looks for it has its memory at
//! hand to write it.

use super::index_entry::IndexEntry;

/// Places, found by their hashes; takes no memory while there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyTable {
    /// Which segment holds the hashes that begin with these bits: 2^`depth` of them.
    directory: Vec<u32>,
    depth: u32,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
struct Segment {
    lines: Vec<Line>,
    places: usize,
    /// How many upper bits the hashes in it share.
    depth: u32,
}

/// What a processor reads at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line {
    /// The first word of each place, the lowest bits of its hash, side by side to be compared.
    lowest: [u32; PLACES],
    others: [[u32; 2]; PLACES],
    /// How many places there are; none ever leaves.
    used: u8,
    /// Which bits of their hashes those have that are of this line and found it full.
    beyond: u16,
}

/// How many places a line holds.
const PLACES: usize = 5;

/// A segment of more places becomes two.
const LARGEST: usize = 4_096;

impl KeyTable {
    /// An empty one with room for so many places, if their hashes look like chance.
    pub(super) fn with_room(places: usize) -> Self {
        // The first of all segments has the most places, four thirds of the mean.
        let depth = (places / (LARGEST / 16 * 11) + 1).next_power_of_two().ilog2();
        let segments: Vec<_> = (0..1 << depth)
            .map(|number| {
                Segment::new(depth, room_for(IndexEntry::expected_count(places, number, depth)))
            })
            .collect();
        let directory = (0..).take(segments.len()).collect();
        Self { directory, depth, segments }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.places).sum()
    }

    /// All places, in an order of its own.
    pub(super) fn iter(&self) -> impl Iterator<Item = IndexEntry> {
        self.segments.iter().flat_map(Segment::iter)
    }

    /// The first place of this hash of which `is_it` says so.
    #[inline]
    pub(super) fn find(
        &self,
        hash: u64,
        is_it: impl FnMut(IndexEntry) -> bool,
    ) -> Option<IndexEntry> {
        self.segments[self.segment(hash)?].find(hash, is_it)
    }

    /// The place that a search for this hash begins with, an empty one too: what follows does not
    /// depend on it, so many of these are read at once.
    #[inline]
    pub(super) fn first(&self, hash: u64) -> Option<IndexEntry> {
        let segment = &self.segments[self.segment(hash)?];
        Some(segment.lines[segment.line(hash)].place(0))
    }

    /// Adds a place, whether there is one of its hash or not.
    pub(super) fn insert(&mut self, place: IndexEntry) {
        let mut segment = self.segment(place.hash()).unwrap_or_else(|| {
            *self = Self::with_room(0);
            0
        });
        if LARGEST <= self.segments[segment].places && self.may_split(segment) {
            segment = self.split(segment, place.hash());
        }
        self.segments[segment].insert(place);
    }

    /// The segment of a hash; none where there is no place at all.
    #[inline]
    fn segment(&self, hash: u64) -> Option<usize> {
        self.directory.get(leading(hash, self.depth)).map(|segment| *segment as usize)
    }

    /// Tells whether a segment may be divided. Hashes that all begin alike, which chance does not
    /// make, stay in one that grows, rather than that the directory doubles for them.
    fn may_split(&self, segment: usize) -> bool {
        self.segments[segment].depth < self.depth || self.directory.len() <= 8 * self.segments.len()
    }

    /// Divides a segment, that of this hash, by the first bit in which its hashes may differ, and
    /// gives the half that the hash is of.
    fn split(&mut self, segment: usize, hash: u64) -> usize {
        let depth = self.segments[segment].depth + 1;
        if depth > self.depth {
            self.directory = self.directory.iter().flat_map(|segment| [*segment; 2]).collect();
            self.depth = depth;
        }
        let new = u32::try_from(self.segments.len()).expect("fewer than four billion segments");
        let half = Segment::new(depth, room_for(LARGEST / 2));
        let whole = std::mem::replace(&mut self.segments[segment], half.clone());
        self.segments.push(half);
        for place in whole.iter() {
            let upper = leading(place.hash(), depth) % 2 == 1;
            let half = if upper { self.segments.len() - 1 } else { segment };
            self.segments[half].insert(place);
        }
        // The directory's entries of a segment lie side by side, those of its upper half last.
        let entries = 1 << (self.depth - depth);
        let upper = (leading(hash, depth) | 1) * entries;
        self.directory[upper..upper + entries].fill(new);
        if leading(hash, depth) % 2 == 1 { new as usize } else { segment }
    }
}

impl Segment {
    /// An empty one with room for so many places.
    fn new(depth: u32, room: usize) -> Self {
        let lines = Self::lines_for(room);
        Self { lines: vec![Line::EMPTY; lines], places: 0, depth }
    }

    /// How many lines hold so many places, and as many free ones as there are to be.
    const fn lines_for(places: usize) -> usize {
        (places + places / 6).div_ceil(PLACES) + 1
    }

    fn iter(&self) -> impl Iterator<Item = IndexEntry> {
        self.lines.iter().flat_map(Line::iter)
    }

    #[inline]
    fn find(&self, hash: u64, mut is_it: impl FnMut(IndexEntry) -> bool) -> Option<IndexEntry> {
        let mut number = self.line(hash);
        let mut line = &self.lines[number];
        // Only the first line has the bit of a hash that it could not hold. Behind it the next line
        // with a free place ends the search: `fill` would have used that place, and none leaves.
        let mut goes_on = line.beyond & beyond(hash) != 0;
        loop {
            let mut alike = line.alike(hash);
            while alike != 0 {
                let place = line.place(alike.trailing_zeros() as usize);
                if place.hash() == hash && is_it(place) {
                    return Some(place);
                }
                alike &= alike - 1;
            }
            if !goes_on {
                return None;
            }
            number = self.after(number);
            line = &self.lines[number];
            goes_on = line.is_full();
        }
    }

    fn insert(&mut self, place: IndexEntry) {
        // One in six places stays free, so that a search ends soon; one always, so that it ends.
        if self.lines.len() * PLACES <= self.places + self.places / 6 + 1 {
            self.grow();
        }
        self.fill(place);
    }

    fn grow(&mut self) {
        let mut grown = Self::new(self.depth, larger(self.places));
        self.iter().for_each(|place| grown.fill(place));
        *self = grown;
    }

    fn fill(&mut self, place: IndexEntry) {
        let mut number = self.line(place.hash());
        if self.lines[number].is_full() {
            self.lines[number].beyond |= beyond(place.hash());
            while self.lines[number].is_full() {
                number = self.after(number);
            }
        }
        self.lines[number].push(place);
        self.places += 1;
    }

    /// The line that a hash leads to: its lower bits, as a part of the whole.
    #[allow(clippy::cast_possible_truncation)] // The upper bits are cut on purpose.
    fn line(&self, hash: u64) -> usize {
        // A product in place of a remainder: quicker, and it admits any number of lines, so that a
        // segment can grow by three fifths and need not double.
        ((u64::from(hash as u32) * self.lines.len() as u64) >> u32::BITS) as usize
    }

    const fn after(&self, number: usize) -> usize {
        if number + 1 == self.lines.len() { 0 } else { number + 1 }
    }
}

impl Line {
    const EMPTY: Self = Self { lowest: [0; PLACES], others: [[0; 2]; PLACES], used: 0, beyond: 0 };

    const fn is_full(&self) -> bool {
        self.used as usize == PLACES
    }

    fn place(&self, nth: usize) -> IndexEntry {
        let [middle, upper] = self.others[nth];
        IndexEntry([self.lowest[nth], middle, upper])
    }

    fn iter(&self) -> impl Iterator<Item = IndexEntry> {
        (0..usize::from(self.used)).map(|nth| self.place(nth))
    }

    fn push(&mut self, place: IndexEntry) {
        let (IndexEntry([lowest, middle, upper]), nth) = (place, usize::from(self.used));
        (self.lowest[nth], self.others[nth]) = (lowest, [middle, upper]);
        self.used += 1;
    }

    /// Which of its places may be of this hash, a bit each: all are looked at, so that nothing
    /// waits for what cannot be foreseen, how many there are.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // The upper bits are cut on purpose.
    fn alike(&self, hash: u64) -> u32 {
        let bits = self.lowest.iter().enumerate();
        let bits =
            bits.fold(0, |bits, (nth, lowest)| bits | u32::from(*lowest == hash as u32) << nth);
        bits & ((1 << self.used) - 1)
    }
}

/// The bit of [`Line::beyond`] that a hash has.
const fn beyond(hash: u64) -> u16 {
    1 << (hash % u16::BITS as u64)
}

/// The first bits of a hash.
#[allow(clippy::cast_possible_truncation)] // So many segments fit in no memory.
const fn leading(hash: u64, bits: u32) -> usize {
    (hash >> (IndexEntry::HASH_BITS - bits)) as usize
}

/// The least room of those that segments grow through, for so many places, more or less by chance.
const fn room_for(places: usize) -> usize {
    let likely = places + places / 8 + PLACES;
    let mut room = LARGEST;
    while likely <= smaller(room) {
        room = smaller(room);
    }
    room
}

const fn smaller(room: usize) -> usize {
    room * 5 / 8
}

const fn larger(room: usize) -> usize {
    room * 8 / 5 + PLACES
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Hashes that look like chance.
    fn hash(number: u64) -> u64 {
        let mixed = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        IndexEntry::hash_of((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9))
    }

    fn build_table(numbers: impl Iterator<Item = u64>, hash: impl Fn(u64) -> u64) -> KeyTable {
        let mut table = KeyTable::default();
        numbers.for_each(|number| table.insert(IndexEntry::new(hash(number), number)));
        table
    }

    #[test]
    fn every_place_is_found_by_its_hash_and_no_other_however_many_there_are() {
        for count in [1, 5, 6, 4_096, 4_097, 8_193, 300_000] {
            let table = build_table(1..=count, hash);
            assert_eq!(table.len() as u64, count);
            for number in 1..=count {
                let found = table.find(hash(number), |place| place.number() == number);
                assert_eq!(found, Some(IndexEntry::new(hash(number), number)));
            }
            assert!((count + 1..2 * count).all(|number| {
                table.find(hash(number), |place| place.number() == number).is_none()
            }));
            let all: BTreeMap<_, _> =
                table.iter().map(|place| (place.number(), place.hash())).collect();
            assert!(all.into_iter().eq((1..=count).map(|number| (number, hash(number)))));
        }
    }

    #[test]
    fn a_table_with_room_takes_as_many_without_growing_and_more_as_well() {
        for count in [0, 1, 100, 4_096, 100_000, 300_000] {
            let mut table = KeyTable::with_room(count);
            let lines = |table: &KeyTable| -> usize {
                table.segments.iter().map(|segment| segment.lines.len()).sum()
            };
            let before = (lines(&table), table.segments.len());
            let place = |number| IndexEntry::new(hash(number), number);
            (1..=count as u64).for_each(|number| table.insert(place(number)));
            assert_eq!((lines(&table), table.segments.len()), before);
            (count as u64 + 1..=3 * count as u64).for_each(|number| table.insert(place(number)));
            assert!((1..=3 * count as u64).all(|number| {
                table.find(hash(number), |known| known == place(number)).is_some()
            }));
        }
    }

    /// Bytes that a place takes, as the table grows from so many places to twenty times as many.
    fn bytes_a_place(table: &mut KeyTable, from: u64) -> Vec<u64> {
        let grown = (from..=20 * from).filter_map(|number| {
            table.insert(IndexEntry::new(hash(number), number));
            let lines = || table.segments.iter().map(|segment| segment.lines.len()).sum::<usize>();
            let places = table.segments.iter().map(|segment| segment.places);
            number.is_multiple_of(from / 7).then(|| {
                let bytes = lines() * size_of::<Line>() + table.directory.len() * size_of::<u32>();
                (bytes / places.sum::<usize>()) as u64
            })
        });
        grown.collect()
    }

    #[test]
    fn a_place_takes_at_most_twice_its_twelve_bytes_however_many_there_are() {
        for count in (1..=20).map(|step| step * 37_000) {
            let table = build_table(1..=count, hash);
            let lines: usize = table.segments.iter().map(|segment| segment.lines.len()).sum();
            let bytes = lines * size_of::<Line>() + table.directory.len() * size_of::<u32>();
            assert!(bytes as u64 <= 24 * count + 64, "{bytes} bytes for {count} places");
        }
    }

    #[test]
    fn a_place_takes_as_many_bytes_of_a_large_table_as_of_a_small_one() {
        let mut grown = build_table(1..100_000, hash);
        let mut opened = KeyTable::with_room(99_999);
        (1..100_000).for_each(|number| opened.insert(IndexEntry::new(hash(number), number)));
        for table in [&mut grown, &mut opened] {
            let bytes = bytes_a_place(table, 100_000);
            assert!(bytes.iter().all(|bytes| (17..=20).contains(bytes)), "{bytes:?}");
        }
    }

    #[test]
    fn hashes_that_begin_alike_make_no_directory_of_their_own() {
        let table = build_table(1..=30_000, |number| number);
        assert!((1..=30_000).all(|number| table.find(number, |_| true).is_some()));
        assert!(table.directory.len() <= 64, "{}", table.directory.len());
    }
}
