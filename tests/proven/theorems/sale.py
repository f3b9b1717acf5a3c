"""Theorems of sales: net, fees, reserve and residue are the gross, from either end."""

from expression import all_of, any_of, eq, implies, negate, same
from mirror import price, sale
from mirror.fee import service_fees
from mirror.money import MOST, WHOLE, plus
from mirror.search import largest
from mirror.price import MOST_UNITS, units
from mirror.sale import LARGEST_GROSS
from theorem import theorem
from theorems.lemmas import grow_together, percentage
from theorems.price import market

RANGES = "amounts, fixed parts and reserves to 2^63 - 1, 0 to 10,000 bps each"


def rates(t):
    """House, fixed part, partner and reserve."""
    house, partner = t.number("house", 0, WHOLE), t.number("partner", 0, WHOLE)
    fixed, reserve = t.number("fixed", 0, MOST), t.number("reserve", 0, MOST)
    return house, fixed, partner, reserve


def owed(terms, base):
    """What is taken in all: percentages, fixed part and reserve."""
    return percentage(terms[0] + terms[2], base) + terms[1] + terms[3]


def percentage_on_all(terms, cents):
    return service_fees(*terms[:3], cents + terms[3])


def cost_without_reserve(terms, net):
    total = sale.fees(terms, net).then(sale.service_total)
    return total.then(lambda total: plus(net, total))


@theorem(
    "a-net-costs-itself-and-fees",
    "The cost of a net is net, fees and reserve, and grows by one or two centavos with a centavo.",
    ranges=RANGES, source="FEE-41, INV-22", wrong=(sale, "fees", percentage_on_all, {
        "net": 10, "house": 5_000, "partner": 0, "fixed": 0, "reserve": 2}))
def a_net_costs_itself_and_fees(t):
    net, terms = t.number("net", 1, MOST - 1), rates(t)
    cost, next_ = sale.cost_on_net(terms, net), sale.cost_on_net(terms, net + 1)
    t.claim("sum", cost.lacks_or(lambda cost: eq(cost, net + owed(terms, net))))
    grow_together(t, terms[0] + terms[2], net, net + 1)
    t.claim("step", implies(all_of(cost.some, next_.some), all_of(
        cost.value + 1 <= next_.value, next_.value <= cost.value + 2)))
    t.claim("below what can be counted", implies(next_.some, cost.some))


@theorem(
    "a-sale-pays-the-largest-net",
    "A gross pays the largest net that it covers; the residue is nothing or one centavo.",
    ranges=RANGES, source="INV-19, FEE-41, P:DepositVariance",
    wrong=(sale, "largest", lambda passes, most: largest(passes, most).then(lambda net: net - 1),
           {"gross": 10, "house": 0, "partner": 0, "fixed": 0, "reserve": 0, "other": 10}))
def a_sale_pays_the_largest_net(t):
    gross, terms, other = t.number("gross", 1, MOST), rates(t), t.number("other", 1, MOST)
    deal = sale.largest_on_net(terms, gross)
    net, residue = deal.value[0], deal.value[1]
    grow_together(t, terms[0] + terms[2], net, net + 1, other)
    t.claim("sum", implies(deal.some, eq(net + owed(terms, net) + residue, gross)))
    t.claim("residue", implies(deal.some, all_of(0 <= residue, residue <= 1)))
    fits = sale.cost_on_net(terms, other).holds(lambda cost: cost <= gross)
    t.claim("largest", implies(all_of(deal.some, fits), other <= net))
    t.claim("missing where none fits", implies(fits, deal.some))


@theorem(
    "a-net-comes-back-from-its-cost",
    "The gross that a net costs pays that very net, and leaves no residue.",
    ranges=RANGES, source="INV-19, rulings 17", wrong=(
        sale, "cost_on_net", cost_without_reserve,
        {"house": 0, "partner": 0, "fixed": 0, "reserve": 1, "wanted": 5}))
def a_net_comes_back_from_its_cost(t):
    wanted, terms = t.number("wanted", 1, MOST), rates(t)
    gross = wanted + owed(terms, wanted)
    t.given(all_of(gross <= MOST, terms[0] + terms[2] <= WHOLE))
    deal = sale.largest_on_net(terms, gross)
    net, residue = deal.value[0], deal.value[1]
    grow_together(t, terms[0] + terms[2], wanted, net, net + 1)
    t.claim("a deal", deal.some)
    t.claim("the same net", all_of(eq(net, wanted), eq(residue, 0)))


@theorem(
    "a-liquid-sale-has-no-residue",
    "On the gross, net, fees and reserve are the gross; a net is there where they leave one.",
    ranges=RANGES, source="rulings 47, INV-19", wrong=(sale, "fees", percentage_on_all, {
        "gross": 10, "house": 5_000, "partner": 0, "fixed": 0, "reserve": 2}))
def a_liquid_sale_has_no_residue(t):
    gross, terms = t.number("gross", 1, MOST), rates(t)
    deal = sale.largest_on_gross(terms, gross)
    net, residue = deal.value[0], deal.value[1]
    taken = owed(terms, gross)
    t.claim("sum", implies(deal.some, all_of(eq(net + taken, gross), eq(residue, 0))))
    whole = terms[0] + terms[2] <= WHOLE
    t.claim("there", same(deal.some, all_of(whole, taken < gross)))


