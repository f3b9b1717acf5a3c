"""Verifies files of reserves, and proofs of holders, by docs/RESERVES.md.

    reserves.py FILE --key PUBKEY [--proof FILE]... [--leaves FILE]
    reserves.py FOLDER --key PUBKEY --cases

Everything that is wrong is named, and the exit status is then 1. With `--cases` each folder of FOLDER has
`file`, `leaves` and `proof`, and the words of its faults are printed beside its name. Nothing of the
program that made the files is shared.
"""

import argparse
import datetime
import json
import re
import sys
from pathlib import Path

import wallets
from document import Wrong
from proofs import Checkpoint, Key, check, digits, fields, hexes, node, number, notes, sha, sides

REAIS = {"customers": ["cust.avail", "cust.held"], "holds": ["cust.frozen"], "partners": ["comm"],
         "agents": ["reward"],
         "in_flight": ["flight.pix_in", "flight.payout", "flight.conv", "flight.pixout"],
         "suspense": ["susp.pix"], "declared": ["prod.liability"], "provider": ["tariff.due"],
         "cells": ["cells"]}
COINS = {"wallets": ["wal.avail", "wal.reserved", "wal.confirming"], "deposits": ["dep"],
         "in_flight": ["flight.deliv", "flight.wdr"], "refunds": ["refund"],
         "suspense": ["susp.crypto"]}
# The class that an asset or a unit lists last, where a product has a liability in it.
DECLARED = {"declared": ["prod.liability"]}
# The totals that a checkpoint states, as far as they are in a file.
COLUMNS = {"cust": ["customers", "holds"], "comm": ["partners"], "wal": ["wallets"]}
FILE = ["reserves", "origin", "record", "time", "root", "path", "checkpoint", "within_hours", "assets",
        "statements", "signature"]
ASSET = ["asset", "decimals", "owed", "root", "total", "clients", "own", "result", "by"]
CLASS = ["class", "leaves", "root", "owed", "owed_by", "accounts"]
STATEMENT = ["kind", "asset", "network", "source", "clients", "own", "as_of", "evidence", "signer",
             "signature"]
PROOF = ["proof", "origin", "record", "file", "parts"]
PART = ["asset", "class", "holder", "salt", "amount", "leaf", "path"]
HEAD = "custody-ledger reserves leaves 1"
LEAST, LIMIT = 16, 1 << 128


class Faults(list):
    def add(self, word, text, sound=False):
        if not sound:
            self.append(f"{word}: {text}")


