"""Theorems of the wallet: reserves, what is given back, and what arrives."""

from expression import I128, all_of, any_of, eq, implies, negate, quotient, same, where
from mirror import price, wallet
from mirror.price import MOST_UNITS, mul_div_up, units
from mirror.wallet import PASSING
from theorem import theorem
from theorems.lemmas import grow_together, percentage

COUNTED = MOST_UNITS * 100 // 101  # What with a hundredth more can still be counted.


@theorem(
    "a-reserve-is-up-to-a-hundredth-more",
    "A reserve covers the total, is available, and is no more than a hundredth above it.",
    ranges="totals to 10^36 / 1.01, available amounts of 128 bits",
    source="WAL-45, P:ReserveBuffer",
    wrong=(wallet, "mul_div", mul_div_up))
def a_reserve_is_up_to_a_hundredth_more(t):
    total, available = t.number("total", 1, COUNTED), t.number("available", *I128)
    strict = t.truth("strict")
    kept = wallet.reserve(total, available, strict)
    t.claim("covers", kept.lacks_or(lambda number: all_of(total <= number, number <= available)))
    t.claim("a hundredth", kept.lacks_or(lambda number: number * 100 <= total * 101))
    whole = quotient(total * 101, 100)
    t.claim("there", same(kept.some, any_of(
        whole <= available, all_of(negate(strict), total <= available))))


@theorem(
    "a-reserve-is-used-or-given-back",
    "Order, network fee and what is given back are the reserve, where it covers both.",
    ranges="units to 10^36", source="WAL-42, rulings 35",
    wrong=(wallet, "left", lambda reserved, order, fee: price.units_minus(
        reserved, order).or_else(0)))
def a_reserve_is_used_or_given_back(t):
    reserved, order = t.number("reserved", 1, MOST_UNITS), t.number("order", 1, MOST_UNITS)
    fee = t.number("fee", 0, MOST_UNITS)
    t.given(order + fee <= reserved)
    t.claim("sum", eq(wallet.left(reserved, order, fee) + order + fee, reserved))


@theorem(
    "a-withdrawal-is-estimate-and-fees",
    "Estimate, conversion fee and network fee are the amount; a larger one never arrives as less.",
    ranges="units to 10^36, 0 to 10,000 bps", source="P:FeeModeDeducted",
    wrong=(wallet, "conversion_fee", lambda bps, number: mul_div_up(
        number, bps, 10_000).or_else(0)))
def a_withdrawal_is_estimate_and_fees(t):
    a, b = t.number("a", 1, MOST_UNITS), t.number("b", 1, MOST_UNITS)
    bps, fee = t.number("bps", 0, 10_000), t.number("fee", 0, MOST_UNITS)
    t.given(a <= b)
    less, more = wallet.estimated(bps, fee, a), wallet.estimated(bps, fee, b)
    conversion = quotient(a * bps, 10_000)
    t.claim("sum", less.lacks_or(lambda rest: eq(rest + conversion + fee, a)))
    t.claim("there", same(less.some, 0 < a - conversion - fee))
    t.claim("products", all_of(a * bps <= b * bps, (b - a) * bps <= (b - a) * 10_000))
    t.claim("monotone", implies(less.some, all_of(more.some, less.value <= more.value)))


@theorem(
    "at-least-the-tolerance-arrives",
    "The least that must arrive is the floor of the estimate less the tolerance, and never falls.",
    ranges="units to 10^36, 0 to 10,000 bps", source="P:FeeModeDeducted, WDR-11",
    wrong=(wallet, "least_received", lambda tolerance, estimate: mul_div_up(
        estimate, 10_000 - tolerance, 10_000).then(units)))
def at_least_the_tolerance_arrives(t):
    estimate, tolerance = t.number("estimate", 1, MOST_UNITS), t.number("tolerance", 0, 10_000)
    smaller = t.number("smaller", -2 * MOST_UNITS, MOST_UNITS)
    received = wallet.least_received(tolerance, estimate)
    exact = estimate * (10_000 - tolerance)
    t.claim("floor", received.lacks_or(lambda number: all_of(
        number * 10_000 <= exact, exact < (number + 1) * 10_000)))
    t.claim("no more than the estimate", received.lacks_or(lambda number: number <= estimate))
    t.claim("monotone", implies(
        smaller <= estimate, smaller * (10_000 - tolerance) <= exact))
    t.claim("missing below a unit", same(received.some, 10_000 <= exact))


@theorem(
    "the-least-withdrawal-arrives",
    "Of the least withdrawal something arrives, and of a unit less nothing does.",
    ranges="network fees to 10^30, 0 to 10,000 bps", source="LIM-03, rulings 17",
    wrong=(wallet, "least", lambda passes, passing: price.units(passing),
           {"bps": 0, "fee": 0, "tolerance": 0}))
def the_least_withdrawal_arrives(t):
    bps, tolerance = t.number("bps", 0, 10_000), t.number("tolerance", 0, 10_000)
    fee, other = t.number("fee", 0, PASSING), t.number("other", 1, PASSING)
    found = wallet.least_withdrawal(bps, fee, tolerance)
    less = found.then(lambda number: number - 1)

    grow_together(t, bps, less.value, other, PASSING, of_units=True)

    def after_fees(number):
        return number - wallet.conversion_fee(bps, number) - fee

    def arrives(number):
        rest = after_fees(number)
        return all_of(0 < rest, 10_000 <= rest * (10_000 - tolerance))

    with where(found.some):
        for number in (found.value, less.value, other, PASSING):
            t.claim("the fee", implies(found.some, eq(
                wallet.conversion_fee(bps, number), percentage(bps, number))))
        t.claim("it arrives", implies(found.some, arrives(found.value)))
        t.claim("a unit less does not", implies(
            all_of(found.some, 1 < found.value), negate(arrives(less.value))))
        below = all_of(found.some, other < found.value)
        t.claim("less is left", implies(below, after_fees(other) <= after_fees(less.value)))
        t.claim("within range", implies(below, all_of(
            -2 * MOST_UNITS <= after_fees(other), after_fees(less.value) <= MOST_UNITS)))
        t.known("at-least-the-tolerance-arrives", implies(below, (
            after_fees(other) * (10_000 - tolerance)
            <= after_fees(less.value) * (10_000 - tolerance))))
        t.claim("no other below", implies(below, negate(arrives(other))))
