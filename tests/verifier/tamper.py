"""Plants tampering in a journal and asks verifier and program: each must find it, in the same record.

    tamper.py PROGRAM STORE

The program audits a copy of the store in which it was planted; the verifier reads an export in which
it was. What the chain alone cannot show is found against a head that was kept, by both.
"""

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import blake3
import cbor2
from document import Format, Wrong
from verify import MAGIC, Items, contents_of, hold_against, leb128, verify

NAME = "live"


def leb(length):
    out = bytearray()
    while length > 127:
        out.append(length & 127 | 128)
        length >>= 7
    return bytes(out) + bytes([length])


def chained(records, algorithm=1):
    """The links of records, from the first."""
    hashed = {1: blake3.blake3, 2: hashlib.sha256}[algorithm]
    link = hashed(b"custody-ledger chain v1\0" + bytes([algorithm]) + NAME.encode()).digest()
    links = []
    for seq, record in enumerate(records, 1):
        link = hashed(link + seq.to_bytes(8, "little") + record).digest()
        links.append(link)
    return links


def rows_of(records, links, size):
    """Rows of so many records, each framed with the first bytes of these links."""
    rows = []
    for first in range(0, len(records), size):
        part = list(zip(records, links))[first : first + size]
        payload = b"".join(leb(len(it)) + link[:8] + it for it, link in part)
        rows.append([first + 1, len(part), part[-1][1], payload])
    return rows


def file_of(rows, head=None, algorithm=1):
    """A file of records with these rows, whole: its check is made anew."""
    seq, link = head or (rows[-1][0] + rows[-1][1] - 1, rows[-1][2])
    contents = [NAME, algorithm, seq, link, bytes(32), None, 0, 1]
    items = [[0, [[contents]]], *([1, row] for row in rows)]
    data = MAGIC
    for item in items:
        body = cbor2.dumps(item)
        data += len(body).to_bytes(4, "little") + body
    end = cbor2.dumps([3, [blake3.blake3(data).digest()]])
    return data + len(end).to_bytes(4, "little") + end