def text_of(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def texts(*all):
    named = lambda text: len(text.encode()).to_bytes(4, "big") + text.encode()
    return len(all).to_bytes(4, "big") + b"".join(map(named, all))


def wide(amount):
    return amount.to_bytes(16, "big")


def amount(text):
    """An amount of a tree, with what is wrong with it by its word."""
    if type(text) is str and re.fullmatch("-[0-9]+", text):
        raise Wrong(f"negative: {text} is below zero")
    if type(text) is str and re.fullmatch("[0-9]+", text) and int(text) >= LIMIT:
        raise Wrong(f"overflow: {text} leaves 128 bits")
    return digits(text)


def above(one, other):
    """The node above two, each a hash and a sum."""
    check(one[1] + other[1] < LIMIT, "overflow: a sum leaves 128 bits")
    return sha(b"\1", one[0], wide(one[1]), other[0], wide(other[1])), one[1] + other[1]


def parsed(text, names):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Wrong(f"form: {error}") from None
    check(type(value) is dict and list(value) == names, "form: it has other fields")
    check(text_of(value) == text, "form: it is not in the form that it was written in")
    return value


def is_signed(file, key):
    text = f"custody-ledger reserves 1\n{file['origin']}\n{digest(file).hex()}\n"
    try:
        key.verify(text, [file["signature"]])
    except Wrong:
        return False
    return key.name == file["origin"] and "\n" not in file["signature"]


def digest(file):
    return sha(text_of({name: it for name, it in file.items() if name != "signature"}).encode())


def check_checkpoint(file, key, faults):
    all = list(notes(file["checkpoint"]))
    check(len(all) == 1, "it is no signed note")
    checkpoint = Checkpoint(all[0], key)
    old, new, root = file["record"], checkpoint.size, hexes(file["root"])
    path = [hexes(it) for it in file["path"]]
    check(0 < old <= new, "it is earlier than the file")
    if old == new:
        time = re.search("^time (.*)$", all[0], re.M).group(1)
        check(not path and root == checkpoint.root, "the roots are two")
        check(time == file["time"], "it is of another time")
        return check_totals(file, checkpoint, faults)
    way = sides(old - 1, new)[(old & -old).bit_length() - 1:]
    path = [root] + path if old & (old - 1) == 0 else path
    check(len(way) == len(path) - 1, "the path has another length")
    before = after = path[0]
    for left, other in zip(way, path[1:]):
        before, after = (node(other, before), node(other, after)) if left else (
            before, node(after, other))
    check(before == root and after == checkpoint.root, "the file's records do not begin it")


def check_totals(file, checkpoint, faults):
    for column, to, by in checkpoint.totals:
        kind, _, asset = column.partition(":")
        classes = COLUMNS.get(kind)
        if classes is None or kind != "wal" and asset != "BRL":
            continue
        mine = [it for known in file["assets"] if known["asset"] == asset for it in known["owed"]
                if it["class"] in classes]
        found = sum(digits(it["owed"]) - digits(it["owed_by"]) for it in mine)
        faults.add("totals", f"{asset} {column}: {found} here, {to} less {by} in the checkpoint",
                   found == int(to) - int(by))


def check_owed(asset, faults):
    name, classes = asset["asset"], asset["owed"]
    table = REAIS if name == "BRL" else COINS
    for it in classes:
        fields(it, CLASS, "a class")
    found = [it["class"] for it in classes]
    if name != "BRL" and found[-1:] == list(DECLARED):
        table = table | DECLARED
    if found == list(table):
        for it in classes:
            check_class(name, it, table[it["class"]], faults)
    else:
        faults.add("classes", f"{name} lists {', '.join(found)}, and must list {', '.join(table)}")
    total = sum(digits(it["owed"]) for it in classes)
    if total >= LIMIT:
        faults.add("overflow", f"{name} owed: a sum leaves 128 bits")
    else:
        faults.add("root", f"{name}: classes come to {total}", total == digits(asset["total"]))
    data = b"".join(texts(it["class"]) + it["leaves"].to_bytes(8, "big") + hexes(it["root"]) +
                    wide(digits(it["owed"])) for it in classes)
    root = sha(b"custody-ledger reserves root v1\0", texts(name), data)
    faults.add("root", f"{name}: its classes have root {root.hex()}", root == hexes(asset["root"]))


def check_class(asset, it, accounts, faults):
    where, leaves = f"{asset} {it['class']}", number(it["leaves"], "the leaves")
    faults.add("leaves", f"{where} has {leaves} leaves", leaves >= LEAST and leaves & leaves - 1 == 0)
    for known in it["accounts"]:
        fields(known, ["account", "balance"], "an account")
        check(re.fullmatch("0|-?[1-9][0-9]*", known["balance"]), "form: it is no balance")
    net = digits(it["owed"]) - digits(it["owed_by"])
    faults.add("accounts", f"{where}: the accounts are others, or do not come to {net}",
               [known["account"] for known in it["accounts"]] == accounts and
               sum(int(known["balance"]) for known in it["accounts"]) == net)


def check_held(asset, statements, faults):
    name = asset["asset"]
    sums = [sum(digits(it[which]) for it in statements if it["asset"] == name)
            for which in ("clients", "own")]
    if max(sums) >= LIMIT:
        return faults.add("overflow", f"{name} held: a sum leaves 128 bits")
    faults.add("held", f"{name}: statements come to {sums[0]} and {sums[1]}",
               sums == [digits(asset["clients"]), digits(asset["own"])])
    by = digits(asset["clients"]) - digits(asset["total"])
    found = ["covered" if by >= 0 else "short", str(abs(by))]
    faults.add("coverage", f"{name} is {' by '.join(found)}", found == [asset["result"], asset["by"]])


def identity(it):
    """One text for each place, or None where it is malformed."""
    source = it["source"]
    if it["kind"] == "ethereum":
        place = wallets.ethereum_address(source)
    elif it["kind"] == "bitcoin":
        place = wallets.bitcoin_address(source)
    else:
        place = " ".join(source.split()).lower() if re.fullmatch("[ -~]+", source) else None
    return place and (it["kind"], it["network"], place, it["asset"])


def statement_text(it, origin):
    return (f"custody-ledger reserve statement 1\nledger {origin}\nkind {it['kind']}\n"
            f"asset {it['asset']}\nnetwork {it['network'] or '-'}\nsource {it['source']}\n"
            f"clients {it['clients']}\nown {it['own']}\nas of {it['as_of']}\n"
            f"evidence {it['evidence'] or '-'}\n")


def check_statement(it, file):
    line = lambda text: text.strip() == text and text not in ("", "-") and text.isprintable()
    is_file = it["kind"] == "file"
    network = it["network"]
    known = {"ethereum": network not in (None, "bitcoin") and re.fullmatch("[a-z0-9-]+", network)
             and network != "-", "bitcoin": network == "bitcoin", "file": network is None}
    check(known[it["kind"]], "its network is none that its kind has")
    check(line(it["asset"]) and line(it["source"]) and line(it["signature"]), "a field is malformed")
    place = identity(it)
    check(place is not None, "its source is malformed")
    check((it["evidence"] is not None) == is_file, "its evidence is missing, or one too many")
    check((it["signer"] is not None) == is_file, "its signer is missing, or one too many")
    text = statement_text(it, file["origin"])
    if is_file:
        hexes(it["evidence"])
        Key(it["signer"]).verify(text, [it["signature"]])
    elif it["kind"] == "ethereum":
        check(wallets.ethereum_signed(place[2], text[:-1], it["signature"]), "the wallet did not sign")
    else:
        check(wallets.bitcoin_signed(place[2][1], text[:-1], it["signature"]), "the wallet did not sign")
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", it["as_of"]), "its time is malformed")
    instant = datetime.datetime.fromisoformat
    apart = abs(instant(it["as_of"]) - instant(file["time"]))
    check(apart <= datetime.timedelta(hours=file["within_hours"]), "it is of another day")


def check_statements(file, faults):
    seen = set()
    for it in file["statements"]:
        fields(it, STATEMENT, "a statement")
        place = f"{it['source']} of {it['asset']}"
        try:
            check_statement(it, file)
        except Wrong as wrong:
            faults.add("statement", f"{place}: {wrong}")
        found = identity(it)
        faults.add("twice", f"{place} is counted twice", found is None or found not in seen)
        seen.add(found)


def leaves_of(text):
    """The leaves of each tree, by asset and class; with the origin and the record."""
    check(text.endswith("\n"), "form: the leaves are cut off")
    lines = text[:-1].split("\n")
    check(lines[0] == HEAD and len(lines) >= 3, "form: these are no leaves")
    trees, at = {}, 3
    while at < len(lines):
        head = re.fullmatch("tree ([a-z_]+) ([0-9]+) (.+)", lines[at])
        check(head, f"form: line {at + 1} is no tree")
        count = int(head[2])
        leaves = []
        for line in lines[at + 1:at + 1 + count]:
            key, blank, value = line.partition(" ")
            check(blank, "form: a line is no leaf")
            leaves.append((hexes(key), amount(value)))
        check((head[3], head[1]) not in trees, "form: a tree stands twice")
        trees[head[3], head[1]] = leaves
        at += 1 + count
    return lines[1], lines[2], trees


def check_leaves(file, text, faults):
    origin, record, trees = leaves_of(text)
    if (origin, record) != (file["origin"], str(file["record"])):
        return faults.add("tree", "the leaves are of another file")
    classes = [(asset["asset"], it) for asset in file["assets"] for it in asset["owed"]]
    faults.add("tree", "the leaves are of other classes",
               sorted(trees) == sorted((asset, it["class"]) for asset, it in classes))
    for asset, it in classes:
        where, leaves = f"{asset} {it['class']}", trees.get((asset, it["class"]), [])
        keys = [key for key, _ in leaves]
        if len(leaves) != it["leaves"] or any(one >= two for one, two in zip(keys, keys[1:])):
            faults.add("tree", f"{where}: its leaves are {len(leaves)}, or not in order")
            continue
        level = [(sha(b"\0", key, wide(sum)), sum) for key, sum in leaves]
        try:
            while len(level) > 1:
                level = [above(*two) for two in zip(level[::2], level[1::2])]
        except Wrong:
            faults.add("overflow", f"{where}: a sum leaves 128 bits")
            continue
        faults.add("tree", f"{where}: its leaves come to {level[0][1]} under {level[0][0].hex()}",
                   level[0] == (hexes(it["root"]), digits(it["owed"])))


def verify(text, key, leaves=None):
    """The file, and all that is wrong with it."""
    faults = Faults()
    file = parsed(text, FILE)
    check(file["reserves"] == 1, "form: the version is not known")
    number(file["record"], "the record")
    number(file["within_hours"], "the hours")
    faults.add("signature", f"{key.name} did not sign this", is_signed(file, key))
    try:
        check_checkpoint(file, key, faults)
    except (Wrong, ValueError, AttributeError) as wrong:
        faults.add("checkpoint", wrong)
    names = [it["asset"] for it in file["assets"]]
    ordered = names[:1] == ["BRL"] and all(one < two for one, two in zip(names[1:], names[2:]))
    faults.add("assets", f"{', '.join(names)} are not BRL and others in order", ordered)
    for it in file["statements"]:
        faults.add("assets", f"{it['asset']} is held, and not listed", it["asset"] in names)
    for asset in file["assets"]:
        fields(asset, ASSET, "an asset")
        check_owed(asset, faults)
        check_held(asset, file["statements"], faults)
    check_statements(file, faults)
    if leaves is not None:
        check_leaves(file, leaves, faults)
    return file, faults


def check_proof(text, file):
    """Checks a holder's proof against a file that was verified by itself."""
    proof = parsed(text, PROOF)
    check((proof["origin"], proof["record"], proof["file"]) ==
          (file["origin"], file["record"], digest(file).hex()), "file: it is of another file")
    check(proof["proof"] == "reserves" and proof["parts"], "form: it has no part")
    for part in proof["parts"]:
        fields(part, PART, "a part")
        where = [it for asset in file["assets"] if asset["asset"] == part["asset"]
                 for it in asset["owed"] if it["class"] == part["class"]]
        check(len(where) == 1, "form: the file has not its class")
        stated = where[0]
        key = sha(b"custody-ledger reserves key v1\0", hexes(part["salt"]),
                  texts(part["asset"], part["class"], *part["holder"]))
        found = sha(b"\0", key, wide(amount(part["amount"]))), amount(part["amount"])
        place, steps = number(part["leaf"], "the leaf"), part["path"]
        check(place < stated["leaves"] == 1 << len(steps), "path: it has another length")
        for height, step in enumerate(steps):
            fields(step, ["hash", "sum"], "a step")
            other = hexes(step["hash"]), amount(step["sum"])
            found = above(other, found) if place >> height & 1 else above(found, other)
        check(found == (hexes(stated["root"]), digits(stated["owed"])),
              f"path: {part['asset']} {part['class']} leads to {found[1]} under {found[0].hex()}")
    return proof


def checked(path, key, proofs, leaves):
    """The file at a path, where it can be read, and all that is wrong with it and with proofs."""
    read = lambda path: path.read_bytes().decode()
    try:
        file, faults = verify(read(path), key, read(leaves) if leaves else None)
        for proof in proofs:
            try:
                check_proof(read(proof), file)
            except Wrong as wrong:
                faults.add("proof", wrong)
        return file, faults
    except (Wrong, ValueError, KeyError, TypeError, AttributeError) as wrong:
        # A fault that has no word is one of the form.
        known = re.match("(form|negative|overflow): ", str(wrong))
        return None, Faults([str(wrong) if known else f"form: {wrong!r}"])


def main():
    parser = argparse.ArgumentParser(description="Verifies files of reserves.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--key", required=True)
    parser.add_argument("--proof", type=Path, action="append", default=[])
    parser.add_argument("--leaves", type=Path)
    parser.add_argument("--cases", action="store_true")
    options = parser.parse_args()
    try:
        key = Key(options.key)
    except Wrong as wrong:
        sys.exit(f"--key: {wrong}")
    if options.cases:
        for case in sorted(options.file.iterdir()):
            _, faults = checked(case / "file", key, [case / "proof"], case / "leaves")
            print(case.name, *sorted({it.partition(":")[0] for it in faults}))
        return
    file, faults = checked(options.file, key, options.proof, options.leaves)
    if faults:
        sys.exit("\n  ".join([f"{options.file}: not verified", *faults]))
    for asset in file["assets"]:
        print(f"{asset['asset']}: owed {asset['total']}, held {asset['clients']} for clients, "
              f"{asset['result']} by {asset['by']}; own {asset['own']}")
    for path in options.proof:
        print(f"{path}: every part is in the sums")


if __name__ == "__main__":
    main()
