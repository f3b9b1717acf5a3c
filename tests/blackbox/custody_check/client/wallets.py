"""The USDT wallet: deposits, payments of a PIX, withdrawals, and reads of them (contract 4.5)."""
from .accounts import TERMS, WALLETS, Account
from .amounts import millionths, usdt
from .flows import OPERATOR, PAYER, WALLET, Flow, Maker, cpf
from .history import Entry, Intent
from .receiver import code_for

PATH = "/carteira-usdt"
NETWORK = "polygon"
PROOF = {**OPERATOR, "evidence": "black-box run"}
# Requests without an external id: each time they are asked, they make something new.
ONCE = ("wallet_deposit", "wallet_quote", "withdrawal_quote", "mandate")
LISTS = {"wallet_deposit": "/deposits", "wallet_payment": "/payments", "withdrawal": "/withdrawals"}
STEPS = ("order_created", "accepted", "started")


def asked(maker: Maker, kind: str, account: Account, path: str, body: dict[str, object]) -> Intent:
    """Makes a request that has no external id: each time it is asked, it makes something new."""
    return Intent(kind, maker.key("q"), account.name, "POST", PATH + path, body)


def deposit(maker: Maker, account: Account) -> Flow:
    """A request for a deposit: paid exactly, or otherwise, or not at all."""
    dice = maker.dice
    exact = dice.random() < 0.75
    # Exact amounts share an address (docs/provider.md); what is sent wrongly has one of its own.
    amount = usdt(dice.randint(5_000_001, 90_000_000))
    if exact:
        amount = dice.choice(("20", "50", "120"))
    body: dict[str, object] = {"amount": amount, "network": NETWORK}
    entry = yield asked(maker, "wallet_deposit", account, "/deposits", body)
    if not entry.done:
        return
    if maker.left == 0 and dice.random() < 0.1:
        maker.left = 1
        return
    due = millionths(entry.answer["amount_to_send"])
    coins: dict[str, object] = {"tx_hash": maker.tx_hash(), "network": NETWORK, "amount": usdt(due),
                                "asset": dice.choice(("USDT", "USDT", "USDC"))}
    if not exact:
        coins["amount"] = usdt(due - dice.randint(1, 1_000_000))
        yield from doubtful(maker, account, entry, coins)
        return
    if dice.random() < 0.6:
        yield wallet_fact(maker, account, "deposit.seen", entry, **coins)
        if dice.random() < 0.08:
            yield wallet_fact(maker, account, "deposit.doubted", entry, cause="compliance",
                              tx_hash=coins["tx_hash"])
            yield from judged(maker, account, entry, coins)
            return
    confirmed = wallet_fact(maker, account, "deposit.confirmed", entry, **coins)
    yield confirmed
    if dice.random() < 0.15:
        yield confirmed
    if dice.random() < 0.06:
        yield wallet_fact(maker, account, "deposit.reversed", entry, **OPERATOR)


def many(maker: Maker, account: Account) -> Flow:
    """More requests than may be open, and then their coins."""
    entries = []
    for _ in range(int(str(WALLETS["open_deposits_max"])) + 1):
        body: dict[str, object] = {"amount": "10", "network": NETWORK}
        entry = yield asked(maker, "wallet_deposit", account, "/deposits", body)
        if not entry.done:
            break
        entries.append(entry)
    for entry in entries:
        yield wallet_fact(maker, account, "deposit.confirmed", entry, tx_hash=maker.tx_hash(),
                          network=NETWORK, asset="USDT", amount=entry.answer["amount_to_send"])


def doubtful(maker: Maker, account: Account, entry: Entry, coins: dict[str, object]) -> Flow:
    """Another amount than was asked for, which a person judges."""
    yield wallet_fact(maker, account, "deposit.seen", entry, **coins)
    yield from judged(maker, account, entry, coins)


def judged(maker: Maker, account: Account, entry: Entry, coins: dict[str, object]) -> Flow:
    """A person lets a deposit in, in whole or in part, or keeps it out."""
    way = maker.dice.random()
    if way < 0.2:
        yield wallet_fact(maker, account, "deposit.judged", entry, outcome="cleared", **OPERATOR)
    if way < 0.3:
        yield wallet_fact(maker, account, "deposit.judged", entry, outcome="vanished", **OPERATOR)
        return
    yield wallet_fact(maker, account, "deposit.confirmed", entry, tx_hash=coins["tx_hash"])
    if way < 0.5:
        yield wallet_fact(maker, account, "deposit.judged", entry, outcome="returned", **OPERATOR)
        return
    part: dict[str, object] = {}
    if way < 0.7:
        part["credited"] = usdt(maker.dice.randint(1, millionths(str(coins["amount"]))))
    yield wallet_fact(maker, account, "deposit.judged", entry, outcome="cleared", **part,
                      **OPERATOR)


