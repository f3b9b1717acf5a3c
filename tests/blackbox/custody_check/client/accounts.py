"""The accounts that a run opens for itself, and what the world reports before it begins."""
import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from .transport import Answer, Connection

PARTNER: dict[str, object] = {"partner_fee_bps": 500, "partner_cashout_fee_bps": 300,
                              "partner_saque_fee_bps": 400}
AT_ONCE: dict[str, object] = {"sem_retencao": True, "liberacao": "imediata", "carencia_horas": 0}
# Terms of the accounts: money at once; money on the next day; the published terms, without a
# wallet; and those of agents, without one too. A partner earns with two.
TERMS: dict[str, dict[str, object]] = {
    "instant": {**AT_ONCE, "carteira_usdt": True},
    "nextday": {"sem_retencao": True, "liberacao": "proximo_dia", "carencia_horas": 0,
                "carteira_usdt": True, **PARTNER},
    "published": PARTNER,
    "agent": AT_ONCE,
}
COINS = ("usdt", "usdc")
# How coins of each network are sold.
ROUTES = {"polygon": "FAST", "bsc": "CONVERT", "eth": "DEX"}
# How the USDT wallet is offered; amounts in USDT.
WALLETS: dict[str, object] = {
    "networks": [{"network": "polygon", "name": "Polygon", "assets": ["USDT", "USDC"],
                  "eta_minutes": 2, "network_fee": "0.1"}],
    "min_deposit": "5", "withdrawal_fee": "0.1", "open_deposits_max": 14}
# The mandate with which an agent begins.
MANDATE: dict[str, object] = {"max_por_operacao_cents": 25_000, "max_diario_cents": 250_000}
CUSTOMERS = ("ana", "bia", "caio", "davi")
HOUSE = "casa"
SETTLEMENT = "0x52908400098527886E0F7030069857D2E4169EE7"
# The accounts of a run over several ledgers, whose operations all end, so that they can move.
MOVING = 4


@dataclass
class Account:
    """An account of this run, its key, and the secret of its webhooks; an agent has an id, and
    perhaps another account's agent that referred it."""

    name: str
    terms: str
    key: str
    secret: str
    agent: str = ""
    referrer: str = ""


@dataclass
class Target:
    """Where a deployment is reached, and by which secrets."""

    url: str
    world: str
    token: str
    records: str
    records_secret: str
    replica: str = ""
    ledgers: tuple[str, ...] = ()


def insist(link: Connection, method: str, path: str, body: dict[str, object],
           headers: dict[str, str]) -> dict[str, object]:
    """Asks until there is an answer, which must be a 200; what is asked here may be repeated."""
    deadline = time.monotonic() + 120
    while True:
        answer: Answer = link.send(method, path, body, headers)
        if answer.status == 200:
            return dict(answer.body)
        if answer.status in range(1, 500) or time.monotonic() > deadline:
            raise SystemExit(f"{path} was answered {answer.status}: {answer.body} {answer.error}")
        time.sleep(0.5)


def beginnings(run: str) -> list[tuple[str, dict[str, object]]]:
    """Returns the facts that come first: no ladder, a float, one price, and the wallet."""
    pairs = [{"asset": asset, "chain": "polygon", "rail": "instant", "decimals": 6,
              "minBuyAmount": "1", "withdrawFee": "0", "entregavel": True, "eta": "1 min",
              "etaSeconds": 60} for asset in COINS]
    stock = [("treasury.moved", {"id": f"{run}-{asset}", "from": "equity.funding", "to": "treas",
                                 "asset": asset, "chain": "polygon", "amount": "100000000"})
             for asset in COINS]
    return [("policy.adopted", {"id": f"{run}-policy", "payer_ladder": False,
                                "rate_max_age_seconds": 65_535,
                                "commission_interval_hours": 0}),
            ("treasury.moved", {"id": f"{run}-float", "from": "equity.funding", "to": "prov.pay",
                                "amount_cents": 10_000_000_000}),
            ("catalog.updated", {"id": f"{run}-catalog", "items": pairs}),
            *stock,
            ("wallet.configured", {"id": f"{run}-wallet", **WALLETS}),
            ("markets.updated", {"id": f"{run}-markets", "items": [
                {"asset": "usdt", "network": network, "path": path}
                for network, path in ROUTES.items()]}),
            ("rate.quoted", {"id": f"{run}-rate", "asset": "usdt", "brl_per_unit": "5.40"})]