class Case:
    """One journal, and what both say of it when something was planted."""

    def __init__(self, program, store):
        self.program, self.store = program, store
        self.form = Format("docs/FORMAT.md")
        self.folder = Path(tempfile.mkdtemp(dir=os.environ.get("VERIFIER_STORES")))
        exported = self.folder / "records"
        command = [program, "export", store, "--format", "records", "--ledger", NAME]
        subprocess.run([*command, "--output", exported], check=True, capture_output=True)
        self.data = exported.read_bytes()
        items = Items(self.data)
        (contents,) = contents_of(items)
        self.records, seq = [], 0
        while seq < contents[2]:
            _, count, _, payload = items.next(1, 4, "a row")
            place = 0
            for _ in range(count):
                seq += 1
                length, place = leb128(payload, place, seq)
                self.records.append(payload[place + 8 : place + 8 + length])
                place += 8 + length
        self.links = chained(self.records)
        self.head = (seq, self.links[-1])

    def rows(self, size=4):
        return rows_of(self.records, self.links, size)

    def verified(self, data, heads=()):
        """What the verifier says: nothing, or what is wrong."""
        try:
            ledgers = verify(data, self.form)
            for head in heads:
                hold_against(ledgers, head)
        except Wrong as wrong:
            return str(wrong)
        return None

    def audited(self, rows, heads=(), algorithm=1):
        """What the program says of a store that has these rows; no trigger stands in the way, and
        none is missing afterwards."""
        path = self.folder / "store.db"
        shutil.copy(self.store, path)
        store = sqlite3.connect(path)
        triggers = store.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = triggers.fetchall()
        for name, _ in triggers:
            store.execute(f"DROP TRIGGER {name}")
        (ledger,) = store.execute("SELECT id FROM ledger WHERE name = ?", [NAME]).fetchone()
        store.execute("DELETE FROM journal WHERE ledger = ?", [ledger])
        store.execute("UPDATE ledger SET algorithm = ? WHERE id = ?", [algorithm, ledger])
        for first, count, link, payload in rows:
            into = "INSERT INTO journal (ledger, first, count, link, payload) VALUES (?, ?, ?, ?, ?)"
            store.execute(into, [ledger, first, count, link, payload])
        for _, sql in triggers:
            store.execute(sql)
        store.commit()
        store.close()
        command = [self.program, "audit", path, "--environment", NAME]
        for head in heads:
            command += ["--head", head]
        done = subprocess.run(command, capture_output=True, text=True)
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        return None if done.returncode == 0 else done.stderr + done.stdout

    def found(self, what, rows, heads=(), reason="", apart=0):
        """Both must find it, and name the same record, or so many apart where a row says of itself
        what it is not; the verifier for this reason."""
        ours = self.audited(rows, heads)
        theirs = self.verified(file_of(rows), [f"{NAME}:{head}" for head in heads])
        if ours is None or theirs is None:
            sys.exit(f"{what}: the program says {ours}, the verifier {theirs}")
        records = [re.search(r"record (\d+)", it) for it in (ours, theirs)]
        named = [int(it[1]) for it in records if it]
        if len(named) < 2 or abs(named[0] - named[1]) > apart or reason not in theirs:
            sys.exit(f"{what}: the program says {ours}, the verifier {theirs}")
        print(f"  {what}: {theirs}")

    def not_found(self, what, rows, by_program=None):
        """The verifier finds nothing, since nothing contradicts anything it knows; the program
        does where it says so, and both do against the head that was kept."""
        theirs, ours = self.verified(file_of(rows)), self.audited(rows)
        if theirs is not None or (ours is None) != (by_program is None):
            sys.exit(f"{what}: the program says {ours}, the verifier {theirs}")
        if by_program is not None and by_program not in ours:
            sys.exit(f"{what}: the program says {ours}, not {by_program}")
        seen = "which the program sees" if by_program else "which contradicts nothing"
        kept = f"{self.head[0]}:{self.head[1].hex()}"
        apart = self.head[0] if by_program else 0
        self.found(f"{what}, {seen}, against the head", rows, [kept], apart=apart)

    def events(self, name):
        """The records whose first event is of this name, with what they decode to."""
        for seq, record in enumerate(self.records, 1):
            value = cbor2.loads(record[1:])
            for event in self.form.record(value)["events"]:
                if self.form.entry(event)[0] == name:
                    yield seq, value

    def chained_anew(self, changes, size=4):
        """The rows where these records are others, and all links are made anew."""
        records = [changes.get(seq, record) for seq, record in enumerate(self.records, 1)]
        return rows_of(records, chained(records), size)


def written(value):
    return b"\x01" + cbor2.dumps(value)


