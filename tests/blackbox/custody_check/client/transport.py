"""One connection a thread to a service, with the times at which a request began and ended."""
import http.client
import json
import socket
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Answer:
    """An answer, or its absence: status 0 says that nothing readable came."""

    status: int
    body: Any
    record: int | None
    began: int
    ended: int
    error: str = ""


class Connection:
    """Keeps a connection to one address and opens it anew after any trouble."""

    def __init__(self, url: str, timeout: float = 8.0):
        parts = urlsplit(url)
        self.address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self.timeout = timeout
        self.link: http.client.HTTPConnection | None = None

    def send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        """Sends one request once; a broken connection is an answer of status 0."""
        data = None if body is None else json.dumps(body).encode()
        named = dict(headers)
        if data is not None:
            named["Content-Type"] = "application/json"
        began = time.monotonic_ns()
        try:
            if self.link is None:
                self.link = http.client.HTTPConnection(*self.address, timeout=self.timeout)
                self.link.connect()
                self.link.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.link.request(method, path, data, named)
            response = self.link.getresponse()
            text = response.read()
            ended = time.monotonic_ns()
            number = response.getheader("x-ledger-record")
            value = json.loads(text) if text else None
            return Answer(response.status, value, int(number) if number else None, began, ended)
        except (OSError, http.client.HTTPException, ValueError) as trouble:
            self.close()
            ended = time.monotonic_ns()
            return Answer(0, None, None, began, ended, type(trouble).__name__)

    def raw(self, path: str, headers: dict[str, str], patience: float = 20.0) -> bytes:
        """Reads bytes by GET, again while the service asks for patience by 503; raises where the
        answer is no 200."""
        deadline = time.monotonic() + patience
        while True:
            link = http.client.HTTPConnection(*self.address, timeout=30)
            link.request("GET", path, None, headers)
            response = link.getresponse()
            data = response.read()
            link.close()
            if response.status == 200:
                return data
            if response.status != 503 or time.monotonic() > deadline:
                raise OSError(f"{path} was answered {response.status}: {data[:200]!r}")
            time.sleep(0.5)

    def close(self) -> None:
        """Drops the connection."""
        if self.link is not None:
            self.link.close()
            self.link = None
