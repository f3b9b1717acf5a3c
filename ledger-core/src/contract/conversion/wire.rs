//! Conversions on the wire, declared.

use crate::contract::charge::wire::SETTLEMENT;
use crate::contract::schema::answer::{
    AnswerField, UNITS, USDT, WALLET, cents, decimal, moment, text, word,
};

/// `commission.withdraw`.
pub const COMMISSION_WITHDRAWAL: &[AnswerField] = &[
    text("withdrawal_id", "the id of the withdrawal", "cw_000000000052ca9692885eacc25b"),
    word("status", "how it stands", &["paid", "refunded"]),
    word("settlement_status", "how far delivery got", SETTLEMENT),
    cents("amount_cents", "what was withdrawn", 4_000),
    text("asset", "the asset that is delivered", "usdt"),
    text("chain", "the network that it is delivered on", "polygon"),
    text("payout_address", "the wallet that it is delivered to", WALLET),
    decimal("usdt_amount", "what is delivered, in USDT", USDT, "7.339449").or_null(),
    decimal("amount", "what is delivered, in the asset", UNITS, "7.339449").or_null(),
    text("settlement_tx_hash", "the transaction that delivered it", "0x9f2c").or_null(),
    text("external_id", "the account's own id of it", "comissao-1").or_null(),
    moment("created_at", "when it was asked for"),
    moment("settled_at", "when it was delivered").or_null(),
];
