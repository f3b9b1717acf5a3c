//! Facts of holds, and orders of courts.

use crate::declared::words;
use crate::fact::fact;
use crate::value::{AccountName, Amount, DecidedBy, FactId, OperationId, Party};

words! {
    /// What `kind` may say: dispute, precautionary, judicial or administrative.
    HoldPlacedKind {
        Dispute = "dispute",
        Precautionary = "precautionary",
        Judicial = "judicial",
        Administrative = "administrative",
    }
}

fact! {
    /// An operator blocks money; for what is short the hold keeps watching.
    HoldPlaced: "hold.placed" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        charge?: OperationId as "cashin_id",
            "the charge that is the cause; its own held part is taken first, and its return takes \
             what the block holds";
        kind: HoldPlacedKind, "dispute, precautionary, judicial or administrative";
        amount: Amount as "amount_cents", "centavos";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// An operator lets go: of so much, or of everything and for good.
    HoldReleased: "hold.released" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        hold: OperationId as "hold_id", "the hold";
        amount?: Amount as "amount_cents", "how much; absent: everything, and the watch ends";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A court takes money from a balance, which may become negative; it waits in suspense until
    /// suspense.returned says that it left.
    CourtOrdered: "court.ordered" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        hold?: OperationId as "hold_id", "the block placed for this order; it gives first";
        amount: Amount as "amount_cents", "centavos";
        decided_by: DecidedBy, "who decided, and why";
    }
}
