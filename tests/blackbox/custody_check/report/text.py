"""The report as text."""
from collections import Counter

from ..driver import Outcome

SHOWN = 5


def text(outcome: Outcome) -> str:
    """Returns the report of a run, a few lines long where nothing was found."""
    lines = [f"{outcome.title}: {outcome.target}"]
    counts = {**outcome.verdict.counts, **outcome.counts()}
    lines.append("  " + ", ".join(f"{value:,} {name}" for name, value in counts.items()))
    kinds = Counter(fault.kind for fault in outcome.faults)
    if kinds:
        lines.append("  faults: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    lines += ["  " + note for note in outcome.notes]
    found = outcome.verdict.findings
    for code, count in Counter(one.code for one in found).most_common():
        lines.append(f"  FINDING {code}, {count} times")
        lines += [f"    {one.text}" for one in found if one.code == code][:SHOWN]
    lines.append(f"  {len(found)} findings" if found else "  nothing found")
    return "\n".join(lines)
