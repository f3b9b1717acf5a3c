"""Mirrors the searches by halving: `smallest` and `largest` of terms/fee.rs, and the one of
ledger/wallet/withdrawal.rs.

Over integers they run. Over terms a search returns a number of which only its contract is known;
theorems/search.py proves that contract for each step and for the end of the loop.
"""

from expression import (
    I64, NONE, Maybe, all_of, any_of, current, div, eq, fits, held, implies, ite, negate, obliged,
    symbolic, where,
)


def smallest_step(low, high, passes):
    """One step of `smallest`."""
    middle = held(low + div(held(high - low, I64), 2), I64)
    passing = passes(middle)
    return ite(passing, low, middle + 1), ite(passing, middle, high)


def largest_step(low, high, passes):
    """One step of `largest`."""
    middle = held(high - div(held(high - low, I64), 2), I64)
    passing = passes(middle)
    return ite(passing, middle, low), ite(passing, high, middle - 1)


def midpoint_step(below, passing, passes):
    """One step of `least`: `u128::midpoint`, which cannot overflow."""
    middle = div(below + passing, 2)
    enough = passes(middle)
    return ite(enough, below, middle), ite(enough, middle, passing)


def smallest(passes, least, most):
    """`smallest`: the smallest amount in a range that passes, and all above it."""
    able = all_of(least <= most, passes(most))
    if able is False:
        return NONE
    if not symbolic(able):
        low, high = least, most
        while low < high:
            low, high = smallest_step(low, high, passes)
        return Maybe(True, low)
    found = current().fresh("smallest")
    suppose_bound(able, found, least, passes, found - 1)
    with where(able):
        current().suppose(implies(able, all_of(least <= found, found <= most, passes(found))))
    return Maybe(able, found)


def suppose_bound(able, found, end, passes, next_):
    """Supposes that what is found is the end of its range, or that the next does not pass."""
    with where(all_of(able, negate(eq(found, end)))):
        current().suppose(implies(able, any_of(eq(found, end), negate(passes(next_)))))


def largest(passes, most):
    """`largest`: the largest amount up to `most` that passes, and all below it."""
    if not symbolic(most, passes(most)):
        low, high = 0, most
        while low < high:
            low, high = largest_step(low, high, passes)
        return Maybe(0 < low, low)
    found = current().fresh("largest")
    obliged(fits(most, I64))
    current().suppose(all_of(0 <= found, found <= most))
    suppose_bound(True, found, most, passes, found + 1)
    with where(0 < found):
        current().suppose(any_of(eq(found, 0), passes(found)))
    return Maybe(0 < found, found)


def least(passes, passing):
    """`least` of withdrawals: above nothing, up to what passes."""
    if not symbolic(passes(passing)):
        if not passes(passing):
            return NONE
        below = 0
        while below + 1 < passing:
            below, passing = midpoint_step(below, passing, passes)
        return Maybe(True, passing)
    able, found = passes(passing), current().fresh("least")
    suppose_bound(able, found, 1, passes, found - 1)
    with where(able):
        current().suppose(implies(able, all_of(1 <= found, found <= passing, passes(found))))
    return Maybe(able, found)
