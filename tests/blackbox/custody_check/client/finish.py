"""The final phase: what was unknown is resolved, and then everything is read."""
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import agents, commissions, reads
from .accounts import Account, Target
from .history import Entry, Intent, Recorder, read_history
from .receiver import Receiver
from .wallets import LISTS, ONCE, listed, look
from .worker import IDS, Worker

PAGES, READERS = 200, 4


class Unresolved(Exception):
    """The deployment did not come back, so nothing more can be learned of it."""


def finish(target: Target, accounts: list[Account], folder: Path, run: str,
           receiver: Receiver | None, patience: float) -> None:
    """Resolves, waits for webhooks, and reads every operation, balance, statement and list."""
    entries = list(read_history(folder))
    recorder = Recorder(folder / "history-final.jsonl")
    readers = [Worker(target, accounts, run, f"fi{place}", 90 + place, recorder)
               for place in range(READERS)]
    worker = readers[0]
    resolve(worker, entries)
    if receiver is not None:
        drain(worker, receiver, patience)
    made = worker_made(entries, worker)
    with ThreadPoolExecutor(READERS) as pool:
        shares = [pool.submit(read_made, reader, made[place::READERS])
                  for place, reader in enumerate(readers)]
    for share in shares:
        share.result()
    read_accounts(worker)
    recorder.close()


def wait_for_webhooks(target: Target, accounts: list[Account], folder: Path, run: str,
                      receiver: Receiver) -> None:
    """Waits once more for webhooks that are due, while the courier is behind."""
    recorder = Recorder(folder / "history-final.jsonl")
    time.sleep(1.0)
    drain(Worker(target, accounts, run, "fiw", 95, recorder), receiver, 20.0)
    recorder.close()


def until_known(worker: Worker, intent: Intent, patience: float = 120.0) -> Entry:
    """Attempts an intent until the service says what became of it."""
    deadline = time.monotonic() + patience
    while True:
        entry = worker.attempt(intent)
        if entry.done or entry.refused:
            return entry
        if time.monotonic() > deadline:
            raise Unresolved(f"{intent.method} {intent.path}: {entry.status} {entry.error}")
        time.sleep(0.2)


def resolve(worker: Worker, entries: list[Entry]) -> None:
    """Repeats, unchanged, each request and fact whose outcome nobody knows."""
    ended = {entry.intent.key for entry in entries if entry.done or entry.refused}
    open_intents = {entry.intent.key: entry.intent for entry in entries
                    if entry.intent.key not in ended and not entry.intent.kind.startswith("read:")
                    and entry.intent.kind not in ("divergent", "malformed", "stranger", *ONCE)}
    for intent in open_intents.values():
        until_known(worker, intent)


def drain(worker: Worker, receiver: Receiver, patience: float) -> None:
    """Waits until nothing more comes; what waits for a later attempt is asked for by its id."""
    receiver.dead, receiver.refuse = False, 0.0
    deadline, quiet = time.monotonic() + patience, 0
    feeds = {name: Feed() for name in worker.accounts}
    while quiet < 3 and time.monotonic() < deadline:
        before = len(receiver.deliveries)
        time.sleep(0.3)
        waiting = waiting_webhooks(worker)
        if waiting and len(receiver.deliveries) == before:
            waiting = resend(worker, receiver, feeds)
        still = len(receiver.deliveries) == before
        quiet = quiet + 1 if still and not waiting else 0


class Feed:
    """How far the events of an account were listed, and which those were."""

    def __init__(self) -> None:
        self.after, self.listed = 0, set[str]()


def waiting_webhooks(worker: Worker) -> int:
    """Returns how many webhooks of real money are neither delivered nor given up."""
    bearer = {"Authorization": f"Bearer {worker.token}"}
    try:
        text = worker.world.raw("/metrics", bearer).decode()
    except OSError:
        return 1
    named = [line for line in text.splitlines()
             if line.startswith("custody_ledger_webhooks_waiting{") and '"live"' in line]
    return sum(int(float(line.rsplit(" ", 1)[1])) for line in named)


