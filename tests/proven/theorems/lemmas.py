"""Theorems at work in others: each stands for the amounts at hand as it is proven for all."""

from expression import all_of, implies, quotient
from mirror.money import MOST, WHOLE
from mirror.price import MOST_UNITS


def percentage(bps, amount):
    """A percentage as claims speak of it."""
    return quotient(amount * bps, WHOLE)


def grow_together(t, bps, *amounts, of_units=False):
    """A percentage grows with its amount, and by no more than the amount does."""
    name = "a-percentage-of-units-never-falls" if of_units else "percentage-never-falls"
    most = MOST_UNITS if of_units else MOST
    for a, b in ((a, b) for a in amounts for b in amounts if a is not b):
        within = all_of(0 <= a, a <= b, b <= most, 0 <= bps, bps <= WHOLE)
        more = percentage(bps, b) - percentage(bps, a)
        t.known(name, implies(within, all_of(0 <= more, more <= b - a)))
