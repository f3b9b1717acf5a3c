//! Matching by canonical ids (rulings 64 and 82), and by names of operations.

use std::collections::BTreeMap;
use std::collections::HashMap;

use super::Matcher;
use crate::difference::How;
use crate::movement::{Class, OurMovement, Source, TheirMovement};

/// How much two movements of one id have in common: the surest first.
const SURENESS: [fn(&TheirMovement, &OurMovement) -> bool; 5] = [
    |theirs, ours| is_equal(theirs, ours) && theirs.address == ours.address,
    is_equal,
    |theirs, ours| {
        theirs.account == ours.account
            && theirs.direction == ours.direction
            && theirs.address.is_some()
            && theirs.address == ours.address
    },
    |theirs, ours| theirs.account == ours.account && theirs.direction == ours.direction,
    |_, _| true,
];

/// The first likeness at which several movements that fit are an ambiguity.
const WEAKEST: usize = 3;

fn is_equal(theirs: &TheirMovement, ours: &OurMovement) -> bool {
    theirs.account == ours.account
        && theirs.direction == ours.direction
        && theirs.amount == ours.amount
}

/// A fee of a transaction is not the transfer.
fn is_same_sort(theirs: &TheirMovement, ours: &OurMovement) -> bool {
    (theirs.class == Class::Fee) == (ours.class == Class::Fee)
}

/// Networks of one machine write one hash with and without its prefix.
fn without_prefix(id: &str) -> &str {
    id.strip_prefix("0x").unwrap_or(id)
}

impl Matcher<'_> {
    /// Pairs movements of one id.
    pub(super) fn pair_by_id(&mut self) {
        let mut ours: HashMap<(Source, &str), Vec<usize>> = HashMap::new();
        for (place, movement) in self.ours.iter().enumerate() {
            if let (Some(id), true) = (&movement.id, self.is_ours_free(place)) {
                let key = (movement.account.source, without_prefix(id));
                ours.entry(key).or_default().push(place);
            }
        }
        // A group of one id is matched at once, so that the surest pairs of it come first.
        let mut theirs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut first_of: HashMap<(Source, &str), usize> = HashMap::new();
        for (place, movement) in self.theirs.iter().enumerate() {
            let Some(id) = movement.id.as_deref().filter(|_| self.is_theirs_free(place)) else {
                continue;
            };
            let key = (movement.account.source, without_prefix(id));
            if ours.contains_key(&key) && movement.class != Class::Fee {
                let first = *first_of.entry(key).or_insert(place);
                theirs.entry(first).or_default().push(place);
            }
        }
        for (first, group) in theirs {
            let movement = self.theirs[first];
            let id = without_prefix(movement.id.as_deref().unwrap_or_default());
            let key = (movement.account.source, id);
            let others = ours.remove(&key).unwrap_or_default();
            self.pair_group(&group, &others, How::Id);
        }
    }

    /// Pairs movements of one group, the surest pairs first; where several are as sure and not
    /// alike, all are named as ambiguous.
    fn pair_group(&mut self, theirs: &[usize], ours: &[usize], how: How) {
        for (pass, is_sure) in SURENESS.into_iter().enumerate() {
            for &their in theirs {
                if !self.is_theirs_free(their) {
                    continue;
                }
                let movement = self.theirs[their];
                let fits = |place: &&usize| {
                    let own = &self.ours[**place];
                    self.is_ours_free(**place)
                        && is_same_sort(movement, own)
                        && is_sure(movement, own)
                };
                let candidates: Vec<usize> = ours.iter().filter(fits).copied().collect();
                match candidates[..] {
                    [] => {}
                    [one] => self.pair(their, one, how),
                    [first, ..] if self.are_alike(&candidates) => self.pair(their, first, how),
                    // A weaker likeness may still tell them apart by their addresses.
                    _ if pass < WEAKEST => {}
                    _ => {
                        let free = |place: &&usize| self.is_theirs_free(**place);
                        let theirs: Vec<usize> = theirs.iter().filter(free).copied().collect();
                        self.note_ambiguity(&theirs, &candidates);
                    }
                }
            }
        }
    }

    /// Tells whether movements of ours differ in nothing that a statement could say.
    pub(super) fn are_alike(&self, places: &[usize]) -> bool {
        let first = &self.ours[places[0]];
        places.iter().map(|place| &self.ours[*place]).all(|own| {
            (&own.account, own.direction, own.amount, &own.address, own.class)
                == (&first.account, first.direction, first.amount, &first.address, first.class)
                && own.id == first.id
        })
    }

    /// Pairs movements by the names of operations and facts, and returns by the PIX that they are
    /// of.
    pub(super) fn pair_by_name(&mut self) {
        let mut by_operation: HashMap<_, Vec<usize>> = HashMap::new();
        let mut by_fact: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_id: HashMap<&str, usize> = HashMap::new();
        for (place, own) in self.ours.iter().enumerate() {
            if let (Some(id), Source::Provider) = (own.id.as_deref(), own.account.source) {
                by_id.insert(id, place);
            }
            if !self.is_ours_free(place) {
                continue;
            }
            if let Some(op) = own.operation {
                by_operation.entry(op).or_default().push(place);
            }
            if let Some(fact) = &own.fact {
                by_fact.entry(fact).or_default().push(place);
            }
        }
        for place in 0..self.theirs.len() {
            let movement = self.theirs[place];
            let names = &movement.names;
            if !self.is_theirs_free(place) || (names.is_empty() && movement.returns.is_none()) {
                continue;
            }
            let returned = movement.returns.as_deref().and_then(|id| by_id.get(id));
            let returned = returned.and_then(|place| self.ours[*place].operation);
            let by_names = names.iter().flat_map(|name| self.books.operations_named(name));
            let of_operation = returned.into_iter().chain(by_names);
            let of_operation = of_operation.filter_map(|op| by_operation.get(&op)).flatten();
            let of_fact = names.iter().filter_map(|name| by_fact.get(&**name)).flatten();
            let mut ours: Vec<usize> = of_fact.chain(of_operation).copied().collect();
            ours.sort_unstable();
            ours.dedup();
            // A PIX that has an id is that PIX, and no other of the same operation.
            let may_be = |place: &usize| {
                let own = &self.ours[*place];
                own.account.source == movement.account.source
                    && own.class == movement.class
                    && own.direction == movement.direction
                    && own.account == movement.account
                    && (own.id.is_none() || movement.id.is_none())
            };
            ours.retain(|place| self.is_ours_free(*place) && may_be(place));
            if !self.rules.nets_by_name(movement) {
                self.pair_group(&[place], &ours, How::Name);
            }
        }
    }
}
