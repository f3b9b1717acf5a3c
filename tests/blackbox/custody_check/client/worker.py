"""Workers: processes of threads, each with flows of its own under way."""
import random
import threading
import time
from multiprocessing.context import ForkProcess
from pathlib import Path

from . import agents, closing, commissions, flows, reads, sales, wallets
from .accounts import CUSTOMERS, HOUSE, Account, Target
from .flows import Flow, Maker
from .history import Entry, Intent, Recorder
from .transport import Connection

FLOWS = ((flows.deposit, 34), (flows.payout, 24), (flows.transfer, 26), (flows.hold, 6),
         (flows.reservation, 10), (flows.purchase, 8), (flows.conversion, 8), (sales.sale, 8),
         (sales.exchange, 8), (wallets.deposit, 14), (wallets.many, 1), (wallets.payment, 10),
         (wallets.withdrawal, 8), (commissions.withdrawal, 5), (commissions.interval, 1))
IDS = {"charge": "cashin_id", "payout": "payout_id", "transfer": "transfer_id",
       "conversion": "cashin_id", "sale": "cashout_id", "wallet_payment": "payment_id",
       "withdrawal": "withdrawal_id", "commission": "withdrawal_id"}
UNDER_WAY = 5
SHARES = (6, 3, 2, 1, 3)


class Worker:
    """One thread: it takes steps of its flows, reads, and repeats what it did."""

    def __init__(self, target: Target, accounts: list[Account], run: str, name: str, seed: int,
                 recorder: Recorder, pace: float = 0.0):
        self.maker = Maker(run, name, seed)
        self.dice = random.Random(seed + 1)
        self.clients, self.world = Connection(target.url), Connection(target.world)
        self.replica = Connection(target.replica) if target.replica else None
        self.token, self.recorder, self.pace = target.token, recorder, pace
        self.flows = closing.FLOWS if target.ledgers else FLOWS
        self.shares = [1] * len(accounts) if target.ledgers else SHARES
        self.moving = bool(target.ledgers)
        self.accounts = {account.name: account for account in accounts}
        self.going: list[tuple[Flow, Intent, float]] = []
        self.made: list[reads.Made] = []
        self.moments: list[str] = []
        self.sent, self.latest, self.away = 0, 0, False

    def attempt(self, intent: Intent) -> Entry:
        """Sends an intent once and writes down what came of it."""
        self.sent += 1
        request = f"{self.maker.run}-{self.maker.worker}-{self.sent:06d}"
        headers = {"X-Request-ID": request}
        link = self.clients
        if intent.world:
            headers["Authorization"], link = f"Bearer {self.token}", self.world
        else:
            key = intent.about.get("key") or self.accounts[intent.account].key
            headers["X-API-Key"] = str(key)
        if intent.about.get("replica") and self.replica is not None:
            link = self.replica
            headers["x-ledger-at-least"] = str(intent.about["at_least"])
        answer = link.send(intent.method, intent.path, intent.body, headers)
        entry = Entry(intent, request, answer.began, answer.ended, answer.status, answer.body,
                      answer.record, answer.error)
        self.recorder.write(entry)
        self.away = not entry.done and not entry.refused
        self.remember(entry)
        return entry

    def insist(self, intent: Intent) -> Entry:
        """Attempts an intent until it is done."""
        for _ in range(100):
            entry = self.attempt(intent)
            if entry.done:
                return entry
            time.sleep(0.3)
        raise SystemExit(f"{intent.path} was never done: {entry.status} {entry.answer}")

    def remember(self, entry: Entry) -> None:
        """Keeps what later reads and repeats are drawn from."""
        kind = entry.intent.kind
        if entry.record and not entry.intent.about.get("replica"):
            self.latest = max(self.latest, entry.record)
        if entry.done and kind in IDS:
            op = entry.answer[IDS[kind]]
            self.made.append((kind, op, entry.intent.key, entry.intent.account, entry.intent))
            moment = reads.before_instant(entry.answer["created_at"])
            if moment and not self.moving and len(self.moments) < 200:
                self.moments.append(moment)

    def step(self) -> None:
        """Does one thing: a step of a flow, or something beside them."""
        way = self.dice.random()
        if way < 0.55:
            self.advance()
        else:
            intent = self.beside(way)
            if intent is not None:
                self.attempt(intent)
        if self.away:
            time.sleep(0.05)
        elif self.pace:
            time.sleep(self.dice.expovariate(1 / self.pace))

    def beside(self, way: float) -> Intent | None:
        """Draws a read, a repeat, or a request that must be refused."""
        account = self.dice.choice(list(self.accounts.values()))
        if way < 0.84:
            intent = reads.any_read(self.maker, account, self.made, self.moments)
            plain = intent.kind in ("read:balance", "read:statement", "read:consolidated",
                                    "read:wallet", "read:wallet_list", "read:commission",
                                    "read:commission_rows")
            if plain and self.replica is not None and self.dice.random() < 0.4:
                intent.about |= {"replica": True, "at_least": self.latest}
            return intent
        if way < 0.91 and self.made:
            return self.dice.choice(self.made[-60:])[4]
        if way < 0.94:
            return reads.divergent(self.maker, account, self.made)
        if way < 0.97:
            return reads.foreign(self.maker, account, self.made)
        if way < 0.99:
            return reads.malformed(self.maker, account)
        return reads.stranger(self.maker, account)

    def advance(self) -> None:
        """Takes the next step of a flow whose time has come, or begins another.

        Where accounts move, what ends an operation comes first, since a move waits for that.
        """
        now = time.monotonic()
        ready = [place for place, flow in enumerate(self.going) if flow[2] <= now]
        if not ready or len(self.going) < UNDER_WAY and self.dice.random() < 0.5:
            self.begin()
            return
        if self.moving:
            ready = [place for place in ready if not self.going[place][1].begins] or ready
        flow, intent, _ = self.going.pop(self.dice.choice(ready))
        self.follow(flow, intent)

    def begin(self) -> None:
        """Begins a flow on an account; the published terms, which wait, are drawn less often."""
        account = self.dice.choices(list(self.accounts.values()), self.shares)[0]
        kinds, weights = zip(*(agents.FLOWS if account.agent else self.flows))
        flow = self.dice.choices(kinds, weights)[0](self.maker, account)
        self.follow(flow, next(flow))

    def follow(self, flow: Flow, intent: Intent) -> None:
        """Attempts a step; one whose outcome is unknown is attempted again later, unchanged."""
        entry = self.attempt(intent)
        if not entry.done and not entry.refused:
            wait = self.dice.uniform(0.1, 0.8) + 2 * entry.is_told_to_wait
            self.going.append((flow, intent, time.monotonic() + wait))
            return
        try:
            following = flow.send(entry)
        except StopIteration:
            return
        self.going.append((flow, following, time.monotonic() + self.dice.expovariate(4)))


