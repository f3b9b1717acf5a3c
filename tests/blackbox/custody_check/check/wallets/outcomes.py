"""The model's part for what becomes of payments and withdrawals of a wallet."""
from typing import Any

from ...client.amounts import millionths
from ..books import Operation
from .model import NETWORK_FEE, UNDER_WAY, WalletModel

STEPS = {"order_created": "ordem_criada", "accepted": "aceita", "started": "sacando"}


class OutcomeModel(WalletModel):
    """Follows payments (P:PaymentTransitions) and withdrawals (P:WithdrawalTransitions)."""

    def wallet_payment_started(self, body: dict[str, Any], _: str | None) -> str:
        """Takes a step towards the sending; acceptance implies that the order was made."""
        made, status = self.operations[body["payment_id"]], STEPS[body["step"]]
        before = {"ordem_criada": ("reservado",), "aceita": ("reservado", "ordem_criada"),
                  "sacando": ("aceita",)}[status]
        if made.state not in before:
            return "set_aside"
        return self.of_wallet(made, status)

    def wallet_payment_sent(self, body: dict[str, Any], _: str | None) -> str:
        """Sends own coins; the reserve stays whole (rulings 35)."""
        made = self.operations[body["payment_id"]]
        if made.state != "sacando":
            return "set_aside"
        self.coins[made.op].sent = True
        return self.of_wallet(made, "enviado")

    def wallet_payment_confirmed(self, body: dict[str, Any], _: str | None) -> str:
        """Moves own coins alone."""
        made = self.operations[body["payment_id"]]
        return "applied" if made.state in ("enviado", "revisao") else "set_aside"

    def wallet_payment_paid(self, body: dict[str, Any], _: str | None) -> str:
        """Ends a payment that was sent, under review or not."""
        made = self.operations[body["payment_id"]]
        if made.state not in ("enviado", "revisao") or not self.coins[made.op].sent:
            return "set_aside"
        return self.conclude(made)

    def conclude(self, made: Operation) -> str:
        """Takes what it cost, and gives the rest back."""
        return self.consume(made, "concluido", "wallet.payment_completed")

    def consume(self, made: Operation, status: str, *events: str) -> str:
        """Ends a reserve by what the payment cost."""
        coins = self.coins[made.op]
        coins.settled, coins.debited = True, coins.cost
        return self.of_wallet(made, status, *events, available=coins.reserved - coins.cost,
                              reserved=-coins.reserved)

    def wallet_payment_failed(self, body: dict[str, Any], _: str | None) -> str:
        """Gives the reserve back unless it was sent; then a person decides."""
        made = self.operations[body["payment_id"]]
        if made.state not in (*UNDER_WAY, "enviado"):
            return "set_aside"
        return self.fail(made)

    def fail(self, made: Operation) -> str:
        """Ends a payment that was not executed, or freezes the reserve of one that was sent."""
        coins = self.coins[made.op]
        if coins.sent:
            return self.of_wallet(made, "falhou_apos_envio", "wallet.payment_failed")
        return self.of_wallet(made, "falhou", "wallet.payment_failed", available=coins.reserved,
                              reserved=-coins.reserved)

    def wallet_payment_unknown(self, body: dict[str, Any], _: str | None) -> str:
        """Waits for evidence."""
        made = self.operations[body["payment_id"]]
        if made.state not in ("sacando", "enviado"):
            return "set_aside"
        return self.of_wallet(made, "revisao")

    def wallet_payment_resolved(self, body: dict[str, Any], _: str | None) -> str:
        """Decides by evidence, or, once, about a frozen reserve (P:PostFinalResolution)."""
        made, outcome = self.operations[body["payment_id"]], body["outcome"]
        coins = self.coins[made.op]
        if outcome in ("return", "consume_paid", "consume_lost"):
            if made.state != "falhou_apos_envio" or coins.settled:
                return "set_aside"
            if outcome != "return":
                return self.consume(made, made.state)
            coins.settled = True
            return self.of_wallet(made, made.state, available=coins.reserved,
                                  reserved=-coins.reserved)
        if made.state != "revisao":
            return "set_aside"
        if outcome == "paid":
            return self.conclude(made)
        if outcome == "failed":
            return self.fail(made)
        coins.sent = True
        return self.of_wallet(made, "enviado")

    # Withdrawals.

    def wallet_withdrawal_started(self, body: dict[str, Any], _: str | None) -> str:
        """Begins the funding."""
        made = self.operations[body["withdrawal_id"]]
        if made.state != "reserved":
            return "set_aside"
        return self.of_wallet(made, "funding")

    def wallet_withdrawal_funded(self, body: dict[str, Any], _: str | None) -> str:
        """Takes the amount out of the wallet: from here on it is owed to the address."""
        made = self.operations[body["withdrawal_id"]]
        coins = self.coins[made.op]
        if made.state not in ("reserved", "funding"):
            return "set_aside"
        coins.sent = True
        return self.of_wallet(made, "converting" if coins.usdc else "processing",
                              reserved=-coins.reserved)

    def wallet_withdrawal_converted(self, body: dict[str, Any], _: str | None) -> str:
        """Notes what the conversion gave; the client bears the loss."""
        made = self.operations[body["withdrawal_id"]]
        if made.state != "converting":
            return "set_aside"
        self.coins[made.op].obtained = millionths(body["obtained"])
        return self.of_wallet(made, "processing")

    def wallet_withdrawal_sent(self, body: dict[str, Any], _: str | None) -> str:
        """Completes it, or waits for a person where less than its minimum arrived."""
        made = self.operations[body["withdrawal_id"]]
        coins = self.coins[made.op]
        if made.state != "processing":
            return "set_aside"
        coins.arrived = millionths(body["received"])
        if coins.arrived < coins.least:
            return self.of_wallet(made, "under_review")
        return self.complete(made)

    def complete(self, made: Operation) -> str:
        """Gives back what neither arrived nor was taken by the network."""
        coins = self.coins[made.op]
        left = max(0, coins.obtained - (coins.arrived or 0) - NETWORK_FEE)
        coins.debited = coins.reserved - left
        return self.of_wallet(made, "completed", available=left)

    def wallet_withdrawal_unknown(self, body: dict[str, Any], _: str | None) -> str:
        """Waits for evidence."""
        made = self.operations[body["withdrawal_id"]]
        if made.state not in ("reserved", "funding", "converting", "processing"):
            return "set_aside"
        self.coins[made.op].former = made.state
        return self.of_wallet(made, "under_review")

    def wallet_withdrawal_evidence(self, body: dict[str, Any], _: str | None) -> str:
        """Goes on, ends, or gives the whole reserve back, by proof."""
        made, outcome = self.operations[body["withdrawal_id"]], body["outcome"]
        coins = self.coins[made.op]
        if made.state in ("completed", "failed"):
            return "set_aside"
        if outcome == "resumed":
            return self.of_wallet(made, coins.former)
        if outcome == "completed":
            coins.arrived = millionths(body["received"])
            return self.complete(made)
        from_reserve = 0 if coins.sent else coins.reserved
        return self.of_wallet(made, "failed", available=coins.reserved, reserved=-from_reserve)

    def wallet_deadline(self, made: Operation, number: int, event: int) -> None:
        """Applies what time, or handing out, did to an operation of a wallet."""
        if number == 29 and event == 1:
            self.of_wallet(made, "expired")
        elif number == 31 and event == 1:
            self.of_wallet(made, "funding")
        elif number == 32 and event == 2:
            self.note(made, "lapsed")
