"""Real time: what was answered before another was asked comes before it.

Each record has an interval: the invocation of the request that caused it, and the first answer
that said so. Sorting makes both checks n log n.
"""
import heapq
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Iterable

FOREVER = 1 << 62


@dataclass
class Finding:
    """Something that the contract does not allow, with what shows it."""

    code: str
    text: str
    at: int = 0


@dataclass
class Interval:
    """When a record may have taken effect, by the client's clock."""

    record: int
    began: int
    ended: int
    about: str


class RealTime:
    """Answers which records a read may, and which it must, have seen."""

    def __init__(self, intervals: Iterable[Interval], last: int):
        self.intervals = sorted(intervals, key=lambda one: one.record)
        self.last = last
        ended = sorted((one.ended, one.record) for one in self.intervals if one.ended < FOREVER)
        self.ended_times = [time for time, _ in ended]
        self.ended_best = running_max([record for _, record in ended])
        began = sorted((one.began, one.record) for one in self.intervals)
        self.began_times = [time for time, _ in began]
        least = running_max([-record for _, record in reversed(began)])
        self.began_least = [-value for value in reversed(least)]

    def must(self, began: int) -> int:
        """Returns the last record that was answered before this instant."""
        place = bisect_left(self.ended_times, began)
        return self.ended_best[place - 1] if place else 0

    def may(self, ended: int) -> int:
        """Returns the last record before the first that was only asked for after this instant."""
        place = bisect_right(self.began_times, ended)
        return self.began_least[place] - 1 if place < len(self.began_least) else self.last

    def findings(self) -> list[Finding]:
        """Finds records that stand before one that was answered before they were asked for."""
        found, least, after = [], FOREVER, ""
        for one in reversed(self.intervals):
            if least < one.began:
                text = f"{one.about} is record {one.record}, yet {after} was answered before it was asked"
                found.append(Finding("real-time-order", text, one.began))
            if one.ended < least:
                least, after = one.ended, f"{one.about} (record {one.record})"
        return found


class Sightings:
    """What reads proved to stand: a later read may not show less."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int]] = []
        self.proved = 0

    def before(self, began: int) -> int:
        """Returns the last record that a read which ended before this instant showed."""
        while self.waiting and self.waiting[0][0] < began:
            self.proved = max(self.proved, heapq.heappop(self.waiting)[1])
        return self.proved

    def add(self, ended: int, record: int) -> None:
        """Adds what a read showed."""
        heapq.heappush(self.waiting, (ended, record))


def running_max(values: list[int]) -> list[int]:
    """Returns the largest value up to each place."""
    result: list[int] = []
    for value in values:
        result.append(value if not result or value > result[-1] else result[-1])
    return result
