//! Sums by day of Brasília, of every day that anything counts on (rulings 14, 44 and 75).

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
/// What counts on a day is never forgotten: an order may be revived long after its day, by a late
/// report of a deposit that came in time (rulings 75). A day takes 48 bytes, and one on which
/// nothing counts and nothing is open is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Returns what counts on the day of `then`.
    #[must_use]
    pub fn sum_on_day(&self, of: K, then: Instant) -> Cents {
        let day = self.days.get(&(then.next_day_in_brasilia(), of));
        day.map_or(Cents::ZERO, |day| day.sum)
    }

    /// Every day that is not over, or of which something is open or may be revived: whose it is,
    /// when it ends, what counts on it.
    pub fn all(&self, now: Instant) -> impl Iterator<Item = (K, Instant, Day)> + '_ {
        let open = self.days.iter().filter(move |((ends, _), day)| !day.is_closed(*ends, now));
        open.map(|((ends, of), day)| (*of, *ends, *day))
    }

    /// Changes the day of `then`.
    pub(in crate::ledger) fn change(
        &mut self,
        of: K,
        then: Instant,
        now: Instant,
        change: impl FnOnce(&mut Day),
    ) {
        let ends = then.next_day_in_brasilia();
        if let Some(day) = self.days.get_mut(&(ends, of)) {
            return change(day);
        }
        self.drop_empty(ends, now);
        let mut day = Day::default();
        change(&mut day);
        self.days.insert((ends, of), day);
    }

    /// Drops the days on which nothing counts any more, as the first of a new day is counted.
    fn drop_empty(&mut self, ends: Instant, now: Instant) {
        if self.days.get_max().is_some_and(|((latest, _), _)| *latest < ends) {
            let empty = |day: &Day, ends| day.sum.is_zero() && day.is_closed(ends, now);
            let days = self.days.iter().filter(|((ends, _), day)| empty(day, *ends));
            let days: Vec<_> = days.map(|(key, _)| *key).collect();
            for key in days {
                self.days.remove(&key);
            }
        }
    }

    pub(in crate::ledger) fn entries(&self) -> impl Iterator<Item = (K, Instant, Day)> + '_ {
        self.days.iter().map(|((ends, of), day)| (*of, *ends, *day))
    }

    pub(in crate::ledger) fn from_entries(
        days: impl IntoIterator<Item = (K, Instant, Day)>,
    ) -> Self {
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
    fn day_with_one_operation() -> Days<u8> {
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
    fn a_day_counts_for_ever() {
        let mut days = day_with_one_operation();
        let noon = at("2026-10-20T12:00:00Z");
        let year = at("2027-10-20T12:00:00Z");
        days.change(1, noon, noon, |day| day.open -= 1);
        days.change(2, year, year, |day| day.open += 1);
        assert_eq!(days.sum_on_day(1, noon), as_cents(100));
        days.change(1, noon, year, |day| day.add(Amount::new(20).expect("positive")));
        assert_eq!(days.sum_on_day(1, noon), as_cents(120));
    }

    #[test]
    fn a_day_is_listed_while_something_of_it_may_be_revived() {
        let mut days = day_with_one_operation();
        let noon = at("2026-10-20T12:00:00Z");
        days.change(1, noon, noon, |day| day.open -= 1);
        assert_eq!(days.all(at("2026-10-28T12:00:00Z")).count(), 1);
        assert_eq!(days.all(at("2026-10-28T12:00:00.000001Z")).count(), 0);
    }

    #[test]
    fn a_day_on_which_nothing_counts_is_dropped() {
        let mut days = day_with_one_operation();
        let noon = at("2026-10-20T12:00:00Z");
        days.change(2, noon, noon, |_| {});
        days.change(3, noon, noon, |day| day.open += 1);
        let later = at("2026-11-20T12:00:00Z");
        days.change(4, later, later, |_| {});
        assert_eq!(days.entries().map(|(of, ..)| of).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(days.sum_on_day(2, noon), as_cents(0));
    }
}
