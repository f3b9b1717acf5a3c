"""Draws of each function: the numbers of a call, and what the mirror answers."""

from mirror import agent, charge, fee, hold, limits, money, price, sale, split, wallet
from mirror.money import MOST, WHOLE
from mirror.price import MOST_UNITS

CALLS = {}


def call(name, weight=10):
    """Adds a function; slow ones are drawn more seldom."""
    def add(draw):
        CALLS[name] = (weight, draw)
        return draw
    return add


def whole(chance, low, high):
    """A number of any size in a range, often near one of its ends or a power of ten."""
    kind = chance.randrange(8)
    if kind == 0:
        number = low + chance.randrange(4)
    elif kind == 1:
        number = high - chance.randrange(4)
    elif kind == 2:
        number = 10 ** chance.randrange(len(str(high))) + chance.randrange(-1, 2)
    else:
        number = chance.getrandbits(chance.randrange(1, high.bit_length() + 2))
    return min(max(number, low), high)


def cents(chance, high=MOST):
    return whole(chance, 0, high)


def amount(chance, high=MOST):
    return whole(chance, 1, high)


def usual(chance):
    """An amount as requests have them, more often than not."""
    return amount(chance, 10**chance.randrange(3, 10)) if chance.random() < 0.7 else amount(chance)


def bps(chance, high=WHOLE):
    return whole(chance, 0, high)


def pair(chance):
    """House and partner, mostly within the whole."""
    house = bps(chance, 5_000)
    return house, bps(chance, WHOLE - house if chance.random() < 0.9 else WHOLE)


def fixed(chance):
    return cents(chance, 1_000) if chance.random() < 0.8 else cents(chance)


def quoted(chance):
    """A price as text, and as mantissa and tens; a scale, and the units of one whole."""
    decimals, digits = chance.randrange(13), chance.randrange(1, 28)
    mantissa = whole(chance, 1, min(10**digits, 2**96 - 1))
    padded = str(mantissa).rjust(decimals + 1, "0")
    written = f"{padded[:-decimals]}.{padded[-decimals:]}" if decimals else padded
    if len(written) > 29:
        return quoted(chance)
    scale = chance.choice((2, 6, 6, 8, chance.randrange(19)))
    return written, (mantissa, 10**decimals), scale, 10**scale


def given(maybe):
    """The answer of a `Maybe`."""
    if not maybe.some:
        return None
    return maybe.value if isinstance(maybe.value, tuple) else (maybe.value,)


@call("of")
def of(chance):
    rate, on = bps(chance), amount(chance)
    return (rate, on), (money.bps_of(rate, on),)


@call("rate")
def rate(chance):
    terms, on = (bps(chance), fixed(chance)), usual(chance)
    owed, net = fee.rate_on(*terms, on), fee.rate_net(*terms, on)
    return (*terms, on), (owed.value, net.value) if owed.some and net.some else None


@call("charge", 1)
def smallest_charge(chance):
    terms, net = (bps(chance), fixed(chance)), cents(chance, 10**chance.randrange(1, 19))
    least, most = usual(chance), amount(chance)
    return (*terms, net, least, most), given(fee.smallest_leaving(*terms, net, least, most))


@call("payout")
def payout(chance):
    (house, partner), on, tariff = pair(chance), usual(chance), fixed(chance)
    fees = fee.payout_fees(on, house, partner)
    total = fees.then(lambda fees: fee.payout_total(*fees, tariff))
    answer = (*fees.value, total.value) if total.some else None
    return (on, house, partner, tariff), answer


@call("service")
def service(chance):
    (house, partner), flat, on = pair(chance), fixed(chance), usual(chance)
    fees = fee.service_fees(house, flat, partner, on)
    net = fee.service_net(house, flat, partner, on).or_else(0)
    return (house, flat, partner, on), (*fees.value, net) if fees.some else None


