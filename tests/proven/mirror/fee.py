"""Mirrors ledger-core/src/terms/fee.rs and service.rs: fees by who earns them."""

from expression import I64, I128, Maybe, div, eq, held, ite
from mirror.money import amount, bps_of, bps_plus, minus, plus
from mirror.search import largest, smallest


def rate_on(bps, fixed, cents):
    """`Rate::on`."""
    return plus(bps_of(bps, cents), fixed)


def rate_net(bps, fixed, cents):
    """`Rate::net`."""
    return rate_on(bps, fixed, cents).then(lambda fee: minus(cents, fee))


def rate_leaves(bps, fixed, net, cents):
    """`Rate::leaves`."""
    return rate_net(bps, fixed, cents).holds(lambda left: net <= left)


def smallest_leaving(bps, fixed, net, least, most):
    """`Rate::smallest_leaving`."""
    return smallest(lambda cents: rate_leaves(bps, fixed, net, cents), least, most)


def payout_fees(cents, house, partner):
    """`PayoutFees::on`: house and partner; the tariff stands beside them unchanged."""
    total = bps_plus(house, partner).then(lambda bps: bps_of(bps, cents))
    part = bps_of(partner, cents)
    return total.then(lambda total: minus(total, part)).then(lambda house: (house, part))


def payout_total(house, partner, tariff):
    """`PayoutFees::total`."""
    return plus(house, partner).then(lambda service: plus(service, tariff))


def service_fees(house, fixed, partner, cents):
    """`ServiceRates::on`: the house's part with the fixed one, and the partner's."""
    total = bps_plus(house, partner).then(lambda bps: bps_of(bps, cents))
    part = bps_of(partner, cents)
    rest = total.then(lambda total: minus(total, part))
    return rest.then(lambda rest: plus(rest, fixed)).then(lambda house: (house, part))


def service_total(fees):
    """`ServiceFees::total`."""
    return plus(*fees)


def service_net(house, fixed, partner, cents):
    """`ServiceRates::net`."""
    fees = service_fees(house, fixed, partner, cents)
    return fees.then(service_total).then(lambda total: minus(cents, total)).then(amount)


def partner_of(fees, part):
    """`ServiceFees::partner_of`: the partner's part of so much of the total."""
    house, partner = fees
    total = held(house + partner, I128)
    divisor = ite(eq(total, 0), 1, total)
    share = div(held(partner * part, I128), divisor)
    return ite(eq(total, 0), 0, held(ite(eq(total, 0), 0, share), I64))


def passes(rates, least_net, sells, cents):
    """`ServiceRates::passes`; `sells` is `Offer::sells`."""
    return service_net(*rates, cents).holds(
        lambda net: Maybe(least_net <= net, net).holds(sells))


def smallest_purchase(rates, least_net, sells, least, most, counted=None):
    """`ServiceRates::smallest`; `counted` is `Offer::is_counted`, where some units are not."""
    if counted is not None:
        def countable(cents):
            net = service_net(*rates, cents)
            return not net.some or counted(net.value)
        most = largest(countable, most).value
    return smallest(lambda cents: passes(rates, least_net, sells, cents), least, most)
