"""Verifies an exported journal by docs/FORMAT.md, and by nothing else.

It reads the tables of that document (types, chart, entries) as they stand, follows every ledger of
the file record by record, and works out every balance. It shares no line with the program that wrote
the journal. Python 3.11; `blake3` and `cbor2` are pinned in requirements.txt.

    verify.py JOURNAL [--head [LEDGER:][RECORD:]LINK]... [--balances] [--format FORMAT.md]

One JSON object is printed: of each ledger its name, `records`, `head`, `events`, and with
`--balances` every balance that is not zero, debits positive, in the order of account, what it is kept
for, and commodity. The exit status is 0; it is 1 where something is wrong, which is named with its
record on standard error.
"""

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from pathlib import Path

import blake3
import cbor2
from document import Format, Wrong

MAGIC = b"custody-ledger records 1\n"


class Ledger:
    """A ledger as it is followed: its chain, what its numbers are called, and its balances."""

    def __init__(self, form, contents):
        self.form = form
        self.name, self.algorithm, self.records, self.last, _, _, self.values = contents[:7]
        self.environment = contents[7] if len(contents) > 7 else None
        if self.algorithm not in (1, 2):
            raise Wrong(f"ledger {self.name}: hash {self.algorithm} is unknown")
        tag = bytes([self.algorithm])
        self.link = self.hash(b"custody-ledger chain v1\0" + tag + self.name.encode())
        self.seq, self.now, self.events = 0, 0, 0
        self.links, self.outside = {0: self.link}, set()
        self.balances = defaultdict(int)
        self.of_account, self.of_subaccount, self.assets, self.chains = {}, {}, {}, {}
        self.agents, self.of_product = 0, []
        self.entries = None  # Where somebody wants to see every entry: a function.

    def hash(self, data):
        if self.algorithm == 1:
            return blake3.blake3(data).digest()
        return hashlib.sha256(data).digest()

    def row(self, first, count, link, payload):
        """Follows the chain through a row."""
        if first != self.seq + 1:
            raise Wrong(f"record {self.seq + 1}: its row says that it begins at {first}")
        if not 1 <= count <= 1000 or self.seq + count > self.records:
            raise Wrong(f"record {first}: its row says that it holds {count} records")
        place = 0
        for _ in range(count):
            seq = self.seq + 1
            length, place = leb128(payload, place, seq)
            check, place = payload[place : place + 8], place + 8
            record, place = payload[place : place + length], place + length
            if place > len(payload):
                raise Wrong(f"record {seq}: the row ends within it")
            self.link = self.hash(self.link + seq.to_bytes(8, "little") + record)
            if self.link[:8] != check:
                raise Wrong(f"record {seq}: its bytes do not give the link they were written under")
            self.seq = seq
            self.links[seq] = self.link
            try:
                self.apply(record)
            except Wrong as wrong:
                raise Wrong(f"record {seq}: {wrong}") from None
        if place != len(payload):
            raise Wrong(f"record {self.seq}: {len(payload) - place} bytes follow it in its row")
        if self.link != link:
            raise Wrong(f"record {self.seq}: the link stored with its row is not its link")

    def apply(self, data):
        if data[:1] != b"\x01":
            raise Wrong("it is of no version that is known")
        try:
            value = cbor2.loads(data[1:])
            again = cbor2.dumps(value)
        except Exception as error:  # Whatever the decoder says, these bytes are no record.
            raise Wrong(f"it is no CBOR: {error}") from None
        if again != data[1:]:
            raise Wrong("it is not in the one encoding that a ledger writes")
        record = self.form.record(value)
        at, original, outside = record["at"], record["original"], record["outside"]
        if at < self.now:
            raise Wrong("it is dated before the record that it follows")
        if original is not None and original >= at:
            raise Wrong("its command was not dated before it")
        if outside is not None:
            known = (outside["scope"], outside["id"])
            if known in self.outside:
                raise Wrong(f"the fact {known[1]} was recorded before")
            self.outside.add(known)
        if self.seq == 1 and [it["is"] for it in record["events"][:1]] != ["LedgerOpened"]:
            raise Wrong("a journal begins with its opening")
        self.now = at
        for index, event in enumerate(record["events"]):
            try:
                self.event(index, event)
            except Wrong as wrong:
                raise Wrong(f"event {index}: {wrong}") from None

    def event(self, index, event):
        self.events += 1
        name, scope, forced, moves = self.form.entry(event)
        self.learn(index, name, scope)
        if scope.get("op", 0) >> 4 > self.seq:
            raise Wrong("its operation is of a later record")
        changed = defaultdict(int)
        for commodity, debit, credit, units in moves:
            changed[commodity, *debit] += units
            changed[commodity, *credit] -= units
        if sum(changed.values()) != 0 or any(units < 0 for *_, units in moves):
            raise Wrong("its entry does not balance")
        for account, units in changed.items():
            self.balances[account] += units
            commodity, chart, key = account
            kept_for, guarded = self.form.chart[commodity == "BRL", chart]
            if kept_for == "subaccount" and key not in self.of_subaccount:
                raise Wrong(f"subaccount {key} was not opened")
            if kept_for == "product account" and not self.is_declared(commodity, chart, *key):
                raise Wrong(f"no product declared {chart} of {key}")
            if guarded and units > 0 and self.balances[account] > 0:
                if not (forced and chart == "cust.avail"):
                    raise Wrong(f"{chart}{'' if key is None else f'[{key}]'} falls below zero")
        if self.entries:
            self.entries(self.seq, index, moves)

    def learn(self, index, name, scope):
        """What the ledger's numbers are called."""
        if name == "LedgerOpened" and (self.seq, index, scope["name"]) != (1, 0, self.name):
            raise Wrong(f"it opens the ledger {scope['name']}, and this is {self.name}")
        if name == "AccountOpened":
            self.number(scope["account"], len(self.of_account))
            self.number(scope["house"], len(self.of_subaccount))
            self.of_account[scope["account"]] = scope["name"]
            self.of_subaccount[scope["house"]] = (scope["account"], "casa")
        elif name == "SubaccountOpened":
            self.number(scope["subaccount"], len(self.of_subaccount))
            self.of_subaccount[scope["subaccount"]] = (scope["account"], scope["customer"])
        elif name in ("Agent.Registered", "Agent.Admitted"):
            self.number(scope["agent"], self.agents)
            self.agents += 1
        elif name in ("CatalogueUpdated", "MarketsUpdated"):
            for pair in scope.get("listed", scope.get("opened")):
                self.asset(pair["asset"], pair["asset_name"], pair["scale"])
                chain = self.chains.setdefault(pair["chain"], pair["chain_name"])
                if chain != pair["chain_name"]:
                    raise Wrong("a number is of another network than before")

        elif name == "ProductAccountDeclared":
            self.number(scope["number"], len(self.of_product))
            commodity = scope["declared"]["commodity"]
            unit = commodity and commodity.get("unit")
            if unit:
                self.asset(unit["asset"], unit["name"], unit["scale"])
            self.of_product.append(scope["declared"])

    def asset(self, number, *asset):
        """An asset or a unit keeps its number, its name and its decimals."""
        known = self.assets.setdefault(number, asset)
        if known != asset or sum(name == asset[0] for name, _ in self.assets.values()) > 1:
            raise Wrong("a number is of another asset than before")

    def is_declared(self, counted, chart, number, holder):
        """Tells whether a product has an account of this class in this commodity, for a customer each or
        for all."""
        if number >= len(self.of_product) or holder is not None and holder not in self.of_subaccount:
            return False
        declared = self.of_product[number]
        each = declared["per_customer"] == "On"
        commodity = declared["commodity"]
        counts = "BRL" if commodity is None else commodity.get("asset_id")
        if commodity and "unit" in commodity:
            counts = commodity["unit"]["asset"]
        return counts == counted and chart == f"prod.{declared['class'].lower()}" and each == (holder is not None)

    @staticmethod
    def number(found, expected):
        if found != expected:
            raise Wrong(f"number {found} is given where {expected} is the next")

    def operation(self, op):
        """The text of an operation's id."""
        prefix, digits, scripted = self.form.kinds[op & 15]
        by_name = self.environment is None and self.name == "sandbox"
        if self.environment == 2 or by_name:
            prefix = scripted
        hasher = blake3.blake3(derive_key_context="custody-ledger operation id v1")
        tag = hasher.update(op.to_bytes(8, "little") + self.name.encode()).digest(8)
        return f"{prefix}{op >> 4:012x}{tag.hex()[:digits]}"

    def named(self, account, units):
        """A balance or a leg with the names of what it is of."""
        commodity, chart, key = account
        kept_for, _ = self.form.chart[commodity == "BRL", chart]
        if kept_for == "subaccount":
            owner, customer = self.of_subaccount[key]
            kept = [self.of_account.get(owner, ""), customer]
        elif kept_for == "product account":
            number, holder = key
            kept = [self.of_product[number]["name"]]
            if holder is not None:
                owner, customer = self.of_subaccount[holder]
                kept += [self.of_account.get(owner, ""), customer]
        elif kept_for == "API account":
            kept = [self.of_account.get(key, "")]
        elif kept_for == "operation":
            kept = [self.operation(key)]
        elif kept_for == "network":
            kept = [self.chains.get(key, "")]
        else:
            kept = [str(key)] if kept_for else []
        unknown = (f"asset{commodity}", 6)
        name, scale = ("BRL", 2) if commodity == "BRL" else self.assets.get(commodity, unknown)
        digits = f"{abs(units):0{scale + 1}d}"
        amount = f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits
        sign = "-" if units < 0 else ""
        return {"account": chart, "kept_for": kept, "commodity": name, "amount": sign + amount}

    def close(self):
        if (self.seq, self.link) != (self.records, self.last):
            raise Wrong(f"record {self.seq}: the head is not the one that the file names")
        sums = defaultdict(int)
        for (commodity, *_), units in self.balances.items():
            sums[commodity] += units
        if any(sums.values()):
            raise Wrong("the balances do not sum to zero")

    def report(self, balances):
        report = {"ledger": self.name, "records": self.seq, "head": self.link.hex()}
        report["events"] = self.events
        if balances:
            lines = [self.named(*it) for it in self.balances.items() if it[1]]
            order = ("account", "kept_for", "commodity")
            report["balances"] = sorted(lines, key=lambda it: [it[part] for part in order])
        return report