def open_accounts(target: Target, run: str) -> list[Account]:
    """Opens the accounts of a run, and sets where their webhooks go."""
    world, clients = Connection(target.world, 30), Connection(target.url, 30)
    bearer = {"Authorization": f"Bearer {target.token}"}
    for fact, body in beginnings(run):
        of_one = target.ledgers if fact == "treasury.moved" else ()
        for query in [f"?ledger={ledger}" for ledger in of_one] or [""]:
            insist(world, "POST", f"/facts/{fact}{query}", body, bearer)
    opened: list[Account] = []
    wanted = [(f"{run}-{terms}", terms) for terms in TERMS if terms != "agent"]
    if target.ledgers:
        wanted = [(f"{run}-moving-{place}", "instant") for place in range(MOVING)]
    for name, terms in wanted:
        name, key = open_account(world, bearer, name, TERMS[terms])
        opened.append(Account(name, terms, key, webhook_secret(clients, name, key)))
    if not target.ledgers:
        first = open_agent(world, clients, bearer, run)
        opened += [first, open_agent(world, clients, bearer, run, first)]
    return opened


def webhook_secret(clients: Connection, name: str, key: str) -> str:
    """Sets where the webhooks of an account go, and returns their secret."""
    hook: dict[str, object] = {"webhook_url": f"https://check.example/{name}"}
    shown = insist(clients, "PATCH", "/keys/me", hook, {"X-API-Key": key})
    if "webhook_whsec" not in shown:
        hook["rotate_webhook_secret"] = True
        shown = insist(clients, "PATCH", "/keys/me", hook, {"X-API-Key": key})
    return str(shown["webhook_whsec"])


def open_agent(world: Connection, clients: Connection, bearer: dict[str, str], run: str,
               referrer: Account | None = None) -> Account:
    """Admits an agent to production, perhaps by the referral of another; its account is its id."""
    body: dict[str, object] = {"name": "Checker", "contact": "check@example.com",
                               "capabilities": ["brl_to_pix"], "settlement_address": SETTLEMENT,
                               **MANDATE}
    if referrer is not None:
        given = insist(clients, "POST", "/mesh/referrals", {"capability": "brl_to_pix"},
                       {"X-API-Key": referrer.key})
        body["referral"] = given["referral_id"]
    for place in range(20):
        mark = hashlib.sha256(f"{run} {referrer} {place}".encode()).hexdigest()
        name = "ag_" + mark[:28]
        said = insist(world, "POST", "/facts/agent.activated",
                      {**body, "id": f"{run}-{mark[:20]}", "agent_id": name}, bearer)
        if "api_key" in said:
            key = str(said["api_key"])
            insist(world, "POST", "/facts/terms.adopted",
                   {"id": f"{run}-terms-{mark[:20]}", "account": name, **AT_ONCE}, bearer)
            secret = webhook_secret(clients, name, key)
            return Account(name, "agent", key, secret, name, referrer.name if referrer else "")
    raise SystemExit("no agent could be admitted")


def open_account(world: Connection, bearer: dict[str, str], wanted: str,
                 terms: dict[str, object]) -> tuple[str, str]:
    """Opens an account; its key is shown once, so a lost answer takes another name."""
    for place in range(20):
        name = wanted if place == 0 else f"{wanted}-{place}"
        body: dict[str, object] = {"id": name, "account": name, "terms": terms}
        said = insist(world, "POST", "/facts/account.opened", body, bearer)
        if "api_key" in said:
            return name, str(said["api_key"])
    raise SystemExit(f"no account {wanted} could be opened")


def save_accounts(path: Path, accounts: list[Account]) -> None:
    """Writes the accounts beside the history, for a later check."""
    path.write_text(json.dumps([asdict(account) for account in accounts]))


def load_accounts(path: Path) -> list[Account]:
    """Reads them again."""
    return [Account(**row) for row in json.loads(path.read_text())]
