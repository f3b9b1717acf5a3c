//! Answers about charges: a PIX collected, and what it buys.

use crate::contract::schema::answer::AnswerType::{Object, Objects};
use crate::contract::schema::answer::{
    AnswerField, E2E, REAIS, UNITS, USDT, WALLET, bps, cents, decimal, field, flag, moment, text,
    whole, word,
};
use crate::contract::schema::field::concat;
use crate::contract::schema::metadata;

/// The states of a charge (contract, section 3.1).
const STATUS: &[&str] =
    &["pending", "delayed", "under_review", "paid", "expired", "refunded", "failed"];

/// How far a delivery got (contract, section 3.1).
pub const SETTLEMENT: &[&str] = &["pending", "sending", "entregando", "sent", "incerto", "failed"];

/// A charge or a conversion as it stands.
pub const CHARGE: &[AnswerField] =
    &concat::<AnswerField, { CREATED.len() + FOLLOWING.len() }>(&[CREATED, FOLLOWING]);

/// A charge as it is created.
pub const CREATED: &[AnswerField] = &[
    text("cashin_id", "the id of the charge", "ci_000000000008a7ce851636e88043"),
    word("status", "how the charge stands", STATUS),
    cents("amount_cents", "what the payer pays, or what is converted", 10_000),
    text("asset", "the asset that is delivered", "usdt"),
    text("chain", "the network that it is delivered on", "polygon"),
    text("payout_address", "the wallet that it is delivered to", WALLET).or_null(),
    text("qr_copypaste", "the Copia e Cola code to pay", "00020126580014br.gov.bcb.pix").or_null(),
    text("qr_image_url", "where the code is shown as a picture", "https://example.com/qr.png")
        .or_null(),
    moment("expires_at", "when the code can no longer be paid").or_null(),
    flag("held", "whether the provider holds the PIX before it counts", false),
    whole("held_hours", "how long the provider holds it", "hours", 24).or_null(),
    moment("delay_until", "when the provider releases it").or_null(),
    moment("liberar_em", "when a hold of ours ends").or_null(),
    whole("hold_hours", "how long a hold of ours lasts", "hours", 24).or_null(),
    text("external_id", "the account's own id of it", "pedido-1").or_null(),
    moment("created_at", "when it was created"),
    metadata::SHOWN,
];

/// The rest of a charge, as it goes on.
const FOLLOWING: &[AnswerField] = &[
    word("settlement_status", "how far settlement got", SETTLEMENT).or_null().sometimes(),
    cents("depix_received_cents", "what was received, before fees", 10_000).or_null().sometimes(),
    decimal("usdt_amount", "what is delivered, in USDT", USDT, "17.444444").or_null().sometimes(),
    text("settlement_tx_hash", "the transaction that delivered it", "0x9f2c").or_null().sometimes(),
    text("settlement_tx_url", "where that transaction is shown", "https://example.com/tx/0x9f2c")
        .or_null()
        .sometimes(),
    text("e2e", "the end-to-end id of the PIX", E2E).or_null().sometimes(),
    text("payer_name", "who paid", "Joana Lima").or_null().sometimes(),
    text("payer_tax_number", "the payer's CPF or CNPJ, masked", "***.982.247-**")
        .or_null()
        .sometimes(),
    word("destino", "what the PIX becomes", &["saldo", "cripto"]).sometimes(),
    text("customer_ref", "the subaccount; null is the house", "ana").or_null().sometimes(),
    word("fonte", "what paid for it", &["pix", "saldo"]).sometimes(),
    moment("paid_at", "when it was paid").or_null().sometimes(),
    moment("settled_at", "when it was settled").or_null().sometimes(),
    cents("fee_cents", "the fees of a conversion", 152).or_null().sometimes(),
    cents("debited_cents", "what a conversion took from the balance", 4_152).or_null().sometimes(),
    decimal("amount", "what is delivered, in the asset", UNITS, "17.444444").or_null().sometimes(),
    cents("returned_cents", "what was given back", 0).or_null().sometimes(),
    text("paid_by_tax_number", "the CPF or CNPJ of whoever paid, masked", "***.982.247-**")
        .sometimes(),
    flag("payer_differs", "whether another paid than the charge names", false).sometimes(),
];

/// Charges under one external id.
pub const CHARGES: &[AnswerField] =
    &[field("charges", Objects("ChargeDetail", CHARGE), "the charges of this external id")];