def prelude(target: Target, accounts: list[Account], folder: Path, run: str) -> None:
    """Gives every balance its first deposit."""
    recorder = Recorder(folder / "history-prelude.jsonl")
    worker = Worker(target, accounts, run, "pre", 0, recorder)
    for account in accounts:
        for customer in (*CUSTOMERS, HOUSE):
            flow = flows.opening(worker.maker, account, customer)
            entry = worker.insist(next(flow))
            worker.insist(flow.send(entry))
    recorder.close()


def run_threads(target: Target, accounts: list[Account], folder: Path, run: str, process: int,
                threads: int, seconds: float, seed: int, pace: float) -> None:
    """Runs the threads of one process, and writes what stayed unknown."""
    recorder = Recorder(folder / f"history-{process}.jsonl")
    workers = [Worker(target, accounts, run, f"{process}{place:02d}", seed * 1000 + process * 100
                      + place, recorder, pace) for place in range(threads)]
    until = time.monotonic() + seconds

    failed: list[BaseException] = []

    def work(worker: Worker) -> None:
        try:
            while time.monotonic() < until and not failed:
                worker.step()
        except Exception as trouble:
            failed.append(trouble)
            raise

    pool = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in pool:
        thread.start()
    for thread in pool:
        thread.join()
    recorder.close()
    if failed:
        raise SystemExit(1)


def run_workers(target: Target, accounts: list[Account], folder: Path, run: str, processes: int,
                threads: int, seconds: float, seed: int, pace: float = 0.0) -> list[ForkProcess]:
    """Starts the processes of a run."""
    started = []
    for process in range(processes):
        arguments = (target, accounts, folder, run, process, threads, seconds, seed, pace)
        child = ForkProcess(target=run_threads, args=arguments)
        child.start()
        started.append(child)
    return started
