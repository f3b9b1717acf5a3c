"""Searches, by schemathesis, for requests that the document and the service disagree about.

Runs with the addresses of a service and of its world's listener, that listener's token, and the
port that the service sends all webhooks to: once with a test key and once with a live one. With
`--deep` the search is long and begins somewhere else each time; the seed is told, and `--seed`
repeats it.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

from receiver import Receiver
from service import asked, endpoint_set, key_for_tests, paid

HERE = Path(__file__).parent

# Facts that an account's first day needs, as the contract's whole example has them.
FACTS = {
    "account.opened",
    "policy.adopted",
    "catalog.updated",
    "markets.updated",
    "rate.quoted",
    "treasury.moved",
    "wallet.configured",
}

# Ends the key that asks, so it is searched with keys of its own, in a run of its own.
ROTATION = "/keys/me/rotate"


def live_key(base: str, world: str, token: str) -> str:
    """A production key, of an account that may do what the contract has."""
    bearer = {"Authorization": f"Bearer {token}"}
    key = ""
    for line in (HERE / "whole-contract.jsonl").read_text().splitlines():
        told = json.loads(line)
        if told.get("fact") in FACTS:
            url = f"{world}/facts/{told['fact']}?environment=live"
            answer = asked(url, told["body"], bearer)
            key = answer.get("api_key", key)
    endpoint_set(base, key)
    return key


def search(base: str, key: str, name: str, *options: str) -> subprocess.Popen[bytes]:
    """A search under way, whose report is the file of its name."""
    command = ["schemathesis", "--no-color", "--config-file", "schemathesis.toml", "run"]
    command += [f"{base}/openapi.json", "--header", f"X-API-Key: {key}", *options]
    environment = {**os.environ, "SEARCHED_KEY": name.split("-")[0]}
    with open(f"search-{name}.out", "wb") as report:
        return subprocess.Popen(
            command, env=environment, stdout=report, stderr=subprocess.STDOUT
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base")
    parser.add_argument("world")
    parser.add_argument("token")
    parser.add_argument("port", type=int)
    parser.add_argument("--deep", action="store_true", help="search long, from a fresh seed")
    parser.add_argument("--seed", type=int, help="of a deep search, to repeat it")
    given = parser.parse_args()
    with Receiver(given.port):
        return searched(given)


def searched(given: argparse.Namespace) -> int:
    """The worst code that a search ended with."""
    if given.deep or given.seed is not None:
        seed = secrets.randbits(32) if given.seed is None else given.seed
        print(f"deep search, repeated by --seed {seed}")
        depth = ["--max-examples", "200", "--seed", str(seed)]
    else:
        depth = ["--max-examples", "5", "--generation-deterministic", "--no-shrink"]
    keys = {
        "test": key_for_tests(given.base),
        "live": live_key(given.base, given.world, given.token),
    }
    endpoint_set(given.base, keys["test"])
    paid(given.base, keys["test"], "searched-1")
    began = time.monotonic()
    others = ["--exclude-path", ROTATION, *depth]
    under_way = {name: search(given.base, key, name, *others) for name, key in keys.items()}
    ended = {name: search.wait() for name, search in under_way.items()}
    # What was searched with a key that had died would have found nothing.
    for key in keys.values():
        asked(f"{given.base}/keys/me", headers={"X-API-Key": key})
    only = ["--include-path", ROTATION, *depth]
    ended |= {
        f"{name}-rotated": search(given.base, key, f"{name}-rotated", *only).wait()
        for name, key in keys.items()
    }
    for name, code in ended.items():
        report = Path(f"search-{name}.out").read_text().splitlines()
        if code != 0:
            print("\n".join(report))
        counted = [line for line in report if " generated, " in line]
        print(f"search with the {name} key:", *(line.strip() for line in counted))
    print(f"searched in {time.monotonic() - began:.0f} s")
    return max(ended.values())


if __name__ == "__main__":
    sys.exit(main())
