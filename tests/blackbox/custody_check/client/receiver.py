"""A receiver of webhooks, and the provider's side that issues codes for charges."""
import base64
import binascii
import hashlib
import hmac
import json
import random
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Delivery:
    """One webhook as it came."""

    at: int
    path: str
    event: str
    name: str
    sequence: int
    data: dict[str, Any]
    taken: bool
    signed: bool
    sender: int = 0


class QuietServer(ThreadingHTTPServer):
    """A server of short answers that writes no log."""

    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a connection that breaks."""


class Receiver:
    """Takes webhooks, refuses a part of them, and notes each with its time."""

    def __init__(self, port: int, secrets: dict[str, str], refuse: float = 0.02, more: int = 0):
        self.deliveries: list[Delivery] = []
        self.secrets, self.refuse, self.dead = secrets, refuse, False
        self.lock, self.dice = threading.Lock(), random.Random(7)
        self.servers = [QuietServer(("127.0.0.1", one), self.handler(sender))
                        for sender, one in enumerate([port, *[0] * more])]
        self.ports = [server.server_port for server in self.servers]
        self.port = self.ports[0]
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def handler(self, sender: int) -> type[BaseHTTPRequestHandler]:
        """Makes a handler of what one sender delivers."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                taken = not receiver.dead and receiver.dice.random() >= receiver.refuse
                receiver.take(self.path, dict(self.headers), body, taken, sender)
                if receiver.dead:
                    self.close_connection = True
                    return
                self.send_response(204 if taken else 500)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def take(self, path: str, headers: dict[str, str], body: bytes, taken: bool,
             sender: int = 0) -> None:
        """Notes a webhook; one of another run is nobody's here."""
        account = path.rsplit("/", 1)[-1]
        if account not in self.secrets:
            return
        said = json.loads(body)
        low = {name.lower(): value for name, value in headers.items()}
        signed = genuine(self.secrets[account], low, body)
        with self.lock:
            self.deliveries.append(Delivery(time.monotonic_ns(), account, said["id"],
                                            said["event"], said["sequence"], said["data"],
                                            taken, signed, sender))

    def close(self) -> None:
        """Stops listening."""
        for server in self.servers:
            server.shutdown()
            server.server_close()


def genuine(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Tells whether the headers of Standard Webhooks sign these very bytes."""
    return signature(secret, headers, body) in headers.get("webhook-signature", "").split(" ")


def signature(secret: str, headers: dict[str, str], body: bytes) -> str:
    """Returns the signature that is due."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{headers.get('webhook-id')}.{headers.get('webhook-timestamp')}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, text, "sha256").digest()).decode()


def code_for(mark: str, cents: int) -> str:
    """Returns a BR Code of an amount: tags, lengths, and the CRC over all of it."""
    url = "check.example/" + mark
    fields = {"00": "01", "01": "12", "26": f"0014br.gov.bcb.pix25{len(url):02}{url}",
              "52": "0000", "53": "986", "54": f"{cents // 100}.{cents % 100:02}", "58": "BR",
              "59": "CHECK", "60": "SAO PAULO", "62": "0503***"}
    text = "".join(f"{tag}{len(value):02}{value}" for tag, value in fields.items()) + "6304"
    return text + f"{binascii.crc_hqx(text.encode(), 0xFFFF):04X}"


class Supplier:
    """Answers the questions of `--supply-url` (docs/provider.md), the same for the same key."""

    def __init__(self, port: int):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                answer: dict[str, Any] = {"unknown": True}
                if asked["question"] == "qr_code":
                    mark = asked["idempotency_key"][-32:]
                    answer = {"qr_copypaste": code_for(mark, asked["body"]["amount_cents"])}
                elif asked["question"] == "deposit_address":
                    mark = hashlib.sha256(asked["idempotency_key"].encode()).hexdigest()
                    answer = {"address": "0x" + mark[:40]}
                data = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = QuietServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stops listening."""
        self.server.shutdown()
        self.server.server_close()
