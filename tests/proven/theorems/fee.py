"""Theorems of fees: parts sum to the whole, and inverses agree with the forward formula."""

from expression import Maybe, all_of, div, eq, implies, negate, quotient, same
from mirror import fee, money
from mirror.money import MOST, WHOLE, plus
from mirror.search import smallest
from theorem import theorem
from theorems.lemmas import grow_together


def rates(t):
    """House, fixed part and partner of a service fee."""
    house, partner = t.number("house", 0, WHOLE), t.number("partner", 0, WHOLE)
    return house, t.number("fixed", 0, MOST), partner


def divided_first(bps, cents):
    return div(cents, WHOLE) * bps


def one_more(passes, least, most):
    return smallest(passes, least, most).then(lambda cents: cents + 1)


@theorem(
    "deposit-is-net-and-fee",
    "Net and fee of a deposit are the deposit; there is no net exactly where the fee passes it.",
    ranges="amounts and fixed parts to 2^63 - 1, 0 to 10,000 bps", source="FEE-02, CUS-18",
    wrong=(fee, "rate_on", lambda bps, fixed, cents: plus(
        money.bps_of(bps, cents + fixed), fixed), {"cents": 10, "bps": 5_000, "fixed": 2}))
def deposit_is_net_and_fee(t):
    cents, bps = t.number("cents", 1, MOST), t.number("bps", 0, WHOLE)
    fixed = t.number("fixed", 0, MOST)
    owed = quotient(cents * bps, WHOLE) + fixed
    net = fee.rate_net(bps, fixed, cents)
    t.claim("a net where the fee leaves one", same(net.some, owed <= cents))
    t.claim("sum", implies(net.some, eq(net.value + owed, cents)))


@theorem(
    "deposit-net-never-falls", "A larger deposit leaves at least as much.",
    ranges="amounts and fixed parts to 2^63 - 1, 0 to 10,000 bps", source="INV-22",
    wrong=(fee, "bps_of", divided_first,
           {"a": 9_999, "b": 10_000, "bps": 10_000, "fixed": 0, "net": 9_000}))
def deposit_net_never_falls(t):
    a, b, bps = t.number("a", 1, MOST), t.number("b", 1, MOST), t.number("bps", 0, WHOLE)
    fixed, net = t.number("fixed", 0, MOST), t.number("net", 0, MOST)
    t.given(a <= b)
    grow_together(t, bps, a, b)
    t.claim("monotone", implies(
        fee.rate_leaves(bps, fixed, net, a), fee.rate_leaves(bps, fixed, net, b)))


@theorem(
    "smallest-charge-passes",
    "The least charge leaves the least net, a centavo less does not; none is where none does.",
    ranges="amounts to 2^63 - 1, 0 to 10,000 bps", source="LIM-03, INV-43",
    wrong=(fee, "smallest", one_more,
           {"bps": 0, "fixed": 0, "net": 1, "least": 1, "most": 5, "other": 1}))
def smallest_charge_passes(t):
    bps, fixed = t.number("bps", 0, WHOLE), t.number("fixed", 0, MOST)
    net, other = t.number("net", 0, MOST), t.number("other", 1, MOST)
    least, most = t.number("least", 1, MOST), t.number("most", 1, MOST)
    found = fee.smallest_leaving(bps, fixed, net, least, most)
    t.given(all_of(least <= other, other <= most))
    grow_together(t, bps, other, found.value, found.value - 1, most)
    leaves = fee.rate_leaves(bps, fixed, net, other)
    t.claim("it passes", found.lacks_or(
        lambda charge: fee.rate_leaves(bps, fixed, net, charge)))
    t.claim("in its range", implies(found.some, all_of(least <= found.value, found.value <= most)))
    t.claim("no other below", implies(all_of(found.some, other < found.value), negate(leaves)))
    t.claim("none where none passes", implies(leaves, found.some))


@theorem(
    "payout-fee-parts-sum",
    "House and partner are the one rounded total; the partner's part is its floor.",
    ranges="amounts and tariffs to 2^63 - 1, 0 to 10,000 bps each", source="INV-17, FEE-28, FEE-37",
    wrong=(fee, "payout_fees", lambda cents, house, partner: money.bps_plus(house, partner).then(
        lambda _: (money.bps_of(house, cents), money.bps_of(partner, cents))),
        {"cents": 1, "house": 1, "partner": 9_999}))
def payout_fee_parts_sum(t):
    cents, tariff = t.number("cents", 1, MOST), t.number("tariff", 0, MOST)
    house, partner = t.number("house", 0, WHOLE), t.number("partner", 0, WHOLE)
    fees = fee.payout_fees(cents, house, partner)
    parts = fees.value
    total = quotient(cents * (house + partner), WHOLE)
    t.claim("there where the rates are below the whole", same(fees.some, house + partner <= WHOLE))
    t.claim("sum", implies(fees.some, eq(parts[0] + parts[1], total)))
    t.claim("partner", implies(fees.some, eq(parts[1], quotient(cents * partner, WHOLE))))
    own = quotient(cents * house, WHOLE)
    t.claim("house", implies(fees.some, all_of(own <= parts[0], parts[0] <= own + 1)))
    all_ = fees.then(lambda parts: fee.payout_total(*parts, tariff))
    t.claim("with the tariff", implies(all_.some, eq(all_.value, total + tariff)))


