"""The model's part for sales whose coins are sold first: on their network, or at an exchange.

Contract 3.2 with the policies of sales: what arrived is what is paid, another token waits for a
person, and what nobody knows waits for evidence.
"""
from typing import Any

from ..client.amounts import cents_of, millionths
from ..client.history import Intent
from .books import Operation, Series
from .fees import net_of, order_cost
from .orders import SaleModel

BEFORE_SELLING = ("AWAITING_DEPOSIT", "DEPOSIT_DETECTED")


class ExchangeModel(SaleModel):
    """Follows an order beside the fast rail, and what every order pays."""

    def __init__(self, accounts: list[Any]):
        super().__init__(accounts)
        self.pays: dict[str, Series] = {}
        self.reviews: dict[str, str] = {}
        self.delayed: dict[str, str] = {}
        self.uncertain: set[str] = set()

    def sale(self, intent: Intent, op: str) -> str:
        """Creates an order, and notes what it means to pay."""
        self.pays[op] = Series(cents_of(intent.body["brl_amount"]))
        return super().sale(intent, op)

    def is_fast(self, order: Operation) -> bool:
        """Tells whether its coins are paid for without being sold first."""
        return order.body["network"] == "polygon"

    def review(self, order: Operation, why: str) -> str:
        """Lets a person look at an order."""
        self.reviews[order.op] = why
        self.note(order, "MANUAL_REVIEW", "cashout.under_review")
        return "applied"

    def priced(self, order: Operation, body: dict[str, Any]) -> None:
        """Works out what is paid for what arrived: as asked, if it is what was quoted."""
        asked, terms = cents_of(order.body["brl_amount"]), self.terms[order.account]
        arrived = millionths(body["amount"])
        due = asked if arrived == order_cost(terms, asked) else net_of(terms, arrived)
        self.pays[order.op].put(self.record, due)

    def deposit_confirmed(self, body: dict[str, Any], op: str | None) -> str:
        """Begins to pay, waits to be sold, or for a person where it is another token."""
        order = self.operations[body["cashout_id"]]
        if order.state not in BEFORE_SELLING:
            return "set_aside"
        if body["asset"] != order.body["asset"]:
            return self.review(order, "deposito_divergente")
        self.priced(order, body)
        if self.is_fast(order):
            return super().deposit_confirmed(body, op)
        if order.state == "AWAITING_DEPOSIT":
            self.note(order, order.state, "cashout.deposit_detected")
        self.note(order, "DEPOSIT_CONFIRMED")
        return "applied"

    def sale_started(self, body: dict[str, Any], _: str | None) -> str:
        """Begins to sell."""
        order = self.operations[body["cashout_id"]]
        if order.state != "DEPOSIT_CONFIRMED":
            return "set_aside"
        self.note(order, "SELLING", "cashout.processing")
        return "applied"

    def order_deadline(self, order: Operation, event: int) -> None:
        """Begins to sell by handing the instruction out, which is that step (rulings 70).

        An order that is late shows that until it goes on.
        """
        if event == 13 and order.state == "DELAYED":
            self.delayed[order.op] = "SELLING"
            self.note(order, "DELAYED", "cashout.processing")
        elif event == 13:
            self.note(order, "SELLING", "cashout.processing")

    def is_selling(self, order: Operation) -> bool:
        """Tells whether an outcome of its selling is awaited."""
        unknown = order.state == "MANUAL_REVIEW" and self.reviews[order.op] == "venda_desconhecida"
        return unknown or order.state == "SELLING"

    def sale_filled(self, body: dict[str, Any], _: str | None) -> str:
        """Notes that it was sold."""
        order = self.operations[body["cashout_id"]]
        if not self.is_selling(order):
            return "set_aside"
        self.note(order, "SOLD")
        return "applied"

    def sale_failed(self, body: dict[str, Any], _: str | None) -> str:
        """Gives the coins back, which were definitely not sold."""
        order = self.operations[body["cashout_id"]]
        if not self.is_selling(order):
            return "set_aside"
        self.note(order, "REFUNDING_CRYPTO", "cashout.refunding")
        return "applied"

    def sale_unknown(self, body: dict[str, Any], _: str | None) -> str:
        """Waits for evidence."""
        order = self.operations[body["cashout_id"]]
        return self.review(order, "venda_desconhecida") if order.state == "SELLING" else "set_aside"

    def sale_forwarding(self, body: dict[str, Any], _: str | None) -> str:
        """Notes that the proceeds are on their way."""
        order = self.operations[body["cashout_id"]]
        if order.state != "SOLD":
            return "set_aside"
        self.note(order, "FORWARDING")
        return "applied"

    def sale_forwarded(self, body: dict[str, Any], _: str | None) -> str:
        """Begins to pay, since the proceeds arrived."""
        order = self.operations[body["cashout_id"]]
        if order.state not in ("SOLD", "FORWARDING"):
            return "set_aside"
        self.note(order, "PAYING_OUT")
        return "applied"

    def payment_started(self, body: dict[str, Any], _: str | None) -> str:
        """Begins to pay what was sold on its network."""
        order = self.operations[body["cashout_id"]]
        if order.state != "SOLD":
            return "set_aside"
        self.note(order, "PAYING_OUT")
        return "applied"

    def cashout_delayed(self, body: dict[str, Any], _: str | None) -> str:
        """Notes that somebody is late, and where it stood."""
        order = self.operations[body["cashout_id"]]
        if order.state not in ("DEPOSIT_CONFIRMED", "SELLING", "SOLD"):
            return "set_aside"
        self.delayed[order.op] = order.state
        self.note(order, "DELAYED")
        return "applied"

    def cashout_resumed(self, body: dict[str, Any], _: str | None) -> str:
        """Goes on where it stood."""
        order = self.operations[body["cashout_id"]]
        if order.state != "DELAYED":
            return "set_aside"
        self.note(order, self.delayed[order.op])
        return "applied"

    # The payment.

    def is_paying(self, order: Operation) -> bool:
        """Tells whether an outcome of its PIX is awaited."""
        unknown = (order.state == "MANUAL_REVIEW"
                   and self.reviews[order.op] == "pagamento_desconhecido")
        return unknown or order.state in ("PROCESSING", "PAYING_OUT")

    def cashout_paid(self, body: dict[str, Any], _: str | None) -> str:
        """Completes the order."""
        order = self.operations[body["cashout_id"]]
        if not self.is_paying(order):
            return "set_aside"
        self.note(order, "COMPLETED", "cashout.completed")
        return "applied"

    def cashout_pix_impossible(self, body: dict[str, Any], _: str | None) -> str:
        """Gives the coins back; up to 5,000 USDT nobody is asked."""
        order = self.operations[body["cashout_id"]]
        if order.state not in ("PROCESSING", "PAYING_OUT"):
            return "set_aside"
        self.note(order, "REFUNDING_CRYPTO", "cashout.refunding")
        return "applied"

    def cashout_unknown(self, body: dict[str, Any], _: str | None) -> str:
        """Waits for evidence where it stands."""
        order = self.operations[body["cashout_id"]]
        if order.state not in ("PROCESSING", "PAYING_OUT"):
            return "set_aside"
        self.uncertain.add(order.op)
        return "applied"

    def cashout_stopped(self, body: dict[str, Any], _: str | None) -> str:
        """Lets a person take an order whose payment has no known outcome."""
        order = self.operations[body["cashout_id"]]
        if order.op not in self.uncertain or order.state not in ("PROCESSING", "PAYING_OUT"):
            return "set_aside"
        return self.review(order, "pagamento_desconhecido")

    def cashout_key_refused(self, body: dict[str, Any], _: str | None) -> str:
        """Lets a person mend the key, or give back what the provider gave back."""
        order = self.operations[body["cashout_id"]]
        if order.state not in ("PROCESSING", "PAYING_OUT"):
            return "set_aside"
        return self.review(order, "chave_recusada")

    def cashout_cleared(self, body: dict[str, Any], _: str | None) -> str:
        """Pays to the corrected key."""
        order = self.operations[body["cashout_id"]]
        if order.state != "MANUAL_REVIEW" or self.reviews[order.op] != "chave_recusada":
            return "set_aside"
        self.note(order, "PROCESSING" if self.is_fast(order) else "PAYING_OUT",
                  "cashout.processing")
        return "applied"

    def refund_decided(self, body: dict[str, Any], _: str | None) -> str:
        """Gives the coins back, by a person's decision."""
        order = self.operations[body["cashout_id"]]
        if order.state != "MANUAL_REVIEW":
            return "set_aside"
        self.note(order, "REFUNDING_CRYPTO", "cashout.refunding")
        return "applied"
