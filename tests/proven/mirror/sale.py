"""Mirrors ledger-core/src/terms/sale.rs: what a sale costs, from either end.

Rates are the house's basis points, its fixed part, the partner's basis points and the reserve.
"""

from expression import I64, any_of
from expression import least as lower
from mirror.fee import service_fees, service_total
from mirror.money import amount, minus, plus
from mirror.price import cents_of, units_for
from mirror.search import largest, smallest

LARGEST_GROSS = I64[1] // 4


def fees(rates, cents):
    """`SaleRates::fees`."""
    return service_fees(*rates[:3], cents)


def left(rates, gross):
    """`SaleRates::left`: what a gross leaves of itself where the fee is on it."""
    taken = fees(rates, gross).then(service_total)
    after = taken.then(lambda total: minus(gross, total))
    return after.then(lambda rest: minus(rest, rates[3])).then(amount)


def cost_on_net(rates, net):
    """`SaleRates::cost` where the fee is on the net."""
    total = fees(rates, net).then(service_total)
    return total.then(lambda total: plus(net, total)).then(lambda sum_: plus(sum_, rates[3]))


def leaves(rates, net, gross):
    """Tells whether a gross leaves so much."""
    return left(rates, gross).holds(lambda rest: net <= rest)


def cost_on_gross(rates, net):
    """`SaleRates::cost` where the fee is on the gross."""
    return smallest(lambda gross: leaves(rates, net, gross), net, LARGEST_GROSS)


def residue(rates, base, net, gross):
    """`SaleRates::exactly`: the residue of the deal; its other parts are the arguments."""
    taken = fees(rates, base).then(service_total)
    rest = minus(gross, net)
    after = rest.then(lambda rest: taken.then(lambda total: minus(rest, total)))
    return after.then(lambda rest: minus(rest, rates[3]))


def largest_on_net(rates, gross):
    """`SaleRates::largest` where the fee is on the net: net and residue."""
    net = largest(lambda net: cost_on_net(rates, net).holds(lambda cost: cost <= gross), gross)
    return net.then(lambda net: residue(rates, net, net, gross).then(lambda rest: (net, rest)))


def largest_on_gross(rates, gross):
    """`SaleRates::largest` where the fee is on the gross: net and residue."""
    net = left(rates, gross)
    return net.then(lambda net: residue(rates, gross, net, gross).then(lambda rest: (net, rest)))


def fits_bound(rates, net, gross):
    """What `SaleRates::bound_of` searches by: a gross that leaves no more."""
    return left(rates, gross).lacks_or(lambda rest: rest <= net)


def bound_on_gross(rates, net, most):
    """`SaleRates::bound_of` where the fee is on the gross; zero where not a centavo fits."""
    whole = amount(net).then(lambda _: largest(lambda g: fits_bound(rates, net, g), most))
    return whole.or_else(0)


def bound_on_net(net, most):
    """`SaleRates::bound_of` where the fee is on the net."""
    return lower(net, most)


def exceeds_on_gross(price, one, number, gross, most):
    """`SaleRates::exceeds` where the fee is on the gross."""
    return units_for(price, one, most).then(lambda bound: any_of(most < gross, bound < number))


def quoted(rates, price, one, net):
    """`priced` of ledger/sale/request.rs for a net: the units asked for, and the residue."""
    cost = cost_on_net(rates, net)
    asked = cost.then(lambda cost: units_for(price, one, cost))

    def deal(number):
        gross = cents_of(price, one, number)
        rest = gross.then(lambda gross: residue(rates, net, net, gross))
        return rest.then(lambda rest: (number, rest))
    return asked.then(deal)
