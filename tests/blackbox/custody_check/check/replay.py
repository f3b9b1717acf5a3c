"""Replays the records: each acknowledged operation exactly once, and as the contract has it."""
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from ..client.accounts import Account
from ..client.history import Entry, Intent
from ..client.wallets import ONCE
from .agents.model import AgentModel
from .books import Contradiction, Operation
from .fees import commission
from .model import MINUTE, instant, next_midnight
from .order import FOREVER, Finding, Interval
from .records import Record

IDS = {"charge": "cashin_id", "payout": "payout_id", "transfer": "transfer_id",
       "conversion": "cashin_id", "sale": "cashout_id", "wallet_deposit": "deposit_id",
       "wallet_payment": "payment_id", "withdrawal": "withdrawal_id", "wallet_quote": "quote_id",
       "withdrawal_quote": "quote_id", "commission": "withdrawal_id",
       "fact:hold.placed": "hold_id", "fact:reservation.made": "hold_id"}
WRITES = ("charge", "payout", "transfer", "conversion", "sale", "accept", "wallet_payment",
          "withdrawal", "commission", *ONCE)

# Fields that every repeat answers alike.
STAYING = ("amount_cents", "external_id", "created_at", "customer_ref",
           "from_customer_ref", "to_customer_ref", "fee_cents", "debited_cents", "qr_copypaste",
           "expires_at", "usdt_reserved", "minimum_received", "amount", "address")

# Events of charges, holds, conversions and wallets, by their numbers in docs/FORMAT.md.
PREFIX = {6: ("ci_",), 9: ("ho_",), 16: ("cv_", "cw_"), 24: ("co_",), 29: ("ud_",), 31: ("uw_",),
          32: ("uq_",)}

# The event that keeps the id of a fact that was known, by its number there.
REPEATED = 59


def begins_delivery(number: int, event: list[Any]) -> bool:
    """Tells whether an event of a charge or a conversion begins an attempt to deliver."""
    if number == 6 and event[0] == 12:
        event = event[1][0]
        inner = event[1][0] if event[0] == 2 else None
    else:
        inner = event[1][0] if number == 16 and event[0] == 1 else None
    return inner is not None and inner[0] in (0, 1)


def story_key(entry: Entry) -> str:
    """Returns what the attempts that are to do one thing have in common."""
    return entry.request if entry.intent.kind in ONCE else entry.intent.key


@dataclass
class Story:
    """Everything that happened to one intent."""

    intent: Intent
    entries: list[Entry] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    outcome: str = ""

    @property
    def op(self) -> str | None:
        """Returns the id that the service answered with."""
        name = IDS.get(self.intent.kind)
        for entry in self.entries:
            if entry.done and name and name in (entry.answer or {}):
                return str(entry.answer[name])
        return None

    @property
    def acknowledged(self) -> bool:
        """Tells whether the service said that it did it."""
        if self.intent.kind in WRITES:
            return self.intent.kind != "mandate" and any(entry.done for entry in self.entries)
        return any(entry.done and entry.answer.get("outcome") in ("applied", "set_aside")
                   for entry in self.entries)


