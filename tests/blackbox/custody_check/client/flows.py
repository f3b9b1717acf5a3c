"""Flows: what becomes of one deposit, payout, hold or reservation, a step at a time.

A flow is a generator: it yields an `Intent` and is sent the `Entry` that ended it. Only the flow
that made an operation reports facts of it, so the facts of one operation have an order; those of
different operations, which share balances, do not.
"""
import hashlib
import random
import time
from typing import Generator

from .accounts import CUSTOMERS, HOUSE, Account
from .history import Entry, Intent

Flow = Generator[Intent, Entry, None]
PAYER, OTHER = "52998224725", "11144477735"
AMOUNTS = (101, 150, 999, 1_000, 2_500, 4_999, 5_999, 6_000, 6_001, 9_900, 10_000, 20_000)
WALLET = "0x52908400098527886e0f7030069857d2e4169ee7"
OPERATOR = {"actor": "check", "reason": "black-box run"}


class Maker:
    """Makes intents with ids that no other worker makes."""

    def __init__(self, run: str, worker: str, seed: int):
        self.run, self.worker = run, worker
        self.dice = random.Random(seed)
        self.made, self.left = 0, 0

    def key(self, sign: str) -> str:
        """Returns an id that is used once."""
        self.made += 1
        return f"{self.run}-{self.worker}-{sign}{self.made}"

    def pix(self, sign: str) -> str:
        """Returns an end-to-end id (`E`) or a return id (`D`)."""
        self.made += 1
        stamp = time.strftime("%Y%m%d%H%M", time.gmtime())
        return f"{sign}90400888{stamp}{self.run[:4].upper()}{self.worker}{self.made:04d}"

    def tx_hash(self) -> str:
        """Returns the hash of a transaction that no other run has."""
        return "0x" + hashlib.sha256(self.key("h").encode()).hexdigest()

    def customer(self, house: float = 0.15) -> str:
        """Draws a customer, or the house."""
        return HOUSE if self.dice.random() < house else self.dice.choice(CUSTOMERS)

    def request(self, kind: str, account: Account, path: str, body: dict[str, object]) -> Intent:
        """Makes a request that would change something."""
        return Intent(kind, str(body["external_id"]), account.name, "POST", path, body)

    def fact(self, account: Account, name: str, about: str, /, **body: object) -> Intent:
        """Makes a fact; those without an identity of the world get one of ours."""
        identity = body.get("id") or body.get("e2e") or body.get("return_id")
        if name.startswith("deposit.") or name == "wallet.deposit.seen":
            identity = f"{name} {body['tx_hash']}"
        key = str(identity or self.key("f"))
        if identity is None:
            body["id"] = key
        intent = Intent("fact:" + name, key, account.name, "POST", f"/facts/{name}", body, True)
        intent.about = {"of": about}
        return intent


def cpf(dice: random.Random) -> str:
    """Returns a CPF with valid check digits."""
    digits = [dice.randrange(10) for _ in range(8)] + [dice.randrange(1, 9)]
    digits[0] = (digits[8] + 1) % 10
    for _ in range(2):
        weights = range(len(digits) + 1, 1, -1)
        rest = sum(digit * weight for digit, weight in zip(digits, weights)) % 11
        digits.append(0 if rest < 2 else 11 - rest)
    return "".join(map(str, digits))


def named(customer: str) -> dict[str, str]:
    """Returns the field that names a customer, and none for the house."""
    return {} if customer == HOUSE else {"customer_ref": customer}


def opening(maker: Maker, account: Account, customer: str) -> Flow:
    """The first deposit of a balance, so that it is there before anything else is."""
    body: dict[str, object] = {"destino": "saldo", "amount_cents": 5_000, **named(customer),
                               "payer_tax_number": PAYER, "external_id": maker.key("o")}
    charge = yield maker.request("charge", account, "/cashin/charge", body)
    op = charge.answer["cashin_id"]
    yield maker.fact(account, "pix.received", op, cashin_id=op, e2e=maker.pix("E"),
                     amount_cents=5_000)


