"""The model's part for what all sales have in common (contract 3.2); no custody balance moves."""
from typing import Any

from ..client.history import Intent
from .deliveries import DeliveryModel


class SaleModel(DeliveryModel):
    """Follows the state of an order."""

    def sale(self, intent: Intent, op: str) -> str:
        """Creates an order, which commits nothing."""
        self.make("sale", op, intent, None, "QUOTE_CREATED")
        return "applied"

    def accept(self, intent: Intent, _: str) -> str:
        """Accepts an order: its address is issued."""
        order = self.operations[intent.about["of"]]
        self.note(order, "AWAITING_DEPOSIT", "cashout.awaiting_deposit")
        return "applied"

    def deposit_seen(self, body: dict[str, Any], _: str | None) -> str:
        """Notes a deposit that its network has not confirmed."""
        order = self.operations[body["cashout_id"]]
        if order.state != "AWAITING_DEPOSIT":
            return "set_aside"
        self.note(order, "DEPOSIT_DETECTED", "cashout.deposit_detected")
        return "applied"

    def deposit_confirmed(self, body: dict[str, Any], _: str | None) -> str:
        """Begins to pay; a confirmation in full implies that the deposit was seen."""
        order = self.operations[body["cashout_id"]]
        if order.state not in ("AWAITING_DEPOSIT", "DEPOSIT_DETECTED"):
            return "set_aside"
        if order.state == "AWAITING_DEPOSIT":
            self.note(order, order.state, "cashout.deposit_detected")
        self.note(order, "PROCESSING", "cashout.processing")
        return "applied"

    def cashout_paid(self, body: dict[str, Any], _: str | None) -> str:
        """Completes the order."""
        order = self.operations[body["cashout_id"]]
        if order.state != "PROCESSING":
            return "set_aside"
        self.note(order, "COMPLETED", "cashout.completed")
        return "applied"

    def cashout_pix_impossible(self, body: dict[str, Any], _: str | None) -> str:
        """Gives the coins back; up to 5,000 USDT nobody is asked."""
        order = self.operations[body["cashout_id"]]
        if order.state != "PROCESSING":
            return "set_aside"
        self.note(order, "REFUNDING_CRYPTO", "cashout.refunding")
        return "applied"

    def refund_sent(self, body: dict[str, Any], _: str | None) -> str:
        """Ends the refund."""
        order = self.operations[body["cashout_id"]]
        if order.state != "REFUNDING_CRYPTO":
            return "set_aside"
        self.note(order, "REFUNDED", "cashout.refunded")
        return "applied"
