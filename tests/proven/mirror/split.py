"""Mirrors ledger-core/src/split.rs: an amount divided, by the largest remainder.

A portion is exact centavos, basis points and shares, of which two are zero.
"""

from expression import I64, I128, div, held, ite, most, rem
from mirror.money import WHOLE


def due(sum_, all_, weight):
    """One part before the centavos that are left over: rounded down, and what it lost."""
    exact = held(sum_ * weight, I128)
    return div(exact, all_), rem(exact, all_)


def left_over(sum_, all_, weights, floors):
    """How many centavos the parts lack of what all weights together are due."""
    weighed = held(sum(weights), I128)
    over = div(held(sum_ * weighed, I128), all_)
    for floor in floors:
        over = held(over - floor, I128)
    return over


def before(lost, place, other):
    """Tells whether `other` is served before `place`: it lost more, or as much and is earlier."""
    if other < place:
        return lost[place] <= lost[other]
    return lost[place] < lost[other]


def rank(lost, place):
    """How many are served before: what sorting by remainder and place comes to."""
    others = (other for other in range(len(lost)) if other != place)
    return sum(ite(before(lost, place, other), 1, 0) for other in others)


def apportion(sum_, all_, weights):
    """`apportion`: what it adds to each part."""
    dues = [due(sum_, all_, weight) for weight in weights]
    over = left_over(sum_, all_, weights, [floor for floor, _ in dues])
    lost = [remainder for _, remainder in dues]
    return [floor + ite(rank(lost, place) < most(over, 0), 1, 0)
            for place, (floor, _) in enumerate(dues)]


def split(whole, portions):
    """`Amount::split` over integers: the parts, or which error and its number."""
    exact, rates, shares = zip(*portions) if portions else ((), (), ())
    parts = [a + b for a, b in zip(exact, apportion(whole, WHOLE, rates))]
    left = whole - sum(parts)
    if sum(exact) * WHOLE + whole * sum(rates) > whole * WHOLE:
        return "exceeded", 0
    if sum(shares) > 0:
        parts = [a + b for a, b in zip(parts, apportion(left, sum(shares), shares))]
    elif left > 0:
        return "unassigned", left
    for place, part in enumerate(parts):
        if part <= 0:
            return "nothing", place
    return "parts", parts
