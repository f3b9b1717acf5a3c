//! Answers about USDT wallets: deposits, payments, quotes and withdrawals.

use crate::contract::schema::answer::AnswerType::{Object, Objects};
use crate::contract::schema::answer::{
    AnswerField, E2E, REAIS, UNITS, USDT, WALLET as ADDRESS, decimal, field, flag, moment, text,
    texts, whole, word,
};
use crate::contract::schema::field::concat;

const SANDBOX: AnswerField = flag("sandbox", "whether it was made by a test key", false);

const FUNDING: AnswerField =
    word("funding_source", "what pays: always the wallet", &["crypto_usdt"]);

const RULES: &[AnswerField] =
    &[flag("recipient_document_required", "whether a recipient's document is needed", false)];

const NETWORK: &[AnswerField] = &[
    text("network", "the network", "polygon"),
    text("name", "what it is called", "Polygon"),
    texts("assets", "what it takes", &["USDT", "USDC"]),
    whole("eta_minutes", "how long a deposit takes", "minutes", 2).or_null(),
];

const BALANCE: &[AnswerField] = &[
    decimal("available", "what can be spent", USDT, "100.000000"),
    decimal("reserved", "what payments under way hold", USDT, "0.000000"),
    decimal("confirming", "what is seen and not credited yet", USDT, "0.000000"),
];

const METHODS: &[AnswerField] = &[
    flag("pix_key", "whether keys are paid", true),
    flag("br_code", "whether Copia e Cola codes are paid", true),
];

/// Answers `GET /carteira-usdt`: the wallet's balance, networks and rules.
pub const STATE: &[AnswerField] = &[
    flag("enabled", "whether the wallet is ready", true),
    FUNDING,
    word("currency", "what it counts in", &["USDT"]),
    field("pix_rules", Object("PixRules", RULES), "what payments need"),
    field("networks", Objects("WalletNetwork", NETWORK), "the networks that deposits come by"),
    field("balance", Object("WalletBalance", BALANCE), "what it holds"),
    decimal("min_deposit", "the least of a deposit", USDT, "5.000000").or_null(),
    decimal("min_payment_brl", "the least of a payment", REAIS, "6.00").or_null(),
    whole("deposit_validity_hours", "how long a deposit request is valid", "hours", 1),
    flag("payments_enabled", "whether payments are made at present", true),
    field("payment_methods", Object("PaymentMethods", METHODS), "what can be paid"),
    SANDBOX.sometimes(),
];

/// A deposit request.
pub const DEPOSIT: &[AnswerField] = &[
    text("deposit_id", "the id of the request", "ud_0000000000320e880b640d1be406"),
    word(
        "status",
        "how it stands",
        &["waiting", "confirming", "available", "expired", "under_review", "reversed"],
    ),
    decimal("amount_to_send", "exactly what to send: its decimals name it", USDT, "100.005990")
        .or_null(),
    decimal("amount_received", "what arrived", USDT, "100.005990").or_null(),
    text("address", "where to send it", ADDRESS).or_null(),
    text("network", "the network", "polygon").or_null(),
    text("network_name", "what that is called", "Polygon").or_null(),
    text("asset", "what is sent", "USDT").or_null(),
    texts("accepted_assets", "what may be sent", &["USDT", "USDC"]).or_null(),
    moment("expires_at", "until when it is valid").or_null(),
    moment("created_at", "when it was made"),
    moment("credited_at", "when it was credited").or_null(),
    word("origin", "who made it", &["request", "assigned_by_support"]),
    SANDBOX,
    text("instructions", "what to show to whoever sends", "Envie exatamente 100.005990 USDT.")
        .sometimes(),
];

/// The latest deposit requests, at most 100.
pub const DEPOSITS: &[AnswerField] =
    &[field("items", Objects("WalletDeposit", DEPOSIT), "the 100 latest requests")];

/// The fields of a wallet's payment in answers.
pub const PAYMENT: &[AnswerField] = &[
    text("payment_id", "the id of the payment", "cu_000000000036343a96e0fafd9fbc"),
    text("external_id", "the account's own id of it", "pagamento-1").or_null(),
    word(
        "status",
        "how it stands; revisao is no failure",
        &[
            "reservado",
            "ordem_criada",
            "aceita",
            "sacando",
            "enviado",
            "revisao",
            "concluido",
            "falhou",
            "falhou_apos_envio",
        ],
    ),
    flag("final", "whether it has ended", false),
    word("payment_method", "what is paid", &["pix_key", "br_code"]),
    decimal("brl_amount", "what the recipient receives", REAIS, "50.00"),
    text("pix_key", "the key that is paid, masked", "b***@exemplo.com.br").or_null(),
    decimal("usdt_reserved", "what was reserved", USDT, "10.247759"),
    decimal("usdt_debited", "what it cost in the end", USDT, "10.146297").or_null(),
    decimal("usdt_order", "what the order that paid it sold", USDT, "10.046297").or_null(),
    decimal("withdrawal_fee", "what withdrawing cost", USDT, "0.100000").or_null(),
    text("cashout_id", "the order that paid it", "co_000000000037d679c6e52eccdc41").or_null(),
    text("error", "why it failed", "saldo_insuficiente").or_null(),
    text("pix_e2e", "the end-to-end id of the PIX", E2E).or_null(),
    text("recipient_name", "the recipient's name", "Bia Lopes").or_null(),
    text("recipient_document", "the recipient's CPF or CNPJ, masked", "***.982.247-**").or_null(),
    text("receipt_url", "where the receipt is", "https://example.com/r/8").or_null(),
    moment("created_at", "when it was made"),
    moment("updated_at", "when it last changed"),
    SANDBOX,
    decimal("usdt_returned", "what of a failed one was given back", USDT, "0.000000")
        .or_null()
        .sometimes(),
    text("reserve_status", "what becomes of the reserve of a failed one", "held")
        .or_null()
        .sometimes(),
];

