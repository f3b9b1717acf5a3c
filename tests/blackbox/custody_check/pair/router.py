"""The router of a pair: it sends each connection to the member that says it is ready."""
import http.client
import random
import threading
import time
from dataclasses import dataclass

from ..faults.proxy import Proxy

EVERY, PATIENCE = 0.05, 1.0
# A member that is not ready for so many seconds loses the connections that it still has.
GRACE = 1.0


@dataclass
class Term:
    """A time in which one member said that it was ready, in nanoseconds; `ended` 0 is now."""

    member: int
    began: int
    ended: int = 0


class Health:
    """Asks each member all the time whether it is ready, and notes its terms."""

    def __init__(self, ports: list[int]):
        self.ports, self.closed = ports, False
        self.terms: list[Term] = []
        self.current: list[Term | None] = [None for _ in ports]
        self.waiting_since = [time.monotonic() for _ in ports]
        self.standing_by = [False for _ in ports]
        self.idle: list[list[Term]] = [[] for _ in ports]
        for member in range(len(ports)):
            threading.Thread(target=self.watch, args=(member,), daemon=True).start()

    def watch(self, member: int) -> None:
        """Follows one member until the end."""
        while not self.closed:
            self.note(member, *self.look(self.ports[member]))
            time.sleep(EVERY)

    def look(self, port: int) -> tuple[int, bytes]:
        """Returns what a member answers; status 0 says that nothing came."""
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            link.request("GET", "/health/ready")
            answer = link.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            link.close()

    def note(self, member: int, status: int, body: bytes) -> None:
        """Begins or ends a term, or a time of standing by."""
        term, now = self.current[member], time.monotonic_ns()
        before, idle = self.standing_by[member], self.idle[member]
        self.standing_by[member] = status == 503 and b"standing_by" in body
        if self.standing_by[member] and not before:
            idle.append(Term(member, now, now))
        elif self.standing_by[member]:
            idle[-1].ended = now
        if status == 200 and term is None:
            self.current[member] = Term(member, now)
            self.terms.append(self.current[member])
        elif status != 200 and term is not None:
            term.ended, self.current[member] = now, None
            self.waiting_since[member] = time.monotonic()

    def ready(self) -> list[int]:
        """Returns the members that are ready."""
        return [member for member, term in enumerate(self.current) if term is not None]

    def is_away(self, member: int) -> bool:
        """Tells whether a member has not been ready for longer than the grace."""
        away = time.monotonic() - self.waiting_since[member] > GRACE
        return self.current[member] is None and away


class Router(Proxy):
    """Leads to a ready member, or with `either` to any, as a router does that is set wrongly."""

    def __init__(self, health: Health, ports: list[int], seed: int = 1):
        self.health, self.ports, self.either = health, ports, False
        self.drawn = random.Random(seed)
        super().__init__(0, seed)
        threading.Thread(target=self.sweep, daemon=True).start()

    def choose(self) -> int | None:
        """Returns the port of a ready member, or of either."""
        ready = range(len(self.ports)) if self.either else self.health.ready()
        return self.ports[self.drawn.choice(ready)] if ready else None

    def sweep(self) -> None:
        """Breaks connections to a member that has not been ready for a while."""
        while not self.closed:
            time.sleep(0.2)
            for member, port in enumerate(self.ports):
                if self.health.is_away(member):
                    self.drop(port)
