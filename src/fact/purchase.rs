//! Facts of purchases of crypto, and deliveries.

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::value::{Amount, DecidedBy, Decimal, EndToEndId, FactId, Instant, OperationId, Text};

list! { AnyFact:
    ErroneousDeliverySettled, CatalogueUpdated, DeliveryStarted, DeliveryAccepted, DeliverySent,
    DeliveryFailed, DeliveryUnknown, DeliveryEvidence, DeliveryGivenUp, DeliveryResumed,
}

words! {
    /// Values of `outcome`: recovered or lost.
    ErroneousDeliverySettledOutcome { Recovered = "recovered", Lost = "lost" }
}

fact! {
    /// A claim on crypto sent without reason ended.
    ErroneousDeliverySettled: "stray.settled" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        erroneous_delivery: OperationId as "stray_id", "the claim";
        outcome: ErroneousDeliverySettledOutcome, "recovered or lost";
        decided_by: DecidedBy, "who decided, and why";
    }
}

words! {
    /// Values of `rail`: instant, convert or liquid.
    CatalogueUpdatedItemRail { Instant = "instant", Convert = "convert", Liquid = "liquid" }
}

part! {
    /// Of `CatalogueUpdated`: the pairs listed or changed, at most 5,000.
    CatalogueUpdatedItem {
        asset: Text<32>, "the asset";
        chain: Text<32>, "the network";
        rail?: CatalogueUpdatedItemRail, "instant, convert or liquid";
        decimals?: u16, "of the asset";
        min_buy_amount: Decimal as "minBuyAmount", "the least that is sold";
        withdraw_fee?: Decimal as "withdrawFee", "what the network takes";
        deliverable?: bool as "entregavel", "whether it is delivered";
        memo_required?: bool as "memoRequired", "whether a wallet needs a memo";
        eta?: Text<64>, "how long it takes, in words";
        eta_seconds?: u16 as "etaSeconds", "how long it takes; required above zero outside polygon";
    }
}

part! {
    /// Of `CatalogueUpdated`: the pairs no longer listed, at most 5,000.
    CatalogueUpdatedDropped {
        asset: Text<32>, "the asset";
        chain: Text<32>, "the network";
    }
}

part! {
    /// Of `CatalogueUpdated`: where networks show their transactions.
    CatalogueUpdatedNetwork {
        chain: Text<32>, "the network";
        tx_url: Text<255>, "an https:// address with {tx} where the hash stands";
    }
}

fact! {
    /// Pairs of asset and network were listed, changed or dropped.
    CatalogueUpdated: "catalog.updated" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        items?: Vec<CatalogueUpdatedItem>, "the pairs listed or changed, at most 5,000";
        dropped?: Vec<CatalogueUpdatedDropped>, "the pairs no longer listed, at most 5,000";
        networks?: Vec<CatalogueUpdatedNetwork>, "where networks show their transactions";
    }
}

fact! {
    /// An attempt to deliver began: the crypto is bought.
    DeliveryStarted: "delivery.started" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        attempt?: u16, "which attempt, as the instruction numbered it; absent: the one under way";
    }
}

fact! {
    /// Whoever sends accepted the attempt; there is no hash yet.
    DeliveryAccepted: "delivery.accepted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        attempt?: u16, "which attempt, as the instruction numbered it; absent: the one under way";
    }
}

fact! {
    /// The crypto was sent; what was sent without reason is a claim.
    DeliverySent: "delivery.sent" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        tx_hash: Text<128>, "the transaction";
        attempt?: u16, "which attempt, as the instruction numbered it; absent: the one under way";
        end_to_end_id?: EndToEndId as "e2e",
            "the PIX, when the news of its payment may not have come";
        amount?: Amount as "amount_cents", "what was paid, with e2e";
        paid_at?: Instant, "when it was paid, with e2e";
    }
}

fact! {
    /// The attempt definitely failed; another may begin.
    DeliveryFailed: "delivery.failed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        attempt?: u16, "which attempt, as the instruction numbered it; absent: the one under way";
    }
}

fact! {
    /// The attempt's outcome is unknown: it waits for evidence, and nothing moves.
    DeliveryUnknown: "delivery.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        attempt?: u16, "which attempt, as the instruction numbered it; absent: the one under way";
    }
}

words! {
    /// Values of `outcome`: sent or `not_sent`.
    DeliveryEvidenceOutcome { Sent = "sent", NotSent = "not_sent" }
}

fact! {
    /// An operator found out what became of a delivery.
    DeliveryEvidence: "delivery.evidence" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        outcome: DeliveryEvidenceOutcome, "sent or `not_sent`";
        tx_hash?: Text<128>, "the transaction, required when sent";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// An operator gives a delivery up, before it was sent or after a definite failure.
    DeliveryGivenUp: "delivery.given_up" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase, conversion or commission withdrawal";
        to: Text<16>, "pagador (of a purchase), or saldo: custody, or where a conversion came from";
        return_id?: EndToEndId, "the return, required to pagador";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// An operator lets what is left of a purchase be delivered, after a part of its PIX went back:
    /// fees in proportion, at the price that was agreed.
    DeliveryResumed: "delivery.resumed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the purchase";
        decided_by: DecidedBy, "who decided, and why";
    }
}
