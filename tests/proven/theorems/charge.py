"""Theorems of deposits and purchases: what a fee may take, and who bears what goes back."""

from expression import all_of, eq, implies, least, most, quotient, same
from mirror import charge
from mirror.fee import rate_on
from mirror.money import MOST, WHOLE, less_or_nothing
from theorem import theorem


def fees_agreed(t):
    """House, partner, and the net of a gross that they leave."""
    house, partner = t.number("house", 0, MOST), t.number("partner", 0, MOST)
    return house, partner, t.number("net", 1, MOST)


@theorem(
    "a-credit-is-never-negative",
    "A deposit's fee is the agreed one, and never more than what is left of it to credit.",
    ranges="amounts and fixed parts to 2^63 - 1, 0 to 10,000 bps", source="rulings 22",
    wrong=(charge, "credit_fee", lambda bps, fixed, paid, gross: rate_on(
        bps, fixed, paid).or_else(gross),
        {"bps": 0, "fixed": 100, "paid": 200, "gross": 50}))
def a_credit_is_never_negative(t):
    paid, gross = t.number("paid", 1, MOST), t.number("gross", 1, MOST)
    bps, fixed = t.number("bps", 0, WHOLE), t.number("fixed", 0, MOST)
    t.given(gross <= paid)
    fee = charge.credit_fee(bps, fixed, paid, gross)
    owed = quotient(paid * bps, WHOLE) + fixed
    t.claim("the lower", eq(fee, least(owed, gross)))
    t.claim("a net", all_of(0 <= fee, 0 <= gross - fee))


@theorem(
    "a-customer-bears-up-to-the-net",
    "Over all returns of a deposit the customer bears the lower of their sum and the net credited.",
    ranges="centavos to 2^63 - 1, any returns in any order", source="rulings 22",
    wrong=(charge, "fee_share_of_return", lambda net, gross, returned, cents: less_or_nothing(
        cents, net)))
def a_customer_bears_up_to_the_net(t):
    net, gross = t.number("net", 0, MOST), t.number("gross", 1, MOST)
    returned, cents = t.number("returned", 0, MOST), t.number("cents", 1, MOST)
    t.given(all_of(net <= gross, returned + cents <= gross))
    fee = charge.fee_share_of_return(net, gross, returned, cents)
    t.claim("a part of it", all_of(0 <= fee, fee <= cents))
    borne = least(returned, net)  # By the returns before, as this theorem says of them.
    t.claim("cumulative", eq(borne + cents - fee, least(returned + cents, net)))
    t.claim("the fee gives the rest", fee <= gross - net)


@theorem(
    "a-partner-is-reversed-no-more-than-is-returned",
    "Of one return the partner's part is no more than what passes the net, so that both sum to it.",
    ranges="fees whose sum is within 2^63 - 1", source="rulings 28",
    wrong=(charge, "partner_of", lambda fees, part: quotient(part * (fees[1] + 1), fees[1]),
           {"house": 0, "partner": 1}))
def a_partner_is_reversed_no_more_than_is_returned(t):
    house, partner = t.number("house", 0, MOST), t.number("partner", 1, MOST)
    before, after = t.number("before", 0, MOST), t.number("after", 0, MOST)
    total = house + partner
    t.given(all_of(total <= MOST, before <= after, after <= total))
    fees = (house, partner)
    of_before, of_after = charge.partner_of(fees, before), charge.partner_of(fees, after)
    t.claim("products", partner * (after - before) <= total * (after - before))
    t.claim("a sum that is too large is a product too large", implies(
        after - before < of_after - of_before,
        total * (after - before + 1) <= total * (of_after - of_before)))
    t.claim("no more", of_after - of_before <= after - before)


@theorem(
    "purchase-returns-reverse-what-was-earned",
    "Returns beyond the net reverse the fees, no more than all, the partner's by its floor.",
    ranges="a purchase to 2^63 - 1, any returns in any order", source="rulings 28",
    wrong=(charge, "beyond_net", lambda net, gross, paid, returned, cents: (
        0, less_or_nothing(cents, net)), {"house": 1, "partner": 1, "net": 1, "paid": 3}))