def deposit(maker: Maker, account: Account) -> Flow:
    """A charge, and one of the things that may become of it."""
    dice, customer = maker.dice, maker.customer()
    amount = dice.choice(AMOUNTS)
    body: dict[str, object] = {"destino": "saldo", "amount_cents": amount, **named(customer)}
    body |= {"payer_tax_number": PAYER, "external_id": maker.key("c")}
    charge = yield maker.request("charge", account, "/cashin/charge", body)
    if not charge.done:
        return
    op = charge.answer["cashin_id"]
    way = dice.random()
    e2e = maker.pix("E")
    if way < 0.06:
        yield maker.fact(account, "provider.cancelled", op, cashin_id=op)
        return
    if way < 0.10:
        return
    if way < 0.16:
        wrong = amount + dice.choice((-1, 1))
        yield maker.fact(account, "pix.received", op, cashin_id=op, e2e=maker.pix("E"),
                         amount_cents=wrong)
    if way < 0.30:
        yield maker.fact(account, "pix.seen", op, cashin_id=op, e2e=e2e, amount_cents=amount)
        if way < 0.23:
            yield maker.fact(account, "provider.settled", op, cashin_id=op)
        else:
            yield maker.fact(account, "provider.held", op, cashin_id=op)
            yield maker.fact(account, "provider.released", op, cashin_id=op)
    else:
        paid = maker.fact(account, "pix.received", op, cashin_id=op, e2e=e2e, amount_cents=amount)
        entry = yield paid
        if dice.random() < 0.2:
            yield paid
        if charge.answer["held"]:
            yield maker.fact(account, "provider.released", op, cashin_id=op)
    if dice.random() < 0.06:
        yield maker.fact(account, "pix.received", op, cashin_id=op, e2e=maker.pix("E"),
                         amount_cents=amount)
    yield from returns(maker, account, op, amount)


def returns(maker: Maker, account: Account, op: str, amount: int) -> Flow:
    """A dispute: perhaps a block, then money that goes back in parts or whole, or too much."""
    dice = maker.dice
    if dice.random() > 0.15:
        return
    if account.terms == "instant" and dice.random() < 0.5:
        placed = maker.fact(account, "hold.placed", op, account=account.name, cashin_id=op,
                            kind="dispute", amount_cents=amount, **OPERATOR)
        entry = yield placed
        if "hold_id" in (entry.answer or {}) and dice.random() < 0.3:
            yield maker.fact(account, "hold.released", entry.answer["hold_id"],
                             hold_id=entry.answer["hold_id"], **OPERATOR)
    left = amount
    while left > 0:
        part = left if dice.random() < 0.5 else dice.randint(1, left)
        if dice.random() < 0.1:
            yield maker.fact(account, "pix.returned", op, cashin_id=op, return_id=maker.pix("D"),
                             amount_cents=left + 1)
        yield maker.fact(account, "pix.returned", op, cashin_id=op, return_id=maker.pix("D"),
                         amount_cents=part)
        left -= part
        if dice.random() < 0.3:
            return


def payout(maker: Maker, account: Account) -> Flow:
    """A payout, and one of its outcomes."""
    dice, customer = maker.dice, maker.customer()
    amount = dice.choice((1, 66, 67, 100, 1_000, 3_333, 9_000, 25_000))
    payee = dice.choice((PAYER, OTHER)) if account.agent else PAYER
    body: dict[str, object] = {"amount_cents": amount, **named(customer), "pix_key": payee,
                               "tax_number": payee, "external_id": maker.key("p")}
    asked = yield maker.request("payout", account, "/payouts", body)
    if not asked.done:
        return
    op = asked.answer["payout_id"]
    if dice.random() < 0.7:
        yield maker.fact(account, "payout.submitted", op, payout_id=op)
    if dice.random() < 0.25:
        yield maker.fact(account, "payout.unknown", op, payout_id=op)
    way = dice.random()
    if way < 0.35:
        yield maker.fact(account, "payout.refused", op, payout_id=op)
        if dice.random() < 0.1:
            yield maker.fact(account, "payout.paid", op, payout_id=op, e2e=maker.pix("E"))
        return
    if way < 0.45:
        yield maker.fact(account, "payout.evidence", op, payout_id=op, outcome="not_paid",
                         evidence="statement", **OPERATOR)
        return
    if way < 0.5:
        return
    paid = maker.fact(account, "payout.paid", op, payout_id=op, e2e=maker.pix("E"))
    yield paid
    if dice.random() < 0.15:
        yield paid
    if dice.random() < 0.1:
        yield maker.fact(account, "payout.refused", op, payout_id=op)
    if dice.random() < 0.2:
        part = dice.randint(1, amount)
        for back in (part, amount - part, 1):
            if back > 0:
                yield maker.fact(account, "payout.returned", op, payout_id=op,
                                 return_id=maker.pix("D"), amount_cents=back)


