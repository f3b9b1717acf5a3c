"""The model: what each record must do, by contract.md, and what must come of it.

It is given the records of the ledger in their order, each with the request or fact that caused it,
and works out balances, rows, statuses and events by itself; of a record's own content it reads
nothing but which operation a deadline was of.
"""
from datetime import datetime, timezone
from typing import Any

from ..client.accounts import HOUSE, TERMS, Account
from ..client.history import Intent
from .books import PREFIX, Balance, Contradiction, Hold, Operation, Series
from .fees import fee
from .records import Record

DEPOSIT_FEE, HELD_ABOVE = 100, 6_000
DAY, MINUTE = 86_400_000_000, 60_000_000
BRASILIA = 3 * 3_600_000_000


def next_midnight(at: int) -> int:
    """Returns the next midnight of Brasília, in microseconds (P:NextDay)."""
    return ((at - BRASILIA) // DAY + 1) * DAY + BRASILIA


class Model:
    """The books of the accounts of one run."""

    def __init__(self, accounts: list[Account]):
        self.terms = {account.name: account.terms for account in accounts}
        self.balances: dict[tuple[str, str], Balance] = {}
        self.operations: dict[str, Operation] = {}
        self.by_number: dict[tuple[str, int], Operation] = {}
        self.events: list[tuple[int, str, str, str]] = []
        self.totals = {name: Series((0, 0, 0, 0)) for name in self.terms}
        self.known: set[str] = set()
        self.touched: set[tuple[str, str]] = set()
        self.record, self.at = 0, 0

    def balance(self, account: str, customer: str | None) -> Balance:
        """Returns the books of a customer, or of the house."""
        key = (account, customer or HOUSE)
        if key not in self.balances:
            self.balances[key] = Balance(*key)
        self.touched.add(key)
        return self.balances[key]

    def is_instant(self, account: str) -> bool:
        """Tells whether deposits of an account are available at once."""
        return TERMS[self.terms[account]].get("liberacao") == "imediata"

    def spendable(self, balance: Balance) -> int:
        """Returns what may be spent: the house covers what its customers owe (rulings 25)."""
        if balance.customer != HOUSE:
            return balance.available
        return balance.available + sum(min(0, other.available) for other in self.of(balance.account))

    def of(self, account: str) -> list[Balance]:
        """Returns the customers of an account."""
        return [one for (name, customer), one in self.balances.items()
                if name == account and customer != HOUSE]

    def apply(self, record: Record, intent: Intent, op: str | None) -> str:
        """Applies what an intent did by this record; returns the outcome that is due."""
        self.record, self.at, self.intent = record.number, record.at, intent
        self.touched.clear()
        outcome: str
        if not intent.kind.startswith("fact:"):
            outcome = getattr(self, intent.kind)(intent, op or f"unknown-{record.number}")
        else:
            name = intent.kind.removeprefix("fact:").replace(".", "_")
            outcome = getattr(self, name)(intent.body, op)
        self.close()
        return outcome

    def close(self) -> None:
        """Notes how every balance that moved stands after the record."""
        for account, customer in list(self.touched):
            self.balances[account, customer].settle(self.record)
        for account in {account for account, _ in self.touched}:
            house = self.balances.get((account, HOUSE))
            shown = house.shown.values[-1] if house else (0, 0)
            theirs = [one.shown.values[-1] for one in self.of(account)]
            self.totals[account].put(self.record, (*shown, sum(one[0] for one in theirs),
                                                   sum(one[1] for one in theirs)))

    def note(self, operation: Operation, status: str, *events: str) -> None:
        """Moves an operation, and expects the webhooks of that."""
        operation.status.put(self.record, status)
        for name in events:
            self.events.append((self.record, operation.op, name, operation.account))

    def make(self, kind: str, op: str, intent: Intent, balance: Balance | None,
             status: str) -> Operation:
        """Makes an operation."""
        made = Operation(kind, op, intent.key, intent.account, balance, intent.body or {},
                         self.record, self.at, Series(None))
        made.status.put(self.record, status)
        self.operations[op] = made
        self.by_number[PREFIX.get(kind, op[:3]), self.record] = made
        return made

    def row(self, balance: Balance, origin: str, kind: str, cents: int) -> None:
        """Books a row, unless it is of nothing."""
        if cents:
            self.touched.add((balance.account, balance.customer))
            balance.book(self.record, self.at, origin, kind, cents)

    # Requests.

    def charge(self, intent: Intent, op: str) -> str:
        """Issues a charge; the provider holds what is above the threshold of published terms."""
        if intent.body["destino"] == "cripto":
            self.make("charge", op, intent, None, "pending").settlement.put(self.record, "pending")
            return "applied"
        balance = self.balance(intent.account, intent.body.get("customer_ref"))
        made = self.make("charge", op, intent, balance, "pending")
        amount = intent.body["amount_cents"]
        made.held = self.terms[intent.account] == "published" and amount > HELD_ABOVE
        if not made.held and not self.is_instant(intent.account):
            self.events.append((self.record, op, "cashin.held", intent.account))
        return "applied"

    def may_leave(self, balance: Balance, cents: int, about: str) -> None:
        """Raises where money may not leave a balance."""
        if balance.waits_until is not None and self.at < balance.waits_until:
            raise Contradiction(f"{about}: accepted in the wait of a first deposit (contract 8)")
        if self.spendable(balance) < cents:
            raise Contradiction(f"{about}: {cents} were accepted of {self.spendable(balance)} that "
                                "may be spent (contract 4.3, `saldo_insuficiente`)")

    def payout(self, intent: Intent, op: str) -> str:
        """Debits amount and fee."""
        balance = self.balance(intent.account, intent.body.get("customer_ref"))
        amount = intent.body["amount_cents"]
        cost = fee(self.terms[intent.account], "payout", amount)
        self.may_leave(balance, amount + cost, f"payout {op}")
        self.row(balance, op, "saque_pix", -amount)
        self.row(balance, op, "saque_pix", -cost)
        balance.available -= amount + cost
        made = self.make("payout", op, intent, balance, "requested")
        made.paid, made.net = amount, cost
        self.note(made, "requested", "payout.created")
        return "applied"

    def transfer(self, intent: Intent, op: str) -> str:
        """Moves money between two balances."""
        amount = intent.body["amount_cents"]
        source = self.balance(intent.account, intent.body["from_customer_ref"])
        target = self.balance(intent.account, intent.body["to_customer_ref"])
        self.may_leave(source, amount, f"transfer {op}")
        source.available -= amount
        target.available += amount
        self.row(source, op, "transferencia_saida", -amount)
        self.row(target, op, "transferencia_entrada", amount)
        self.make("transfer", op, intent, None, "concluida")
        return "applied"

    def conversion(self, intent: Intent, op: str) -> str:
        """Debits amount and fee of a withdrawal in crypto, which is paid from the first."""
        balance = self.balance(intent.account, intent.body.get("customer_ref"))
        amount = intent.body["amount_cents"]
        cost = fee(self.terms[intent.account], "conversion", amount)
        self.may_leave(balance, amount + cost, f"conversion {op}")
        self.row(balance, op, "saque_cripto", -amount)
        self.row(balance, op, "saque_cripto", -cost)
        balance.available -= amount + cost
        made = self.make("conversion", op, intent, balance, "paid")
        made.paid, made.net, made.between = amount, cost, True
        made.settlement.put(self.record, "pending")
        self.note(made, "paid", "cashin.paid")
        return "applied"

    # Facts of a PIX received.

    def pix_received(self, body: dict[str, Any], _: str | None) -> str:
        """Credits a charge that is paid exactly and in time, or delays it; else suspense."""
        charge = self.operations[body["cashin_id"]]
        if charge.state != "pending" or body["amount_cents"] != charge.body["amount_cents"]:
            return "set_aside"
        if charge.balance is None:
            charge.between = True
            self.note(charge, "paid", "cashin.paid")
        elif charge.held:
            self.note(charge, "delayed", "cashin.delayed")
        else:
            self.credit(charge, released=False)
        return "applied"

    def credit(self, charge: Operation, released: bool) -> None:
        """Books a deposit less its fee: what the provider released is available at once."""
        assert charge.balance is not None
        gross = charge.body["amount_cents"]
        fee = min(DEPOSIT_FEE, gross)
        balance, charge.paid, charge.net = charge.balance, gross, gross - fee
        self.row(balance, charge.op, "deposito", gross)
        self.row(balance, charge.op, "deposito", -fee)
        if released or self.is_instant(charge.account):
            balance.available += charge.net
            self.note(charge, "paid", "cashin.paid", "cashin.settled")
        else:
            balance.held += charge.net
            charge.left_held = charge.net
            self.note(charge, "paid", "cashin.paid")
        waits = self.terms[charge.account] == "published" and balance.customer != HOUSE
        if waits and balance.waits_until is None:
            balance.waits_until = self.at + DAY

    def pix_seen(self, body: dict[str, Any], _: str | None) -> str:
        """Notes a PIX that the provider has not settled."""
        charge = self.operations[body["cashin_id"]]
        if charge.state != "pending" or body["amount_cents"] != charge.body["amount_cents"]:
            return "set_aside"
        self.note(charge, "under_review")
        return "applied"

    def provider_settled(self, body: dict[str, Any], _: str | None) -> str:
        """Settles a PIX that was seen; what the provider was to hold, it has held by then."""
        charge = self.operations[body["cashin_id"]]
        if charge.state != "under_review":
            return "set_aside"
        self.credit(charge, released=charge.held)
        return "applied"

    def provider_held(self, body: dict[str, Any], _: str | None) -> str:
        """Delays a PIX that was seen."""
        charge = self.operations[body["cashin_id"]]
        if charge.state != "under_review":
            return "set_aside"
        self.note(charge, "delayed", "cashin.delayed")
        return "applied"

    def provider_released(self, body: dict[str, Any], _: str | None) -> str:
        """Releases what the provider held."""
        charge = self.operations[body["cashin_id"]]
        if charge.state not in ("delayed", "under_review"):
            return "set_aside"
        self.credit(charge, released=True)
        return "applied"

    def provider_cancelled(self, body: dict[str, Any], _: str | None) -> str:
        """Ends a charge before payment."""
        charge = self.operations[body["cashin_id"]]
        if charge.state != "pending":
            return "set_aside"
        self.note(charge, "failed", "cashin.failed")
        return "applied"

    def pix_returned(self, body: dict[str, Any], _: str | None) -> str:
        """Debits the customer, below zero if it must be; the rest reverses the fee (rulings 22)."""
        charge, amount = self.operations[body["cashin_id"]], body["amount_cents"]
        if charge.state != "paid" or charge.returned + amount > charge.paid:
            return "set_aside"
        assert charge.balance is not None
        borne = min(charge.returned + amount, charge.net) - min(charge.returned, charge.net)
        charge.returned += amount
        self.row(charge.balance, charge.op, "estorno", -amount)
        self.row(charge.balance, charge.op, "estorno", amount - borne)
        self.take(charge, borne)
        if charge.returned == charge.paid:
            self.note(charge, "refunded", "cashin.refunded")
            self.end_blocks(charge)
        return "applied"

    def end_blocks(self, charge: Operation) -> None:
        """Lets go of what blocks still have once all of their cause went back."""
        for made in charge.blocks:
            if made.hold and not made.hold.ended:
                self.let_go(made)

    def take(self, charge: Operation, cents: int) -> None:
        """Takes a forced debit in the order of rulings 23: its block, held parts, available."""
        balance = charge.balance
        assert balance is not None
        for hold in balance.holds:
            if hold.cause == charge.op and not hold.reserved:
                part = min(cents, hold.held)
                hold.held, cents = hold.held - part, cents - part
        part = min(cents, balance.held)
        balance.held, cents = balance.held - part, cents - part
        charge.left_held = max(0, charge.left_held - part)
        balance.available -= cents

    # Facts of blocks and reservations.

    def hold_placed(self, body: dict[str, Any], op: str | None) -> str:
        """Blocks what is available, and watches for the rest."""
        balance = self.balance(body["account"], body.get("customer_ref"))
        cause = body.get("cashin_id")
        if cause:
            found = self.operations[cause].balance
            assert found is not None
            balance = self.balance(found.account, found.customer)
        hold = Hold(op or "", 0, body["amount_cents"], cause)
        balance.holds.append(hold)
        made = Operation("hold", op or "", body["id"], balance.account, balance, body,
                         self.record, self.at, Series("held"), hold=hold)
        self.operations[made.op] = self.by_number["ho_", self.record] = made
        if cause:
            self.operations[cause].blocks.append(made)
        return "applied"

    def hold_released(self, body: dict[str, Any], _: str | None) -> str:
        """Lets go of a block."""
        self.let_go(self.operations[body["hold_id"]])
        return "applied"

    def is_so_already(self, intent: Intent) -> bool:
        """Tells whether what a fact of an id of its own says was so: a hold that has ended is released."""
        made = self.operations.get((intent.body or {}).get("hold_id"))
        ended = made is not None and made.hold is not None and made.hold.ended
        return ended and intent.kind == "fact:hold.released"

    def let_go(self, operation: Operation) -> None:
        """Makes what a hold has available again, and ends its watch."""
        hold, balance = operation.hold, operation.balance
        assert hold is not None and balance is not None
        self.touched.add((balance.account, balance.customer))
        balance.available += hold.held
        hold.held, hold.short, hold.ended = 0, 0, True
        balance.holds.remove(hold)

    def reservation_made(self, body: dict[str, Any], op: str | None) -> str:
        """Reserves all of an amount, or nothing."""
        balance = self.balance(body["account"], body.get("customer_ref"))
        waits = balance.waits_until is not None and self.at < balance.waits_until
        if waits or self.spendable(balance) < body["amount_cents"]:
            return "set_aside"
        if "expires_at" in body and instant(body["expires_at"]) <= self.at:
            return "set_aside"
        balance.available -= body["amount_cents"]
        hold = Hold(op or "", body["amount_cents"], 0, None, True)
        balance.holds.append(hold)
        made = Operation("hold", op or "", body["id"], balance.account, balance, body,
                         self.record, self.at, Series("held"), hold=hold)
        self.operations[made.op] = self.by_number["ho_", self.record] = made
        return "applied"

    def reservation_captured(self, body: dict[str, Any], _: str | None) -> str:
        """Moves a part of a reservation to another balance."""
        made = self.operations[body["hold_id"]]
        hold, source, amount = made.hold, made.balance, body["amount_cents"]
        assert hold is not None and source is not None
        if hold.ended or amount > hold.held:
            return "set_aside"
        target = self.balance(made.account, body["to"]["of"]["customer_ref"])
        hold.held -= amount
        target.available += amount
        self.row(source, made.op, "lancamento", -amount)
        self.row(target, made.op, "lancamento", amount)
        if body.get("final") or hold.held == 0:
            self.let_go(made)
        return "applied"


def instant(text: str) -> int:
    """Returns an RFC 3339 instant in UTC, in microseconds."""
    at = datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)
    seconds = int(at.timestamp())
    return seconds * 1_000_000 + at.microsecond
