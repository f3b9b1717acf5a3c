//! Facts of cash-out orders: crypto sold for a PIX.

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::value::{
    Amount, DecidedBy, Decimal, EndToEndId, FactId, Instant, OperationId, PixKey, Text,
};

list! { AnyFact:
    MarketsUpdated, DepositSeen, DepositConfirmed, DepositVanished, RefundDecided, RefundSent,
    RefundFailed, RefundUnknown, SaleStarted, SaleFilled, SaleFailed, SaleUnknown, SaleForwarding,
    SaleForwarded, PaymentStarted, CashOutDelayed, CashOutResumed, CashOutPaid, SendFailed,
    PaymentImpossible, KeyRefused, PaymentUnknown, TokenHandedOver, TokenReturned, CashOutReversed,
    CashOutCancelled, CashOutStopped, CashOutCleared,
}

words! {
    /// Values of `path`: FAST, DEX, CONVERT or `depix_liquid`.
    MarketsUpdatedItemPath {
        Fast = "FAST",
        Dex = "DEX",
        Convert = "CONVERT",
        DepixLiquid = "depix_liquid",
    }
}

part! {
    /// Of `MarketsUpdated`: the pairs listed or changed.
    MarketsUpdatedItem {
        asset: Text<32>, "the asset";
        network: Text<32>, "the network";
        path: MarketsUpdatedItemPath, "FAST, DEX, CONVERT or `depix_liquid`";
        decimals?: u16, "of the asset";
        min?: Decimal, "the least";
        max?: Decimal, "the most";
        available?: bool, "whether it is offered";
        valid_minutes?: u16, "how long a quote is valid";
        confirmations?: u16, "how many a deposit needs";
        eta_minutes?: u16, "how long it takes";
    }
}

part! {
    /// Of `MarketsUpdated`: the pairs no longer listed.
    MarketsUpdatedDropped {
        asset: Text<32>, "the asset";
        network: Text<32>, "the network";
    }
}

fact! {
    /// Pairs of asset and network that sellers may deposit were listed, changed or dropped.
    MarketsUpdated: "markets.updated" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        items?: Vec<MarketsUpdatedItem>, "the pairs listed or changed";
        dropped?: Vec<MarketsUpdatedDropped>, "the pairs no longer listed";
    }
}

fact! {
    /// A deposit was seen on its network; what no order takes is a receipt of its own.
    DepositSeen: "deposit.seen" {
        cash_out?: OperationId as "cashout_id",
            "the order it was sent for; absent: it waits as a receipt";
        tx_hash: Text<128>, "the transaction, which makes it known for ever";
        output?: u16, "its output, where it has several";
        asset: Text<32>, "what arrived";
        network: Text<32>, "where";
        amount: Decimal, "how much";
        from?: Text<128>, "on-chain origin, informational only";
        seen_at?: Instant, "when the network saw it; absent: now";
        confirmations?: u16, "how many it has; told again with more, the order shows them";
    }
}

fact! {
    /// A deposit has its confirmations; told in full, that implies that it was seen.
    DepositConfirmed: "deposit.confirmed" {
        cash_out?: OperationId as "cashout_id",
            "the order it was sent for; absent: it waits as a receipt";
        tx_hash: Text<128>, "the transaction, which makes it known for ever";
        output?: u16, "its output, where it has several";
        asset?: Text<32>, "what arrived, with amount";
        network?: Text<32>, "where, with amount";
        amount?: Decimal, "how much, when the news of its arrival may not have come";
        from?: Text<128>, "on-chain origin, informational only";
        seen_at?: Instant, "when the network saw it; absent: now";
    }
}

fact! {
    /// A deposit vanished before it was confirmed: the network reorganised.
    DepositVanished: "deposit.vanished" {
        cash_out?: OperationId as "cashout_id",
            "the order it was sent for; absent: it waits as a receipt";
        tx_hash: Text<128>, "the transaction, which makes it known for ever";
        output?: u16, "its output, where it has several";
    }
}

fact! {
    /// A refund is decided: by the service up to the limit, or by an operator, who may name the
    /// wallet.
    RefundDecided: "refund.decided" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out?: OperationId as "cashout_id", "the order; it or `receipt_id`";
        unmatched_deposit?: OperationId as "receipt_id", "crypto that no order took";
        refund_address?: Text<128>, "the return wallet, where an operator names one";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A refund was sent.
    RefundSent: "refund.sent" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out?: OperationId as "cashout_id", "the order; it or `receipt_id`";
        unmatched_deposit?: OperationId as "receipt_id", "crypto that no order took";
        tx_hash: Text<128>, "the transaction";
    }
}

