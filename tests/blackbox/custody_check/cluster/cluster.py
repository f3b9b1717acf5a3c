"""Three servers that Patroni manages, and etcd, which says who leads them."""
import json
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from ..faults.postgres import binaries
from .node import Node, missing_programs, shell

PATIENCE = 180.0
LIMITS = "target_session_attrs=read-write&statement-timeout=2&connect_timeout=1"


class Cluster:
    """A cluster in the namespaces of this process."""

    def __init__(self, folder: Path, python: Path):
        if missing := missing_programs():
            raise SystemExit(f"install {' '.join(missing)}")
        self.python = python
        shell("""mount -t tmpfs none /run
            mkdir /run/netns
            ip link set lo up
            for net in 1 2; do
                ip link add bridge$net type bridge
                ip link set bridge$net up
                ip addr add 10.0.$net.100/24 dev bridge$net
            done""")
        clients = "http://10.0.1.100:2379"
        self.etcd = subprocess.Popen(
            ["etcd", "--data-dir", "/run/etcd", "--log-level", "error", "--listen-client-urls",
             clients, "--advertise-client-urls", clients],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.nodes = [Node(number, folder, python) for number in (1, 2, 3)]
        for node in self.nodes:
            node.start()
        leader = self.whole()
        subprocess.run([str(binaries() / "psql"), "-qX", "-h", leader.host, "-U", "ledger", "-c",
                        "CREATE DATABASE books", "postgres"], check=True)

    @property
    def url(self) -> str:
        """Returns the store: the books at whichever server takes writes."""
        return f"postgres://ledger@{','.join(node.host for node in self.nodes)}/books?{LIMITS}"

    def views(self) -> list[list[dict[str, Any]]]:
        """Returns the members as each server that answers sees them."""
        seen = []
        for node in self.nodes:
            try:
                with urllib.request.urlopen(f"http://{node.host}:8008/cluster", timeout=1) as answer:
                    seen.append(json.load(answer)["members"])
            except (OSError, ValueError):
                continue
        return seen

    def wait_for(self, what: str, choose: Any) -> Node:
        """Returns the node that `choose` finds in the views, once it does."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if name := choose(views := self.views()):
                return self.nodes[int(name[1:]) - 1]
            time.sleep(0.1)
        words = "\n".join(node.last_words() for node in self.nodes)
        raise RuntimeError(f"{what}: {views}\n{words}")

    def whole(self) -> Node:
        """Waits until one leads and two follow it, by what each of them says; returns the leader."""
        def choose(views: list[list[dict[str, Any]]]) -> str | None:
            leaders = {followed_leader(view) for view in views}
            return leaders.pop() if len(views) == 3 and len(leaders) == 1 else None
        return self.wait_for("the cluster does not become whole", choose)

    def other_leader(self, former: Node) -> Node:
        """Waits until another leads."""
        return self.wait_for(f"nobody takes the place of n{former.number}", lambda views: next(
            (name for view in views if (name := leader_of(view)) not in (None, f"n{former.number}")),
            None))

    def switch_over(self, leader: Node) -> None:
        """Lets `patronictl` replace the leader."""
        subprocess.run([str(self.python), str(self.python.with_name("patronictl")), "-c",
                        str(leader.settings), "switchover", "books", "--leader",
                        f"n{leader.number}", "--force"], check=True, stdout=subprocess.DEVNULL)


def leader_of(members: list[dict[str, Any]]) -> str | None:
    """Returns the one that leads and runs."""
    return next((str(one["name"]) for one in members
                 if one["role"] == "leader" and one["state"] == "running"), None)


def followed_leader(members: list[dict[str, Any]]) -> str | None:
    """Returns the one that leads, if two follow it on its timeline."""
    timeline = next((one.get("timeline") for one in members if one["role"] == "leader"), None)
    follow = [one for one in members if one["role"] == "quorum_standby"
              and one["state"] == "streaming" and one.get("timeline") == timeline]
    return leader_of(members) if len(follow) == 2 else None
