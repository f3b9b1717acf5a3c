//! Answers about cash-out orders: crypto sold for a PIX.

use crate::contract::schema::answer::AnswerType::Objects;
use crate::contract::schema::answer::{
    AnswerField, E2E, REAIS, UNITS, USDT, WALLET, decimal, field, flag, moment, text, whole, word,
};
use crate::contract::schema::field::concat;
use crate::contract::schema::metadata;

/// The states of an order (contract, section 3.2).
const STATES: &[&str] = &[
    "QUOTE_CREATED",
    "AWAITING_DEPOSIT",
    "DEPOSIT_DETECTED",
    "DEPOSIT_CONFIRMED",
    "SELLING",
    "SOLD",
    "FORWARDING",
    "PAYING_OUT",
    "COMPLETED",
    "MANUAL_REVIEW",
    "REFUNDING_CRYPTO",
    "REFUNDED",
    "EXPIRED",
    "FAILED",
    "DELAYED",
    "AWAITING_REFUND_ADDRESS",
    "PROCESSING",
    "REFUNDING",
];

const PATHS: &[&str] = &["FAST", "DEX", "CONVERT", "depix_liquid"];

const KEY_TYPES: &[&str] = &["cpf", "cnpj", "phone", "email", "random"];

const STEP: &[AnswerField] =
    &[word("state", "the state that was entered", STATES), moment("at", "when it was entered")];

const SURPLUS: &[AnswerField] = &[
    text("receipt_id", "the id of what arrived", "rc_00000000002c13dba658eae6df12"),
    word("state", "how its return stands", STATES),
    decimal("amount", "how much it is", UNITS, "1.000000"),
    text("asset", "the asset", "usdt").or_null(),
    text("network", "the network", "polygon").or_null(),
    text("deposit_tx_hash", "the transaction that brought it", "0x51aa").or_null(),
    text("refund_address", "the wallet that it returns to", WALLET).or_null(),
    text("refund_tx_hash", "the transaction that returned it", "0x77be").or_null(),
];

/// An order as it stands.
pub const ORDER: &[AnswerField] = &concat::<
    AnswerField,
    { STANDING.len() + PREVIEW.len() + FOLLOWING.len() },
>(&[STANDING, PREVIEW, FOLLOWING]);

const STANDING: &[AnswerField] = &[
    text("cashout_id", "the id of the order, opaque", "co_00000000001fd65ae5e8f1118209"),
    word("state", "how the order stands; COMPLETED confirms the PIX", STATES),
];

/// The terms of a quote.
pub const PREVIEW: &[AnswerField] = &[
    word("path", "by which way the crypto is sold", PATHS).or_null(),
    text("asset", "what is sold", "usdt"),
    text("network", "the network that it is deposited on", "polygon"),
    decimal("amount", "what is to be deposited", UNITS, "19.537038"),
    decimal("brl_amount", "what the recipient receives", REAIS, "100.00"),
    decimal("fee_brl", "the fees of the order, already counted", REAIS, "4.50").or_null(),
    decimal("reserve_brl", "the operational reserve, already counted", REAIS, "1.00").or_null(),
    decimal("pix_key_reserve_usd", "the reserve of a payment to a key", USDT, "0.185186").or_null(),
    decimal("copia_e_cola_buffer_usd", "the reserve of a payment of a code", USDT, "0.185186")
        .or_null(),
    decimal("rate", "the price of one unit", REAIS, "5.40").or_null(),
    text("rate_source", "where the price is from", "exchange").or_null(),
    text("pix_key", "the key that is paid, masked", "b***@exemplo.com.br").or_null(),
    word("pix_key_type", "what that key is", KEY_TYPES).or_null(),
    text("br_code", "the Copia e Cola code that is paid", "00020126580014br.gov.bcb.pix").or_null(),
    text("merchant_name", "the recipient that the code names", "FULANO DE TAL").or_null(),
    text("payee_tax_number", "the recipient's CPF or CNPJ, masked", "***.982.247-**").or_null(),
    text("refund_address", "the return wallet", WALLET).or_null(),
    text("external_id", "the account's own id of it", "venda-1").or_null(),
    moment("expires_at", "until when the quote is valid").or_null(),
];

