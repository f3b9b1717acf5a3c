//! Facts of charges: a PIX collected.

use crate::declared::{list, words};
use crate::fact::fact;
use crate::value::{Amount, DecidedBy, Document, EndToEndId, FactId, Instant, OperationId, Text};

list! { AnyFact:
    PixReceived, PixSeen, PixReturned, ProviderSettled, ProviderHeld, ProviderReleased,
    ProviderCancelled, PayerReviewed,
}

fact! {
    /// A PIX arrived; what does not pay its charge exactly and in time goes to suspense.
    PixReceived: "pix.received" {
        charge?: OperationId as "cashin_id", "the charge its QR belongs to";
        end_to_end_id: EndToEndId as "e2e", "the end-to-end id, which makes it known for ever";
        amount: Amount as "amount_cents", "centavos";
        paid_at?: Instant, "when the payer paid, by the provider's clock; absent: now";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
        payer?: Document as "payer_tax_number",
            "the CPF or CNPJ of whoever paid, digits only, or a masked CPF";
    }
}

fact! {
    /// A PIX was seen for a charge, and the provider has not settled it yet.
    PixSeen: "pix.seen" {
        charge: OperationId as "cashin_id", "the charge";
        end_to_end_id: EndToEndId as "e2e", "the end-to-end id, which makes it known for ever";
        amount: Amount as "amount_cents", "centavos";
        paid_at?: Instant, "when the payer paid; absent: now";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
        payer?: Document as "payer_tax_number",
            "the CPF or CNPJ of whoever paid, digits only, or a masked CPF";
    }
}

fact! {
    /// A PIX received went back to its payer, in part or whole: a forced debit once it was
    /// credited.
    PixReturned: "pix.returned" {
        charge: OperationId as "cashin_id", "the charge";
        return_id: EndToEndId, "the return id";
        amount: Amount as "amount_cents", "centavos";
    }
}

fact! {
    /// The provider settled a PIX that was seen.
    ProviderSettled: "provider.settled" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the charge";
    }
}

fact! {
    /// The provider holds a PIX that was seen.
    ProviderHeld: "provider.held" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the charge";
        until?: Instant, "when it means to release it";
    }
}

fact! {
    /// The provider released a charge it held; naming the PIX implies that it was paid.
    ProviderReleased: "provider.released" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the charge";
        end_to_end_id?: EndToEndId as "e2e",
            "the PIX, when the news of its payment may not have come";
        amount?: Amount as "amount_cents", "what was paid, with e2e";
        paid_at?: Instant, "when it was paid, with e2e";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
        payer?: Document as "payer_tax_number",
            "the CPF or CNPJ of whoever paid, digits only, or a masked CPF";
    }
}

fact! {
    /// The provider cancelled a charge, or failed, before payment.
    ProviderCancelled: "provider.cancelled" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        charge: OperationId as "cashin_id", "the charge";
    }
}

words! {
    /// Values of `finding`: identified, blocked or unknown.
    PayerReviewedFinding { Identified = "identified", Blocked = "blocked", Unknown = "unknown" }
}

fact! {
    /// Somebody looked at a payer.
    PayerReviewed: "payer.reviewed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payer: Document as "payer_tax_number", "the CPF or CNPJ";
        finding: PayerReviewedFinding, "identified, blocked or unknown";
        decided_by: DecidedBy, "who decided, and why";
    }
}
