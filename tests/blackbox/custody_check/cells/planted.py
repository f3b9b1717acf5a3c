"""`python -m custody_check.cells.planted`: each lie must be found, honesty must not be."""
import argparse
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from ..client.accounts import Target
from ..driver import Plan, execute
from .liar import CELL_LIES, CellLiar
from .mover import Move
from .run import CellBench

# How long webhooks are waited for: of an honest service all come.
PATIENCE = {False: 60.0, True: 6.0}


class LyingBench(CellBench):
    """Cells with a liar before them."""

    def start(self) -> Target:
        """Starts the cells, and the liar."""
        target = super().start()
        self.liar = CellLiar(self.deployment.port)
        target.url = self.liar.url
        return target

    def note_move(self, move: Move) -> None:
        """Lets the liar hear of a move."""
        self.liar.hear_move(move.account.key)

    def close(self) -> None:
        """Ends everything."""
        super().close()
        self.liar.close()


def tell_lie(kind: str, options: Namespace, bench: LyingBench, target: Target,
             folder: Path) -> str:
    """Tells one lie until it was told; returns what is wrong, or nothing."""
    began = time.monotonic()
    for again in range(4):
        bench.liar.tell(kind)
        plan = Plan(options.seconds * 2**again, 1, 4, again + 1, 0.01, PATIENCE[kind != "none"])
        outcome = execute(kind, target, bench.receiver, folder / f"{kind}-{again}", plan,
                          direct=bench.direct(), aside=bench, checker=bench.check)
        if bench.liar.told or kind == "none":
            break
    told, found = bench.liar.told, {one.code: one.text for one in outcome.verdict.findings}
    example = next((text for code, text in found.items() if code in CELL_LIES.get(kind, ())), "")
    print(f"{kind:20} told {told:4} times, {outcome.verdict.counts.get('moves', 0)} moves, "
          f"{time.monotonic() - began:5.1f} s: {', '.join(sorted(found)) or 'nothing found'}\n"
          f"{'':20} {example[:160]}", flush=True)
    if kind == "none":
        return "" if not found else f"honest cells were found to {sorted(found)}"
    if not told:
        return f"{kind} was never told"
    return "" if found.keys() & CELL_LIES[kind] else f"{kind} was not found"


def main() -> int:
    """Tells each lie in turn; 1 where one is not found, or honesty is."""
    parser = argparse.ArgumentParser(prog="custody_check.cells.planted", description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each lie")
    parser.add_argument("--only", action="append", help="tell only this lie")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="custody-planted-cells-"))
    bench = LyingBench(options, folder, struck=False)
    kinds = options.only or ["none", *CELL_LIES]
    try:
        target = bench.start()
        wrong = [said for kind in kinds
                 if (said := tell_lie(kind, options, bench, target, folder))]
    finally:
        bench.close()
    print("\n".join(wrong) or f"{len(kinds)} runs: every planted fault of cells was found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
