"""The model's part for agents: mandates, stops and rewards (contract 4.9; P:MandateDay)."""
from dataclasses import dataclass, field
from typing import Any

from ...client.accounts import MANDATE, Account
from ...client.history import Intent
from ..books import Contradiction, Operation, Series
from ..model import BRASILIA, DAY
from ..partners.model import CommissionModel

REWARD_BPS = 10
Mandate = dict[str, Any]


@dataclass
class Agent:
    """An agent: what it may do, what it sent each day, and what it settled."""

    account: str
    referrer: str
    mandate: Series = field(default_factory=lambda: Series(MANDATE))
    stopped: Series = field(default_factory=lambda: Series(False))
    settled: Series = field(default_factory=lambda: Series(0))
    days: dict[int, Series] = field(default_factory=dict)

    def used(self, day: int) -> Series:
        """Returns what was sent on a day of Brasília, amounts without fees."""
        return self.days.setdefault(day, Series(0))


def day_of(at: int) -> int:
    """Returns the day of Brasília of an instant in microseconds."""
    return (at - BRASILIA) // DAY


def recipient(body: dict[str, Any]) -> str | None:
    """Returns the proven document of who receives: a key that is one; a wallet has none over HTTP
    (docs/DECISIONS.md, 66)."""
    return body["tax_number"] if body.get("pix_key") == body["tax_number"] else None


def breach(mandate: Mandate, used: int, body: dict[str, Any]) -> str | None:
    """Returns the code by which a mandate refuses; ceilings are judged before the recipient."""
    amount = body["amount_cents"]
    most, daily = mandate.get("max_por_operacao_cents"), mandate.get("max_diario_cents")
    if most is not None and amount > most or daily is not None and used + amount > daily:
        return "mandate_valor_acima_do_teto"
    if mandate.get("contrapartes") and recipient(body) not in mandate["contrapartes"]:
        return "mandate_contraparte_nao_autorizada"
    return None


class AgentModel(CommissionModel):
    """Follows the agents among the accounts."""

    def __init__(self, accounts: list[Account]):
        super().__init__(accounts)
        self.agents = {account.name: Agent(account.name, account.referrer)
                       for account in accounts if account.agent}

    def allowed_to(self, intent: Intent, op: str) -> Agent | None:
        """Returns the agent whose request it is; raises where policy has stopped it."""
        agent = self.agents.get(intent.account)
        if agent is not None and agent.stopped.values[-1]:
            raise Contradiction(f"{intent.kind} {op}: its agent was stopped (P:AgentSuspended)")
        return agent

    def send(self, intent: Intent, op: str) -> None:
        """Counts what leaves for the day, and raises where the mandate forbids it."""
        agent = self.allowed_to(intent, op)
        if agent is None:
            return
        amount, used = intent.body["amount_cents"], agent.used(day_of(self.at))
        code = breach(agent.mandate.values[-1], used.values[-1], intent.body)
        if code is not None:
            raise Contradiction(f"{intent.kind} {op}: {amount} to {intent.body['tax_number']} were "
                                f"accepted against {agent.mandate.values[-1]} with "
                                f"{used.values[-1]} sent that day (contract 4.9, `{code}`)")
        used.put(self.record, used.values[-1] + amount)

    def charge(self, intent: Intent, op: str) -> str:
        """Issues a charge, unless its agent was stopped."""
        self.allowed_to(intent, op)
        return super().charge(intent, op)

    def transfer(self, intent: Intent, op: str) -> str:
        """Moves money, which no mandate bounds."""
        self.allowed_to(intent, op)
        return super().transfer(intent, op)

    def payout(self, intent: Intent, op: str) -> str:
        """Debits what the mandate lets leave."""
        self.send(intent, op)
        return super().payout(intent, op)

    def conversion(self, intent: Intent, op: str) -> str:
        """Debits what the mandate lets leave."""
        self.send(intent, op)
        return super().conversion(intent, op)

    def mandate(self, intent: Intent, op: str) -> str:
        """Replaces the mandate whole (P:MandateEdit)."""
        agent = self.allowed_to(intent, op)
        assert agent is not None
        agent.mandate.put(self.record, intent.body)
        return "applied"

    def agent_suspended(self, body: dict[str, Any], _: str | None) -> str:
        """Stops an agent."""
        self.agents[body["agent_id"]].stopped.put(self.record, True)
        return "applied"

    def agent_reinstated(self, body: dict[str, Any], _: str | None) -> str:
        """Lets an agent go on."""
        self.agents[body["agent_id"]].stopped.put(self.record, False)
        return "applied"

    def is_so_already(self, intent: Intent) -> bool:
        """Tells of an agent whether it was stopped, or went on, before."""
        agent = self.agents.get((intent.body or {}).get("agent_id"))
        stops = {"fact:agent.suspended": True, "fact:agent.reinstated": False}.get(intent.kind)
        stood = agent is not None and agent.stopped.values[-1] == stops
        return stood or super().is_so_already(intent)

    # The outcomes of payments sent.

    def give_back(self, made: Operation, outcome: str) -> str:
        """Takes what came to nothing off the day on which it was asked for."""
        agent = self.agents.get(made.account)
        if agent is not None and outcome == "applied":
            used = agent.used(day_of(made.at))
            used.put(self.record, used.values[-1] - made.paid)
        return outcome

    def settle(self, made: Operation, outcome: str) -> str:
        """Adds what was paid or sent to what its agent settled (P:RewardDepth)."""
        agent = self.agents.get(made.account)
        if agent is not None and outcome == "applied":
            amount = made.body["amount_cents"]
            agent.settled.put(self.record, agent.settled.values[-1] + amount)
        return outcome

    def payout_paid(self, body: dict[str, Any], op: str | None) -> str:
        """Settles a payout."""
        return self.settle(self.operations[body["payout_id"]], super().payout_paid(body, op))

    def payout_refused(self, body: dict[str, Any], op: str | None) -> str:
        """Gives a payout back."""
        return self.give_back(self.operations[body["payout_id"]], super().payout_refused(body, op))

    def payout_returned(self, body: dict[str, Any], op: str | None) -> str:
        """Gives a payout back that came back whole."""
        made, outcome = self.operations[body["payout_id"]], super().payout_returned(body, op)
        return self.give_back(made, outcome) if made.state == "returned" else outcome

    def delivery_sent(self, body: dict[str, Any], op: str | None) -> str:
        """Settles a purchase or a conversion."""
        return self.settle(self.operations[body["cashin_id"]], super().delivery_sent(body, op))

    def delivery_given_up(self, body: dict[str, Any], op: str | None) -> str:
        """Gives a conversion back."""
        made = self.operations[body["cashin_id"]]
        return self.give_back(made, super().delivery_given_up(body, op))

    def referred(self, account: str) -> list[Agent]:
        """Returns the agents that came by another."""
        return [agent for agent in self.agents.values() if agent.referrer == account]
