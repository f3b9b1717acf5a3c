"""The objects of a ledger in a folder (docs/engines.md): they are moved away, and back."""
from pathlib import Path

from ..check.records import Cbor

KINDS = ("commit", "merged", "vault", "mark", "identity")


class Objects:
    """The files of one ledger, and a folder on the same disk that takes them for a while."""

    def __init__(self, folder: Path):
        self.folder, self.away = folder / "live", folder.parent / "away"
        self.clashes: list[str] = []

    def list_kind(self, kind: str) -> list[Path]:
        """Returns the objects of a kind, by name; `#` is in the name of one half written."""
        place = self.folder / kind
        if place.is_file():
            return [place]
        return sorted(path for path in place.rglob("*") if path.is_file() and "#" not in path.name)

    def last_marked(self) -> int:
        """Returns the last entry that a mark proves; a later one may vanish unnoticed."""
        marks = [Cbor(path.read_bytes()).value()[0] for path in self.list_kind("mark")]
        return max(marks, default=0)

    def list_needed(self, kind: str) -> list[Path]:
        """Returns the objects of a kind without any of which the journal is not whole.

        The last commit is proven by a mark; what is older than a merged object may stand in that.
        """
        several = self.list_kind(kind)
        if kind == "merged":
            firsts = {commit.name.split("-")[0] for commit in self.list_kind("commit")}
            return [path for path in several if path.name not in firsts]
        if kind != "commit":
            return several
        last = self.last_marked()
        merged = max((path.stat().st_mtime_ns for path in self.list_kind("merged")), default=0)
        return [path for path in several if int(path.name.split("-")[0]) <= last
                and path.stat().st_mtime_ns > merged]

    def is_away(self) -> bool:
        """Tells whether any object is away."""
        return any(path.is_file() for path in self.away.rglob("*"))

    def take(self, chosen: list[Path]) -> list[str]:
        """Moves objects away; returns their names."""
        names = []
        for path in chosen:
            name = path.relative_to(self.folder)
            (self.away / name).parent.mkdir(parents=True, exist_ok=True)
            try:
                path.rename(self.away / name)
            except FileNotFoundError:
                continue
            names.append(str(name))
        return names

    def give_back(self) -> None:
        """Moves all back; a mark that was written meanwhile is the newer one, and stays."""
        for path in sorted(self.away.rglob("*")):
            if not path.is_file():
                continue
            name = path.relative_to(self.away)
            place = self.folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                path.rename(place)
                continue
            if name.parts[0] != "mark" and place.read_bytes() != path.read_bytes():
                self.clashes.append(str(name))
            path.unlink()
