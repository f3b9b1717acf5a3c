"""Reads, and requests that must be refused."""
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote

from . import agents, commissions, wallets
from .accounts import CUSTOMERS, HOUSE, Account
from .flows import PAYER, Maker
from .history import Intent

# An operation that a worker made: its kind, its id, its external id, whose it is, and its intent.
Made = tuple[str, str, str, str, Intent]
STATUS_PATHS = {"charge": "/cashin/{}/status", "conversion": "/cashin/{}/status",
                "sale": "/cash-outs/{}", "wallet_payment": "/carteira-usdt/payments/{}",
                "withdrawal": "/carteira-usdt/withdrawals/{}"}
# The amounts that are texts.
AMOUNTS = {"sale": "brl_amount", "wallet_payment": "brl_amount", "withdrawal": "amount"}
LISTS = {"charge": "/cashin/charges", "payout": "/payouts", "sale": "/cash-outs"}


def subaccount(customer: str, path: str, **query: object) -> str:
    """Returns a path with its query; the house has no name in it."""
    pairs = {} if customer == HOUSE else {"customer_ref": customer}
    pairs |= {name: str(value) for name, value in query.items()}
    text = "&".join(f"{name}={quote(value, safe='')}" for name, value in pairs.items())
    return path + ("?" + text if text else "")


def read(maker: Maker, account: Account, what: str, path: str, **about: Any) -> Intent:
    """Makes a read."""
    return Intent("read:" + what, maker.key("r"), account.name, "GET", path, about=about)


def balance(maker: Maker, account: Account, customer: str) -> Intent:
    """Reads a balance as it stands."""
    return read(maker, account, "balance", subaccount(customer, "/saldo"), customer=customer)


def statement(maker: Maker, account: Account, customer: str, before: str | None = None,
              view: str = "lancamentos", limit: int = 20) -> Intent:
    """Reads a page of a statement."""
    query: dict[str, object] = {"limit": limit, "visao": view}
    if before:
        query["before"] = before
    path = subaccount(customer, "/saldo/extrato", **query)
    return read(maker, account, "statement", path, customer=customer, view=view, before=before)


def status(maker: Maker, account: Account, kind: str, op: str) -> Intent:
    """Reads an operation by its id."""
    what = "wallet_item" if kind in wallets.LISTS else "status"
    return read(maker, account, what, STATUS_PATHS[kind].format(op), op=op)


def operation(maker: Maker, account: Account, made: Made) -> Intent | None:
    """Reads an operation by its id, or by its external id."""
    kind, op, external, _, _ = made
    if kind in STATUS_PATHS and maker.dice.random() < 0.6:
        return status(maker, account, kind, op)
    if kind in LISTS:
        path = f"{LISTS[kind]}?external_id={quote(external)}"
        return read(maker, account, "list", path, op=op, external=external)
    return None


def any_read(maker: Maker, account: Account, made: list[Made], seen: list[str]) -> Intent:
    """Draws a read; an instant that a balance is asked of lies just before a record."""
    dice, customer = maker.dice, maker.customer()
    way = dice.random()
    own = [one for one in made if one[3] == account.name]
    if account.agent and way < 0.1:
        return dice.choice((agents.rewards, agents.network))(maker, account)
    if way < 0.30:
        return balance(maker, account, customer)
    if way < 0.40:
        return wallets.any_read(maker, account)
    if way < 0.43:
        return commissions.look(maker, account)
    if way < 0.45:
        return commissions.rows(maker, account)
    if way < 0.50:
        return statement(maker, account, customer)
    if way < 0.57:
        return read(maker, account, "consolidated", "/saldo/consolidado")
    if way < 0.67 and seen:
        moment = dice.choice(seen)
        path = subaccount(customer, "/saldo", em=moment)
        return read(maker, account, "balance_at", path, customer=customer, moment=moment)
    if own:
        chosen = operation(maker, account, dice.choice(own[-40:]))
        if chosen is not None:
            return chosen
    return balance(maker, account, customer)


def foreign(maker: Maker, account: Account, made: list[Made]) -> Intent | None:
    """Asks by one account's key for an operation of another."""
    others = [one for one in made if one[3] != account.name]
    if not others:
        return None
    kind, op, external, _, _ = maker.dice.choice(others[-40:])
    if kind in STATUS_PATHS:
        return read(maker, account, "foreign", STATUS_PATHS[kind].format(op), op=op)
    if kind in LISTS:
        return read(maker, account, "foreign", f"{LISTS[kind]}?external_id={external}", op=op)
    return None


def divergent(maker: Maker, account: Account, made: list[Made]) -> Intent | None:
    """Repeats the external id of an operation with another amount."""
    own = [one for one in made if one[3] == account.name]
    if not own:
        return None
    kind, op, external, _, first = maker.dice.choice(own[-40:])
    field = AMOUNTS.get(kind, "amount_cents")
    if field not in first.body:
        return None
    other = "77.77" if kind in AMOUNTS else first.body["amount_cents"] + 1
    body = {**first.body, field: other}
    return Intent("divergent", maker.key("d"), account.name, "POST", first.path, body,
                  about={"op": op, "external": external, "field": field})


def malformed(maker: Maker, account: Account) -> Intent:
    """Sends a request that the contract refuses whatever the balance is."""
    key = maker.key("b")
    good: dict[str, Any] = {"amount_cents": 100, "pix_key": PAYER, "tax_number": PAYER,
                            "external_id": key}
    bad = maker.dice.choice((
        ("/payouts", {**good, "amount_cents": 0}),
        ("/payouts", {**good, "amount_cents": -5}),
        ("/payouts", {name: value for name, value in good.items() if name != "tax_number"}),
        ("/payouts", {**good, "tax_number": "52998224724"}),
        ("/saldo/transferir", {"amount_cents": 5, "from_customer_ref": "ana",
                               "to_customer_ref": "ana", "external_id": key}),
        ("/cashin/charge", {"amount_cents": 600_001, "destino": "saldo",
                            "payer_tax_number": PAYER, "external_id": key}),
        ("/cashin/charge", {"amount_cents": 500, "destino": "nowhere",
                            "payer_tax_number": PAYER, "external_id": key}),
        *wallets.malformed(key),
    ))
    return Intent("malformed", key, account.name, "POST", bad[0], bad[1],
                  about={"erro": bad[2] if len(bad) > 2 else None})


def stranger(maker: Maker, account: Account) -> Intent:
    """Asks with a key that opens nothing."""
    return Intent("stranger", maker.key("k"), account.name, "GET", "/saldo",
                  about={"key": "svc_live_" + "0" * 48})


def customers() -> tuple[str, ...]:
    """Returns every balance that a run uses of an account."""
    return (*CUSTOMERS, HOUSE)


def before_instant(created: str) -> str | None:
    """Returns the instant a microsecond before one that an answer named."""
    try:
        at = datetime.fromisoformat(created.replace("Z", "+00:00")) - timedelta(microseconds=1)
    except ValueError:
        return None
    return at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
