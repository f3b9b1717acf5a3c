"""Theorems of prices: what reais buy, what must be sold for them, and what is lost on the way."""

from expression import U128, Maybe, all_of, any_of, div, eq, implies, ite, rem
from mirror import price
from mirror.money import MOST
from mirror.price import HALF, MOST_UNITS, WIDE, mul_div, units
from theorem import theorem

MANTISSA, TENS, ONE = 2**96 - 1, 10**12, 10**18
RANGES = "amounts to 2^63 - 1, mantissas to 2^96 - 1, 12 decimals of price, 18 of the asset"


def market(t):
    """A price, and the units of one whole of its asset."""
    tens = t.number("tens", 1, TENS)
    return (t.number("mantissa", 1, MANTISSA), tens), t.number("one", 1, ONE)


def rounded_down(price_, one, cents):
    return price.wholes(price_, cents).then(lambda it: mul_div(it[0], one, it[1])).then(units)


def rounded_up(price_, one, cents):
    return price.wholes(price_, cents).then(
        lambda it: price.mul_div_up(it[0], one, it[1])).then(units)


def product_without_carry(a, b):
    a1, a0, b1, b0 = div(a, HALF), rem(a, HALF), div(b, HALF), rem(b, HALF)
    middle = div(a0 * b0, HALF) + rem(a1 * b0, HALF) + rem(a0 * b1, HALF)
    high = a1 * b1 + div(a1 * b0, HALF) + div(a0 * b1, HALF)
    return high, rem(middle * HALF, WIDE) + rem(a0 * b0, HALF)


@theorem(
    "wide-product-is-exact", "The 256 bits of a product are the product; no half of it wraps.",
    ranges="two numbers of 128 bits", source="rulings 16, LED-08",
    wrong=(price, "wide_product", product_without_carry, {"a": 2**65 - 1, "b": 2**65 - 1}))
def wide_product_is_exact(t):
    a, b = t.number("a", *U128), t.number("b", *U128)
    high, low = price.wide_product(a, b)
    a1, a0, b1, b0 = div(a, HALF), rem(a, HALF), div(b, HALF), rem(b, HALF)
    for x in (a1, a0):
        for y in (b1, b0):
            t.claim("products of halves", all_of(0 <= x * y, x * y <= (HALF - 1) * (HALF - 1)))
    whole = a1 * b1 * WIDE + (a1 * b0 + a0 * b1) * HALF + a0 * b0
    t.claim("low half", all_of(0 <= low, low < WIDE))
    t.claim("sum of products", eq(high * WIDE + low, whole))
    t.claim("product", eq(a * b, whole))


@theorem(
    "long-division-is-exact",
    "Each bit of the division keeps quotient times divisor plus rest; the rest stays below.",
    ranges="numbers of 256 bits and divisors of 128 above their high half", source="rulings 16",
    wrong=(price, "quotient_step", lambda rest, quotient, d, bit: (
        ite(d < rest * 2 + bit, rest * 2 + bit - d, rest * 2 + bit),
        ite(d < rest * 2 + bit, quotient * 2 + 1, quotient * 2)), {"d": 3}))
