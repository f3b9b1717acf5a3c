"""The accounts that a run opens for itself, and what the world reports before it begins."""
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from .transport import Answer, Connection

# Terms of the three accounts: money at once; money on the next day; the published terms.
TERMS: dict[str, dict[str, object]] = {
    "instant": {"sem_retencao": True, "liberacao": "imediata", "carencia_horas": 0},
    "nextday": {"sem_retencao": True, "liberacao": "proximo_dia", "carencia_horas": 0},
    "published": {},
}
CUSTOMERS = ("ana", "bia", "caio", "davi")
HOUSE = "casa"


@dataclass
class Account:
    """An account of this run, its key, and the secret of its webhooks."""

    name: str
    terms: str
    key: str
    secret: str


@dataclass
class Target:
    """Where a deployment is reached, and by which secrets."""

    url: str
    world: str
    token: str
    records: str
    records_secret: str
    replica: str = ""


def expect(answer: Answer, about: str) -> dict[str, object]:
    """Returns the body of an answer that must be a 200."""
    if answer.status != 200:
        raise SystemExit(f"{about} was answered {answer.status}: {answer.body} {answer.error}")
    body: dict[str, object] = answer.body
    return body


def beginnings(run: str) -> list[tuple[str, dict[str, object]]]:
    """Returns the facts that come first: no ladder, a float, and one price for one network."""
    pair = {"asset": "usdt", "chain": "polygon", "rail": "instant", "decimals": 6,
            "minBuyAmount": "1", "withdrawFee": "0", "entregavel": True, "eta": "1 min",
            "etaSeconds": 60}
    return [("policy.adopted", {"id": f"{run}-policy", "payer_ladder": False,
                                "rate_max_age_seconds": 65_535}),
            ("treasury.moved", {"id": f"{run}-float", "from": "equity.funding", "to": "prov.pay",
                                "amount_cents": 10_000_000_000}),
            ("catalog.updated", {"id": f"{run}-catalog", "items": [pair]}),
            ("treasury.moved", {"id": f"{run}-coins", "from": "equity.funding", "to": "treas",
                                "asset": "usdt", "chain": "polygon", "amount": "100000000"}),
            ("rate.quoted", {"id": f"{run}-rate", "asset": "usdt", "brl_per_unit": "5.40"})]


def open_accounts(target: Target, run: str) -> list[Account]:
    """Opens the accounts of a run, sets where their webhooks go, and switches the ladder off."""
    world, clients = Connection(target.world), Connection(target.url)
    bearer = {"Authorization": f"Bearer {target.token}"}
    for name, body in beginnings(run):
        expect(world.send("POST", f"/facts/{name}", body, bearer), name)
    opened = []
    for terms, fields in TERMS.items():
        name = f"{run}-{terms}"
        body = {"id": name, "account": name, "terms": fields}
        said = expect(world.send("POST", "/facts/account.opened", body, bearer), "account.opened")
        key = str(said["api_key"])
        hook = {"webhook_url": f"https://check.example/{name}"}
        shown = expect(clients.send("PATCH", "/keys/me", hook, {"X-API-Key": key}), "PATCH /keys/me")
        opened.append(Account(name, terms, key, str(shown["webhook_whsec"])))
    return opened


def save_accounts(path: Path, accounts: list[Account]) -> None:
    """Writes the accounts beside the history, for a later check."""
    path.write_text(json.dumps([asdict(account) for account in accounts]))


def load_accounts(path: Path) -> list[Account]:
    """Reads them again."""
    return [Account(**row) for row in json.loads(path.read_text())]
