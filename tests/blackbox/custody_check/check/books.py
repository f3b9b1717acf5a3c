"""The checker's own books: balances with their history, statement rows, operations, events.

Every amount is in centavos. A change is noted with the number of the record that made it, so what
a read may have seen is found by bisection.
"""
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any


class Contradiction(Exception):
    """A record that the contract does not allow where it stands."""


@dataclass
class Row:
    """A row of the accounting statement."""

    record: int
    at: int
    origin: str
    kind: str
    cents: int
    after: int = 0


class Series:
    """Values by record number, in order."""

    def __init__(self, first: Any):
        self.records: list[int] = [0]
        self.values: list[Any] = [first]

    def put(self, record: int, value: Any) -> None:
        """Notes the value after a record."""
        if self.records[-1] == record:
            self.values[-1] = value
        elif self.values[-1] != value:
            self.records.append(record)
            self.values.append(value)

    def at(self, record: int) -> Any:
        """Returns the value after a record."""
        return self.values[bisect_right(self.records, record) - 1]

    def between(self, low: int, high: int) -> list[tuple[int, Any]]:
        """Returns the values that stood after some record of a span, each with its first."""
        first = bisect_right(self.records, low) - 1
        last = bisect_right(self.records, max(low, high)) - 1
        return [(max(low, self.records[place]), self.values[place])
                for place in range(first, last + 1)]


@dataclass
class Hold:
    """A block or a reservation: what it holds, and what it still watches for."""

    op: str
    held: int
    short: int
    cause: str | None = None
    reserved: bool = False
    ended: bool = False


@dataclass
class Balance:
    """A subaccount or a house."""

    account: str
    customer: str
    available: int = 0
    held: int = 0
    holds: list[Hold] = field(default_factory=list)
    waits_until: int | None = None
    rows: list[Row] = field(default_factory=list)
    counts: Series = field(default_factory=lambda: Series(0))
    shown: Series = field(default_factory=lambda: Series((0, 0)))
    total: int = 0

    @property
    def frozen(self) -> int:
        """Returns what blocks and reservations hold."""
        return sum(hold.held for hold in self.holds)

    def book(self, record: int, at: int, origin: str, kind: str, cents: int) -> None:
        """Adds a row; the buckets are the caller's."""
        self.total += cents
        self.rows.append(Row(record, at, origin, kind, cents, self.total))

    def settle(self, record: int) -> None:
        """Lets holds that are short take what is available, and notes how it stands."""
        for hold in self.holds:
            if hold.short > 0 and not hold.ended:
                taken = min(hold.short, max(0, self.available))
                hold.held, hold.short = hold.held + taken, hold.short - taken
                self.available -= taken
        self.shown.put(record, (self.available, self.held + self.frozen))
        self.counts.put(record, len(self.rows))
        if self.available + self.held + self.frozen != self.total:
            raise Contradiction(f"our own books of {self.customer} do not add up")


@dataclass
class Operation:
    """An operation: whose it is, its terms, and its status by record."""

    kind: str
    op: str
    external: str
    account: str
    balance: Balance | None
    body: dict[str, Any]
    made: int
    at: int
    status: Series
    held: bool = False
    paid: int = 0
    net: int = 0
    returned: int = 0
    left_held: int = 0
    hold: Hold | None = None
    released: bool = False
    settlement: Series = field(default_factory=lambda: Series(None))
    between: bool = False
    blocks: list["Operation"] = field(default_factory=list)

    @property
    def state(self) -> str:
        """Returns the latest status."""
        return str(self.status.values[-1])


# The prefixes of operations' ids.
PREFIX = {"charge": "ci_", "payout": "po_", "conversion": "cv_", "sale": "co_",
          "wallet_deposit": "ud_", "wallet_payment": "cu_", "withdrawal": "uw_",
          "commission": "cw_", "wallet_quote": "uq_", "withdrawal_quote": "uq_"}

