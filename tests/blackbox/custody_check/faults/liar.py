"""A proxy that lies: faults planted between the checker and an honest service.

The ledger is not rebuilt, so its faults are played here: each lie looks to a client as the fault
of its name would. `LIES` names, for each, the findings of which one must follow.
"""
import http.client
import json
import random
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, Callable

from ..client.amounts import millionths, usdt
from ..client.receiver import QuietServer

LIES: dict[str, set[str]] = {
    "stale-read": {"stale-read"},
    "lost-acknowledgement": {"acknowledged-and-lost"},
    "double-apply": {"twice", "unexplained-row", "wrong-row", "wrong-balance"},
    "swallowed-refusal": {"acknowledged-and-lost"},
    "reordered-webhook": {"reordered-webhook"},
    "missing-webhook": {"missing-webhook"},
    "early-release": {"wrong-balance", "stale-read"},
    "foreign-data": {"foreign", "wrong-row", "wrong-balance", "wrong-answer"},
    "changed-answer": {"changed-answer"},
    "lost-after-restart": {"acknowledged-and-lost"},
    "one-centavo": {"wrong-balance"},
    "skipped-row": {"skipped-row"},
    "no-edge": {"wrong-status", "stale-read"},
    "one-millionth": {"wrong-wallet"},
    "shared-amount": {"shared-amount"},
    "unearned-commission": {"wrong-commission"},
    "paid-too-early": {"wrong-status"},
    "ignored-mandate": {"acknowledged-and-lost"},
    "unearned-reward": {"wrong-reward"},
}
PASSED_ON = ("x-ledger-record", "content-type")


class Exchange:
    """A request that passes through, and the answer to it."""

    def __init__(self, method: str, path: str, headers: dict[str, str], body: bytes):
        self.method, self.path, self.headers, self.body = method, path, headers, body
        self.status = 0
        self.answer: Any = None
        self.shown: dict[str, str] = {}

    @property
    def asked(self) -> dict[str, Any]:
        """Returns the body of the request."""
        return json.loads(self.body) if self.body else {}

    def is_write(self) -> bool:
        """Tells whether it is a transfer or a payout."""
        return self.method == "POST" and self.path in ("/saldo/transferir", "/payouts")


