"""One run: accounts, workers, the nemesis, the final phase, the check and the report."""
import json
import random
import string
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Callable, Protocol

from .check.order import Finding
from .check.records import fetch_records, head_of
from .check.verdict import Verdict, check
from .client.accounts import Account, Target, open_accounts, save_accounts
from .client.finish import Unresolved, finish, wait_for_webhooks
from .client.history import Entry, read_history
from .client.receiver import Delivery, Receiver
from .client.worker import prelude, run_workers
from .faults.nemesis import Fault, Nemesis


@dataclass
class Plan:
    """How long a run is, and how hard it works."""

    seconds: float = 20.0
    processes: int = 2
    threads: int = 4
    seed: int = 1
    pace: float = 0.0
    patience: float = 180.0


@dataclass
class Outcome:
    """Everything that a report tells of a run."""

    title: str
    target: str
    plan: Plan
    verdict: Verdict
    entries: list[Entry]
    faults: list[Fault] = field(default_factory=list)
    began: int = 0
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Returns how many attempts ended how."""
        done = sum(entry.done for entry in self.entries)
        refused = sum(entry.refused for entry in self.entries)
        return {"done": done, "refused": refused,
                "unknown": len(self.entries) - done - refused}


# Checks a history against the records as they stand; it is given those that were delivered.
Checker = Callable[[list[Account], list[Entry], list[Delivery] | None], Verdict]


class Aside(Protocol):
    """Whatever a kind of deployment does and checks beside the others."""

    def begin(self, accounts: list[Account], folder: Path, run: str) -> None:
        """Begins beside the workers."""

    def end(self) -> None:
        """Ends before the final phase."""

    def findings(self, verdict: Verdict, faults: list[Fault], folder: Path) -> list[Finding]:
        """Returns what else is found."""


def new_run(seed: int) -> str:
    """Returns a name for a run that no other run has: four letters and digits."""
    dice = random.Random(f"{seed} {time.time_ns()}")
    return "".join(dice.choices(string.ascii_lowercase, k=4))


def one_ledger(target: Target) -> Checker:
    """Returns the check of what the one ledger of real money records from now on."""
    after = head_of(target.records, target.records_secret)
    return lambda accounts, entries, mine: check(
        accounts, entries, fetch_records(target.records, target.records_secret, after), mine)


def execute(title: str, target: Target, receiver: Receiver | None, folder: Path, plan: Plan,
            nemesis: Nemesis | None = None, direct: Target | None = None,
            aside: Aside | None = None, checker: Checker | None = None) -> Outcome:
    """Runs once against a target; `direct` is the same target without the proxies of faults."""
    folder.mkdir(parents=True, exist_ok=True)
    run, straight = new_run(plan.seed), direct or target
    checker = checker or one_ledger(straight)
    accounts = open_accounts(straight, run)
    save_accounts(folder / "accounts.json", accounts)
    if receiver is not None:
        receiver.secrets |= {account.name: account.secret for account in accounts}
    began = time.monotonic_ns()
    prelude(target, accounts, folder, run)
    if aside is not None:
        aside.begin(accounts, folder, run)
    if nemesis is not None:
        nemesis.start()
    workers = run_workers(target, accounts, folder, run, plan.processes, plan.threads,
                          plan.seconds, plan.seed, plan.pace)
    for worker in workers:
        worker.join()
    if nemesis is not None:
        nemesis.stop()
    if aside is not None:
        aside.end()
    if any(worker.exitcode for worker in workers):
        raise SystemExit("a worker failed; its error stands above")
    verdict = judge(target, accounts, folder, run, receiver, plan, checker)
    faults = nemesis.faults if nemesis else []
    if aside is not None:
        verdict.findings += aside.findings(verdict, faults, folder)
    outcome = Outcome(title, target.url, plan, verdict, list(read_history(folder)), faults, began)
    write_findings(folder, outcome)
    return outcome


def judge(target: Target, accounts: list[Account], folder: Path, run: str,
          receiver: Receiver | None, plan: Plan, checker: Checker) -> Verdict:
    """Runs the final phase and the check."""
    try:
        finish(target, accounts, folder, run, receiver, plan.patience)
    except Unresolved as why:
        return Verdict([Finding("never-came-back", str(why))], {})
    names = {account.name for account in accounts}
    deadline = time.monotonic() + plan.patience
    for again in range(1_000):
        mine = None if receiver is None else [one for one in receiver.deliveries
                                              if one.path in names]
        verdict = checker(accounts, list(read_history(folder)), mine)
        late = any(finding.code == "missing-webhook" for finding in verdict.findings)
        if not late or receiver is None or time.monotonic() > deadline:
            break
        wait_for_webhooks(target, accounts, folder, f"{run}-{again}", receiver)
    return verdict


def write_findings(folder: Path, outcome: Outcome) -> None:
    """Writes findings and faults beside the history."""
    body = {"title": outcome.title, "counts": outcome.verdict.counts,
            "findings": [asdict(one) for one in outcome.verdict.findings],
            "faults": [asdict(one) for one in outcome.faults]}
    (folder / "findings.json").write_text(json.dumps(body, indent=1, ensure_ascii=False))
