"""Holds the verifier against the program: chain, every entry, every balance, and every rule.

    compare.py PROGRAM GOLDEN STORE[=LEDGER]...

GOLDEN is the folder of golden records; each STORE is exported by the program in three forms. Of
every ledger the head must be the program's, every entry that of its `jsonl`, every balance that of
its `hledger`. Of the golden records every entry must be that of entries.txt, which the core wrote;
and every row of the document's table of entries must have been needed by one or the other.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import cbor2
from document import Format, tables
from verify import verify

HERE = Path(__file__).resolve().parent
DOCUMENT = Path("docs/FORMAT.md")
LARGE = 100_000  # Records of a ledger that is named: it was simulated to be large.
ROOTS = {"asset": "assets", "liability": "liabilities", "equity": "equity", "income": "income",
         "expense": "expenses", "trading": "equity:trading"}


class Watched(Format):
    """The document, and which rows of its table of entries were needed."""

    def __init__(self, path):
        super().__init__(path)
        self.needed = set()

    def entry(self, event):
        found = super().entry(event)
        name, scope = found[:2]
        for conditions, _, each, move, row in self.rules[name]:
            applies = all(holds(scope) for holds in conditions)
            if applies and (move is None or each or move[3](scope)):
                self.needed.add((name, row))
        return found

    def never_needed(self):
        rows = {(name, row) for name, rules in self.rules.items() for *_, row in rules}
        return sorted(rows - self.needed)

    def events(self, kind="Event", before=""):
        """The name of every event that the tables of types have."""
        rows = self.forms[kind][1]
        for row in rows:
            if "." in row[0]:
                continue
            inner = [it[2] for it in rows if it[0].startswith(row[0] + ".") and it[1] == "event"]
            if inner:
                yield from self.events(inner[0], f"{before}{row[1]}.")
            else:
                yield before + row[1]


def equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: the verifier has {found}, the program {expected}")


def golden(form, folder):
    """Every golden record's entries, against those that the core wrote down."""
    kinds = next(rows for heading, rows in tables(DOCUMENT) if heading == "Ids of operations")
    kinds = [row[1] for row in kinds]

    def account(commodity, of):
        chart, key = of
        kept_for = form.chart[commodity == "BRL", chart][0]
        if kept_for == "operation":
            return f"{chart}[{kinds[key & 15]}#{key >> 4}]"
        if kept_for == "product account":
            return f"{chart}[{'/'.join(str(it) for it in key if it is not None)}]"
        return f"{chart}[{key}]" if kept_for else chart

    expected, impossible = {}, set()
    for line in (HERE / "entries.txt").read_text().splitlines():
        name, index, leg = line.split(" ", 2)
        legs = expected.setdefault((name, int(index)), Counter())
        if leg == "impossible":
            impossible.add((name, int(index)))
        elif leg == "forced":
            legs["forced"] = 1
        elif leg != "-":
            side, of, commodity, units = leg.split(" ")
            legs[side, of, commodity] += int(units)
    found = 0
    for name in sorted({name for name, _ in expected}):
        digits, _, _ = (folder / f"{name}.txt").read_text().partition("\n\n")
        data = bytes.fromhex("".join(digits.split()))
        equal(f"{name}: version", data[:1], b"\x01")
        value = cbor2.loads(data[1:])
        equal(f"{name}: encoding", cbor2.dumps(value), data[1:])
        for index, event in enumerate(form.record(value)["events"]):
            _, _, forced, moves = form.entry(event)
            legs = Counter({"forced": 1} if forced else {})
            for commodity, debit, credit, units in moves:
                of = "BRL" if commodity == "BRL" else f"asset{commodity}"
                legs["Dr", account(commodity, debit), of] += units
                legs["Cr", account(commodity, credit), of] += units
            if (name, index) not in impossible:
                equal(f"{name}, event {index}", legs, expected.pop((name, index)))
                found += 1
    equal("events that only the core has", set(expected), impossible)
    print(f"golden records: {found} entries are the core's, {len(impossible)} cannot be")