class Liar:
    """Stands between clients and a service, and between its courier and a receiver."""

    def __init__(self, target: int, hooks: int, port: int = 0, seed: int = 1):
        self.target, self.hooks, self.kind = target, hooks, "none"
        self.servers: list[QuietServer] = []
        self.dice, self.lock, self.told = random.Random(seed), threading.Lock(), 0
        self.forget()
        self.front = self.listen(self.pass_on)
        self.listen(self.pass_hook, port)

    def listen(self, passing: Callable[[Exchange], None], port: int = 0) -> QuietServer:
        """Listens on one more port."""
        self.servers.append(QuietServer(("127.0.0.1", port), self.handler(passing)))
        threading.Thread(target=self.servers[-1].serve_forever, daemon=True).start()
        return self.servers[-1]

    def forget(self) -> None:
        """Forgets what was seen, for another lie."""
        self.cache: dict[tuple[str, str], tuple[float, Any]] = {}
        self.template: dict[str, Any] = {}
        self.keys: list[str] = []
        self.recent: list[tuple[float, str, str]] = []
        self.hidden: set[str] = set()
        self.kept: dict[str, Exchange] = {}
        self.seen: set[str] = set()
        self.began, self.restarted, self.told = time.monotonic(), False, 0

    def tell(self, kind: str) -> None:
        """Begins to tell one lie."""
        self.forget()
        self.kind = kind

    @property
    def url(self) -> str:
        """Returns where clients reach it."""
        return f"http://127.0.0.1:{self.front.server_port}"

    def handler(self, passing: Callable[[Exchange], None]) -> type[BaseHTTPRequestHandler]:
        """Makes a handler that passes everything on."""

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def pass_through(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                exchange = Exchange(self.command, self.path, dict(self.headers), body)
                try:
                    passing(exchange)
                except (OSError, http.client.HTTPException, ValueError):
                    self.close_connection = True
                    return
                data = b"" if exchange.answer is None else json.dumps(exchange.answer).encode()
                self.send_response(exchange.status)
                for name, value in exchange.shown.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = pass_through

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def forward(self, port: int, exchange: Exchange) -> None:
        """Sends a request on, and takes its answer."""
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {name: value for name, value in exchange.headers.items()
                   if name.lower() not in ("host", "content-length", "connection")}
        link.request(exchange.method, exchange.path, exchange.body or None, headers)
        response = link.getresponse()
        text = response.read()
        link.close()
        exchange.status = response.status
        exchange.answer = json.loads(text) if text else None
        exchange.shown = {name: value for name, value in response.getheaders()
                          if name.lower() in PASSED_ON}

    def pass_on(self, exchange: Exchange) -> None:
        """Passes a client's request on, and lies about it."""
        key = exchange.headers.get("X-API-Key", "")
        with self.lock:
            if key not in self.keys and not key.endswith("0" * 40):
                self.keys.append(key)
        before = getattr(self, "before_" + self.kind.replace("-", "_"), None)
        if before is not None and before(exchange):
            return
        self.forward(self.target, exchange)
        if exchange.is_write() and exchange.status == 200:
            with self.lock:
                self.template[exchange.path] = exchange.answer
        after = getattr(self, "after_" + self.kind.replace("-", "_"), None)
        if after is not None:
            after(exchange)

    def chance(self, share: float) -> bool:
        """Draws whether to lie, never within the first half second."""
        with self.lock:
            drawn = time.monotonic() - self.began > 0.5 and self.dice.random() < share
        return drawn

    def forge(self, exchange: Exchange) -> bool:
        """Answers a write as if it had been done."""
        template = self.template.get(exchange.path)
        if template is None:
            return False
        forged = {**template, **{name: value for name, value in exchange.asked.items()
                                 if name in template and name != "pix_key"}}
        name = "transfer_id" if "transfer_id" in template else "payout_id"
        forged[name] = template[name][:-8] + f"{self.dice.getrandbits(32):08x}"
        if "debited_cents" in forged:
            fee = forged["amount_cents"] * 150 // 10_000
            forged |= {"fee_cents": fee, "debited_cents": forged["amount_cents"] + fee}
        exchange.status, exchange.answer = 200, forged
        exchange.shown = {"content-type": "application/json"}
        self.told += 1
        return True

    # The lies to clients.

    def after_stale_read(self, exchange: Exchange) -> None:
        """Answers a balance as it stood a second ago."""
        if exchange.method == "GET" and exchange.path.split("?")[0] == "/saldo":
            place = (exchange.headers.get("X-API-Key", ""), exchange.path)
            with self.lock:
                at, old = self.cache.setdefault(place, (time.monotonic(), exchange.answer))
                if time.monotonic() - at > 1.0:
                    self.cache[place] = (time.monotonic(), exchange.answer)
                    exchange.answer, self.told = old, self.told + 1

    def before_lost_acknowledgement(self, exchange: Exchange) -> bool:
        """Answers a write and does not pass it on."""
        return exchange.is_write() and self.chance(0.05) and self.forge(exchange)

    def after_double_apply(self, exchange: Exchange) -> None:
        """Passes a transfer on a second time, as another."""
        if exchange.path == "/saldo/transferir" and exchange.status == 200 and self.chance(0.2):
            body = {**exchange.asked, "external_id": exchange.asked["external_id"] + "x"}
            again = Exchange("POST", exchange.path, exchange.headers, json.dumps(body).encode())
            self.forward(self.target, again)
            self.told += 1

    def after_swallowed_refusal(self, exchange: Exchange) -> None:
        """Answers a write that was refused as if it had been done."""
        if exchange.is_write() and exchange.status in (402, 409):
            if exchange.answer["erro"] == "saldo_insuficiente" and self.chance(0.5):
                self.forge(exchange)

    def after_early_release(self, exchange: Exchange) -> None:
        """Shows what is blocked as available."""
        answer = exchange.answer
        if isinstance(answer, dict) and answer.get("proximas_liberacoes") and self.chance(0.3):
            answer["disponivel_cents"] += answer["bloqueado_cents"]
            answer["bloqueado_cents"], self.told = 0, self.told + 1

    def before_foreign_data(self, exchange: Exchange) -> bool:
        """Asks for a statement or a balance by another account's key."""
        if exchange.method == "GET" and exchange.path.startswith("/saldo") and self.chance(0.05):
            others = [key for key in self.keys if key != exchange.headers.get("X-API-Key")]
            if others:
                exchange.headers["X-API-Key"] = self.dice.choice(others)
                self.told += 1
        return False

    def after_changed_answer(self, exchange: Exchange) -> None:
        """Answers a repeat with another id."""
        if not exchange.is_write() or exchange.status != 200:
            return
        external = exchange.asked["external_id"]
        with self.lock:
            again = external in self.seen
            self.seen.add(external)
        if again and self.chance(0.5):
            name = "transfer_id" if "transfer_id" in exchange.answer else "payout_id"
            exchange.answer[name] = exchange.answer[name][:-4] + "ffff"
            self.told += 1

    def before_lost_after_restart(self, exchange: Exchange) -> bool:
        """Breaks off once, and forgets what was acknowledged just before."""
        with self.lock:
            if not self.restarted and time.monotonic() - self.began > 1.5:
                self.restarted = True
                latest = [one for one in self.recent if one[1] == "/payouts"][-3:]
                self.hidden = {external for _, _, external in latest}
                raise OSError("a restart is played")
        return False

    def after_lost_after_restart(self, exchange: Exchange) -> None:
        """Shows no more of what was forgotten."""
        if exchange.is_write() and exchange.status == 200:
            with self.lock:
                self.recent.append((time.monotonic(), exchange.path, exchange.asked["external_id"]))
        if exchange.path.startswith("/payouts?") and exchange.method == "GET":
            if exchange.path.rsplit("=", 1)[1] in self.hidden:
                exchange.answer, self.told = {"payouts": []}, self.told + 1

    def after_one_centavo(self, exchange: Exchange) -> None:
        """Shows a centavo too much."""
        answer = exchange.answer
        if isinstance(answer, dict) and "custodia_ativa" in answer and self.chance(0.05):
            answer["disponivel_cents"] += 1
            self.told += 1

    def after_skipped_row(self, exchange: Exchange) -> None:
        """Leaves a row of a statement out."""
        answer = exchange.answer
        if isinstance(answer, dict) and answer.get("visao") == "lancamentos" and self.chance(0.2):
            if len(answer["items"]) > 2:
                del answer["items"][self.dice.randrange(1, len(answer["items"]) - 1)]
                self.told += 1

    def after_no_edge(self, exchange: Exchange) -> None:
        """Shows a charge that was paid as expired."""
        answer = exchange.answer
        if exchange.path.endswith("/status") and isinstance(answer, dict):
            if answer.get("status") == "paid" and self.chance(0.2):
                answer["status"], self.told = "expired", self.told + 1

    def after_one_millionth(self, exchange: Exchange) -> None:
        """Shows a millionth too much in a wallet."""
        if exchange.path == "/carteira-usdt" and exchange.status == 200 and self.chance(0.3):
            shown = exchange.answer["balance"]
            shown["available"] = usdt(millionths(shown["available"]) + 1)
            self.told += 1

    def after_shared_amount(self, exchange: Exchange) -> None:
        """Gives the same amount to a second request at an address."""
        if exchange.path == "/carteira-usdt/deposits" and exchange.status == 201:
            answer = exchange.answer
            with self.lock:
                first = self.template.setdefault(answer["address"], answer)
            if first is not answer and self.chance(0.3):
                answer["amount_to_send"], self.told = first["amount_to_send"], self.told + 1

    def after_unearned_commission(self, exchange: Exchange) -> None:
        """Shows a centavo of commission too much."""
        if exchange.path == "/comissao" and exchange.status == 200 and self.chance(0.3):
            exchange.answer["saldo_cents"] += 1
            self.told += 1

    def after_paid_too_early(self, exchange: Exchange) -> None:
        """Shows an order whose coins are sold, or that a person must look at, as completed."""
        answer = exchange.answer
        if exchange.method == "GET" and isinstance(answer, dict):
            for item in answer.get("cash_outs", [answer]):
                if item.get("state") in ("SELLING", "SOLD", "PAYING_OUT", "MANUAL_REVIEW"):
                    item["state"], self.told = "COMPLETED", self.told + 1

    def after_ignored_mandate(self, exchange: Exchange) -> None:
        """Answers a payout that a mandate forbids as if it had been done."""
        if exchange.is_write() and exchange.status == 403:
            if exchange.answer["erro"].startswith("mandate_"):
                self.forge(exchange)

    def after_unearned_reward(self, exchange: Exchange) -> None:
        """Shows a centavo of reward too much."""
        if exchange.path.endswith("/rewards") and exchange.status == 200:
            exchange.answer["accrued_cents"] += 1
            self.told += 1

    # The lies to the receiver.

    def pass_hook(self, exchange: Exchange) -> None:
        """Passes a webhook on, leaves it out, or keeps it until the next has come."""
        said = exchange.asked
        about = str(said["data"].get("cashin_id") or said["data"].get("payout_id"))
        if self.kind == "missing-webhook" and self.chance(0.03):
            exchange.status, self.told = 204, self.told + 1
            return
        if self.kind == "reordered-webhook":
            with self.lock:
                kept = self.kept.pop(about, None)
                first = said["event"] in ("payout.created", "cashin.delayed")
                if kept is None and first and about not in self.seen:
                    self.kept[about] = exchange
                    self.seen.add(about)
                    exchange.status = 204
                    return
            self.forward(self.hooks, exchange)
            if kept is not None:
                self.forward(self.hooks, kept)
                self.told += 1
            return
        self.forward(self.hooks, exchange)

    def close(self) -> None:
        """Stops listening."""
        for server in self.servers:
            server.shutdown()
            server.server_close()