def wallet_fact(maker: Maker, account: Account, name: str, entry: Entry, /,
                **body: object) -> Intent:
    """Reports something of what an answer named."""
    named = next(name for name in ("deposit_id", "payment_id", "withdrawal_id")
                 if name in entry.answer)
    body[named] = entry.answer[named]
    intent = maker.fact(account, "wallet." + name, str(body[named]), **body)
    intent.about["to_send"] = entry.answer.get("amount_to_send")
    return intent


def payment(maker: Maker, account: Account) -> Flow:
    """A PIX that the wallet pays, to a key or to a code."""
    dice = maker.dice
    body: dict[str, object] = {"funding_source": "crypto_usdt", "external_id": maker.key("u")}
    if dice.random() < 0.3:
        cents = dice.choice((600, 4_321, 15_000))
        body["br_code"] = code_for(f"{dice.getrandbits(64):016x}", cents)
        if dice.random() < 0.7:
            quote = yield asked(maker, "wallet_quote", account, "/quote",
                                {"br_code": body["br_code"]})
            if not quote.done:
                return
            body["quote_id"] = quote.answer["quote_id"]
    else:
        amount = dice.choice(("6.00", "33.33", "100.00", "250.00", "900.01", "2500.00"))
        if dice.random() < 0.15:
            wallet = yield look(maker, account)
            amount = all_of(account, wallet) or amount
        body |= {"pix_key": cpf(dice), "pix_key_type": "cpf", "brl_amount": amount}
    entry = yield maker.request("wallet_payment", account, PATH + "/payments", body)
    if entry.done:
        yield from paying(maker, account, entry)


