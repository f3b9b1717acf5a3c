"""Sales: an order for crypto, its deposit, and the PIX or the refund that follows."""
from .accounts import Account
from .flows import WALLET, Flow, Maker, cpf
from .history import Intent


def sale(maker: Maker, account: Account) -> Flow:
    """An order on the fast rail, accepted, deposited, and paid or given back."""
    dice = maker.dice
    body: dict[str, object] = {"asset": "usdt", "network": "polygon", "pix_key": cpf(dice),
                               "brl_amount": dice.choice(("6.00", "50.00", "123.45")),
                               "pix_key_type": "cpf", "refund_address": WALLET,
                               "external_id": maker.key("s")}
    order = yield maker.request("sale", account, "/cash-outs", body)
    if not order.done:
        return
    op, amount = order.answer["cashout_id"], order.answer["amount"]
    accepted = yield Intent("accept", maker.key("a"), account.name, "POST",
                            f"/cash-outs/{op}/accept", about={"of": op})
    if not accepted.done:
        return
    tx_hash = maker.tx_hash()
    coins = {"asset": "usdt", "network": "polygon", "amount": amount}
    if dice.random() < 0.6:
        yield maker.fact(account, "deposit.seen", op, cashout_id=op, tx_hash=tx_hash, **coins)
    yield maker.fact(account, "deposit.confirmed", op, cashout_id=op, tx_hash=tx_hash, **coins)
    if dice.random() < 0.25:
        yield maker.fact(account, "cashout.pix_impossible", op, cashout_id=op)
        yield maker.fact(account, "refund.sent", op, cashout_id=op, tx_hash=maker.tx_hash())
        return
    paid = maker.fact(account, "cashout.paid", op, cashout_id=op, e2e=maker.pix("E"))
    yield paid
    if dice.random() < 0.2:
        yield paid
