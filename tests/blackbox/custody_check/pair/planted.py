"""`python -m custody_check.pair.planted`: each lie of a pair must be found, honesty must not."""
import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

from ..client.accounts import Target
from ..driver import Outcome, Plan, execute
from .liar import PAIR_LIES, PairLiar
from .run import Bench

# How long webhooks are waited for: of an honest pair all come.
PATIENCE = {False: 60.0, True: 6.0}


class LyingBench(Bench):
    """A pair of which a liar stands on every side."""

    def listeners(self) -> tuple[list[int], list[int]]:
        """Returns the liar's ports, which pass on to the receivers."""
        self.liar = PairLiar(self.receiver.ports, self.provider.ports)
        return self.liar.hook_ports, self.liar.order_ports

    def door(self, place: int) -> str:
        """Returns where the liar stands before a member."""
        return f"http://127.0.0.1:{self.liar.doors[place].server_port}"

    def start(self) -> Target:
        """Starts the pair, and lets the liar hear of take-overs."""
        target = super().start()
        replica = int(self.pair.start_replica().rsplit(":", 1)[1])
        self.liar.connect(self.routers[0].port, [one.port for one in self.pair.members], replica)
        target.url = self.liar.url
        threading.Thread(target=self.listen, daemon=True).start()
        return target

    def listen(self) -> None:
        """Tells the liar of each take-over."""
        terms, seen = self.pair.health.terms, len(self.pair.health.terms)
        while not self.pair.closed:
            time.sleep(0.05)
            if len(terms) > seen:
                if terms[-1].member != terms[-2].member:
                    self.liar.take_over(terms[-2].member)
                seen = len(terms)


def attempt(kind: str, bench: LyingBench, target: Target, folder: Path, seconds: float,
            seed: int) -> Outcome:
    """Runs once while one lie is told and the active is killed again and again."""
    bench.liar.tell(kind)
    bench.strike(seed, 1.5, ["kill", "hand-over"])
    plan = Plan(seconds, 1, 4, seed, 0.01, PATIENCE[kind != "none"])
    bench.provider.refuse = 0.02
    return execute(kind, target, bench.receiver, folder, plan, bench.nemesis, aside=bench)


def tell_lie(kind: str, bench: LyingBench, target: Target, folder: Path,
             seconds: float) -> str:
    """Tells one lie until it was told; returns what is wrong, or nothing."""
    began = time.monotonic()
    for again in range(4):
        outcome = attempt(kind, bench, target, folder / f"{kind}-{again}", seconds + 4 * again,
                          again + 1)
        if bench.liar.told or kind == "none":
            break
    codes = {finding.code for finding in outcome.verdict.findings}
    example = next((finding.text for finding in outcome.verdict.findings
                    if finding.code in PAIR_LIES.get(kind, codes)), "")
    print(f"{kind:16} told {bench.liar.told:4} times, {time.monotonic() - began:5.1f} s: "
          f"{', '.join(sorted(codes)) or 'nothing found'}\n{'':16} {example[:160]}", flush=True)
    if kind == "none":
        return "" if not codes else f"an honest pair was found to {sorted(codes)}"
    if not bench.liar.told:
        return f"{kind} was never told"
    return "" if codes & PAIR_LIES[kind] else f"{kind} was not found"


def main() -> int:
    """Tells each lie in turn; 1 where one is not found, or honesty is."""
    parser = argparse.ArgumentParser(prog="custody_check.pair.planted", description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each lie")
    parser.add_argument("--only", action="append", help="tell only this lie")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="custody-planted-pair-"))
    bench = LyingBench(options, folder, clock=False)
    kinds = options.only or ["none", *PAIR_LIES]
    try:
        target = bench.start()
        wrong = [said for kind in kinds
                 if (said := tell_lie(kind, bench, target, folder, options.seconds))]
    finally:
        bench.close()
        bench.liar.close()
    print("\n".join(wrong) or f"{len(kinds)} runs: every planted fault of a pair was found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
