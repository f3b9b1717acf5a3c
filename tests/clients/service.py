"""Requests to a service that are made to prepare something: what they answer is what is wanted."""

import json
import urllib.request
from typing import Any


def asked(
    url: str, body: Any = None, headers: dict[str, str] | None = None, method: str | None = None
) -> Any:
    """What a service answers to a request that it does not refuse."""
    data = None if body is None else json.dumps(body).encode()
    kind = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data, kind, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def key_for_tests(base: str) -> str:
    """A test key of a new account."""
    key: str = asked(f"{base}/keys/sandbox", {"email": "ana@exemplo.com.br"})["api_key"]
    return key


def endpoint_set(base: str, key: str, **besides: Any) -> Any:
    """The account, with an address for webhooks; where they go instead, the service was told."""
    body = {"webhook_url": "https://loja.example/hooks", **besides}
    return asked(f"{base}/keys/me", body, {"X-API-Key": key}, "PATCH")


def paid(base: str, key: str, external_id: str) -> str:
    """The id of a charge of the sandbox that was created and paid now."""
    charge = {
        "amount_cents": 5_000,
        "payer_tax_number": "52998224725",
        "destino": "saldo",
        "customer_ref": "ana",
        "external_id": external_id,
    }
    made = asked(f"{base}/cashin/charge", charge, {"X-API-Key": key})
    cashin_id: str = made["cashin_id"]
    asked(f"{base}/sandbox/cashin/{cashin_id}/pay", {}, {"X-API-Key": key})
    return cashin_id