def transfer(maker: Maker, account: Account) -> Flow:
    """A transfer between two balances of an account."""
    source = maker.customer()
    target = maker.dice.choice([c for c in (*CUSTOMERS, HOUSE) if c != source])
    body: dict[str, object] = {"amount_cents": maker.dice.choice((1, 50, 700, 2_000, 9_900, 40_000)),
                               "from_customer_ref": source, "to_customer_ref": target,
                               "external_id": maker.key("t")}
    yield maker.request("transfer", account, "/saldo/transferir", body)


def hold(maker: Maker, account: Account) -> Flow:
    """A block without a cause, which watches for what is short, and is let go of."""
    body: dict[str, object] = {"account": account.name, **named(maker.customer()), **OPERATOR}
    placed = yield maker.fact(account, "hold.placed", "", kind="administrative",
                              amount_cents=maker.dice.choice((500, 3_000, 15_000)), **body)
    if "hold_id" in (placed.answer or {}) and maker.dice.random() < 0.9:
        op = placed.answer["hold_id"]
        yield maker.fact(account, "hold.released", op, hold_id=op, **OPERATOR)


def reservation(maker: Maker, account: Account) -> Flow:
    """A reservation, captured in parts, let go of, or left to its deadline."""
    dice = maker.dice
    amount = dice.choice((400, 2_000, 8_000))
    body: dict[str, object] = {"account": account.name, **named(maker.customer()), **OPERATOR}
    if dice.random() < 0.3:
        ends = time.time() + dice.uniform(0.5, 6)
        body["expires_at"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ends))
    made = yield maker.fact(account, "reservation.made", "", amount_cents=amount, **body)
    if "hold_id" not in (made.answer or {}):
        return
    op, target = made.answer["hold_id"], dice.choice(CUSTOMERS)
    to = {"name": "cust.avail", "of": {"account": account.name, "customer_ref": target}}
    if body.get("customer_ref") != target and dice.random() < 0.8:
        yield maker.fact(account, "reservation.captured", op, hold_id=op,
                         amount_cents=dice.randint(1, amount), to=to,
                         final=dice.random() < 0.5, **OPERATOR)
    if "expires_at" not in body:
        yield maker.fact(account, "hold.released", op, hold_id=op, **OPERATOR)


def purchase(maker: Maker, account: Account) -> Flow:
    """A charge that buys crypto; only where no terms hold its PIX."""
    dice, amount = maker.dice, maker.dice.choice((1_000, 5_000, 12_345))
    body: dict[str, object] = {"destino": "cripto", "amount_cents": amount, "asset": "usdt",
                               "chain": "polygon", "payout_address": WALLET,
                               "payer_tax_number": PAYER, "external_id": maker.key("c")}
    charge = yield maker.request("charge", account, "/cashin/charge", body)
    if not charge.done or charge.answer["held"]:
        return
    op = charge.answer["cashin_id"]
    paid = maker.fact(account, "pix.received", op, cashin_id=op, e2e=maker.pix("E"),
                      amount_cents=amount)
    yield paid
    if dice.random() < 0.2:
        yield paid
    yield from delivery(maker, account, op)


def conversion(maker: Maker, account: Account) -> Flow:
    """Custody that leaves as crypto."""
    body: dict[str, object] = {"amount_cents": maker.dice.choice((1_000, 3_001, 20_000)),
                               **named(maker.customer()), "asset": "usdt", "chain": "polygon",
                               "payout_address": WALLET, "tax_number": PAYER,
                               "external_id": maker.key("v")}
    asked = yield maker.request("conversion", account, "/saldo/sacar-cripto", body)
    if asked.done:
        yield from delivery(maker, account, asked.answer["cashin_id"])


def delivery(maker: Maker, account: Account, op: str) -> Flow:
    """Attempts to send: some fail and are tried again, some are unknown, some are given up."""
    dice = maker.dice
    for attempt in range(1, 4):
        yield maker.fact(account, "delivery.started", op, cashin_id=op, attempt=attempt)
        way = dice.random()
        if way < 0.25:
            yield maker.fact(account, "delivery.failed", op, cashin_id=op, attempt=attempt)
            if dice.random() < 0.4:
                if op.startswith(("cv_", "cw_")):
                    yield maker.fact(account, "delivery.given_up", op, cashin_id=op, to="saldo",
                                     **OPERATOR)
                return
            continue
        sent = maker.fact(account, "delivery.sent", op, cashin_id=op, attempt=attempt,
                          tx_hash=maker.tx_hash())
        if way < 0.4:
            yield maker.fact(account, "delivery.unknown", op, cashin_id=op, attempt=attempt)
        yield sent
        if dice.random() < 0.1:
            yield sent
        return
