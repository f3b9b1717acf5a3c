//! The facts about sales of crypto for PIX: what is bought, what was deposited, sold, paid,
//! refunded.

use super::{ACTOR, AMOUNT, EVIDENCE, FactShape, ID, REASON};
use crate::contract::fact::need::Need;
use crate::contract::fact::need::Need::{Optional, Required};
use crate::contract::fact::payment_details::{
    INSTITUTION, RECIPIENT_DOCUMENT, RECIPIENT_NAME, SETTLED_BY,
};
use crate::ledger::FactKind;

const ORDER: (&str, Need, &str) = ("cashout_id", Required, "the order");
const NAMED: (&str, Need, &str) =
    ("cashout_id", Optional, "the order it was sent for; absent: it waits as a receipt");
const REFUNDED: (&str, Need, &str) = ("cashout_id", Optional, "the order; it or receipt_id");
const RECEIPT: (&str, Need, &str) = ("receipt_id", Optional, "crypto that no order took");
const HASH: (&str, Need, &str) =
    ("tx_hash", Required, "the transaction, which makes it known for ever");
const OUTPUT: (&str, Need, &str) = ("output", Optional, "its output, where it has several");
const FROM: (&str, Need, &str) = ("from", Optional, "on-chain origin, informational only");
const CONFIRMATIONS: (&str, Need, &str) =
    ("confirmations", Optional, "how many it has; told again with more, the order shows them");
const SEEN_AT: (&str, Need, &str) = ("seen_at", Optional, "when the network saw it; absent: now");