# Edges of sections 3.1 to 3.7 (P:PayoutStates and others); the first is from nothing.
EDGES = {
    "charge": {"": {"pending"}, "pending": {"paid", "delayed", "expired", "failed", "under_review"},
               "under_review": {"paid", "delayed", "refunded"}, "delayed": {"paid", "refunded"},
               "paid": {"refunded"}, "expired": {"paid"}, "refunded": set(), "failed": set()},
    "conversion": {"": {"paid"}, "paid": {"refunded"}, "refunded": set()},
    "commission": {"": {"paid"}, "paid": {"refunded"}, "refunded": set()},
    "sale": {"": {"QUOTE_CREATED"}, "QUOTE_CREATED": {"AWAITING_DEPOSIT", "EXPIRED"},
             "AWAITING_DEPOSIT": {"DEPOSIT_DETECTED", "PROCESSING", "EXPIRED",
                                  "DEPOSIT_CONFIRMED", "MANUAL_REVIEW"},
             "DEPOSIT_DETECTED": {"PROCESSING", "DEPOSIT_CONFIRMED", "MANUAL_REVIEW"},
             "DEPOSIT_CONFIRMED": {"SELLING", "DELAYED"},
             "SELLING": {"SOLD", "REFUNDING_CRYPTO", "MANUAL_REVIEW", "DELAYED"},
             "SOLD": {"FORWARDING", "PAYING_OUT", "DELAYED"}, "FORWARDING": {"PAYING_OUT"},
             "DELAYED": {"DEPOSIT_CONFIRMED", "SELLING", "SOLD"},
             "PAYING_OUT": {"COMPLETED", "REFUNDING_CRYPTO", "MANUAL_REVIEW"},
             "MANUAL_REVIEW": {"SOLD", "COMPLETED", "REFUNDING_CRYPTO", "PROCESSING", "PAYING_OUT"},
             "PROCESSING": {"COMPLETED", "REFUNDING_CRYPTO", "MANUAL_REVIEW"},
             "REFUNDING_CRYPTO": {"REFUNDED"}, "COMPLETED": {"REFUNDED"},
             "EXPIRED": {"DEPOSIT_DETECTED", "PROCESSING"}, "REFUNDED": set()},
    "payout": {"": {"requested"}, "requested": {"submitted", "uncertain", "completed", "failed"},
               "submitted": {"uncertain", "completed", "failed"},
               "uncertain": {"completed", "failed"}, "completed": {"returned"},
               "failed": set(), "returned": set()},
    "wallet_deposit": {"": {"waiting"},
                       "waiting": {"confirming", "available", "under_review", "expired"},
                       "confirming": {"available", "under_review"}, "expired": {"under_review"},
                       "under_review": {"available", "reversed"}, "available": {"reversed"},
                       "reversed": set()},
    "wallet_payment": {"": {"reservado"}, "reservado": {"ordem_criada", "aceita", "falhou"},
                       "ordem_criada": {"aceita", "falhou"}, "aceita": {"sacando", "falhou"},
                       "sacando": {"enviado", "revisao", "falhou"},
                       "enviado": {"concluido", "revisao", "falhou_apos_envio"},
                       "revisao": {"enviado", "concluido", "falhou", "falhou_apos_envio"},
                       "concluido": set(), "falhou": set(), "falhou_apos_envio": set()},
    "withdrawal": {"": {"reserved"},
                   "reserved": {"funding", "processing", "converting", "under_review", "failed"},
                   "funding": {"processing", "converting", "under_review", "failed"},
                   "converting": {"processing", "under_review", "failed"},
                   "processing": {"completed", "under_review"},
                   "under_review": {"funding", "converting", "processing", "completed", "failed"},
                   "completed": set(), "failed": set()},
}


def reachable(kind: str, start: str, end: str) -> bool:
    """Tells whether a state is reached from another by edges of the contract."""
    edges, seen, going = EDGES[kind], {start}, [start]
    while going:
        for following in edges.get(going.pop(), set()):
            if following not in seen:
                seen.add(following)
                going.append(following)
    return end in seen
