//! A list held against the ledger, item by item.

use std::collections::{BTreeMap, BTreeSet};

use super::line::Line;
use super::ours::{Item, Ours};

/// The days that are compared, YYYY-MM-DD in Brasília, both included.
pub struct Period {
    pub from: String,
    pub to: String,
}

/// What became of each line and each item.
#[derive(Default)]
pub struct Compared {
    /// The same amount on the same day.
    pub matched: Vec<(Line, Item)>,
    /// The same amount on another day: before and after midnight, most often.
    pub other_day: Vec<(Line, Item)>,
    /// The same id and another amount, or the other way.
    pub differs: Vec<(Line, Item)>,
    /// Booked in these days, and not in the file.
    pub only_ours: Vec<Item>,
    /// In the file, and not booked.
    pub only_theirs: Vec<Line>,
    /// Lines that say a second time what a line before said, with that line's number.
    pub duplicates: Vec<(Line, u64)>,
}

impl Compared {
    /// Holds lines against the ledger.
    pub fn of(lines: &[Line], ours: &Ours, period: &Period) -> Self {
        let mut compared = Self::default();
        let mut taken = BTreeSet::new();
        let mut seen = BTreeMap::new();
        for line in lines {
            let key = (line.id.clone(), line.external_id.clone(), line.direction, line.kind);
            // A PIX has one id; by another name, several may be of one operation.
            let key = if line.id.is_some() { (key.0, None, key.2, key.3) } else { key };
            let amount = if line.id.is_some() { 0 } else { line.cents };
            if let Some(first) = seen.get(&(key.clone(), amount)) {
                compared.duplicates.push((line.clone(), *first));
                continue;
            }
            seen.insert((key, amount), line.number);
            let Some(place) = place_of(line, ours, &taken) else {
                compared.only_theirs.push(line.clone());
                continue;
            };
            taken.insert(place);
            let (line, item) = (line.clone(), ours.items[place].clone());
            let same = line.cents == item.cents && line.direction == item.direction;
            if !same {
                compared.differs.push((line, item));
            } else if line.when.day == item.day {
                compared.matched.push((line, item));
            } else {
                compared.other_day.push((line, item));
            }
        }
        let within = |item: &Item| item.day >= period.from && item.day <= period.to;
        let left = ours.items.iter().enumerate().filter(|(place, _)| !taken.contains(place));
        compared.only_ours = left.map(|(_, item)| item.clone()).filter(within).collect();
        compared
    }

    /// How many items are to be looked at by somebody.
    pub fn open(&self) -> usize {
        self.differs.len() + self.only_ours.len() + self.only_theirs.len() + self.duplicates.len()
    }
}

/// Where the item of a line stands: by the id of its PIX, or by the name of its operation.
fn place_of(line: &Line, ours: &Ours, taken: &BTreeSet<usize>) -> Option<usize> {
    let free = |place: &usize| !taken.contains(place);
    if let Some(id) = &line.id {
        let place = ours.by_id(id, line.direction);
        let place = place.or_else(|| ours.by_id(id, line.direction.other()));
        return place.filter(free);
    }
    let operations = ours.named(line.external_id.as_ref()?).iter();
    let places = operations.flat_map(|op| ours.of_operation(*op)).copied();
    let candidates = places.filter(|place| {
        let item = &ours.items[*place];
        (item.direction, item.kind) == (line.direction, line.kind) && free(place)
    });
    // Of several, the one that says the same.
    candidates.min_by_key(|place| (ours.items[*place].cents != line.cents, *place))
}
