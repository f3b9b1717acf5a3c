"""Verifies proofs by docs/PROOFS.md: records, operations, balances, and what came since.

    proofs.py --checkpoint FILE --key PUBKEY [--since FILE] [--all-refused] PROOF...

Every proof is checked against the checkpoint of its size that the key signed; with `--since` a proof
of what came since begins with that checkpoint. What records say, an operation's id among it, is read
by docs/FORMAT.md. The exit status is 1 where any is refused, which is named; with `--all-refused`,
where any is not. Nothing of the program that made them is shared. `blake3`, `cbor2` and
`cryptography` are pinned in requirements.txt.
"""

import argparse
import base64
import binascii
import hashlib
import json
import re
import sys
from pathlib import Path

import blake3
import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from document import Format, Wrong

HASHES = {"BLAKE3": lambda data: blake3.blake3(data).digest(),
          "SHA-256": lambda data: hashlib.sha256(data).digest()}
FIELDS = {
    "record": ["proof", "origin", "size", "record", "previous_link", "bytes", "path"],
    "operation": ["proof", "origin", "size", "operation", "records"],
    "balance": ["proof", "origin", "size", "account", "customer", "salt", "amounts", "leaf", "path"],
    "since": ["proof", "origin", "size", "since", "path"],
}


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def node(left, right):
    return sha(b"\1", left, right)


def check(sound, what):
    if not sound:
        raise Wrong(what)


def number(value, what):
    check(type(value) is int and 0 <= value < 1 << 64, f"{what} is no number")
    return value


def digits(text):
    check(type(text) is str and re.fullmatch("0|[1-9][0-9]*", text), f"{text!r} is no amount")
    check(int(text) < 1 << 128, f"{text} leaves 128 bits")
    return int(text)


def hexes(text):
    check(type(text) is str and re.fullmatch("[0-9a-f]{64}", text), f"{text!r} is no hash")
    return bytes.fromhex(text)


