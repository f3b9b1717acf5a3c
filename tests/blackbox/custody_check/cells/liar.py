"""Lies of cells: faults planted between clients and honest cells between which accounts move."""
import json
import threading
import time

from ..faults.liar import Exchange, Liar

CELL_LIES: dict[str, set[str]] = {
    "former-cell-answers": {"stale-read"},
    "carried-twice": {"wrong-balance"},
    "begun-again": {"twice", "unexplained-row", "wrong-balance"},
}


class CellLiar(Liar):
    """Stands before the service, and hears of each move that is done."""

    def __init__(self, target: int):
        super().__init__(target, 0)

    def forget(self) -> None:
        """Forgets what was seen, for another lie."""
        super().forget()
        self.left: dict[str, float] = {}
        self.begun: dict[str, Exchange] = {}

    def hear_move(self, key: str) -> None:
        """Hears that the account of a key lives in another cell."""
        self.left[key] = time.monotonic()
        if self.kind == "begun-again" and key in self.begun:
            threading.Thread(target=self.begin_again, args=(self.begun[key],), daemon=True).start()

    def after_former_cell_answers(self, exchange: Exchange) -> None:
        """Answers a balance, after a move, as the former cell did before it."""
        if exchange.method != "GET" or exchange.path.split("?")[0] != "/saldo":
            return
        key = exchange.headers.get("X-API-Key", "")
        with self.lock:
            if exchange.status == 200 and key not in self.left:
                self.cache[key, exchange.path] = (0.0, exchange.answer)
            elif (key, exchange.path) in self.cache:
                exchange.status, exchange.answer = 200, self.cache[key, exchange.path][1]
                self.told += 1

    def after_carried_twice(self, exchange: Exchange) -> None:
        """Shows a balance twice, as if both cells had carried it."""
        answer = exchange.answer
        if isinstance(answer, dict) and "custodia_ativa" in answer:
            if exchange.headers.get("X-API-Key", "") in self.left and self.chance(0.2):
                answer["disponivel_cents"] += answer["disponivel_cents"]
                self.told += answer["disponivel_cents"] != 0

    def after_begun_again(self, exchange: Exchange) -> None:
        """Notes the last transfer of each account."""
        if exchange.path == "/saldo/transferir" and exchange.status == 200:
            self.begun[exchange.headers.get("X-API-Key", "")] = exchange

    def begin_again(self, exchange: Exchange) -> None:
        """Executes a transfer of a former cell once more in the present one."""
        body = {**exchange.asked, "amount_cents": 1,
                "external_id": exchange.asked["external_id"] + "x"}
        headers = {**exchange.headers, "X-Request-ID": "begun-again"}
        for _ in range(20):
            again = Exchange("POST", exchange.path, headers, json.dumps(body).encode())
            self.forward(self.target, again)
            if again.status == 200:
                self.told += 1
                return
            time.sleep(0.1)
