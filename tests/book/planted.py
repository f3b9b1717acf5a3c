"""Planted mistakes, each of which the checks of the book must notice."""

from pathlib import Path

import commands
import links
import page
import terminal

PAGES = {
    "a command that fails": "```sh\nfalse\necho late\n```\n",
    "a command that does not exist": "```sh\ncustody-ledger no-such-command\n```\n",
    "a failure inside a pipe": "```sh\nfalse | cat\n```\n",
    "another output": "```sh\necho 5001\n```\n\n```text\n5000\n```\n",
    "a line too many": "```sh\necho 1; echo 2\n```\n\n```text\n1\n```\n",
    "an output that the page lacks": "```sh\necho 1\n```\n",
    "a second block that is wrong": "```sh\ntrue\n```\n\n```sh\necho 1\n```\n\n```text\n2\n```\n",
    "a block that nothing runs": "```console\n$ true\n```\n",
}
RIGHT = (
    "```sh\nX=ab\n```\n\n"
    "```sh\necho $X; echo 1; echo 2; echo c\n```\n\n```text\na…\n…\nc\n```\n"
)

LINKS = {
    "a file that is not there": "[x](nowhere.md)",
    "a heading that is not there": "# A\n\n[x](#b)",
}


def unnoticed(program):
    """Returns a sentence for each planted mistake that passes, and for what is right and fails."""
    wrong = [f"{what} passes" for what, text in PAGES.items() if not page.faults(text, program)]
    wrong += [f"a page that is right fails: {fault}" for fault in page.faults(RIGHT, program)]
    here = Path(__file__)
    wrong += [f"{what} passes" for what, text in LINKS.items() if not links.broken(here, text)]
    right = links.broken(here, "# A b\n\n[x](#a-b)")
    wrong += [f"a link that is right fails: {fault}" for fault in right]
    if not commands.faults(commands.PAGE.read_text(), "  run  Runs nothing\n"):
        wrong.append("another list of commands passes")
    if terminal.drawn(["$ run", "50.00"]) == terminal.drawn(["$ run", "50.01"]):
        wrong.append("a terminal with another amount passes")
    return wrong