/// Answers `POST /cashin/preview`: the asset and amount that a charge would deliver.
pub const PREVIEW: &[AnswerField] = &[
    text("asset", "the asset that would be delivered", "usdt"),
    text("chain", "the network that it would be delivered on", "polygon"),
    decimal("amount", "what would be delivered", UNITS, "17.444444").or_null(),
    decimal("network_min", "the least that the network delivers", UNITS, "5.006500"),
    decimal("withdraw_fee", "what the network takes", UNITS, "0.000000"),
    cents("min_brl_cents", "the least that such a charge is of", 2_945).or_null(),
    text("eta", "how long delivery takes, in words", "1 min").or_null(),
    bps("admin_fee_bps", "the whole fee, the partner's share included", 480).or_null(),
    bps("house_fee_bps", "the service's share of the fee", 330),
    bps("partner_fee_bps", "the partner's share of the fee", 150),
    cents("admin_fee_fixed_cents", "the fixed part of the fee", 100),
    cents("fee_total_cents", "all fees of this charge", 580).or_null(),
    cents("net_cents", "what is left to buy the asset with", 9_420),
    decimal("brl_per_usdt", "the price of one USDT", REAIS, "5.40").or_null(),
    decimal("usdt_amount", "what would be delivered, in USDT", USDT, "17.444444").or_null(),
];

const LISTING: &[AnswerField] = &[
    text("asset", "the asset", "usdt"),
    text("chain", "the network", "polygon"),
    decimal("minBuyAmount", "the least that is delivered", UNITS, "5.006500"),
    decimal("withdrawFee", "what the network takes", UNITS, "0.000000"),
    flag("entregavel", "whether it is delivered at present", true),
    flag("memoRequired", "whether a wallet needs a memo", false),
    text("eta", "how long delivery takes, in words", "1 min").or_null(),
    whole("etaSeconds", "how long delivery takes", "seconds", 60).or_null(),
];

const DROPPED: &[AnswerField] =
    &[text("asset", "the asset", "usdt"), text("chain", "the network", "near")];

const TOTALS: &[AnswerField] = &[
    whole("instant", "how many are delivered by our own settlement", "pairs", 2),
    whole("convert", "how many are delivered through an exchange", "pairs", 3),
    whole("liquid", "how many are delivered on Liquid", "pairs", 1),
    whole("dropped", "how many are offered no longer", "pairs", 0),
    whole("entregaveis", "how many are delivered at present", "pairs", 6),
];

/// Answers `GET /cashin/catalog`: pairs of asset and network, by how they are delivered.
pub const CATALOGUE: &[AnswerField] = &[
    moment("updatedAt", "when the catalogue was last changed"),
    field("instant", Objects("Listing", LISTING), "pairs delivered by our own settlement"),
    field("convert", Objects("Listing", LISTING), "pairs delivered through an exchange"),
    field("liquid", Objects("Listing", LISTING), "pairs delivered on Liquid"),
    field("dropped", Objects("DroppedListing", DROPPED), "pairs offered no longer"),
    field("totals", Object("CatalogueTotals", TOTALS), "how many pairs of each there are"),
];

const HELD_QR: &[AnswerField] = &[
    cents("max_amount_cents", "the most that a held charge is of", 600_000),
    cents("used_cents", "what of it is used", 25_000),
    cents("available_cents", "what of it is left", 575_000),
    whole("hold_hours", "how long the provider holds it", "hours", 24),
];

/// The bands of the payer ladder.
pub const LADDER: &[AnswerField] = &[
    cents("first_transaction_cents", "at once, before the first payment", 20_000),
    cents("first_24h_cents", "at once, within 24 hours of it", 20_000),
    cents("mature_day_cents", "at once, a day, later on", 20_000),
    cents("held_max_cents", "the most in a day, held by the provider", 600_000),
    whole("hold_hours", "how long the provider holds it", "hours", 24),
];

const NEXT_STAGE: &[AnswerField] = &[
    word("stage", "the next stage", STAGES),
    cents("limit_cents", "what it lets through at once", 20_000),
    moment("quando", "when it begins").or_null(),
];

const STAGES: &[&str] = &["provider_first_qr", "first_transaction", "first_24h", "mature"];

/// Answers `GET /cashin/limits`: the most that a payer may pay now.
pub const LIMITS: &[AnswerField] = &[
    word("stage", "where the payer stands", STAGES).or_null(),
    cents("instant_available_cents", "what may be paid without being held", 20_000).or_null(),
    cents("max_amount_cents", "what may be paid at all", 575_000).or_null(),
    field("held_qr", Object("HeldQr", HELD_QR), "what may be paid held").or_null(),
    field("ladder", Object("PayerLadder", LADDER), "the bands, as they are for everybody")
        .or_null(),
    field("next_stage", Object("NextStage", NEXT_STAGE), "the next stage").or_null(),
    text("explicacao", "where the payer stands, in Portuguese", "Documento identificado."),
];
