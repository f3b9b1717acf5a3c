"""The provider's side of a pair: it takes pushed instructions, and notes which member sent each."""
import json
import random
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from ..client.receiver import QuietServer, genuine

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass
class Push:
    """One instruction as it came."""

    at: int
    sender: int
    content: dict[str, Any]
    taken: bool
    signed: bool

    @property
    def event(self) -> str:
        """Returns the id of the instruction."""
        return str(self.content["id"])

    @property
    def key(self) -> str:
        """Returns the key under which it is carried out once."""
        return str(self.content["idempotency_key"])

    @property
    def operation(self) -> str:
        """Returns the operation that it is of."""
        return str(self.content["operation"])


class Provider:
    """Takes instructions on a port for each member, and refuses a part of them."""

    def __init__(self, members: int, refuse: float = 0.02):
        self.pushes: list[Push] = []
        self.refuse, self.dice, self.lock = refuse, random.Random(8), threading.Lock()
        self.servers = [QuietServer(("127.0.0.1", 0), self.handler(sender))
                        for sender in range(members)]
        self.ports = [server.server_port for server in self.servers]
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def handler(self, sender: int) -> type[BaseHTTPRequestHandler]:
        """Makes a handler of what one member sends."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                taken = provider.dice.random() >= provider.refuse
                low = {name.lower(): value for name, value in self.headers.items()}
                push = Push(time.monotonic_ns(), sender, json.loads(body), taken,
                            genuine(SECRET, low, body))
                with provider.lock:
                    provider.pushes.append(push)
                self.send_response(204 if taken else 500)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def close(self) -> None:
        """Stops listening."""
        for server in self.servers:
            server.shutdown()
            server.server_close()
