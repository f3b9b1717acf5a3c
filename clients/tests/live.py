"""Both clients against a service of test keys: a first PIX, payouts, refusals, pages, webhooks.

Run as `live.py PROGRAM FOLDER`; the packages are installed in the folder
`first` beside that one. `receiver.py` is that of the repository's `tests/clients`.
"""

import asyncio
import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from custody_ledger import (
    AsyncLedger,
    Ledger,
    Refusal,
    RequestError,
    Success,
    WebhookError,
    verify_webhook,
)
from receiver import Delivery, Receiver
from service import Service

HERE = Path(__file__).resolve().parent

CPF = "52998224725"


def free_port() -> int:
    """A port of this machine that nobody has."""
    with Receiver(0) as receiver:
        return int(receiver.server.server_address[1])


def first_pix(service: Service) -> None:
    """A charge that is paid and repeated, and what cannot be done with it yet."""
    with Ledger(service.base, service.key()) as ledger:
        terms: dict[str, Any] = {"amount_cents": 5000, "payer_tax_number": CPF, "destino": "saldo"}
        charge = ledger.create_charge("first", **terms)
        again = ledger.create_charge("first", **terms)
        assert isinstance(charge, Success) and isinstance(again, Success)
        assert charge.operation["cashin_id"] == again.operation["cashin_id"]
        paid = ledger.pay_sandbox_charge(charge.operation["cashin_id"])
        assert paid["status"] == "paid", paid
        assert ledger.get_balance()["bloqueado_cents"] == 4900
        early = ledger.create_payout("early", amount_cents=100, tax_number=CPF, pix_key="a@b.br")
        assert isinstance(early, Refusal) and isinstance(early.error, RequestError), early
        assert (early.error.status, early.error.erro) == (402, "saldo_insuficiente"), early
        other = ledger.create_charge("first", **{**terms, "amount_cents": 6000})
        assert isinstance(other, Refusal)
        assert other.error.erro == "external_id_divergente"
        assert other.error.body["campos_divergentes"] == ["amount_cents"], other.error.body


def payouts_and_refusals(service: Service, key: str) -> None:
    """A payout, a transfer, and reads that are refused."""
    with Ledger(service.base, key) as ledger:
        payout = ledger.create_payout("saque", amount_cents=3000, tax_number=CPF, pix_key="a@b.br")
        assert isinstance(payout, Success), payout
        listed = ledger.list_payouts(external_id="saque")["payouts"]
        assert [it["payout_id"] for it in listed] == [payout.operation["payout_id"]]
        transfer = ledger.create_transfer("t", amount_cents=100, to_customer_ref="ana")
        assert isinstance(transfer, Success), transfer
        assert ledger.get_balance(customer_ref="ana")["disponivel_cents"] == 100
        refused(ledger.get_charge, "ci_0", status=404, erro="nao_encontrado")
    with Ledger(service.base, "svc_test_nobody") as ledger:
        refused(ledger.get_balance, status=401, erro="chave_desconhecida")


def refused(call: Any, *arguments: str, status: int, erro: str) -> None:
    """A read that the service refuses, in its own words."""
    try:
        call(*arguments)
    except RequestError as error:
        assert (error.status, error.erro, error.acao) == (status, erro, "corrigir"), error
        assert error.request_id.startswith("req-"), error.request_id
    else:
        raise AssertionError(f"{erro} was not raised")


def pages(service: Service, key: str) -> None:
    """A row a page is the same as all rows on one, in both clients."""
    with Ledger(service.base, key) as ledger:
        whole = ledger.get_statement(limit=200)["items"]
        assert len(whole) > 3 and list(ledger.statement_rows(limit=1)) == whole
        assert [it["customer_ref"] for it in ledger.customers(limit=1)] == ["ana"]

    async def rows() -> list[Any]:
        async with AsyncLedger(service.base, key) as ledger:
            return [row async for row in ledger.statement_rows(limit=1)]

    assert asyncio.run(rows()) == whole