@theorem(
    "service-fee-parts-sum",
    "Net, house and partner are the amount; a net is missing exactly where fees are all of it.",
    ranges="amounts and fixed parts to 2^63 - 1, 0 to 10,000 bps each",
    source="FEE-07, FEE-25, FEE-37",
    wrong=(fee, "service_fees", lambda house, fixed, partner, cents: money.bps_plus(
        house, partner).then(lambda _: (
            money.bps_of(house, cents) + fixed, div(cents * partner + WHOLE - 1, WHOLE))),
        {"cents": 1, "house": 1, "partner": 1, "fixed": 0}))
def service_fee_parts_sum(t):
    cents, (house, fixed, partner) = t.number("cents", 1, MOST), rates(t)
    fees = fee.service_fees(house, fixed, partner, cents)
    total = quotient(cents * (house + partner), WHOLE) + fixed
    parts = fees.value
    t.claim("sum", implies(fees.some, eq(parts[0] + parts[1], total)))
    t.claim("partner", implies(fees.some, eq(parts[1], quotient(cents * partner, WHOLE))))
    t.claim("house", implies(fees.some, fixed <= parts[0]))
    net = fee.service_net(house, fixed, partner, cents)
    whole = house + partner <= WHOLE
    t.claim("net is there", same(net.some, all_of(whole, total < cents)))
    t.claim("net", implies(net.some, eq(net.value + parts[0] + parts[1], cents)))


@theorem(
    "purchase-net-never-falls", "A larger purchase leaves at least as much.",
    ranges="amounts and fixed parts to 2^63 - 1, 0 to 10,000 bps each", source="INV-22",
    wrong=(fee, "bps_of", divided_first, {"house": 10_000, "partner": 0, "a": 9_999}))
def purchase_net_never_falls(t):
    a, b, terms = t.number("a", 1, MOST), t.number("b", 1, MOST), rates(t)
    t.given(a <= b)
    grow_together(t, terms[0] + terms[2], a, b)
    before, after = fee.service_net(*terms, a), fee.service_net(*terms, b)
    t.claim("monotone", implies(
        before.some, all_of(after.some, before.value <= after.value)))


@theorem(
    "smallest-purchase-passes",
    "The least purchase leaves the least net and what the network wants; a centavo less does not.",
    ranges="amounts to 2^63 - 1, 0 to 10,000 bps each, networks that want any least",
    source="LIM-02, LIM-03, INV-43",
    wrong=(fee, "passes", lambda terms, least_net, sells, cents: fee.service_net(
        *terms, cents).holds(lambda net: Maybe(least_net < net, net).holds(sells)),
        {"house": 0, "partner": 0, "fixed": 0, "least_net": 1, "wanted": 1, "least": 1, "most": 5,
         "other": 1}))
def smallest_purchase_passes(t):
    terms, least_net = rates(t), t.number("least_net", 0, MOST)
    wanted, other = t.number("wanted", 1, MOST), t.number("other", 1, MOST)
    least, most = t.number("least", 1, MOST), t.number("most", 1, MOST)
    t.given(all_of(least <= other, other <= most))

    def sound(cents):
        net = fee.service_net(*terms, cents)
        return all_of(net.some, least_net <= net.value, wanted <= net.value)

    found = fee.smallest_purchase(terms, least_net, lambda net: wanted <= net, least, most)
    grow_together(t, terms[0] + terms[2], other, found.value, found.value - 1, most)
    t.claim("it passes", found.lacks_or(sound))
    t.claim("no other below", implies(
        all_of(found.some, other < found.value), negate(sound(other))))
    t.claim("none where none passes", implies(sound(other), found.some))


@theorem(
    "partner-has-its-part-of-a-part",
    "Of a part of the fee the partner has its floor in proportion, of all of it its whole part.",
    ranges="fees whose sum is within 2^63 - 1", source="rulings 17 and 28",
    wrong=(fee, "partner_of", lambda fees, part: div(fees[0] * part, fees[0] + fees[1]),
           {"house": 3, "partner": 1}))
def partner_has_its_part_of_a_part(t):
    house, partner = t.number("house", 0, MOST), t.number("partner", 0, MOST)
    part, more = t.number("part", 0, MOST), t.number("more", 0, MOST)
    total = house + partner
    t.given(all_of(0 < total, total <= MOST, part <= more, more <= total))
    share = fee.partner_of((house, partner), part)
    t.claim("floor", all_of(
        share * total <= partner * part, partner * part < (share + 1) * total))
    t.claim("of the part", all_of(0 <= share, share <= part))
    t.claim("monotone", share <= fee.partner_of((house, partner), more))
    t.claim("of all of it", eq(fee.partner_of((house, partner), total), partner))
