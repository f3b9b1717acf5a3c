"""`python -m custody_check.planted`: each planted fault must be found, and honesty must not be."""
import argparse
import sys
import tempfile
import time
from pathlib import Path

from .client.accounts import Target
from .client.receiver import Receiver, Supplier
from .driver import Plan, execute
from .faults.deploy import Deployment, find_program, free_port
from .faults.liar import LIES, Liar


# How long webhooks are waited for: of an honest service all come, and some lies keep them back.
PATIENCE = {False: 60.0, True: 6.0}


def one(kind: str, liar: Liar, deployment: Deployment, receiver: Receiver, folder: Path,
        seconds: float) -> str:
    """Runs once while one lie is told; returns what is wrong, or nothing."""
    began = time.monotonic()
    direct = Target(deployment.url, deployment.world, deployment.token, deployment.records,
                    deployment.secret)
    target = Target(liar.url, deployment.world, deployment.token, deployment.records,
                    deployment.secret)
    for again in range(4):
        liar.tell(kind)
        plan = Plan(seconds * 2**again, 1, 4, 1, patience=PATIENCE[kind != "none"])
        outcome = execute(kind, target, receiver, folder / f"{kind}-{again}", plan, direct=direct)
        if liar.told or kind == "none":
            break
    codes = {finding.code for finding in outcome.verdict.findings}
    took = time.monotonic() - began
    example = next((finding.text for finding in outcome.verdict.findings
                    if finding.code in LIES.get(kind, set())), "")
    print(f"{kind:22} told {liar.told:4} times, {took:5.1f} s: "
          f"{', '.join(sorted(codes)) or 'nothing found'}\n{'':22} {example[:160]}", flush=True)
    if kind == "none":
        return "" if not codes else f"an honest service was found to {sorted(codes)}"
    if not liar.told:
        return f"{kind} was never told"
    return "" if codes & LIES[kind] else f"{kind} was not found"


def main() -> int:
    """Tells each lie in turn; 1 where one is not found, or honesty is."""
    parser = argparse.ArgumentParser(prog="custody_check.planted", description=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each lie")
    parser.add_argument("--only", action="append", help="tell only this lie")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="custody-planted-"))
    hooks = free_port()
    supplier, receiver = Supplier(0), Receiver(0, {}, refuse=0.0)
    deployment = Deployment(find_program(options.program), folder / "service", "sqlite", hooks,
                            supplier.port)
    try:
        deployment.start()
        liar = Liar(deployment.port, receiver.port, hooks)
        kinds = options.only or ["none", *LIES]
        wrong = [said for kind in kinds if (said := one(kind, liar, deployment, receiver, folder,
                                                        options.seconds))]
        liar.close()
    finally:
        deployment.close()
        receiver.close()
        supplier.close()
    print("\n".join(wrong) or f"{len(kinds)} runs: every planted fault was found")
    print("(each is planted in a proxy between the checker and an honest service)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
