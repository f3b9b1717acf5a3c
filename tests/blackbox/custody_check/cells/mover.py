"""Moves accounts from cell to cell, one at a time, as an operator does (docs/service.md)."""
import random
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable

from ..check.order import Finding
from ..client.accounts import Account, Target
from ..client.transport import Connection

# Seconds after which a move that waits is given up, and in which one must end once it must.
PATIENCE, BOUND = 6.0, 90.0


@dataclass
class Move:
    """A move that was done, with its times in nanoseconds."""

    account: Account
    to: str
    began: int
    ended: int


class Mover:
    """Moves accounts until the end; `paths` has the cells of each, in order."""

    def __init__(self, target: Target, accounts: list[Account], homes: dict[str, str], run: str,
                 seed: int, moved: Callable[[Move], None] | None = None):
        self.link, self.bearer = Connection(target.world), f"Bearer {target.token}"
        self.ledgers, self.run_name, self.dice = target.ledgers, run, random.Random(seed)
        self.accounts, self.moved = accounts, moved
        self.paths = {name: [home] for name, home in homes.items()}
        self.moves: list[Move] = []
        self.given_up = 0
        self.findings: list[Finding] = []
        self.over, self.trouble = threading.Event(), list[BaseException]()
        self.thread = threading.Thread(target=self.try_run, daemon=True)
        self.thread.start()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Asks once; returns the answer, or nothing where none came or the service is away."""
        answer = self.link.send(method, path, body, {"Authorization": self.bearer})
        return answer.body if 0 < answer.status < 500 else None

    def try_run(self) -> None:
        """Runs, and keeps what it fails of."""
        try:
            self.run()
        except Exception as trouble:
            self.trouble.append(trouble)

    def run(self) -> None:
        """Moves one account after the other, each to a cell that it never lived in."""
        number = 0
        while not self.over.wait(self.dice.uniform(0.1, 0.6)):
            left = [(account, cell) for account in self.accounts for cell in self.ledgers
                    if cell not in self.paths[account.name]]
            if not left:
                return
            number += 1
            self.move(f"{self.run_name}-mv{number}", *self.dice.choice(left))

    def move(self, name: str, account: Account, to: str) -> None:
        """Moves one account, or gives the move up where it waits for long."""
        began, since = time.monotonic_ns(), time.monotonic()
        body = {"id": name, "account": account.name, "to": to}
        while time.monotonic() < since + BOUND:
            state = (self.ask("POST", "/moves", body) or {}).get("state")
            if state == "done":
                self.paths[account.name].append(to)
                self.moves.append(Move(account, to, began, time.monotonic_ns()))
                if self.moved is not None:
                    self.moved(self.moves[-1])
                return
            late = time.monotonic() > since + PATIENCE or self.over.is_set()
            if late and self.give_up(name):
                return
            time.sleep(0.1)
        self.findings.append(Finding("move-without-end", f"{body} did not end in {BOUND:g} s",
                                     began))

    def give_up(self, name: str) -> bool:
        """Gives a move up; tells whether it is."""
        shown = self.ask("POST", f"/moves/{name}/abandon", {}) or {}
        self.given_up += shown.get("state") == "abandoned"
        return shown.get("state") == "abandoned"

    def stop(self) -> None:
        """Ends, once the move under way is done or given up."""
        self.over.set()
        self.thread.join()
