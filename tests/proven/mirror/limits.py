"""Mirrors what bounds an operation: terms/mandate.rs, terms/ladder.rs, ledger/sale/recipient.rs."""

from expression import I64, all_of, any_of, div, ite, least, most, negate
from mirror.money import less_or_nothing, plus, spendable

PASSES, OPERATION, DAY = 0, 1, 2


def admits(per_operation, daily, used, cents):
    """`Mandate::admits` for whoever may receive: which ceiling is in the way, and what it leaves.

    Each ceiling is a pair: whether it is set, and its centavos.
    """
    left = less_or_nothing(daily[1], used)
    above_one = all_of(per_operation[0], per_operation[1] < cents)
    above_day = all_of(daily[0], left < cents)
    why = ite(above_one, OPERATION, ite(above_day, DAY, PASSES))
    return why, ite(above_one, per_operation[1], ite(above_day, left, 0))


def ceiling(per_operation, platform):
    """`Mandate::ceiling`."""
    return ite(per_operation[0], least(per_operation[1], platform), platform)


def counted(all_, elsewhere, bound):
    """What a bound of the ladder counts: of what others issued at most half of it."""
    half = spendable(div(bound, 2))
    return less_or_nothing(all_, less_or_nothing(elsewhere, half))


def allowance(first_qr, band, held, is_first, pending, paid, elsewhere):
    """`Ladder::allowance_beside` in a stage: used, at once, most and held."""
    all_ = plus(pending, paid).or_else(I64[1])
    used = counted(all_, elsewhere, held)
    left = less_or_nothing(held, used)
    at_once = less_or_nothing(band, counted(all_, elsewhere, band))
    return used, at_once, ite(is_first, least(left, first_qr), left), left


def admitted(at_once, bound, cents):
    """`Allowance::admits`: 0 where it does not pass, 1 at once, 2 held."""
    return ite(all_of(cents <= at_once, cents <= bound), 1, ite(cents <= bound, 2, 0))


def room(ceiling_, used, own, reserved):
    """`State::room_of` for one recipient."""
    others = less_or_nothing(used, own)
    return most(less_or_nothing(ceiling_, others), reserved)
