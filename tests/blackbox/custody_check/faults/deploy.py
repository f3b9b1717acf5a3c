"""A deployment of our own: `serve` on SQLite or PostgreSQL, in a temporary folder, to be struck."""
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from .postgres import Postgres
from .writes import Writes, compiler

FAKETIME = ("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1")


def free_port() -> int:
    """Returns a port that nobody listens on, below those that the system gives away."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Deployment:
    """One `serve`, its store, and what strikes it."""

    def __init__(self, program: str, folder: Path, engine: str, hooks: int, supply: int,
                 clock: bool = False, size_mb: int = 0, store: str = "",
                 more: dict[str, Any] | None = None):
        self.program, self.folder, self.engine = program, folder, engine
        self.world_port, self.port, self.records_port = free_port(), free_port(), free_port()
        self.token, self.secret = secrets.token_hex(32), secrets.token_hex(32)
        self.process: subprocess.Popen[bytes] | None = None
        self.replica: subprocess.Popen[bytes] | None = None
        self.replica_port = 0
        self.postgres: Postgres | None = None
        self.hooks, self.supply, self.starts, self.more = hooks, supply, 0, more or {}
        self.clock = folder / "clock" if clock and faketime() else None
        self.tmpfs = folder / "disk" if size_mb and os.getuid() == 0 else None
        folder.mkdir(parents=True, exist_ok=True)
        self.writes: Writes | None = None
        self.log = (folder / "serve.log").open("ab")
        (folder / "replica.secret").write_text(self.secret)
        (folder / "supply.secret").write_text("whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        for name in ("replica.secret", "supply.secret"):
            (folder / name).chmod(0o600)
        if self.tmpfs:
            self.tmpfs.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mb}m", "tmpfs",
                            str(self.tmpfs)], check=True)
        if engine == "postgres":
            self.postgres = Postgres(folder / "pg", free_port())
            self.store = self.postgres.url
        elif engine == "objects":
            self.store = (self.tmpfs or folder).resolve().joinpath("objects").as_uri()
            self.more |= {"outbox": None, "webhooks-to": None}
        else:
            self.store = store or str((self.tmpfs or folder) / "ledger.db")
            if self.tmpfs and compiler():
                self.writes = Writes(folder, self.tmpfs)
        if self.clock:
            self.clock.write_text("+0\n")

    def environment(self) -> dict[str, str]:
        """Returns the variables that `serve` is started with."""
        variables = {**os.environ, "CUSTODY_LEDGER_INTERNAL_TOKEN": self.token}
        libraries = []
        if self.writes:
            libraries.append(str(self.writes.library))
            variables |= self.writes.environment()
        if self.clock:
            libraries.append(faketime() or "")
            variables |= {"FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1",
                          "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        return variables | ({"LD_PRELOAD": ":".join(libraries)} if libraries else {})

    def start(self, wait: float = 120.0) -> None:
        """Starts the program and waits until it serves."""
        self.launch()
        self.ready(wait)

    def launch(self) -> None:
        """Starts the program."""
        address = "127.0.0.1:{}".format
        flags: dict[str, Any] = {
            "listen": address(self.port), "internal-listen": address(self.world_port),
            "replicas-listen": address(self.records_port), "store": self.store,
            "replica-secret-file": self.folder / "replica.secret", "outbox": "true",
            "webhooks-to": f"http://127.0.0.1:{self.hooks}", "key-rate": 0, "address-rate": 0,
            "supply-url": f"http://127.0.0.1:{self.supply}/supply",
            "supply-secret-file": self.folder / "supply.secret", "log": "off", **self.more}
        command = [self.program, "serve"]
        for name, value in flags.items():
            for one in value if isinstance(value, list) else [value]:
                command += [] if one is None else [f"--{name}", str(one)]
        self.starts += 1
        self.process = subprocess.Popen(command, env=self.environment(), stdout=self.log,
                                        stderr=self.log, start_new_session=True)

    def start_replica(self, store: str = "") -> str:
        """Starts a replica of the store, which the nemesis leaves alone; returns where it reads."""
        self.replica_port = self.replica_port or free_port()
        command = [self.program, "serve", "--replica-of", store or self.store, "--listen",
                   f"127.0.0.1:{self.replica_port}", "--internal-listen", "none", "--key-rate", "0",
                   "--address-rate", "0", "--log", "off"]
        self.replica = subprocess.Popen(command, stdout=self.log, stderr=self.log,
                                        start_new_session=True)
        return f"http://127.0.0.1:{self.replica_port}"

    def revive_replica(self) -> None:
        """Starts a replica of the store again that ended by itself."""
        if self.replica is not None and self.replica.poll() is not None:
            self.start_replica()

    def revive(self) -> None:
        """Waits until the program serves; one that ended by itself is started again."""
        try:
            self.ready(30)
        except RuntimeError:
            assert self.process is not None
            if self.process.poll() is None:
                raise
            self.start()

    def has_ended(self) -> bool:
        """Tells whether the program ended by itself."""
        return self.process is not None and self.process.poll() is not None

    def exchange(self, other: str) -> str:
        """Ends the program in order and starts another build of it; returns the one that ended."""
        former = self.program
        self.stop()
        self.program = other
        self.start()
        return former

    def is_ready(self) -> bool:
        """Tells whether the service answers that it is ready."""
        try:
            urllib.request.urlopen(f"{self.url}/health/ready", timeout=10).close()
        except OSError:
            return False
        return True

    def ready(self, wait: float) -> None:
        """Waits until the service answers that it is ready."""
        deadline, last = time.monotonic() + wait, ""
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                raise RuntimeError(f"serve ended by itself with {self.process.returncode}: "
                                   f"{self.folder / 'serve.log'}")
            try:
                urllib.request.urlopen(f"{self.url}/health/ready", timeout=10).close()
                return
            except urllib.error.HTTPError as answer:
                last = answer.read().decode(errors="replace")
            except OSError as trouble:
                last = str(trouble)
            time.sleep(0.1)
        raise RuntimeError(f"serve was not ready within {wait:g} s: {last}")

    @property
    def url(self) -> str:
        """Returns where clients are served."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def world(self) -> str:
        """Returns where the world reports."""
        return f"http://127.0.0.1:{self.world_port}"

    @property
    def records(self) -> str:
        """Returns where records are followed."""
        return f"http://127.0.0.1:{self.records_port}"

    def send(self, sign: int) -> None:
        """Sends a signal to the program."""
        assert self.process is not None
        self.process.send_signal(sign)

    def kill(self) -> None:
        """Kills the program at once."""
        self.send(signal.SIGKILL)
        assert self.process is not None
        self.process.wait()

    def stop(self) -> None:
        """Asks the program to end, and waits for that."""
        self.send(signal.SIGTERM)
        assert self.process is not None
        self.process.wait(timeout=240)

    def set_clock(self, offset: str) -> None:
        """Moves the clock that the program sees, as libfaketime writes an offset."""
        if self.clock:
            fresh = self.clock.with_suffix(".new")
            fresh.write_text(offset + "\n")
            fresh.replace(self.clock)

    def close(self) -> None:
        """Ends everything that was started, and gives the disk back."""
        if self.process is not None and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.kill()
        if self.replica is not None:
            self.replica.kill()
            self.replica.wait()
        if self.postgres is not None:
            self.postgres.close()
        if self.tmpfs:
            subprocess.run(["umount", str(self.tmpfs)], check=False)
        self.log.close()


def faketime() -> str | None:
    """Returns the library that changes the clock of a program, where it is installed."""
    return next((path for path in FAKETIME if Path(path).exists()), None)


def find_program(named: str | None) -> str:
    """Returns the program: as named, or by the environment, the target folder or the path."""
    root = Path(__file__).resolve().parents[4]
    target = Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
    candidates = [named, os.environ.get("CUSTODY_LEDGER"), str(target / "debug/custody-ledger"),
                  str(target / "release/custody-ledger"), shutil.which("custody-ledger")]
    for candidate in candidates:
        if candidate and Path(candidate).exists():
            return candidate
    raise SystemExit("there is no custody-ledger: build it, or name it by --program")
