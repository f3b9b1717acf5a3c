"""Reads the records of a ledger by pages of commits, as docs/FORMAT.md describes them."""
from dataclasses import dataclass
from typing import Any

from ..client.transport import Connection

MAGIC = b"custody-ledger commits 1\n"


@dataclass
class Record:
    """A record: its number, its instant in microseconds, its events, and what caused it."""

    number: int
    at: int
    events: list[Any]
    request: str | None
    deadline: bool
    base: int = 0


class Cbor:
    """Decodes the part of RFC 8949 that records use: no maps, no floats."""

    def __init__(self, data: bytes):
        self.data, self.place = data, 0

    def value(self) -> Any:
        """Returns the next value."""
        head = self.data[self.place]
        self.place += 1
        major, low = head >> 5, head & 31
        if head == 0xF6:
            return None
        if head in (0xF4, 0xF5):
            return head == 0xF5
        if low >= 24:
            width = {24: 1, 25: 2, 26: 4, 27: 8}[low]
            low = int.from_bytes(self.take(width), "big")
        if major == 0:
            return low
        if major == 2:
            return self.take(low)
        if major == 3:
            return self.take(low).decode()
        if major == 4:
            return [self.value() for _ in range(low)]
        if major == 6:
            return int.from_bytes(self.value(), "big")
        raise ValueError(f"CBOR of major type {major} at byte {self.place}")

    def take(self, count: int) -> bytes:
        """Returns so many bytes."""
        part = self.data[self.place:self.place + count]
        if len(part) != count:
            raise ValueError("CBOR ends too early")
        self.place += count
        return part


def leb128(data: bytes, place: int) -> tuple[int, int]:
    """Returns a number in LEB128 and the place after it."""
    value, shift = 0, 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place


def decode(number: int, data: bytes) -> Record:
    """Decodes one record; fields that are missing at the end are none."""
    if data[0] != 1:
        raise ValueError(f"record {number} has version {data[0]}")
    fields = Cbor(data[1:]).value()
    cause: list[Any] = fields[2] if len(fields) > 2 and fields[2] else [[0, []], False]
    origin = cause[0]
    request = origin[1][0] if origin[0] == 1 else None
    return Record(number, fields[0], fields[1], request, bool(len(cause) > 1 and cause[1]))


def page_records(page: bytes) -> tuple[int, list[Record]]:
    """Returns the number of the head, and the records of a page."""
    if not page.startswith(MAGIC):
        raise ValueError("this is no page of commits")
    place = len(MAGIC) + 32
    head = int.from_bytes(page[place:place + 8], "little")
    place += 40
    records = []
    while place < len(page):
        first = int.from_bytes(page[place:place + 8], "little")
        count = int.from_bytes(page[place + 8:place + 12], "little")
        length = int.from_bytes(page[place + 44:place + 48], "little")
        place += 48
        payload, place = page[place:place + length], place + length
        spot = 0
        for offset in range(count):
            size, spot = leb128(payload, spot)
            records.append(decode(first + offset, payload[spot + 8:spot + 8 + size]))
            spot += 8 + size
    return head, records


def fetch_records(url: str, secret: str, after: int = 0, ledger: str = "live") -> list[Record]:
    """Fetches every record after a number, and checks that none is missing between."""
    link, found = Connection(url), []
    headers = {"Authorization": f"Bearer {secret}"}
    while True:
        page = link.raw(f"/ledgers/{ledger}/commits?after={after}&rows=64", headers)
        head, records = page_records(page)
        found += records
        if not records or records[-1].number >= head:
            break
        after = records[-1].number
    for place, record in enumerate(found):
        if record.number != found[0].number + place:
            raise ValueError(f"record {found[0].number + place} is missing")
    return found


def head_of(url: str, secret: str, ledger: str = "live") -> int:
    """Returns the number of the last record."""
    page = Connection(url).raw(f"/ledgers/{ledger}/commits?after=0&rows=1",
                               {"Authorization": f"Bearer {secret}"})
    return page_records(page)[0]