macro_rules! example {
    ($fact:literal, $body:literal) => {
        concat!(r#"{"at":"2026-11-20T12:00:00Z","fact":""#, $fact, r#"","body":"#, $body, "}")
    };
}

macro_rules! fact {
    ($kind:ident, $name:literal, $meaning:literal, $fields:expr, $body:literal) => {
        FactShape {
            kind: FactKind::$kind,
            name: $name,
            meaning: $meaning,
            fields: &$fields,
            example: example!($name, $body),
        }
    };
}

/// These facts, in the order people meet them.
pub const SALES: [FactShape; 28] = [
    fact!(
        MarketsUpdated,
        "markets.updated",
        "Pairs of asset and network that sellers may deposit were listed, changed or dropped.",
        [
            ID,
            (
                "items",
                Optional,
                "the pairs listed or changed: asset, network, path (FAST, DEX, CONVERT, depix_liquid) (all three required), decimals (0 to 18), min, max, available, valid_minutes (1 to 300), confirmations (at most 65,535), eta_minutes (at most 65,535)"
            ),
            ("dropped", Optional, "the pairs no longer listed: asset and network, both required"),
        ],
        r#"{"id":"mk-1","items":[{"asset":"usdt","network":"polygon","path":"FAST"}]}"#
    ),
    fact!(
        DepositSeen,
        "deposit.seen",
        "A deposit was seen on its network; what no order takes is a receipt of its own.",
        [
            NAMED,
            HASH,
            OUTPUT,
            ("asset", Required, "what arrived"),
            ("network", Required, "where"),
            ("amount", Required, "how much, a decimal string"),
            FROM,
            SEEN_AT,
            CONFIRMATIONS,
        ],
        r#"{"cashout_id":"$v1.cashout_id","tx_hash":"0xd1","asset":"usdt","network":"polygon","amount":"19.444445"}"#
    ),
    fact!(
        DepositConfirmed,
        "deposit.confirmed",
        "A deposit has its confirmations; told in full, that implies that it was seen.",
        [
            NAMED,
            HASH,
            OUTPUT,
            ("asset", Optional, "what arrived, with amount"),
            ("network", Optional, "where, with amount"),
            ("amount", Optional, "how much, when the news of its arrival may not have come"),
            FROM,
            SEEN_AT,
        ],
        r#"{"cashout_id":"$v1.cashout_id","tx_hash":"0xd1"}"#
    ),
    fact!(
        DepositVanished,
        "deposit.vanished",
        "A deposit vanished before it was confirmed: the network reorganised.",
        [NAMED, HASH, OUTPUT],
        r#"{"cashout_id":"$v1.cashout_id","tx_hash":"0xd1"}"#
    ),
    fact!(
        SaleStarted,
        "sale.started",
        "Selling what was deposited began, on a network or at the exchange.",
        [ID, ORDER],
        r#"{"id":"sale-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        SaleFilled,
        "sale.filled",
        "It was sold, for crypto or, at the exchange, for reais.",
        [
            ID,
            ORDER,
            ("asset", Optional, "what it gave, in crypto"),
            ("network", Optional, "where that stands"),
            ("amount", Optional, "how much, a decimal string"),
            ("amount_cents", Optional, "what it gave, in reais"),
        ],
        r#"{"id":"sale-2","cashout_id":"$v1.cashout_id","asset":"usdt","network":"polygon","amount":"19.4"}"#
    ),
    fact!(
        SaleFailed,
        "sale.failed",
        "It definitely was not sold: the deposit goes back.",
        [ID, ORDER],
        r#"{"id":"sale-3","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        SaleUnknown,
        "sale.unknown",
        "Nobody knows whether it was sold: it waits for evidence, and nothing moves.",
        [ID, ORDER],
        r#"{"id":"sale-4","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        SaleForwarding,
        "sale.forwarding",
        "The proceeds are on their way from the exchange to the payout provider.",
        [ID, ORDER],
        r#"{"id":"sale-5","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        SaleForwarded,
        "sale.forwarded",
        "They arrived; the payment begins.",
        [ID, ORDER, AMOUNT],
        r#"{"id":"sale-6","cashout_id":"$v1.cashout_id","amount_cents":10490}"#
    ),
    fact!(
        PaymentStarted,
        "payment.started",
        "The payment of an order sold on its network began.",
        [ID, ORDER],
        r#"{"id":"pay-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        CashOutDelayed,
        "cashout.delayed",
        "The exchange or the provider is late with an order.",
        [ID, ORDER],
        r#"{"id":"late-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        CashOutResumed,
        "cashout.resumed",
        "It goes on.",
        [ID, ORDER],
        r#"{"id":"late-2","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        CashOutPaid,
        "cashout.paid",
        "The PIX of an order was paid.",
        [
            ORDER,
            ("e2e", Required, "the end-to-end id, which makes it known for ever"),
            ("amount_cents", Optional, "what was paid, where it may not be what was owed"),
            ("paid_at", Optional, "when it was paid; absent: now"),
            ("receipt_url", Optional, "where its receipt is"),
            ("receipt_pdf_url", Optional, "and as PDF"),
            ("verify_url", Optional, "and where anybody may verify it"),
            RECIPIENT_NAME,
            RECIPIENT_DOCUMENT,
            INSTITUTION,
            SETTLED_BY,
        ],
        r#"{"cashout_id":"$v1.cashout_id","e2e":"E9040088820261120120300123873174"}"#
    ),
    fact!(
        SendFailed,
        "cashout.send_failed",
        "The send failed before leaving: it is tried again every five minutes for 45.",
        [ID, ORDER],
        r#"{"id":"send-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        PaymentImpossible,
        "cashout.pix_impossible",
        "The PIX cannot be paid, and no further try would change that.",
        [ID, ORDER],
        r#"{"id":"imp-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        KeyRefused,
        "cashout.key_refused",
        "The provider refused the PIX key after it had the money, and gave back so much.",
        [ID, ORDER, ("returned_cents", Required, "what it gave back, in centavos")],
        r#"{"id":"ref-1","cashout_id":"$v1.cashout_id","returned_cents":9900}"#
    ),
    fact!(
        PaymentUnknown,
        "cashout.unknown",
        "Nobody knows whether the PIX was paid: it waits for evidence, and nothing moves.",
        [ID, ORDER],
        r#"{"id":"unk-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        TokenHandedOver,
        "cashout.token_sent",
        "The token of a sale on Liquid was handed to the provider.",
        [ID, ORDER],
        r#"{"id":"tok-1","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        TokenReturned,
        "cashout.token_returned",
        "The provider returned the token: never more is refunded than came back.",
        [ID, ORDER, ("amount", Required, "how much came back, a decimal string")],
        r#"{"id":"tok-2","cashout_id":"$v1.cashout_id","amount":"99.5"}"#
    ),
    fact!(
        CashOutReversed,
        "cashout.pix_reversed",
        "The PIX of a completed order came back, in part or whole.",
        [ORDER, ("return_id", Required, "the return id"), AMOUNT],
        r#"{"cashout_id":"$v1.cashout_id","return_id":"D9040088820261121120300123873175","amount_cents":10000}"#
    ),
    fact!(
        CashOutCancelled,
        "cashout.cancelled",
        "The route was lost before anything was deposited.",
        [ID, ORDER],
        r#"{"id":"can-2","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        CashOutStopped,
        "cashout.stopped",
        "An operator takes an order whose payment has no known outcome.",
        [ID, ORDER, ACTOR, REASON, EVIDENCE],
        r#"{"id":"stop-2","cashout_id":"$v1.cashout_id","actor":"bia","reason":"the provider is silent"}"#
    ),
    fact!(
        CashOutCleared,
        "cashout.cleared",
        "An operator lets an order under review go on; with a corrected key, if it was the key.",
        [
            ID,
            ORDER,
            ("pix_key", Optional, "the corrected key"),
            ("pix_key_type", Optional, "cpf, cnpj, phone, email or random"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        r#"{"id":"clear-1","cashout_id":"$v1.cashout_id","actor":"bia","reason":"the token is as good"}"#
    ),
    fact!(
        RefundDecided,
        "refund.decided",
        "A refund is decided: by the service up to the limit, or by an operator, who may name the \
         wallet.",
        [
            ID,
            REFUNDED,
            RECEIPT,
            ("refund_address", Optional, "the return wallet, where an operator names one"),
            ("actor", Optional, "who decided; absent: the service itself"),
            ("reason", Optional, "why, with actor"),
            EVIDENCE,
        ],
        r#"{"id":"rd-1","cashout_id":"$v1.cashout_id","actor":"bia","reason":"the customer asked"}"#
    ),
    fact!(
        RefundSent,
        "refund.sent",
        "A refund was sent.",
        [ID, REFUNDED, RECEIPT, ("tx_hash", Required, "the transaction")],
        r#"{"id":"rs-1","cashout_id":"$v1.cashout_id","tx_hash":"0xr1"}"#
    ),
    fact!(
        RefundFailed,
        "refund.failed",
        "A refund definitely was not sent: another attempt follows.",
        [ID, REFUNDED, RECEIPT],
        r#"{"id":"rs-2","cashout_id":"$v1.cashout_id"}"#
    ),
    fact!(
        RefundUnknown,
        "refund.unknown",
        "Nobody knows whether a refund was sent: it waits for evidence.",
        [ID, REFUNDED, RECEIPT],
        r#"{"id":"rs-3","cashout_id":"$v1.cashout_id"}"#
    ),
];
