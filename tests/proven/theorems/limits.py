"""Theorems of limits: mandates, the payer ladder, and what a recipient may still have."""

from expression import all_of, any_of, eq, implies, ite, least, most, quotient, same
from mirror import limits
from mirror.limits import DAY, OPERATION, PASSES
from mirror.money import MOST, less_or_nothing
from theorem import theorem


@theorem(
    "a-mandate-only-tightens",
    "What a mandate lets pass is within the lower ceiling, and no day sends more than its own.",
    ranges="centavos to 2^63 - 1, each ceiling set or not", source="INV-42, AGT-13, AGT-17",
    wrong=(limits, "less_or_nothing", lambda a, less: a))
def a_mandate_only_tightens(t):
    one = (t.truth("has_one"), t.number("one", 0, MOST))
    day = (t.truth("has_day"), t.number("day", 0, MOST))
    used, cents = t.number("used", 0, MOST), t.number("cents", 1, MOST)
    platform = t.number("platform", 1, MOST)
    why, left = limits.admits(one, day, used, cents)
    ceiling = limits.ceiling(one, platform)
    t.claim("lower", all_of(ceiling <= platform, implies(one[0], ceiling <= one[1])))
    within_day = any_of(all_of(used + cents <= day[1]), eq(day[0], False))
    t.claim("passes", same(eq(why, PASSES), all_of(
        implies(one[0], cents <= one[1]), within_day)))
    t.claim("operation first", same(eq(why, OPERATION), all_of(one[0], one[1] < cents)))
    t.claim("what is left", implies(eq(why, DAY), all_of(
        0 <= left, left < cents, eq(left, most(day[1] - used, 0)))))


@theorem(
    "a-payer-stays-in-the-band",
    "What passes at once keeps a document in its band and held, of others counting at most half.",
    ranges="centavos to 2^63 - 1, any stage", source="LIM-04, LIM-31, P:PayerScope",
    wrong=(limits, "spendable", lambda balance: balance + balance + 1))
def a_payer_stays_in_the_band(t):
    first_qr, band = t.number("first_qr", 1, MOST), t.number("band", 1, MOST)
    held, is_first = t.number("held", 1, MOST), t.truth("is_first")
    pending, paid = t.number("pending", 0, MOST), t.number("paid", 0, MOST)
    elsewhere, cents = t.number("elsewhere", 0, MOST), t.number("cents", 1, MOST)
    t.given(all_of(elsewhere <= pending, pending + paid <= MOST))
    used, at_once, bound, left = limits.allowance(
        first_qr, band, held, is_first, pending, paid, elsewhere)
    own = pending + paid - elsewhere
    how = limits.admitted(at_once, bound, cents)
    of_others = least(elsewhere, quotient(band, 2))
    t.claim("at once", implies(eq(how, 1), own + of_others + cents <= band))
    t.claim("held", implies(
        any_of(eq(how, 1), eq(how, 2)), own + least(elsewhere, quotient(held, 2)) + cents <= held))
    t.claim("first QR", implies(all_of(is_first, most(how, 1) <= how), cents <= first_qr))
    t.claim("half is always one's own", implies(eq(own, 0), held - quotient(held, 2) <= left))
    t.claim("used", eq(used, own + least(elsewhere, quotient(held, 2))))


@theorem(
    "a-recipient-stays-below-the-ceiling",
    "What an order may pay keeps the day below the ceiling, or was reserved when it was accepted.",
    ranges="centavos to 2^63 - 1", source="LIM-20, rulings 14 and 75",
    wrong=(limits, "room", lambda ceiling, used, own, reserved: less_or_nothing(
        ceiling, used) + reserved))
def a_recipient_stays_below_the_ceiling(t):
    ceiling, used = t.number("ceiling", 1, MOST), t.number("used", 0, MOST)
    own, reserved = t.number("own", 0, MOST), t.number("reserved", 0, MOST)
    cents = t.number("cents", 1, MOST)
    t.given(all_of(own <= used, reserved <= own))
    room = limits.room(ceiling, used, own, reserved)
    t.claim("ceiling", implies(cents <= room, any_of(
        used - own + cents <= ceiling, cents <= reserved)))
    t.claim("what was reserved passes", reserved <= room)
    t.claim("all of the room", implies(
        used - own + cents <= ceiling, cents <= room))
    t.claim("no more than either", room <= ite(ceiling <= reserved, reserved, ceiling))
