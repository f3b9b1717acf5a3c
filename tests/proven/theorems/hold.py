"""Theorems of holds: requested is blocked, released, settled and short."""

from expression import all_of, eq, implies, ite, least, most
from mirror import hold
from mirror.money import MOST, less_or_nothing
from theorem import theorem


def amounts(t):
    """What was requested, and the amounts that sum to no more."""
    requested = t.number("requested", 1, MOST)
    names = ("from_held", "from_available", "released", "settled")
    parts = [t.number(name, 0, MOST) for name in names]
    t.given(sum(parts) <= requested)
    return requested, parts


@theorem(
    "a-block-takes-what-is-there",
    "Blocked and short are the requested; its own held part goes first, and available stays whole.",
    ranges="centavos to 2^63 - 1, balances of any sign", source="rulings 26",
    wrong=(hold, "spendable", lambda balance: balance))
def a_block_takes_what_is_there(t):
    requested, own = t.number("requested", 1, MOST), t.number("own", 0, MOST)
    available = t.number("available", -MOST - 1, MOST)
    from_held, from_available = hold.place(requested, own, available)
    short = hold.shortfall(requested, from_held, from_available, 0, 0)
    t.claim("sum", eq(from_held + from_available + short, requested))
    t.claim("held first", eq(from_held, least(requested, own)))
    t.claim("what is there", all_of(0 <= from_available, from_available <= most(available, 0)))
    t.claim("all of it", implies(0 < short, eq(from_available, most(available, 0))))


@theorem(
    "a-hold-always-adds-up",
    "New money is taken up to what is short, and never more; the four amounts stay the requested.",
    ranges="centavos to 2^63 - 1, balances of any sign", source="rulings 26",
    wrong=(hold, "top_up", lambda short, available: hold.spendable(available)))
def a_hold_always_adds_up(t):
    requested, parts = amounts(t)
    available = t.number("available", -MOST - 1, MOST)
    short = hold.shortfall(requested, *parts)
    taken = hold.top_up(short, available)
    from_held, from_available, released, settled = parts
    after = hold.shortfall(requested, from_held, from_available + taken, released, settled)
    t.claim("short", eq(sum(parts) + short, requested))
    t.claim("after", all_of(eq(after, short - taken), 0 <= after))
    t.claim("what is there", all_of(0 <= taken, taken <= most(available, 0)))


@theorem(
    "a-release-gives-back-what-it-took",
    "What is let go is the wanted, or all; to held goes only what came from it and still matures.",
    ranges="centavos to 2^63 - 1", source="rulings 26",
    wrong=(hold, "less_or_nothing", lambda a, less: less_or_nothing(less, a)))
def a_release_gives_back_what_it_took(t):
    _, (from_held, from_available, _, _) = amounts(t)
    wanted, matures = t.number("wanted", 0, MOST), t.truth("matures")
    to_held, to_available = hold.release(from_held, from_available, wanted, matures)
    blocked = from_held + from_available
    t.claim("sum", eq(to_held + to_available, ite(
        0 < wanted, least(wanted, blocked), blocked)))
    t.claim("held", all_of(0 <= to_held, to_held <= ite(matures, from_held, 0)))
    t.claim("available first", implies(0 < to_held, from_available <= to_available))
