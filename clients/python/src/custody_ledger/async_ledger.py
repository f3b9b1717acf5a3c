"""The client for asyncio: what the generated calls stand on."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, Self, TypeAlias, TypeVar

from .async_transport import AsyncTransport
from .attempts import DEFAULTS, Pause, Policy, R, Request, Response, Steps, attempts
from .core import Prepared
from .errors import NoAnswer, ServiceError
from .intents import Intent, Kind, OpenIntents, Verdict, look_up, send
from .outcomes import Absence, Refusal, Success, ended

Op = TypeVar("Op")


class AsyncCore(Prepared):
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
        self._transport = AsyncTransport(base_url, tls)
        self._opened = OpenIntents()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes idle connections."""
        await self._transport.close()

    def unresolved(self) -> list["AsyncUnknown[Any] | AsyncRepeatOnly[Any]"]:
        """Returns every intent of this client whose outcome is unknown."""
        return [unknown(self, it) for it in self._opened.all()]

    async def _run(self, steps: Steps[R]) -> R:
        """Carries steps out."""
        answer: Response | NoAnswer | None = None
        try:
            while True:
                step = steps.send(answer)
                answer = await self._step(step)
        except StopIteration as end:
            result: R = end.value
            return result
        finally:
            steps.close()

    async def _step(self, step: Request | Pause) -> Response | NoAnswer | None:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        return await self._transport.send(step, self.policy.timeout)

    async def _call(self, method: str, path: str, **parts: Any) -> Any:
        """Returns the JSON of a call without an intent, or raises its error."""
        result = await self._run(attempts(self._prepare(method, path, **parts), self.policy))
        if result.error is not None:
            raise result.error
        return result.value

    async def _rows(
        self, path: str, items: str, cursor: str, next: str, query: Mapping[str, Any]
    ) -> AsyncIterator[Any]:
        """Yields the rows of all pages."""
        place = None
        while True:
            page = await self._call("GET", path, query={**query, cursor: place}, repeatable=True)
            for row in page[items]:
                yield row
            place = page[next]
            if place is None:
                return

    async def _send(self, kind: Kind, external_id: str, terms: Any) -> Verdict:
        intent = Intent(kind, external_id, dict(terms))
        return await self._run(send(intent, self._prepare, self.policy, self._opened))

    async def _create(self, kind: Kind, external_id: str, terms: Any) -> "AsyncOutcome[Any]":
        """Sends an intent whose operations a read lists."""
        verdict = await self._send(kind, external_id, terms)
        return ended(verdict) or AsyncUnknown(self, verdict)

    async def _create_unlisted(
        self, kind: Kind, external_id: str, terms: Any
    ) -> "AsyncRepeatOutcome[Any]":
        """Sends an intent whose operations no read lists by their `external_id`."""
        verdict = await self._send(kind, external_id, terms)
        return ended(verdict) or AsyncRepeatOnly(self, verdict)


class AsyncOpen:
    """An intent whose outcome is unknown."""

    def __init__(self, ledger: AsyncCore, verdict: Verdict) -> None:
        assert verdict.unknown is not None
        self._ledger, self._verdict = ledger, verdict
        self.external_id = verdict.intent.external_id
        # Why nothing is certain: the last error, or that nobody answered.
        self.error: ServiceError | NoAnswer = verdict.unknown

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.external_id!r}, {self.error!r})"


class AsyncUnknown(AsyncOpen, Generic[Op]):
    """An unknown outcome: money may have moved. It has no operation; look it up."""

    async def look_up(self) -> "AsyncLookup[Op]":
        """Reads what the ledger recorded.

        An operation that is not listed is absent only once no copy of the request can still
        arrive, `Policy.settle` seconds after the last attempt; before, this stays unknown.
        """
        ledger = self._ledger
        steps = look_up(self._verdict, ledger._prepare, ledger.policy, ledger._opened)
        verdict = await ledger._run(steps)
        if verdict.unknown is not None:
            return AsyncUnknown(ledger, verdict)
        return Absence(self.external_id) if verdict.absent else Success(verdict.operation)

    async def repeat(self) -> "AsyncOutcome[Op]":
        """Sends the same terms under the same `external_id` once more."""
        intent = self._verdict.intent
        return await self._ledger._create(intent.kind, intent.external_id, intent.terms)


class AsyncRepeatOnly(AsyncOpen, Generic[Op]):
    """An unknown outcome that no read lists by its `external_id`: repeat it to find out."""

    async def repeat(self) -> "AsyncRepeatOutcome[Op]":
        """Sends the same terms under the same `external_id` once more."""
        intent = self._verdict.intent
        return await self._ledger._create_unlisted(intent.kind, intent.external_id, intent.terms)


def unknown(ledger: AsyncCore, verdict: Verdict) -> AsyncUnknown[Any] | AsyncRepeatOnly[Any]:
    """The unknown outcome of an intent, by whether a read lists it."""
    listed = verdict.intent.kind.read is not None
    return AsyncUnknown(ledger, verdict) if listed else AsyncRepeatOnly(ledger, verdict)


AsyncOutcome: TypeAlias = Success[Op] | Refusal | AsyncUnknown[Op]
AsyncRepeatOutcome: TypeAlias = Success[Op] | Refusal | AsyncRepeatOnly[Op]
AsyncLookup: TypeAlias = Success[Op] | Absence | AsyncUnknown[Op]
