"""The report as one page that loads nothing."""
from collections import Counter
from html import escape

from ..driver import Outcome
from .plots import COLOURS, LINES, latency, legend, rate, seconds_of

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem;border-bottom:1px solid #ccc}
svg{width:100%;height:auto;background:#fbfaf7;border:1px solid #ddd;margin-top:.4rem}
svg text{font-size:11px;fill:#555}.grid{stroke:#ddd}.fault{fill:#7b6bb0;opacity:.22}
.finding{stroke:#c00;stroke-width:2}table{border-collapse:collapse;margin:.6rem 0}
td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}td.n{text-align:right}
.good{color:#2f6f4f;font-weight:600}.bad{color:#b03a2e;font-weight:600}
span i{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}
code{background:#f3f1ea;padding:0 .2em}
"""
SHOWN = 20


def table(rows: list[list[str]], head: list[str]) -> str:
    """Draws a table; a cell of digits stands to the right."""
    lines = ["<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    for row in rows:
        cells = "".join(f'<td class="{"n" if cell.replace(",", "").isdigit() else ""}">'
                        f"{escape(cell)}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return "".join(lines) + "</table>"


def findings(outcome: Outcome) -> str:
    """Draws what was found, by kind, the first of each kind in full."""
    found = outcome.verdict.findings
    if not found:
        return '<p class="good">Nothing was found.</p>'
    parts = [f'<p class="bad">{len(found)} findings.</p>']
    for code, count in Counter(one.code for one in found).most_common():
        shown = [one for one in found if one.code == code][:SHOWN]
        items = "".join(f"<li>{escape(one.text)}</li>" for one in shown)
        parts.append(f"<p><code>{escape(code)}</code>, {count} times</p><ul>{items}</ul>")
    return "".join(parts)


def section(outcome: Outcome) -> str:
    """Draws one run."""
    plan = outcome.plan
    counts = {**outcome.verdict.counts, **outcome.counts()}
    sizes = table([[name, f"{value:,}"] for name, value in counts.items()], ["what", "how many"])
    struck = table([[f"{seconds_of(outcome, fault.began):.1f} s",
                     f"{seconds_of(outcome, fault.ended):.1f} s", fault.kind, fault.detail]
                    for fault in outcome.faults], ["from", "to", "fault", "what it was"])
    notes = "".join(f"<p>{escape(note)}</p>" for note in outcome.notes)
    return (f"<h2>{escape(outcome.title)}</h2>{findings(outcome)}"
            f"<p>{plan.processes} processes of {plan.threads} threads for {plan.seconds:g} s, "
            f"seed {plan.seed}, against <code>{escape(outcome.target)}</code>.</p>{notes}"
            f"<p>Attempts a second {legend(COLOURS)}</p>{rate(outcome)}"
            f"<p>Latency {legend(LINES)}</p>{latency(outcome)}"
            f"<h3>Sizes</h3>{sizes}<h3>Faults</h3>"
            + (struck if outcome.faults else "<p>None were made.</p>"))


def page(outcomes: list[Outcome]) -> str:
    """Returns the page of all runs."""
    body = "".join(section(outcome) for outcome in outcomes)
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Black-box check'
            f"</title><style>{STYLE}</style></head><body><h1>Black-box check</h1>{body}"
            "</body></html>\n")
