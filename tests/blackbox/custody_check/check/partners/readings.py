"""Holds reads and refusals of commission against the model."""
from typing import TYPE_CHECKING

from ...client.history import Entry
from ..model import instant

if TYPE_CHECKING:
    from ..readings import Readings


class CommissionReadings:
    """The checks of everything that was read or refused of commission."""

    def __init__(self, readings: "Readings"):
        self.readings, self.model = readings, readings.model
        self.checks = {"read:commission": self.balance, "read:commission_rows": self.rows,
                       "commission": self.written}

    def find(self, code: str, entry: Entry, text: str) -> None:
        """Notes a finding."""
        self.readings.find(code, entry, text)

    def balance(self, entry: Entry, low: int, high: int) -> None:
        """Holds what is owed, the number of rows, and the instants of withdrawals."""
        answer, account = entry.answer, entry.intent.account
        shown = (answer["saldo_cents"], answer["movimentos"])
        self.readings.match(entry, self.model.owed[account], low, high,
                            lambda value: value == shown, shown, "wrong-commission")
        latest, following = answer["ultimo_saque_em"], answer["proximo_saque_em"]
        at = None if latest is None else instant(latest)
        self.readings.match(entry, self.model.latest[account], low, high,
                            lambda value: value == at, latest, "wrong-commission")
        if following is not None:
            at = instant(following)
            self.readings.match(entry, self.model.allowed[account], low, high,
                                lambda value: value == at, following, "wrong-commission")

    def rows(self, entry: Entry, low: int, high: int) -> None:
        """Holds a page of the commission's ledger against the books."""
        books, numbers = self.model.commissions[entry.intent.account], []
        for item in entry.answer["movimentos"]:
            numbers.append(int(item["movimento_id"][:-6]))
            self.readings.row(entry, books, numbers[-1], item)
        if numbers and numbers != list(range(numbers[0], numbers[0] - len(numbers), -1)):
            self.find("skipped-row", entry, f"rows {numbers} are not one after the other")
        if not entry.answer["has_more"] and numbers and numbers[-1] != 1:
            self.find("skipped-row", entry, f"the ledger ends with row {numbers[-1]}")
        if entry.intent.about.get("before") is None:
            top = numbers[0] if numbers else 0
            self.readings.match(entry, books.counts, low, high, lambda value: value == top,
                                f"{top} rows", "wrong-statement")

    def written(self, entry: Entry, low: int, high: int) -> None:
        """Holds the answer to a withdrawal against the books, or its refusal."""
        if entry.refused:
            self.refusal(entry, low, high)
            return
        made = self.model.operations.get(entry.answer["withdrawal_id"])
        if made is None:
            return
        for series, name in ((made.status, "status"), (made.settlement, "settlement_status")):
            shown = entry.answer[name]
            self.readings.match(entry, series, low, high, lambda value, due=shown: value == due,
                                shown, "wrong-status")

    def refusal(self, entry: Entry, low: int, high: int) -> None:
        """Requires a refusal to be true after some record that it may have seen."""
        code, account = entry.answer.get("erro"), entry.intent.account
        if code == "saldo_insuficiente":
            if entry.status != 402:
                self.find("wrong-status-code", entry, f"{entry.status} where 402 is due")
            due, shown = entry.intent.body["amount_cents"], entry.answer["disponivel_cents"]
            if shown >= due:
                self.find("wrong-refusal", entry, f"{due} were refused of {shown}")
            self.readings.match(entry, self.model.owed[account], low, high,
                                lambda value: value[0] == shown, shown, "wrong-refusal")
        elif code == "saque_comissao_diario":
            if entry.status != 429 or entry.answer["acao"] != "esperar":
                self.find("wrong-status-code", entry, f"{entry.status} where 429 is due")
            until = instant(entry.answer["libera_em"])
            self.readings.match(entry, self.model.allowed[account], low, high,
                                lambda value: value == until, entry.answer["libera_em"],
                                "wrong-refusal")
        else:
            self.find("wrong-refusal", entry, f"{entry.status} {code} for a request in order")
