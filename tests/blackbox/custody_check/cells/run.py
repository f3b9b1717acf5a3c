"""One run against cells of our own: what is started, what moves, what is struck, what is found."""
from argparse import Namespace
from pathlib import Path

from ..check.order import Finding
from ..check.records import fetch_records
from ..check.verdict import Verdict
from ..client.accounts import Account, Target
from ..client.history import Entry, read_history
from ..client.receiver import Delivery, Receiver, Supplier
from ..driver import Outcome, Plan, execute
from ..faults.deploy import Deployment, find_program
from ..faults.nemesis import Fault, Nemesis
from ..faults.proxy import Proxy
from .check import Ledgers, check_cells
from .mover import Move, Mover

CELLS = tuple(f"cell-{letter}" for letter in "abcdef")
DISK_MB = 512
EVERYWHERE = ("kill", "stop", "restart", "cut", "deaf", "delay", "receiver", "disk-full")


class CellNemesis(Nemesis):
    """Strikes while accounts move."""

    def allowed(self) -> list[str]:
        """Returns the kinds of faults that this machine allows; clocks are left alone."""
        return [kind for kind in super().allowed() if kind in EVERYWHERE]


class CellBench:
    """Cells behind one service, a mover of accounts, and what is found of them."""

    def __init__(self, options: Namespace, folder: Path, struck: bool):
        self.seed = getattr(options, "seed", 1)
        self.supplier, self.receiver = Supplier(0), Receiver(0, {})
        self.deployment = Deployment(find_program(options.program), folder / "service", "cells",
                                     self.hooks_port(), self.supplier.port,
                                     size_mb=DISK_MB if struck else 0)
        place = Path(self.deployment.store).parent
        self.stores = {name: place / f"{name}.db" for name in CELLS}
        self.deployment.more |= {"store": None, "directory": self.deployment.store,
                                 "cell": [f"{name}={path}" for name, path in self.stores.items()]}
        self.proxies: list[Proxy] = []
        self.nemesis: CellNemesis | None = None
        self.mover: Mover | None = None

    def hooks_port(self) -> int:
        """Returns where the service sends webhooks."""
        return self.receiver.port

    def start(self) -> Target:
        """Starts everything; returns where it is reached."""
        self.deployment.start()
        self.proxies = [Proxy(self.deployment.port), Proxy(self.deployment.world_port)]
        target = self.direct()
        target.url, target.world = self.proxies[0].url, self.proxies[1].url
        return target

    def direct(self) -> Target:
        """Returns where the service is reached without the proxies."""
        deployment = self.deployment
        return Target(deployment.url, deployment.world, deployment.token, deployment.records,
                      deployment.secret, ledgers=CELLS)

    def strike(self, seed: int, gap: float, kinds: list[str] | None) -> None:
        """Makes a nemesis for the next run."""
        self.nemesis = CellNemesis(self.deployment, *self.proxies, self.receiver, seed, gap, kinds)

    def fetch(self) -> Ledgers:
        """Returns the records of every cell."""
        return {name: fetch_records(self.deployment.records, self.deployment.secret, 0, name)
                for name in CELLS}

    def find_homes(self, accounts: list[Account], folder: Path) -> dict[str, str]:
        """Returns the cell that each account was opened in: the one with its first requests."""
        owners = {entry.request: entry.intent.account for entry in read_history(folder)}
        return {owners[record.request]: cell for cell, records in self.fetch().items()
                for record in records if record.request in owners}

    def begin(self, accounts: list[Account], folder: Path, run: str) -> None:
        """Begins to move accounts."""
        target = self.direct()
        target.world = self.proxies[1].url
        self.mover = Mover(target, accounts, self.find_homes(accounts, folder), run, self.seed,
                           self.note_move)

    def note_move(self, move: Move) -> None:
        """Hears of each move that is done."""

    def end(self) -> None:
        """Ends the moves before the final phase."""
        if self.mover is not None:
            self.mover.stop()

    def check(self, accounts: list[Account], entries: list[Entry],
              deliveries: list[Delivery] | None) -> Verdict:
        """Checks a history against the records of all cells."""
        assert self.mover is not None
        return check_cells(accounts, entries, self.fetch(), self.mover.paths, deliveries)

    def findings(self, verdict: Verdict, faults: list[Fault], folder: Path) -> list[Finding]:
        """Returns what is found of cells, beside the check of each account."""
        assert self.mover is not None
        for trouble in self.mover.trouble:
            raise trouble
        verdict.counts["moves"] = len(self.mover.moves)
        verdict.counts["moves given up"] = self.mover.given_up
        log = (self.deployment.folder / "serve.log").read_text(errors="replace")
        found = [Finding("panic", line) for line in log.splitlines() if "panicked at" in line]
        if not self.mover.moves:
            found.append(Finding("no-move", "no account moved, so nothing of moves was checked"))
        return found + self.mover.findings

    def close(self) -> None:
        """Ends everything."""
        self.end()
        for proxy in self.proxies:
            proxy.close()
        self.deployment.close()
        self.receiver.close()
        self.supplier.close()


def own_cells(options: Namespace, folder: Path, plan: Plan) -> Outcome:
    """Starts cells, moves accounts between them, strikes them, and checks them."""
    bench = CellBench(options, folder, options.gap > 0)
    try:
        target = bench.start()
        if options.gap > 0:
            bench.strike(plan.seed, options.gap, options.only)
        outcome = execute("cells on sqlite", target, bench.receiver, folder, plan, bench.nemesis,
                          bench.direct(), bench, bench.check)
        outcome.notes.append(f"{len(CELLS)} cells; the operations of each account all end")
        return outcome
    finally:
        bench.close()
