"""A statement's OFX, read by two parsers that nobody here wrote, and held against its CSV.

statement.py FOLDER: every `*.ofx` there has a `*.csv` beside it, of the same rows.
"""

import csv
import pathlib
import sys
from datetime import datetime, timedelta
from decimal import Decimal

from ofxparse import OfxParser
from ofxtools.Parser import OFXTree

FOLDER = pathlib.Path(sys.argv[1])


def read(path: pathlib.Path) -> int:
    with path.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    tree = OFXTree()
    with path.open("rb") as stream:
        tree.parse(stream)
    statement = tree.convert().statements[0]
    assert statement.curdef == "BRL" and statement.account.accttype == "CHECKING"
    with path.open("rb") as stream:
        second = OfxParser.parse(stream).account.statement
    assert second.currency.upper() == "BRL"
    transactions, seconds = list(statement.transactions), list(second.transactions)
    assert len(transactions) == len(seconds) == len(rows), (len(transactions), len(rows))
    assert len({one.fitid for one in transactions}) == len(rows)
    for row, one, other in zip(rows, transactions, seconds, strict=True):
        assert one.fitid == other.id == f"{row['operation']}.{row['row']}"
        assert one.trnamt == other.amount == Decimal(row["value"]), row
        at = datetime.fromisoformat(row["at"])
        # A millisecond is the finest that OFX tells.
        assert abs(one.dtposted - at) < timedelta(milliseconds=1), (one.dtposted, at)
        assert one.memo == other.memo == row["description"].lstrip("'")[:255].strip(), row
        assert (one.trntype in ("DEBIT", "FEE")) == (one.trnamt < 0), one
    balance = statement.ledgerbal
    assert balance.balamt == second.balance
    if rows:
        assert balance.balamt == Decimal(rows[-1]["balance_after"])
        assert statement.banktranlist.dtstart <= transactions[0].dtposted
        assert transactions[-1].dtposted <= statement.banktranlist.dtend
    return len(rows)


FILES = sorted(FOLDER.glob("*.ofx"))
READ = {path.name: read(path) for path in FILES}
assert READ and any(READ.values()), READ
print(f"{len(READ)} files of OFX agree with their CSV: {READ}")
