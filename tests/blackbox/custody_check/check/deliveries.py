"""The model's part for crypto that is sent: purchases and withdrawals of custody (contract 3.1)."""
from typing import Any

from .books import Operation
from .payouts import PayoutModel


class DeliveryModel(PayoutModel):
    """Follows `settlement_status`; no balance moves until a delivery is given up.

    `between` tells that no attempt is under way: none has begun, or the last has failed.
    """

    def settle_as(self, made: Operation, status: str, *events: str) -> str:
        """Moves the settlement of an operation, and expects the webhooks of that."""
        made.settlement.put(self.record, status)
        self.note(made, made.state, *events)
        return "applied"

    def delivery_started(self, body: dict[str, Any], _: str | None) -> str:
        """Begins an attempt of what is paid and not under way."""
        made = self.operations[body["cashin_id"]]
        if not made.between:
            return "set_aside"
        made.between = False
        return self.settle_as(made, "sending")

    def handed_out(self, made: Operation) -> None:
        """Begins an attempt by handing its instruction out, which is that step (rulings 70)."""
        made.between = False
        made.settlement.put(self.record, "sending")

    def delivery_failed(self, body: dict[str, Any], _: str | None) -> str:
        """Ends an attempt, which is tried again: it stays in progress (contract 3.1)."""
        made = self.operations[body["cashin_id"]]
        if made.between or made.settlement.values[-1] == "sent":
            return "set_aside"
        made.between = True
        return self.settle_as(made, "sending", "cashin.settlement_failed")

    def delivery_unknown(self, body: dict[str, Any], _: str | None) -> str:
        """Waits for evidence; nothing moves (P:Incerto)."""
        made = self.operations[body["cashin_id"]]
        if made.between or made.settlement.values[-1] != "sending":
            return "set_aside"
        return self.settle_as(made, "incerto")

    def delivery_sent(self, body: dict[str, Any], _: str | None) -> str:
        """Completes the settlement."""
        made = self.operations[body["cashin_id"]]
        if made.between or made.settlement.values[-1] == "sent":
            return "set_aside"
        return self.settle_as(made, "sent", "cashin.settled")

    def delivery_given_up(self, body: dict[str, Any], _: str | None) -> str:
        """Gives all that was debited back to where it came from (P:SacarFail)."""
        made = self.operations[body["cashin_id"]]
        if not made.between:
            return "set_aside"
        made.between, balance = False, made.balance
        assert balance is not None
        self.row(balance, made.op, "estorno", made.paid)
        self.row(balance, made.op, "estorno", made.net)
        balance.available += made.paid + made.net
        made.settlement.put(self.record, "failed")
        self.note(made, "refunded", "cashin.refunded")
        return "applied"
