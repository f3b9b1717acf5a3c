"""Mirrors ledger-core/src/money.rs: amounts, cents, balances and basis points."""

from expression import I64, I128, U16, Maybe, all_of, div, fits, held, ite, some_if

WHOLE = 10_000
MOST = I64[1]


def amount(cents):
    """`Amount::new`."""
    return some_if(0 < cents, cents)


def plus(a, b):
    """`Amount::plus`, `Cents::plus` and `Balance::plus`: `None` on overflow."""
    return Maybe(fits(a + b, I64), a + b)


def minus(a, less):
    """`Amount::minus` and `Cents::minus`: `None` where `less` is more."""
    return Maybe(less <= a, a - less)


def less_or_nothing(a, less):
    """`Cents::less_or_nothing`."""
    return ite(less <= a, a - less, 0)


def spendable(balance):
    """`Balance::spendable`."""
    return ite(0 < balance, balance, 0)


def bps_plus(a, b):
    """`Bps::plus`: `None` above the whole."""
    return Maybe(all_of(fits(a + b, U16), a + b <= WHOLE), a + b)


def bps_of(bps, cents):
    """`Bps::fraction_of`: the percentage of an amount, rounded down."""
    product = held(cents * bps, I128)
    return held(div(product, WHOLE), I64)
