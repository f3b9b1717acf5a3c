//! Sums by day of Brasília: of today, and of every day that something still open counts on
//! (rulings 14 and 44).

use std::hash::{Hash, Hasher};

use im::OrdMap;

use crate::money::{Amount, Balance, Cents};
use crate::time::Instant;

/// What counts on one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Day {
    /// Counted that day and not come to nothing since.
    pub sum: Cents,
    /// How many operations of the day are open.
    pub open: u32,
    /// Until when one of them that ended may be revived.
    pub until: Instant,
}

/// The days of many: each is named by whose it is and by the instant that ends it.
///
/// A day that is over, with nothing open and nothing to be revived, is closed for ever: it
/// is forgotten, and nothing more fits in it.
#[derive(Clone, Debug)]
pub struct Days<K: Ord> {
    days: OrdMap<(Instant, K), Day>,
}

impl<K: Ord> Default for Days<K> {
    fn default() -> Self {
        Self { days: OrdMap::new() }
    }
}

impl<K: Ord + Hash> Hash for Days<K> {
    fn hash<H: Hasher>(&self, into: &mut H) {
        into.write_usize(self.days.len());
        self.days.hash(into);
    }
}

impl Day {
    pub(in crate::ledger) fn add(&mut self, amount: Amount) {
        let sum = self.sum.plus(amount.as_cents());
        // A ceiling where a journal no ledger wrote would pass what can be counted.
        self.sum = sum.unwrap_or(Balance::new(i64::MAX).spendable());
    }

    pub(in crate::ledger) fn take(&mut self, amount: Amount) {
        self.sum = self.sum.less_or_nothing(amount.as_cents());
    }

    fn is_closed(&self, ends: Instant, now: Instant) -> bool {
        ends <= now && self.open == 0 && self.until < now
    }
}

impl<K: Copy + Ord> Days<K> {
    /// What counts on the day of `then`, as known at `now`; none where that day is closed.
    #[must_use]
    pub fn used(&self, of: K, then: Instant, now: Instant) -> Option<Cents> {
        let ends = then.next_day_in_brasilia();
        match self.days.get(&(ends, of)) {
            Some(day) if !day.is_closed(ends, now) => Some(day.sum),
            _ if now < ends => Some(Cents::ZERO),
            _ => None,
        }
    }

    /// Every day that is not closed: whose it is, when it ends, what counts on it.
    pub fn all(&self, now: Instant) -> impl Iterator<Item = (K, Instant, Day)> + '_ {
        let open = self.days.iter().filter(move |((ends, _), day)| !day.is_closed(*ends, now));
        open.map(|((ends, of), day)| (*of, *ends, *day))
    }

    /// Changes the day of `then`, unless it is closed.
    pub(in crate::ledger) fn change(
        &mut self,
        of: K,
        then: Instant,
        now: Instant,
        change: impl FnOnce(&mut Day),
    ) {
        let ends = then.next_day_in_brasilia();
        match self.days.get_mut(&(ends, of)) {
            Some(day) if !day.is_closed(ends, now) => change(day),
            Some(_) => {}
            None if now < ends => {
                self.forget(ends, now);
                let mut day = Day::default();
                change(&mut day);
                self.days.insert((ends, of), day);
            }
            None => {}
        }
    }

    /// Forgets the closed days, as the first of a new day is counted.
    fn forget(&mut self, ends: Instant, now: Instant) {
        if self.days.get_max().is_some_and(|((latest, _), _)| *latest < ends) {
            let days = self.days.iter();
            let closed = days.filter(|((ends, _), day)| day.is_closed(*ends, now));
            let closed: Vec<_> = closed.map(|(key, _)| *key).collect();
            for key in closed {
                self.days.remove(&key);
            }
        }
    }

    pub(in crate::ledger) fn saved(&self) -> impl Iterator<Item = (K, Instant, Day)> + '_ {
        self.days.iter().map(|((ends, of), day)| (*of, *ends, *day))
    }

    pub(in crate::ledger) fn restored(days: impl IntoIterator<Item = (K, Instant, Day)>) -> Self {
        Self { days: days.into_iter().map(|(of, ends, day)| ((ends, of), day)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        Instant::parse(text).expect("an instant")
    }

    fn as_cents(cents: i64) -> Cents {
        Cents::new(cents).expect("not negative")
    }

    /// A day with one operation of 100 centavos, which may be revived until the 28th.
    fn counted() -> Days<u8> {
        let mut days = Days::default();
        let noon = at("2026-10-20T12:00:00Z");
        days.change(1, noon, noon, |day| {
            day.add(Amount::new(100).expect("positive"));
            day.open += 1;
            day.until = at("2026-10-28T12:00:00Z");
        });
        days
    }

    #[test]
    fn a_day_counts_while_something_of_it_is_open_however_long() {
        let mut days = counted();
        let noon = at("2026-10-20T12:00:00Z");
        let year = at("2027-10-20T12:00:00Z");
        assert_eq!(days.used(1, noon, year), Some(as_cents(100)));
        days.change(1, noon, year, |day| day.open -= 1);
        assert_eq!(days.used(1, noon, year), None);
        days.change(1, noon, year, |day| day.open += 1);
        assert_eq!(days.used(1, noon, year), None, "what is closed stays closed");
    }

    #[test]
    fn a_day_counts_while_something_of_it_may_be_taken_up_again() {
        let mut days = counted();
        let noon = at("2026-10-20T12:00:00Z");
        days.change(1, noon, noon, |day| day.open -= 1);
        assert_eq!(days.used(1, noon, at("2026-10-28T12:00:00Z")), Some(as_cents(100)));
        assert_eq!(days.used(1, noon, at("2026-10-28T12:00:00.000001Z")), None);
    }

    #[test]
    fn a_day_that_is_not_over_is_never_closed_and_begins_empty() {
        let days = Days::<u8>::default();
        let last = at("2026-10-21T02:59:59.999999Z");
        assert_eq!(days.used(1, at("2026-10-20T12:00:00Z"), last), Some(as_cents(0)));
        assert_eq!(days.used(1, last, at("2026-10-21T03:00:00Z")), None);
    }

    #[test]
    fn what_is_closed_is_forgotten_and_what_is_open_is_not() {
        let mut days = counted();
        let noon = at("2026-10-20T12:00:00Z");
        days.change(2, noon, noon, |day| day.open += 1);
        days.change(1, noon, noon, |day| day.open -= 1);
        let later = at("2026-11-20T12:00:00Z");
        days.change(3, later, later, |_| {});
        assert_eq!(days.saved().map(|(of, ..)| of).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(days.all(later).count(), 2);
    }
}
