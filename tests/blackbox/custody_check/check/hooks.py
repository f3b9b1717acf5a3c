"""Holds webhooks against the events that the records are due to have."""
from collections import defaultdict

from ..client.receiver import Delivery
from .books import EDGES, PREFIX, reachable
from .order import Finding, Interval
from .readings import state_of
from .replay import Replay

KINDS = {prefix: kind for kind, prefix in PREFIX.items()}
# The fields that name what a webhook is about; a payment names its order, too.
NAMES = ("payment_id", "deposit_id", "cashin_id", "payout_id", "cashout_id")


def record_of(event: str) -> int:
    """Returns the record that an event's id names."""
    return int(event.split("_")[1])


def subject(delivery: Delivery) -> str:
    """Returns the operation that a webhook is about."""
    return next((str(delivery.data[name]) for name in NAMES if name in delivery.data), "")


def check_webhooks(replay: Replay, deliveries: list[Delivery]) -> list[Finding]:
    """Requires each event at least once, in order per operation, and none that is not due."""
    found: list[Finding] = []
    due = {(record, op, name): account for record, op, name, account in replay.model.events}
    came: dict[tuple[int, str, str], list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        came[record_of(delivery.event), subject(delivery), delivery.name].append(delivery)
    began = {one.record: one for one in replay.intervals}
    for key, account in due.items():
        taken = [one for one in came.get(key, []) if one.taken]
        if not taken:
            found.append(Finding("missing-webhook", f"{key[2]} of {key[1]} (record {key[0]}) was "
                                 f"due to {account} and never came"))
        elif taken[0].path != account:
            found.append(Finding("foreign", f"{key[2]} of {key[1]} came to {taken[0].path}"))
    for key, several in came.items():
        found += judge(key, several, key in due, began.get(key[0]))
    return found + order(came)


def judge(key: tuple[int, str, str], several: list[Delivery], due: bool,
          made: Interval | None) -> list[Finding]:
    """Judges the deliveries of one event."""
    found = []
    record, op, name = key
    first = several[0]
    if not due:
        found.append(Finding("unexpected-webhook", f"{name} of {op} names record {record}, which "
                             "is due to have no such event", first.at))
    if not all(one.signed for one in several):
        found.append(Finding("wrong-signature", f"{name} of {op} is not signed by its secret", first.at))
    if made is not None and first.at < made.began:
        found.append(Finding("early-webhook", f"{name} of {op} came before it was asked for", first.at))
    if len({one.sequence for one in several}) > 1:
        found.append(Finding("changed-webhook", f"{first.event} has several sequences", first.at))
    return found


def order(came: dict[tuple[int, str, str], list[Delivery]]) -> list[Finding]:
    """Requires the first deliveries of an operation's events in their order, along its edges."""
    found = []
    by_operation: dict[str, list[tuple[int, int, Delivery]]] = defaultdict(list)
    for (_, op, _), several in came.items():
        first = min(several, key=lambda one: one.at)
        accepted = min((one.at for one in several if one.taken), default=first.at)
        by_operation[op].append((first.sequence, accepted, first))
    for op, events in by_operation.items():
        events.sort(key=lambda one: one[0])
        state = ""
        for place, (_, taken, first) in enumerate(events):
            if place and first.at < events[place - 1][1]:
                found.append(Finding("reordered-webhook", f"{first.name} of {op} came before "
                                     f"{events[place - 1][2].name} was taken (P:WebhookOrder)", first.at))
            kind, status = KINDS[op[:3]], state_of(first.data)
            if status not in EDGES[kind] or not reachable(kind, state, status):
                found.append(Finding("no-edge", f"{op} went from {state} to {status}", first.at))
            state = status
    return found
