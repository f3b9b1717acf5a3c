"""Reads docs/FORMAT.md: the types of a record, the chart of accounts, and the entry of every event."""

import re
from collections import defaultdict
from pathlib import Path

LAST_INSTANT = 253_402_300_799_999_999
IN_REAIS = ("cust.avail", "cust.held", "cust.frozen", "reward", "susp.pix")


class Wrong(Exception):
    """What is wrong, and where."""


def tables(path):
    """Every table of the document: the heading that it stands under, and its rows without ticks."""
    heading, rows = "", []
    for line in Path(path).read_text(encoding="utf-8").splitlines() + ["#"]:
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            rows.append([cell.replace("`", "").strip() for cell in cells])
        elif line.startswith("#"):
            yield heading, rows[2:]
            heading, rows = line.strip("# ").replace("`", ""), []


class Format:
    """What the document says: types, kinds of operations, chart, entries."""

    def __init__(self, path):
        self.forms, self.readers, self.rules, self.accounts = {}, {}, defaultdict(list), {}
        for heading, rows in tables(path):
            if heading == "Ids of operations":
                self.kinds = [(row[2], int(row[3]), row[4]) for row in rows]
            elif heading in ("Accounts in reais", "Accounts of crypto"):
                self.accounts[heading == "Accounts in reais"] = rows
            elif heading.startswith("Entries: "):
                self.read_rules(rows)
            elif match := re.fullmatch(r"([\w:]+): (.+)", heading):
                self.forms[match[1]] = (match[2], rows)
        self.own, self.chart = {}, {}
        for reais, rows in self.accounts.items():
            for name, chart, kept_for, kind, _ in rows:
                self.own[reais, name] = chart
                self.chart[reais, chart] = (kept_for, self.may_not_fall(reais, chart, kind))
        self.record = self.reader("Record")

    @staticmethod
    def may_not_fall(reais, chart, kind):
        if reais:
            return chart in IN_REAIS or chart.startswith("flight.")
        return kind == "liability" and chart not in ("wal.avail", "prod.liability")

    # Types

    def reader(self, kind):
        """A function that reads a value of this type from CBOR that was decoded."""
        if kind not in self.readers:
            # What a type is made of may lead back to it.
            self.readers[kind] = lambda value: self.readers[kind](value)
            self.readers[kind] = self.make_reader(kind)
        return self.readers[kind]

    def make_reader(self, kind):
        if kind in PLAIN:
            return PLAIN[kind]
        if kind.endswith(" or none"):
            inner = self.reader(kind.removesuffix(" or none"))
            return lambda value: None if value is None else inner(value)
        if kind.startswith("list of "):
            inner = self.reader(kind.removeprefix("list of "))
            return lambda value: [inner(it) for it in array(value, kind)]
        if kind.startswith("("):
            parts = [self.reader(part) for part in kind[1:-1].split(", ")]
            return lambda value: [
                part(it) for part, it in zip(parts, array(value, kind, len(parts)))
            ]
        form, rows = self.forms[kind]
        if form == "fields":
            return self.fields(kind, rows)
        if form == "number":
            return numbers(kind, {int(row[0]): row[1] for row in rows})
        if form == "one of":
            return self.variants(kind, rows)
        return self.reader(form)

    def fields(self, kind, rows):
        steps = [(row[1], self.reader(row[2].removesuffix(" or absent"))) for row in rows]
        missing = {row[1]: None if row[2].endswith(" or none") else 0 for row in rows}
        needed = [row[1] for row in rows if not row[2].endswith((" or none", " or absent"))]

        def read(value):
            found = len(array(value, kind))
            if found > len(steps):
                raise Wrong(f"{kind} has {found} fields, of which {len(steps)} are known")
            if value and value[-1] is None:
                raise Wrong(f"{kind} ends with none, which is left out")
            try:
                read = {name: reader(it) for (name, reader), it in zip(steps, value)}
            except Wrong as wrong:
                raise Wrong(f"{wrong} (in {kind})") from None
            if found == len(steps):
                return read
            for name in needed:
                if name not in read:
                    raise Wrong(f"{kind} has no {name}")
            return missing | read

        return read

    def variants(self, kind, rows):
        known = {}
        for row in rows:
            number, _, place = row[0].partition(".")
            if not place:
                known[int(number)] = (row[1], [])
            else:
                known[int(number)][1].append(row)
        known = {n: (name, self.fields(name, rows)) for n, (name, rows) in known.items()}

        def read(value):
            number, fields = array(value, kind, 2)
            if type(number) is not int or number not in known:
                raise Wrong(f"{kind} has no variant {number}")
            name, reader = known[number]
            return {"is": name, **reader(fields)}

        return read

    # Entries

    def read_rules(self, rows):
        for events, when, of, debit, credit, amount in rows:
            parts = when.split("; ")
            each = next((it.split() for it in parts if it.startswith("each ")), None)
            conditions = [it for it in parts if it and it != "forced" and not it.startswith("each ")]
            move = None
            if amount != "nothing":
                move = (expression(of), self.account(debit), self.account(credit),
                        expression(amount))
            row = " ".join(it for it in (when, of, debit, credit, amount) if it)
            each = each and (each[1], path(each[3]))
            rule = ([condition(it) for it in conditions], "forced" in parts, each, move, row)
            for event in events.split(", "):
                self.rules[event].append(rule)

    def account(self, text):
        """The account that a rule names: its name in the chart, and the number it is kept for."""
        name, _, key = text.rstrip("]").partition("[")
        key = path(key) if key else lambda _: None
        if name != "own":
            return lambda scope, _: (name, key(scope))

        def own(scope, reais):
            variant = key(scope)
            if type(variant) is str:
                return self.own[reais, variant], None
            kept = [it for field, it in variant.items() if field != "is"]
            kept = kept[0] if kept else None
            # An account of a product is kept for its number, and for the customer whose it is.
            kept = (kept["number"], kept["holder"]) if type(kept) is dict else kept
            return self.own[reais, variant["is"]], kept

        return own

    def entry(self, event):
        """What an event is called, its scope, whether it is forced, and its moves."""
        scope, name = dict(event), event["is"]
        while isinstance(inner := scope.get("event"), dict):
            del scope["event"]
            scope.update(inner)
            name += "." + inner["is"]
        found, is_forced, moves = False, False, []
        for conditions, forced, each, move, _ in self.rules.get(name, ()):
            if not all(holds(scope) for holds in conditions):
                continue
            found, is_forced = True, is_forced or forced
            if move is None:
                continue
            of, debit, credit, amount = move
            for inner in [{**scope, each[0]: it} for it in each[1](scope)] if each else [scope]:
                if units := amount(inner):
                    commodity = of(inner)
                    reais = commodity == "BRL"
                    moves.append((commodity, debit(inner, reais), credit(inner, reais), units))
        if not found:
            raise Wrong(f"no rule says what {name} posts")
        return name, scope, is_forced, moves


