"""Puts the checks together."""
from dataclasses import dataclass, field

from ..client.accounts import Account
from ..client.history import Entry
from ..client.receiver import Delivery
from .books import EDGES, Contradiction
from .hooks import check_webhooks, record_of
from .order import Finding, Interval, RealTime
from .readings import Readings
from .records import Record
from .replay import Replay


@dataclass
class Verdict:
    """What a check found, and of how much."""

    findings: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    replay: Replay | None = None


def edges(replay: Replay) -> list[Finding]:
    """Requires every step of every operation to be an edge of the contract."""
    found = []
    for op, made in replay.model.operations.items():
        if made.kind not in EDGES:
            continue
        states = ["", *made.status.values[1:]]
        for before, after in zip(states, states[1:]):
            if after not in EDGES[made.kind].get(before, set()):
                found.append(Finding("no-edge", f"{op} went from {before or 'nothing'} to {after}"))
    return found


def check(accounts: list[Account], entries: list[Entry], records: list[Record],
          deliveries: list[Delivery] | None, readings_of: type[Readings] = Readings) -> Verdict:
    """Checks a history whole."""
    replay = Replay(accounts, entries, records)
    try:
        replay.run()
    except Contradiction as why:
        replay.find("against-the-contract", str(why))
    last = records[-1].number if records else 0
    intervals = list(replay.intervals)
    for delivery in deliveries or []:
        intervals.append(Interval(record_of(delivery.event), 0, delivery.at, delivery.event))
    readings = readings_of(replay, RealTime(intervals, last), entries)
    readings.run()
    findings = replay.findings + RealTime(replay.intervals, last).findings() + readings.findings
    findings += edges(replay)
    if deliveries is not None:
        findings += check_webhooks(replay, deliveries)
    counts = {"attempts": len(entries), "records": len(records),
              "operations": len(replay.model.operations), "reads and refusals": readings.counted,
              "facts and requests": len(replay.stories), "balances": len(replay.model.balances),
              "statement rows": sum(len(one.rows) for one in replay.model.balances.values()),
              "events due": len(replay.model.events), "webhooks": len(deliveries or [])}
    return Verdict(sorted(findings, key=lambda one: one.at), counts, replay)
