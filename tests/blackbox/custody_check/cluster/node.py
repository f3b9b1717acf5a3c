"""One server of a cluster: Patroni and its PostgreSQL in namespaces of their own."""
import os
import pwd
import shutil
import subprocess
import threading
import time
from pathlib import Path

from ..faults.nemesis import fill
from ..faults.postgres import binaries

SETTINGS = Path(__file__).resolve().parents[3] / "tools/src/bin/patroni/patroni.yml"


def shell(text: str) -> None:
    """Runs a few lines of a shell, each of which must succeed."""
    subprocess.run(["sh", "-ec", text], check=True, stdout=subprocess.DEVNULL)


class Node:
    """A server, by its number, with a network, a disk and processes of its own."""

    def __init__(self, number: int, folder: Path, python: Path):
        self.number, self.folder, self.python = number, folder / f"n{number}", python
        self.host = f"10.0.2.{number}"
        self.filling: threading.Event | None = None
        names = {entry.pw_name for entry in pwd.getpwall()}
        self.user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        self.outer: subprocess.Popen[bytes] | None = None
        shell(f"""ip netns add n{number}
            ip -n n{number} link set lo up
            for net in 1 2; do
                ip link add v$net-{number} type veth peer name net$net netns n{number}
                ip link set v$net-{number} master bridge$net up
                ip -n n{number} addr add 10.0.$net.{number}/24 dev net$net
                ip -n n{number} link set net$net up
            done""")
        self.wal = self.folder / "wal"
        self.wal.mkdir(parents=True)
        shell(f"mount -t tmpfs -o size=128m none {self.wal}")
        (self.wal / "pg_wal").mkdir(mode=0o700)
        text = SETTINGS.read_text()
        for name, value in (("number", number), ("folder", self.folder), ("programs", binaries())):
            text = text.replace("{%s}" % name, str(value))
        self.settings = self.folder / "patroni.yml"
        self.settings.write_text(text)
        for path in (self.folder, self.wal, self.wal / "pg_wal"):
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def start(self) -> None:
        """Starts Patroni, which starts PostgreSQL."""
        unshare = ["ip", "netns", "exec", f"n{self.number}", "unshare", "--pid", "--fork",
                   "--mount-proc", "setpriv", "--clear-groups", "--reuid", str(self.user.pw_uid),
                   "--regid", str(self.user.pw_gid), "--inh-caps", "+dac_read_search",
                   "--ambient-caps", "+dac_read_search"]
        with (self.folder / "log").open("ab") as log:
            self.outer = subprocess.Popen(
                [*unshare, str(self.python), str(self.python.with_name("patroni")),
                 str(self.settings)], cwd=self.folder, env={**os.environ, "HOME": str(self.folder)},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def first(self) -> str:
        """Returns the first process of its namespace, whose end ends all of them."""
        assert self.outer is not None
        children = Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if numbers := children.read_text().split():
                return numbers[0]
            time.sleep(0.01)
        raise RuntimeError(f"n{self.number} has no process")

    def kill(self) -> None:
        """Ends every process at once, as a loss of power does."""
        shell(f"kill -KILL {self.first()}")
        assert self.outer is not None
        self.outer.wait()

    def processes(self) -> list[tuple[str, str]]:
        """Returns its processes with their states."""
        own = os.readlink(f"/proc/{self.first()}/ns/pid")
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "ns/pid") == own:
                    state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                    found.append((entry.name, state))
            except OSError:
                continue
        return found

    def freeze(self) -> None:
        """Stops every process; those that were not yet stopped may have made others."""
        while running := [name for name, state in self.processes() if state not in "TZ"]:
            shell(f"kill -STOP {' '.join(running)} || true")

    def thaw(self) -> None:
        """Lets every process go on."""
        shell(f"kill -CONT {' '.join(name for name, state in self.processes() if state == 'T')}")

    def link(self, networks: str, state: str) -> None:
        """Takes it off networks, or puts it back: `1` is the cluster's, `2` that of its clients."""
        shell(f"for net in {networks}; do ip link set v$net-{self.number} {state}; done")

    def fill(self) -> None:
        """Leaves no room for its write-ahead log, nor lets any come free."""
        self.filling = stop = threading.Event()

        def keep_full() -> None:
            part = 0
            while not stop.wait(0.05):
                fill(self.wal / f"ballast{part}")
                part += 1

        threading.Thread(target=keep_full, daemon=True).start()

    def free(self) -> None:
        """Gives the room back."""
        assert self.filling is not None
        self.filling.set()
        time.sleep(0.2)
        for path in self.wal.glob("ballast*"):
            path.unlink()

    def last_words(self) -> str:
        """Returns the last lines of its log."""
        return "\n".join((self.folder / "log").read_text(errors="replace").splitlines()[-12:])


def missing_programs() -> list[str]:
    """Returns what a cluster needs and this machine lacks, by Debian's package."""
    needed = {"etcd": "etcd-server", "ip": "iproute2", "unshare": "util-linux", "setpriv": "util-linux"}
    return [package for program, package in needed.items() if shutil.which(program) is None]