# Values


def array(value, kind, length=None):
    if type(value) is not list or length not in (None, len(value)):
        raise Wrong(f"{kind} is no array{'' if length is None else f' of {length}'}")
    return value


def integer(kind, least, most):
    def read(value):
        if type(value) is not int or not least <= value <= most:
            raise Wrong(f"{str(value)[:40]} is no {kind}")
        return value

    return read


def instance(kind, of, length=None):
    def read(value):
        if type(value) is not of or (length and len(value) != length):
            raise Wrong(f"{str(value)[:40]} is no {kind}")
        return value

    return read


def numbers(kind, names):
    def read(value):
        if type(value) is not int or value not in names:
            raise Wrong(f"{kind} has no number {str(value)[:40]}")
        return names[value]

    return read


def price(value):
    mantissa, decimals = array(value, "Price", 2)
    return [PLAIN["Units"](mantissa), PLAIN["u32"](decimals)]


PLAIN = {
    "text": instance("text", str),
    "bool": instance("bool", bool),
    **{f"u{bits}": integer(f"u{bits}", 0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "Amount": integer("Amount", 1, 2**63 - 1),
    "Cents": integer("Cents", 0, 2**63 - 1),
    "Bps": integer("Bps", 0, 10_000),
    "Scale": integer("Scale", 0, 18),
    "Units": integer("Units", 1, 10**36),
    "Price": price,
    "Instant": integer("Instant", 0, LAST_INSTANT),
    "Token": instance("Token", bytes, 16),
    "KeyHash": instance("KeyHash", bytes, 32),
    "ChainLink": instance("ChainLink", bytes, 32),
    "EvidenceHash": instance("EvidenceHash", bytes, 32),
    "OpId": integer("OpId", 0, 2**64 - 1),
}


# The language of the table of entries


def path(text):
    """A field of a field; what leads through none is none."""
    parts = [int(part) if part.isdigit() else part for part in text.split(".")]

    def get(scope):
        for part in parts:
            if scope is None:
                return None
            scope = scope[part]
        return scope

    return get


def expression(text):
    if text == "BRL":
        return lambda _: "BRL"
    tokens = re.findall(r"[\w.]+|[-+(),]", text)

    def atom():
        token = tokens.pop(0)
        if token == "(":
            inner = total()
            tokens.pop(0)
            return inner
        if token == "min":
            tokens.pop(0)
            a = total()
            tokens.pop(0)
            b = total()
            tokens.pop(0)
            return lambda scope: min(a(scope) or 0, b(scope) or 0)
        return path(token)

    def either():
        a = atom()
        while tokens and tokens[0] == "or":
            tokens.pop(0)
            a = first_of(a, atom())
        return a

    def total():
        a = either()
        while tokens and tokens[0] in "+-":
            sign, b = tokens.pop(0), either()
            a = (plus if sign == "+" else minus)(a, b)
        return a

    return total()


def first_of(a, b):
    return lambda scope: b(scope) if a(scope) is None else a(scope)


def plus(a, b):
    return lambda scope: (a(scope) or 0) + (b(scope) or 0)


def minus(a, b):
    return lambda scope: max(0, (a(scope) or 0) - (b(scope) or 0))


def condition(text):
    if " is " in text:
        left, right = text.split(" is ")
        value, wanted = path(left), right.split(" or ")

        def holds(scope):
            found = value(scope)
            if wanted in (["some"], ["none"]):
                return (found is None) == (wanted == ["none"])
            return (found["is"] if isinstance(found, dict) else found) in wanted

        return holds
    differs = " != " in text
    left, right = map(expression, re.split(" !?= ", text))
    return lambda scope: (left(scope) != right(scope)) == differs
