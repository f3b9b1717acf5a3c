"""The nemesis of objects: they vanish while the program runs, or before it starts."""
import time
from pathlib import Path
from typing import Callable

from ..check.order import Finding
from ..client.receiver import Receiver
from ..faults.deploy import Deployment
from ..faults.nemesis import Nemesis
from ..faults.proxy import Proxy
from .store import KINDS, Objects

# Seconds within which a start ends or serves.
BOUND = 30
# The faults of every deployment that matter to objects.
EVERYWHERE = ("kill", "stop", "deaf", "disk-full")


class ObjectNemesis(Nemesis):
    """Strikes what every deployment is struck by, and the objects."""

    def __init__(self, deployment: Deployment, objects: Objects, clients: Proxy, world: Proxy,
                 receiver: Receiver, seed: int, gap: float, kinds: list[str] | None = None):
        self.objects, self.findings = objects, list[Finding]()
        super().__init__(deployment, clients, world, receiver, seed, gap, kinds)

    def allowed(self) -> list[str]:
        """Returns the kinds of faults that this machine allows."""
        everywhere = [kind for kind in super().allowed() if kind in EVERYWHERE]
        return [*everywhere, "vanish", "vanish-dead", "vanish-one"]

    def strike(self, kind: str) -> None:
        """Strikes one fault, and starts again what it ended."""
        super().strike(kind)
        self.deployment.revive()
        self.deployment.revive_replica()

    def do_vanish(self, length: float) -> str:
        """Moves all objects, or those of one kind, away from the running program, and back."""
        kind = self.dice.choice((*KINDS, "all"))
        several = KINDS if kind == "all" else (kind,)
        names = self.objects.take([path for one in several for path in self.objects.list_kind(one)])
        time.sleep(length)
        self.objects.give_back()
        return f"{len(names)} objects ({kind}) away for {length:.1f} s"

    def do_vanish_dead(self, length: float) -> str:
        """Kills the program, moves the objects of a kind away, and starts it."""
        kind = self.dice.choice(("commit", "merged", "identity"))
        return self.start_without(kind, lambda: self.objects.list_needed(kind))

    def do_vanish_one(self, length: float) -> str:
        """Kills the program, moves one entry away, often the last, and starts it."""

        def choose() -> list[Path]:
            several = self.objects.list_needed("commit")
            last = self.dice.random() < 0.5
            return [several[-1] if last else self.dice.choice(several)] if several else []

        return self.start_without("one commit", choose)

    def start_without(self, kind: str, choose: Callable[[], list[Path]]) -> str:
        """Starts the program without objects, which it must refuse and name, then with them."""
        self.deployment.kill()
        names = self.objects.take(choose())
        refused = self.try_start(names) if names else "nothing to move away"
        self.objects.give_back()
        return f"{len(names)} objects ({kind}) away at a start: {refused}"

    def try_start(self, names: list[str]) -> str:
        """Starts the program without these objects; returns what came of it."""
        log = self.deployment.folder / "serve.log"
        size = log.stat().st_size
        self.deployment.launch()
        deadline = time.monotonic() + BOUND
        process = self.deployment.process
        assert process is not None
        while process.poll() is None and time.monotonic() < deadline:
            if self.deployment.is_ready():
                self.find("opened-without", f"it served without {names[:3]} (rulings 79)")
                return "it served"
            time.sleep(0.1)
        words = log.read_text(errors="replace")[size:]
        if process.poll() is None:
            self.find("no-end", f"it neither served nor ended within {BOUND} s without {names[:3]}")
            return "it neither served nor ended"
        if not any(name in words for name in names):
            self.find("unnamed-loss", f"it ended without the name of any of {names[:3]}: "
                      f"{words.strip()[-300:]}")
        return "it ended"

    def find(self, code: str, text: str) -> None:
        """Notes a finding."""
        self.findings.append(Finding(code, text, time.monotonic_ns()))
