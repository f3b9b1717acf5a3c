"""A server that answers by a script: what a request gets stands in the path before its route.

A base address `http://HOST:PORT/NAME` has the script that was posted to `/NAME/script`: a list of
steps, one for each request. `GET /NAME/log` tells what came. Steps are of these forms:

    {"status": 503, "headers": {}, "body": ...}     an answer, its body as JSON or as text
    {"lose": true}                                  the connection is closed without an answer
    {"cut": true}                                   the answer ends in its middle
    {"hang": 2}                                     no answer for so many seconds
    {"chunks": ["{", "}"]}                          an answer in chunks
"""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Script:
    """The steps that are left, and the requests that came."""

    def __init__(self, steps: list[dict[str, Any]]) -> None:
        self.steps = steps
        self.log: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    def next(self, request: dict[str, Any]) -> dict[str, Any]:
        """Notes a request, and takes its step; without one the test is wrong."""
        with self.lock:
            self.log.append(request)
            return self.steps.pop(0) if self.steps else {"status": 418, "body": "no step is left"}


class Stub(ThreadingHTTPServer):
    """The server, with the scripts by name."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.scripts: dict[str, Script] = {}
        self.base = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536
    server: Stub

    def do_GET(self) -> None:
        self.handle_request()

    def do_POST(self) -> None:
        self.handle_request()

    def handle_request(self) -> None:
        _, name, route = self.path.split("/", 2)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if route == "script":
            self.server.scripts[name] = Script(json.loads(body))
            return self.answer(200, {}, b"{}")
        script = self.server.scripts[name]
        if route == "log":
            return self.answer(200, {}, json.dumps(script.log).encode())
        request = {
            "method": self.command,
            "path": "/" + route,
            "body": json.loads(body) if body else None,
            "request_id": self.headers["X-Request-ID"],
            "at": time.monotonic(),
        }
        self.play(script.next(request))

    def play(self, step: dict[str, Any]) -> None:
        """Carries one step out."""
        if "hang" in step:
            time.sleep(step["hang"])
        if step.keys() & {"lose", "hang"}:
            self.close_connection = True
        elif "chunks" in step:
            self.chunked(step["chunks"])
        else:
            body = step.get("body", {})
            text = body if isinstance(body, str) else json.dumps(body)
            self.answer(step.get("status", 200), step.get("headers", {}), text.encode(), step)

    def answer(
        self, status: int, headers: dict[str, str], body: bytes, step: dict[str, Any] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if step is not None and "cut" in step:
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)

    def chunked(self, chunks: list[str]) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(f"{len(chunk.encode()):x}\r\n{chunk}\r\n".encode())
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    """Serves until its input ends, and prints its address first."""
    stub = Stub()
    threading.Thread(target=stub.serve_forever, daemon=True).start()
    print(stub.base, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
