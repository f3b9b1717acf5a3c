"""Has TLC search the models, plants mistakes in them, and holds the real ledger's steps against them.

    check.py --jar FILE --work FOLDER --payouts FILE --leases FILE [--long]

A model passes where no reachable state violates an invariant. A planted mistake is found where TLC
names the invariant that it breaks. A trace of the real ledger is accepted where the model has a way
through it, and each trace that was spoiled on purpose is refused. The exit status is 1 otherwise.
"""

import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent

# By model: the constants of the short search, those of the long one, and each planted mistake with
# the invariants of which it breaks one.
MODELS = {
    "Payout": {
        "short": {"Drivers": "{d1, d2}", "Crashes": "2"},
        "long": {"Drivers": "{d1, d2, d3}", "Crashes": "6"},
        "live": {"Drivers": "{d1}", "Crashes": "1"},
        "planted": {
            "hands out without a note": {"NeverBoth", "StoppedStays"},
            "stops what was handed out": {"NeverBoth", "StoppedStays"},
            "takes a time-out for a refusal": {"NeverBoth"},
            "takes what is not found for refused": {"NeverBoth"},
            "sends by a new key": {"SentOnce"},
        },
    },
    "Lease": {
        "short": {"Processes": "{a, b}", "Duration": "2", "LastEpoch": "2", "LastRecord": "1",
                  "Requests": "2"},
        "long": {"Processes": "{a, b}", "Duration": "3", "LastEpoch": "3", "LastRecord": "2",
                 "Requests": "2"},
        "planted": {
            "believes from the answer on": {"OneAnswers", "NoStaleRead", "BeliefHolds"},
            "claims what is leased": {"OneAnswers", "NoStaleRead", "BeliefHolds"},
            "seizes and answers at once": {"OneAnswers", "NoStaleRead", "BeliefHolds"},
            "fences nobody": {"NoStaleRead"},
        },
    },
}

SPOILED_PAYOUTS = [
    "requested failed completed",
    "requested handed completed failed",
    "requested stopped handed",
    "requested handed handed",
    "requested completed part returned part",
    "requested submitted stopped",
    "requested uncertain submitted",
    "completed",
]

SPOILED_LEASES = [
    "claim:a seize:b append:a",
    "claim:a fenced:a",
    "claim:a seize:b renew:b renew:a",
    "leased:a",
    "claim:a append:a seize:b fenced:b",
]


class Tlc:
    """Runs TLC in a folder of its own."""

    def __init__(self, jar, work):
        self.jar, self.work = jar, work
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        for file in HERE.glob("*.tla"):
            shutil.copy(file, work)

    def search(self, module, config):
        """Searches a module by the text of a configuration; returns what TLC prints."""
        (self.work / f"{module}.cfg").write_text(config)
        command = ["java", "-XX:+UseSerialGC", "-Xmx2g", "-cp", self.jar, "tlc2.TLC", "-deadlock",
                   "-nowarning", "-workers", "1", "-metadir", "states", module]
        ran = subprocess.run(command, cwd=self.work, capture_output=True, text=True, check=False)
        shutil.rmtree(self.work / "states", ignore_errors=True)
        return ran.stdout + ran.stderr


def configuration(module, constants, planted="none", live=False):
    """Writes a configuration: the committed one, with other constants."""
    text = (HERE / f"{module}.cfg").read_text()
    for name, value in {**constants, "Planted": f'"{planted}"'}.items():
        text, count = re.subn(rf"(?m)^( +{name} = ).*$", rf"\g<1>{value}", text)
        if count != 1:
            sys.exit(f"{module}.cfg does not name {name} once")
    return text if live else re.sub(r"(?m)^PROPERT.*\n", "", text)


def states(printed):
    """How many distinct states were found by a search that ended; nothing where it failed."""
    if "Model checking completed. No error has been found." not in printed:
        return None
    count = re.search(r"([\d,]+) distinct states found, 0 states left", printed)[1]
    return int(count.replace(",", ""))


def tuples(lines, element):
    """Writes traces as a TLA+ module."""
    rows = ", ".join("<<" + ", ".join(map(element, line.split())) + ">>" for line in lines)
    return f"---- MODULE Traces ----\nTraces == <<{rows}>>\n====\n"


def accepted(tlc, module, lines, element):
    """Which traces the model accepts, by their numbers."""
    (tlc.work / "Traces.tla").write_text(tuples(lines, element))
    printed = tlc.search(module, (HERE / f"{module}.cfg").read_text())
    if states(printed) is None:
        return None, printed
    return {int(number) for number in re.findall(r'<<"accepted", (\d+)>>', printed)}, printed


def check_models(tlc, size):
    for model, settings in MODELS.items():
        searches = [(size, False)] + ([("live", True)] if "live" in settings else [])
        for name, live in searches:
            began = time.monotonic()
            found = tlc.search(model, configuration(model, settings[name], live=live))
            count = states(found)
            took = time.monotonic() - began
            yield count is not None, f"{model}, {name}: {count} states, {took:.0f} s", found
        for mistake, breaks in settings["planted"].items():
            found = tlc.search(model, configuration(model, settings["short"], mistake))
            broken = re.search(r"Invariant (\w+) is violated", found)
            named = broken[1] if broken else "nothing"
            yield named in breaks, f"{model}, planted: {mistake}: {named} is violated", found


def check_traces(tlc, module, lines, spoiled, element):
    if not lines:
        yield False, f"{module}: there are no traces", ""
        return
    numbers, printed = accepted(tlc, module, lines + spoiled, element)
    numbers = numbers or set()
    for at, line in enumerate(lines, 1):
        if at not in numbers:
            yield False, f"{module}: refused: {line}", printed
    for at, line in enumerate(spoiled, len(lines) + 1):
        became = "accepted" if at in numbers else "refused"
        yield became == "refused", f"{module}: spoiled: {line}: {became}", printed
    steps = sum(len(line.split()) for line in lines)
    followed = numbers >= set(range(1, len(lines) + 1))
    yield followed, f"{module}: {len(lines)} traces of {steps} steps", printed


def main():
    parser = argparse.ArgumentParser()
    for option in ("--jar", "--work", "--payouts", "--leases"):
        parser.add_argument(option, type=Path, required=True)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    tlc = Tlc(options.jar.resolve(), options.work)
    payouts, leases = (file.read_text().splitlines() for file in (options.payouts, options.leases))

    def lease_step(step):
        what, who = step.split(":")
        return f'[what |-> "{what}", who |-> "{who}"]'

    checks = [
        check_models(tlc, "long" if options.long else "short"),
        check_traces(tlc, "PayoutTrace", payouts, SPOILED_PAYOUTS, '"{}"'.format),
        check_traces(tlc, "LeaseTrace", leases, SPOILED_LEASES, lease_step),
    ]
    failed = 0
    for passed, line, printed in (result for check in checks for result in check):
        print(("ok      " if passed else "FAILED  ") + line, flush=True)
        if not passed:
            failed += 1
            print(printed)
    print(f"tla: {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
