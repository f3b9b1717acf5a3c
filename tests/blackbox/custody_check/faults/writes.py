"""Writes that fail, fall short or tear: a library that is loaded before libc, and the file it obeys."""
import shutil
import subprocess
from pathlib import Path

MODES = {"fail": "w", "fail-sync": "s", "shorten": "h", "tear": "t", "pass": "-"}


class Writes:
    """Says what becomes of a program's writes below one folder."""

    def __init__(self, folder: Path, under: Path):
        self.library, self.file, self.under = folder / "writes.so", folder / "writes", under
        source = Path(__file__).with_suffix(".c")
        subprocess.run([compiler() or "cc", "-shared", "-fPIC", "-O1", "-o", str(self.library),
                        str(source), "-ldl"], check=True)
        self.set("pass")

    def environment(self) -> dict[str, str]:
        """Returns the variables that the library reads."""
        return {"WRITES_UNDER": str(self.under.resolve()), "WRITES_MODE": str(self.file)}

    def set(self, mode: str) -> None:
        """Changes what becomes of the next writes."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(MODES[mode])
        fresh.replace(self.file)


def compiler() -> str | None:
    """Returns a compiler of C, where there is one."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
