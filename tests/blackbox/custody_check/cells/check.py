"""The check of several ledgers: each account's records in the order of the cells it lived in."""
import json
from collections import defaultdict
from dataclasses import replace

from ..check.hooks import record_of, subject
from ..check.order import Finding
from ..check.readings import ID, Readings
from ..check.records import Record
from ..check.replay import IDS
from ..check.verdict import Verdict, check
from ..client.accounts import Account
from ..client.history import Entry
from ..client.receiver import Delivery

# Numbers of records that one cell has at most: its place in a path, times this, is added to each.
SPAN = 1_000_000_000
# What the records of each cell are, by its name.
Ledgers = dict[str, list[Record]]
Shown = tuple[str, str, int, int]


class CellReadings(Readings):
    """Reads of an account with rows of several ledgers, which carry no number of their own."""

    def run(self) -> None:
        """Indexes the rows, then checks every entry."""
        self.places: dict[tuple[str, str], dict[Shown, list[int]]] = {}
        for key, books in self.model.balances.items():
            index = self.places.setdefault(key, defaultdict(list))
            for place, row in enumerate(books.rows, 1):
                index[row.origin, row.kind, row.cents, row.after].append(place)
        super().run()

    def statement(self, entry: Entry, low: int, high: int) -> None:
        """Holds a page against the rows of the books: the same rows, none left out between."""
        about, books = entry.intent.about, self.books(entry)
        if about["view"] != "lancamentos":
            self.operations_view(entry)
            return
        index = self.places.get((books.account, books.customer), {})
        possible: list[int] | None = None
        first: list[int] = []
        for item in entry.answer["items"]:
            shown = (item["origem_id"], item["tipo"], item["valor_cents"], item["saldo_apos_cents"])
            places = index.get(shown, [])
            if not places:
                self.find("unexplained-row", entry, f"{shown} is no row of the books")
                return
            following = places if possible is None else [
                place for place in places if place + 1 in possible]
            if not following:
                self.find("skipped-row", entry, f"{shown} is row {places} and follows {possible}")
                return
            first, possible = first or following, following
        if about["before"] is None:
            tops = first or [0]
            self.match(entry, books.counts, low, high, lambda value: value in tops, f"{tops} rows",
                       "wrong-statement")
        if not entry.answer["has_more"] and possible is not None and 1 not in possible:
            self.find("skipped-row", entry, f"the statement ends with row {possible}")


def join(path: list[str], ledgers: Ledgers) -> list[Record]:
    """Returns the records of a path as one journal."""
    return [replace(record, number=(place + 1) * SPAN + record.number, base=(place + 1) * SPAN)
            for place, cell in enumerate(path) for record in ledgers[cell]]


def find_elsewhere(account: Account, requests: set[str], path: list[str],
                   ledgers: Ledgers) -> list[Finding]:
    """Finds records of an account's requests in cells where it never lived."""
    return [Finding("wrong-cell", f"{record.request} of {account.name} is record {record.number} "
                    f"of {cell}, and the account lived in {path}")
            for cell, records in ledgers.items() if cell not in path
            for record in records if record.request in requests]


def find_strangers(entries: list[Entry], owners: dict[str, str]) -> list[Finding]:
    """Finds operations of another account in an answer."""
    found = []
    for entry in entries:
        if entry.done and not entry.intent.world:
            for op in set(ID.findall(json.dumps(entry.answer))):
                if owners.get(op, entry.intent.account) != entry.intent.account:
                    found.append(Finding("foreign", f"{entry.request} shows {op}", entry.began))
    return found


def rename(delivery: Delivery, bases: dict[str, int]) -> Delivery:
    """Returns a webhook whose id names the record in its operation's place of the path."""
    mark, _, rest = delivery.event.split("_", 2)
    number = bases.get(subject(delivery), 0) + record_of(delivery.event)
    return replace(delivery, event=f"{mark}_{number}_{rest}")


def check_account(account: Account, path: list[str], ledgers: Ledgers, entries: list[Entry],
                  deliveries: list[Delivery] | None) -> Verdict:
    """Checks one account over all cells that it lived in."""
    records = join(path, ledgers)
    numbers = {record.request: record for record in records if record.request}
    made, bases = list[Entry](), dict[str, int]()
    homes = {entry.intent.key: numbers[entry.request].base for entry in entries
             if entry.request in numbers}
    for entry in entries:
        record = numbers.get(entry.request)
        shown = record.base + entry.record if record is not None and entry.record else None
        made.append(replace(entry, record=shown))
        op = (entry.answer or {}).get(IDS.get(entry.intent.kind, "")) if entry.done else None
        if op is not None and entry.intent.key in homes:
            bases[op] = homes[entry.intent.key]
    mine = None
    if deliveries is not None:
        mine = [rename(one, bases) for one in deliveries if one.path == account.name]
    verdict = check([account], made, records, mine, CellReadings)
    requests = {entry.request for entry in entries}
    verdict.findings += find_elsewhere(account, requests, path, ledgers)
    return verdict


def check_cells(accounts: list[Account], entries: list[Entry], ledgers: Ledgers,
                paths: dict[str, list[str]], deliveries: list[Delivery] | None) -> Verdict:
    """Checks every account by itself, and that none is shown what is another's."""
    total = Verdict()
    owners: dict[str, str] = {}
    for account in accounts:
        own = [entry for entry in entries if entry.intent.account == account.name]
        verdict = check_account(account, paths[account.name], ledgers, own, deliveries)
        assert verdict.replay is not None
        owners |= {op: account.name for op in verdict.replay.model.operations}
        total.findings += verdict.findings
        for name, count in verdict.counts.items():
            total.counts[name] = total.counts.get(name, 0) + count
    total.counts["records"] = sum(len(records) for records in ledgers.values())
    total.counts["webhooks"] = len(deliveries or [])
    total.findings += find_strangers(entries, owners)
    total.findings.sort(key=lambda one: one.at)
    return total
