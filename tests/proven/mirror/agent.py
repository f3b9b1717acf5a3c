"""Mirrors machine/agent/reward.rs and ledger/agent/reward.rs: a thousandth of settled volume."""

from expression import I64, I128, div, fits, held, Maybe
from mirror.money import WHOLE, amount

REWARD_BPS = 10


def on_volume(centavos):
    """`on_volume`."""
    return div(held(centavos * REWARD_BPS, I128), WHOLE)


def accrued(before, cents):
    """`accrue`: what one operation adds; none where it adds nothing."""
    return on_volume(held(before + cents, I128)) - on_volume(before)
