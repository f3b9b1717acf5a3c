"""The nemesis: it strikes a deployment of ours, heals it, and notes each fault with its times."""
import random
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from ..client.receiver import Receiver
from .deploy import Deployment
from .proxy import Proxy


@dataclass
class Fault:
    """One fault: its kind, what it was, and when it began and was healed, in nanoseconds."""

    kind: str
    detail: str
    began: int
    ended: int


class Nemesis:
    """Strikes one fault at a time, drawn from those that this machine allows."""

    def __init__(self, deployment: Deployment, clients: Proxy, world: Proxy, receiver: Receiver,
                 seed: int, gap: float, kinds: list[str] | None = None, other: str = ""):
        self.other = other
        self.deployment, self.clients, self.world = deployment, clients, world
        self.receiver, self.gap, self.dice = receiver, gap, random.Random(seed)
        self.faults: list[Fault] = []
        self.trouble: BaseException | None = None
        self.over = threading.Event()
        self.kinds = [kind for kind in self.allowed() if not kinds or kind in kinds]
        self.left: list[str] = []
        self.thread = threading.Thread(target=self.run, daemon=True)

    def allowed(self) -> list[str]:
        """Returns the kinds of faults that this machine allows."""
        kinds = ["kill", "stop", "restart", "cut", "stall", "deaf", "delay", "trickle", "receiver"]
        if self.other:
            kinds.append("exchange")
        if self.deployment.clock:
            kinds += ["clock-jump", "clock-far", "clock-back", "clock-drift"]
        if self.deployment.tmpfs:
            kinds.append("disk-full")
        if self.deployment.writes:
            kinds += ["write-fail", "write-short", "write-torn", "sync-fail"]
        if self.deployment.postgres:
            kinds.append("database-crash")
        return kinds

    def start(self) -> None:
        """Begins to strike."""
        self.thread.start()

    def stop(self) -> None:
        """Ends, once the fault under way is healed."""
        self.over.set()
        self.thread.join()
        if self.trouble is not None:
            raise self.trouble

    def run(self) -> None:
        """Strikes until it is told to end; every kind comes once before any comes again."""
        try:
            while not self.over.wait(self.dice.uniform(0.5, 1.5) * self.gap):
                if not self.left:
                    self.left = self.dice.sample(self.kinds, len(self.kinds))
                self.strike(self.left.pop())
        except Exception as trouble:
            self.trouble = trouble

    def strike(self, kind: str) -> None:
        """Strikes one fault and heals it."""
        began = time.monotonic_ns()
        length = self.dice.uniform(0.3, 1.0) * min(4.0, 2 * self.gap)
        detail = getattr(self, "do_" + kind.replace("-", "_"))(length)
        self.faults.append(Fault(kind, detail, began, time.monotonic_ns()))

    def do_kill(self, length: float) -> str:
        """Kills the program at once, and starts it again."""
        self.deployment.kill()
        time.sleep(min(length, 0.5))
        self.deployment.start()
        return "SIGKILL, then started again"

    def do_restart(self, length: float) -> str:
        """Ends the program in order, and starts it again."""
        self.deployment.stop()
        self.deployment.start()
        return "SIGTERM, then started again"

    def do_exchange(self, length: float) -> str:
        """Exchanges the program for the other build, as an upgrade and a downgrade do."""
        self.other = self.deployment.exchange(self.other)
        return f"now {self.deployment.program}"

    def do_stop(self, length: float) -> str:
        """Stops the program and lets it go on."""
        self.deployment.send(signal.SIGSTOP)
        time.sleep(length)
        self.deployment.send(signal.SIGCONT)
        return f"SIGSTOP for {length:.1f} s"

    def links(self, mode: str, length: float) -> str:
        """Disturbs the links of clients, of the world, or both."""
        chosen = self.dice.choice((("clients",), ("world",), ("clients", "world")))
        proxies = [getattr(self, name) for name in chosen]
        for proxy in proxies:
            proxy.set(mode)
        time.sleep(length)
        for proxy in proxies:
            proxy.set("pass")
        return f"{' and '.join(chosen)} for {length:.1f} s"

    def do_cut(self, length: float) -> str:
        """Breaks connections and refuses more."""
        return self.links("cut", length)

    def do_stall(self, length: float) -> str:
        """Passes nothing for a while."""
        return self.links("stall", length)

    def do_deaf(self, length: float) -> str:
        """Passes requests and drops answers."""
        return self.links("deaf", length)

    def do_delay(self, length: float) -> str:
        """Holds each piece for up to a tenth of a second."""
        return self.links("delay", length)

    def do_trickle(self, length: float) -> str:
        """Passes a few bytes at a time."""
        return self.links("trickle", length)

    def do_receiver(self, length: float) -> str:
        """Lets the receiver of webhooks break every connection."""
        self.receiver.dead = True
        time.sleep(length)
        self.receiver.dead = False
        return f"webhooks refused for {length:.1f} s"

    def clock(self, offset: str, length: float) -> str:
        """Moves the clock that the program sees, and moves it back."""
        self.deployment.set_clock(offset)
        time.sleep(length)
        self.deployment.set_clock("+0")
        return f"{offset} for {length:.1f} s"

    def do_clock_jump(self, length: float) -> str:
        """Jumps ahead by less than the service believes."""
        return self.clock(f"+{self.dice.randint(5, 90)}", length)

    def do_clock_far(self, length: float) -> str:
        """Jumps ahead by more than the service believes."""
        return self.clock(f"+{self.dice.randint(600, 90_000)}", length)

    def do_clock_back(self, length: float) -> str:
        """Jumps back."""
        return self.clock(f"-{self.dice.randint(5, 7_200)}", length)

    def do_clock_drift(self, length: float) -> str:
        """Lets the clock run faster."""
        return self.clock(f"+0 x{self.dice.choice((1.2, 1.5))}", length)

    def do_disk_full(self, length: float) -> str:
        """Fills the disk of the store, and gives the room back."""
        assert self.deployment.tmpfs is not None
        ballast = self.deployment.tmpfs / "ballast"
        fill(ballast)
        time.sleep(length)
        ballast.unlink()
        return f"no room for {length:.1f} s"

    def writes(self, mode: str, length: float) -> str:
        """Spoils the writes of the store, heals them, and starts the program where it ended."""
        assert self.deployment.writes is not None
        self.deployment.writes.set(mode)
        time.sleep(length)
        self.deployment.writes.set("pass")
        ended = self.deployment.has_ended()
        self.deployment.revive()
        return f"{mode} for {length:.1f} s" + (", then started again" if ended else "")

    def do_write_fail(self, length: float) -> str:
        """Lets every write of the store fail."""
        return self.writes("fail", length)

    def do_write_short(self, length: float) -> str:
        """Lets every write of the store write half, and say so."""
        return self.writes("shorten", length)

    def do_write_torn(self, length: float) -> str:
        """Lets one write of the store write half, and kills the program at once."""
        return self.writes("tear", length)

    def do_sync_fail(self, length: float) -> str:
        """Lets every sync of the store fail."""
        return self.writes("fail-sync", length)

    def do_database_crash(self, length: float) -> str:
        """Ends the database as a loss of power does, and starts it again."""
        assert self.deployment.postgres is not None
        self.deployment.postgres.restart()
        self.deployment.revive()
        return "stopped at once, and started again"


def fill(path: Path) -> None:
    """Writes until there is no room."""
    with path.open("wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 16
