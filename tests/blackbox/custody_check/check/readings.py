"""Holds reads and refusals against the books at the records that they may have seen."""
import json
import re
from bisect import bisect_right
from typing import Any, Callable

from ..client.accounts import HOUSE, ROUTES
from ..client.amounts import cents_of, usdt
from ..client.history import Entry
from .agents.readings import AgentReadings
from .books import Balance, Operation, Series
from .fees import fee, order_cost
from .model import instant
from .order import Finding, RealTime, Sightings
from .partners.readings import CommissionReadings
from .replay import WRITES, Replay
from .wallets.readings import WalletReadings

ID = re.compile(r"\b(?:ci|cv|co|po|tr|ho|ud|cu|uw|cw)_[0-9a-f]{28}\b")


def state_of(item: dict[str, Any]) -> Any:
    """Returns the status of an operation, which orders call their state."""
    return item.get("status", item.get("state"))


class Readings:
    """The checks of everything that was read or refused."""

    def __init__(self, replay: Replay, time: RealTime, entries: list[Entry]):
        self.replay, self.model, self.time = replay, replay.model, time
        self.entries = sorted(entries, key=lambda entry: entry.began)
        self.findings: list[Finding] = []
        self.sightings = Sightings()
        self.counted = 0
        self.agents = AgentReadings(self)
        self.rows: dict[tuple[str, str], tuple[int, Finding]] = {}

    def find(self, code: str, entry: Entry, text: str) -> None:
        """Notes a finding about a read."""
        self.findings.append(Finding(code, f"{entry.request}, {entry.intent.path} of "
                                     f"{entry.intent.account}: {text}", entry.began))

    def run(self) -> None:
        """Checks every entry, in the order in which they were asked."""
        checks: dict[str, Callable[[Entry, int, int], None]] = {
            "read:balance": self.balance, "read:balance_at": self.balance_at,
            "read:consolidated": self.consolidated, "read:statement": self.statement,
            "read:status": self.status, "read:list": self.listing, "read:foreign": self.foreign,
            "read:customers": self.customers, "divergent": self.divergent,
            "malformed": self.malformed, "stranger": self.stranger}
        wallets = WalletReadings(self)
        checks |= wallets.checks | CommissionReadings(self).checks | self.agents.checks
        for entry in self.entries:
            if not entry.done and not entry.refused:
                continue
            low, high = self.window(entry)
            check = checks.get(entry.intent.kind)
            if check is not None:
                self.counted += 1
                check(entry, low, high)
            elif entry.intent.kind in WRITES and entry.refused:
                self.counted += 1
                self.refusal(entry, low, high)
            self.own(entry)
        self.findings += [finding for _, finding in self.rows.values()] + wallets.shared()

    def window(self, entry: Entry) -> tuple[int, int]:
        """Returns the records that an answer may show: at least, and at most."""
        if entry.intent.about.get("replica"):
            if entry.record is None:
                self.find("stale-replica", entry, "a replica names no record")
                return 0, 0
            if entry.record < entry.intent.about["at_least"]:
                self.find("stale-replica", entry, f"record {entry.record} was shown where "
                          f"{entry.intent.about['at_least']} was the least")
            return entry.record, entry.record
        low = max(self.time.must(entry.began), self.sightings.before(entry.began))
        return low, max(low, self.time.may(entry.ended))

    def match(self, entry: Entry, series: Series, low: int, high: int,
              fits: Callable[[Any], bool], shown: Any, code: str) -> None:
        """Looks for a value that a read may have shown, and keeps what it proves."""
        if entry.intent.about.get("replica"):
            low = high = entry.record or 0
        spans = series.between(low, high)
        for record, value in spans:
            if fits(value):
                if not entry.intent.about.get("replica"):
                    self.sightings.add(entry.ended, record)
                return
        stale = any(fits(value) for value in series.values)
        values = [value for _, value in spans][:4]
        self.find("stale-read" if stale else code, entry, f"{shown} was shown, and between records "
                  f"{low} and {high} it was {values}")

    def books(self, entry: Entry) -> Balance:
        """Returns the books of the balance that an entry is about."""
        return self.model.balance(entry.intent.account, entry.intent.about["customer"])

    def balance(self, entry: Entry, low: int, high: int) -> None:
        """Holds available and blocked against the books."""
        shown = (entry.answer["disponivel_cents"], entry.answer["bloqueado_cents"])
        self.match(entry, self.books(entry).shown, low, high, lambda value: value == shown,
                   shown, "wrong-balance")

    def balance_at(self, entry: Entry, low: int, high: int) -> None:
        """Holds the balance of an instant against the last row that is no later."""
        moment = instant(entry.intent.about["moment"])
        rows = self.books(entry).rows
        place = bisect_right(rows, moment, key=lambda row: row.at)
        due = rows[place - 1].after if place else 0
        if entry.status != 200 or entry.answer["saldo_cents"] != due:
            self.find("wrong-balance-at", entry, f"{entry.answer} where {due} is due")

    def consolidated(self, entry: Entry, low: int, high: int) -> None:
        """Holds the totals of an account against the sums of the books."""
        house, others = entry.answer["casa"], entry.answer["clientes"]
        shown = (house["disponivel_cents"], house["bloqueado_cents"],
                 others["disponivel_cents"], others["bloqueado_cents"])
        if sum(shown) != entry.answer["total_cents"]:
            self.find("wrong-total", entry, f"the parts {shown} are no {entry.answer['total_cents']}")
        self.match(entry, self.model.totals[entry.intent.account], low, high,
                   lambda value: value == shown, shown, "wrong-total")

    def customers(self, entry: Entry, low: int, high: int) -> None:
        """Holds the list of subaccounts against the books, at the end of the run."""
        for item in entry.answer["items"]:
            books = self.model.balance(entry.intent.account, item["customer_ref"])
            shown = (item["disponivel_cents"], item["bloqueado_cents"])
            if shown not in [value for _, value in books.shown.between(low, high)]:
                self.find("wrong-balance", entry, f"{item} where {books.shown.at(high)} is due")

    def statement(self, entry: Entry, low: int, high: int) -> None:
        """Holds a page of a statement against the rows of the books."""
        about = entry.intent.about
        if about["view"] != "lancamentos":
            self.operations_view(entry)
            return
        books, place = self.books(entry), None
        for item in entry.answer["items"]:
            number = int(item["movimento_id"][:-6])
            if place is not None and number != place - 1:
                self.find("skipped-row", entry, f"row {number} follows row {place}")
            place = number
            self.row(entry, books, number, item)
        top = int(entry.answer["items"][0]["movimento_id"][:-6]) if entry.answer["items"] else 0
        if about["before"] is None:
            self.match(entry, books.counts, low, high, lambda value: value == top, f"{top} rows",
                       "wrong-statement")
        if not entry.answer["has_more"] and place not in (None, 1):
            self.find("skipped-row", entry, f"the statement ends with row {place}")

    def row(self, entry: Entry, books: Balance, number: int, item: dict[str, Any]) -> None:
        """Holds one row against the books."""
        if not 1 <= number <= len(books.rows):
            self.find("unexplained-row", entry, f"row {number} {item['tipo']} "
                      f"{item['valor_cents']} of {item['origem_id']} is of nothing that was asked")
            return
        due = books.rows[number - 1]
        shown = (item["origem_id"], item["tipo"], item["valor_cents"], item["saldo_apos_cents"])
        if shown != (due.origin, due.kind, due.cents, due.after):
            wanted = (due.origin, due.kind, due.cents, due.after)
            text = (f"{entry.request}, {entry.intent.account}/{books.customer}: row {number} is "
                    f"{shown}, and due is {wanted} of record {due.record}")
            key = (books.account, books.customer)
            if key not in self.rows or number < self.rows[key][0]:
                self.rows[key] = (number, Finding("wrong-row", text, entry.began))

    def operations_view(self, entry: Entry) -> None:
        """Checks the identity of section 2.3 for each row of the operations view."""
        for item in entry.answer["items"]:
            fees = sum(fee["efeito_saldo_cents"] for fee in item["taxas"])
            if item["valor_cents"] != item["valor_operacao_cents"] + fees:
                self.find("wrong-row", entry, f"{item['origem_id']}: {item['valor_cents']} is no "
                          f"{item['valor_operacao_cents']} and {fees} (contract 2.3)")

    def operation(self, entry: Entry) -> Operation | None:
        """Returns the operation that a read is about."""
        return self.model.operations.get(entry.intent.about["op"])

    def status(self, entry: Entry, low: int, high: int) -> None:
        """Holds the status of an operation against the states it was in."""
        made = self.operation(entry)
        if made is None:
            return
        shown = state_of(entry.answer) if entry.done else None
        if entry.done:
            self.body(entry, made, entry.answer)
        self.match(entry, made.status, low, high, lambda value: value == shown, shown,
                   "wrong-status")
        if entry.done and made.settlement.values[-1] is not None:
            settled = entry.answer["settlement_status"]
            self.match(entry, made.settlement, low, high, lambda value: value == settled, settled,
                       "wrong-status")

    def listing(self, entry: Entry, low: int, high: int) -> None:
        """Holds a list by external id against the operation, which stands in it once."""
        made = self.operation(entry)
        answer = entry.answer or {}
        items: list[Any] = next((answer[name] for name in ("payouts", "charges", "cash_outs")
                      if name in answer), [])
        if made is None:
            return
        if len(items) > 1:
            self.find("twice", entry, f"{len(items)} operations have one external id")
        shown = state_of(items[0]) if items else None
        if items:
            self.body(entry, made, items[0])
        elif low >= made.made:
            self.find("acknowledged-and-lost", entry, f"{made.op} of record {made.made} is gone")
            return
        self.match(entry, made.status, low, high, lambda value: value == shown, shown,
                   "wrong-status")

    def body(self, entry: Entry, made: Operation, item: dict[str, Any]) -> None:
        """Holds what never changes of an operation against what was asked."""
        name = {"payout": "payout_id", "sale": "cashout_id"}.get(made.kind, "cashin_id")
        own: dict[str, Any] = {name: made.op, "external_id": made.external}
        own |= {name: made.body.get(name) for name in ("amount_cents", "customer_ref")}
        if made.kind == "sale":
            self.sale(entry, made, item, own)
        for name, due in own.items():
            if name in item and item[name] != due:
                self.find("wrong-answer", entry, f"{name} is {item[name]!r}, and due is {due!r}")

    def sale(self, entry: Entry, made: Operation, item: dict[str, Any],
             own: dict[str, Any]) -> None:
        """Holds what an order costs and pays against what was asked for, and what arrived."""
        terms, pays = self.model.terms[made.account], self.model.pays[made.op]
        own["amount"] = usdt(order_cost(terms, cents_of(made.body["brl_amount"])))
        own["path"] = ROUTES[made.body["network"]]
        if cents_of(item["brl_amount"]) not in pays.values:
            self.find("wrong-answer", entry, f"{made.op} pays {item['brl_amount']}")
        if item["state"] == "COMPLETED" and cents_of(item["brl_paid"] or "0") != pays.values[-1]:
            self.find("wrong-answer", entry, f"{made.op} paid {item['brl_paid']}")

    def foreign(self, entry: Entry, low: int, high: int) -> None:
        """Requires that another account's operation is not there."""
        if entry.done and any(entry.answer.get(name) for name in ("charges", "payouts", "cash_outs", "cashin_id", "cashout_id",
                                                       "payment_id", "withdrawal_id")):
            self.find("foreign", entry, "another account's operation is shown")

    def own(self, entry: Entry) -> None:
        """Requires that an answer names no operation of another account."""
        if entry.intent.world or not entry.done:
            return
        for op in set(ID.findall(json.dumps(entry.answer))):
            made = self.model.operations.get(op)
            if made is not None and made.account != entry.intent.account:
                self.find("foreign", entry, f"{op} is of {made.account}")

    def refusal(self, entry: Entry, low: int, high: int) -> None:
        """Requires a refusal to be true after some record that it may have seen."""
        code = entry.answer.get("erro")
        body, account = entry.intent.body or {}, entry.intent.account
        customer = body.get("from_customer_ref", body.get("customer_ref")) or HOUSE
        books = self.model.balance(account, customer)
        if code == "saldo_insuficiente":
            wanted = 409 if entry.intent.kind == "transfer" else 402
            if entry.status != wanted:
                self.find("wrong-status-code", entry, f"{entry.status} where {wanted} is due")
            due = body["amount_cents"]
            due += fee(self.model.terms[account], entry.intent.kind, due)
            shown = entry.answer["disponivel_cents"]
            if shown >= due:
                self.find("wrong-refusal", entry, f"{due} were refused of {shown}")
            if customer != HOUSE:
                self.match(entry, books.shown, low, high, lambda value: value[0] == shown, shown,
                           "wrong-refusal")
        elif code == "carencia_primeiro_deposito":
            if books.waits_until is None or instant(entry.answer["libera_em"]) != books.waits_until:
                self.find("wrong-refusal", entry, f"{entry.answer} and the wait ends at "
                          f"{books.waits_until}")
        elif not self.agents.refusal(entry, low, high):
            self.find("wrong-refusal", entry, f"{entry.status} {code} for a request in order")

    def divergent(self, entry: Entry, low: int, high: int) -> None:
        """Requires 409 with the field that differs (rulings 7)."""
        code = entry.answer.get("erro") if isinstance(entry.answer, dict) else None
        if entry.status != 409 or code != "external_id_divergente":
            self.find("swallowed-refusal", entry, f"another amount under one external id was "
                      f"answered {entry.status} {code}")
        elif entry.answer.get("campos_divergentes") != [entry.intent.about["field"]]:
            self.find("wrong-refusal", entry, f"the fields that differ are {entry.answer}")

    def malformed(self, entry: Entry, low: int, high: int) -> None:
        """Requires a refusal that names how to mend the request."""
        code, due = (entry.answer or {}).get("erro"), entry.intent.about.get("erro")
        if not entry.refused or not code:
            self.find("swallowed-refusal", entry, f"{entry.intent.body} was answered {entry.status}")
        elif due is not None and code != due and self.model.has_wallet(entry.intent.account):
            self.find("wrong-refusal", entry, f"{entry.intent.body}: {code} where {due} is due")

    def stranger(self, entry: Entry, low: int, high: int) -> None:
        """Requires 401 (contract 5.8)."""
        if entry.status != 401:
            self.find("swallowed-refusal", entry, f"an unknown key was answered {entry.status}")
