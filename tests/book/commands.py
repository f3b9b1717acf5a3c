#!/usr/bin/env python3
"""The list of commands in docs/cli.md, which the program prints.

    tests/book/commands.py    # writes it anew
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/cli.md"
BLOCK = re.compile(r"(<!-- printed by `custody-ledger --help` -->\n\n```text\n).*?(```\n)", re.DOTALL)


def printed(program):
    """Returns the groups of commands: what stands between the usage and the options."""
    ended = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    return ended.stdout.split("<COMMAND>\n\n", 1)[1].split("\nOptions:", 1)[0]


def written(page, commands):
    """Returns a page with these commands in its block."""
    text, count = BLOCK.subn(lambda block: block[1] + commands + block[2], page)
    if count != 1:
        raise ValueError(f"docs/cli.md has {count} lists of commands")
    return text


def faults(page, commands):
    """Returns a sentence where a page lists other commands."""
    if written(page, commands) == page:
        return []
    return ["other commands than the program's: write them by tests/book/commands.py"]


if __name__ == "__main__":
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    known = os.environ.get("CUSTODY_LEDGER", f"{target}/debug/custody-ledger")
    PAGE.write_text(written(PAGE.read_text(), printed(known)))
    sys.exit(0)
