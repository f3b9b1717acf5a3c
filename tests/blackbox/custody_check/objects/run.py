"""One run against objects of our own: what is started, what is struck, what is found."""
from argparse import Namespace
from pathlib import Path

from ..check.order import Finding
from ..check.verdict import Verdict
from ..client.accounts import Account, Target
from ..client.receiver import Receiver, Supplier
from ..driver import Outcome, Plan, execute
from ..faults.deploy import Deployment, find_program
from ..faults.nemesis import Fault
from ..faults.proxy import Proxy
from .nemesis import ObjectNemesis
from .store import Objects

# The size of the disk, which a fault fills.
DISK_MB = 256


class ObjectBench:
    """A service on objects, with proxies before it, and what is found beside the whole check."""

    def __init__(self, options: Namespace, folder: Path, struck: bool):
        self.supplier, self.receiver = Supplier(0), Receiver(0, {})
        self.deployment = Deployment(find_program(options.program), folder / "service", "objects",
                                     self.receiver.port, self.supplier.port,
                                     size_mb=DISK_MB if struck else 0)
        self.objects = Objects(Path(self.deployment.store.removeprefix("file://")))
        self.proxies: list[Proxy] = []
        self.nemesis: ObjectNemesis | None = None

    def start(self) -> Target:
        """Starts everything; returns where it is reached."""
        deployment = self.deployment
        deployment.start()
        self.proxies = [Proxy(deployment.port), Proxy(deployment.world_port)]
        return Target(self.proxies[0].url, self.proxies[1].url, deployment.token,
                      deployment.records, deployment.secret, deployment.start_replica())

    def direct(self) -> Target:
        """Returns where the service is reached without the proxies."""
        deployment = self.deployment
        return Target(deployment.url, deployment.world, deployment.token, deployment.records,
                      deployment.secret)

    def strike(self, seed: int, gap: float, kinds: list[str] | None) -> None:
        """Makes a nemesis for the next run."""
        self.nemesis = ObjectNemesis(self.deployment, self.objects, *self.proxies, self.receiver,
                                     seed, gap, kinds)

    def begin(self, accounts: list[Account], folder: Path, run: str) -> None:
        """Does nothing beside the workers."""

    def end(self) -> None:
        """Ends nothing before the final phase."""

    def findings(self, verdict: Verdict, faults: list[Fault], folder: Path) -> list[Finding]:
        """Returns what is found of objects, beside the check of every deployment."""
        found = list(self.nemesis.findings) if self.nemesis else []
        found += [Finding("rewritten-object", f"{name} was written anew while it was away")
                  for name in self.objects.clashes]
        log = (self.deployment.folder / "serve.log").read_text(errors="replace")
        found += [Finding("panic", line) for line in log.splitlines() if "panicked at" in line]
        return found

    def close(self) -> None:
        """Ends everything."""
        for proxy in self.proxies:
            proxy.close()
        self.deployment.close()
        self.receiver.close()
        self.supplier.close()


def own_objects(options: Namespace, folder: Path, plan: Plan) -> Outcome:
    """Starts a service on objects, strikes it, and checks it."""
    bench = ObjectBench(options, folder, options.gap > 0)
    try:
        target = bench.start()
        if options.gap > 0:
            bench.strike(plan.seed, options.gap, options.only)
        outcome = execute("serve on objects", target, None, folder, plan, bench.nemesis,
                          bench.direct(), bench)
        outcome.notes.append(f"objects in a folder, without an outbox; the program started "
                             f"{bench.deployment.starts} times")
        return outcome
    finally:
        bench.close()
