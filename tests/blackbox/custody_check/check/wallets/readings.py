"""Holds reads and refusals of the USDT wallet against the model."""
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ...client.amounts import millionths, usdt
from ...client.history import Entry
from ..books import PREFIX, Operation
from ..fees import order_cost
from ..order import Finding
from .model import FEE, OPEN_MOST, Coins, paid_cents

if TYPE_CHECKING:
    from ..readings import Readings

FINAL = ("concluido", "falhou", "falhou_apos_envio", "completed", "failed")
LISTED = 100
SUFFIX_MOST = 9_999


class WalletReadings:
    """The checks of everything that was read or refused of a wallet."""

    def __init__(self, readings: "Readings"):
        self.readings, self.model = readings, readings.model
        self.given: dict[tuple[str, str], dict[str, Finding]] = defaultdict(dict)
        self.checks = {"read:wallet": self.wallet, "read:wallet_list": self.listing,
                       "read:wallet_item": self.alone,
                       "duplicate": self.duplicate, "wallet_deposit": self.written,
                       "wallet_payment": self.written, "withdrawal": self.written,
                       "wallet_quote": self.written, "withdrawal_quote": self.written}

    def find(self, code: str, entry: Entry, text: str) -> None:
        """Notes a finding."""
        self.readings.find(code, entry, text)

    def is_closed(self, entry: Entry) -> bool:
        """Holds an answer to an account without a wallet against the contract; true of such."""
        if self.model.has_wallet(entry.intent.account):
            return False
        code = entry.answer.get("erro")
        if entry.status != 403 or code != "carteira_nao_liberada":
            self.find("swallowed-refusal", entry, f"an account without a wallet was answered "
                      f"{entry.status} {code} (contract 4.5)")
        return True

    def wallet(self, entry: Entry, low: int, high: int) -> None:
        """Holds a wallet against the books."""
        if self.is_closed(entry):
            return
        shown = tuple(millionths(entry.answer["balance"][name])
                      for name in ("available", "reserved", "confirming"))
        series = self.model.wallets[entry.intent.account].shown
        self.readings.match(entry, series, low, high, lambda value: value == shown, shown,
                            "wrong-wallet")

    def listing(self, entry: Entry, low: int, high: int) -> None:
        """Requires the hundred latest, latest first, each as it stood."""
        if self.is_closed(entry):
            return
        kind, numbers = entry.intent.about["kind"], []
        for item in entry.answer["items"]:
            number = int(str(next(iter(item.values())))[3:15], 16)
            numbers.append(number)
            made = self.model.by_number.get((PREFIX[kind], number))
            if made is None or made.account != entry.intent.account:
                self.find("unexplained-row", entry, f"{item} is of nothing that was asked")
                continue
            self.item(entry, made, item, low, high)
        if numbers != sorted(set(numbers), reverse=True) or len(numbers) > LISTED:
            self.find("skipped-row", entry, "the list is not of the hundred latest, latest first")
        least = numbers[-1] if len(numbers) == LISTED else 0
        for made in self.model.operations.values():
            mine = made.kind == kind and made.account == entry.intent.account
            if mine and least < made.made <= low and made.made not in numbers:
                self.find("acknowledged-and-lost", entry,
                          f"{made.op} of record {made.made} is gone")

    def alone(self, entry: Entry, low: int, high: int) -> None:
        """Holds an operation that was read by its id."""
        made = self.readings.operation(entry)
        if made is None or self.is_closed(entry):
            return
        if entry.done:
            self.item(entry, made, entry.answer, low, high)
        else:
            self.find("acknowledged-and-lost", entry, f"{made.op} is answered {entry.status}")

    def item(self, entry: Entry, made: Operation, item: dict[str, Any], low: int,
             high: int) -> None:
        """Holds an operation of a wallet against the books: its status, and its amounts."""
        shown = item["status"]
        self.readings.match(entry, made.status, low, high, lambda value: value == shown, shown,
                            "wrong-status")
        self.amounts(entry, made, item)

    def amounts(self, entry: Entry, made: Operation, item: dict[str, Any]) -> None:
        """Holds what an operation shows of money against what is due in the state it shows."""
        coins = self.model.coins.get(made.op, Coins())
        if made.kind == "wallet_deposit":
            self.suffix(entry, made, item)
            due = {}
            if item["status"] in ("confirming", "available"):
                due = {"amount_received": coins.arrived}
        else:
            due = {"usdt_reserved": coins.reserved}
            if item["final"] != (item["status"] in FINAL):
                self.find("wrong-answer", entry, f"final is {item['final']} in {item['status']}")
        if item["status"] in ("concluido", "completed"):
            due["usdt_debited"] = coins.debited
        elif item["status"] not in ("falhou_apos_envio", "available", "confirming"):
            due["usdt_debited"] = None
        for name, value in due.items():
            text = None if value is None else usdt(value)
            if item.get(name) != text:
                self.find("wrong-answer", entry, f"{name} of {made.op} is {item.get(name)} in "
                          f"{item['status']}, and due is {text}")

    def suffix(self, entry: Entry, made: Operation, item: dict[str, Any]) -> None:
        """Requires the last decimals that identify a deposit to be its own (P:DepositSuffix)."""
        more = millionths(item["amount_to_send"]) - millionths(made.body["amount"])
        if not 0 < more <= SUFFIX_MOST:
            self.find("wrong-answer", entry, f"{item['amount_to_send']} for {made.body['amount']}")
        shared = Finding("shared-amount", f"{item['deposit_id']}: another request has "
                         f"{item['amount_to_send']} at its address", entry.began)
        self.given[item["address"], item["amount_to_send"]].setdefault(item["deposit_id"], shared)

    def shared(self) -> list[Finding]:
        """Finds amounts that were given to two requests at one address."""
        return [finding for several in self.given.values() if len(several) > 1
                for finding in several.values()]

    def written(self, entry: Entry, low: int, high: int) -> None:
        """Holds the answer to a request against the books, or its refusal."""
        if self.is_closed(entry):
            return
        if entry.refused:
            self.refusal(entry, low, high)
            return
        kind = entry.intent.kind
        if not kind.endswith("_quote"):
            number = int(str(next(iter(entry.answer.values())))[3:15], 16)
            made = self.model.by_number.get((PREFIX[kind], number))
            if made is not None:
                self.item(entry, made, entry.answer, low, high)
        elif kind == "wallet_quote":
            cost = order_cost(self.model.terms[entry.intent.account],
                              paid_cents(entry.intent.body))
            due = (usdt(cost), usdt(cost + FEE))
            if (entry.answer["usdt_order"], entry.answer["usdt_total"]) != due:
                self.find("wrong-fee", entry, f"{entry.answer} where {due} is due")

    def refusal(self, entry: Entry, low: int, high: int) -> None:
        """Requires a refusal to be true after some record that it may have seen."""
        code, kind = entry.answer.get("erro"), entry.intent.kind
        wallet, body = self.model.wallets[entry.intent.account], entry.intent.body
        if code == "saldo_insuficiente" and kind in ("wallet_payment", "withdrawal"):
            wanted = 409 if kind == "wallet_payment" else 402
            if entry.status != wanted:
                self.find("wrong-status-code", entry, f"{entry.status} where {wanted} is due")
            due = (millionths(body["amount"]) if kind == "withdrawal"
                   else order_cost(self.model.terms[entry.intent.account], paid_cents(body)) + FEE)
            self.readings.match(entry, wallet.shown, low, high, lambda value: value[0] < due,
                                f"no room for {due}", "wrong-refusal")
        elif code == "muitos_pedidos_abertos" and kind == "wallet_deposit":
            self.readings.match(entry, wallet.open, low, high, lambda value: value >= OPEN_MOST,
                                f"{OPEN_MOST} open requests", "wrong-refusal")
        elif code == "cotacao_expirada" and body.get("quote_id"):
            quote = self.model.operations[body["quote_id"]]
            self.readings.match(entry, quote.status, low, high, lambda value: value == "lapsed",
                                "a lapsed quote", "wrong-refusal")
        else:
            self.find("wrong-refusal", entry, f"{entry.status} {code} for a request in order")

    def duplicate(self, entry: Entry, low: int, high: int) -> None:
        """Requires the first withdrawal where its quote is used again (P:DuplicatePrevented)."""
        first = entry.intent.about["op"]
        if not entry.done or entry.answer["withdrawal_id"] != first:
            self.find("twice", entry, f"the quote of {first} was used again: {entry.answer}")
        elif (entry.answer.get("duplicate_prevented") is not True
              or entry.answer["requested_external_id"] != entry.intent.key):
            self.find("wrong-answer", entry, f"{entry.answer} does not say that it was prevented")
