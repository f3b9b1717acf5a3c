"""The plain client: what the generated calls stand on."""

import ssl
import time
from collections.abc import Iterator, Mapping
from typing import Any, Generic, Self, TypeAlias, TypeVar

from .attempts import DEFAULTS, Pause, Policy, R, Request, Response, Steps, attempts
from .core import Prepared
from .errors import NoAnswer, ServiceError
from .intents import Intent, Kind, OpenIntents, Verdict, look_up, send
from .outcomes import Absence, Refusal, Success, ended
from .transport import Transport

Op = TypeVar("Op")


class Core(Prepared):
    """Sends requests, runs their attempts, and keeps the open intents."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        policy: Policy = DEFAULTS,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(api_key, policy)
        self._transport = Transport(base_url, tls)
        self._opened = OpenIntents()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections."""
        self._transport.close()

    def unresolved(self) -> list["Unknown[Any] | RepeatOnly[Any]"]:
        """Returns every intent of this client whose outcome is unknown."""
        return [unknown(self, it) for it in self._opened.all()]

    def _run(self, steps: Steps[R]) -> R:
        """Carries steps out."""
        answer: Response | NoAnswer | None = None
        try:
            while True:
                step = steps.send(answer)
                answer = self._step(step)
        except StopIteration as end:
            result: R = end.value
            return result
        finally:
            steps.close()

    def _step(self, step: Request | Pause) -> Response | NoAnswer | None:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        return self._transport.send(step, self.policy.timeout)

    def _call(self, method: str, path: str, **parts: Any) -> Any:
        """Returns the JSON of a call without an intent, or raises its error."""
        result = self._run(attempts(self._prepare(method, path, **parts), self.policy))
        if result.error is not None:
            raise result.error
        return result.value

    def _rows(
        self, path: str, items: str, cursor: str, next: str, query: Mapping[str, Any]
    ) -> Iterator[Any]:
        """Yields the rows of all pages."""
        place = None
        while True:
            page = self._call("GET", path, query={**query, cursor: place}, repeatable=True)
            yield from page[items]
            place = page[next]
            if place is None:
                return

    def _send(self, kind: Kind, external_id: str, terms: Any) -> Verdict:
        intent = Intent(kind, external_id, dict(terms))
        return self._run(send(intent, self._prepare, self.policy, self._opened))

    def _create(self, kind: Kind, external_id: str, terms: Any) -> "Outcome[Any]":
        """Sends an intent whose operations a read lists."""
        verdict = self._send(kind, external_id, terms)
        return ended(verdict) or Unknown(self, verdict)

    def _create_unlisted(self, kind: Kind, external_id: str, terms: Any) -> "RepeatOutcome[Any]":
        """Sends an intent whose operations no read lists by their `external_id`."""
        verdict = self._send(kind, external_id, terms)
        return ended(verdict) or RepeatOnly(self, verdict)


class Open:
    """An intent whose outcome is unknown."""

    def __init__(self, ledger: Core, verdict: Verdict) -> None:
        assert verdict.unknown is not None
        self._ledger, self._verdict = ledger, verdict
        self.external_id = verdict.intent.external_id
        # Why nothing is certain: the last error, or that nobody answered.
        self.error: ServiceError | NoAnswer = verdict.unknown

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.external_id!r}, {self.error!r})"


class Unknown(Open, Generic[Op]):
    """An unknown outcome: money may have moved. It has no operation; look it up."""

    def look_up(self) -> "Lookup[Op]":
        """Reads what the ledger recorded.

        An operation that is not listed is absent only once no copy of the request can still
        arrive, `Policy.settle` seconds after the last attempt; before, this stays unknown.
        """
        ledger = self._ledger
        steps = look_up(self._verdict, ledger._prepare, ledger.policy, ledger._opened)
        verdict = ledger._run(steps)
        if verdict.unknown is not None:
            return Unknown(ledger, verdict)
        return Absence(self.external_id) if verdict.absent else Success(verdict.operation)

    def repeat(self) -> "Outcome[Op]":
        """Sends the same terms under the same `external_id` once more."""
        intent = self._verdict.intent
        return self._ledger._create(intent.kind, intent.external_id, intent.terms)


class RepeatOnly(Open, Generic[Op]):
    """An unknown outcome that no read lists by its `external_id`: repeat it to find out."""

    def repeat(self) -> "RepeatOutcome[Op]":
        """Sends the same terms under the same `external_id` once more."""
        intent = self._verdict.intent
        return self._ledger._create_unlisted(intent.kind, intent.external_id, intent.terms)


def unknown(ledger: Core, verdict: Verdict) -> Unknown[Any] | RepeatOnly[Any]:
    """The unknown outcome of an intent, by whether a read lists it."""
    listed = verdict.intent.kind.read is not None
    return Unknown(ledger, verdict) if listed else RepeatOnly(ledger, verdict)


Outcome: TypeAlias = Success[Op] | Refusal | Unknown[Op]
RepeatOutcome: TypeAlias = Success[Op] | Refusal | RepeatOnly[Op]
Lookup: TypeAlias = Success[Op] | Absence | Unknown[Op]