fact! {
    /// A refund definitely was not sent: another attempt follows.
    RefundFailed: "refund.failed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out?: OperationId as "cashout_id", "the order; it or `receipt_id`";
        unmatched_deposit?: OperationId as "receipt_id", "crypto that no order took";
        attempt?: u16, "which attempt, as the instruction numbered it; absent: the one under way";
    }
}

fact! {
    /// Nobody knows whether a refund was sent: it waits for evidence.
    RefundUnknown: "refund.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out?: OperationId as "cashout_id", "the order; it or `receipt_id`";
        unmatched_deposit?: OperationId as "receipt_id", "crypto that no order took";
    }
}

fact! {
    /// Selling what was deposited began, on a network or at the exchange.
    SaleStarted: "sale.started" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// It was sold, for crypto or, at the exchange, for reais.
    SaleFilled: "sale.filled" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
        asset?: Text<32>, "what it gave, in crypto";
        network?: Text<32>, "where that stands";
        units?: Decimal as "amount", "how much";
        amount?: Amount as "amount_cents", "what it gave, in reais";
    }
}

fact! {
    /// It definitely was not sold: the deposit goes back.
    SaleFailed: "sale.failed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// Nobody knows whether it was sold: it waits for evidence, and nothing moves.
    SaleUnknown: "sale.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The proceeds are on their way from the exchange to the payout provider.
    SaleForwarding: "sale.forwarding" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// They arrived; the payment begins.
    SaleForwarded: "sale.forwarded" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
        amount: Amount as "amount_cents", "centavos";
    }
}

fact! {
    /// The payment of an order sold on its network began.
    PaymentStarted: "payment.started" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The exchange or the provider is late with an order.
    CashOutDelayed: "cashout.delayed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// It goes on.
    CashOutResumed: "cashout.resumed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The PIX of an order was paid.
    CashOutPaid: "cashout.paid" {
        cash_out: OperationId as "cashout_id", "the order";
        end_to_end_id: EndToEndId as "e2e", "the end-to-end id, which makes it known for ever";
        amount?: Amount as "amount_cents", "what was paid, where it may not be what was owed";
        paid_at?: Instant, "when it was paid; absent: now";
        receipt_url?: Text<512>, "where its receipt is";
        receipt_pdf_url?: Text<512>, "and as PDF";
        verify_url?: Text<512>, "and where anybody may verify it";
        recipient_name?: Text<255>, "the recipient's name";
        recipient_document?: Text<32>, "the recipient's CPF or CNPJ, digits only, or a masked CPF";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
    }
}

fact! {
    /// The send failed before leaving: it is tried again every five minutes for 45.
    SendFailed: "cashout.send_failed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The PIX cannot be paid, and no further try would change that.
    PaymentImpossible: "cashout.pix_impossible" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The provider refused the PIX key after it had the money, and gave back so much.
    KeyRefused: "cashout.key_refused" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
        returned_cents: Amount, "what it gave back, in centavos";
    }
}

fact! {
    /// Nobody knows whether the PIX was paid: it waits for evidence, and nothing moves.
    PaymentUnknown: "cashout.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The token of a sale on Liquid was handed to the provider.
    TokenHandedOver: "cashout.token_sent" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// The provider returned the token: never more is refunded than came back.
    TokenReturned: "cashout.token_returned" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
        amount: Decimal, "how much came back";
    }
}

fact! {
    /// The PIX of a completed order came back, in part or whole.
    CashOutReversed: "cashout.pix_reversed" {
        cash_out: OperationId as "cashout_id", "the order";
        return_id: EndToEndId, "the return id";
        amount: Amount as "amount_cents", "centavos";
    }
}

fact! {
    /// The route was lost before anything was deposited.
    CashOutCancelled: "cashout.cancelled" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
    }
}

fact! {
    /// An operator takes an order whose payment has no known outcome.
    CashOutStopped: "cashout.stopped" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// An operator lets an order under review go on; with a corrected key, if it was the key.
    CashOutCleared: "cashout.cleared" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        cash_out: OperationId as "cashout_id", "the order";
        pix_key?: PixKey as "pix_key" and "pix_key_type", "the corrected key";
        decided_by: DecidedBy, "who decided, and why";
    }
}
