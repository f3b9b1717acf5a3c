"""A pair of our own: two `serve` on one PostgreSQL, each kept running by a supervisor."""
import threading
import time
from pathlib import Path
from typing import Any

from ..faults.deploy import Deployment, free_port
from ..faults.postgres import Postgres
from ..faults.proxy import Proxy
from .provider import SECRET
from .router import Health

LEASE = 2


class Pair:
    """Two members, the links of each to the database, and what is known of their health."""

    def __init__(self, program: str, folder: Path, hooks: list[int], orders: list[int],
                 supply: int, clock: bool):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.postgres = Postgres(folder / "pg", free_port())
        self.lines = [Proxy(self.postgres.port) for _ in range(2)]
        self.members = [Deployment(program, folder / name, "member", hooks[place], supply, clock,
                                   store=self.store(self.lines[place].port),
                                   more=self.settings(orders[place]))
                        for place, name in enumerate("ab")]
        self.first = self.members[0]
        for member in self.members:
            member.token, member.secret = self.first.token, self.first.secret
            member.more["replica-secret-file"] = self.first.folder / "replica.secret"
        self.clock, self.tmpfs = self.first.clock, None
        self.held: set[int] = set()
        self.ends: list[tuple[int, int, int]] = []
        self.closed = False
        self.health = Health([member.port for member in self.members])
        self.supervisor = threading.Thread(target=self.supervise, daemon=True)

    def store(self, port: int) -> str:
        """Returns the store as one member reaches it."""
        return f"postgres://ledger@127.0.0.1:{port}/ledger?statement-timeout=2&connect_timeout=1"

    def settings(self, orders: int) -> dict[str, Any]:
        """Returns the flags that a member of a pair has beside the others."""
        return {"lease-seconds": LEASE, "standby": "true", "instructions-secret": SECRET,
                "instructions-to": f"http://127.0.0.1:{orders}/instructions"}

    def start(self) -> None:
        """Starts the first member, then its standby, and a replica of the store."""
        self.first.start()
        self.members[1].launch()
        self.supervisor.start()
        if not self.settle(120):
            raise RuntimeError(f"the second member never stood by: {self.folder}")

    def start_replica(self) -> str:
        """Starts a replica of the store, past the links that are struck."""
        return self.first.start_replica(self.postgres.url)

    def supervise(self) -> None:
        """Starts again whatever ended, unless it is held down."""
        while not self.closed:
            time.sleep(0.1)
            for place, member in enumerate(self.members):
                code = member.process.poll() if member.process else 0
                if code is not None and place not in self.held and not self.closed:
                    self.ends.append((time.monotonic_ns(), place, code))
                    member.launch()

    def active(self, wait: float = 60.0) -> int:
        """Returns the member that is ready, once one is: the latest where both say so."""
        deadline = time.monotonic() + wait
        while time.monotonic() < deadline:
            terms = [term for term in self.health.current if term is not None]
            if terms:
                return max(terms, key=lambda term: term.began).member
            time.sleep(0.02)
        raise RuntimeError(f"no member of the pair was ready within {wait:g} s: {self.folder}")

    def other(self, place: int) -> int:
        """Returns the other member."""
        return 1 - place

    def settle(self, wait: float = 90.0) -> bool:
        """Waits until one member serves and the other stands by; tells whether that came."""
        deadline = time.monotonic() + wait
        while time.monotonic() < deadline:
            ready = self.health.ready()
            if len(ready) == 1 and self.health.standing_by[self.other(ready[0])]:
                return True
            time.sleep(0.05)
        return False

    def last_words(self, place: int) -> str:
        """Returns the last lines that tell why a member ended, or nothing."""
        text = (self.members[place].folder / "serve.log").read_text(errors="replace")
        lines = [line.strip() for line in text.splitlines()]
        errors = [line for line in lines if line.startswith(("custody-ledger: ", "because: "))]
        return " ".join(errors[-4:])

    def panics(self) -> list[str]:
        """Returns the lines of both logs that tell of a panic."""
        found = []
        for member in self.members:
            lines = (member.folder / "serve.log").read_text(errors="replace").splitlines()
            found += [line for line in lines if "panicked at" in line]
        return found

    def close(self) -> None:
        """Ends everything."""
        self.closed = True
        if self.supervisor.is_alive():
            self.supervisor.join()
        self.health.closed = True
        for member in self.members:
            member.close()
        for line in self.lines:
            line.close()
        self.postgres.close()
