"""Programs that mypy must refuse: each `type: ignore` is an error itself where it is not needed.

Core rule 6 in types: an unknown outcome has no operation and no way to a new intent, only its
look-up; and a look-up ends in the operation, in proof of its absence, or in the same unknown.
"""

from typing import assert_never, assert_type

from custody_ledger import (
    Absence,
    AsyncLedger,
    Ledger,
    Refusal,
    RepeatOnly,
    Success,
    Unknown,
)
from custody_ledger.schemas import Balance, Payout, StatementRow, Transfer, WebhookEvent


def outcomes(ledger: Ledger) -> None:
    outcome = ledger.create_payout("x", amount_cents=1, tax_number="1", pix_key="k")
    outcome.operation  # type: ignore[union-attr]
    match outcome:
        case Success(payout):
            assert_type(payout, Payout)
            assert_type(payout["amount_cents"], int)
        case Refusal(error):
            assert_type(error.acao, str)
        case Unknown():
            outcome.operation  # type: ignore[attr-defined]
            outcome.look_up().operation  # type: ignore[union-attr]
            lookups(outcome)
        case _:
            assert_never(outcome)
    match outcome:
        case Success() | Refusal():
            pass
        case _:
            assert_never(outcome)  # type: ignore[arg-type]


def lookups(unknown: Unknown[Payout]) -> None:
    lookup = unknown.look_up()
    match lookup:
        case Success(payout):
            assert_type(payout, Payout)
        case Absence(external_id):
            assert_type(external_id, str)
        case Unknown():
            pass
        case _:
            assert_never(lookup)


def transfers(ledger: Ledger) -> None:
    outcome = ledger.create_transfer("t", amount_cents=1, to_customer_ref="ana")
    if isinstance(outcome, RepeatOnly):
        outcome.look_up()  # type: ignore[attr-defined]
        assert_type(outcome.repeat(), Success[Transfer] | Refusal | RepeatOnly[Transfer])


def terms(ledger: Ledger) -> None:
    # An intent without an external id, or with another one in its terms.
    ledger.create_payout(amount_cents=1, tax_number="1", pix_key="k")  # type: ignore[call-arg]
    ledger.create_charge("x", amount_cents=1, payer_tax_number="1", destino="conta")  # type: ignore[arg-type]
    ledger.create_charge("x", amount_cents=1, payer_tax_number="1", destin="saldo")  # type: ignore[call-arg]
    ledger.create_charge("x", amount_cents=1.5, payer_tax_number="1")  # type: ignore[arg-type]


def reads(ledger: Ledger, event: WebhookEvent) -> None:
    assert_type(ledger.get_balance(), Balance)
    for row in ledger.statement_rows(visao="operacoes"):
        assert_type(row, StatementRow)
    if event["event"] == "payout.completed":
        assert_type(event["sequence"], int)


async def awaits(ledger: AsyncLedger) -> None:
    outcome = await ledger.create_payout("x", amount_cents=1, tax_number="1", pix_key="k")
    outcome.operation  # type: ignore[union-attr]
    if isinstance(outcome, Success):
        assert_type(outcome.operation, Payout)
    async for row in ledger.statement_rows():
        assert_type(row, StatementRow)
