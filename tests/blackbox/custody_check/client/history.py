"""The history of a run: one JSON line for each attempt, written as it ends."""
import json
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Iterator


# Refusals by 429 that are about the books, and not about how often somebody asks.
FOR_GOOD = ("saque_comissao_diario",)


@dataclass
class Intent:
    """One thing that somebody wants done or read; it may be attempted several times."""

    kind: str
    key: str
    account: str
    method: str
    path: str
    body: Any = None
    world: bool = False
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def begins(self) -> bool:
        """Tells whether it is a request for something new."""
        return not self.world and self.method == "POST"


@dataclass
class Entry:
    """One attempt of an intent, with the answer and its times in nanoseconds."""

    intent: Intent
    request: str
    began: int
    ended: int
    status: int
    answer: Any
    record: int | None
    error: str = ""

    @property
    def done(self) -> bool:
        """Tells whether the service said that it did this."""
        return 200 <= self.status < 300

    @property
    def refused(self) -> bool:
        """Tells whether the service said that it did not do this, for good."""
        if self.status == 429:
            return (self.answer or {}).get("erro") in FOR_GOOD
        return 400 <= self.status < 500

    @property
    def is_told_to_wait(self) -> bool:
        """Tells whether the service asked for patience, as an account that moves does."""
        return self.status == 503 and (self.answer or {}).get("acao") == "esperar"


class Recorder:
    """Appends entries to one file, from many threads."""

    def __init__(self, path: Path):
        self.file = path.open("a", encoding="utf-8")
        self.lock = threading.Lock()

    def write(self, entry: Entry) -> None:
        """Writes one entry."""
        line = json.dumps(asdict(entry), ensure_ascii=False)
        with self.lock:
            self.file.write(line + "\n")

    def close(self) -> None:
        """Closes the file."""
        self.file.close()


def read_history(folder: Path) -> Iterator[Entry]:
    """Reads the entries of all workers, in no order."""
    for path in sorted(folder.glob("history-*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                row["intent"] = Intent(**row["intent"])
                yield Entry(**row)