def leb128(payload, place, seq):
    length = 0
    for shift in range(0, 35, 7):
        if place >= len(payload):
            raise Wrong(f"record {seq}: the row ends within its header")
        byte, place = payload[place], place + 1
        length |= (byte & 127) << shift
        if byte < 128:
            if (byte == 0 and shift) or length >= 2**32:
                break
            return length, place
    raise Wrong(f"record {seq}: its length is malformed")


class Items:
    """The items of a file, hashed as they are read."""

    def __init__(self, data):
        if not data.startswith(MAGIC):
            raise Wrong("this is no file of records, or is of another version")
        self.data, self.place = data, len(MAGIC)

    def next(self, number, count, within):
        begin = self.place + 4
        end = begin + int.from_bytes(self.data[self.place : begin], "little")
        if begin > len(self.data) or end > len(self.data):
            raise Wrong(f"{within}: the file ends within it")
        try:
            item = cbor2.loads(self.data[begin:end])
            sound = cbor2.dumps(item) == self.data[begin:end]
            sound = sound and item[0] == number and len(item[1]) == count
        except Exception:  # Whatever the decoder says, it cannot be read.
            sound = False
        if not sound:
            raise Wrong(f"{within}: it cannot be read")
        self.place = end
        return item[1]


def contents_of(items):
    (ledgers,) = items.next(0, 1, "the contents")
    kinds = ((str,), (int,), (int,), (bytes,), (bytes,), (bytes, type(None)), (int,), (int,))
    for ledger in ledgers:
        sound = type(ledger) is list and 7 <= len(ledger) <= 8
        if not sound or not all(type(it) in kind for it, kind in zip(ledger, kinds)):
            raise Wrong("the contents: a ledger cannot be read")
    return ledgers