async def concurrent(service: Service, key: str) -> None:
    """Many intents at once by the client for asyncio, each made twice."""
    async with AsyncLedger(service.base, key) as ledger:

        async def pay(number: int) -> str:
            pix_key = f"ana-{number}@exemplo.com.br"
            payout = await ledger.create_payout(
                f"many-{number}", amount_cents=100, tax_number=CPF, pix_key=pix_key
            )
            assert isinstance(payout, Success), payout
            return payout.operation["payout_id"]

        ids = await asyncio.gather(*(pay(number % 50) for number in range(100)))
        assert len(set(ids)) == 50, ids


def deliveries(service: Service, receiver: Receiver) -> list[dict[str, Any]]:
    """A delivery signed by one secret and one signed by two, as they came."""
    seen, secrets = [], []
    with Ledger(service.base, service.key()) as ledger:
        for number in (1, 2):
            made = ledger.update_account(
                webhook_url="https://loja.example/hooks", rotate_webhook_secret=True
            )
            secrets.append(made["webhook_whsec"])
            ledger.test_webhook()
            delivery = receiver.came.get(timeout=30)
            check_delivery(delivery, secrets)
            assert len(delivery.headers["webhook-signature"].split(" ")) == number
            body = base64.b64encode(delivery.body).decode()
            seen.append({"headers": delivery.headers, "body": body, "secrets": list(secrets)})
    return seen


def check_delivery(delivery: Delivery, secrets: list[str]) -> None:
    """A delivery is believed by each secret, and by none once anything differs."""
    at = int(delivery.headers["webhook-timestamp"])
    stranger = "whsec_" + base64.b64encode(b"stranger" * 4).decode()
    for secret in secrets:
        event = verify_webhook(secret, delivery.headers, delivery.body, now=at + 300)
        assert event["event"] == "webhook.test" and event["id"] == delivery.headers["webhook-id"]
        verify_webhook([stranger, secret], delivery.headers, delivery.body, now=at - 300)
        disbelieved(secret, delivery.headers, delivery.body + b" ", at)
        disbelieved(secret, delivery.headers, delivery.body, at + 301)
        disbelieved(secret, delivery.headers, delivery.body, at - 301)
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            value = delivery.headers[name]
            changed = value.replace("v1,", "v2,") if "," in value else "1" + value
            disbelieved(secret, {**delivery.headers, name: changed}, delivery.body, at)
            others = {key: it for key, it in delivery.headers.items() if key != name}
            disbelieved(secret, others, delivery.body, at)
    disbelieved(stranger, delivery.headers, delivery.body, at)


def disbelieved(secret: str, headers: dict[str, str], body: bytes, now: float) -> None:
    """A delivery that is not believed."""
    try:
        verify_webhook(secret, headers, body, now=now)
    except WebhookError:
        return
    raise AssertionError("a delivery was believed that should not be")


def typescript(base: str, keys: Iterable[str], path: Path) -> None:
    """The same by the client in TypeScript."""
    script = HERE.parent / "typescript/tests/live.mjs"
    subprocess.run(["node", str(script), base, *keys, str(path)], check=True)


def readmes(service: Service, folder: Path) -> None:
    """The first examples of both READMEs, run where the packages are installed."""
    for language, name in (("python", "first.py"), ("typescript", "first.mjs")):
        command = [sys.executable, str(HERE / "readme.py"), "first", language, service.base]
        (folder / name).write_text(subprocess.check_output(command, text=True))
        runs = [sys.executable if language == "python" else "node", name]
        output = subprocess.check_output(runs, cwd=folder, text=True)
        assert output == "paid\n4900 centavos\n", output
    print("  both READMEs lead to a first PIX")


def main(program: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    port = free_port()
    settings = ("--outbox", "true", "--webhooks-to", f"http://127.0.0.1:{port}")
    with Receiver(port) as receiver, Service(program, folder, *settings) as service:
        first_pix(service)
        key = service.funded_key()
        payouts_and_refusals(service, key)
        pages(service, key)
        asyncio.run(concurrent(service, key))
        path = folder / "deliveries.json"
        path.write_text(json.dumps(deliveries(service, receiver)))
        print("  Python: a first PIX, payouts, refusals, pages, webhooks")
        readmes(service, folder.parent / "first")
        typescript(service.base, (service.key(), service.funded_key()), path)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
