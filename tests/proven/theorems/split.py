"""Theorems of splits: by induction for any number of parts, and as a whole for three."""

from expression import all_of, any_of, div, eq, implies, ite, quotient, rem
from mirror import split
from mirror.money import MOST, WHOLE
from theorem import theorem

WEIGHT, WEIGHTS, PARTS = 2**16 - 1, 100 * (2**16 - 1), 100


@theorem(
    "each-part-loses-less-than-a-centavo",
    "Induction: floors and what they lose are what the weights so far are due, to the last part.",
    ranges="sums to 2^63 - 1, 100 parts of weights to 65,535", source="GRP-04",
    wrong=(split, "due", lambda sum_, all_, weight: (
        div(sum_ * weight, all_) + 1, rem(sum_ * weight, all_))))
def each_part_loses_less_than_a_centavo(t):
    sum_, all_ = t.number("sum", 0, MOST), t.number("all", 1, WEIGHTS)
    before, weight = t.number("before", 0, WEIGHTS), t.number("weight", 0, WEIGHT)
    floors, lost = t.number("floors", 0, 2**100), t.number("lost", 0, 2**40)
    with_loss = t.number("with_loss", 0, PARTS)
    t.given(all_of(eq(sum_ * before, all_ * floors + lost), lost <= with_loss * (all_ - 1)))
    floor, loss = split.due(sum_, all_, weight)
    t.claim("dues", eq(sum_ * (before + weight), all_ * (floors + floor) + (lost + loss)))
    t.claim("less than one", all_of(0 <= loss, loss < all_, 0 <= floor))
    t.claim("losses", lost + loss <= (with_loss + ite(eq(loss, 0), 0, 1)) * (all_ - 1))


@theorem(
    "centavos-left-over-find-a-loser",
    "After the last part the centavos left over are no more than the parts that lost something.",
    ranges="sums to 2^63 - 1, 100 parts of weights to 65,535", source="GRP-04",
    wrong=(split, "left_over", lambda sum_, all_, weights, floors: div(
        sum_ * sum(weights) + all_ - 1, all_) - sum(floors),
        {"sum": 1, "all": 2, "weights": 1, "floors": 0, "lost": 1}))
def centavos_left_over_find_a_loser(t):
    sum_, all_ = t.number("sum", 0, MOST), t.number("all", 1, WEIGHTS)
    weights, floors = t.number("weights", 0, WEIGHTS), t.number("floors", 0, 2**100)
    lost, with_loss = t.number("lost", 0, 2**40), t.number("with_loss", 0, PARTS)
    t.given(all_of(eq(sum_ * weights, all_ * floors + lost), lost <= with_loss * (all_ - 1)))
    over = split.left_over(sum_, all_, [weights], [floors])
    t.claim("sum", eq(floors + over, quotient(sum_ * sum([weights]), all_)))
    t.claim("what was lost", all_of(over * all_ <= lost, lost < (over + 1) * all_))
    t.claim("none missing", 0 <= over)
    t.claim("no more than lost something", over <= with_loss)


@theorem(
    "shares-leave-nothing", "Shares of a sum are all of it, and never more than it.",
    ranges="sums to 2^63 - 1, 100 parts of weights to 65,535", source="GRP-01, GRP-04",
    wrong=(split, "left_over", lambda sum_, all_, weights, floors: div(
        sum_ * sum(weights), all_ + 1) - sum(floors), {"sum": 2, "all": 1}))
def shares_leave_nothing(t):
    sum_, all_ = t.number("sum", 0, MOST), t.number("all", 1, WEIGHTS)
    over = split.left_over(sum_, all_, [all_], [0])
    t.claim("all of it", eq(over, sum_))


@theorem(
    "rates-within-the-whole-fit", "Rates of 10,000 bps at most never pass the amount.",
    ranges="sums to 2^63 - 1, rates to 10,000 bps in all", source="GRP-04",
    wrong=(split, "left_over", lambda sum_, all_, weights, floors: div(
        sum_ * sum(weights) + all_ - 1, all_ - 1), {"sum": 1, "rates": 10_000}))
def rates_within_the_whole_fit(t):
    sum_, rates = t.number("sum", 1, MOST), t.number("rates", 0, WHOLE)
    over = split.left_over(sum_, WHOLE, [rates], [0])
    t.claim("fits", all_of(0 <= over, over <= sum_))


@theorem(
    "three-rates-sum-and-stay-near", "Three rates sum to what all are due, each within a centavo.",
    ranges="sums to 2^63 - 1, three rates to 10,000 bps each", source="GRP-04",
    wrong=(split, "before", lambda lost, place, other: lost[place] <= lost[other],
           {"sum": 1, "a": 5_000, "b": 5_000, "c": 0}))
def three_rates_sum_and_stay_near(t):
    sum_ = t.number("sum", 1, MOST)
    rates = [t.number(name, 0, WHOLE) for name in ("a", "b", "c")]
    dues = [split.due(sum_, WHOLE, rate) for rate in rates]
    parts = split.apportion(sum_, WHOLE, rates)
    lost = sum(loss for _, loss in dues)
    t.claim("losses", eq(sum_ * sum(rates), WHOLE * sum(floor for floor, _ in dues) + lost))
    t.claim("sum", eq(sum(parts), quotient(sum_ * sum(rates), WHOLE)))
    for rate, part, (floor, loss) in zip(rates, parts, dues):
        t.claim("near", all_of(floor <= part, part <= floor + 1,
                               any_of(eq(part, floor), 0 < loss)))


@theorem(
    "equal-losers-are-served-in-order",
    "Of three parts exactly one is served first, second and third; of equals the earlier.",
    ranges="any losses below 6,553,500", source="GRP-04",
    wrong=(split, "before", lambda lost, place, other: lost[place] < lost[other]))
def equal_losers_are_served_in_order(t):
    lost = [t.number(name, 0, WEIGHTS - 1) for name in ("a", "b", "c")]
    ranks = [split.rank(lost, place) for place in range(3)]
    for wanted in range(3):
        t.claim("each once", eq(sum(ite(eq(rank, wanted), 1, 0) for rank in ranks), 1))
    for a in range(3):
        for b in range(a + 1, 3):
            t.claim("the larger loss first", implies(lost[b] < lost[a], ranks[a] < ranks[b]))
            t.claim("of equals the earlier", implies(eq(lost[a], lost[b]), ranks[a] < ranks[b]))
