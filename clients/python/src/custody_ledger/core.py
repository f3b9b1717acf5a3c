"""How requests are prepared, alike for both clients."""

import json
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from .attempts import Policy, Request


class Prepared:
    """A key and a policy, from which requests are made."""

    def __init__(self, api_key: str | None, policy: Policy) -> None:
        self._api_key = api_key
        self.policy = policy

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def _prepare(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        repeatable: bool = False,
    ) -> Request:
        """A request under a correlation id that all its attempts share."""
        headers = {
            "Accept": "application/json",
            "User-Agent": "custody-ledger-python/0.1.0",
            "X-Request-ID": f"req-{secrets.token_hex(8)}",
        }
        if self._api_key is not None:
            headers["X-API-Key"] = self._api_key
        if body is not None:
            headers["Content-Type"] = "application/json"
        return Request(method, path + encode(query or {}), encoded(body), repeatable, headers)

    @staticmethod
    def _segment(text: str) -> str:
        """A part of a path."""
        return quote(text, safe="")


def encode(query: Mapping[str, Any]) -> str:
    """A query without its absent parameters."""
    pairs = {name: value for name, value in query.items() if value is not None}
    return "?" + urlencode(pairs) if pairs else ""


def encoded(body: Mapping[str, Any] | None) -> bytes | None:
    """A body as JSON."""
    return None if body is None else json.dumps(body, ensure_ascii=False).encode()
