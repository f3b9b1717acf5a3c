"""Compares the mirrors with the ledger's own functions, on random numbers and those near a bound.

    draws.py PROGRAM [--count N] [--seed N]

PROGRAM is the example `amounts` of ledger-core. The exit status is 1 where any answer differs.
"""

import argparse
import multiprocessing
import random
import subprocess
import sys
import time
from collections import Counter

import calls
from expression import Overflow

BATCH = 20_000


def text(answer):
    """An answer as the program writes it."""
    if answer is None:
        return "-"
    return " ".join(str(int(number)) for number in answer)


def batch(job):
    """Draws a batch, asks the program once, and returns counts and the first difference."""
    program, seed, count = job
    chance = random.Random(seed)
    lines, answers, counts = [], [], Counter()
    names, weights = zip(*((name, weight) for name, (weight, _) in calls.CALLS.items()))
    for name in chance.choices(names, weights, k=count):
        try:
            numbers, answer = calls.CALLS[name][1](chance)
        except Overflow:
            return counts, f"the mirror of {name} left a width, in the batch of seed {seed}"
        lines.append(" ".join((name, *map(str, numbers))))
        answers.append(text(answer))
        counts[name] += 1
        counts[name, "none"] += answer is None
    done = subprocess.run([program], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    own = [line.strip() for line in done.stdout.splitlines()]
    for line, answer, theirs in zip(lines, answers, own):
        if answer != theirs:
            return counts, f"{line}: the ledger answers {theirs}, the mirror {answer}"
    if len(own) < len(lines):
        return counts, f"{lines[len(own)]}: {done.stderr.strip()}"
    return counts, None


def main():
    """Draws and compares; prints how often each function was drawn, and answered nothing."""
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("program")
    options.add_argument("--count", type=int, default=200_000)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    begun, counts = time.monotonic(), Counter()
    seeds = range(options.seed, options.seed + -(-options.count // BATCH))
    jobs = [(options.program, seed, BATCH) for seed in seeds]
    with multiprocessing.Pool(2) as pool:
        for counted, different in pool.imap_unordered(batch, jobs):
            counts += counted
            if different:
                print(different)
                return 1
    for name in calls.CALLS:
        print(f"  {name}: {counts[name]:,}, of which {counts[name, 'none']:,} without an answer")
    drawn = sum(counts[name] for name in calls.CALLS)
    print(f"{drawn:,} draws agree, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