def all_of(account: Account, wallet: Entry) -> str | None:
    """Returns the reais that a wallet just pays, without all of the one percent beside."""
    if not wallet.done:
        return None
    held = millionths(wallet.answer["balance"]["available"])
    share = 10_200 + int(str(TERMS[account.terms].get("partner_cashout_fee_bps", 0)))
    cents = ((held - 100_000) * 540 // 1_000_000 - 300) * 10_000 // share - 1
    return f"{cents // 100}.{cents % 100:02}" if cents >= 600 else None


def paying(maker: Maker, account: Account, entry: Entry) -> Flow:
    """A payment step by step; it fails, or nobody knows, before or after it was sent."""
    dice = maker.dice
    stops = dice.randint(0, 4) if dice.random() < 0.35 else 5
    for place, step in enumerate(STEPS):
        if place == stops:
            break
        where = {"address": WALLET} if step == "accepted" else {}
        if step != "order_created" or dice.random() < 0.5:
            yield wallet_fact(maker, account, "payment.started", entry, step=step, **where)
    if stops < 3:
        yield wallet_fact(maker, account, "payment.failed", entry)
        if dice.random() < 0.2:
            yield wallet_fact(maker, account, "payment.paid", entry, e2e=maker.pix("E"))
        return
    if stops == 3:
        yield from unsure(maker, account, entry)
        return
    yield wallet_fact(maker, account, "payment.sent", entry, tx_hash=maker.tx_hash())
    if stops == 4:
        yield from after_sending(maker, account, entry)
        return
    if dice.random() < 0.6:
        yield wallet_fact(maker, account, "payment.confirmed", entry)
    paid = wallet_fact(maker, account, "payment.paid", entry, e2e=maker.pix("E"))
    yield paid
    if dice.random() < 0.2:
        yield paid


def unsure(maker: Maker, account: Account, entry: Entry) -> Flow:
    """Nobody knows whether it was sent, until a person finds out."""
    yield wallet_fact(maker, account, "payment.unknown", entry)
    if maker.dice.random() < 0.5:
        yield wallet_fact(maker, account, "payment.resolved", entry, outcome="failed", **PROOF)
        return
    yield wallet_fact(maker, account, "payment.resolved", entry, outcome="sent",
                      tx_hash=maker.tx_hash(), **PROOF)
    yield wallet_fact(maker, account, "payment.paid", entry, e2e=maker.pix("E"))


def after_sending(maker: Maker, account: Account, entry: Entry) -> Flow:
    """It fails after it was sent, or nobody knows; a person decides about the reserve, once."""
    dice = maker.dice
    doubt = dice.random() < 0.5
    if doubt:
        yield wallet_fact(maker, account, "payment.unknown", entry)
    way = dice.random()
    if doubt and way < 0.3:
        yield wallet_fact(maker, account, "payment.paid", entry, e2e=maker.pix("E"))
        return
    if doubt and way < 0.5:
        yield wallet_fact(maker, account, "payment.resolved", entry, outcome="paid",
                          e2e=maker.pix("E"), id=maker.key("f"), **PROOF)
        return
    if doubt:
        yield wallet_fact(maker, account, "payment.resolved", entry, outcome="failed", **PROOF)
    else:
        yield wallet_fact(maker, account, "payment.failed", entry)
    for again in range(2):
        outcome = dice.choice(("return", "consume_paid", "consume_lost"))
        proof = {"e2e": maker.pix("E")} if outcome == "consume_paid" else {}
        yield wallet_fact(maker, account, "payment.resolved", entry, outcome=outcome,
                          id=maker.key("f"), **proof, **PROOF)
        if again or dice.random() < 0.7:
            return


def withdrawal(maker: Maker, account: Account) -> Flow:
    """A withdrawal to an external wallet, as it was quoted."""
    dice = maker.dice
    terms: dict[str, object] = {"amount": dice.choice(("1.5", "7", "12.345678", "80", "400")),
                                "asset": dice.choice(("USDT", "USDT", "USDC")),
                                "network": NETWORK, "address": WALLET}
    quote = yield asked(maker, "withdrawal_quote", account, "/withdrawals/quote", terms)
    if not quote.done:
        return
    body = {"quote_id": quote.answer["quote_id"], "amount": terms["amount"],
            "external_id": maker.key("x")}
    entry = yield maker.request("withdrawal", account, PATH + "/withdrawals", body)
    if not entry.done:
        return
    if dice.random() < 0.2:
        other = {**body, "external_id": maker.key("x")}
        yield Intent("duplicate", str(other["external_id"]), account.name, "POST",
                     PATH + "/withdrawals", other, about={"op": entry.answer["withdrawal_id"]})
    yield from withdrawing(maker, account, entry, str(terms["asset"]))


def withdrawing(maker: Maker, account: Account, entry: Entry, asset: str) -> Flow:
    """Funds, converts and sends; some are lost sight of, and a person finds out."""
    dice = maker.dice
    amount = least = millionths(entry.answer["amount"])
    if dice.random() < 0.15:
        yield wallet_fact(maker, account, "withdrawal.evidence", entry, outcome="failed", **PROOF)
        return
    yield wallet_fact(maker, account, "withdrawal.started", entry)
    yield from sight_lost(maker, account, entry)
    yield wallet_fact(maker, account, "withdrawal.funded", entry)
    least = millionths(entry.answer["minimum_received"])
    if asset == "USDC":
        amount -= dice.randint(0, (amount - 100_000 - least) // 2)
        yield wallet_fact(maker, account, "withdrawal.converted", entry, obtained=usdt(amount))
    if dice.random() < 0.15:
        yield wallet_fact(maker, account, "withdrawal.unknown", entry)
        yield wallet_fact(maker, account, "withdrawal.evidence", entry, outcome="failed", **PROOF)
        return
    most = amount - 100_000
    received = dice.choice((most, most, least, dice.randint(least, most), least - 1))
    sent = wallet_fact(maker, account, "withdrawal.sent", entry, tx_hash=maker.tx_hash(),
                       received=usdt(received))
    yield sent
    if dice.random() < 0.1:
        yield sent
    if received < least and dice.random() < 0.8:
        yield wallet_fact(maker, account, "withdrawal.evidence", entry, outcome="completed",
                          tx_hash=maker.tx_hash(), received=usdt(most), **PROOF)


def sight_lost(maker: Maker, account: Account, entry: Entry) -> Flow:
    """Nobody knows how it stands for a while, and then it goes on."""
    if maker.dice.random() < 0.15:
        yield wallet_fact(maker, account, "withdrawal.unknown", entry)
        yield wallet_fact(maker, account, "withdrawal.evidence", entry, outcome="resumed", **PROOF)


def malformed(key: str) -> list[tuple[str, dict[str, object], str]]:
    """Returns requests that are refused whatever a wallet has, and each one's code."""
    paid: dict[str, object] = {"brl_amount": "10.00", "pix_key": PAYER, "pix_key_type": "cpf",
                               "external_id": key}
    code = code_for("0" * 16, 1_000)
    return [(PATH + "/deposits", {"amount": "4.999999"}, "valor_abaixo_do_minimo"),
            (PATH + "/deposits", {"amount": "5.0000001"}, "valor_invalido"),
            (PATH + "/deposits", {"amount": "50", "network": "nowhere"}, "rede_indisponivel"),
            (PATH + "/payments", {**paid, "brl_amount": "5.99"}, "valor_abaixo_do_minimo"),
            (PATH + "/payments", {**paid, "br_code": code}, "campos_conflitantes"),
            (PATH + "/payments", {"brl_amount": "10.00", "external_id": key},
             "pix_key_obrigatoria"),
            (PATH + "/payments", {"br_code": code[:-1], "external_id": key}, "br_code_invalido"),
            (PATH + "/payments", {**paid, "funding_source": "pix"}, "funding_source_invalido")]


def any_read(maker: Maker, account: Account) -> Intent:
    """Draws a read of the wallet: its balance, or a list of what was asked for."""
    if maker.dice.random() < 0.6:
        return look(maker, account)
    return listed(maker, account, maker.dice.choice(list(LISTS)))


def look(maker: Maker, account: Account) -> Intent:
    """Reads the wallet as it stands."""
    return Intent("read:wallet", maker.key("r"), account.name, "GET", PATH)


def listed(maker: Maker, account: Account, kind: str) -> Intent:
    """Reads the hundred latest of a kind."""
    return Intent("read:wallet_list", maker.key("r"), account.name, "GET", PATH + LISTS[kind],
                  about={"kind": kind})
