"""A client of custody-ledger: PIX and crypto, with unknown outcomes as values."""

from .async_ledger import (
    AsyncLookup,
    AsyncOutcome,
    AsyncRepeatOnly,
    AsyncRepeatOutcome,
    AsyncUnknown,
)
from .attempts import Policy
from .errors import (
    LedgerError,
    NoAnswer,
    RequestError,
    ServiceError,
    StopError,
    SupportError,
    TransientError,
    UnresolvedIntent,
    WaitError,
)
from .ledger import AsyncLedger, Ledger
from .outcomes import Absence, Refusal, Success
from .sync_ledger import Lookup, Outcome, RepeatOnly, RepeatOutcome, Unknown
from .webhooks import WebhookError, verify_webhook

__all__ = [
    "Absence",
    "AsyncLedger",
    "AsyncLookup",
    "AsyncOutcome",
    "AsyncRepeatOnly",
    "AsyncRepeatOutcome",
    "AsyncUnknown",
    "Ledger",
    "LedgerError",
    "Lookup",
    "NoAnswer",
    "Outcome",
    "Policy",
    "Refusal",
    "RepeatOnly",
    "RepeatOutcome",
    "RequestError",
    "ServiceError",
    "StopError",
    "Success",
    "SupportError",
    "TransientError",
    "Unknown",
    "UnresolvedIntent",
    "WaitError",
    "WebhookError",
    "verify_webhook",
]
