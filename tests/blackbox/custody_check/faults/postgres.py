"""A PostgreSQL server of our own, from Debian's programs, in a temporary folder."""
import os
import pwd
import shutil
import subprocess
from pathlib import Path


def binaries() -> Path:
    """Returns the folder of PostgreSQL's programs, the newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    if found:
        return found[0].parent
    named = shutil.which("initdb")
    if named is None:
        raise SystemExit("there is no initdb: install postgresql")
    return Path(named).resolve().parent


class Postgres:
    """One server; as root it runs as `postgres` or `nobody`, since it refuses root."""

    def __init__(self, folder: Path, port: int):
        self.folder, self.port, self.bin = folder, port, binaries()
        self.user: str | None = None
        folder.mkdir(parents=True)
        if os.getuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(folder, self.user)
            for parent in list(folder.parents)[:3]:
                if str(parent) not in ("/", "/tmp"):
                    parent.chmod(parent.stat().st_mode | 0o011)
        self.run("initdb", "--pgdata", str(folder / "data"), "--auth", "trust", "--username",
                 "ledger", "--encoding", "UTF8")
        settings = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=60"
        self.run("pg_ctl", "-D", str(folder / "data"), "-l", str(folder / "log"), "-w", "-o",
                 settings, "start")
        self.run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "ledger", "ledger")

    @property
    def url(self) -> str:
        """Returns the store that the program is given."""
        return f"postgres://ledger@127.0.0.1:{self.port}/ledger"

    def run(self, program: str, *arguments: str) -> None:
        """Runs one of the server's programs as its user."""
        command = [str(self.bin / program), *arguments]
        subprocess.run(command, check=True, user=self.user, cwd="/tmp",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={"PATH": os.environ["PATH"], "LC_ALL": "C"})

    def restart(self, mode: str = "immediate") -> None:
        """Ends the server, as after a loss of power, and starts it again."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", mode, "-l",
                 str(self.folder / "log"), "-o", f"-p {self.port} -k {self.folder} -c "
                 "listen_addresses=127.0.0.1 -c max_connections=60", "restart")

    def close(self) -> None:
        """Ends the server."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
