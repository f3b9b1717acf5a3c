"""Pages of the book: their code blocks, and a shell that executes them from top to bottom."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120
"""The most a page may take."""

MARK = "\x1eend of block\x1e"
"""Printed after each block, so that one shell runs a page and its output is still told apart."""


@dataclass
class Block:
    line: int
    language: str
    text: str


def blocks(text):
    """Returns the fenced blocks of a page, with the line on which each begins."""
    found, opened = [], None
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"```(.*)$", line)
        if fence and opened is None:
            opened = Block(number, fence[1].strip(), "")
        elif fence:
            found.append(opened)
            opened = None
        elif opened is not None:
            opened.text += line + "\n"
    return found


def steps(page):
    """Pairs each `sh` block of a page with the output that the `text` block after it promises."""
    paired = []
    for block in blocks(page):
        if block.language == "sh":
            paired.append([block, None])
        elif block.language == "text" and paired and paired[-1][1] is None:
            paired[-1][1] = block
        elif block.language not in ("rust", "rust,no_run"):
            raise ValueError(f"line {block.line}: a block `{block.language}` that nothing runs")
    return paired


def script(paired):
    """The shell program of a page; it ends at the first command that fails."""
    lines = ["set -eo pipefail", "exec 2>&1 </dev/null", "ip link set lo up"]
    for block, _ in paired:
        lines += [block.text, f"printf '%s' '{MARK}'"]
    return "\n".join(lines) + "\n"


def execute(paired, program):
    """Runs a page in an empty folder and a network of its own.

    Returns the output of each block that was begun, whether the shell ended well, and the seconds
    that it was given if it used them up. Namespaces let pages use the same ports side by side, and
    end what a page left in the background.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tools = Path(folder) / "bin"
        tools.mkdir()
        (tools / "custody-ledger").symlink_to(Path(program).resolve())
        page = Path(folder) / "page.sh"
        page.write_text(script(paired))
        empty = Path(folder) / "empty"
        empty.mkdir()
        keep = {k: v for k, v in os.environ.items() if not k.startswith("CUSTODY_LEDGER")}
        keep |= {"PATH": f"{tools}:{keep['PATH']}", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        user = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
        apart = ["unshare", *user, "--net", "--pid", "--fork", "--kill-child"]
        command = [*apart, "bash", str(page)]
        output = Path(folder) / "output"
        with open(output, "wb") as sink:
            try:
                ended = subprocess.run(
                    command, cwd=empty, env=keep, stdout=sink, timeout=SECONDS
                )
                well, late = ended.returncode == 0, False
            except subprocess.TimeoutExpired:
                well, late = False, True
        text = output.read_text(errors="replace")
    return text.split(MARK), well, late


def matches(promised, printed):
    """Compares an output with its promise: `…` is any text within a line, or any lines."""
    pattern = ""
    for line in promised.rstrip("\n").split("\n"):
        line = line.rstrip()
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.split("…")) + r"\n"
    lines = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    return re.fullmatch(pattern, "\n".join(lines) + "\n") is not None


def faults(text, program):
    """Runs a page and returns a sentence for each block that does not do what the page says."""
    try:
        paired = steps(text)
    except ValueError as fault:
        return [str(fault)]
    if not paired:
        return []
    printed, well, late = execute(paired, program)
    wrong = []
    for number, (block, promise) in enumerate(paired):
        where = f"line {block.line}"
        if number >= len(printed):
            break
        if number == len(printed) - 1 and not well:
            reason = f"took more than {SECONDS} s" if late else "failed"
            wrong.append(f"{where}: a command {reason}:\n{printed[number]}")
        elif promise is None and printed[number].strip():
            wrong.append(f"{where}: the page shows no output, and there is one:\n{printed[number]}")
        elif promise is not None and not matches(promise.text, printed[number]):
            wrong.append(f"{where}: it printed something else:\n{printed[number]}")
    return wrong
