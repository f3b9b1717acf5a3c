"""Sales: an order for crypto, its deposit, and the PIX or the refund that follows."""
from typing import Generator

from .accounts import Account
from .amounts import millionths, usdt
from .flows import OPERATOR, OTHER, WALLET, Flow, Maker, cpf
from .history import Entry, Intent


def sale(maker: Maker, account: Account) -> Flow:
    """An order on the fast rail, accepted, deposited, and paid or given back."""
    yield from order(maker, account, "polygon")


def exchange(maker: Maker, account: Account) -> Flow:
    """An order whose coins are sold on their network or at an exchange before it is paid."""
    yield from order(maker, account, maker.dice.choice(("bsc", "eth")))


def order(maker: Maker, account: Account, network: str) -> Flow:
    """An order, accepted, and what is deposited for it."""
    dice = maker.dice
    body: dict[str, object] = {"asset": "usdt", "network": network, "pix_key": cpf(dice),
                               "brl_amount": dice.choice(("6.00", "50.00", "123.45")),
                               "pix_key_type": "cpf", "refund_address": WALLET,
                               "external_id": maker.key("s")}
    if network != "polygon":
        body["brl_amount"] = dice.choice(("50.00", "123.45", "600.00"))
    made = yield maker.request("sale", account, "/cash-outs", body)
    if not made.done:
        return
    op, amount = made.answer["cashout_id"], made.answer["amount"]
    accepted = yield Intent("accept", maker.key("a"), account.name, "POST",
                            f"/cash-outs/{op}/accept", about={"of": op})
    if not accepted.done:
        return
    if dice.random() < 0.15:
        least = 0 if body["brl_amount"] == "6.00" else -1_000_000
        amount = usdt(millionths(amount) + dice.randint(least, 5_000_000))
    asset = "usdc" if dice.random() < 0.06 else "usdt"
    coins = {"asset": asset, "network": network, "amount": amount, "tx_hash": maker.tx_hash()}
    if asset == "usdt" and dice.random() < 0.6:
        yield maker.fact(account, "deposit.seen", op, cashout_id=op, **coins)
    yield maker.fact(account, "deposit.confirmed", op, cashout_id=op, **coins)
    if asset == "usdc":
        yield from refund(maker, account, op)
        return
    if network != "polygon":
        sold = yield from selling(maker, account, op, network, amount)
        if not sold:
            return
    yield from paying(maker, account, op)


def refund(maker: Maker, account: Account, op: str) -> Flow:
    """A person's decision to give back, and the coins that go back."""
    yield maker.fact(account, "refund.decided", op, cashout_id=op, **OPERATOR)
    yield maker.fact(account, "refund.sent", op, cashout_id=op, tx_hash=maker.tx_hash())


def late(maker: Maker, account: Account, op: str) -> Flow:
    """Somebody is late now and then."""
    if maker.dice.random() < 0.12:
        yield maker.fact(account, "cashout.delayed", op, cashout_id=op)
        yield maker.fact(account, "cashout.resumed", op, cashout_id=op)


def selling(maker: Maker, account: Account, op: str, network: str,
            amount: str) -> Generator[Intent, Entry, bool]:
    """Sells what was deposited; false where it goes back."""
    dice = maker.dice
    yield from late(maker, account, op)
    yield maker.fact(account, "sale.started", op, cashout_id=op)
    if dice.random() < 0.15:
        yield maker.fact(account, "sale.unknown", op, cashout_id=op)
    if dice.random() < 0.15:
        yield maker.fact(account, "sale.failed", op, cashout_id=op)
        yield maker.fact(account, "refund.sent", op, cashout_id=op, tx_hash=maker.tx_hash())
        return False
    if network == "eth":
        yield maker.fact(account, "sale.filled", op, cashout_id=op, asset="usdt",
                         network="polygon", amount=amount)
        yield from late(maker, account, op)
        yield maker.fact(account, "payment.started", op, cashout_id=op)
        return True
    cents = millionths(amount) * 540 // 1_000_000 - dice.randint(0, 50)
    yield maker.fact(account, "sale.filled", op, cashout_id=op, amount_cents=cents)
    yield from late(maker, account, op)
    if dice.random() < 0.7:
        yield maker.fact(account, "sale.forwarding", op, cashout_id=op)
    yield maker.fact(account, "sale.forwarded", op, cashout_id=op, amount_cents=cents)
    return True


def paying(maker: Maker, account: Account, op: str) -> Flow:
    """The PIX of an order: paid, impossible, of no known outcome, or to a refused key."""
    dice = maker.dice
    way = dice.random()
    if way < 0.2:
        yield maker.fact(account, "cashout.pix_impossible", op, cashout_id=op)
        yield maker.fact(account, "refund.sent", op, cashout_id=op, tx_hash=maker.tx_hash())
        return
    if way < 0.3:
        yield maker.fact(account, "cashout.unknown", op, cashout_id=op)
    if way < 0.25:
        yield maker.fact(account, "cashout.stopped", op, cashout_id=op, evidence="silence",
                         **OPERATOR)
    if 0.3 < way < 0.4:
        yield maker.fact(account, "cashout.key_refused", op, cashout_id=op, returned_cents=500)
        if way < 0.35:
            yield from refund(maker, account, op)
            return
        yield maker.fact(account, "cashout.cleared", op, cashout_id=op, pix_key=OTHER,
                         pix_key_type="cpf", **OPERATOR)
    paid = maker.fact(account, "cashout.paid", op, cashout_id=op, e2e=maker.pix("E"))
    yield paid
    if dice.random() < 0.2:
        yield paid