def verify(data, form, entries=None):
    """Every ledger of a file, followed to its head. `entries` hears of every event's moves."""
    items = Items(data)
    ledgers = [Ledger(form, it) for it in contents_of(items)]
    for ledger in ledgers:
        ledger.entries = entries and (lambda *it, ledger=ledger: entries(ledger, *it))
        try:
            while ledger.seq < ledger.records:
                row = items.next(1, 4, f"the row of record {ledger.seq + 1}")
                if [type(it) for it in row] != [int, int, bytes, bytes]:
                    raise Wrong(f"the row of record {ledger.seq + 1}: it cannot be read")
                ledger.row(*row)
            ledger.close()
            for _ in range(ledger.values):
                items.next(2, 4, "a value of the vault")
        except Wrong as wrong:
            raise Wrong(f"ledger {ledger.name}: {wrong}") from None
    found = blake3.blake3(data[: items.place]).digest()
    (check,) = items.next(3, 1, "the end")
    if check != found:
        raise Wrong("the end: the bytes of the file are not those that were exported")
    if items.place != len(data):
        raise Wrong("the end: the file goes on after it")
    return ledgers


def hold_against(ledgers, head):
    """Holds a head that was kept against the ledgers: [LEDGER:][RECORD:]LINK."""
    *names, link = head.split(":")
    record = int(names.pop()) if names and names[-1].isdigit() else None
    ledgers = [it for it in ledgers if not names or it.name == ":".join(names)]
    if not ledgers:
        raise Wrong(f"head {head}: the file has no ledger of this name")
    for ledger in ledgers:
        at = ledger.seq if record is None else record
        if at in ledger.links and ledger.links[at].hex() == link.lower():
            return
    ledger = ledgers[0]
    if record is not None and record > ledger.seq:
        raise Wrong(f"ledger {ledger.name}: it ends at record {ledger.seq}, and a head at record "
                    f"{record} was kept")
    at = ledger.seq if record is None else record
    raise Wrong(f"ledger {ledger.name}: record {at}: its link is not the one that was kept")


def main():
    parser = argparse.ArgumentParser(description="Verifies an exported journal.")
    parser.add_argument("journal", type=Path)
    parser.add_argument("--head", action="append", default=[], metavar="[LEDGER:][RECORD:]LINK")
    parser.add_argument("--balances", action="store_true")
    document = Path(__file__).resolve().parents[2] / "docs/FORMAT.md"
    parser.add_argument("--format", type=Path, default=document)
    options = parser.parse_args()
    try:
        ledgers = verify(options.journal.read_bytes(), Format(options.format))
        for head in options.head:
            hold_against(ledgers, head)
    except (Wrong, OSError) as wrong:
        sys.exit(f"{options.journal}: {wrong}")
    print(json.dumps({"ledgers": [it.report(options.balances) for it in ledgers]}, indent=1))


if __name__ == "__main__":
    main()
