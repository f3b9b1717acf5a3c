"""Outcomes of intents by both clients, against a server that answers by a script."""

import asyncio
import inspect
import json
import socket
import sys
import threading
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Any
from unittest import mock

from custody_ledger import (
    Absence,
    AsyncLedger,
    AsyncRepeatOnly,
    AsyncUnknown,
    Ledger,
    NoAnswer,
    Policy,
    Refusal,
    RepeatOnly,
    RequestError,
    ServiceError,
    StopError,
    Success,
    SupportError,
    TransientError,
    Unknown,
    UnresolvedIntent,
    WaitError,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from stub import Stub  # noqa: E402

QUICK = Policy(attempts=4, timeout=20.0, backoff=0.01, longest_backoff=0.05)
TERMS = {"amount_cents": 5000, "tax_number": "52998224725", "pix_key": "ana@exemplo.com.br"}
PAYOUT = {"payout_id": "po_1", "external_id": "saque-1", "amount_cents": 5000}
LOSE = {"lose": True}
NONE: dict[str, Any] = {"body": {"payouts": []}}
SHORT = {"status": 402, "body": {"erro": "saldo_insuficiente", "acao": "corrigir"}}
BUSY = {"status": 503, "body": {"erro": "temporariamente_indisponivel", "acao": "repetir"}}


class Awaited:
    """The client for asyncio, whose methods are waited for: one test serves both clients."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target, self._loop = target, loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return self._waits(value) if callable(value) else value

    def _waits(self, method: Any) -> Any:
        def wait(*arguments: Any, **named: Any) -> Any:
            result = method(*arguments, **named)
            if inspect.isasyncgen(result):
                return self._loop.run_until_complete(gather(result))
            if inspect.isawaitable(result):
                result = self._loop.run_until_complete(waited(result))
            return self.wrap(result)

        return wait

    def wrap(self, result: Any) -> Any:
        """An outcome that is open has methods of its own to be awaited."""
        return OPEN[type(result)](result, self._loop) if type(result) in OPEN else result


async def waited(result: Any) -> Any:
    return await result


async def gather(rows: Any) -> list[Any]:
    return [row async for row in rows]


class AwaitedUnknown(Awaited):
    """An unknown outcome of the client for asyncio."""


class AwaitedRepeat(Awaited):
    """One that can only be repeated."""


OPEN: dict[type, type[Awaited]] = {AsyncUnknown: AwaitedUnknown, AsyncRepeatOnly: AwaitedRepeat}


class Outcomes(unittest.TestCase):
    """The plain client."""

    unknown: type = Unknown
    repeat_only: type = RepeatOnly
    stub: Stub

    @classmethod
    def setUpClass(cls) -> None:
        cls.stub = Stub()
        threading.Thread(target=cls.stub.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.stub.shutdown()
        cls.stub.server_close()

    def later(self, seconds: float) -> None:
        """Moves the clock that a look-up reads."""
        self.clock.monotonic.side_effect = lambda: time.monotonic() + seconds

    def setUp(self) -> None:
        patched = mock.patch("custody_ledger.intents.time")
        self.clock = patched.start()
        self.addCleanup(patched.stop)
        self.later(0.0)

    def client(self, base: str, policy: Policy) -> Any:
        ledger = Ledger(base, "svc_test_1", policy=policy)
        self.addCleanup(ledger.close)
        return ledger

    def ledger(self, *steps: dict[str, Any], policy: Policy = QUICK) -> Any:
        """A client of a script."""
        self.base = f"{self.stub.base}/{self.id().replace('/', '-')}"
        script = urllib.request.Request(f"{self.base}/script", json.dumps(steps).encode())
        urllib.request.urlopen(script).close()
        return self.client(self.base, policy)

    def log(self) -> Any:
        """The requests that came."""
        with urllib.request.urlopen(f"{self.base}/log") as answer:
            return json.load(answer)

    def payout(self, ledger: Any, external_id: Any = "saque-1", **other: Any) -> Any:
        return ledger.create_payout(external_id, **{**TERMS, **other})

    def test_every_attempt_has_the_same_external_id_body_and_request_id(self) -> None:
        html = {"status": 502, "body": "<html>"}
        ledger = self.ledger(LOSE, html, {"cut": True, "body": PAYOUT}, {"body": PAYOUT})
        self.assertEqual(self.payout(ledger), Success(PAYOUT))
        log = self.log()
        self.assertEqual(len(log), 4)
        self.assertEqual(len({request["request_id"] for request in log}), 1)
        for request in log:
            self.assertEqual(request["body"], {**TERMS, "external_id": "saque-1"})

    def test_retry_after_is_honoured(self) -> None:
        busy = {**BUSY, "headers": {"Retry-After": "1"}}
        ledger = self.ledger(busy, {"body": PAYOUT})
        self.assertIsInstance(self.payout(ledger), Success)
        first, second = self.log()
        self.assertGreaterEqual(second["at"] - first["at"], 1.0)

    def test_a_long_retry_after_is_the_callers(self) -> None:
        busy = {"erro": "limite_diario", "acao": "esperar"}
        ledger = self.ledger({"status": 429, "headers": {"Retry-After": "3600"}, "body": busy})
        outcome = self.payout(ledger)
        self.assertIsInstance(outcome, Refusal)
        self.assertIsInstance(outcome.error, WaitError)
        self.assertEqual(outcome.error.retry_after, 3600)
        self.assertEqual(len(self.log()), 1)

    def test_a_refusal_is_not_repeated_and_frees_the_subject(self) -> None:
        ledger = self.ledger(SHORT, {"body": PAYOUT})
        outcome = self.payout(ledger)
        self.assertIsInstance(outcome, Refusal)
        self.assertIsInstance(outcome.error, RequestError)
        self.assertEqual(ledger.unresolved(), [])
        self.assertIsInstance(self.payout(ledger, "saque-2"), Success)

    def test_an_unknown_outcome_must_be_looked_up_before_another_intent(self) -> None:
        listed = {"body": {"payouts": [PAYOUT]}}
        ledger = self.ledger(LOSE, LOSE, LOSE, LOSE, listed, {"body": PAYOUT})
        outcome = self.payout(ledger)
        self.assertIsInstance(outcome, self.unknown)
        self.assertFalse(hasattr(outcome, "operation"))
        for external_id, other in (("saque-2", {}), ("saque-1", {"amount_cents": 1})):
            with self.assertRaises(UnresolvedIntent):
                self.payout(ledger, external_id, **other)
        self.assertEqual([it.external_id for it in ledger.unresolved()], ["saque-1"])
        self.assertEqual(outcome.look_up(), Success(PAYOUT))
        self.assertEqual(self.log()[-1]["path"], "/payouts?external_id=saque-1")
        self.assertIsInstance(self.payout(ledger, "saque-2"), Success)

    def test_other_subjects_are_not_held_up(self) -> None:
        ledger = self.ledger(LOSE, LOSE, LOSE, LOSE, {"body": PAYOUT})
        self.assertIsInstance(self.payout(ledger), self.unknown)
        self.assertIsInstance(self.payout(ledger, "saque-2", pix_key="+5511987654321"), Success)

    def test_absence_is_proven_only_once_no_copy_can_arrive(self) -> None:
        ledger = self.ledger(LOSE, LOSE, LOSE, LOSE, NONE, NONE, {"body": PAYOUT})
        outcome = self.payout(ledger).look_up()
        self.assertIsInstance(outcome, self.unknown)
        self.later(QUICK.settle)
        self.assertEqual(outcome.look_up(), Absence("saque-1"))
        self.assertIsInstance(self.payout(ledger, amount_cents=1), Success)

    def test_an_earlier_outcome_proves_no_absence_of_a_later_attempt(self) -> None:
        ledger = self.ledger(*[LOSE] * 8, NONE, NONE)
        early = self.payout(ledger)
        self.later(QUICK.settle)
        self.assertIsInstance(early.repeat(), self.unknown)
        self.assertIsInstance(early.look_up(), self.unknown)
        self.later(2 * QUICK.settle)
        self.assertIsInstance(early.look_up(), Absence)

    def test_a_copy_that_came_later_than_anybody_expected_is_looked_up(self) -> None:
        differs = {"erro": "external_id_divergente", "acao": "corrigir"}
        late = {"status": 409, "body": differs}
        listed = {"body": {"payouts": [PAYOUT]}}
        policy = Policy(attempts=1, timeout=20.0, settle=0.0)
        ledger = self.ledger(LOSE, NONE, late, listed, late, policy=policy)
        self.assertIsInstance(self.payout(ledger).look_up(), Absence)
        outcome = self.payout(ledger, amount_cents=1)
        self.assertIsInstance(outcome, self.unknown)
        self.assertEqual(outcome.look_up(), Success(PAYOUT))
        self.assertIsInstance(self.payout(ledger, amount_cents=1), Refusal)

    def test_a_refusal_after_silence_proves_nothing(self) -> None:
        ledger = self.ledger(LOSE, SHORT, SHORT, SHORT)
        outcome = self.payout(ledger)
        self.assertIsInstance(outcome, self.unknown)
        self.assertIsInstance(outcome.error, RequestError)
        outcome = outcome.repeat()
        self.assertIsInstance(outcome, self.unknown)
        self.later(QUICK.settle)
        self.assertIsInstance(outcome.repeat(), Refusal)

    def test_a_failure_of_the_service_is_unknown(self) -> None:
        for acao, attempts in (("falar_com_suporte", 1), ("repetir", 4), ("esperar", 4)):
            step = {"status": 500, "body": {"erro": "erro_interno", "acao": acao}}
            ledger = self.ledger(*[step] * attempts)
            self.assertIsInstance(self.payout(ledger), self.unknown)
            self.assertEqual(len(self.log()), attempts)

    def test_answers_without_the_contracts_body_are_unknown(self) -> None:
        for step in ({"body": "ok"}, {"status": 403, "body": "<html>"}, {"status": 302}):
            ledger = self.ledger(*[step] * 4)
            self.assertIsInstance(self.payout(ledger), self.unknown)

    def test_a_time_out_is_unknown(self) -> None:
        policy = Policy(attempts=1, timeout=0.2)
        ledger = self.ledger({"hang": 0.5}, policy=policy)
        self.assertIsInstance(self.payout(ledger), self.unknown)

    def test_a_look_up_without_an_answer_settles_nothing(self) -> None:
        policy = Policy(attempts=1, timeout=20.0, settle=0.0)
        ledger = self.ledger(LOSE, LOSE, SHORT, policy=policy)
        outcome = self.payout(ledger).look_up()
        self.assertIsInstance(outcome, self.unknown)
        self.assertIsInstance(outcome.look_up(), self.unknown)

    def test_a_full_list_of_the_latest_proves_no_absence(self) -> None:
        policy = Policy(attempts=1, timeout=20.0, settle=0.0)
        others = [{"external_id": f"x-{number}"} for number in range(100)]
        full, rest = {"body": {"items": others}}, {"body": {"items": others[1:]}}
        ledger = self.ledger(LOSE, full, rest, policy=policy)
        terms = {"brl_amount": "10.00", "pix_key": "ana@exemplo.com.br"}
        outcome = ledger.create_wallet_payment("pix-1", **terms).look_up()
        self.assertIsInstance(outcome, self.unknown)
        self.assertIsInstance(outcome.look_up(), Absence)

    def test_a_conversion_is_not_the_charge_of_the_same_external_id(self) -> None:
        policy = Policy(attempts=1, timeout=20.0, settle=0.0)
        charge = {"external_id": "x-1", "fonte": "pix"}
        conversion = {"external_id": "x-1", "fonte": "saldo"}
        both = {"body": {"charges": [charge, conversion]}}
        ledger = self.ledger(LOSE, both, policy=policy)
        terms = {"amount_cents": 1, "tax_number": "52998224725", "payout_address": "0x1"}
        outcome = ledger.create_conversion("x-1", **terms)
        self.assertEqual(outcome.look_up(), Success(conversion))

    def test_a_transfer_is_repeated_to_find_out(self) -> None:
        policy = Policy(attempts=1, timeout=20.0)
        transfer = {"transfer_id": "tr_1", "external_id": "t-1"}
        ledger = self.ledger(LOSE, LOSE, {"body": transfer}, policy=policy)
        outcome = ledger.create_transfer("t-1", amount_cents=1, to_customer_ref="ana")
        self.assertIsInstance(outcome, self.repeat_only)
        self.assertFalse(hasattr(outcome, "look_up"))
        outcome = outcome.repeat()
        self.assertIsInstance(outcome, self.repeat_only)
        self.assertEqual(outcome.repeat(), Success(transfer))

    def test_reads_raise_errors_by_acao(self) -> None:
        classes = {
            "corrigir": RequestError,
            "repetir": TransientError,
            "esperar": WaitError,
            "parar": StopError,
            "falar_com_suporte": SupportError,
            "respirar": ServiceError,
        }
        for acao, kind in classes.items():
            body = {"erro": "novo", "acao": acao, "request_id": "req-1", "limits": {"x": 1}}
            ledger = self.ledger(*[{"status": 422, "body": body}] * 4)
            with self.assertRaises(ServiceError) as caught:
                ledger.get_balance()
            error = caught.exception
            self.assertIs(type(error), kind)
            self.assertEqual((error.erro, error.request_id), ("novo", "req-1"))
            self.assertEqual(error.body["limits"], {"x": 1})
            self.assertNotIn("svc_test_1", repr(ledger) + repr(error))

    def test_only_repeatable_requests_are_repeated_without_an_answer(self) -> None:
        ledger = self.ledger(*[LOSE] * 4)
        with self.assertRaises(NoAnswer):
            ledger.get_balance()
        self.assertEqual(len(self.log()), 4)
        ledger = self.ledger(*[LOSE] * 4)
        with self.assertRaises(NoAnswer):
            ledger.create_key(name="loja")
        self.assertEqual(len(self.log()), 1)

    def test_what_has_no_answer_names_the_address_and_no_query(self) -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            base = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        ledger = self.client(base, Policy(attempts=1))
        with self.assertRaises(NoAnswer) as caught:
            ledger.get_balance(customer_ref="ana")
        self.assertTrue(str(caught.exception).startswith(f"{base}/saldo: "), caught.exception)

    def test_an_intent_without_an_external_id_is_refused_before_anything_is_sent(self) -> None:
        ledger = self.ledger()
        for missing in ("", None, {"amount_cents": 1}):
            with self.assertRaisesRegex(ValueError, "external_id is required"):
                self.payout(ledger, missing)
        self.assertEqual(self.log(), [])

    def test_pages_are_read_to_their_end(self) -> None:
        first = {"body": {"items": [{"n": 1}, {"n": 2}], "proxima_pagina": "0123"}}
        last = {"body": {"items": [{"n": 3}], "proxima_pagina": None}}
        ledger = self.ledger(first, last)
        rows = ledger.statement_rows(customer_ref="ana & bia")
        self.assertEqual([row["n"] for row in rows], [1, 2, 3])
        paths = [request["path"] for request in self.log()]
        query = "/saldo/extrato?customer_ref=ana+%26+bia"
        self.assertEqual(paths, [query, f"{query}&before=0123"])

    def test_chunks_and_segments_of_paths(self) -> None:
        ledger = self.ledger({"chunks": ['{"status":', '"pago ✓"}']})
        self.assertEqual(ledger.get_charge("ci/../1")["status"], "pago ✓")
        self.assertEqual(self.log()[0]["path"], "/cashin/ci%2F..%2F1/status")


class AsyncOutcomes(Outcomes):
    """The client for asyncio."""

    unknown = AwaitedUnknown
    repeat_only = AwaitedRepeat

    def client(self, base: str, policy: Policy) -> Any:
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)
        ledger = Awaited(AsyncLedger(base, "svc_test_1", policy=policy), loop)
        self.addCleanup(ledger.close)
        return ledger

    def test_a_task_that_is_cancelled_leaves_an_open_intent(self) -> None:
        ledger = self.ledger({"hang": 3}, {"body": {"payouts": [PAYOUT]}})

        async def impatient() -> None:
            async with asyncio.timeout(0.5):
                await ledger._target.create_payout("saque-1", **TERMS)

        with self.assertRaises(TimeoutError):
            ledger._loop.run_until_complete(impatient())
        (open,) = ledger.unresolved()
        self.assertEqual(ledger.wrap(open).look_up(), Success(PAYOUT))


if __name__ == "__main__":
    unittest.main()