def resend(worker: Worker, receiver: Receiver, feeds: dict[str, Feed]) -> int:
    """Has every event sent once more that was not taken when it came last; returns their number.

    One that was taken may come again, and be refused then, where its sender was struck before it
    could record the answer; the later events of its operation wait behind it.
    """
    count = 0
    taken = {one.event: one.taken for one in list(receiver.deliveries)}
    for name, feed in feeds.items():
        account = worker.accounts[name]
        while True:
            path = f"/webhooks/events?after={feed.after}&wait=0"
            entry = worker.attempt(reads.read(worker.maker, account, "feed", path))
            count += not entry.done
            if not entry.done or not entry.answer["items"]:
                break
            feed.listed |= {item["id"] for item in entry.answer["items"]}
            feed.after = entry.answer["next"]
        waiting = {event for event in feed.listed if not taken.get(event)}
        count += len(waiting)
        for event in sorted(waiting, key=lambda one: int(one.split("_")[1])):
            worker.attempt(Intent("resend", worker.maker.key("w"), name, "POST",
                                  f"/webhooks/deliveries/{event}/resend"))
    return count


def read_accounts(worker: Worker) -> None:
    """Reads every balance, statement and total, page by page."""
    for account in worker.accounts.values():
        for customer in reads.customers():
            until_known(worker, reads.balance(worker.maker, account, customer))
            for view in ("lancamentos", "operacoes"):
                read_pages(worker, account, customer, view)
        until_known(worker, reads.read(worker.maker, account, "consolidated",
                                       "/saldo/consolidado"))
        until_known(worker, reads.read(worker.maker, account, "customers",
                                       "/saldo/clientes?limit=200"))
        for intent in (look(worker.maker, account),
                       *(listed(worker.maker, account, kind) for kind in LISTS),
                       commissions.look(worker.maker, account)):
            until_known(worker, intent)
        if account.agent:
            for read in (agents.rewards, agents.network):
                until_known(worker, read(worker.maker, account))
        read_commission(worker, account)


def read_commission(worker: Worker, account: Account) -> None:
    """Reads the ledger of commission to its end."""
    before = None
    for _ in range(10_000):
        entry = until_known(worker, commissions.rows(worker.maker, account, before, PAGES))
        if not entry.done or not entry.answer["has_more"]:
            return
        before = entry.answer["proxima_pagina"]


def read_made(worker: Worker, several: list[reads.Made]) -> None:
    """Reads operations by id and by external id, and repeats what made them."""
    for made in several:
        account, (kind, op, external) = worker.accounts[made[3]], made[:3]
        if kind in reads.STATUS_PATHS:
            until_known(worker, reads.status(worker.maker, account, kind, op))
        if kind in reads.LISTS:
            path = f"{reads.LISTS[kind]}?external_id={external}"
            until_known(worker, reads.read(worker.maker, account, "list", path, op=op,
                                           external=external))
        until_known(worker, made[4])


def worker_made(entries: list[Entry], worker: Worker) -> list[reads.Made]:
    """Returns each operation once, those that were resolved at the end too."""
    made: dict[str, reads.Made] = {one[2]: one for one in worker.made}
    for entry in entries:
        kind = entry.intent.kind
        if entry.done and kind in IDS:
            made[entry.intent.key] = (kind, entry.answer[IDS[kind]], entry.intent.key,
                                      entry.intent.account, entry.intent)
    return list(made.values())


def read_pages(worker: Worker, account: Account, customer: str, view: str) -> None:
    """Reads a statement to its end."""
    before = None
    for _ in range(10_000):
        intent = reads.statement(worker.maker, account, customer, before, view, PAGES)
        intent.about["final"] = True
        entry = until_known(worker, intent)
        if not entry.done or not entry.answer["has_more"]:
            return
        before = entry.answer["proxima_pagina"]
