"""The model's part for commission (contract 4.7; P:CommissionAccrual, P:CommissionCheckOrder).

It is earned when the operation is completed, and leaves as crypto at no cost (rulings 18 and 38).
"""
from typing import Any

from ...client.accounts import Account
from ...client.history import Intent
from ..books import Balance, Contradiction, Operation, Series
from ..fees import commission
from ..wallets.model import paid_cents
from ..wallets.outcomes import OutcomeModel

HOUR = 3_600_000_000


class CommissionModel(OutcomeModel):
    """Follows what each account is owed."""

    def __init__(self, accounts: list[Account]):
        super().__init__(accounts)
        self.commissions = {name: Balance(name, "comissao") for name in self.terms}
        self.owed = {name: Series((0, 0)) for name in self.terms}
        self.latest: dict[str, Series] = {name: Series(None) for name in self.terms}
        self.allowed = {name: Series(0) for name in self.terms}
        self.interval = 0

    def move(self, made: Operation, kind: str, cents: int) -> None:
        """Books a row of commission, unless it is of nothing."""
        books = self.commissions[made.account]
        if cents:
            books.book(self.record, self.at, made.op, kind, cents)
            books.available += cents
            books.settle(self.record)
            self.owed[made.account].put(self.record, (books.total, len(books.rows)))

    def earn(self, made: Operation, kind: str, cents: int, outcome: str) -> str:
        """Adds the partner's part of an operation that is done now."""
        if outcome == "applied":
            self.move(made, "comissao", commission(self.terms[made.account], kind, cents))
        return outcome

    def payout_paid(self, body: dict[str, Any], op: str | None) -> str:
        """Earns with a payout."""
        made = self.operations[body["payout_id"]]
        return self.earn(made, "payout", made.paid, super().payout_paid(body, op))

    def cashout_paid(self, body: dict[str, Any], op: str | None) -> str:
        """Earns with a sale."""
        made = self.operations[body["cashout_id"]]
        return self.earn(made, "sale", self.pays[made.op].values[-1],
                         super().cashout_paid(body, op))

    def refund_sent(self, body: dict[str, Any], op: str | None) -> str:
        """Earns with a sale whose key was refused, once it is refunded (rulings 32)."""
        made, outcome = self.operations[body["cashout_id"]], super().refund_sent(body, op)
        if self.reviews.get(made.op) != "chave_recusada":
            return outcome
        return self.earn(made, "sale", self.pays[made.op].values[-1], outcome)

    def delivery_sent(self, body: dict[str, Any], op: str | None) -> str:
        """Earns with a purchase and with a conversion."""
        made, outcome = self.operations[body["cashin_id"]], super().delivery_sent(body, op)
        if made.kind == "commission":
            return outcome
        kind = "purchase" if made.kind == "charge" else "conversion"
        return self.earn(made, kind, made.body["amount_cents"], outcome)

    def conclude(self, made: Operation) -> str:
        """Earns with a payment of a wallet."""
        return self.earn(made, "sale", paid_cents(made.body), super().conclude(made))

    def wallet_payment_resolved(self, body: dict[str, Any], op: str | None) -> str:
        """Earns where the PIX is proven paid after all (rulings 35)."""
        made = self.operations[body["payment_id"]]
        outcome = super().wallet_payment_resolved(body, op)
        if body["outcome"] == "consume_paid":
            self.earn(made, "sale", paid_cents(made.body), outcome)
        return outcome

    # The withdrawal of commission.

    def commission(self, intent: Intent, op: str) -> str:
        """Takes commission out, unless it is too early or more than there is."""
        account, amount = intent.account, intent.body["amount_cents"]
        if self.at < self.allowed[account].values[-1]:
            raise Contradiction(f"{op}: commission left within {self.interval} hours "
                                "(contract 4.7, `saque_comissao_diario`)")
        if self.commissions[account].available < amount:
            raise Contradiction(f"{op}: {amount} of {self.commissions[account].available} left")
        made = self.make("commission", op, intent, None, "paid")
        made.settlement.put(self.record, "pending")
        made.paid, made.between = amount, True
        self.latest[account].put(self.record, self.at)
        self.move(made, "saque_comissao", -amount)
        self.allow(account)
        return "applied"

    def allow(self, account: str) -> None:
        """Notes from when on commission may leave again."""
        latest = self.latest[account].values[-1]
        if latest is not None:
            self.allowed[account].put(self.record, latest + self.interval * HOUR)

    def policy_adopted(self, body: dict[str, Any], _: str | None) -> str:
        """Takes another interval between two withdrawals."""
        self.interval = body["commission_interval_hours"]
        for account in self.terms:
            self.allow(account)
        return "applied"

    def settle_as(self, made: Operation, status: str, *events: str) -> str:
        """Moves a settlement; of commission nobody is told (P:CommissionEvents)."""
        return super().settle_as(made, status, *(events if made.kind != "commission" else ()))

    def delivery_given_up(self, body: dict[str, Any], op: str | None) -> str:
        """Gives commission back to where it came from."""
        made = self.operations[body["cashin_id"]]
        if made.kind != "commission":
            return super().delivery_given_up(body, op)
        if not made.between:
            return "set_aside"
        made.between = False
        made.settlement.put(self.record, "failed")
        self.note(made, "refunded")
        self.move(made, "devolucao_saque_comissao", made.paid)
        return "applied"
