"""One run against a pair of our own: what is started, what is watched, what is found."""
import json
import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from ..check.order import Finding
from ..check.verdict import Verdict
from ..client.accounts import Account, Target
from ..client.history import read_history
from ..client.receiver import Receiver, Supplier
from ..driver import Outcome, Plan, execute
from ..faults.deploy import find_program
from ..faults.nemesis import Fault
from . import check
from .deploy import LEASE, Pair
from .nemesis import PairNemesis
from .provider import Provider, Push
from .router import Router
from .watch import Watch, is_out_of_turn


class Bench:
    """A pair with everything around it: receivers, provider, routers and watches."""

    def __init__(self, options: Namespace, folder: Path, clock: bool):
        self.seed = getattr(options, "seed", 1)
        self.supplier, self.provider = Supplier(0), Provider(2)
        self.receiver = Receiver(0, {}, more=1)
        hooks, orders = self.listeners()
        self.pair = Pair(find_program(options.program), folder / "service", hooks, orders,
                         self.supplier.port, clock)
        self.routers: list[Router] = []
        self.watches: list[Watch] = []
        self.nemesis: PairNemesis | None = None

    def listeners(self) -> tuple[list[int], list[int]]:
        """Returns where each member sends webhooks, and where it sends instructions."""
        return self.receiver.ports, self.provider.ports

    def door(self, place: int) -> str:
        """Returns where a watch reaches a member."""
        return self.pair.members[place].url

    def start(self) -> Target:
        """Starts the pair and its routers; returns where they are reached."""
        self.pair.start()
        ports = ([member.port for member in self.pair.members],
                 [member.world_port for member in self.pair.members],
                 [member.records_port for member in self.pair.members])
        self.routers = [Router(self.pair.health, list(both), self.seed) for both in ports]
        first = self.pair.first
        return Target(self.routers[0].url, self.routers[1].url, first.token,
                      self.routers[2].url, first.secret)

    def strike(self, seed: int, gap: float, kinds: list[str] | None) -> None:
        """Makes a nemesis for the next run."""
        self.nemesis = PairNemesis(self.pair, self.routers, self.receiver, seed, gap, kinds)

    def begin(self, accounts: list[Account], folder: Path, run: str) -> None:
        """Begins to watch each member."""
        self.watches = [Watch(self.pair, place, self.door(place), accounts, folder, run,
                              self.seed + place) for place in range(2)]

    def end(self) -> None:
        """Ends the watches, whose attempts the final phase resolves."""
        for watch in self.watches:
            watch.close()

    def findings(self, verdict: Verdict, faults: list[Fault], folder: Path) -> list[Finding]:
        """Returns what is found of a pair, beside the check of every deployment."""
        with (folder / "deliveries.jsonl").open("w") as file:
            for one in [*self.receiver.deliveries, *self.provider.pushes]:
                file.write(json.dumps(asdict(one)) + "\n")
        found = [Finding("panic", line) for line in self.pair.panics()]
        found += self.nemesis.findings if self.nemesis else []
        if verdict.replay is None:
            return found
        pushes = [one for one in self.provider.pushes
                  if one.content["account"] in verdict.replay.model.terms]
        found += self.find_missing(verdict) + check.check_payouts(verdict.replay, pushes)
        found += self.check_sends(verdict, pushes, faults, folder) + self.check_turns()
        statuses = [entry.status for watch in self.watches for entry in watch.entries]
        verdict.counts["instructions"] = len(pushes)
        verdict.counts["answers past the router"] = sum(one not in (0, 503) for one in statuses)
        verdict.counts["503 past the router"] = statuses.count(503)
        return found

    def check_sends(self, verdict: Verdict, pushes: list[Push], faults: list[Fault],
                    folder: Path) -> list[Finding]:
        """Finds webhooks and instructions that came again, or from a member taken over from."""
        assert verdict.replay is not None
        names, terms = verdict.replay.model.terms, self.pair.health.terms
        hooks = [one for one in self.receiver.deliveries if one.path in names]
        resent: dict[str, int] = {}
        for entry in read_history(folder):
            if entry.intent.kind == "resend":
                resent.setdefault(entry.intent.path.split("/")[3], entry.began)
        thawed = check.thaw_times(faults)
        return (check.find_repeats("webhook", hooks, resent, faults)
                + check.find_repeats("instruction", pushes, resent, faults)
                + check.find_late_sends("webhook", hooks, terms, thawed)
                + check.find_late_sends("instruction", pushes, terms, thawed))

    def check_turns(self) -> list[Finding]:
        """Finds what a member answered while it stood by."""
        found = []
        for watch in self.watches:
            idle = self.pair.health.idle[watch.place]
            found += [Finding("out-of-turn", f"{entry.request}, {entry.intent.path}: member "
                              f"{watch.place} answered {entry.status} while standing by",
                              entry.began)
                      for entry in watch.entries if is_out_of_turn(entry, idle)]
        return found

    def find_missing(self, verdict: Verdict) -> list[Finding]:
        """Waits for instructions that are due, and finds those that never came."""
        assert verdict.replay is not None
        self.provider.refuse, deadline = 0.0, time.monotonic() + 60
        while missing := check.list_unpaid(verdict.replay, self.provider.pushes):
            if time.monotonic() > deadline:
                break
            time.sleep(0.3)
        return [Finding("missing-instruction", f"{op} waits to be sent, and no instruction came")
                for op in missing]

    def close(self) -> None:
        """Ends everything."""
        self.end()
        for router in self.routers:
            router.close()
        self.pair.close()
        for server in (self.receiver, self.provider, self.supplier):
            server.close()


def own_pair(options: Namespace, folder: Path, plan: Plan) -> Outcome:
    """Starts a pair, strikes it, and checks it."""
    bench = Bench(options, folder, options.gap > 0)
    try:
        target = bench.start()
        target.replica = bench.pair.start_replica()
        if options.gap > 0:
            bench.strike(plan.seed, options.gap, options.only)
        outcome = execute("a pair on postgres", target, bench.receiver, folder, plan, bench.nemesis,
                          aside=bench)
        pair = bench.pair
        outcome.notes.append(f"two processes, a lease of {LEASE} s, a router by /health/ready; "
                             f"{len(pair.health.terms)} terms, {len(pair.ends)} processes started "
                             "again")
        return outcome
    finally:
        bench.close()
