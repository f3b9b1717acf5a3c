"""`python -m custody_check`: checks a deployment that is there, or one of its own under faults."""
import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from .cells.run import own_cells
from .client.accounts import Target
from .client.receiver import Receiver, Supplier
from .cluster.run import own_cluster
from .driver import Outcome, Plan, execute
from .faults.deploy import Deployment, find_program
from .faults.nemesis import Nemesis
from .faults.proxy import Proxy
from .objects.run import own_objects
from .pair.run import own_pair
from .report.page import page
from .report.text import text

OWN = {"pair": own_pair, "objects": own_objects, "cells": own_cells, "cluster": own_cluster}


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="custody_check", description=__doc__)
    parser.add_argument("url", nargs="?", help="where clients of your service are served")
    parser.add_argument("--world", help="its internal listener; default: the next port")
    parser.add_argument("--token-file", type=Path, help="the file of the internal token")
    parser.add_argument("--records", help="its listener of replicas; default: the port after that")
    parser.add_argument("--records-secret-file", type=Path, help="the file of the replicas' secret")
    parser.add_argument("--replica", help="where a replica of it answers reads; default: nowhere")
    parser.add_argument("--hooks-port", type=int, help="where your service sends webhooks on this machine")
    parser.add_argument("--supply-port", type=int, help="where it asks for codes; default: nowhere")
    parser.add_argument("--own", choices=("sqlite", "postgres", *OWN), action="append",
                        default=[], help="start a service of its own on this store, and strike it")
    parser.add_argument("--program", help="the program to start for --own")
    parser.add_argument("--other", default="", help="another build, which takes turns with it: upgrades")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long the workers run")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--threads", type=int, default=4, help="of each process")
    parser.add_argument("--pace", type=float, default=0.0, help="mean pause of a thread, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gap", type=float, default=3.0, help="mean seconds between two faults; 0: none")
    parser.add_argument("--only", action="append", help="strike only faults of this kind")
    parser.add_argument("--folder", type=Path, help="where history and report are written")
    return parser.parse_args()


def next_port(url: str, steps: int) -> str:
    """Returns a URL whose port is so many higher."""
    base, port = url.rstrip("/").rsplit(":", 1)
    return f"{base}:{int(port) + steps}"


def remote(options: argparse.Namespace, folder: Path, plan: Plan) -> Outcome:
    """Checks a deployment that is there."""
    if options.token_file is None or options.records_secret_file is None:
        raise SystemExit("name --token-file and --records-secret-file (docs/blackbox.md)")
    url = options.url.rstrip("/")
    target = Target(url, options.world or next_port(url, 1), options.token_file.read_text().strip(),
                    options.records or next_port(url, 2),
                    options.records_secret_file.read_text().strip(), options.replica or "")
    supplier = Supplier(options.supply_port) if options.supply_port else None
    receiver = Receiver(options.hooks_port, {}) if options.hooks_port else None
    try:
        return execute("your service", target, receiver, folder, plan)
    finally:
        for server in (supplier, receiver):
            if server is not None:
                server.close()


def own(engine: str, options: argparse.Namespace, folder: Path, plan: Plan) -> Outcome:
    """Starts a service, strikes it, and checks it."""
    supplier, receiver = Supplier(0), Receiver(0, {})
    deployment = Deployment(find_program(options.program), folder / "service", engine,
                            receiver.port, supplier.port, clock=options.gap > 0,
                            size_mb=512 if engine == "sqlite" and options.gap > 0 else 0)
    proxies: list[Proxy] = []
    try:
        deployment.start()
        proxies = [Proxy(deployment.port), Proxy(deployment.world_port)]
        direct = Target(deployment.url, deployment.world, deployment.token, deployment.records,
                        deployment.secret)
        target = Target(proxies[0].url, proxies[1].url, deployment.token, deployment.records,
                        deployment.secret, deployment.start_replica())
        nemesis = None
        if options.gap > 0:
            nemesis = Nemesis(deployment, proxies[0], proxies[1], receiver, plan.seed, options.gap,
                              options.only, options.other)
        outcome = execute(f"serve on {engine}", target, receiver, folder, plan, nemesis, direct)
        outcome.notes.append("partitions and delays are those of a proxy before the service")
        if options.gap > 0 and deployment.clock is None:
            outcome.notes.append("libfaketime is not installed: the clock was left alone")
        return outcome
    finally:
        for proxy in proxies:
            proxy.close()
        deployment.close()
        receiver.close()
        supplier.close()


def main() -> int:
    """Runs what the command line says; 1 where anything was found."""
    options = arguments()
    if bool(options.url) == bool(options.own):
        raise SystemExit("name the URL of a service, or --own")
    folder = options.folder or Path(tempfile.mkdtemp(prefix="custody-check-"))
    plan = Plan(options.seconds, options.processes, options.threads, options.seed, options.pace)
    outcomes = []
    if options.url:
        outcomes.append(remote(options, folder, plan))
    for engine in options.own:
        start = OWN.get(engine, partial(own, engine))
        outcomes.append(start(options, folder / engine, plan))
    for outcome in outcomes:
        print(text(outcome), flush=True)
    (folder / "report.html").write_text(page(outcomes))
    print(f"report: {folder / 'report.html'}")
    return 1 if any(outcome.verdict.findings for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
