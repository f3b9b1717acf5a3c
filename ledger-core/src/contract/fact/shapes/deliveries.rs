//! The facts about what is offered, who pays, and what is delivered.

use super::{ACTOR, AMOUNT, CASHIN, EVIDENCE, FactShape, ID, PAYOUT, REASON};
use crate::contract::fact::need::Need;
use crate::contract::fact::need::Need::{Optional, Required};
use crate::contract::fact::payment_details::{INSTITUTION, RECEIPT_URL, SETTLED_BY};
use crate::ledger::FactKind;

const DELIVERED: (&str, Need, &str) =
    ("cashin_id", Required, "the purchase, conversion or commission withdrawal");

/// These facts, in the order people meet them.
pub const DELIVERIES: [FactShape; 17] = [
    FactShape {
        kind: FactKind::CatalogueUpdated,
        name: "catalog.updated",
        meaning: "Pairs of asset and network were listed, changed or dropped.",
        fields: &[
            ID,
            (
                "items",
                Optional,
                "the pairs listed or changed, at most 5,000: asset, chain, minBuyAmount (all three required), rail (instant, convert, liquid), decimals (0 to 18), withdrawFee, entregavel, memoRequired, eta, etaSeconds (at most 65,535; required outside polygon)",
            ),
            (
                "dropped",
                Optional,
                "the pairs no longer listed, at most 5,000: asset and chain, both required",
            ),
            (
                "networks",
                Optional,
                "where networks show their transactions: chain and tx_url, an https:// address with {tx}",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"catalog.updated","body":{"id":"cat-1","items":[{"asset":"usdt","chain":"polygon","rail":"instant","minBuyAmount":"5.0065","eta":"1 min","etaSeconds":60}]}}"#,
    },
    FactShape {
        kind: FactKind::RateQuoted,
        name: "rate.quoted",
        meaning: "An asset has a price: the ask of an exchange, unmodified.",
        fields: &[
            ID,
            ("asset", Required, "the asset"),
            ("brl_per_unit", Required, "reais for one whole, a decimal string"),
            ("source", Optional, "whose price it is"),
            ("quoted_at", Optional, "when it was told; absent: now"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"rate.quoted","body":{"id":"rate-1","asset":"usdt","brl_per_unit":"5.40","source":"exchange"}}"#,
    },
    FactShape {
        kind: FactKind::PayerReviewed,
        name: "payer.reviewed",
        meaning: "Somebody looked at a payer.",
        fields: &[
            ID,
            ("payer_tax_number", Required, "the CPF or CNPJ"),
            ("finding", Required, "identified, blocked or unknown"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payer.reviewed","body":{"id":"rev-1","payer_tax_number":"52998224725","finding":"identified","actor":"bia","reason":"known to the provider"}}"#,
    },
    FactShape {
        kind: FactKind::PixSeen,
        name: "pix.seen",
        meaning: "A PIX was seen for a charge, and the provider has not settled it yet.",
        fields: &[
            CASHIN,
            ("e2e", Required, "the end-to-end id, which makes it known for ever"),
            AMOUNT,
            ("paid_at", Optional, "when the payer paid; absent: now"),
            INSTITUTION,
            SETTLED_BY,
            RECEIPT_URL,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"pix.seen","body":{"cashin_id":"$c1.cashin_id","e2e":"E9040088820261120120300123873170","amount_cents":10000}}"#,
    },
    FactShape {
        kind: FactKind::ProviderSettled,
        name: "provider.settled",
        meaning: "The provider settled a PIX that was seen.",
        fields: &[ID, CASHIN],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"provider.settled","body":{"id":"set-1","cashin_id":"$c1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::ProviderHeld,
        name: "provider.held",
        meaning: "The provider holds a PIX that was seen.",
        fields: &[ID, CASHIN, ("until", Optional, "when it means to release it")],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"provider.held","body":{"id":"held-1","cashin_id":"$c1.cashin_id","until":"2026-11-21T12:00:00Z"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryStarted,
        name: "delivery.started",
        meaning: "An attempt to deliver began: the crypto is bought.",
        fields: &[
            ID,
            DELIVERED,
            (
                "attempt",
                Optional,
                "which attempt, as the instruction numbered it; absent: the one under way",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.started","body":{"id":"del-1","cashin_id":"$c1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryAccepted,
        name: "delivery.accepted",
        meaning: "Whoever sends accepted the attempt; there is no hash yet.",
        fields: &[
            ID,
            DELIVERED,
            (
                "attempt",
                Optional,
                "which attempt, as the instruction numbered it; absent: the one under way",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.accepted","body":{"id":"del-2","cashin_id":"$c1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::DeliverySent,
        name: "delivery.sent",
        meaning: "The crypto was sent; what was sent without reason is a claim.",
        fields: &[
            ID,
            DELIVERED,
            ("tx_hash", Required, "the transaction"),
            (
                "attempt",
                Optional,
                "which attempt, as the instruction numbered it; absent: the one under way",
            ),
            ("e2e", Optional, "the PIX, when the news of its payment may not have come"),
            ("amount_cents", Optional, "what was paid, with e2e"),
            ("paid_at", Optional, "when it was paid, with e2e"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.sent","body":{"id":"del-3","cashin_id":"$c1.cashin_id","tx_hash":"0xabc"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryFailed,
        name: "delivery.failed",
        meaning: "The attempt definitely failed; another may begin.",
        fields: &[
            ID,
            DELIVERED,
            (
                "attempt",
                Optional,
                "which attempt, as the instruction numbered it; absent: the one under way",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.failed","body":{"id":"del-4","cashin_id":"$c1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryUnknown,
        name: "delivery.unknown",
        meaning: "The attempt's outcome is unknown: it waits for evidence, and nothing moves.",
        fields: &[
            ID,
            DELIVERED,
            (
                "attempt",
                Optional,
                "which attempt, as the instruction numbered it; absent: the one under way",
            ),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.unknown","body":{"id":"del-5","cashin_id":"$c1.cashin_id"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryEvidence,
        name: "delivery.evidence",
        meaning: "An operator found out what became of a delivery.",
        fields: &[
            ID,
            DELIVERED,
            ("outcome", Required, "sent or not_sent"),
            ("tx_hash", Optional, "the transaction, required when sent"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.evidence","body":{"id":"dev-1","cashin_id":"$c1.cashin_id","outcome":"not_sent","actor":"bia","reason":"the exchange never sent it"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryGivenUp,
        name: "delivery.given_up",
        meaning: "An operator gives a delivery up, before it was sent or after a definite failure.",
        fields: &[
            ID,
            DELIVERED,
            (
                "to",
                Required,
                "pagador (of a purchase), or saldo: custody, or where a conversion came from",
            ),
            ("return_id", Optional, "the return, required to pagador"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.given_up","body":{"id":"give-1","cashin_id":"$c1.cashin_id","to":"saldo","actor":"bia","reason":"the network is down"}}"#,
    },
    FactShape {
        kind: FactKind::DeliveryResumed,
        name: "delivery.resumed",
        meaning: "An operator lets what is left of a purchase be delivered, after a part of its PIX went back: fees in proportion, at the price that was agreed.",
        fields: &[ID, ("cashin_id", Required, "the purchase"), ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"delivery.resumed","body":{"id":"res-1","cashin_id":"$c1.cashin_id","actor":"bia","reason":"the payer wants the rest"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutStopped,
        name: "payout.stopped",
        meaning: "Compliance stops a payout before it is sent.",
        fields: &[ID, PAYOUT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payout.stopped","body":{"id":"stop-1","payout_id":"$o1.payout_id","actor":"bia","reason":"to be looked at"}}"#,
    },
    FactShape {
        kind: FactKind::PayoutCleared,
        name: "payout.cleared",
        meaning: "Compliance lets a stopped payout go on.",
        fields: &[ID, PAYOUT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"payout.cleared","body":{"id":"go-1","payout_id":"$o1.payout_id","actor":"bia","reason":"looked at"}}"#,
    },
    FactShape {
        kind: FactKind::ErroneousDeliverySettled,
        name: "stray.settled",
        meaning: "A claim on crypto sent without reason ended.",
        fields: &[
            ID,
            ("stray_id", Required, "the claim"),
            ("outcome", Required, "recovered or lost"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"stray.settled","body":{"id":"stray-1","stray_id":"$s1.stray_id","outcome":"recovered","actor":"bia","reason":"the customer sent it back"}}"#,
    },
];
