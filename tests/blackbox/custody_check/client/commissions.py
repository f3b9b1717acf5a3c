"""Commission: its withdrawals, and reads of it (contract 4.7)."""
from .accounts import Account
from .flows import WALLET, Flow, Maker, delivery
from .history import Intent

PATH = "/comissao"


def withdrawal(maker: Maker, account: Account) -> Flow:
    """Commission that leaves as crypto."""
    asked = yield request(maker, account)
    if asked.done:
        yield from delivery(maker, account, asked.answer["withdrawal_id"])


def request(maker: Maker, account: Account) -> Intent:
    """Asks for commission."""
    body: dict[str, object] = {"amount_cents": maker.dice.choice((600, 1_001, 4_000)),
                               "asset": "usdt", "chain": "polygon", "payout_address": WALLET,
                               "external_id": maker.key("k")}
    return maker.request("commission", account, PATH + "/sacar-cripto", body)


def interval(maker: Maker, account: Account) -> Flow:
    """For a while a day must lie between two withdrawals."""
    yield maker.fact(account, "policy.adopted", "", commission_interval_hours=24)
    for _ in range(maker.dice.randint(1, 3)):
        yield from withdrawal(maker, account)
    yield maker.fact(account, "policy.adopted", "", commission_interval_hours=0)


def look(maker: Maker, account: Account) -> Intent:
    """Reads what is owed."""
    return Intent("read:commission", maker.key("r"), account.name, "GET", PATH)


def rows(maker: Maker, account: Account, before: str | None = None, limit: int = 20) -> Intent:
    """Reads a page of its ledger."""
    path = f"{PATH}/extrato?limit={limit}" + (f"&before={before}" if before else "")
    return Intent("read:commission_rows", maker.key("r"), account.name, "GET", path,
                  about={"before": before})