def decoded(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise Wrong(f"it is no base64: {error}") from None
    check(base64.b64encode(data).decode() == text, "it is not in the one base64 of its bytes")
    return data


def fields(value, names, what):
    check(type(value) is dict and list(value) == names, f"{what} has other fields, or in other order")


class Key:
    """A public key: NAME+HASH+BASE64."""

    def __init__(self, text):
        parts = text.strip().split("+", 2)
        check(len(parts) == 3, "a key is NAME+HASH+BASE64")
        self.name, said, data = parts[0], parts[1], decoded(parts[2])
        check(len(data) == 33 and data[0] == 1, "a key is one of Ed25519")
        self.hash = sha(self.name.encode(), b"\n", data)[:4]
        check(self.hash.hex() == said, "the key's hash is not of its name and bytes")
        self.key = Ed25519PublicKey.from_public_bytes(data[1:])

    def verify(self, text, lines):
        """Whether one of the lines is this key's signature of the text."""
        begins = f"\u2014 {self.name} "
        for line in lines:
            signature = decoded(line[len(begins):]) if line.startswith(begins) else b""
            if len(signature) == 68 and signature[:4] == self.hash:
                try:
                    return self.key.verify(signature[4:], text.encode())
                except InvalidSignature:
                    raise Wrong("the signature is not of this text") from None
        raise Wrong(f"it is not signed by {self.name}")


class Checkpoint:
    """A checkpoint, once its signature was found to be the key's."""

    def __init__(self, note, key):
        text, empty, rest = note.partition("\n\n")
        check(empty and rest.endswith("\n"), "this is no signed note")
        text += "\n"
        key.verify(text, rest[:-1].split("\n"))
        lines = text[:-1].split("\n")
        check(len(lines) >= 6 and lines[0] == key.name, "the checkpoint is of another origin")
        self.origin, self.size, self.root = lines[0], int(lines[1]), decoded(lines[2])
        said = dict(line.split(" ", 1) for line in lines[3:6])
        self.algorithm, _ = said["chain"].split(" ")
        count, root = said["balances"].split(" ")
        self.count, self.balances = int(count), decoded(root)
        self.totals = [line.split(" ")[1:] for line in lines[6:] if line.startswith("total ")]


def notes(text):
    """The notes of a file, each with its signature."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    for text, signatures in zip(parts, parts[1:]):
        if signatures.startswith("\u2014 ") and not text.startswith("\u2014 "):
            yield f"{text}\n\n{signatures}\n"


def sides(index, size):
    """From the leaf up: whether the other hash is to the left."""
    check(index < size, f"leaf {index} is not in a tree of {size}")
    found = []
    while size > 1:
        half = 1 << (size - 1).bit_length() - 1
        found.append(index >= half)
        index, size = (index - half, size - half) if index >= half else (index, half)
    return found[::-1]


def record(proof, checkpoint):
    """Proves one record, and gives its bytes."""
    seq = number(proof["record"], "the record")
    check(seq > 0, "the first record is 1")
    data = decoded(proof["bytes"])
    link = HASHES[checkpoint.algorithm](
        hexes(proof["previous_link"]) + seq.to_bytes(8, "little") + data)
    found, path = sha(b"\0", link), [hexes(it) for it in proof["path"]]
    way = sides(seq - 1, checkpoint.size)
    check(len(way) == len(path), "the path has another length")
    for left, other in zip(way, path):
        found = node(other, found) if left else node(found, other)
    check(found == checkpoint.root, f"record {seq} is not in the ledger so")
    return data


def operation(proof, checkpoint, form):
    _, ledger, environment = proof["origin"].rsplit("/", 2)
    text, records = proof["operation"], proof["records"]
    kind = [it for it, kind in enumerate(form.kinds) if text[:3] in (kind[0], kind[2])]
    check(len(kind) == 1 and re.fullmatch("[0-9a-f]+", text[3:]), f"{text} is no operation")
    op = int(text[3:15], 16) << 4 | kind[0]
    # Of 16 digits, or fewer for a kind whose ids are shorter.
    hasher = blake3.blake3(derive_key_context="custody-ledger operation id v1")
    tag = hasher.update(op.to_bytes(8, "little") + ledger.encode()).digest(8).hex()
    check(text[15:] == tag[: form.kinds[kind[0]][1]], f"{text} is no operation of {ledger}")
    for it in records:
        fields(it, ["record", "previous_link", "bytes", "path"], "a record")
    numbers = [number(it["record"], "the record") for it in records]
    check(numbers and numbers[0] == op >> 4, "the first record is not the one that created it")
    check(all(one < next for one, next in zip(numbers, numbers[1:])), "they are not in order")
    for it in records:
        data = record(it, checkpoint)
        events = form.record(cbor2.loads(data[1:]))["events"]
        mine = any(form.entry(event)[1].get("op") == op for event in events)
        check(data[:1] == b"\1" and mine, f"record {it['record']} says nothing of {text}")


def balance(proof, checkpoint):
    named = lambda text: len(text.encode()).to_bytes(4, "big") + text.encode()
    amounts = lambda sums: b"".join(it.to_bytes(16, "big") for pair in sums for it in pair)
    holder = named(proof["account"])
    customer = proof["customer"]
    holder += b"\0" if customer is None else b"\1" + named(customer)
    key = sha(b"custody-ledger balance key v1\0", hexes(proof["salt"]), holder)
    for it in proof["amounts"]:
        fields(it, ["column", "to", "by"], "an amount")
    columns = [it["column"] for it in proof["amounts"]]
    check(columns == [it[0] for it in checkpoint.totals], "the columns are other ones")
    sums = [(digits(it["to"]), digits(it["by"])) for it in proof["amounts"]]
    check(all(0 in pair for pair in sums), "a leaf owes and is owed at once")
    found = sha(b"\0", key, amounts(sums))
    way = sides(number(proof["leaf"], "the leaf"), checkpoint.count)
    check(len(way) == len(proof["path"]), "the path has another length")
    for left, part in zip(way, proof["path"]):
        fields(part, ["hash", "amounts"], "a part of the path")
        others = [(digits(to), digits(by)) for to, by in part["amounts"]]
        check(len(others) == len(sums), "a part has other columns")
        mine, other = found + amounts(sums), hexes(part["hash"]) + amounts(others)
        found = node(other, mine) if left else node(mine, other)
        sums = [(a + c, b + d) for (a, b), (c, d) in zip(sums, others)]
        check(all(it < 1 << 128 for pair in sums for it in pair), "a sum leaves 128 bits")
    check(found == checkpoint.balances, "this balance is not in the tree so")
    check([[str(it) for it in pair] for pair in sums] == [it[1:] for it in checkpoint.totals],
          "the sums are not the totals that were signed")


def since(proof, checkpoint, key, kept):
    earlier = Checkpoint(proof["since"], key)
    if kept:
        check((kept.size, kept.root) == (earlier.size, earlier.root), "it begins with another one")
    old_size, path = earlier.size, [hexes(it) for it in proof["path"]]
    check(0 < old_size <= checkpoint.size, "it is not earlier")
    if old_size == checkpoint.size:
        return check(not path and earlier.root == checkpoint.root, "the roots are two")
    way = sides(old_size - 1, checkpoint.size)[(old_size & -old_size).bit_length() - 1:]
    path = [earlier.root] + path if old_size & (old_size - 1) == 0 else path
    check(len(way) == len(path) - 1, "the path has another length")
    old = new = path[0]
    for left, other in zip(way, path[1:]):
        old, new = (node(other, old), node(other, new)) if left else (old, node(new, other))
    check(old == earlier.root and new == checkpoint.root, "the ledger does not go on from it")


def verify(text, checkpoints, key, form, kept=None):
    """Verifies a proof; raises Wrong where it proves nothing."""
    try:
        proof = json.loads(text)
        kind = proof["proof"]
        fields(proof, FIELDS[kind], "the proof")
        # In one form alone, so that every byte that was changed shows.
        check(json.dumps(proof, indent=2, ensure_ascii=False) + "\n" == text, "it is in another form")
        check(proof["origin"] == key.name, f"it is of {proof['origin']}")
        checkpoint = checkpoints.get(proof["size"])
        check(checkpoint is not None, f"there is no checkpoint at {proof['size']} records")
        if kind == "record":
            record(proof, checkpoint)
        elif kind == "operation":
            operation(proof, checkpoint, form)
        elif kind == "balance":
            balance(proof, checkpoint)
        else:
            since(proof, checkpoint, key, kept)
        return kind
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, UnicodeError,
            cbor2.CBORDecodeError) as error:
        raise Wrong(f"it is no proof: {error!r}") from None


def main():
    parser = argparse.ArgumentParser(description="Verifies proofs.")
    parser.add_argument("proofs", nargs="+", type=Path, metavar="PROOF")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--since", type=Path)
    parser.add_argument("--all-refused", action="store_true")
    options = parser.parse_args()
    try:
        key = Key(options.key)
        read = lambda path: [Checkpoint(it, key) for it in notes(path.read_text(encoding="utf-8"))
                             if it.split("\n", 1)[0] == key.name]
        checkpoints = {it.size: it for it in read(options.checkpoint)}
        kept = read(options.since)[-1] if options.since else None
    except (Wrong, ValueError) as wrong:
        sys.exit(f"{options.checkpoint}: {wrong}")
    form = Format(Path(__file__).resolve().parents[2] / "docs/FORMAT.md")
    counts = {}
    for path in options.proofs:
        try:
            text = path.read_bytes().decode()
            kind = verify(text, checkpoints, key, form, kept)
        except (Wrong, UnicodeDecodeError) as wrong:
            if not options.all_refused:
                sys.exit(f"{path}: {wrong}")
            kind = "refused"
        else:
            if options.all_refused:
                sys.exit(f"{path}: it was to be refused")
        counts[kind] = counts.get(kind, 0) + 1
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
