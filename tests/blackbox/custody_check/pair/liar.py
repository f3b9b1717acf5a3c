"""Lies of a pair: faults planted between clients, an honest pair and those whom it sends to."""
import json
import threading
import time
from functools import partial

from ..client.receiver import QuietServer, signature
from ..faults.liar import Exchange, Liar
from .provider import SECRET

PAIR_LIES: dict[str, set[str]] = {
    "old-answers": {"stale-read"},
    "replayed-payout": {"unexplained-payout"},
    "standby-answers": {"out-of-turn"},
    "old-courier": {"fenced-webhook"},
    "second-key": {"payout-twice"},
}


class PairLiar(Liar):
    """Stands before the router, before each member, and between both and their receivers."""

    def __init__(self, hooks: list[int], orders: list[int]):
        super().__init__(0, hooks[0])
        self.receivers, self.provider = hooks, orders[0]
        self.hook_ports = [self.listen(partial(self.pass_webhook, place, port)).server_port
                           for place, port in enumerate(hooks)]
        self.order_ports = [self.listen(partial(self.pass_order, port)).server_port
                            for port in orders]
        self.replica, self.doors = 0, list[QuietServer]()

    def forget(self) -> None:
        """Forgets what was seen, for another lie."""
        super().forget()
        self.payouts: list[Exchange] = []
        self.taken: list[tuple[int, Exchange]] = []
        self.orders: list[Exchange] = []
        self.switched = 0.0

    def connect(self, router: int, members: list[int], replica: int) -> None:
        """Says where the router, the members and a replica of them are."""
        self.target, self.replica = router, replica
        self.doors = [self.listen(partial(self.pass_door, port)) for port in members]

    def take_over(self, old: int) -> None:
        """Hears that a member was taken over from."""
        self.switched = time.monotonic()
        threading.Thread(target=self.lie_after_take_over, args=(old,), daemon=True).start()

    def lie_after_take_over(self, old: int) -> None:
        """Tells the lies that nobody's request calls for."""
        time.sleep(0.5)
        if self.kind == "replayed-payout":
            self.replay_payouts()
        if self.kind == "second-key":
            self.pay_again()
        if self.kind == "old-courier":
            time.sleep(4.0)
            self.deliver_again(old)

    def after_old_answers(self, exchange: Exchange) -> None:
        """Answers balances, after a take-over, as the old active did before it."""
        if exchange.method != "GET" or exchange.path.split("?")[0] != "/saldo":
            return
        place = (exchange.headers.get("X-API-Key", ""), exchange.path)
        with self.lock:
            if not self.switched and exchange.status == 200:
                self.cache[place] = (0.0, exchange.answer)
            elif self.switched and place in self.cache:
                exchange.status, exchange.answer = 200, self.cache[place][1]
                self.told += 1

    def after_replayed_payout(self, exchange: Exchange) -> None:
        """Notes payouts, to repeat them at the other member."""
        if exchange.path == "/payouts" and exchange.method == "POST" and exchange.status == 200:
            self.payouts.append(exchange)

    def replay_payouts(self) -> None:
        """Sends payouts to the member that took over, each under another external id."""
        for exchange in self.payouts[-5:]:
            body = {**exchange.asked, "external_id": exchange.asked["external_id"] + "y"}
            headers = {**exchange.headers, "X-Request-ID": "replayed"}
            again = Exchange("POST", "/payouts", headers, json.dumps(body).encode())
            self.forward(self.target, again)
            self.told += again.status == 200

    def pass_door(self, port: int, exchange: Exchange) -> None:
        """Lets a standby answer reads from what it has followed."""
        self.forward(port, exchange)
        if self.kind == "standby-answers" and exchange.status == 503 and exchange.method == "GET":
            self.forward(self.replica, exchange)
            self.told += exchange.status == 200

    def pass_webhook(self, place: int, port: int, exchange: Exchange) -> None:
        """Passes a webhook on, and notes who sent it."""
        self.forward(port, exchange)
        if exchange.status == 204:
            self.taken.append((place, exchange))

    def deliver_again(self, old: int) -> None:
        """Sends the last webhooks of the old active once more."""
        own = [exchange for place, exchange in list(self.taken) if place == old]
        for exchange in own[-3:]:
            self.forward(self.receivers[old], exchange)
            self.told += 1

    def pass_order(self, port: int, exchange: Exchange) -> None:
        """Passes an instruction on."""
        self.forward(port, exchange)
        if exchange.status == 204 and exchange.asked["operation"].startswith("po_"):
            self.orders.append(exchange)

    def pay_again(self) -> None:
        """Sends the instruction of a payout once more, under another key."""
        for exchange in self.orders[-3:]:
            asked = {**exchange.asked, "id": exchange.asked["id"] + "z"}
            asked["idempotency_key"] += "z"
            body = json.dumps(asked).encode()
            headers = {"webhook-id": "again", "webhook-timestamp": str(int(time.time()))}
            headers["webhook-signature"] = signature(SECRET, headers, body)
            self.forward(self.provider, Exchange("POST", exchange.path, headers, body))
            self.told += 1
