//! A list held against the ledger, item by item.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::id::OpId;
use ledger_core::pix::EndToEnd;

use crate::line::{Kind, Line, List};
use crate::ours::{Item, Ours};
use crate::period::Period;

/// What became of each line and each item.
#[derive(Clone, Debug, Default)]
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

/// How a line finds its item: the surest way first, over all lines, so that no line takes the item
/// of another that is surer of it.
#[derive(Clone, Copy)]
enum Way {
    /// By the id of the PIX, the same way.
    Id,
    /// By what it returns or the operation's name, with the same amount on the same day.
    NameAmountAndDay,
    /// The same, on another day.
    NameAndAmount,
    /// The same, with another amount.
    Name,
    /// By the id of the PIX, the other way.
    IdReversed,
}

const WAYS: [Way; 5] =
    [Way::Id, Way::NameAmountAndDay, Way::NameAndAmount, Way::Name, Way::IdReversed];

impl Compared {
    /// Holds a list against the ledger: what the ledger booked in the period, and every line.
    #[must_use]
    pub fn new(list: &List, ours: &Ours, period: &Period) -> Self {
        let lines = &*list.lines;
        let mut compared = Self::default();
        let copies = copies(lines, |line| line.id.is_some());
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for way in WAYS {
            for (index, line) in lines.iter().enumerate() {
                if found.contains_key(&index) || copies.contains_key(&index) {
                    continue;
                }
                if let Some(place) = place_of(line, ours, &taken, way) {
                    taken.insert(place);
                    found.insert(index, place);
                }
            }
        }
        // Lines that have no id of a PIX may be two of one operation that say the same; only one
        // for which there is no item is a copy.
        let more = self::copies(lines, |line| line.id.is_none());
        for (index, line) in lines.iter().enumerate() {
            match (found.get(&index), copies.get(&index).or_else(|| more.get(&index))) {
                (Some(place), _) => compared.pair(line, &ours.items[*place]),
                (None, Some(first)) => compared.duplicates.push((line.clone(), *first)),
                (None, None) => compared.only_theirs.push(line.clone()),
            }
        }
        let within = |item: &Item| item.day >= period.from && item.day <= period.to;
        let left = ours.items.iter().enumerate().filter(|(place, _)| !taken.contains(place));
        compared.only_ours = left.map(|(_, item)| item.clone()).filter(within).collect();
        compared
    }

    fn pair(&mut self, line: &Line, item: &Item) {
        let same = line.cents == item.cents && line.direction == item.direction;
        let pairs = if !same {
            &mut self.differs
        } else if line.when.day == item.day {
            &mut self.matched
        } else {
            &mut self.other_day
        };
        pairs.push((line.clone(), item.clone()));
    }

    /// How many items are to be looked at by somebody.
    #[must_use]
    pub fn open(&self) -> usize {
        self.differs.len() + self.only_ours.len() + self.only_theirs.len() + self.duplicates.len()
    }
}

/// Lines of this sort that say a second time what a line before said, with that line's number: the
/// same id or names, way, kind and amount; and where there is no id, the same day.
fn copies(lines: &[Line], sort: fn(&Line) -> bool) -> BTreeMap<usize, u64> {
    let (mut seen, mut copies) = (BTreeMap::new(), BTreeMap::new());
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| sort(line)) {
        let (names, day) = match line.id {
            Some(_) => (&[][..], None),
            None => (&line.names[..], Some(&line.when.day)),
        };
        let key = (&line.id, names, day, line.direction, line.kind, line.cents);
        match seen.get(&key) {
            Some(first) => {
                copies.insert(index, *first);
            }
            None => {
                seen.insert(key, line.number);
            }
        }
    }
    copies
}

/// Where the free item of a line stands, found so.
fn place_of(line: &Line, ours: &Ours, taken: &BTreeSet<usize>, way: Way) -> Option<usize> {
    let fits = |place: &usize, direction| {
        let item = &ours.items[*place];
        // What is said to be a return is no payment; what says nothing may be either.
        let kind = line.kind == Kind::Payment || item.kind == Kind::Return;
        !taken.contains(place) && kind && item.direction == direction
    };
    let by_id = |direction| {
        let place = ours.by_id(line.id.as_ref()?, direction)?;
        Some(place).filter(|place| fits(place, direction))
    };
    match way {
        Way::Id => return by_id(line.direction),
        Way::IdReversed => return by_id(line.direction.other()),
        Way::NameAmountAndDay | Way::NameAndAmount | Way::Name => {}
    }
    // Who has an id of a PIX is that PIX, and no other of the same operation; a return that was
    // booked without its id may be the one.
    let own = line.id.as_deref().filter(|id| EndToEnd::parse(id).is_some());
    let own = own.filter(|id| line.returns.as_deref() != Some(*id));
    let named = operations(line, ours, own);
    let mut places = named.iter().flat_map(|op| ours.of_operation(*op)).copied();
    places.find(|place| {
        let item = &ours.items[*place];
        let same_amount = item.cents == line.cents;
        let says_the_same = match way {
            Way::NameAmountAndDay => same_amount && item.day == line.when.day,
            Way::NameAndAmount => same_amount,
            _ => true,
        };
        let may_be = own.is_none_or(|own| line.names.iter().any(|name| name == own))
            || EndToEnd::parse(&item.id).is_none();
        fits(place, line.direction) && item.kind == line.kind && says_the_same && may_be
    })
}

/// The operations that a line names: by the PIX that it returns, and by its names, unless it has
/// the id of a PIX of its `own`, which then must be the name.
fn operations(line: &Line, ours: &Ours, own: Option<&str>) -> Vec<OpId> {
    let returned = line.returns.as_ref().and_then(|id| {
        let place = ours.by_id(id, line.direction.other())?;
        ours.items[place].operation
    });
    let names = line.names.iter().filter(|name| own.is_none_or(|own| own == name.as_str()));
    returned.into_iter().chain(names.flat_map(|name| ours.find_by_id(name))).collect()
}
