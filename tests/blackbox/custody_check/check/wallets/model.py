"""The model's part for the USDT wallet (contract 2.5, 2.6, 3.4 to 3.6; policies of POLICIES.md).

Amounts are in millionths of USDT; USDC counts one for one.
"""
from dataclasses import dataclass, field
from typing import Any

from ...client.accounts import TERMS, WALLETS, Account
from ...client.history import Intent
from ...client.amounts import cents_of, millionths
from ..books import Contradiction, Operation, Series
from ..exchange import ExchangeModel
from ..fees import order_cost

FEE = NETWORK_FEE = 100_000
BUFFER_BPS, TOLERANCE_BPS = 100, 50
OPEN_MOST = int(str(WALLETS["open_deposits_max"]))
ENDED = ("available", "expired", "reversed")
UNDER_WAY = ("reservado", "ordem_criada", "aceita", "sacando")


@dataclass
class Wallet:
    """The wallet of an account, with its history: available, reserved, confirming."""

    available: int = 0
    reserved: int = 0
    confirming: int = 0
    shown: Series = field(default_factory=lambda: Series((0, 0, 0)))
    open: Series = field(default_factory=lambda: Series(0))


@dataclass
class Coins:
    """The movement of an operation of a wallet."""

    due: int = 0
    reserved: int = 0
    cost: int = 0
    least: int = 0
    obtained: int = 0
    arrived: int | None = None
    debited: int | None = None
    sure: bool = False
    sent: bool = False
    settled: bool = False
    usdc: bool = False
    former: str = ""


def paid_cents(body: dict[str, Any]) -> int:
    """Returns what a payment pays: its own amount, or that of its code."""
    return cents_of(str(body.get("brl_amount") or code_amount(body["br_code"])))


def code_amount(code: str) -> str:
    """Returns field 54 of a BR Code."""
    place = 0
    while code[place:place + 2] != "54":
        place += 4 + int(code[place + 2:place + 4])
    return code[place + 4:place + 4 + int(code[place + 2:place + 4])]


