"""The quickstart by the generated client: a test key, a charge paid in the sandbox, a balance.

Run with the address of a service, it makes the calls; by itself it is checked against the types.
"""

import sys
from datetime import datetime

from custody_ledger_client import AuthenticatedClient, Client
from custody_ledger_client.api.account import create_sandbox_key
from custody_ledger_client.api.balance import get_balance
from custody_ledger_client.api.charges import create_charge, get_charge
from custody_ledger_client.api.sandbox import pay_sandbox_charge
from custody_ledger_client.models import (
    Balance,
    Charge,
    ChargeDetail,
    CreateChargeRequest,
    CreatedSandboxKey,
    CreateSandboxKeyRequest,
)
from custody_ledger_client.models.create_charge_request_destino_type_0 import (
    CreateChargeRequestDestinoType0 as Destination,
)


def main(base_url: str) -> None:
    made = create_sandbox_key.sync(
        client=Client(base_url=base_url),
        body=CreateSandboxKeyRequest(email="ana@exemplo.com.br"),
    )
    assert isinstance(made, CreatedSandboxKey), made
    client = AuthenticatedClient(
        base_url=base_url, token=made.api_key, prefix="", auth_header_name="X-API-Key"
    )
    asked = CreateChargeRequest(
        amount_cents=5_000,
        payer_tax_number="52998224725",
        destino=Destination.SALDO,
        customer_ref="ana",
        external_id="quickstart-1",
    )
    charge = create_charge.sync(client=client, body=asked)
    assert isinstance(charge, Charge), charge
    assert isinstance(charge.expires_at, datetime)
    again = create_charge.sync(client=client, body=asked)
    assert isinstance(again, Charge) and again.cashin_id == charge.cashin_id

    paid = pay_sandbox_charge.sync(charge.cashin_id, client=client)
    assert isinstance(paid, ChargeDetail), paid
    shown = get_charge.sync(charge.cashin_id, client=client)
    assert isinstance(shown, ChargeDetail) and shown.status == "paid", shown
    balance = get_balance.sync(client=client, customer_ref="ana")
    assert isinstance(balance, Balance), balance
    booked = balance.disponivel_cents + balance.bloqueado_cents
    assert booked == 5_000 - balance.deposito_fee_fixed_cents, balance
    print(f"quickstart in Python: {booked} centavos were booked")


if __name__ == "__main__":
    main(sys.argv[1])
