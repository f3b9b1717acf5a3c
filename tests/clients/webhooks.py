"""Deliveries of a service, verified by the library of Standard Webhooks for Python.

Runs with the address of a service that sends all webhooks to the port that is the second argument.
What came is written to `deliveries.json`, for `webhooks.mjs` to verify by the library for Node.js.
"""

import base64
import html
import json
import re
import sys
from datetime import datetime, timedelta, timezone
from typing import Any
from unittest import mock
from urllib.request import urlopen

from standardwebhooks import Webhook, WebhookVerificationError

from receiver import Delivery, Receiver
from service import endpoint_set, key_for_tests, paid

# How long a delivery may take to come, in seconds.
PATIENCE = 30


def delivered(receiver: Receiver, key_of: str) -> Delivery:
    """The first delivery about an operation; what comes of others meanwhile is passed over."""
    while True:
        delivery = receiver.came.get(timeout=PATIENCE)
        if key_of in delivery.body.decode():
            return delivery


def admitted(secret: str, delivery: Delivery, later: timedelta = timedelta(0)) -> bool:
    """Whether the library believes a delivery under a secret, so much later than now."""
    now = datetime.now(tz=timezone.utc) + later
    with mock.patch("standardwebhooks.webhooks.datetime", wraps=datetime) as clock:
        clock.now.side_effect = lambda tz=None: now
        try:
            return bool(Webhook(secret).verify(delivery.body, delivery.headers))
        except WebhookVerificationError:
            return False


def verify(delivery: Delivery, secrets: list[str], strangers: list[str]) -> None:
    """A delivery is believed under its own secrets, as it came and while it is fresh."""
    for secret in secrets:
        assert admitted(secret, delivery), delivery
        assert admitted(secret, delivery, timedelta(minutes=4)), "four minutes are not old"
        assert not admitted(secret, delivery, timedelta(minutes=6)), "six minutes are old"
        assert not admitted(secret, delivery, timedelta(minutes=-6)), "it comes from later"
        body = bytearray(delivery.body)
        for place in range(len(body)):
            body[place] ^= 1
            changed = delivery._replace(body=bytes(body))
            assert not admitted(secret, changed), f"byte {place} was changed"
            body[place] ^= 1
        for name in ("webhook-id", "webhook-timestamp"):
            value = delivery.headers[name]
            other = value[:-1] + ("1" if value[-1] == "0" else "0")
            changed = delivery._replace(headers={**delivery.headers, name: other})
            assert not admitted(secret, changed), f"{name} was changed"
    for secret in strangers:
        assert not admitted(secret, delivery), "another's secret"


def as_the_page_says(base: str) -> Any:
    """The function that the page of the API shows for whoever has no library."""
    page = urlopen(f"{base}/docs?lang=en").read().decode()
    (shown,) = re.findall(r">(import base64[^<]*def verified.*?)</code>", page, re.S)
    names: dict[str, Any] = {}
    exec(html.unescape(shown), names)
    return names["verified"]


def main(base: str, port: int) -> None:
    received = []
    with Receiver(port) as receiver:
        key = key_for_tests(base)
        first = endpoint_set(base, key, rotate_webhook_secret=True)["webhook_whsec"]
        alone = delivered(receiver, paid(base, key, "hooked-1"))
        second = endpoint_set(base, key, rotate_webhook_secret=True)["webhook_whsec"]
        both = delivered(receiver, paid(base, key, "hooked-2"))
        other = endpoint_set(base, key_for_tests(base), rotate_webhook_secret=True)
    stranger = other["webhook_whsec"]
    for delivery, secrets, strangers in (
        (alone, [first], [second, stranger]),
        (both, [first, second], [stranger]),
    ):
        signatures = delivery.headers["webhook-signature"].split(" ")
        assert len(signatures) == len(secrets), signatures
        verify(delivery, secrets, strangers)
        shown = as_the_page_says(base)
        assert all(shown(it, delivery.headers, delivery.body) for it in secrets)
        assert not any(shown(it, delivery.headers, delivery.body + b" ") for it in secrets)
        assert not any(shown(it, delivery.headers, delivery.body) for it in strangers)
        received.append(
            {
                "headers": delivery.headers,
                "body": base64.b64encode(delivery.body).decode(),
                "secrets": secrets,
                "strangers": strangers,
            }
        )
    with open("deliveries.json", "w") as file:
        json.dump(received, file)
    print(f"webhooks in Python: {len(received)} deliveries verified, one with two secrets")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