@theorem(
    "a-liquid-net-asks-the-smallest-gross",
    "The gross for a net is the smallest that leaves it, and leaves exactly it.",
    ranges="nets to 2^61, fixed parts and reserves to 2^63 - 1, 0 to 10,000 bps each",
    source="rulings 17 and 47", wrong=(sale, "leaves", lambda terms, net, gross: sale.left(
        terms, gross).holds(lambda rest: net < rest),
        {"house": 0, "partner": 0, "fixed": 0, "reserve": 0, "net": 1, "other": 1}))
def a_liquid_net_asks_the_smallest_gross(t):
    net, terms = t.number("net", 1, LARGEST_GROSS), rates(t)
    other = t.number("other", 1, LARGEST_GROSS)
    gross = sale.cost_on_gross(terms, net)
    bps = terms[0] + terms[2]
    grow_together(t, bps, gross.value, gross.value - 1, other, LARGEST_GROSS)
    t.claim("exactly", implies(gross.some, eq(gross.value - owed(terms, gross.value), net)))
    enough = all_of(bps <= WHOLE, net <= other - owed(terms, other))
    t.claim("smallest", implies(all_of(gross.some, enough), gross.value <= other))
    t.claim("missing where none leaves it", implies(enough, gross.some))


@theorem(
    "a-liquid-bound-fits-the-room",
    "The most that may be sold pays no more than the room, and a centavo more would.",
    ranges=RANGES, source="COUT-30, LIM-20",
    wrong=(sale, "fits_bound", lambda terms, net, gross: sale.left(terms, gross).lacks_or(
        lambda rest: rest < net),
        {"house": 0, "partner": 0, "fixed": 0, "reserve": 0, "net": 1, "most": 5}))
def a_liquid_bound_fits_the_room(t):
    net, most, terms = t.number("net", 1, MOST), t.number("most", 1, MOST), rates(t)
    bound = sale.bound_on_gross(terms, net, most)
    bps = terms[0] + terms[2]
    grow_together(t, bps, bound, bound + 1)

    def pays(gross):
        return all_of(bps <= WHOLE, net < gross - owed(terms, gross))

    t.claim("in range", all_of(0 <= bound, bound <= most))
    t.claim("it fits", negate(all_of(0 < bound, pays(bound))))
    t.claim("one more does not", any_of(eq(bound, most), pays(bound + 1)))


@theorem(
    "a-quoted-sale-pays-its-net",
    "The units asked for a net bring its cost; the surplus is residue, below a unit's worth.",
    ranges=RANGES + ", any price", source="INV-19, P:CryptoRounding",
    wrong=(sale, "units_for", price.units_of, {
        "house": 0, "partner": 0, "tens": 1, "mantissa": 3, "one": 1_000}))
def a_quoted_sale_pays_its_net(t):
    net, terms, (price_, one) = t.number("net", 1, MOST), rates(t), market(t)
    value, of = price_[0] * 100, one * price_[1]
    cost = sale.cost_on_net(terms, net)
    asked = cost.then(lambda cost: sale.units_for(price_, one, cost))
    gross = asked.then(lambda number: sale.cents_of(price_, one, number))
    t.known("sold-units-are-the-least-that-pay", implies(gross.some, cost.value <= gross.value))
    t.known("a-sold-surplus-is-below-a-unit", implies(
        gross.some, (gross.value - cost.value) * of < value))
    deal = sale.quoted(terms, price_, one, net)
    t.claim("there", same(deal.some, gross.some))
    residue = deal.value[1]
    t.claim("residue", implies(deal.some, eq(residue, gross.value - cost.value)))
    t.claim("sum", implies(deal.some, eq(net + owed(terms, net) + residue, gross.value)))
    t.claim("below a unit", implies(deal.some, all_of(
        0 <= residue, (gross.value - cost.value) * of < value)))


@theorem(
    "liquid-bounds-hold-to-the-last-place",
    "A sale exceeds its most exactly where its units are worth more, to the last place.",
    ranges="bounds to 2^63 - 1, units to 10^36 of 2 to 18 decimals, at par", source="rulings 76",
    wrong=(sale, "units_for", lambda price_, one, cents: price.units_for(price_, one, cents).then(
        lambda number: units(number + 1)), {"hundredth": 10**6}))
def liquid_bounds_hold_to_the_last_place(t):
    most, number = t.number("most", 1, MOST), t.number("number", 1, MOST_UNITS)
    hundredth = t.number("hundredth", 1, 10**16)  # The units of a centavo.
    par, one = (1, 1), hundredth * 100
    gross = price.cents_of(par, one, number)
    above = gross.then(lambda gross: sale.exceeds_on_gross(par, one, number, gross, most))
    t.claim("exactly", above.lacks_or(lambda above: same(above, most * hundredth < number)))


@theorem(
    "a-bound-on-the-net-is-the-lower", "Where the net is bounded, room and most bound it alike.",
    ranges="centavos to 2^63 - 1", source="COUT-30, COUT-80",
    wrong=(sale, "lower", lambda a, b: b))
def a_bound_on_the_net_is_the_lower(t):
    room, most = t.number("room", 0, MOST), t.number("most", 1, MOST)
    bound = sale.bound_on_net(room, most)
    t.claim("lower", all_of(bound <= room, bound <= most, any_of(eq(bound, room), eq(bound, most))))
