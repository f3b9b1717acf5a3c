"""Theorems of the searches by halving: each step keeps what the end needs."""

from expression import all_of, div, eq, implies, ite, least, most, negate
from mirror import search
from mirror.money import MOST
from theorem import theorem


def smallest_strict(low, high, passes):
    middle = low + div(high - low, 2)
    return ite(passes(middle), low, middle), ite(passes(middle), middle - 1, high)


@theorem(
    "search-finds-the-smallest",
    "Halving ends at the smallest amount of a range that passes, after 63 steps at most.",
    ranges="ranges within 1 to 2^63 - 1, whatever passes from some amount on",
    source="INV-43, rulings 17", wrong=(search, "smallest_step", smallest_strict))
def search_finds_the_smallest(t):
    least_, most_ = t.number("least", 1, MOST), t.number("most", 1, MOST)
    low, high = t.number("low", 1, MOST), t.number("high", 1, MOST)
    from_ = t.number("from", 1, MOST)
    goal = most(least_, from_)
    t.given(all_of(least_ <= low, low < high, high <= most_, low <= goal, goal <= high))
    low_, high_ = search.smallest_step(low, high, lambda cents: from_ <= cents)
    t.claim("the range holds it", all_of(low_ <= goal, goal <= high_))
    t.claim("the range shrinks", all_of(low <= low_, high_ <= high))
    t.claim("by half", 2 * (high_ - low_) <= high - low)
    t.claim("one is left and it is it", implies(eq(low_, high_), eq(low_, goal)))


@theorem(
    "search-finds-the-largest",
    "Halving ends at the largest amount that passes, or at nothing, after 63 steps at most.",
    ranges="amounts to 2^63 - 1, whatever passes up to some amount",
    source="INV-19, rulings 17",
    wrong=(search, "largest_step", lambda low, high, passes: smallest_strict(
        low, high, lambda cents: negate(passes(cents)))))
def search_finds_the_largest(t):
    low, high = t.number("low", 0, MOST), t.number("high", 0, MOST)
    most_, up_to = t.number("most", 1, MOST), t.number("up_to", 0, MOST)
    goal = least(most_, up_to)
    t.given(all_of(low < high, high <= most_, low <= goal, goal <= high))
    low_, high_ = search.largest_step(low, high, lambda cents: cents <= up_to)
    t.claim("the range holds it", all_of(low_ <= goal, goal <= high_))
    t.claim("the range shrinks", all_of(low <= low_, high_ <= high))
    t.claim("by half", 2 * (high_ - low_) <= high - low)
    t.claim("one is left and it is it", implies(eq(low_, high_), eq(low_, goal)))


@theorem(
    "search-finds-the-least-units",
    "The search for a withdrawal's least ends at the smallest number that passes, after 100 steps.",
    ranges="units to 10^30, whatever passes from some number on", source="WDR-10",
    wrong=(search, "midpoint_step", lambda below, passing, passes: (
        ite(passes(div(below + passing, 2)), below, passing),
        ite(passes(div(below + passing, 2)), div(below + passing, 2), passing))))
def search_finds_the_least_units(t):
    below, passing = t.number("below", 0, 10**30), t.number("passing", 1, 10**30)
    from_ = t.number("from", 1, 10**30)
    t.given(all_of(below + 1 < passing, below < from_, from_ <= passing))
    below_, passing_ = search.midpoint_step(below, passing, lambda number: from_ <= number)
    t.claim("the range holds it", all_of(below_ < from_, from_ <= passing_))
    t.claim("by half", 2 * (passing_ - below_) <= passing - below + 1)
    t.claim("one is left and it is it", implies(eq(below_ + 1, passing_), eq(passing_, from_)))


