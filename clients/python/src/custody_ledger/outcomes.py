"""Outcomes of intents that both clients share."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .errors import ServiceError
from .intents import Verdict

Op_co = TypeVar("Op_co", covariant=True)


@dataclass(frozen=True)
class Success(Generic[Op_co]):
    """The operation that the ledger recorded under the `external_id`."""

    operation: Op_co


@dataclass(frozen=True)
class Refusal:
    """The ledger's refusal: nothing was recorded, so the same `external_id` is free again."""

    error: ServiceError


@dataclass(frozen=True)
class Absence:
    """Proof of a look-up that the ledger has no operation under the `external_id`.

    Use the same `external_id` again, with the same terms or others.
    """

    external_id: str


def ended(verdict: Verdict) -> Success[Any] | Refusal | None:
    """The outcome of an intent that is certain."""
    if verdict.refusal is not None:
        return Refusal(verdict.refusal)
    return None if verdict.unknown is not None else Success(verdict.operation)