def exported(program, store, ledger, form, output):
    which = [] if form == "records" and ledger in ("live", "sandbox") else ["--ledger", ledger]
    command = [program, "export", store, "--format", form, "--output", output, *which]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stderr


def hledger_name(form, leg):
    classes = {row[1]: row[3] for row in form.accounts[leg["commodity"] == "BRL"]}
    chart = leg["account"].removeprefix("equity.").replace(".", ":")
    kept_for = (quote(part, safe="").replace("~", "%7E") for part in leg["kept_for"])
    parts = [ROOTS[classes[leg["account"]]], chart, *kept_for]
    return ":".join(parts), leg["commodity"].upper()


def summed(legs):
    """Legs by account and side: what an entry moves, however it is cut into legs."""
    sums = Counter()
    for leg in legs:
        amount = leg["amount"]
        units = int(amount.replace(".", ""))
        of = (leg["account"], *leg["kept_for"], leg["commodity"], len(amount.partition(".")[2]))
        sums["Dr" if units > 0 else "Cr", of] += units
    return sums


def journal(form, program, store, only):
    """A store's ledgers, held against what the program says of them."""
    folder = Path(tempfile.mkdtemp(dir=os.environ.get("VERIFIER_STORES")))
    said = exported(program, store, only or "live", "records", folder / "records")
    heads = dict(re.findall(r"^(.+): \d+ records, head (\w+)$", said, re.MULTILINE))
    moved = {}

    def heard(ledger, seq, index, moves):
        if moves:
            moved[ledger.name, seq, index] = moves

    ledgers = verify((folder / "records").read_bytes(), form, heard)
    equal(f"{store}: heads", {it.name: it.link.hex() for it in ledgers}, heads)
    if only and ledgers[0].seq < LARGE:
        sys.exit(f"{store}: {ledgers[0].seq} records are fewer than {LARGE}")
    for ledger in ledgers:
        what = f"{Path(store).stem}, ledger {ledger.name}"
        exported(program, store, ledger.name, "jsonl", folder / "jsonl")
        mine = {it[1:]: moves for it, moves in moved.items() if it[0] == ledger.name}
        with open(folder / "jsonl", encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                place = (line["record"], line["event"])
                legs = []
                for commodity, debit, credit, units in mine.pop(place, []):
                    legs.append(ledger.named((commodity, *debit), units))
                    legs.append(ledger.named((commodity, *credit), -units))
                equal(f"{what}, record {place[0]}, event {place[1]}", summed(legs),
                      summed(line["legs"]))
        equal(f"{what}: entries that the program does not have", mine, {})
        exported(program, store, ledger.name, "hledger", folder / "hledger")
        closing = (folder / "hledger").read_text().rpartition("balances as the ledger has them\n")
        claimed = {}
        for line in closing[2].splitlines():
            account, _, _, _, amount, symbol = line.split(maxsplit=5)
            claimed[account, symbol.strip('"')] = amount
        balances = ledger.report(True)["balances"]
        found = {hledger_name(form, leg): leg["amount"] for leg in balances}
        equal(f"{what}: balances", len(found), len(balances))
        equal(f"{what}: balances", found, claimed)
        entries = sum(it[0] == ledger.name for it in moved)
        print(f"{what}: {ledger.seq} records, {entries} entries and {len(found)} balances are "
              f"the program's, head {ledger.link.hex()[:16]}")


def main():
    program, folder, *stores = sys.argv[1:]
    form = Watched(DOCUMENT)
    equal("names of events", sorted(form.rules), sorted(form.events()))
    golden(form, Path(folder))
    for store in stores:
        journal(form, program, *(store.split("=") + [None])[:2])
    unneeded = form.never_needed()
    if unneeded:
        sys.exit(f"rows of the table of entries that nothing needed: {unneeded}")
    print(f"entries: each of {len(form.needed)} rules was needed")


if __name__ == "__main__":
    main()
