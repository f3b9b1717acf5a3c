"""Theorems of amounts and percentages."""

from expression import I64, Maybe, all_of, div, eq, fits, implies, ite, least, same
from mirror import money
from mirror.money import MOST, WHOLE
from theorem import theorem


@theorem(
    "percentage-is-the-floor", "A percentage is rounded down, and is no more than the amount.",
    ranges="amounts to 2^63 - 1, 0 to 10,000 bps", source="FEE-36, rulings 17",
    wrong=(money, "bps_of", lambda bps, cents: div(cents * bps + WHOLE - 1, WHOLE),
           {"cents": 1, "bps": 1}))
def percentage_is_the_floor(t):
    cents, bps = t.number("cents", 1, MOST), t.number("bps", 0, WHOLE)
    fee = money.bps_of(bps, cents)
    t.claim("floor", all_of(fee * WHOLE <= cents * bps, cents * bps < (fee + 1) * WHOLE))
    t.claim("between nothing and all", all_of(0 <= fee, fee <= cents))


@theorem(
    "percentage-never-falls",
    "A percentage grows with its amount, and by no more than the amount does.",
    ranges="amounts to 2^63 - 1, 0 to 10,000 bps", source="INV-22",
    wrong=(money, "bps_of", lambda bps, cents: div(cents, WHOLE) * bps,
           {"a": 9_999, "b": 10_000, "bps": 10_000}))
def percentage_never_falls(t):
    a, b, bps = t.number("a", 0, MOST), t.number("b", 0, MOST), t.number("bps", 0, WHOLE)
    t.given(a <= b)
    t.claim("products", all_of(a * bps <= b * bps, (b - a) * bps <= (b - a) * WHOLE))
    more = money.bps_of(bps, b) - money.bps_of(bps, a)
    t.claim("growth", all_of(0 <= more, more <= b - a))


@theorem(
    "rates-stay-in-the-whole", "Two rates add up where their sum is 10,000 bps at most.",
    ranges="0 to 10,000 bps each", source="FEE-26",
    wrong=(money, "bps_plus", lambda a, b: Maybe(a + b < WHOLE, a + b)))
def rates_stay_in_the_whole(t):
    a, b = t.number("a", 0, WHOLE), t.number("b", 0, WHOLE)
    sum_ = money.bps_plus(a, b)
    t.claim("sum", all_of(same(sum_.some, a + b <= WHOLE), eq(sum_.value, a + b)))


@theorem(
    "cents-neither-wrap-nor-vanish",
    "Sums are `None` exactly on overflow, differences exactly below zero, and both are exact.",
    ranges="centavos to 2^63 - 1", source="LED-08",
    wrong=(money, "less_or_nothing", lambda a, less: ite(less <= a, less - a, 0)))
def cents_neither_wrap_nor_vanish(t):
    a, b = t.number("a", 0, MOST), t.number("b", 0, MOST)
    t.claim("plus", same(money.plus(a, b).some, a + b <= MOST))
    rest = money.minus(a, b)
    t.claim("minus", all_of(same(rest.some, b <= a), implies(rest.some, fits(rest.value, I64))))
    t.claim("less or nothing", eq(money.less_or_nothing(a, b) + least(a, b), a))
