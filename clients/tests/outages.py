"""Payouts through a proxy that loses answers: the ledger's own records have each order once.

Run as `outages.py PROGRAM FOLDER [--orders N] [--seed N]`. The clients pay their shares of the
orders at once; at last a careless payer shows that this test finds double payments where there are
any. The count is of the tables that `project` fills from the journal, after `audit` has proven it.
"""

import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from custody_ledger import Ledger
from payers import Orders
from service import FUNDS, Service

HERE = Path(__file__).resolve().parent
# How many orders each client pays at once: more would wait for one another, and time out.
WORKERS = 24

Payer = Callable[[Orders, str, str, range, int], None]


@contextmanager
def proxied(base: str, seed: int) -> Iterator[str]:
    """The address of a proxy before a service."""
    port = base.rsplit(":", 1)[1]
    command = [sys.executable, "-B", str(HERE / "proxy.py"), port, str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
        assert proxy.stdout is not None
        try:
            yield proxy.stdout.readline().strip()
        finally:
            proxy.terminate()
            played = json.loads(proxy.stdout.read())
            faults = ", ".join(f"{fault} {times}" for fault, times in sorted(played.items()))
            print(f"  a proxy: {faults}", flush=True)


def typescript(orders: Orders, base: str, key: str, range: range, workers: int) -> None:
    """Pays by the client in TypeScript, in a process of its own."""
    script = HERE.parent / "typescript/tests/payer.mjs"
    arguments = [base, key, str(range.start), str(range.stop), str(workers)]
    done = subprocess.run(["node", str(script), *arguments], check=True, capture_output=True)
    counted = json.loads(done.stdout)
    orders.unknown, orders.absent = counted["unknown"], counted["absent"]


PAYERS: dict[str, Payer] = {
    "Python": Orders.sync,
    "Python, asyncio": Orders.asyncio,
    "TypeScript": typescript,
}


def pay(name: str, payer: Payer, service: Service, key: str, orders: range, seed: int) -> None:
    """Pays some orders through a proxy."""
    counts, started = Orders(), time.monotonic()
    with proxied(service.base, seed) as proxy:
        payer(counts, proxy, key, orders, WORKERS)
    seconds = time.monotonic() - started
    outcomes = f"outcomes unknown {counts.unknown} times, absent {counts.absent} times"
    print(f"  {name}: {len(orders)} orders in {seconds:.1f} s, {outcomes}", flush=True)


@dataclass(frozen=True)
class Records:
    """What the ledger has recorded."""

    # How many payouts each order has, and what all of them took from the balance, in centavos.
    payouts: Counter[int]
    debited: int


def recorded(program: str, service: Service) -> Records:
    """The payouts in the tables of a journal that is proven."""
    service.stop()
    tables = service.store.with_name("tables.db")
    for command in (["audit"], ["project", "--into", str(tables)]):
        arguments = [program, command[0], str(service.store), *command[1:]]
        done = subprocess.run(arguments, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    query = """SELECT amount_cents, fee_cents, coalesce(returned_cents, 0) FROM operations
        WHERE kind = 'payout' AND ledger = 'sandbox'"""
    with sqlite3.connect(tables) as database:
        rows = list(database.execute(query))
    debited = sum(amount + fee - returned for amount, fee, returned in rows)
    return Records(Counter(amount - 100 for amount, _, _ in rows), debited)


def debited(service: Service, key: str) -> int:
    """How many centavos the balance has lost since the account was funded."""
    with Ledger(service.base, key) as ledger:
        balance = ledger.get_balance()
        return FUNDS - balance["deposito_fee_fixed_cents"] - balance["disponivel_cents"]


def careful(program: str, folder: Path, orders: int, seed: int) -> None:
    """Every order is paid once, whoever paid it."""
    with Service(program, folder) as service:
        key = service.funded_key()
        share = -(-orders // len(PAYERS))
        with ThreadPoolExecutor() as pool:
            jobs = []
            for number, (name, payer) in enumerate(PAYERS.items()):
                part = range(number * share, min(orders, (number + 1) * share))
                jobs.append(pool.submit(pay, name, payer, service, key, part, seed + number))
        for job in jobs:
            job.result()
        lost, records = debited(service, key), recorded(program, service)
    counted = records.payouts
    twice = {order: times for order, times in counted.items() if times != 1}
    assert not twice, f"orders paid more than once: {twice}"
    assert counted.keys() == set(range(orders)), f"{orders - len(counted)} orders are not paid"
    assert lost == records.debited, f"the balance lost {lost} centavos, not {records.debited}"
    print(f"  the ledger's records: {counted.total()} payouts for {orders} orders, none twice")


def careless(program: str, folder: Path, seed: int) -> None:
    """The same count finds the double payments of a payer that breaks the rule."""
    with Service(program, folder) as service:
        key = service.funded_key()
        pay("a careless payer", Orders.careless, service, key, range(300), seed)
        counted = recorded(program, service).payouts
    twice = sum(times - 1 for times in counted.values())
    assert twice > 0, "a careless payer paid nothing twice: this test finds nothing"
    print(f"  the ledger's records: {counted.total()} payouts for 300 orders, {twice} too many")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program")
    options.add_argument("folder", type=Path)
    options.add_argument("--orders", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    for name in ("careful", "careless"):
        shutil.rmtree(chosen.folder / name, ignore_errors=True)
        (chosen.folder / name).mkdir(parents=True)
    careful(chosen.program, chosen.folder / "careful", chosen.orders, chosen.seed)
    careless(chosen.program, chosen.folder / "careless", chosen.seed)


if __name__ == "__main__":
    main()
