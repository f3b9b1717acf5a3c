"""Holds answers to agents against the model."""
from typing import TYPE_CHECKING

from ...client.history import Entry
from ..model import instant
from .model import REWARD_BPS, Agent, breach, day_of

if TYPE_CHECKING:
    from ..readings import Readings

MANDATE_CODES = ("mandate_valor_acima_do_teto", "mandate_contraparte_nao_autorizada")


class AgentReadings:
    """The checks of what agents read, and of what they were refused."""

    def __init__(self, readings: "Readings"):
        self.readings, self.model = readings, readings.model
        self.checks = {"read:rewards": self.rewards, "read:network": self.network,
                       "mandate": self.mandate}

    def find(self, code: str, entry: Entry, text: str) -> None:
        """Notes a finding."""
        self.readings.find(code, entry, text)

    def agent(self, entry: Entry) -> Agent:
        """Returns the agent that asks."""
        return self.model.agents[entry.intent.account]

    def rewards(self, entry: Entry, low: int, high: int) -> None:
        """Holds the volume of those referred, and a tenth of a percent of it."""
        volume, earned = entry.answer["referred_volume_cents"], entry.answer["accrued_cents"]
        if earned != volume * REWARD_BPS // 10_000:
            self.find("wrong-reward", entry, f"{earned} of a volume of {volume}")
        others = self.model.referred(entry.intent.account)
        if not others:
            if volume:
                self.find("wrong-reward", entry, f"a volume of {volume} of nobody")
            return
        self.readings.match(entry, others[0].settled, low, high, lambda value: value == volume,
                            volume, "wrong-reward")

    def network(self, entry: Entry, low: int, high: int) -> None:
        """Holds an agent's own volume."""
        volume = entry.answer["volume_cents"]
        self.readings.match(entry, self.agent(entry).settled, low, high,
                            lambda value: value == volume, volume, "wrong-reward")
        self.status(entry, low, high)

    def status(self, entry: Entry, low: int, high: int) -> None:
        """Holds whether an agent is stopped."""
        stopped = entry.answer["status"] == "suspended"
        self.readings.match(entry, self.agent(entry).stopped, low, high,
                            lambda value: value == stopped, entry.answer["status"], "wrong-status")

    def mandate(self, entry: Entry, low: int, high: int) -> None:
        """Holds a mandate against what was asked for."""
        if entry.refused:
            if not self.refusal(entry, low, high):
                self.find("wrong-refusal", entry, f"{entry.status} {entry.answer.get('erro')}")
            return
        asked, shown = entry.intent.body, entry.answer["mandate"]
        self.readings.match(entry, self.agent(entry).mandate, low, high,
                            lambda value: value == asked, asked, "acknowledged-and-lost")
        for name in ("max_por_operacao_cents", "max_diario_cents"):
            if shown[name] != asked.get(name):
                self.find("wrong-answer", entry, f"{name} is {shown[name]} for {asked.get(name)}")
        if len(shown["contrapartes"]) != len(asked.get("contrapartes", ())):
            self.find("wrong-answer", entry, f"{shown['contrapartes']} may receive")

    def refusal(self, entry: Entry, low: int, high: int) -> bool:
        """Judges what only agents are refused for; false where it is no such refusal."""
        code, agent = entry.answer.get("erro"), self.model.agents.get(entry.intent.account)
        if agent is None or code not in (*MANDATE_CODES, "nao_permitido"):
            return False
        if entry.status != 403:
            self.find("wrong-status-code", entry, f"{entry.status} where 403 is due")
        if code == "nao_permitido":
            self.readings.match(entry, agent.stopped, low, high, lambda value: value, "a stop",
                                "wrong-refusal")
        elif not self.is_true(entry, agent, low, high):
            self.find("wrong-refusal", entry, f"{entry.answer} for {entry.intent.body}")
        return True

    def is_true(self, entry: Entry, agent: Agent, low: int, high: int) -> bool:
        """Tells whether some mandate that it may have seen refuses so."""
        body, answer = entry.intent.body, entry.answer
        if "libera_em" in answer:
            spans = agent.used(day_of(instant(answer["libera_em"])) - 1).between(low, high)
            sums = [value for _, value in spans]
        else:
            sums = [0]
        for _, mandate in agent.mandate.between(low, high):
            limits = ([mandate.get("max_por_operacao_cents")] if "libera_em" not in answer else
                      [mandate.get("max_diario_cents", 0) - used for used in sums])
            for used, limit in zip(sums, limits):
                fits = breach(mandate, used, body)
                most = answer.get("limits", {}).get("max_amount_cents")
                if fits == answer["erro"] and (most is None or most == max(0, limit or 0)):
                    return True
        return False