def long_division_is_exact(t):
    d, rest = t.number("d", 1, U128[1]), t.number("rest", *U128)
    weight = t.number("weight", 1, WIDE // 2)  # Two to the power of the bits that were taken.
    quotient, bit = t.number("quotient", *U128), t.number("bit", 0, 1)
    t.given(all_of(rest < d, quotient < weight))
    rest_, quotient_ = price.quotient_step(rest, quotient, d, bit)
    t.claim("the rest is below", all_of(0 <= rest_, rest_ < d))
    t.claim("the quotient fits", all_of(0 <= quotient_, quotient_ < 2 * weight))
    t.claim("one bit more", any_of(
        all_of(eq(quotient_, 2 * quotient), eq(rest_, 2 * rest + bit)),
        all_of(eq(quotient_, 2 * quotient + 1), eq(rest_ + d, 2 * rest + bit))))


@theorem(
    "rounding-up-is-the-ceiling", "`mul_div_up` is the least whole number not below the quotient.",
    ranges="three numbers of 128 bits", source="GEN-19",
    wrong=(price, "mul_div_up", lambda a, b, d: mul_div(a, b, d).then(lambda down: down + 1)))
def rounding_up_is_the_ceiling(t):
    a, b, d = t.number("a", *U128), t.number("b", *U128), t.number("d", 1, U128[1])
    up = price.mul_div_up(a, b, d)
    t.claim("ceiling", up.lacks_or(
        lambda up: all_of(a * b <= up * d, (up - 1) * d < a * b)))


@theorem(
    "quotients-never-fall", "A larger product over the same divisor is at least as much.",
    ranges="products to 10^60, divisors of 128 bits", source="INV-43",
    wrong=(price, "div_or_nothing", rem, {"d": 3}))
def quotients_never_fall(t):
    a, b, d = t.number("a", 0, 10**60), t.number("b", 0, 10**60), t.number("d", 1, U128[1])
    t.given(a <= b)
    t.claim("monotone", price.div_or_nothing(a, d) <= price.div_or_nothing(b, d))


@theorem(
    "a-percentage-of-units-never-falls",
    "A percentage of units grows with them, and by no more than they do.",
    ranges="units to 10^36, 0 to 10,000 bps", source="INV-22",
    wrong=(price, "mul_div", lambda a, b, d: Maybe(True, div(a, d) * b),
           {"a": 9_999, "b": 10_000, "bps": 10_000}))
def a_percentage_of_units_never_falls(t):
    a, b = t.number("a", 0, MOST_UNITS), t.number("b", 0, MOST_UNITS)
    bps = t.number("bps", 0, 10_000)
    t.given(a <= b)
    t.claim("products", all_of(a * bps <= b * bps, (b - a) * bps <= (b - a) * 10_000))
    more = price.mul_div(b, bps, 10_000).value - price.mul_div(a, bps, 10_000).value
    t.claim("growth", all_of(0 <= more, more <= b - a))


@theorem(
    "bought-units-are-the-floor",
    "What reais buy is rounded down to a unit; it is missing where it is nothing or uncountable.",
    ranges=RANGES, source="GEN-19", wrong=(price, "units_of", rounded_up, {
        "cents": 1, "tens": 1, "mantissa": 3, "one": 1_000}))
def bought_units_are_the_floor(t):
    cents, (price_, one) = t.number("cents", 1, MOST), market(t)
    dividend, divisor = cents * price_[1] * one, price_[0] * 100
    bought = price.units_of(price_, one, cents)
    t.claim("floor", bought.lacks_or(lambda number: all_of(
        number * divisor <= dividend, dividend < (number + 1) * divisor)))
    t.claim("missing", any_of(
        bought.some, dividend < divisor, (MOST_UNITS + 1) * divisor <= dividend))


@theorem(
    "sold-units-are-the-least-that-pay",
    "What is sold for a sum is worth at least the sum, and a unit less is worth less.",
    ranges=RANGES, source="GEN-19, rulings 17", wrong=(
        price, "units_for", rounded_down, {"cents": 1, "tens": 1, "mantissa": 1, "one": 101}))
def sold_units_are_the_least_that_pay(t):
    cents, (price_, one) = t.number("cents", 1, MOST), market(t)
    sold = price.units_for(price_, one, cents)
    t.claim("ceiling", sold.lacks_or(lambda number: all_of(
        cents * price_[1] * one <= number * (price_[0] * 100),
        (number - 1) * (price_[0] * 100) < cents * price_[1] * one)))
    worth = sold.then(lambda number: price.cents_of(price_, one, number))
    t.claim("enough", worth.lacks_or(lambda worth: cents <= worth))
    less = sold.then(lambda number: Maybe(1 < number, number - 1)).then(
        lambda number: price.cents_of(price_, one, number))
    t.claim("a unit less is too little", less.lacks_or(lambda less: less < cents))


@theorem(
    "what-is-bought-is-worth-no-more",
    "Bought units are worth no more than they cost, and less by no more than a unit and a centavo.",
    ranges=RANGES, source="GEN-19", wrong=(price, "units_of", rounded_up, {
        "cents": 1, "tens": 1, "mantissa": 3, "one": 100}))
def what_is_bought_is_worth_no_more(t):
    cents, (price_, one) = t.number("cents", 1, MOST), market(t)
    value, of = price_[0] * 100, one * price_[1]  # A unit is worth their ratio in centavos.
    bought = price.units_of(price_, one, cents)
    worth = bought.then(lambda number: price.cents_of(price_, one, number))
    t.claim("no more", worth.lacks_or(lambda worth: worth <= cents))
    t.claim("by a unit", worth.lacks_or(lambda worth: (cents - worth - 1) * of < value))
    t.claim("by a centavo", implies(value <= of, worth.lacks_or(lambda worth: cents <= worth + 1)))


@theorem(
    "a-sold-surplus-is-below-a-unit",
    "What is sold for a sum brings more by less than a unit: nothing, where that is a centavo.",
    ranges=RANGES, source="INV-19, P:CryptoRounding", wrong=(
        price, "mul_div_up", lambda a, b, d: mul_div(a, b, d).then(lambda down: down + 1),
        {"mantissa": 200, "tens": 1, "one": 1}))
def a_sold_surplus_is_below_a_unit(t):
    cents, (price_, one) = t.number("cents", 1, MOST), market(t)
    value, of = price_[0] * 100, one * price_[1]
    sold = price.units_for(price_, one, cents)
    worth = sold.then(lambda number: price.cents_of(price_, one, number))
    t.claim("below a unit", worth.lacks_or(lambda worth: (worth - cents) * of < value))
    t.known("sold-units-are-the-least-that-pay", worth.lacks_or(lambda worth: cents <= worth))
    t.claim("a centavo is a unit", worth.lacks_or(lambda worth: implies(
        cents < worth, of <= (worth - cents) * of)))
    t.claim("nothing", implies(value <= of, worth.lacks_or(lambda worth: eq(worth, cents))))


@theorem(
    "more-reais-never-buy-less",
    "An amount that a network takes stays taken when it grows, while its units can be counted.",
    ranges=RANGES, source="INV-43", wrong=(
        price, "units_of", lambda price_, one, cents: units(rem(cents * price_[1] * one, 100)),
        {"mantissa": 1, "tens": 1, "one": 1, "a": 99, "b": 101}))
def more_reais_never_buy_less(t):
    a, b, (price_, one) = t.number("a", 1, MOST), t.number("b", 1, MOST), market(t)
    least, fee = t.number("least", 1, MOST_UNITS), t.number("fee", 0, MOST_UNITS)
    t.given(a <= b)
    t.claim("in tens", a * price_[1] <= b * price_[1])
    t.claim("in units", a * price_[1] * one <= b * price_[1] * one)
    more, less = price.units_of(price_, one, b), price.units_of(price_, one, a)
    t.known("quotients-never-fall", implies(
        all_of(more.some, less.some), less.value <= more.value))
    t.claim("units", implies(all_of(more.some, less.some), less.value <= more.value))
    takes = price.sells((price_, one, least, fee), a)
    t.claim("taken", implies(
        all_of(takes, more.some), price.sells((price_, one, least, fee), b)))