def flipped(case):
    """Every byte of the file, and then bytes of every record with the check made anew."""
    for place in range(len(case.data)):
        data = bytearray(case.data)
        data[place] ^= 1 << place % 8
        if case.verified(bytes(data)) is None:
            sys.exit(f"byte {place} of the file was changed, and nobody saw it")
    for length in range(len(case.data)):
        if case.verified(case.data[:length]) is None:
            sys.exit(f"the file was cut to {length} bytes, and nobody saw it")
    print(f"  each of {len(case.data)} bytes changed, and the file cut at each: found")
    rows, seen = case.rows(), 0
    for at, (first, _, _, payload) in enumerate(rows):
        place, seq = 0, first
        while place < len(payload):
            begin = place
            length, place = leb128(payload, place, seq)
            place += 8 + length
            for byte in {begin, begin + 1, (begin + place) // 2, place - 1}:
                changed = [list(row) for row in rows]
                data = bytearray(payload)
                data[byte] ^= 1 << seq % 8
                changed[at][3] = bytes(data)
                wrong = case.verified(file_of(changed)) or ""
                if f"record {seq}:" not in wrong:
                    sys.exit(f"byte {byte} of record {seq} was changed: the verifier says {wrong}")
                seen += 1
            seq += 1
    print(f"  {seen} bytes of frames changed and the check made anew: found, each in its record")


def moved(case):
    """Records and rows that are others, elsewhere, missing, repeated or foreign."""
    records, links = case.records, case.links

    def without_links(changed, size=4):
        # Every record keeps the check that it had; what is new has one that is nobody's.
        of = dict(zip(records, links))
        return rows_of(changed, [of.get(it, bytes(32)) for it in changed], size)

    record = bytearray(records[20])
    record[-1] ^= 1
    changed = records[:20] + [bytes(record)] + records[21:]
    case.found("a byte flipped", rows_of(changed, links, 4), reason="record 21: its bytes")
    case.found("a record removed", without_links(records[:20] + records[21:]))
    case.found("two records exchanged",
               without_links(records[:20] + [records[21], records[20]] + records[22:]))
    case.found("a record repeated", without_links(records[:21] + records[20:]))
    foreign = written([*cbor2.loads(records[20][1:])[:1], [[15, []]], [[0, []], False]])
    case.found("a record inserted", without_links(records[:20] + [foreign] + records[20:]))
    case.found("the first record removed", without_links(records[1:]))
    rows = case.rows()
    case.found("a row removed", rows[:3] + rows[4:], reason="record 13")
    case.found("a row repeated", rows[:4] + [[17, *rows[3][1:]]]
               + [[it[0] + 4, *it[1:]] for it in rows[4:]])
    case.found("two rows exchanged", rows[:3] + [[13, *rows[4][1:]], [17, *rows[3][1:]]] + rows[5:])
    row = rows[5]
    for what, place, value in (
        ("first number", 0, row[0] + 1), ("count raised", 1, row[1] + 1),
        ("count lowered", 1, row[1] - 1), ("link", 2, bytes(32)),
        ("payload cut", 3, row[3][:-1]), ("payload lengthened", 3, row[3] + b"\0"),
        ("payload gone", 3, b""), ("payload of another", 3, rows[6][3]),
    ):
        changed = [list(it) for it in rows]
        changed[5][place] = value
        case.found(f"a row's {what}", changed, apart=1)
    if case.verified(file_of(rows[:-1], head=case.head)) is None:
        sys.exit("the last row is missing before the end, and nobody saw it")
    for size in (1, 7, 1000):
        again = rows_of(records, links, size)
        if case.verified(file_of(again)) or case.audited(again):
            sys.exit(f"rows of {size} records are as good as any, and somebody says otherwise")
    of_sha256 = rows_of(records, chained(records, 2), 4)
    said = [case.audited(of_sha256, algorithm=2), case.verified(file_of(of_sha256, algorithm=2))]
    if said != [None, None]:
        sys.exit(f"the same records in a chain of SHA-256: program and verifier say {said}")
    if None in (case.audited(of_sha256), case.verified(file_of(of_sha256))):
        sys.exit("a chain of SHA-256 is none of BLAKE3, and nobody saw it")
    print("  the same records in rows of 1, 7 and 1,000: the same head; in a chain of SHA-256: sound")


def forged(case):
    """Records that are others and chained anew, so that every link is right."""
    seq, value = next(case.events("Payout.Completed"))
    longer = b"\x01" + cbor2.dumps(value).replace(b"\x83", b"\x98\x03", 1)
    case.found("a record in other bytes that say the same", case.chained_anew({seq: longer}),
               reason="one encoding")
    unbounded = cbor2.dumps(value)
    unbounded = b"\x01\x9f" + unbounded[1:] + b"\xff"
    case.found("an array without its length", case.chained_anew({seq: unbounded}))
    more = b"\x01" + cbor2.dumps(value) + b"\0"
    case.found("a byte after a record", case.chained_anew({seq: more}))
    case.found("another version", case.chained_anew({seq: b"\x02" + cbor2.dumps(value)}))
    spelled = cbor2.dumps([*value, None])
    case.found("a field spelled out that is none", case.chained_anew({seq: b"\x01" + spelled}))

    def with_event(seq, value, change):
        value = cbor2.loads(cbor2.dumps(value))
        for event in value[1]:
            change(event)
        return case.chained_anew({seq: written(value)})

    def completed(cents):
        def change(event):
            if event[0] == 8:
                event[1][1][1][1] += cents

        return with_event(seq, value, change)

    case.found("a payout completed with more than was debited", completed(1), reason="below zero")
    case.not_found("a payout completed with less", completed(-1), by_program="cannot follow")
    at, transfer = next(case.events("Transfer.Done"))

    def lacking(event):
        event[1][1][1][0][3] += 10**9

    def harmless(event):
        event[1][1][1][0][3] -= 1

    case.found("a transfer of what is not there", with_event(at, transfer, lacking),
               reason="below zero")
    case.not_found("a transfer of a centavo less", with_event(at, transfer, harmless))

    def negative(event):
        event[1][1][1][0][3] = -1

    case.found("an amount below zero", with_event(at, transfer, negative), reason="is no Amount")

    def unknown(event):
        event[0] = 99

    case.found("an event that there is not", with_event(at, transfer, unknown))
    earlier = cbor2.loads(case.records[at - 1][1:])
    earlier[0] = cbor2.loads(case.records[at - 2][1:])[0] - 1
    case.found("a record dated before the one it follows",
               case.chained_anew({at: written(earlier)}), reason="dated before")
    again = next(it for it in range(at, len(case.records))
                 if len(cbor2.loads(case.records[it][1:])) > 3)
    later = cbor2.loads(case.records[again][1:])
    first = next(it for it in map(cbor2.loads, (it[1:] for it in case.records)) if len(it) > 3)
    later[3] = first[3]
    case.found("a fact that was recorded before", case.chained_anew({again + 1: written(later)}),
               reason="was recorded before")
    opening = cbor2.loads(case.records[0][1:])
    opening[1][0][1][0] = "another"
    bytes_of_any_record(case)
    any_record_removed(case)
    case.found("an opening of another ledger", case.chained_anew({1: written(opening)}))
    records = case.records[1:]
    case.found("a journal that does not begin with its opening",
               rows_of(records, chained(records), 4))
    records = case.records[:20] + case.records[20:22] + case.records[20:]
    case.found("two records repeated", rows_of(records, chained(records), 4),
               reason="dated before")


def bytes_of_any_record(case):
    """Bytes of any record, with all links made anew: found at once, or against the head."""
    at_once = seen = 0
    for seq, record in enumerate(case.records, 1):
        for place in range(seq % 5, len(record), 5):
            data = bytearray(record)
            data[place] ^= 1 << (place + seq) % 8
            file = file_of(case.chained_anew({seq: bytes(data)}))
            at_once += case.verified(file) is not None
            seen += 1
            if case.verified(file, [f"{case.head[0]}:{case.head[1].hex()}"]) is None:
                sys.exit(f"byte {place} of record {seq} was forged, and nobody saw it")
    print(f"  {seen} bytes forged and chained anew: {at_once} contradict something, all the head")


def any_record_removed(case):
    """Any record removed, and all after it numbered and chained anew."""
    kept = f"{case.head[0]}:{case.head[1].hex()}"
    ours = theirs = 0
    for place in range(len(case.records)):
        records = case.records[:place] + case.records[place + 1 :]
        rows = rows_of(records, chained(records), 4)
        wrong = case.verified(file_of(rows))
        theirs += wrong is not None
        ours += case.audited(rows) is not None
        if None in (wrong or case.verified(file_of(rows), [kept]), case.audited(rows, [kept])):
            sys.exit(f"record {place + 1} was removed, and nobody saw it")
    print(f"  each of {len(case.records)} records removed and the others chained anew: the program "
          f"finds {ours} at once, the verifier {theirs}, and both all against the head")


def cut(case):
    """A journal that ends earlier, whole in itself: only a head that was kept shows it."""
    for left in (1, 20, len(case.records) - 1):
        rows = rows_of(case.records[:left], case.links, 4)
        if case.verified(file_of(rows)) or case.audited(rows):
            sys.exit(f"the first {left} records are a journal, and somebody says otherwise")
        kept = f"{case.head[0]}:{case.head[1].hex()}"
        case.found(f"all after record {left} cut off, against the head", rows, [kept],
                   reason=f"it ends at record {left}", apart=1)
    early = [f"{seq}:{case.links[seq - 1].hex()}" for seq in (1, 20, len(case.records))]
    if case.audited(case.rows(), early[1:2]) or case.verified(file_of(case.rows()), early):
        sys.exit("heads that the journal went through, and somebody says otherwise")
    case.found("another link kept at record 20", case.rows(), [f"20:{case.links[20].hex()}"],
               reason="record 20")


def main():
    case = Case(*sys.argv[1:])
    if case.verified(case.data) or case.verified(file_of(case.rows())):
        sys.exit("the journal is not sound to begin with")
    for part in (flipped, moved, forged, cut):
        print(f"{part.__doc__.splitlines()[0]}")
        part(case)


if __name__ == "__main__":
    main()
