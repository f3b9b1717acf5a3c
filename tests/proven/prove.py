"""Proves every theorem by both provers, and has both refute the wrong variant planted for it.

    prove.py [--only NAME] [--rows]

A claim is proven where both provers find its negation unsatisfiable. A planted variant is refuted
where both give a counterexample, and the mirror, run on the numbers of it, violates the claim. The
exit status is 1 where either fails, a time limit included, or the table in README.md differs.
"""

import argparse
import multiprocessing
import re
import sys
import time
from pathlib import Path

import theorems  # noqa: F401, adds them
from solvers import PROVERS, timed
from theorem import THEOREMS, Excluded, Proof, Run

README = Path(__file__).with_name("README.md")


def proven(theorem, prover):
    """Proves each claim by one prover; returns the seconds, and what failed."""
    spent = 0
    for question in Proof.of(theorem).questions:
        result, model, seconds = timed(prover, question.text, question.inputs)
        spent += seconds
        if result != "unsat":
            return spent, f"{result}: {question.label} {model or ''}"
    return spent, None


def refuted(theorem, prover):
    """Refutes the planted variant by one prover; returns the seconds, the inputs, what failed."""
    spent = 0
    with theorem.planted():
        for question in Proof.of(theorem, theorem.near).questions:
            result, model, seconds = timed(prover, question.text, question.inputs)
            spent += seconds
            if result == "unsat":
                continue
            if result != "sat":
                return spent, None, f"{result} of the planted variant: {question.label}"
            if Run.of(theorem, model) is None:
                return spent, None, f"the mirror does not violate {question.label} at {model}"
            break
        else:
            return spent, None, "the planted variant is proven"
    try:
        violated = Run.of(theorem, model)
    except Excluded:
        violated = None
    return spent, model, violated and f"the mirror itself violates {violated} at {model}"


def task(job):
    """Proves and refutes one theorem by one prover, in a process of its own."""
    name, prover = job
    spent, failed = proven(THEOREMS[name], prover)
    against, model, survived = refuted(THEOREMS[name], prover)
    return name, prover, f"{prover} {spent:.1f} + {against:.1f} s", model, failed or survived


def rows():
    """The table of theorems, as README.md has it."""
    return [f"| `{it.name}` | {it.states} | {it.ranges} | {it.source} |"
            for it in THEOREMS.values()]


def differences():
    """The rows that README.md lacks, or has beside the theorems."""
    written = re.findall(r"^\| `.*$", README.read_text(), re.MULTILINE)
    return [] if written == rows() else sorted(set(written) ^ set(rows())) or ["their order"]


def report(name, results):
    """Prints a theorem's line; returns whether it is proven."""
    failed = [f"{times.split()[0]}: {failed}" for times, _, failed in results if failed]
    if failed:
        print(f"FAILED {name}: {'; '.join(failed)}", flush=True)
        return False
    inputs = ", ".join(f"{key} {value}" for key, value in results[0][1].items())
    times = ", ".join(times for times, _, _ in results)
    print(f"{name}: {times}; planted variant refuted at {inputs}", flush=True)
    return True


def main():
    """Proves all; prints a line a theorem, with the seconds of proof and refutation."""
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--only", default="", help="theorems whose name contains this")
    options.add_argument("--rows", action="store_true", help="prints the table of README.md")
    options = options.parse_args()
    if options.rows:
        print(*rows(), sep="\n")
        return 0
    begun, results, failures = time.monotonic(), [], 0
    jobs = [(name, prover) for name in THEOREMS for prover in PROVERS if options.only in name]
    with multiprocessing.Pool(2) as pool:
        for name, _, *result in pool.imap(task, jobs):
            results.append(result)
            if len(results) == len(PROVERS):
                failures += not report(name, results)
                results = []
    different = [] if options.only else differences()
    for row in different:
        print(f"README.md and the theorems differ: {row}")
    count = len(jobs) // len(PROVERS)
    print(f"{count - failures} of {count} theorems proven by both, "
          f"{time.monotonic() - begun:.0f} s")
    return 1 if failures or different or not count else 0


if __name__ == "__main__":
    sys.exit(main())