def purchase_returns_reverse_what_was_earned(t):
    (house, partner, net), paid = fees_agreed(t), t.number("paid", 1, MOST)
    returned, cents = t.number("returned", 0, MOST), t.number("cents", 1, MOST)
    gross, fees = net + house + partner, (house, partner)
    t.given(all_of(gross <= paid, paid - gross <= returned, returned + cents <= paid))
    since = returned - (paid - gross)
    before, after = charge.beyond_net(net, gross, paid, returned, cents)
    t.claim("before", eq(before, most(since - net, 0)))
    t.claim("after", all_of(eq(after, most(since + cents - net, 0)), after <= house + partner))
    of_before, of_after = charge.partner_of(fees, before), charge.partner_of(fees, after)
    t.known("partner-has-its-part-of-a-part", implies(0 < house + partner, all_of(
        0 <= of_before, of_before <= of_after, of_after <= partner,
        implies(eq(after, house + partner), eq(of_after, partner)))))
    t.known("a-partner-is-reversed-no-more-than-is-returned", implies(
        0 < partner, of_after - of_before <= after - before))
    part = charge.reversed_fees(fees, net, gross, paid, returned, cents)
    t.claim("the partner's", eq(part[1], of_after - of_before))
    t.claim("what passes the net", eq(part[0] + part[1], after - before))
    t.claim("all of it in the end", implies(
        eq(returned + cents, paid), eq(of_before + part[1], partner)))


@theorem(
    "the-rest-of-a-purchase-is-divided",
    "Cost, house and partner of what did not go back are it; the fee is its floor in proportion.",
    ranges="a purchase to 2^63 - 1, whatever went back", source="rulings 17, 28 and 45",
    wrong=(charge, "less_or_nothing", lambda a, less: a))
def the_rest_of_a_purchase_is_divided(t):
    (house, partner, net), returned = fees_agreed(t), t.number("returned", 0, MOST)
    paid = net + house + partner
    t.given(all_of(paid <= MOST, returned <= paid))
    rest = charge.fees_of_rest((house, partner), paid, returned)
    gross, of_house, of_partner, cost = (rest.value[place] for place in range(4))
    t.claim("left", implies(rest.some, eq(gross, paid - returned)))
    t.claim("sum", implies(rest.some, eq(cost + of_house + of_partner, gross)))
    gross = charge.spendable(charge.less_or_nothing(paid, returned))
    fee = quotient((house + partner) * gross, paid)
    t.claim("in proportion", implies(rest.some, eq(of_house + of_partner, fee)))
    t.claim("products", (house + partner) * gross <= (house + partner) * paid)
    t.claim("no more fees than were agreed", implies(rest.some, fee <= house + partner))
    share = charge.partner_of((house, partner), fee)
    t.known("partner-has-its-part-of-a-part", implies(
        0 < house + partner, all_of(0 <= share, share <= fee)))
    t.claim("there", same(rest.some, all_of(returned < paid, fee < gross)))


@theorem(
    "the-rest-buys-no-more-than-before",
    "What is worth in USDT of the rest is the floor in proportion, and no more than before.",
    ranges="costs to 2^63 - 1, units to 10^36", source="rulings 45",
    wrong=(charge, "mul_div", lambda a, b, d: charge.units(quotient(a * b + d, d))))
def the_rest_buys_no_more_than_before(t):
    cost, before = t.number("cost", 1, MOST), t.number("before", 1, MOST)
    usdt = t.number("usdt", 1, 10**36)
    t.given(cost <= before)
    worth = charge.mul_div(usdt, cost, before)
    t.claim("products", usdt * cost <= usdt * before)
    t.claim("floor", worth.lacks_or(lambda worth: all_of(
        worth * before <= usdt * cost, usdt * cost < (worth + 1) * before)))
    t.claim("no more", worth.lacks_or(lambda worth: worth <= usdt))
