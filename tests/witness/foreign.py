"""Our ledger asks a witness that nobody here wrote, and its client asks ours.

    foreign.py PROGRAM BIN FOLDER

PROGRAM is ours, BIN has `aics-witness` and `aics-tlog`, and FOLDER is empty and ours to fill.
"""

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from aics_tlog import (
    FileSystemTileReader,
    HttpTileReader,
    audit_tiles,
    consistency_proof_from_tiles,
    parse_checkpoint,
    parse_note,
)
from aics_witness.feeder import WitnessClient, WitnessRejected

PROGRAM, BIN, FOLDER = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
ORIGIN = "ledger.example.com/live/live"


def run(*arguments, fails=False):
    """Runs a command in the folder, and returns what it printed, both streams as one."""
    ended = subprocess.run(
        arguments, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if (ended.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, arguments))} exited with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def ours(*arguments, **how):
    return run(PROGRAM, *arguments, **how)


def expect(what, text, pattern):
    if not re.search(pattern, text):
        sys.exit(f"{what}: expected {pattern!r} in:\n{text}")
    print(f"  {what}")


def history(name, account, days):
    """Writes lines of a ledger: an account, and a charge a day."""
    opened = {
        "at": "2026-11-01T12:00:00Z",
        "fact": "account.opened",
        "environment": "live",
        "body": {"id": "acc-1", "account": account},
        "supplied": {"key": "svc_live_loja"},
    }
    lines = [opened]
    for day in range(2, days + 2):
        lines.append(
            {
                "at": f"2026-11-{day:02}T12:00:00Z",
                "key": "svc_live_loja",
                "request": "POST /cashin/charge",
                "body": {
                    "destino": "saldo",
                    "customer_ref": "ana",
                    "amount_cents": 1_000 + day,
                    "payer_tax_number": "52998224725",
                    "external_id": f"order-{day}",
                },
            }
        )
    (FOLDER / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return name


def sign(lines, store):
    """Runs the lines against a store, and signs checkpoints of every few records."""
    key = ["--checkpoint-key", "house.key", "--checkpoint-every", "3"]
    ours("run", lines, "--store", store, *key)


def ask(store, policy, output, **how):
    """Asks the witnesses of a policy, and writes the cosigned checkpoint."""
    return ours("witness", "ask", store, "--policy", policy, "--output", output, **how)


class Server:
    """A program that serves until it is left."""

    def __init__(self, *command):
        self.output = FOLDER / f"{Path(command[0]).name}.log"
        with open(self.output, "wb") as sink:
            self.process = subprocess.Popen(
                command, cwd=FOLDER, stdout=sink, stderr=subprocess.STDOUT
            )

    def url(self):
        """Returns where it listens, once it says so."""
        for _ in range(100):
            said = re.search(r"(?:http://)?127\.0\.0\.1:(\d+)", self.output.read_text())
            if said and self.process.poll() is None:
                url = f"http://127.0.0.1:{said[1]}"
                try:
                    urllib.request.urlopen(url)
                except urllib.error.HTTPError:
                    return url
                except OSError:
                    pass
            time.sleep(0.1)
        sys.exit(f"{self.process.args} serves nothing:\n{self.output.read_text()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)


def theirs():
    """Makes their witness of our log; our checkpoints have lines of our own after the third."""
    name = ["--name", "witness.example.org/theirs", "--listen", "127.0.0.1:0"]
    made = run(BIN / "aics-witness", "init", *name)
    run(BIN / "aics-witness", "add-log", "--origin", ORIGIN, "--vkey", LOG_KEY)
    config = json.loads((FOLDER / "witness.json").read_text())
    config["logs"][0]["extension_lines"] = True
    (FOLDER / "witness.json").write_text(json.dumps(config))
    return re.search(r"witness\.example\.org/theirs\+[0-9a-f]{8}\+\S+", made)[0]


def asks_their_witness(policy):
    print("their witness, asked by ours:")
    sign(history("first.jsonl", "loja", 4), "ledger.db")
    asked = ask("ledger.db", policy, "first.checkpoint")
    expect("it cosigns the last checkpoint", asked, r"cosigned by 2 of 2")
    sign(history("second.jsonl", "loja", 20), "ledger.db")
    asked = ask("ledger.db", policy, "cosigned.checkpoint")
    expect("it cosigns what goes on, each with its proof", asked, r"cosigned by 2 of 2")
    mine = parse_checkpoint(parse_note(read("cosigned.checkpoint")).text)
    known = json.loads(run(BIN / "aics-witness", "status", "--json"))["logs"][0]
    if (known["origin"], known["size"]) != (ORIGIN, mine.size):
        sys.exit(f"it knows another size than {mine.size}: {known}")
    sign(history("fork.jsonl", "banca", 29), "fork.db")
    refused = ask("fork.db", policy, "refused.checkpoint", fails=True)
    expect("it refuses a fork", refused, r"theirs did not cosign .*\n.*as a fork")
    evidence = json.loads(run(BIN / "aics-witness", "evidence"))
    expect("it keeps the fork", " ".join(each["origin"] for each in evidence), f"^{ORIGIN}")
    kept = [path.name for path in FOLDER.glob("mine/logs/*/evidence/*")]
    expect("ours keeps it, too", " ".join(kept), "^unproved-")


def verifies_by_theirs(their_key, our_key):
    print("their verifier, of what ours wrote:")
    keys = ["--log-key", LOG_KEY, "--witness-key", their_key, "--witness-key", our_key]
    note = ["--note", "cosigned.checkpoint", "--quorum", "2"]
    run(BIN / "aics-tlog", "verify-checkpoint", *note, *keys)
    run(BIN / "aics-tlog", "verify-checkpoint", *note, *keys[:4], fails=True)
    print("  two cosignatures of one checkpoint, and both are needed")
    ours("witness", "tiles", "ledger.db", "--to", "public")
    tiles = ["--tiles", "public", "--old-checkpoint"]
    run(BIN / "aics-tlog", "verify-consistency", *tiles, "first.checkpoint", *keys)
    run(BIN / "aics-tlog", "verify-consistency", *tiles, "refused.checkpoint", *keys, fails=True)
    print("  tiles lead from the first checkpoint to the last, and from no fork")
    head = parse_checkpoint(parse_note(read("public/checkpoint")).text)
    audit_tiles(FileSystemTileReader(FOLDER / "public"), head.size, head.root, entries=False)
    print("  every tile is of the tree that was signed")


def their_client_asks_ours(logs):
    print("our witness, asked by their client:")
    our_key = ours("witness", "create", "other", "--name", "witness.example.com/other").strip()
    serve = ["witness", "serve", "other", "--policy", logs, "--listen", "127.0.0.1:0"]
    serve += ["--tiles", "public"]
    last = parse_checkpoint(parse_note(read("public/checkpoint")).text).size
    with Server(PROGRAM, *serve) as server, WitnessClient(server.url(), our_key) as client:
        # The tiles are served on the same address.
        reader = HttpTileReader([server.url()])

        def proof(old, new):
            return consistency_proof_from_tiles(reader, old, new, last)

        for name in ["first.checkpoint", "cosigned.checkpoint", "cosigned.checkpoint"]:
            line = client.submit(read(name), proof)
            expect(f"it cosigns {name}", line, "^— witness.example.com/other ")
        ours("witness", "status", "fork.db", "--policy", logs, "--output", "fork.checkpoint")
        try:
            client.submit(read("fork.checkpoint"), (last, []))
        except WitnessRejected as refused:
            expect("it refuses a fork", str(refused), "422")
        else:
            sys.exit("a fork was cosigned")


def read(name):
    return (FOLDER / name).read_bytes()


LOG_KEY = ours("checkpoint-key", "house.key", "--name", "ledger.example.com").splitlines()[0]
LOG_KEY = LOG_KEY.removeprefix("live: ")


def main():
    their_key = theirs()
    our_key = ours("witness", "create", "mine", "--name", "witness.example.com/mine").strip()
    (FOLDER / "logs.txt").write_text(f"log {LOG_KEY}\nquorum none\n")
    mine = ["witness", "serve", "mine", "--policy", "logs.txt", "--listen", "127.0.0.1:0"]
    with Server(BIN / "aics-witness", "serve") as other, Server(PROGRAM, *mine) as own:
        (FOLDER / "policy.txt").write_text(
            f"log {LOG_KEY}\n"
            f"witness theirs {their_key} {other.url()}\n"
            f"witness mine {our_key} {own.url()}\n"
            "group both all theirs mine\nquorum both\n"
        )
        asks_their_witness("policy.txt")
    verifies_by_theirs(their_key, our_key)
    their_client_asks_ours("logs.txt")


main()
