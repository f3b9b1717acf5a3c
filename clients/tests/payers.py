"""Three ways to pay orders by the clients in Python: two that heed outcomes, one that does not.

An order is a number; it pays that many centavos more than one real, so that the ledger's records
tell of each payout which order it was for, whatever its `external_id`.
"""

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor

from custody_ledger import (
    Absence,
    AsyncLedger,
    AsyncLookup,
    AsyncOutcome,
    AsyncUnknown,
    Ledger,
    Lookup,
    Outcome,
    Policy,
    Refusal,
    Success,
    Unknown,
)
from custody_ledger.schemas import CreatePayoutTerms, Payout

# Clients wait less than the proxy delays, and believe an absence after more.
POLICY = Policy(attempts=2, timeout=1.0, backoff=0.02, longest_backoff=0.1, settle=4.0)
PAUSE = 0.5


def terms(order: int) -> CreatePayoutTerms:
    """Whom an order pays, and how much."""
    return {
        "amount_cents": 100 + order,
        "tax_number": "52998224725",
        "pix_key": f"order-{order}@exemplo.com.br",
    }


class Orders:
    """Orders to be paid, and how often each way out of an outcome was taken."""

    def __init__(self) -> None:
        self.unknown = 0
        self.absent = 0

    def sync(self, base: str, key: str, orders: range, workers: int) -> None:
        """Pays by the plain client, on threads."""
        with Ledger(base, key, policy=POLICY) as ledger, ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(lambda order: self.pay(ledger, order), orders):
                pass
            assert ledger.unresolved() == []

    def pay(self, ledger: Ledger, order: int) -> None:
        """Pays one order: an absence is proof enough for an intent under another id."""
        external_id, drawn = f"order-{order}", random.Random(order)
        outcome: Outcome[Payout] | Lookup[Payout]
        outcome = ledger.create_payout(external_id, **terms(order))
        while not isinstance(outcome, Success):
            match outcome:
                case Unknown():
                    self.unknown += 1
                    time.sleep(PAUSE)
                    outcome = outcome.look_up() if drawn.random() < 0.95 else outcome.repeat()
                case Absence():
                    self.absent += 1
                    external_id += "+"
                    outcome = ledger.create_payout(external_id, **terms(order))
                case Refusal(error):
                    raise error
        assert outcome.operation["external_id"] == external_id, outcome

    def asyncio(self, base: str, key: str, orders: range, workers: int) -> None:
        """Pays by the client for asyncio, in tasks."""
        asyncio.run(self.tasks(base, key, orders, workers))

    async def tasks(self, base: str, key: str, orders: range, workers: int) -> None:
        async with AsyncLedger(base, key, policy=POLICY) as ledger:
            left = iter(orders)

            async def work() -> None:
                for order in left:
                    await self.pay_async(ledger, order)

            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(work())
            assert ledger.unresolved() == []

    async def pay_async(self, ledger: AsyncLedger, order: int) -> None:
        """The same as `pay`."""
        external_id, drawn = f"order-{order}", random.Random(order)
        outcome: AsyncOutcome[Payout] | AsyncLookup[Payout]
        outcome = await ledger.create_payout(external_id, **terms(order))
        while not isinstance(outcome, Success):
            match outcome:
                case AsyncUnknown():
                    self.unknown += 1
                    await asyncio.sleep(PAUSE)
                    again = outcome.look_up() if drawn.random() < 0.95 else outcome.repeat()
                    outcome = await again
                case Absence():
                    self.absent += 1
                    external_id += "+"
                    outcome = await ledger.create_payout(external_id, **terms(order))
                case Refusal(error):
                    raise error
        assert outcome.operation["external_id"] == external_id, outcome

    def careless(self, base: str, key: str, orders: range, workers: int) -> None:
        """Pays as nobody should: an unknown outcome makes a new intent, by another client."""

        def pay(order: int) -> None:
            external_id = f"order-{order}"
            while True:
                with Ledger(base, key, policy=POLICY) as ledger:
                    outcome = ledger.create_payout(external_id, **terms(order))
                if isinstance(outcome, Success):
                    return
                self.unknown += 1
                external_id += "+"

        with ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(pay, orders):
                pass
