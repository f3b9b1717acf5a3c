"""Mirrors machine/hold: what a block takes, watches for and gives back."""

from expression import I64, all_of, fits, held, ite, least
from mirror.money import less_or_nothing, spendable


def blocked(from_held, from_available):
    """`Amounts::blocked`."""
    return held(from_held + from_available, I64)


def place(requested, own_part, available):
    """`place`: the cause's own held part first, then what is available."""
    from_held = least(requested, own_part)
    return from_held, least(less_or_nothing(requested, from_held), spendable(available))


def shortfall(requested, from_held, from_available, released, settled):
    """`Amounts::shortfall`."""
    had = held(blocked(from_held, from_available) + held(released + settled, I64), I64)
    return less_or_nothing(requested, had)


def top_up(short, available):
    """`Command::TopUp`: what is taken of new money; nothing where it is zero."""
    return least(short, spendable(available))


def release(from_held, from_available, wanted, matures):
    """`release`: what goes back to held and to available; a `wanted` of zero lets go of all."""
    all_ = blocked(from_held, from_available)
    amount = least(ite(0 < wanted, wanted, all_), all_)
    of_held = less_or_nothing(amount, least(amount, from_available))
    back = ite(matures, of_held, 0)
    return back, less_or_nothing(amount, back)
