"""Intents that move money, without I/O: their attempts, their look-up, and which are open."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .attempts import Policy, Request, Result, Steps, attempts, is_refusal
from .errors import NoAnswer, ServiceError, UnresolvedIntent


@dataclass(frozen=True)
class Kind:
    """A route that moves money, and the read that lists its operations."""

    name: str
    path: str
    read: str | None
    # The field of the read that holds the list, and the most that it holds; 0 for all.
    rows: str
    latest: int
    # A field and its value, where the read lists operations of other routes too.
    where: tuple[str, str] | None
    # Fields of the terms that say whose money goes where.
    subject: tuple[str, ...]


@dataclass(frozen=True)
class Intent:
    """Money to be moved once, however often it is sent: the `external_id` names it."""

    kind: Kind
    external_id: str
    terms: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.external_id, str) or not self.external_id:
            raise ValueError("external_id is required: a text that names this operation")

    @property
    def name(self) -> tuple[str, str]:
        """The kind and the id, which name one operation of an account."""
        return self.kind.name, self.external_id

    @property
    def subject(self) -> tuple[Any, ...]:
        """Whose money goes where."""
        return self.kind.name, *(self.terms.get(field) for field in self.kind.subject)


@dataclass(frozen=True)
class Verdict:
    """What an intent came to: an operation, a refusal, an absence, or nothing certain."""

    intent: Intent
    operation: Any = None
    refusal: ServiceError | None = None
    absent: bool = False
    # Why the outcome is unknown, and when the last attempt ended, by the monotonic clock.
    unknown: ServiceError | NoAnswer | None = None
    since: float = 0.0


Prepare = Callable[..., Request]


class OpenIntents:
    """The intents of a client whose outcome is unknown, by name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[tuple[str, str], Verdict] = {}
        self._subjects: dict[tuple[Any, ...], list[tuple[str, str]]] = {}
        # Intents that were absent once: a copy may have come later than anybody expected.
        self._absent: set[tuple[str, str]] = set()
        self._under_way: Counter[tuple[str, str]] = Counter()

    def admit(self, intent: Intent) -> Verdict | None:
        """Refuses an intent about a subject of which another is open; returns itself if open."""
        with self._lock:
            others = [it for it in self._subjects.get(intent.subject, []) if it != intent.name]
            if others:
                raise UnresolvedIntent(others[0][1])
            open = self._open.get(intent.name)
            if open is not None and open.intent.terms != intent.terms:
                raise UnresolvedIntent(intent.external_id)
            self._under_way[intent.name] += 1
            return open

    def leave(self, intent: Intent) -> None:
        """Notes that the attempts of an admitted intent have ended."""
        with self._lock:
            self._under_way[intent.name] -= 1
            if not self._under_way[intent.name]:
                del self._under_way[intent.name]

    def current(self, open: Verdict) -> Verdict:
        """An open intent by its last attempt, which is later than any under way."""
        with self._lock:
            current = self._open.get(open.intent.name, open)
            if open.intent.name in self._under_way:
                return replace(current, since=float("inf"))
            return current

    def note(self, verdict: Verdict) -> Verdict:
        """Opens or closes an intent by what it came to."""
        name, subject = verdict.intent.name, verdict.intent.subject
        with self._lock:
            if self._open.pop(name, None) is not None:
                self._subjects[subject].remove(name)
                if not self._subjects[subject]:
                    del self._subjects[subject]
            if verdict.unknown is not None:
                self._open[name] = verdict
                self._subjects.setdefault(subject, []).append(name)
            elif verdict.absent:
                self._absent.add(name)
            else:
                self._absent.discard(name)
        return verdict

    def was_absent(self, intent: Intent) -> bool:
        """Whether a look-up has said that an intent is absent."""
        with self._lock:
            return intent.name in self._absent

    def all(self) -> list[Verdict]:
        """Every open intent."""
        with self._lock:
            return list(self._open.values())


def send(intent: Intent, prepare: Prepare, policy: Policy, opened: OpenIntents) -> Steps[Verdict]:
    """Sends an intent under its `external_id`, again and again where nobody answers."""
    open, started = opened.admit(intent), time.monotonic()
    body = {**intent.terms, "external_id": intent.external_id}
    request = prepare("POST", intent.kind.path, body=body, repeatable=True)
    try:
        result = yield from attempts(request, policy)
        return judge(intent, result, started, open, policy, opened)
    except BaseException:
        reason = NoAnswer("the caller did not wait for the answer")
        opened.note(Verdict(intent, unknown=reason, since=time.monotonic()))
        raise
    finally:
        opened.leave(intent)


def judge(
    intent: Intent,
    result: Result,
    started: float,
    open: Verdict | None,
    policy: Policy,
    opened: OpenIntents,
) -> Verdict:
    """Decides what the attempts of an intent came to; `open` is what it was before them."""
    error = result.error
    if error is None:
        return opened.note(Verdict(intent, operation=result.value))
    travelling = open is not None and started - open.since < policy.settle
    uncertain = result.unanswered or late(intent, error, opened)
    if isinstance(error, ServiceError) and is_refusal(error) and not (uncertain or travelling):
        return opened.note(Verdict(intent, refusal=error))
    since = time.monotonic() if open is None or uncertain else open.since
    return opened.note(Verdict(intent, unknown=error, since=since))


def late(intent: Intent, error: ServiceError | NoAnswer, opened: OpenIntents) -> bool:
    """Whether a refusal says that an intent which was absent has been carried out since."""
    differs = isinstance(error, ServiceError) and error.erro == "external_id_divergente"
    return differs and intent.kind.read is not None and opened.was_absent(intent)


def look_up(open: Verdict, prepare: Prepare, policy: Policy, opened: OpenIntents) -> Steps[Verdict]:
    """Reads what was recorded under an intent's `external_id`."""
    kind, started = open.intent.kind, time.monotonic()
    open = opened.current(open)
    assert kind.read is not None
    query = {} if kind.latest else {"external_id": open.intent.external_id}
    request = prepare("GET", kind.read, query=query, repeatable=True)
    result = yield from attempts(request, policy)
    if result.error is not None:
        return open
    rows = result.value[kind.rows]
    recorded = [row for row in rows if records(row, open.intent)]
    if recorded:
        return opened.note(Verdict(open.intent, operation=recorded[0]))
    if started - open.since < policy.settle or (kind.latest and len(rows) >= kind.latest):
        return open
    return opened.note(Verdict(open.intent, absent=True))


def records(row: Mapping[str, Any], intent: Intent) -> bool:
    """Whether an operation of a read is the one that an intent names."""
    where = intent.kind.where
    right = where is None or row.get(where[0]) == where[1]
    return right and row.get("external_id") == intent.external_id
