"""An endpoint for webhooks on this machine: takes whatever is sent, and keeps it."""

import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple


class Delivery(NamedTuple):
    """A request as it came: its headers in lower case, and the very bytes of its body."""

    headers: dict[str, str]
    body: bytes


class Receiver:
    """Answers 204 on a port of this machine, for as long as it is entered."""

    def __init__(self, port: int) -> None:
        self.came: queue.Queue[Delivery] = queue.Queue()
        came = self.came

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                named = {name.lower(): value for name, value in self.headers.items()}
                came.put(Delivery(named, body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)

    def __enter__(self) -> "Receiver":
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.server.shutdown()
        self.server.server_close()
