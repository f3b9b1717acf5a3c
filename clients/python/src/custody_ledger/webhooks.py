"""Webhooks believed by their signatures, as Standard Webhooks 1.0.0 has them."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import cast

from .errors import LedgerError
from .schemas import WebhookEvent

# Seconds that a timestamp may be old or ahead.
TOLERANCE = 300


class WebhookError(LedgerError):
    """A delivery that is not believed: answer 400, and do nothing."""


def verify_webhook(
    secrets: str | Iterable[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: float | None = None,
    tolerance: float = TOLERANCE,
) -> WebhookEvent:
    """Returns the event of a delivery that one of the secrets signed.

    `secrets` are of the form `whsec_…`; `body` is the very bytes that came; `now` and `tolerance`
    are in seconds. Events may come twice: deduplicate by `event["id"]`.

    Raises WebhookError for every other delivery.
    """
    names = {name.lower(): value for name, value in headers.items()}
    try:
        id, timestamp = names["webhook-id"], names["webhook-timestamp"]
        signatures = names["webhook-signature"].split(" ")
        sent = int(timestamp)
    except (KeyError, ValueError) as error:
        raise WebhookError("a header of the signature is missing or malformed") from error
    if abs((time.time() if now is None else now) - sent) > tolerance:
        raise WebhookError("the timestamp is too old or ahead")
    content = f"{id}.{timestamp}.".encode() + body
    listed = [secrets] if isinstance(secrets, str) else list(secrets)
    expected = [signature(secret, content) for secret in listed]
    if not any(same(one, other) for one in expected for other in signatures):
        raise WebhookError("no signature fits")
    return cast(WebhookEvent, json.loads(body))


def signature(secret: str, content: bytes) -> str:
    """The signature of content under one secret."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("a secret has the form whsec_ and base64") from error
    return "v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()


def same(one: str, other: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())
