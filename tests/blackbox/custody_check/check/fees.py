"""The costs of operations: the house's percentages and the partner's on top (contract 1 and 2.4).

A percentage rounds down on the total, and so does the partner's part (rulings 17).
"""
from ..client.accounts import TERMS

HOUSE = {"payout": 150, "conversion": 330, "purchase": 330, "sale": 200}
PARTNER = {"payout": "partner_saque_fee_bps", "conversion": "partner_saque_fee_bps",
           "purchase": "partner_fee_bps", "sale": "partner_cashout_fee_bps"}
SALE_FIXED, RESERVE, RATE_CENTS = 200, 100, 540


def partner_bps(terms: str, kind: str) -> int:
    """Returns the partner's percentage."""
    return int(str(TERMS[terms].get(PARTNER[kind], 0)))


def commission(terms: str, kind: str, cents: int) -> int:
    """Returns the partner's part of a fee."""
    return cents * partner_bps(terms, kind) // 10_000


def bps(terms: str, kind: str) -> int:
    """Returns house and partner together; a transfer costs nothing."""
    return HOUSE[kind] + partner_bps(terms, kind) if kind in HOUSE else 0


def fee(terms: str, kind: str, cents: int) -> int:
    """Returns the percentage of an amount, house and partner together."""
    return cents * bps(terms, kind) // 10_000


def order_cost(terms: str, cents: int) -> int:
    """Returns the millionths of USDT that pay so many centavos, with fee and reserve."""
    whole = cents + fee(terms, "sale", cents) + SALE_FIXED + RESERVE
    return -(-whole * 1_000_000 // RATE_CENTS)


def net_of(terms: str, units: int) -> int:
    """Returns the most centavos that so many millionths pay, fee and reserve taken (FEE-41)."""
    gross = units * RATE_CENTS // 1_000_000
    cents = max(0, gross - SALE_FIXED - RESERVE) * 10_000 // (10_000 + bps(terms, "sale"))
    while cents + 1 + fee(terms, "sale", cents + 1) + SALE_FIXED + RESERVE <= gross:
        cents += 1
    return cents
