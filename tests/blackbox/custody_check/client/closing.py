"""Flows whose operations all end soon, so that an account can move between ledgers."""
from . import flows, reads
from .accounts import Account
from .flows import AMOUNTS, OPERATOR, PAYER, WALLET, Flow, Maker, named


def deposit(maker: Maker, account: Account) -> Flow:
    """A charge that is paid; its PIX is reported twice now and then."""
    dice = maker.dice
    amount = dice.choice(AMOUNTS)
    body: dict[str, object] = {"destino": "saldo", "amount_cents": amount,
                               **named(maker.customer()), "payer_tax_number": PAYER,
                               "external_id": maker.key("c")}
    charge = yield maker.request("charge", account, "/cashin/charge", body)
    if charge.done:
        op = charge.answer["cashin_id"]
        paid = maker.fact(account, "pix.received", op, cashin_id=op, e2e=maker.pix("E"),
                          amount_cents=amount)
        yield paid
        if dice.random() < 0.2:
            yield paid


def payout(maker: Maker, account: Account) -> Flow:
    """A payout that is paid or refused."""
    dice = maker.dice
    body: dict[str, object] = {"amount_cents": dice.choice((1, 67, 1_000, 3_333, 9_000)),
                               **named(maker.customer()), "pix_key": PAYER, "tax_number": PAYER,
                               "external_id": maker.key("p")}
    asked = yield maker.request("payout", account, "/payouts", body)
    if not asked.done:
        return
    op = asked.answer["payout_id"]
    if dice.random() < 0.5:
        yield maker.fact(account, "payout.submitted", op, payout_id=op)
    if dice.random() < 0.3:
        yield maker.fact(account, "payout.refused", op, payout_id=op)
    else:
        yield maker.fact(account, "payout.paid", op, payout_id=op, e2e=maker.pix("E"))


def hold(maker: Maker, account: Account) -> Flow:
    """A block that is let go of, once the balance that it holds was read."""
    customer = maker.customer()
    placed = yield maker.fact(account, "hold.placed", "", kind="administrative",
                              amount_cents=maker.dice.choice((500, 3_000, 15_000)),
                              account=account.name, **named(customer), **OPERATOR)
    if "hold_id" in (placed.answer or {}):
        op = placed.answer["hold_id"]
        yield reads.balance(maker, account, customer)
        yield maker.fact(account, "hold.released", op, hold_id=op, **OPERATOR)


def conversion(maker: Maker, account: Account) -> Flow:
    """Custody that leaves as crypto at the first attempt."""
    body: dict[str, object] = {"amount_cents": maker.dice.choice((1_000, 3_001)),
                               **named(maker.customer()), "asset": "usdt", "chain": "polygon",
                               "payout_address": WALLET, "tax_number": PAYER,
                               "external_id": maker.key("v")}
    asked = yield maker.request("conversion", account, "/saldo/sacar-cripto", body)
    if asked.done:
        op = asked.answer["cashin_id"]
        yield maker.fact(account, "delivery.started", op, cashin_id=op, attempt=1)
        yield maker.fact(account, "delivery.sent", op, cashin_id=op, attempt=1,
                         tx_hash=maker.tx_hash())


FLOWS = ((deposit, 34), (payout, 20), (flows.transfer, 26), (hold, 3), (conversion, 4))
