"""Mirrors the wallet: machine/wallet/payment, terms/settings.rs and ledger/wallet/withdrawal.rs."""

from expression import I128, Maybe, all_of, held, ite, negate, any_of
from mirror.price import mul_div, units, units_minus
from mirror.search import least

PASSING = 10**30


def reserve(total, available, strict):
    """`reserve`: a hundredth more, or all that is available where it covers the total."""
    def from_available(buffered):
        whole = buffered <= available
        covered = all_of(negate(strict), total <= available)
        number = ite(whole, buffered, available)
        return Maybe(any_of(whole, covered), number)
    return mul_div(total, 101, 100).then(units).then(from_available).then(units)


def left(reserved, order, fee):
    """`Reserve::left`: what is given back; zero where nothing is."""
    rest = units_minus(reserved, order)
    return rest.then(lambda rest: units_minus(rest, fee)).or_else(0)


def conversion_fee(bps, number):
    """`conversion_fee`: rounded down; zero for none."""
    return mul_div(number, bps, 10_000).then(units).or_else(0)


def estimated(bps, network_fee, number):
    """`estimated`: what is left after the fees."""
    after = units_minus(number, conversion_fee(bps, number))
    return after.then(lambda rest: units_minus(rest, network_fee))


def least_received(tolerance, estimate):
    """`WalletSettings::least_received`."""
    return mul_div(estimate, 10_000 - tolerance, 10_000).then(units)


def arrives(bps, network_fee, tolerance, number):
    """Tells whether something must arrive of so much."""
    estimate = units(number).then(lambda number: estimated(bps, network_fee, number))
    return estimate.then(lambda estimate: least_received(tolerance, estimate)).some


def least_withdrawal(bps, network_fee, tolerance):
    """`least`: the smallest withdrawal of which something must arrive."""
    return least(lambda number: arrives(bps, network_fee, tolerance, number), PASSING).then(units)
