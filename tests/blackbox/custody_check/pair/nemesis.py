"""The nemesis of a pair: it strikes the active, the standby, both, or what lies between."""
import signal
import time
from typing import cast

from ..check.order import Finding
from ..client.receiver import Receiver
from ..faults.deploy import Deployment
from ..faults.nemesis import Nemesis
from .deploy import LEASE, Pair
from .router import Router

# Seconds within which a standby serves: the lease, its start, and a slow machine.
BOUND = 15


class PairNemesis(Nemesis):
    """Strikes one fault at a time, and waits after each until the pair is whole again."""

    def __init__(self, pair: Pair, routers: list[Router], receiver: Receiver, seed: int, gap: float,
                 kinds: list[str] | None = None):
        self.pair, self.routers = pair, routers
        self.findings: list[Finding] = []
        super().__init__(cast(Deployment, pair), routers[0], routers[1], receiver, seed, gap, kinds)

    def allowed(self) -> list[str]:
        """Returns the kinds of faults that this machine allows."""
        kinds = ["kill", "kill-standby", "kill-both", "freeze", "pause", "hand-over", "either",
                 "database-crash", "database-cut", "database-stall", "cut", "stall", "deaf",
                 "delay", "receiver"]
        if self.pair.clock:
            kinds += ["clock-jump", "clock-far", "clock-back", "clock-drift"]
        return kinds

    def strike(self, kind: str) -> None:
        """Strikes one fault, heals it, and waits for the pair."""
        super().strike(kind)
        if not self.pair.settle():
            health = self.pair.health
            text = f"after {kind} ready: {health.ready()}, standing by: {health.standing_by}"
            self.findings.append(Finding("pair-not-whole", text, time.monotonic_ns()))
            self.over.set()

    def await_successor(self, old: int, since: float) -> str:
        """Waits until the other member serves; returns how long that took."""
        while self.pair.other(old) not in self.pair.health.ready():
            if time.monotonic() > since + BOUND:
                why = self.pair.last_words(self.pair.other(old))
                text = f"the standby did not serve within {BOUND} s; its log ends with: {why}"
                self.findings.append(Finding("no-take-over", text, time.monotonic_ns()))
                return f"the other did not serve within {BOUND} s"
            time.sleep(0.02)
        return f"the other served after {time.monotonic() - since:.1f} s"

    def do_kill(self, length: float) -> str:
        """Kills the active; its supervisor starts it again."""
        old, since = self.pair.active(), time.monotonic()
        self.pair.held.add(old)
        self.pair.members[old].kill()
        took = self.await_successor(old, since)
        self.pair.held.discard(old)
        return f"SIGKILL of the active; {took}"

    def do_kill_standby(self, length: float) -> str:
        """Kills the standby, which nobody may notice."""
        self.pair.members[self.pair.other(self.pair.active())].kill()
        return "SIGKILL of the standby"

    def do_kill_both(self, length: float) -> str:
        """Kills both, and starts both together."""
        self.pair.held |= {0, 1}
        for member in self.pair.members:
            member.kill()
        time.sleep(min(length, 0.5))
        self.pair.held.clear()
        return "SIGKILL of both, then both started together"

    def do_freeze(self, length: float) -> str:
        """Stops the active beyond its lease; it goes on while the other serves and is reached."""
        old, since = self.pair.active(), time.monotonic()
        self.pair.members[old].send(signal.SIGSTOP)
        try:
            took = self.await_successor(old, since)
            time.sleep(length / 2)
            self.route_to_either(True)
        finally:
            self.pair.members[old].send(signal.SIGCONT)
        time.sleep(1.0)
        self.route_to_either(False)
        return f"SIGSTOP of the active beyond its lease of {LEASE} s, then SIGCONT; {took}"

    def do_pause(self, length: float) -> str:
        """Stops the active for less than its lease."""
        member = self.pair.members[self.pair.active()]
        member.send(signal.SIGSTOP)
        time.sleep(self.dice.uniform(0.2, 0.5) * LEASE)
        member.send(signal.SIGCONT)
        return "SIGSTOP of the active within its lease"

    def do_hand_over(self, length: float) -> str:
        """Ends the active in order, so that it gives up its lease."""
        old, since = self.pair.active(), time.monotonic()
        self.pair.held.add(old)
        self.pair.members[old].stop()
        took = self.await_successor(old, since)
        self.pair.held.discard(old)
        return f"SIGTERM of the active; {took}"

    def route_to_either(self, either: bool) -> None:
        """Lets the routers lead to either member, or to the ready one alone."""
        for router in self.routers:
            router.either = either

    def do_either(self, length: float) -> str:
        """Lets each connection lead to either member."""
        self.route_to_either(True)
        time.sleep(length)
        self.route_to_either(False)
        return f"connections led to either member for {length:.1f} s"

    def sever(self, mode: str, length: float) -> str:
        """Takes the database from the active alone, while clients still reach it."""
        old, since = self.pair.active(), time.monotonic()
        self.pair.lines[old].set(mode)
        self.route_to_either(True)
        try:
            took = self.await_successor(old, since)
            time.sleep(length / 2)
        finally:
            self.pair.lines[old].set("pass")
        time.sleep(0.5)
        self.route_to_either(False)
        return f"the active without its database; {took}"

    def do_database_cut(self, length: float) -> str:
        """Breaks the active's connections to the database, and refuses more."""
        return self.sever("cut", length)

    def do_database_stall(self, length: float) -> str:
        """Passes nothing between the active and its database."""
        return self.sever("stall", length)

    def do_database_crash(self, length: float) -> str:
        """Ends the database as a loss of power does, and starts it again."""
        self.pair.postgres.restart()
        return "stopped at once, and started again"

    def clock(self, offset: str, length: float) -> str:
        """Moves the clock that one member sees, and moves it back."""
        place = self.dice.randrange(2)
        role = "active" if place == self.pair.active() else "standby"
        self.pair.members[place].set_clock(offset)
        time.sleep(length)
        self.pair.members[place].set_clock("+0")
        return f"{offset} for {length:.1f} s at the {role}"
