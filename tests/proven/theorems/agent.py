"""Theorems of rewards: fractions add up."""

from expression import all_of, eq, quotient
from mirror import agent
from mirror.money import MOST
from theorem import theorem

VOLUME = 2**120


@theorem(
    "rewards-add-up",
    "Rewards so far and the next are a thousandth of all volume, rounded down; none is negative.",
    ranges="volumes to 2^120 centavos, operations to 2^63 - 1", source="INV-24, AGT-21",
    wrong=(agent, "accrued", lambda before, cents: agent.on_volume(cents)))
def rewards_add_up(t):
    before, cents = t.number("before", 0, VOLUME), t.number("cents", 1, MOST)
    reward = agent.accrued(before, cents)
    t.claim("sum", eq(quotient(before, 1000) + reward, quotient(before + cents, 1000)))
    t.claim("within a centavo of its own", all_of(
        0 <= reward, quotient(cents, 1000) <= reward, reward <= quotient(cents, 1000) + 1))
