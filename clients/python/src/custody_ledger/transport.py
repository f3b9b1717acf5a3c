"""Requests over `http.client`, with connections that are kept for a few seconds."""

import http.client
import ssl
import threading
import time
from urllib.parse import urlsplit

from .attempts import Request, Response
from .errors import NoAnswer

# Seconds that an idle connection is used again for; servers close theirs later.
IDLE = 4.0


class Address:
    """The parts of a base address."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{base_url!r} is no address of a service")
        self.tls = parts.scheme == "https"
        self.host = parts.hostname
        self.port = parts.port or (443 if self.tls else 80)
        self.prefix = parts.path.rstrip("/")
        host = f"[{self.host}]" if ":" in self.host else self.host
        self.url = f"{parts.scheme}://{host}:{self.port}{self.prefix}"

    def no_answer(self, request: Request, error: Exception) -> NoAnswer:
        """Why a request has no answer; a query may name a person, so it is left out."""
        path = request.target.split("?", 1)[0]
        return NoAnswer(f"{self.url}{path}: {type(error).__name__}: {error}")


class Transport:
    """Sends requests; threads may share it."""

    def __init__(self, base_url: str, context: ssl.SSLContext | None = None) -> None:
        self._address = Address(base_url)
        # Reading the system's certificates takes long, so plain HTTP does without.
        self._context = context or (ssl.create_default_context() if self._address.tls else None)
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    def send(self, request: Request, timeout: float) -> Response | NoAnswer:
        """Sends one request, and returns the whole answer or why there is none."""
        connection = self._connection(request.repeatable, timeout)
        try:
            target = self._address.prefix + request.target
            connection.request(request.method, target, request.body, dict(request.headers))
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            response = Response(answer.status, headers, answer.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            return self._address.no_answer(request, error)
        except BaseException:
            connection.close()
            raise
        if answer.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append((time.monotonic(), connection))
        return response

    def _connection(self, reuse: bool, timeout: float) -> http.client.HTTPConnection:
        """An idle connection, or a new one."""
        address = self._address
        while reuse:
            with self._lock:
                if not self._idle:
                    break
                since, connection = self._idle.pop()
            if time.monotonic() - since < IDLE and connection.sock is not None:
                connection.sock.settimeout(timeout)
                return connection
            connection.close()
        if address.tls:
            return http.client.HTTPSConnection(
                address.host, address.port, timeout=timeout, context=self._context
            )
        return http.client.HTTPConnection(address.host, address.port, timeout=timeout)

    def close(self) -> None:
        """Closes idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()
