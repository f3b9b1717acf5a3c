#!/usr/bin/env python3
"""Draws the terminal of the README from what the program prints: docs/terminal.svg.

    tests/book/terminal.py    # draws it anew
"""

import os
import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/terminal.svg"
COMMANDS = [
    "custody-ledger run examples/custody-day.jsonl >answers.jsonl",
    "sed -n 74p answers.jsonl | jq -c .body",
    "custody-ledger explain ledger.db venda-9",
    "custody-ledger audit --environment live | head -n 1",
]
LINE, MARGIN, BAR, COLUMN = 18, 20, 34, 7.25

FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">
  <title id="title">A terminal: a file of requests and facts is run, one entry is explained, the ledger is audited</title>
  <style>
    rect {{ fill: #0d1117; stroke: #6e7681; }}
    text {{ font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre; }}
    .typed {{ fill: #3fb950; font-weight: 600; }}
    .red {{ fill: #ff5f57; stroke: none; }} .yellow {{ fill: #febc2e; }} .green {{ fill: #28c840; }}
  </style>
  <rect x="1" y="1" width="{right}" height="{bottom}" rx="8"/>
  <circle class="red" cx="20" cy="17" r="6"/><circle class="yellow" cx="40" cy="17" r="6"/><circle class="green" cx="60" cy="17" r="6"/>
{lines}
</svg>
"""


def printed(program):
    """Returns what a terminal shows, line by line; heads, which vary with the vault key, as `…`."""
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "custody-ledger").symlink_to(Path(program).resolve())
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        keep = {k: v for k, v in os.environ.items() if not k.startswith("CUSTODY_LEDGER")}
        keep["PATH"] = f"{folder}:{keep['PATH']}"
        for command in COMMANDS:
            ended = subprocess.run(
                ["bash", "-c", f"set -eo pipefail; exec 2>&1; {command}"],
                cwd=folder, env=keep, capture_output=True, text=True, check=True,
            )
            shown += [f"$ {command}", *ended.stdout.splitlines()]
    return [re.sub(r"\b[0-9a-f]{64}\b", "…", line).rstrip() for line in shown]


def drawn(lines):
    width = round(2 * MARGIN + COLUMN * max(map(len, lines)))
    height = BAR + MARGIN + LINE * len(lines)
    rows = []
    for number, line in enumerate(lines):
        kind = ' class="typed"' if line.startswith("$ ") else ""
        place = BAR + LINE * (number + 1)
        rows.append(f'  <text x="{MARGIN}" y="{place}"{kind} xml:space="preserve">{escape(line)}</text>')
    size = {"width": width, "height": height, "right": width - 2, "bottom": height - 2}
    return FRAME.format(**size, lines="\n".join(rows))


def faults(program):
    """Returns a sentence where the picture is not what the program prints."""
    if PICTURE.read_text() == drawn(printed(program)):
        return []
    return ["another picture than the program's output: draw it by tests/book/terminal.py"]


if __name__ == "__main__":
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    known = os.environ.get("CUSTODY_LEDGER", f"{target}/debug/custody-ledger")
    PICTURE.write_text(drawn(printed(known)))
    sys.exit(0)
