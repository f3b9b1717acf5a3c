"""The checks of a pair: no payout twice, nothing sent by a member that was taken over from."""
from collections import defaultdict
from typing import Sequence

from ..check.books import Operation
from ..check.order import Finding, Interval
from ..check.replay import Replay
from ..client.receiver import Delivery
from ..faults.nemesis import Fault
from .provider import Push
from .router import Term

Sent = Delivery | Push
SECOND = 1_000_000_000
# Faults after which the outcome of what was just sent may be unknown to whoever sends again.
FORGETFUL = ("kill", "kill-both", "freeze", "pause", "hand-over", "database-crash", "database-cut",
             "database-stall")
# An attempt that was under way when its member was fenced may still arrive, and no later one.
UNDER_WAY = 3 * SECOND


def find_repeats(name: str, several: Sequence[Sent], resent: dict[str, int],
             faults: list[Fault]) -> list[Finding]:
    """Finds what came again after it was taken, without a fault that lost its outcome."""
    found, by_event = [], defaultdict(list)
    for one in several:
        by_event[one.event].append(one)
    for event, deliveries in by_event.items():
        taken = 0
        for one in sorted(deliveries, key=lambda one: one.at):
            if taken and not resent.get(event, one.at + 1) <= one.at:
                late = (one.at - taken) / SECOND
                if not any(may_lose(fault, taken) for fault in faults):
                    text = f"{event} came again {late:.1f} s after it was taken, without a loss"
                    found.append(Finding(f"repeated-{name}", text, one.at))
            taken = taken or one.taken * one.at
    return found


def may_lose(fault: Fault, taken: int) -> bool:
    """Tells whether a fault may have lost that something was taken at an instant."""
    return fault.kind in FORGETFUL and fault.began - 3 * SECOND <= taken <= fault.ended + SECOND


def find_late_sends(name: str, several: Sequence[Sent], terms: list[Term],
                    thawed: list[int]) -> list[Finding]:
    """Finds what a member sent after the other had taken over from it."""
    found = []
    for one in several:
        own = max((term.began for term in terms if term.member == one.sender
                   and term.began - SECOND <= one.at), default=0)
        others = [term.began for term in terms if term.member != one.sender and own < term.began]
        if not others:
            continue
        since = max([min(others), *[at for at in thawed if own < at <= one.at]])
        if one.at > since + UNDER_WAY:
            found.append(Finding(f"fenced-{name}", f"{one.event} came from member {one.sender} "
                                 f"{(one.at - since) / SECOND:.1f} s after the other took over",
                                 one.at))
    return found


def thaw_times(faults: list[Fault]) -> list[int]:
    """Returns when frozen members went on, at the latest."""
    return [fault.ended for fault in faults if fault.kind in ("freeze", "database-stall")]


def check_payouts(replay: Replay, pushes: list[Push]) -> list[Finding]:
    """Requires of each payout one key, the amount that was asked for, and no push before it."""
    found: list[Finding] = []
    keys: dict[str, set[str]] = defaultdict(set)
    owners: dict[str, set[str]] = defaultdict(set)
    began = {one.record: one for one in replay.intervals}
    for push in pushes:
        keys[push.operation, push.content["topic"]].add(push.key)
        owners[push.key].add(push.operation)
        if not push.signed:
            found.append(Finding("wrong-signature", f"{push.event} is not signed", push.at))
        if push.operation.startswith("po_"):
            found += judge_push(push, replay.model.operations.get(push.operation), began)
    for (operation, topic), several in keys.items():
        if operation.startswith("po_") and len(several) > 1:
            found.append(Finding("payout-twice", f"{topic} of {operation} came under "
                                 f"{len(several)} keys: {sorted(several)}"))
    for key, several in owners.items():
        if len(several) > 1:
            found.append(Finding("shared-key", f"{key} is the key of {sorted(several)}"))
    return found


def judge_push(push: Push, made: Operation | None, began: dict[int, Interval]) -> list[Finding]:
    """Judges one push of a payout against what was asked for."""
    if made is None:
        return [Finding("unexplained-payout", f"{push.event} pays {push.operation}, which nobody "
                        "asked for", push.at)]
    found, shown = [], push.content["body"].get("amount_cents")
    if shown != made.body["amount_cents"]:
        found.append(Finding("wrong-payout", f"{push.event} pays {shown} where "
                             f"{made.body['amount_cents']} were asked for", push.at))
    interval = began.get(made.made)
    if interval is not None and push.at < interval.began:
        found.append(Finding("early-payout", f"{push.event} came before it was asked for", push.at))
    return found


def list_unpaid(replay: Replay, pushes: list[Push]) -> list[str]:
    """Returns the payouts that wait to be sent, and of which no instruction was taken."""
    taken = {push.operation for push in pushes if push.taken}
    return [op for op, made in replay.model.operations.items()
            if made.kind == "payout" and made.state == "requested" and op not in taken]
