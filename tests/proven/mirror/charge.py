"""Mirrors machine/charge: the fee of a deposit, and who bears what goes back of either kind."""

from expression import I128, all_of, div, eq, fits, held, ite, least, Maybe, I64
from mirror.fee import partner_of, rate_on, service_total
from mirror.money import less_or_nothing, minus, plus, spendable, amount
from mirror.price import mul_div, units, units_minus, units_of


def credit_fee(bps, fixed, paid, gross):
    """`credit` of decide.rs: the fee on what was paid, and never more than what is left of it."""
    return least(rate_on(bps, fixed, paid).or_else(gross), gross)


def fee_share_of_return(net, gross, returned, cents):
    """`Paid::fee_share_of_return`: what passes the net credited, counting all returns together."""
    after = plus(returned, cents).or_else(gross)
    return less_or_nothing(less_or_nothing(after, net), less_or_nothing(returned, net))


def beyond_net(net, gross, paid, returned, cents):
    """What of all returns passes the net, before this one and after it."""
    since = less_or_nothing(returned, less_or_nothing(paid, gross))
    before = less_or_nothing(since, net)
    return before, less_or_nothing(plus(since, cents).or_else(gross), net)


def reversed_fees(fees, net, gross, paid, returned, cents):
    """`Bought::fees_reversed`: the house's part and the partner's."""
    before, after = beyond_net(net, gross, paid, returned, cents)
    partner = less_or_nothing(partner_of(fees, after), partner_of(fees, before))
    whole = less_or_nothing(after, before)
    return less_or_nothing(whole, partner), partner


def fees_of_rest(fees, paid, returned):
    """`Bought::what_is_left`: gross, fees and cost of what did not go back."""
    gross = amount(spendable(less_or_nothing(paid, returned)))

    def parts(gross):
        def of(total):
            part = div(held(total * gross, I128), paid)
            partner = partner_of(fees, part)
            house = minus(part, partner)
            cost = minus(gross, part).then(amount)
            sound = Maybe(fits(part, I64), None)
            both = sound.then(lambda _: house).then(lambda house: cost.then(
                lambda cost: (gross, house, partner, cost)))
            return both
        return service_total(fees).then(of)
    return gross.then(parts)


def rest(fees, paid, returned, price, one, network_fee, usdt):
    """All of `Bought::what_is_left`: with the units, and the worth in USDT (zero for none), which is
    priced anew where the purchase is of USDT, and else in proportion."""
    worth_before, before = usdt
    is_usdt = all_of(eq(one, 10**6), eq(units_of(price, one, before).or_else(1), worth_before))

    def with_units(it):
        gross, house, partner, cost = it
        number = units_of(price, one, cost)
        worth = mul_div(worth_before, cost, before).then(units).or_else(0)
        return number.then(lambda number: Maybe(
            units_minus(number, network_fee).some,
            (gross, house, partner, cost, number, ite(is_usdt, number, worth))))
    return fees_of_rest(fees, paid, returned).then(with_units)
