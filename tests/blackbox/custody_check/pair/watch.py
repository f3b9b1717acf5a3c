"""Watches of a pair: clients that reach each member past the router, whatever it says of itself."""
import threading
from pathlib import Path

from ..client import reads
from ..client.accounts import Account, Target
from ..client.flows import named
from ..client.history import Entry, Intent, Recorder
from ..client.worker import Worker
from .deploy import Pair
from .router import Term

EVERY = 0.1


class Watch:
    """One client of one member; its attempts stand in the history like all others."""

    def __init__(self, pair: Pair, place: int, url: str, accounts: list[Account], folder: Path,
                 run: str, seed: int):
        member = pair.members[place]
        target = Target(url, member.world, pair.first.token, member.records,
                        pair.first.secret)
        self.place, self.entries = place, list[Entry]()
        self.recorder = Recorder(folder / f"history-watch-{place}.jsonl")
        self.worker = Worker(target, accounts, run, f"wa{place}", seed, self.recorder)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Reads and writes until the end."""
        while not self.over.wait(EVERY):
            self.entries.append(self.worker.attempt(self.draw()))

    def draw(self) -> Intent:
        """Draws a read, or a transfer of a centavo."""
        maker, dice = self.worker.maker, self.worker.dice
        account = dice.choice(list(self.worker.accounts.values()))
        customer, way = maker.customer(), dice.random()
        if way < 0.6:
            return reads.balance(maker, account, customer)
        if way < 0.75:
            return reads.read(maker, account, "consolidated", "/saldo/consolidado")
        if way < 0.85 and self.worker.made:
            return dice.choice(self.worker.made[-20:])[4]
        if way < 0.93:
            body: dict[str, object] = {"amount_cents": 1, "from_customer_ref": "ana",
                                       "to_customer_ref": "bia", "external_id": maker.key("t")}
            return maker.request("transfer", account, "/saldo/transferir", body)
        held: dict[str, object] = {"account": account.name, **named(customer)}
        return maker.fact(account, "hold.placed", "", kind="administrative", amount_cents=1,
                          actor="watch", reason="black-box run", **held)

    def close(self) -> None:
        """Ends the watch."""
        if not self.over.is_set():
            self.over.set()
            self.thread.join()
            self.recorder.close()


def is_out_of_turn(entry: Entry, idle: list[Term]) -> bool:
    """Tells whether a member answered while it said, before and after, that it was standing by."""
    answered = entry.status not in (0, 503)
    return answered and any(one.began <= entry.began and entry.ended <= one.ended for one in idle)
