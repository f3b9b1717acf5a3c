"""The examples of both READMEs, followed to the letter.

`readme.py first LANGUAGE BASE` prints the first example, with the address of a service that runs;
`readme.py outcomes LANGUAGE` prints the second one in a file that a type checker takes.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
FENCE = "`" * 3
# The most lines of a README up to the end of its first example.
LINES = 20

BEFORE = {
    "python": "import time\nfrom custody_ledger import Ledger\n\n"
    "ledger = Ledger('http://127.0.0.1')\ncpf = key = ''\n",
    "typescript": 'import { Ledger } from "custody-ledger";\n'
    'import type { Lookup, Outcome, Payout } from "custody-ledger";\n'
    'const ledger = new Ledger("http://127.0.0.1");\n'
    'const terms = { amount_cents: 3000, tax_number: "", pix_key: "" };\n',
}


def examples(language: str) -> list[str]:
    """The examples of a README; the first one ends early."""
    text = (HERE / language / "README.md").read_text()
    end = text[: text.index(f"\n{FENCE}\n") + 4].count("\n")
    assert end < LINES, f"the first PIX in {language} takes {end} lines"
    return re.findall(rf"^{FENCE}\w+\n(.*?)^{FENCE}$", text, re.M | re.S)


def main(which: str, language: str, base: str = "") -> None:
    first, outcomes = examples(language)
    if which == "first":
        assert first.count("http://127.0.0.1:8080") == 1
        print(first.replace("http://127.0.0.1:8080", base), end="")
    else:
        print(BEFORE[language] + outcomes, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