/// The rest of an order, as it goes on.
const FOLLOWING: &[AnswerField] = &[
    text("deposit_address", "where to deposit; only after it was accepted", WALLET).or_null(),
    text("deposit_tag", "the memo that the deposit needs", "7781").or_null(),
    text("deposit_from", "where the deposit came from; never a return wallet", WALLET).or_null(),
    text("deposit_tx_hash", "the transaction of the deposit", "0x51aa").or_null(),
    decimal("amount_received", "what was deposited", UNITS, "19.537038").or_null(),
    text("asset_received", "the asset that was deposited", "usdt").or_null(),
    text("network_received", "the network that it was deposited on", "polygon").or_null(),
    decimal("brl_paid", "what the recipient was paid", REAIS, "100.00").or_null(),
    decimal("brl_reversed", "what of it came back", REAIS, "100.00").or_null(),
    decimal("refund_amount", "what is returned", UNITS, "19.537038").or_null(),
    text("refund_tx_hash", "the transaction of the return", "0x77be").or_null(),
    text("pix_e2e", "the end-to-end id of the PIX", E2E).or_null(),
    moment("pix_paid_at", "when the PIX was paid").or_null(),
    text("receipt_url", "where the receipt is", "https://example.com/r/4").or_null(),
    text("receipt_pdf_url", "where the receipt is as a PDF", "https://example.com/r/4.pdf")
        .or_null(),
    text("verify_url", "where anybody can verify the PIX", "https://example.com/v/4").or_null(),
    field("timeline", Objects("CashOutStep", STEP), "the states that it entered"),
    whole("confirmations", "how many the deposit has", "confirmations", 1).or_null(),
    whole("confirmations_required", "how many it needs", "confirmations", 1).or_null(),
    flag("confirmations_complete", "whether it has them", true).or_null(),
    text("review_reason", "why it waits for a person", "deposito_divergente").or_null(),
    field("surplus_refunds", Objects("SurplusRefund", SURPLUS), "what it did not take"),
    moment("created_at", "when it was created"),
    moment("updated_at", "when it last changed"),
    text("payment_id", "the wallet payment that it serves", "cu_000000000036343a96e0fafd9fbc")
        .sometimes(),
    word("funding_source", "what pays for it, where that is the wallet", &["crypto_usdt"])
        .sometimes(),
    flag("refund_address_checked", "false where nobody can check the return wallet", false)
        .sometimes(),
    text("recipient_name", "the recipient's name", "Bia Lopes").sometimes(),
    text("recipient_document", "the recipient's CPF or CNPJ, masked", "***.982.247-**").sometimes(),
    text("institution", "the recipient's institution", "Banco de Teste").sometimes(),
    text("settled_by", "who settled the PIX", "SPI").sometimes(),
    metadata::SHOWN,
];

/// Orders under one external id.
pub const ORDERS: &[AnswerField] =
    &[field("cash_outs", Objects("CashOut", ORDER), "the orders of this external id")];

const MARKET: &[AnswerField] = &[
    text("network", "the network", "polygon"),
    word("path", "by which way it is sold", PATHS).or_null(),
    flag("available", "whether it is sold at present", true),
    decimal("min", "the least of an order", UNITS, "6.000000").or_null(),
    decimal("max", "the most of an order", UNITS, "200000.000000").or_null(),
    whole("decimals", "how exact amounts are", "decimals", 6),
    whole("quote_valid_minutes", "how long a quote is valid", "minutes", 15),
    whole("confirmations_required", "how many a deposit needs", "confirmations", 1),
    whole("eta_minutes", "how long a deposit takes to count", "minutes", 1).or_null(),
];

const ASSET: &[AnswerField] = &[
    text("asset", "the asset", "usdt"),
    field("networks", Objects("Market", MARKET), "the networks that it is sold on"),
];

/// Answers `GET /catalog`: the assets that are sold, each with its networks.
pub const CATALOGUE: &[AnswerField] =
    &[field("assets", Objects("SaleAsset", ASSET), "what is sold, and where")];
