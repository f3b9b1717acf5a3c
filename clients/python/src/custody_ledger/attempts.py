"""Attempts and pauses, without I/O: both the plain client and the one for asyncio run them."""

import email.utils
import json
import random
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import NoAnswer, ServiceError

R = TypeVar("R")


@dataclass(frozen=True)
class Policy:
    """Bounds of attempts, all in seconds but the first."""

    attempts: int = 4
    timeout: float = 15.0
    # The first pause is up to this; each further one is up to twice as long.
    backoff: float = 0.25
    longest_backoff: float = 5.0
    # A longer `Retry-After` is not waited for: the caller gets the error.
    longest_wait: float = 30.0
    # No copy of a request arrives later than this after its last attempt. An operation that is
    # not listed by then is absent.
    settle: float = 60.0


DEFAULTS = Policy()


@dataclass(frozen=True)
class Request:
    """A request; `body` is JSON in UTF-8."""

    method: str
    target: str
    body: bytes | None
    # True where a second attempt changes nothing.
    repeatable: bool
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Response:
    """An answer that came whole; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Pause:
    """Seconds to wait before the next attempt."""

    seconds: float


Steps = Generator[Request | Pause, Response | NoAnswer | None, R]


@dataclass(frozen=True)
class Result:
    """How the attempts of one request ended."""

    # The JSON of a 2xx, else None.
    value: Any
    error: ServiceError | NoAnswer | None
    # True where an unanswered attempt may have been carried out.
    unanswered: bool


def attempts(request: Request, policy: Policy) -> Steps[Result]:
    """Sends a request until it is answered for good or the policy's attempts are used up."""
    unanswered = False
    for number in range(policy.attempts):
        answer = yield request
        assert answer is not None
        value, error = read(answer)
        if error is None:
            return Result(value, None, unanswered)
        unanswered |= not is_refusal(error)
        wait = pause(error, number, request, policy)
        if wait is None or number + 1 == policy.attempts:
            break
        yield Pause(wait)
    return Result(None, error, unanswered)


def is_refusal(error: ServiceError | NoAnswer) -> bool:
    """Whether an error says that nothing was done: a 4xx in the contract's words."""
    return isinstance(error, ServiceError) and error.status < 500 and error.acao != "repetir"


def read(answer: Response | NoAnswer) -> tuple[Any, ServiceError | NoAnswer | None]:
    """The JSON of a 2xx, or the error of anything else."""
    if isinstance(answer, NoAnswer):
        return None, answer
    try:
        body = json.loads(answer.body)
    except ValueError:
        return None, NoAnswer(f"{answer.status} without the contract's body")
    if 200 <= answer.status < 300:
        return body, None
    words = isinstance(body, dict) and all(isinstance(body.get(it), str) for it in ("erro", "acao"))
    if answer.status < 400 or not words:
        return None, NoAnswer(f"{answer.status} without the contract's body")
    return None, ServiceError.from_body(answer.status, body, retry_after(answer, body))


def retry_after(answer: Response, body: Mapping[str, Any]) -> float | None:
    """Seconds of `Retry-After`, a number or a date, or of the body's field."""
    header = answer.headers.get("retry-after")
    try:
        if header is None:
            seconds = body.get("retry_after_seconds")
            return None if seconds is None else max(0.0, float(seconds))
        if header.strip().isdigit():
            return float(header)
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def pause(
    error: ServiceError | NoAnswer, number: int, request: Request, policy: Policy
) -> float | None:
    """Seconds before another attempt, or None where none may follow."""
    most = min(policy.longest_backoff, policy.backoff * 2.0**number)
    jittered = most * random.uniform(0.5, 1.0)
    if isinstance(error, NoAnswer):
        return jittered if request.repeatable else None
    wait = error.retry_after
    if wait is not None and wait > policy.longest_wait:
        return None
    if error.acao == "repetir":
        return max(jittered, wait or 0.0)
    if error.acao == "esperar" and (wait is not None or error.status >= 500):
        return max(jittered, wait or 0.0)
    return None