/// The latest payments, at most 100.
pub const PAYMENTS: &[AnswerField] =
    &[field("items", Objects("WalletPayment", PAYMENT), "the 100 latest payments")];

/// A quote of a payment.
pub const QUOTE: &[AnswerField] = &[
    text("quote_id", "the id of the quote", "uq_00000000003509c4fce9b5a2"),
    FUNDING,
    word("payment_method", "what would be paid", &["pix_key", "br_code"]),
    decimal("brl_amount", "what the recipient would receive", REAIS, "50.00"),
    decimal("usdt_order", "what the order would sell", USDT, "10.046297"),
    decimal("withdrawal_fee", "what withdrawing would cost", USDT, "0.100000"),
    decimal("usdt_total", "both together", USDT, "10.146297").or_null(),
    moment("expires_at", "until when it is valid"),
    SANDBOX,
];

/// A quote of a withdrawal.
pub const WITHDRAWAL_QUOTE: &[AnswerField] = &[
    text("quote_id", "the id of the quote", "uq_00000000003e6fafee1d1a0d"),
    FUNDING,
    decimal("amount", "what leaves the balance", USDT, "50.000000"),
    decimal("usdt_total", "the same", USDT, "50.000000"),
    text("asset", "what is received", "USDT"),
    text("network", "the network", "polygon"),
    text("address", "the external wallet", ADDRESS),
    decimal("minimum_received", "the least that arrives", UNITS, "49.650500"),
    decimal("amount_estimated", "what is expected to arrive", UNITS, "49.900000"),
    moment("expires_at", "until when it is valid"),
    SANDBOX,
    decimal("network_fee", "what the network takes", USDT, "0.100000"),
    decimal("conversion_fee_estimated", "what conversion is expected to cost", USDT, "0.000000"),
    word("fee_mode", "fees are taken from the amount", &["deducted"]),
    text("note", "the same in Portuguese", "As taxas são descontadas do valor."),
];

/// The fields of a wallet's withdrawal in answers.
pub const WITHDRAWAL: &[AnswerField] = &[
    text("withdrawal_id", "the id of the withdrawal", "uw_00000000003f1fddb9b486f53b9e"),
    text("external_id", "the account's own id of it", "retirada-1").or_null(),
    text("quote_id", "the quote that it is of", "uq_00000000003e6fafee1d1a0d"),
    FUNDING,
    decimal("amount", "what leaves the balance", USDT, "50.000000"),
    text("asset", "what is received", "USDT"),
    text("network", "the network", "polygon"),
    text("address", "the external wallet", ADDRESS),
    word(
        "status",
        "how it stands; under_review is no failure",
        &["reserved", "funding", "converting", "processing", "under_review", "completed", "failed"],
    ),
    flag("final", "whether it has ended", false),
    SANDBOX,
    text("network_name", "what the network is called", "Polygon").or_null(),
    decimal("amount_estimated", "what is expected to arrive", UNITS, "49.900000"),
    decimal("minimum_received", "the least that arrives", UNITS, "49.650500"),
    decimal("amount_received", "what arrived", UNITS, "49.900000").or_null(),
    decimal("network_fee", "what the network takes", USDT, "0.100000").or_null(),
    decimal("usdt_reserved", "what was reserved", USDT, "50.000000"),
    decimal("usdt_debited", "what it cost in the end", USDT, "50.000000").or_null(),
    text("tx_hash", "the transaction", "0x9f2c").or_null(),
    moment("created_at", "when it was made"),
    moment("updated_at", "when it last changed"),
    moment("completed_at", "when it arrived").or_null(),
    text("note", "what to know of it, in Portuguese", "Em análise.").or_null(),
];

/// A withdrawal as it is answered when it is made.
pub const CREATED_WITHDRAWAL: &[AnswerField] = &concat::<
    AnswerField,
    { WITHDRAWAL.len() + OF_REPETITIONS.len() },
>(&[WITHDRAWAL, OF_REPETITIONS]);

const OF_REPETITIONS: &[AnswerField] = &[
    flag("duplicate_prevented", "whether a second one was prevented", true).sometimes(),
    text("requested_external_id", "how that was asked for", "retirada-2").sometimes(),
];

/// The latest withdrawals of a wallet.
pub const WITHDRAWALS: &[AnswerField] =
    &[field("items", Objects("WalletWithdrawal", WITHDRAWAL), "the latest withdrawals")];
