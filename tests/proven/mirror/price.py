"""Mirrors ledger-core/src/coin.rs and terms/price.rs: crypto in units, and what reais buy of it.

A price is its mantissa and ten to the power of its decimals; a scale is the units of one whole.
"""

from expression import (
    I64, NONE, U128, Maybe, all_of, any_of, div, eq, fits, held, ite, negate, obliged, quotient,
    rem, symbolic,
)
from mirror.money import amount

MOST_UNITS = 10**36
HALF, WIDE = 2**64, 2**128


def units(number):
    """`Units::new`."""
    return Maybe(all_of(0 < number, number <= MOST_UNITS), number)


def units_minus(a, less):
    """`Units::minus`; no fee is none."""
    return Maybe(less < a, a - less)


def wide_product(a, b):
    """`wide_product`: high and low half of 256 bits."""
    a1, a0, b1, b0 = div(a, HALF), rem(a, HALF), div(b, HALF), rem(b, HALF)
    low, cross = held(a0 * b0, U128), held(a1 * b0, U128)
    other, high = held(a0 * b1, U128), held(a1 * b1, U128)
    middle = held(div(low, HALF) + rem(cross, HALF) + rem(other, HALF), U128)
    high = held(high + div(cross, HALF) + div(other, HALF) + div(middle, HALF), U128)
    return high, rem(middle * HALF, WIDE) + rem(low, HALF)


def quotient_step(rest, quotient, d, bit):
    """One step of `wide_quotient`: the next bit of the dividend."""
    carried = WIDE <= rest * 2
    rest = rem(rest * 2, WIDE) + bit
    taken = any_of(carried, d <= rest)
    # `wrapping_sub`: what a carry stands for is one more of 2^128.
    less = ite(d <= rest, rest - d, rest - d + WIDE)
    quotient = rem(quotient * 2, WIDE)
    return ite(taken, less, rest), ite(taken, quotient + 1, quotient)


def wide_quotient(high, low, d):
    """`wide_quotient`, over integers."""
    if d <= high:
        return NONE
    rest, quotient = high, 0
    for place in reversed(range(128)):
        rest, quotient = quotient_step(rest, quotient, d, low >> place & 1)
    return Maybe(True, quotient)


def mul_div(a, b, d):
    """`mul_div`: over terms by its contract, which theorems/price.py proves of both its ways."""
    if symbolic(a, b, d):
        obliged(all_of(0 <= a, 0 <= b, 0 <= d))
        down = div_or_nothing(a * b, d)
        return Maybe(all_of(negate(eq(d, 0)), fits(down, U128)), down)
    if fits(a * b, U128):
        return NONE if d == 0 else Maybe(True, a * b // d)
    return wide_quotient(*wide_product(a, b), d)


def div_or_nothing(product, d):
    """The quotient where there is one."""
    return quotient(product, ite(eq(d, 0), 1, d))


def mul_div_up(a, b, d):
    """`mul_div_up`: one more, unless the quotient times the divisor is the product."""
    def up(down):
        if symbolic(a, b, d, down):
            exact = eq(down * d, a * b)
        else:
            exact = wide_product(down, d) == wide_product(a, b)
        next_ = ite(exact, down, down + 1)
        return Maybe(fits(next_, U128), next_)
    return mul_div(a, b, d).then(up)


def wholes(price, cents):
    """`Price::wholes`: dividend and divisor."""
    mantissa, tens = price
    dividend, divisor = cents * tens, mantissa * 100
    return Maybe(all_of(fits(dividend, U128), fits(divisor, U128)), (dividend, divisor))


def units_of(price, one, cents):
    """`Price::units`: what so many centavos buy."""
    return wholes(price, cents).then(lambda it: mul_div(it[0], one, it[1])).then(units)


def units_for(price, one, cents):
    """`Price::units_for`: what must be sold to have so many centavos."""
    return wholes(price, cents).then(lambda it: mul_div_up(it[0], one, it[1])).then(units)


def cents_of(price, one, number):
    """`Price::cents`: what so many units are worth."""
    mantissa, tens = price
    hundredfold, divisor = mantissa * 100, one * tens
    sound = Maybe(all_of(fits(hundredfold, U128), fits(divisor, U128)), number)
    worth = sound.then(lambda number: mul_div(number, hundredfold, divisor))
    return worth.then(lambda cents: Maybe(fits(cents, I64), cents)).then(amount)


def sells(offer, cents):
    """`Offer::sells`: the network's least, and more than it takes."""
    price, one, least, fee = offer
    return units_of(price, one, cents).holds(
        lambda number: all_of(least <= number, units_minus(number, fee).some))