class Replay:
    """Holds a history against the records, one after the other."""

    def __init__(self, accounts: list[Account], entries: list[Entry], records: list[Record]):
        self.model = AgentModel(accounts)
        self.findings: list[Finding] = []
        self.stories: dict[str, Story] = {}
        self.requests: dict[str, Entry] = {}
        self.intervals: list[Interval] = []
        self.records = records
        for entry in entries:
            self.requests[entry.request] = entry
            if entry.intent.kind in WRITES or entry.intent.kind.startswith("fact:"):
                story = self.stories.setdefault(story_key(entry), Story(entry.intent))
                story.entries.append(entry)

    def find(self, code: str, text: str, at: int = 0) -> None:
        """Notes a finding."""
        self.findings.append(Finding(code, text, at))

    def run(self) -> None:
        """Replays all records, then looks for what has none."""
        for record in self.records:
            if record.deadline or record.request is None:
                self.deadline(record)
                continue
            entry = self.requests.get(record.request)
            if entry is None or story_key(entry) not in self.stories:
                if entry is not None:
                    self.unexpected(record, entry)
                continue
            self.replay(record, entry)
        for story in self.stories.values():
            self.close(story)

    def unexpected(self, record: Record, entry: Entry) -> None:
        """Judges a record of a request that should have changed nothing."""
        if entry.intent.kind != "resend":
            self.find("refused-yet-done", f"{entry.request} ({entry.intent.kind}) was to change "
                      f"nothing and made record {record.number}", entry.began)

    def replay(self, record: Record, entry: Entry) -> None:
        """Applies one record of an intent."""
        story = self.stories[story_key(entry)]
        story.records.append(record)
        about = f"{entry.intent.kind} {entry.intent.key}"
        if len(story.records) > 1:
            self.find("twice", f"{about} made records {story.records[0].number} and "
                      f"{record.number}: an external id is unique (rulings 7, 8)", entry.began)
            return
        answered = [one.ended for one in story.entries if one.done or one.refused]
        self.intervals.append(Interval(record.number, entry.began,
                                       min(answered, default=FOREVER), about))
        if [number for number, _ in record.events] == [REPEATED]:
            story.outcome = "known"
            if not self.model.is_so_already(story.intent):
                self.find("told-once", f"record {record.number}: {about} is recorded as known, and "
                          "what it says was not so", entry.began)
            return
        try:
            story.outcome = self.model.apply(record, story.intent, story.op)
        except Contradiction as why:
            self.find("against-the-contract", f"record {record.number}: {why}", entry.began)
        except KeyError as why:
            self.find("unknown-operation", f"record {record.number}, {about}: {why}", entry.began)

    def deadline(self, record: Record) -> None:
        """Applies what time brought due: expiry, maturity, the end of a reservation."""
        model = self.model
        model.record, model.at = record.number, record.at
        model.touched.clear()
        for number, fields in record.events:
            if number not in PREFIX or not fields:
                continue
            place = record.base + (fields[0] >> 4)
            made = next((model.by_number[prefix, place] for prefix in PREFIX[number]
                         if (prefix, place) in model.by_number), None)
            if made is not None and number == 24:
                model.order_deadline(made, fields[1][0])
            elif made is not None and number >= 29:
                model.wallet_deadline(made, number, fields[1][0])
            elif made is not None and begins_delivery(number, fields[1]):
                model.handed_out(made)
            elif made is not None:
                self.due(record, made, number, fields[1])
        model.close()

    def due(self, record: Record, made: Operation, number: int, event: list[Any]) -> None:
        """Applies one event of a deadline to an operation of ours."""
        model = self.model
        if number == 6 and event[0] == 1:
            if record.at != made.at + 15 * MINUTE:
                self.find("early", f"{made.op} expired at another instant than 15 minutes after it")
            model.note(made, "expired", "cashin.expired")
        elif number == 6 and event[0] == 5:
            assert made.balance is not None
            if record.at < next_midnight(made.at):
                self.find("early-release", f"{made.op} matured before midnight of Brasília")
            part = int(event[1][1])
            model.balance(made.account, made.balance.customer)
            made.balance.held -= part
            made.balance.available += part
            made.left_held, made.released = 0, True
            model.events.append((record.number, made.op, "cashin.settled", made.account))
        elif number == 9 and event[0] == 3 and made.hold is not None and not made.hold.ended:
            ends = made.body.get("expires_at")
            if ends is None or instant(ends) != record.at:
                self.find("early-release", f"{made.op} ended at another instant than {ends}")
            model.let_go(made)

    def close(self, story: Story) -> None:
        """Judges the answers of an intent against what the records have of it."""
        about = f"{story.intent.kind} {story.intent.key}"
        first = min(entry.began for entry in story.entries)
        if story.acknowledged and not story.records:
            self.find("acknowledged-and-lost", f"{about} was acknowledged and no record has it", first)
        refused = [entry for entry in story.entries if entry.refused]
        if refused and story.records and story.intent.kind in WRITES:
            for entry in refused:
                number = story.records[0].number
                code = entry.answer.get("erro") if isinstance(entry.answer, dict) else entry.status
                if entry.request == story.records[0].request:
                    self.find("refused-yet-done", f"{about} was refused ({code}) and made record "
                              f"{number}", entry.began)
        outcomes = {entry.answer.get("first_outcome", entry.answer["outcome"])
                    for entry in story.entries
                    if entry.done and isinstance(entry.answer, dict) and "outcome" in entry.answer}
        wrong = outcomes - {story.outcome, "known"}
        if story.records and story.outcome and wrong:
            self.find("wrong-outcome", f"{about}: record {story.records[0].number} is due to be "
                      f"{story.outcome}, and {sorted(wrong)} was answered", first)
        if story.intent.kind in WRITES:
            self.answers(story, about)

    def answers(self, story: Story, about: str) -> None:
        """Holds every answer of a request against the operation, in any state it was in."""
        made = self.model.operations.get(story.op or "")
        same: dict[str, set[str]] = defaultdict(set)
        for entry in story.entries:
            if not entry.done:
                continue
            for name in (IDS.get(story.intent.kind, "deposit_address"), *STAYING):
                if name in entry.answer:
                    same[name].add(repr(entry.answer[name]))
            asked = story.intent.body or {}
            for name in ("amount_cents", "external_id", "from_customer_ref", "to_customer_ref"):
                if name in asked and name in entry.answer and entry.answer[name] != asked[name]:
                    self.find("wrong-answer", f"{about}: {name} is answered as "
                              f"{entry.answer[name]!r}", entry.began)
        for name, values in same.items():
            if len(values) > 1:
                self.find("changed-answer", f"{about}: repeats were answered with {name} "
                          f"{sorted(values)} (contract 1, rule 6)", story.entries[0].began)
        if made is None or not story.records:
            return
        for entry in story.entries:
            if entry.done and entry.record and entry.request == story.records[0].request:
                if entry.record != story.records[0].number:
                    self.find("wrong-record", f"{about} names record {entry.record} and is "
                              f"record {story.records[0].number}", entry.began)
            if entry.done and story.intent.kind in ("payout", "conversion"):
                terms = self.model.terms[made.account]
                part = commission(terms, story.intent.kind, made.paid)
                if entry.answer.get("fee_partner_cents", part) != part:
                    self.find("wrong-fee", f"{about}: the partner's part is {part}", entry.began)
                fee = entry.answer["fee_cents"]
                if fee != made.net or entry.answer["debited_cents"] != made.paid + made.net:
                    self.find("wrong-fee", f"{about}: a fee of {fee} where {made.net} is due",
                              entry.began)

