"""Agents of the mesh: their mandates, a stop by policy, and reads of them (contract 4.9)."""
from . import flows
from .accounts import Account
from .flows import OPERATOR, OTHER, PAYER, Flow, Maker
from .history import Intent


def path(account: Account, what: str) -> str:
    """Returns a path of an agent's own."""
    return f"/mesh/agents/{account.agent}/{what}"


def mandate(maker: Maker, account: Account) -> Flow:
    """Another mandate, which replaces the last one whole (P:MandateEdit)."""
    dice = maker.dice
    body: dict[str, object] = {}
    if dice.random() < 0.7:
        most = dice.choice((0, 3_000, 9_000, 24_500)) + dice.randrange(1_000)
        body["max_por_operacao_cents"] = most
    if dice.random() < 0.6:
        body["max_diario_cents"] = dice.choice((50_000, 200_000, 1_000_000)) + dice.randrange(1_000)
    if dice.random() < 0.3:
        body["contrapartes"] = dice.choice(([PAYER], [OTHER], [PAYER, OTHER]))
    yield Intent("mandate", maker.key("m"), account.name, "POST", path(account, "mandate"), body)


def stop(maker: Maker, account: Account) -> Flow:
    """Policy stops an agent, and lets it go on."""
    yield maker.fact(account, "agent.suspended", "", agent_id=account.agent, **OPERATOR)
    for _ in range(maker.dice.randint(1, 4)):
        yield maker.dice.choice((rewards, network))(maker, account)
    yield maker.fact(account, "agent.reinstated", "", agent_id=account.agent, **OPERATOR)


def rewards(maker: Maker, account: Account) -> Intent:
    """Reads what an agent earned by those that it referred."""
    return Intent("read:rewards", maker.key("r"), account.name, "GET", path(account, "rewards"))


def network(maker: Maker, account: Account) -> Intent:
    """Reads what an agent settled itself."""
    return Intent("read:network", maker.key("r"), account.name, "GET", path(account, "network"))


FLOWS = ((flows.deposit, 30), (flows.payout, 40), (flows.transfer, 8), (flows.conversion, 14),
         (flows.purchase, 6), (mandate, 12), (stop, 2))
