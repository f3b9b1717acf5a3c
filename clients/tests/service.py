"""A service of test keys on this machine, and an account with money in it."""

import json
import re
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from custody_ledger import Ledger, Success

# Ten million reais, in centavos: more than all tests pay out.
FUNDS = 1_000_000_000_000


class Service:
    """`serve` over a store in a folder, on ports that the system chooses."""

    def __init__(self, program: str, folder: Path, *settings: str) -> None:
        self.token = secrets.token_hex(32)
        self.store = folder / "ledger.db"
        self.output = folder / "serve.txt"
        limits = ["--key-rate", "0", "--address-rate", "0", "--log", "off"]
        internal = ["--internal-listen", "127.0.0.1:0", "--internal-token", self.token]
        command = [program, "serve", "--listen", "127.0.0.1:0", "--store", str(self.store)]
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [*command, *internal, *limits, *settings], stdout=output, stderr=output
            )
        self.base = self._address(r" serves .* on (http:\S+)")
        self.internal = self._address(r"the world reports on (http:\S+)")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the service, which writes down what it has first."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=120)

    def _address(self, pattern: str) -> str:
        """An address that the service prints once it listens there."""
        for _ in range(200):
            found = re.search(pattern, self.output.read_text())
            if found is not None:
                return found[1]
            assert self.process.poll() is None, self.output.read_text()
            time.sleep(0.05)
        sys.exit(f"the service did not start: {self.output.read_text()}")

    def fact(self, name: str, **body: Any) -> None:
        """Reports a fact of the world about the ledger of test keys."""
        url = f"{self.internal}/facts/{name}?environment=sandbox"
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        body = {"id": secrets.token_hex(8), **body}
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            outcome = json.load(answer)
        assert outcome["outcome"] == "applied", outcome

    def key(self) -> str:
        """A test key of a new account without money."""
        with Ledger(self.base) as ledger:
            return ledger.create_sandbox_key(email="ana@exemplo.com.br")["api_key"]

    def funded_key(self) -> str:
        """A test key of a new account, with money that is available at once."""
        key = self.key()
        with Ledger(self.base, key) as ledger:
            account = str(ledger.get_account()["key"]["account"])
            self.fact("policy.adopted", payer_ladder=False)
            terms = {"liberacao": "imediata", "carencia_horas": 0, "sem_retencao": True}
            self.fact("terms.adopted", account=account, cashin_max_cents=FUNDS, **terms)
            charge = ledger.create_charge(
                "funds", amount_cents=FUNDS, payer_tax_number="52998224725", destino="saldo"
            )
            assert isinstance(charge, Success), charge
            ledger.pay_sandbox_charge(charge.operation["cashin_id"])
        return key