@call("partner")
def partner(chance):
    fees = (cents(chance, MOST // 2), cents(chance, MOST // 2))
    part = cents(chance, sum(fees))
    return (*fees, part), (fee.partner_of(fees, part),)


@call("purchase", 1)
def purchase(chance):
    (house, partner_), flat, net = pair(chance), fixed(chance), cents(chance, 1_000)
    written, value, scale, one = quoted(chance)
    least, network = whole(chance, 1, 100 * one), cents(chance, one)
    low, high = usual(chance), amount(chance)
    found = fee.smallest_purchase(
        (house, flat, partner_), net,
        lambda net: price.sells((value, one, least, network), net), low, high,
        lambda net: price.units_for(value, one, net).some)
    numbers = (house, flat, partner_, net, written, scale, least, network, low, high)
    return numbers, given(found)


@call("mul_div")
def mul_div(chance):
    numbers = [whole(chance, 0, 2**128 - 1) for _ in range(3)]
    return numbers, signed(given(price.mul_div(*numbers)))


@call("mul_div_up")
def mul_div_up(chance):
    numbers = [whole(chance, 0, 2**128 - 1) for _ in range(3)]
    return numbers, signed(given(price.mul_div_up(*numbers)))


def signed(answer):
    """128 bits as the program writes them."""
    return answer and tuple(it - 2**128 if it >= 2**127 else it for it in answer)


@call("units")
def units(chance):
    (written, value, scale, one), on = quoted(chance), usual(chance)
    return (written, on, scale), given(price.units_of(value, one, on))


@call("units_for")
def units_for(chance):
    (written, value, scale, one), on = quoted(chance), usual(chance)
    return (written, on, scale), given(price.units_for(value, one, on))


@call("cents")
def cents_of(chance):
    (written, value, scale, one), number = quoted(chance), whole(chance, 1, MOST_UNITS)
    return (written, number, scale), given(price.cents_of(value, one, number))


@call("sells")
def sells(chance):
    (written, value, scale, one), on = quoted(chance), usual(chance)
    least, network = whole(chance, 1, MOST_UNITS), whole(chance, 0, MOST_UNITS)
    takes = price.sells((value, one, least, network), on)
    return (written, scale, least, network, on), (takes,)


def sale_rates(chance):
    """Rates as the mirror has them, and as the program reads them."""
    (house, partner_), flat, kept = pair(chance), fixed(chance), fixed(chance)
    return (house, flat, partner_, kept), (house, flat, partner_, kept)


@call("cost", 3)
def cost(chance):
    terms, numbers = sale_rates(chance)
    on, gross = usual(chance), chance.random() < 0.2
    found = sale.cost_on_gross(terms, on) if gross else sale.cost_on_net(terms, on)
    return (int(gross), *numbers, on), given(found)


@call("largest", 2)
def largest(chance):
    terms, numbers = sale_rates(chance)
    gross, on_gross = usual(chance), chance.random() < 0.5
    deal = (sale.largest_on_gross if on_gross else sale.largest_on_net)(terms, gross)
    answer = None
    if deal.some:
        net, residue = deal.value
        answer = (net, *sale.fees(terms, gross if on_gross else net).value, residue)
    return (int(on_gross), *numbers, gross), answer


@call("bound", 2)
def bound(chance):
    terms, numbers = sale_rates(chance)
    net, most, gross = cents(chance, 10**9), usual(chance), chance.random() < 0.5
    found = sale.bound_on_gross(terms, net, most) if gross else sale.bound_on_net(net, most)
    return (int(gross), *numbers, net, most), (found,)


@call("exactly")
def exactly(chance):
    terms, numbers = sale_rates(chance)
    net, gross, on_gross = usual(chance), usual(chance), chance.random() < 0.5
    rest = sale.residue(terms, gross if on_gross else net, net, gross)
    return (int(on_gross), *numbers, net, gross), given(rest)


@call("exceeds")
def exceeds(chance):
    terms, numbers = sale_rates(chance)
    (written, value, scale, one), most = quoted(chance), usual(chance)
    near = price.units_for(value, one, most).or_else(1)
    number = min(max(near + chance.randrange(-2, 3), 1), MOST_UNITS)
    gross = price.cents_of(value, one, number)
    above = gross.then(lambda gross: sale.largest_on_gross(terms, gross).then(
        lambda _: sale.exceeds_on_gross(value, one, number, gross, most)))
    return (1, *numbers, written, scale, number, most), given(above)


@call("credit", 5)
def credit(chance):
    terms, paid = (bps(chance), fixed(chance)), usual(chance)
    gross = amount(chance, paid)
    return (*terms, paid, gross), (charge.credit_fee(*terms, paid, gross),)


@call("returned", 5)
def returned(chance):
    gross = usual(chance)
    owed, before = cents(chance, gross), cents(chance, gross - 1)
    more = amount(chance, gross - before)
    share = charge.fee_share_of_return(gross - owed, gross, before, more)
    return (owed, gross, before, more), (share,)


def agreed(chance):
    """House, partner and net of a purchase."""
    net, house, partner_ = (amount(chance, MOST // 3) for _ in range(3))
    return (house, partner_), net


@call("reversed", 5)
def reversed_fees(chance):
    fees, net = agreed(chance)
    gross = net + sum(fees)
    paid = gross + cents(chance, MOST - gross)
    before = paid - gross + cents(chance, gross - 1)
    more = amount(chance, paid - before)
    parts = charge.reversed_fees(fees, net, gross, paid, before, more)
    return (*fees, net, paid, before, more), parts


@call("rest", 5)
def rest(chance):
    fees, net = agreed(chance)
    (written, value, scale, one), paid = quoted(chance), net + sum(fees)
    before, network = cents(chance, paid - 1), whole(chance, 0, 10 * one)
    usdt = whole(chance, 1, MOST_UNITS)
    if chance.random() < 0.5:
        usdt = price.units_of(value, one, net).or_else(usdt)
    left = charge.rest(fees, paid, before, value, one, network, (usdt, net))
    return (*fees, net, before, written, scale, network, usdt), given(left)


@call("mandate")
def mandate(chance):
    one, day = ((chance.random() < 0.7, usual(chance) - 1) for _ in range(2))
    used, on, platform = usual(chance) - 1, usual(chance), usual(chance)
    why, left = limits.admits(one, day, used, on)
    numbers = (int(one[0]), one[1], int(day[0]), day[1], used, on, platform)
    return numbers, (why, left, limits.ceiling(one, platform))


@call("ladder")
def ladder(chance):
    is_first = chance.random() < 0.5
    first_qr, band, held, on = (usual(chance) for _ in range(4))
    pending, paid = usual(chance) - 1, usual(chance) - 1
    elsewhere = cents(chance, pending)
    counted = 0 if is_first else paid
    of_stage = min(first_qr, band) if is_first else band
    used, at_once, bound_, left = limits.allowance(
        first_qr, of_stage, held, is_first, pending, counted, elsewhere)
    numbers = (int(is_first), first_qr, band, held, pending, paid, elsewhere, on)
    return numbers, (used, at_once, bound_, left, limits.admitted(at_once, bound_, on))


@call("reward")
def reward(chance):
    before, more = whole(chance, 0, 2**120), amount(chance)
    return (before, more), (agent.on_volume(before), agent.accrued(before, more))


@call("reserve")
def reserve(chance):
    total, strict = whole(chance, 1, MOST_UNITS), chance.random() < 0.5
    near = total * chance.choice((100, 101)) // 100 + chance.randrange(-2, 3)
    available = near if chance.random() < 0.7 else whole(chance, 0, 2**127 - 1) - 2**126
    kept = wallet.reserve(total, available, strict)
    return (total, available, int(strict)), given(kept)


@call("received")
def received(chance):
    tolerance, estimate = bps(chance), whole(chance, 1, MOST_UNITS)
    return (tolerance, estimate), given(wallet.least_received(tolerance, estimate))


def holding(chance):
    """What was requested, and parts of it."""
    requested = usual(chance)
    parts, room = [], requested
    for _ in range(4):
        parts.append(cents(chance, room))
        room -= parts[-1]
    return requested, parts


def balance(chance):
    return usual(chance) * chance.choice((-1, 1, 1))


@call("place", 5)
def place(chance):
    requested, available, own = usual(chance), balance(chance), usual(chance) - 1
    taken = hold.place(requested, own, available)
    return (requested, 0, 0, 0, 0, available, 1, own), taken


@call("top_up", 5)
def top_up(chance):
    (requested, parts), available = holding(chance), balance(chance)
    taken = hold.top_up(hold.shortfall(requested, *parts), available)
    return (requested, *parts, available, 1, 0), (taken,) if taken else None


@call("release", 5)
def release(chance):
    requested, parts = holding(chance)
    wanted = chance.choice((0, amount(chance, requested))) if sum(parts[:2]) else 0
    matures = chance.random() < 0.5
    # More than is blocked is not let go.
    back = hold.release(*parts[:2], wanted, matures) if wanted <= sum(parts[:2]) else None
    return (requested, *parts, 0, int(matures), 0, wanted), back


@call("split", 3)
def split_(chance):
    on = usual(chance)
    count = chance.choice((1, 2, 3, 3, 4, 6, 12))
    portions, kinds = [], chance.choice(((1, 2), (2,), (1,), (0, 1, 2), (0, 2)))
    for _ in range(count):
        kind = chance.choice(kinds)
        number = (amount(chance, max(1, on // count)), bps(chance, min(WHOLE, WHOLE // count + 1)),
                  whole(chance, 0, 2**16 - 1))[kind]
        portions.append((kind, number))
    found, answer = split.split(on, [
        tuple(number if place == kind else 0 for place in range(3)) for kind, number in portions])
    codes = {"exceeded": -1, "unassigned": -2, "nothing": -3}
    answer = (codes[found], answer) if found in codes else answer
    return (on, *(number for portion in portions for number in portion)), answer
