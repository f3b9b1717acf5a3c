"""Plots of a run as SVG: rate and latency over time, with the faults behind them."""
import math
from collections import defaultdict
from dataclasses import dataclass
from html import escape

from ..driver import Outcome

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 960, 220, 56, 28, 12
COLOURS = {"done": "#2f6f4f", "refused": "#b08a2e", "unknown": "#b03a2e"}
LINES = {"median": "#2f6f4f", "99 %": "#b08a2e", "longest": "#b03a2e"}


@dataclass
class Frame:
    """The axes of a plot: seconds across, and a linear or logarithmic scale upwards."""

    seconds: float
    low: float
    high: float
    logarithmic: bool = False

    def x(self, second: float) -> float:
        """Returns where a second stands."""
        return LEFT + (WIDTH - LEFT - 8) * min(1.0, max(0.0, second / self.seconds))

    def y(self, value: float) -> float:
        """Returns where a value stands."""
        room = HEIGHT - BOTTOM - TOP
        if self.logarithmic:
            low, high = math.log10(self.low), math.log10(self.high)
            part = (math.log10(max(value, self.low)) - low) / (high - low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return TOP + room * (1 - min(1.0, max(0.0, part)))


def seconds_of(outcome: Outcome, instant: int) -> float:
    """Returns how far into the run an instant lies."""
    return (instant - outcome.began) / 1e9


def nice(value: float) -> float:
    """Returns a round number that is no less."""
    power = 10.0 ** math.floor(math.log10(max(value, 1)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def axes(frame: Frame, ticks: list[float]) -> list[str]:
    """Draws the grid, its numbers and the seconds below."""
    parts = []
    for tick in ticks:
        y = frame.y(tick)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    step = nice(frame.seconds / 12)
    second = 0.0
    while second <= frame.seconds:
        parts.append(f'<text x="{frame.x(second):.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
                     f'{second:g} s</text>')
        second += step
    return parts


def shades(outcome: Outcome, frame: Frame) -> list[str]:
    """Draws each fault as a shade, and the findings as lines."""
    parts = []
    for fault in outcome.faults:
        first, last = (frame.x(seconds_of(outcome, at)) for at in (fault.began, fault.ended))
        title = escape(f"{fault.kind}: {fault.detail}")
        parts.append(f'<rect x="{first:.1f}" width="{max(1.5, last - first):.1f}" y="{TOP}" '
                     f'height="{HEIGHT - BOTTOM - TOP}" class="fault"><title>{title}</title></rect>')
    for finding in outcome.verdict.findings:
        if finding.at:
            x = frame.x(seconds_of(outcome, finding.at))
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
                         f'class="finding"><title>{escape(finding.text)}</title></line>')
    return parts


def drawing(parts: list[str], label: str) -> str:
    """Wraps the parts of a plot."""
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
            + "".join(parts) + "</svg>")


def length_of(outcome: Outcome) -> float:
    """Returns how many seconds a plot spans."""
    last = max((entry.ended for entry in outcome.entries), default=outcome.began)
    return max(1.0, math.ceil(seconds_of(outcome, last)))


def rate(outcome: Outcome) -> str:
    """Draws how many attempts ended how in each second, one upon the other."""
    counts: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COLOURS, 0))
    for entry in outcome.entries:
        kind = "done" if entry.done else "refused" if entry.refused else "unknown"
        counts[int(seconds_of(outcome, entry.ended))][kind] += 1
    high = nice(max((sum(kinds.values()) for kinds in counts.values()), default=1))
    frame = Frame(length_of(outcome), 0, high)
    parts = shades(outcome, frame) + axes(frame, [0, high / 2, high])
    for second, kinds in sorted(counts.items()):
        base = 0
        for kind, colour in COLOURS.items():
            top, bottom = frame.y(base + kinds[kind]), frame.y(base)
            base += kinds[kind]
            width = max(0.6, frame.x(second + 1) - frame.x(second) - 0.4)
            parts.append(f'<rect x="{frame.x(second):.1f}" width="{width:.1f}" y="{top:.1f}" '
                         f'height="{bottom - top:.1f}" fill="{colour}"/>')
    return drawing(parts, "attempts a second")


def latency(outcome: Outcome) -> str:
    """Draws how long answers took in each second: the median, 99 of 100, and the longest."""
    took: dict[int, list[float]] = defaultdict(list)
    for entry in outcome.entries:
        if entry.status:
            took[int(seconds_of(outcome, entry.ended))].append((entry.ended - entry.began) / 1e6)
    frame = Frame(length_of(outcome), 0.1, 10_000, True)
    parts = shades(outcome, frame) + axes(frame, [0.1, 1, 10, 100, 1_000, 10_000])
    for name, share in (("longest", 1.0), ("99 %", 0.99), ("median", 0.5)):
        points = []
        for second, values in sorted(took.items()):
            values.sort()
            value = values[min(len(values) - 1, int(share * len(values)))]
            points.append(f"{frame.x(second + 0.5):.1f},{frame.y(value):.1f}")
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" '
                     f'stroke="{LINES[name]}" stroke-width="1.4"/>')
    return drawing(parts, "latency in milliseconds")


def legend(colours: dict[str, str]) -> str:
    """Names the colours of a plot."""
    return "".join(f'<span><i style="background:{colour}"></i>{escape(name)}</span>'
                   for name, colour in colours.items())
