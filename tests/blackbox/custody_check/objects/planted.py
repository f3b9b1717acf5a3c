"""`python -m custody_check.objects.planted`: each lie must be found, honesty must not."""
import argparse
import shutil
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from ..driver import Plan, execute
from ..faults.deploy import find_program
from ..faults.liar import Exchange, Liar
from .nemesis import ObjectNemesis
from .run import ObjectBench
from .store import Objects

# For each lie the faults that it is told under, and the findings of which one must follow.
LIES: dict[str, tuple[list[str], set[str]]] = {
    "none": (["vanish", "vanish-dead", "vanish-one"], set()),
    "unwritten": (["vanish"], {"acknowledged-and-lost"}),
    "older-copy": (["older-copy"], {"acknowledged-and-lost"}),
    "lost-tail": (["lost-tail"], {"opened-without"}),
    "silent-end": (["vanish-one"], {"unnamed-loss"}),
}
# The last entries that are lost with all that proves them.
TAIL = 5


class ObjectLiar(Liar):
    """Stands between clients and a service on objects."""

    def __init__(self, target: int, objects: Objects):
        super().__init__(target, 0)
        self.objects = objects

    def before_unwritten(self, exchange: Exchange) -> bool:
        """Answers a write while objects are away, and does not pass it on."""
        return exchange.is_write() and self.objects.is_away() and self.forge(exchange)


class LyingNemesis(ObjectNemesis):
    """Changes a store as its owner or its disk may, and no journal can notice."""

    told = 0

    def allowed(self) -> list[str]:
        """Returns the kinds of faults that this machine allows."""
        return [*super().allowed(), "older-copy", "lost-tail"]

    def try_start(self, names: list[str]) -> str:
        """Counts the starts without objects."""
        self.told += 1
        return super().try_start(names)

    def do_older_copy(self, length: float) -> str:
        """Restores every object from a copy of a while before."""
        self.deployment.kill()
        folder, copy = self.objects.folder, self.objects.away
        shutil.copytree(folder, copy)
        self.deployment.start()
        time.sleep(1.0)
        self.deployment.kill()
        shutil.rmtree(folder)
        copy.rename(folder)
        self.told += 1
        self.deployment.start()
        return "all objects restored from a second before"

    def do_lost_tail(self, length: float) -> str:
        """Loses the last commits with the marks and values that would prove them."""
        self.deployment.kill()
        commits = self.objects.list_kind("commit")[-TAIL:]
        first = commits[0].name.split("-")[0]
        values = [path for path in self.objects.list_kind("vault")
                  if path.name.split("-")[-1] >= first]
        names = self.objects.take([*commits, *self.objects.list_kind("mark"), *values])
        shutil.rmtree(self.objects.away)
        return f"{len(names)} objects lost: {self.try_start(names)}"


class LyingBench(ObjectBench):
    """A service on objects with a liar before it."""

    def strike(self, seed: int, gap: float, kinds: list[str] | None) -> None:
        """Makes a nemesis that lies."""
        self.nemesis = LyingNemesis(self.deployment, self.objects, *self.proxies, self.receiver,
                                    seed, gap, kinds)


def write_silent(program: str, folder: Path) -> str:
    """Writes a program that is the ledger's, and says nothing."""
    path = folder / "silent"
    path.write_text(f'#!/bin/sh\nexec "{program}" "$@" >/dev/null 2>&1\n')
    path.chmod(0o755)
    return str(path)


def attempt(kind: str, folder: Path, options: Namespace, seed: int) -> tuple[int, dict[str, str]]:
    """Runs once while one lie is told; returns how often it was, and an example of each finding."""
    folder.mkdir(parents=True)
    program = find_program(options.program)
    if kind == "silent-end":
        program = write_silent(program, folder)
    bench = LyingBench(Namespace(program=program), folder, struck=False)
    try:
        target = bench.start()
        bench.strike(seed, 0.5, LIES[kind][0])
        liar = ObjectLiar(bench.proxies[0].port, bench.objects)
        liar.tell(kind)
        target.url = liar.url
        outcome = execute(kind, target, None, folder, Plan(options.seconds, 1, 4, seed, 0.01),
                          bench.nemesis, bench.direct(), bench)
        liar.close()
        told = liar.told + bench.nemesis.told
    finally:
        bench.close()
    return told, {one.code: one.text for one in outcome.verdict.findings}


def tell_lie(kind: str, folder: Path, options: Namespace) -> str:
    """Tells one lie until it was told; returns what is wrong, or nothing."""
    began = time.monotonic()
    for again in range(4):
        told, found = attempt(kind, folder / f"{kind}-{again}", options, again + 1)
        if told:
            break
    example = next((text for code, text in found.items() if code in LIES[kind][1]), "")
    print(f"{kind:12} told {told:4} times, {time.monotonic() - began:5.1f} s: "
          f"{', '.join(sorted(found)) or 'nothing found'}\n{'':12} {example[:160]}", flush=True)
    if kind == "none":
        return "" if not found else f"an honest service was found to {sorted(found)}"
    if not told:
        return f"{kind} was never told"
    return "" if found.keys() & LIES[kind][1] else f"{kind} was not found"


def main() -> int:
    """Tells each lie in turn; 1 where one is not found, or honesty is."""
    parser = argparse.ArgumentParser(prog="custody_check.objects.planted", description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each lie")
    parser.add_argument("--only", action="append", help="tell only this lie")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="custody-planted-objects-"))
    kinds = options.only or list(LIES)
    wrong = [said for kind in kinds if (said := tell_lie(kind, folder, options))]
    print("\n".join(wrong) or f"{len(kinds)} runs: every planted fault of objects was found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
