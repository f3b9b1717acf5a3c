"""Facts about routes that the document has no field for: intents, pages, requests to repeat."""

from typing import NamedTuple


class Intent(NamedTuple):
    """A route that moves money under an `external_id`, and the read that lists it."""

    # The read that lists operations, or None: then a repeat is the only way to find out.
    read: str | None = None
    # The most operations that the read lists; 0 where it lists all under one `external_id`.
    latest: int = 0
    # A field and its value, where the read lists operations of other routes too.
    where: tuple[str, str] | None = None
    # Fields that say whose money goes where: no second intent about them before a look-up.
    subject: tuple[str, ...] = ()


class Page(NamedTuple):
    """A read in pages: where its rows are, and how the next page is named."""

    items: str
    cursor: str
    next: str
    # The name of the iterator, as Python has it.
    iterator: str


INTENTS = {
    "createCharge": Intent(
        "listCharges", where=("fonte", "pix"), subject=("customer_ref", "payer_tax_number")
    ),
    "createConversion": Intent(
        "listCharges", where=("fonte", "saldo"), subject=("customer_ref", "payout_address")
    ),
    "createPayout": Intent("listPayouts", subject=("customer_ref", "pix_key")),
    "createCashOut": Intent("listCashOuts", subject=("pix_key", "br_code")),
    "createWalletPayment": Intent("listWalletPayments", 100, subject=("pix_key", "br_code")),
    "createWalletWithdrawal": Intent("listWalletWithdrawals", 100, subject=("quote_id",)),
    "createTransfer": Intent(subject=("from_customer_ref", "to_customer_ref")),
    "createTransferGroup": Intent(subject=("from_customer_ref", "to_customer_ref")),
    "withdrawCommission": Intent(subject=("payout_address",)),
}

PAGES = {
    "getStatement": Page("items", "before", "proxima_pagina", "statement_rows"),
    "listCustomers": Page("items", "cursor", "next_cursor", "customers"),
    "commissionStatement": Page("movimentos", "before", "proxima_pagina", "commission_rows"),
    "listSandboxEvents": Page("items", "before", "proxima_pagina", "sandbox_events"),
}

# Requests without an `external_id` that do nothing twice: they are repeated without an answer.
REPEATABLE = {
    "acceptCashOut",
    "previewCashOut",
    "previewCharge",
    "quoteWalletPayment",
    "setMandate",
    "setSettlementAddress",
    "setWebhookFilter",
}
