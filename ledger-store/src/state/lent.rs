//! Values that are looked up once, and lent for as long as whoever looked them up lives.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::hash::Hash;

use hashbrown::HashMap;

/// How many rooms there are, each twice as large as the one before: more than memory holds.
const ROOMS: usize = 32;

/// Values by their keys, which are added by a shared reference and never moved.
#[derive(Clone)]
pub(crate) struct Lent<K, V> {
    rooms: [OnceCell<Box<[OnceCell<V>]>>; ROOMS],
    /// Where the value of a key stands, counted from 0; nowhere where it has none.
    places: RefCell<HashMap<K, Option<usize>>>,
    count: Cell<usize>,
}

impl<K, V> Default for Lent<K, V> {
    fn default() -> Self {
        let rooms = std::array::from_fn(|_| OnceCell::new());
        Self { rooms, places: RefCell::default(), count: Cell::default() }
    }
}

impl<K: Copy + Eq + Hash, V> Lent<K, V> {
    /// The value of a key, which `find` looks up the first time.
    pub(crate) fn lend(&self, key: K, find: impl FnOnce() -> Option<V>) -> Option<&V> {
        let known = self.places.borrow().get(&key).copied();
        let place = known.unwrap_or_else(|| {
            let place = find().map(|value| self.keep(value));
            self.places.borrow_mut().insert(key, place);
            place
        });
        self.at(place?)
    }

    fn keep(&self, value: V) -> usize {
        let place = self.count.get();
        self.count.set(place + 1);
        let (room, within) = split(place);
        let empty = || (0..1_usize << room).map(|_| OnceCell::new()).collect();
        let kept = self.rooms[room].get_or_init(empty)[within].set(value);
        assert!(kept.is_ok(), "every place is taken once");
        place
    }

    fn at(&self, place: usize) -> Option<&V> {
        let (room, within) = split(place);
        self.rooms[room].get()?.get(within)?.get()
    }
}

impl<K, V> fmt::Debug for Lent<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").field("count", &self.count.get()).finish_non_exhaustive()
    }
}

/// The room of a place, and where in that.
const fn split(place: usize) -> (usize, usize) {
    let room = (place + 1).ilog2();
    (room as usize, place + 1 - (1 << room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_looked_up_once_and_stays_where_it_is_lent() {
        let lent = Lent::default();
        let value = |key: u32| Some(format!("value {key}"));
        let first: Vec<&String> =
            (0..500).map(|key| lent.lend(key, || value(key)).expect("it has one")).collect();
        assert_eq!(lent.lend(500, || None), None);
        for (key, first) in (0..).zip(first) {
            let again = lent.lend(key, || unreachable!("it is known")).expect("it is known");
            assert!(std::ptr::eq(first, again) && Some(again) == value(key).as_ref());
        }
        assert_eq!(lent.lend(500, || unreachable!("it is known to be none")), None);
    }
}
