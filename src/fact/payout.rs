//! Facts of payouts: a PIX sent.

use crate::declared::{list, words};
use crate::fact::fact;
use crate::value::{Amount, DecidedBy, EndToEndId, FactId, OperationId, Text};

list! { AnyFact:
    PayoutSubmitted, PayoutPaid, PayoutRefused, PayoutUnknown, PayoutReturned, PayoutEvidence,
    PayoutStopped, PayoutCleared,
}

fact! {
    /// The provider took a payout.
    PayoutSubmitted: "payout.submitted" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payout: OperationId as "payout_id", "the payout";
    }
}

fact! {
    /// A payout was paid; if that contradicts the books, it is a claim on the provider.
    PayoutPaid: "payout.paid" {
        payout: OperationId as "payout_id", "the payout";
        end_to_end_id: EndToEndId as "e2e", "the end-to-end id";
        amount?: Amount as "amount_cents", "what was paid, if the payout may not be known";
        recipient_name?: Text<255>, "the recipient's name";
        recipient_document?: Text<32>, "the recipient's CPF or CNPJ, digits only, or a masked CPF";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
    }
}

fact! {
    /// A payout was definitely not paid: everything goes back.
    PayoutRefused: "payout.refused" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payout: OperationId as "payout_id", "the payout";
    }
}

fact! {
    /// A payout's outcome is unknown: it waits for evidence, and nothing moves.
    PayoutUnknown: "payout.unknown" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payout: OperationId as "payout_id", "the payout";
    }
}

fact! {
    /// A paid payout came back from the beneficiary's bank, in part or whole.
    PayoutReturned: "payout.returned" {
        payout: OperationId as "payout_id", "the payout";
        return_id: EndToEndId, "the return id";
        amount: Amount as "amount_cents", "centavos";
    }
}

words! {
    /// Values of `outcome`: paid or `not_paid`.
    PayoutEvidenceOutcome { Paid = "paid", NotPaid = "not_paid" }
}

fact! {
    /// An operator found out what became of a payout.
    PayoutEvidence: "payout.evidence" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payout: OperationId as "payout_id", "the payout";
        outcome: PayoutEvidenceOutcome, "paid or `not_paid`";
        end_to_end_id?: EndToEndId as "e2e", "the end-to-end id, required when paid";
        recipient_name?: Text<255>, "the recipient's name";
        recipient_document?: Text<32>, "the recipient's CPF or CNPJ, digits only, or a masked CPF";
        institution?: Text<255>, "the recipient's institution";
        settled_by?: Text<255>, "who settled the PIX";
        receipt_url?: Text<512>, "where its receipt is: an https:// address";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// Compliance stops a payout before it is sent.
    PayoutStopped: "payout.stopped" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payout: OperationId as "payout_id", "the payout";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// Compliance lets a stopped payout go on.
    PayoutCleared: "payout.cleared" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        payout: OperationId as "payout_id", "the payout";
        decided_by: DecidedBy, "who decided, and why";
    }
}
