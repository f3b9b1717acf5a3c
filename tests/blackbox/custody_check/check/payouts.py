"""The model's part for what becomes of a payout (contract 2.4; P:PayoutStates)."""
from typing import Any

from .model import Model


class PayoutModel(Model):
    """Follows a payout; its principal and fee left the balance when it was asked for."""

    def payout_submitted(self, body: dict[str, Any], _: str | None) -> str:
        """Notes that the provider took it."""
        payout = self.operations[body["payout_id"]]
        if payout.state != "requested":
            return "set_aside"
        self.note(payout, "submitted", "payout.processing")
        return "applied"

    def payout_unknown(self, body: dict[str, Any], _: str | None) -> str:
        """Notes that nobody knows; nothing moves."""
        payout = self.operations[body["payout_id"]]
        if payout.state not in ("requested", "submitted"):
            return "set_aside"
        self.note(payout, "uncertain")
        return "applied"

    def payout_paid(self, body: dict[str, Any], _: str | None) -> str:
        """Completes it, from any state in which it is under way."""
        payout = self.operations[body["payout_id"]]
        if payout.state not in ("requested", "submitted", "uncertain"):
            return "set_aside"
        self.note(payout, "completed", "payout.completed")
        return "applied"

    def payout_refused(self, body: dict[str, Any], _: str | None) -> str:
        """Gives principal and fee back."""
        payout = self.operations[body["payout_id"]]
        if payout.state not in ("requested", "submitted", "uncertain"):
            return "set_aside"
        assert payout.balance is not None
        self.row(payout.balance, payout.op, "estorno", payout.paid)
        self.row(payout.balance, payout.op, "estorno", payout.net)
        payout.balance.available += payout.paid + payout.net
        self.note(payout, "failed", "payout.failed")
        return "applied"

    def payout_evidence(self, body: dict[str, Any], op: str | None) -> str:
        """Decides, on evidence, about a payout that has not ended."""
        return self.payout_refused(body, op)

    def payout_returned(self, body: dict[str, Any], _: str | None) -> str:
        """Brings money back of a payout that was paid; the fee is kept (rulings 37)."""
        payout, amount = self.operations[body["payout_id"]], body["amount_cents"]
        if payout.state != "completed" or payout.returned + amount > payout.paid:
            return "set_aside"
        assert payout.balance is not None
        payout.returned += amount
        self.row(payout.balance, payout.op, "estorno", amount)
        payout.balance.available += amount
        whole = payout.returned == payout.paid
        self.note(payout, "returned" if whole else "completed", "payout.returned")
        return "applied"
