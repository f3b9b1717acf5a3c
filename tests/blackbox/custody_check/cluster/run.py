"""One run on a cluster of databases of our own: what is started, what is struck, what is found."""
import os
import time
from argparse import Namespace
from pathlib import Path

from ..client.accounts import Target
from ..client.receiver import Receiver, Supplier
from ..driver import Outcome, Plan, execute
from ..faults.deploy import Deployment, find_program
from ..faults.nemesis import Nemesis
from ..faults.proxy import Proxy
from .cluster import Cluster


class ClusterNemesis(Nemesis):
    """Strikes the leader of the cluster, and waits until it is whole again."""

    cluster: Cluster

    def allowed(self) -> list[str]:
        """Returns the kinds of faults of a cluster, and some of every deployment."""
        return ["leader-killed", "leader-frozen", "leader-cut-off", "leader-half-cut-off",
                "leader-replaced", "leader-disk-full", "kill", "stop", "deaf", "exchange"][
                    :None if self.other else -1]

    def strike(self, kind: str) -> None:
        """Strikes one fault, waits until the cluster is whole, and starts what ended."""
        super().strike(kind)
        self.cluster.whole()
        self.deployment.revive()
        self.deployment.revive_replica()

    def do_leader_killed(self, length: float) -> str:
        """Ends all processes of the leader at once."""
        leader = self.cluster.whole()
        leader.kill()
        other = self.cluster.other_leader(leader)
        time.sleep(length)
        leader.start()
        return f"n{leader.number} killed, n{other.number} leads"

    def do_leader_frozen(self, length: float) -> str:
        """Stops all processes of the leader until another leads."""
        leader = self.cluster.whole()
        leader.freeze()
        other = self.cluster.other_leader(leader)
        time.sleep(length)
        leader.thaw()
        return f"n{leader.number} frozen, n{other.number} leads"

    def cut_off(self, networks: str, length: float) -> str:
        """Takes the leader off networks until another leads."""
        leader = self.cluster.whole()
        leader.link(networks, "down")
        other = self.cluster.other_leader(leader)
        time.sleep(length)
        leader.link(networks, "up")
        return f"n{leader.number} cut off, n{other.number} leads"

    def do_leader_cut_off(self, length: float) -> str:
        """Takes the leader off all networks."""
        return self.cut_off("1 2", length)

    def do_leader_half_cut_off(self, length: float) -> str:
        """Takes the leader off the cluster's network; the service still reaches it."""
        return self.cut_off("1", length)

    def do_leader_replaced(self, length: float) -> str:
        """Replaces the leader in order."""
        leader = self.cluster.whole()
        self.cluster.switch_over(leader)
        return f"n{leader.number} replaced by n{self.cluster.other_leader(leader).number}"

    def do_leader_disk_full(self, length: float) -> str:
        """Leaves the leader's log no room; Patroni replaces it, or starts it again and again."""
        leader = self.cluster.whole()
        leader.fill()
        time.sleep(2 * length)
        leader.free()
        return f"no room on n{leader.number} for {2 * length:.1f} s"


def own_cluster(options: Namespace, folder: Path, plan: Plan) -> Outcome:
    """Starts a service on a cluster, strikes the cluster, and checks the service."""
    python = Path(os.environ["PATRONI_PYTHON"])
    folder.mkdir(parents=True, exist_ok=True)
    for parent in list(folder.resolve().parents)[:3]:
        if str(parent) not in ("/", "/tmp"):
            parent.chmod(parent.stat().st_mode | 0o011)
    cluster = Cluster(folder.resolve(), python)
    supplier, receiver = Supplier(0), Receiver(0, {})
    deployment = Deployment(find_program(options.program), folder / "service", "cluster",
                            receiver.port, supplier.port, store=cluster.url)
    proxies: list[Proxy] = []
    try:
        deployment.start()
        proxies = [Proxy(deployment.port), Proxy(deployment.world_port)]
        secrets = (deployment.records, deployment.secret)
        direct = Target(deployment.url, deployment.world, deployment.token, *secrets)
        target = Target(proxies[0].url, proxies[1].url, deployment.token, *secrets,
                        deployment.start_replica())
        nemesis = None
        if options.gap > 0:
            nemesis = ClusterNemesis(deployment, proxies[0], proxies[1], receiver, plan.seed,
                                     options.gap, options.only, options.other)
            nemesis.cluster = cluster
        outcome = execute("serve on a cluster", target, receiver, folder, plan, nemesis, direct)
        outcome.notes.append("three servers of PostgreSQL under Patroni, each in namespaces of its "
                             f"own; the program started {deployment.starts} times")
        return outcome
    finally:
        for proxy in proxies:
            proxy.close()
        deployment.close()
        receiver.close()
        supplier.close()