class WalletModel(ExchangeModel):
    """Follows the wallets of the accounts."""

    def __init__(self, accounts: list[Account]):
        super().__init__(accounts)
        self.wallets = {name: Wallet() for name in self.terms}
        self.coins: dict[str, Coins] = {}

    def of_wallet(self, made: Operation, status: str, *events: str, available: int = 0,
                  reserved: int = 0, confirming: int = 0) -> str:
        """Moves an operation of a wallet, and what it moves in the wallet."""
        wallet = self.wallets[made.account]
        if made.kind == "wallet_deposit" and made.state not in ENDED and status in ENDED:
            wallet.open.put(self.record, wallet.open.values[-1] - 1)
        wallet.available += available
        wallet.reserved += reserved
        wallet.confirming += confirming
        wallet.shown.put(self.record, (wallet.available, wallet.reserved, wallet.confirming))
        self.note(made, status, *events)
        return "applied"

    def has_wallet(self, account: str) -> bool:
        """Tells whether the terms of an account grant it the wallet."""
        return bool(TERMS[self.terms[account]].get("carteira_usdt"))

    def granted(self, intent: Intent, op: str) -> Wallet:
        """Returns the wallet of an account that has one."""
        if not self.has_wallet(intent.account):
            raise Contradiction(f"{intent.kind} {op}: the account has no wallet (contract 4.5, "
                                "`carteira_nao_liberada`)")
        return self.wallets[intent.account]

    # Requests.

    def wallet_deposit(self, intent: Intent, op: str) -> str:
        """Asks for a deposit, while fewer are open than may be (P:OpenDepositCap)."""
        wallet = self.granted(intent, op)
        if wallet.open.values[-1] >= OPEN_MOST:
            raise Contradiction(f"deposit {op}: {OPEN_MOST} were open (`muitos_pedidos_abertos`)")
        self.coins[op] = Coins()
        self.make("wallet_deposit", op, intent, None, "waiting")
        wallet.open.put(self.record, wallet.open.values[-1] + 1)
        return "applied"

    def wallet_quote(self, intent: Intent, op: str) -> str:
        """Quotes a payment, which moves nothing."""
        self.granted(intent, op)
        self.make("wallet_quote", op, intent, None, "open")
        return "applied"

    def withdrawal_quote(self, intent: Intent, op: str) -> str:
        """Quotes a withdrawal, which moves nothing."""
        return self.wallet_quote(intent, op)

    def use_quote(self, quote: str | None, about: str) -> None:
        """Uses a quote, which may be used once and in time (P:WithdrawalQuoteUse)."""
        if quote is None:
            return
        if self.operations[quote].state != "open":
            raise Contradiction(f"{about}: quote {quote} was {self.operations[quote].state}")
        self.note(self.operations[quote], "used")

    def spend(self, wallet: Wallet, amount: int, about: str) -> None:
        """Raises where a wallet has not what is spent."""
        if wallet.available < amount:
            raise Contradiction(f"{about}: {amount} were reserved of {wallet.available} that are "
                                "available (contract 4.5, `saldo_insuficiente`)")

    def wallet_payment(self, intent: Intent, op: str) -> str:
        """Reserves what a payment may cost, and up to one percent more (P:ReserveBuffer)."""
        wallet = self.granted(intent, op)
        cost = order_cost(self.terms[intent.account], paid_cents(intent.body)) + FEE
        self.spend(wallet, cost, f"payment {op}")
        self.use_quote(intent.body.get("quote_id"), f"payment {op}")
        reserved = min(cost + cost * BUFFER_BPS // 10_000, wallet.available)
        self.coins[op] = Coins(reserved=reserved, cost=cost)
        made = self.make("wallet_payment", op, intent, None, "reservado")
        return self.of_wallet(made, "reservado", available=-reserved, reserved=reserved)

    def withdrawal(self, intent: Intent, op: str) -> str:
        """Reserves what was quoted; fees are taken from it (P:FeeModeDeducted)."""
        wallet, amount = self.granted(intent, op), millionths(intent.body["amount"])
        self.spend(wallet, amount, f"withdrawal {op}")
        self.use_quote(intent.body["quote_id"], f"withdrawal {op}")
        least = (amount - NETWORK_FEE) * (10_000 - TOLERANCE_BPS) // 10_000
        usdc = self.operations[intent.body["quote_id"]].body["asset"] == "USDC"
        self.coins[op] = Coins(reserved=amount, least=least, obtained=amount, usdc=usdc)
        made = self.make("withdrawal", op, intent, None, "reserved")
        return self.of_wallet(made, "reserved", available=-amount, reserved=amount)

    # Deposits (P:DepositReview).

    def wallet_deposit_seen(self, body: dict[str, Any], _: str | None) -> str:
        """Awaits its confirmation if it is exactly what was asked for, else a person."""
        made = self.operations[body["deposit_id"]]
        coins = self.coins[made.op]
        if made.state not in ("waiting", "expired"):
            return "set_aside"
        coins.due = millionths(self.intent.about["to_send"])
        coins.arrived = millionths(body["amount"])
        if made.state == "expired" or coins.arrived != coins.due:
            return self.of_wallet(made, "under_review")
        return self.of_wallet(made, "confirming", confirming=coins.arrived)

    def wallet_deposit_confirmed(self, body: dict[str, Any], _: str | None) -> str:
        """Credits it; told in full it was seen before."""
        made = self.operations[body["deposit_id"]]
        coins = self.coins[made.op]
        if made.state in ("waiting", "expired"):
            self.wallet_deposit_seen(body, None)
        if made.state == "under_review" and not coins.sure:
            coins.sure = True
            return "applied"
        if made.state != "confirming" or coins.arrived is None:
            return "set_aside"
        return self.credit_wallet(made, coins.arrived, confirming=-coins.arrived)

    def credit_wallet(self, made: Operation, amount: int, confirming: int = 0) -> str:
        """Makes coins available."""
        self.coins[made.op].obtained = amount
        return self.of_wallet(made, "available", "wallet.deposit_credited", available=amount,
                              confirming=confirming)

    def wallet_deposit_doubted(self, body: dict[str, Any], _: str | None) -> str:
        """Stops counting on it."""
        made = self.operations[body["deposit_id"]]
        if made.state != "confirming":
            return "set_aside"
        return self.of_wallet(made, "under_review", confirming=-(self.coins[made.op].arrived or 0))

    def wallet_deposit_judged(self, body: dict[str, Any], _: str | None) -> str:
        """Lets it in or sends it back once it is confirmed, or gives it up before."""
        made = self.operations[body["deposit_id"]]
        coins, vanished = self.coins[made.op], body["outcome"] == "vanished"
        if made.state != "under_review" or coins.sure == vanished or coins.arrived is None:
            return "set_aside"
        if body["outcome"] != "cleared":
            return self.of_wallet(made, "reversed")
        part = body.get("credited")
        return self.credit_wallet(made, millionths(part) if part else coins.arrived)

    def wallet_deposit_reversed(self, body: dict[str, Any], _: str | None) -> str:
        """Takes back what was credited, below zero if it must be (P:ReverseSpent)."""
        made = self.operations[body["deposit_id"]]
        if made.state != "available":
            return "set_aside"
        return self.of_wallet(made, "reversed", available=-self.coins[made.op].obtained)
