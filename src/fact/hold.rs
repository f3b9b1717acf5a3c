//! Facts of holds, reservations among them, of courts, and of recoveries of contested PIX.

use crate::declared::{list, part, words};
use crate::fact::fact;
use crate::fact::product::EntryLegOf;
use crate::value::{
    AccountName, Amount, DecidedBy, EndToEndId, FactId, Instant, OperationId, Party, Text,
};

list! { AnyFact:
    HoldPlaced, HoldReleased, ReservationMade, ReservationCaptured, CourtOrdered, RecoveryOpened,
    RecoveryBlocked, RecoveryDecided, RecoveryRefunded,
}

words! {
    /// Values of `kind`: dispute, precautionary, judicial or administrative.
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
    /// A service reserves money of a customer, all of it or nothing, for what it captures;
    /// hold.released lets go of the rest.
    ReservationMade: "reservation.made" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        amount: Amount as "amount_cents", "centavos";
        expires_at?: Instant, "when the rest is available again by itself";
        kind?: Text<64>, "the service's own word for it, such as `card`";
        description?: Text<255>, "what statements say of captures";
        decided_by: DecidedBy, "who decided, and why";
    }
}

part! {
    /// Of [`ReservationCaptured`]: the account that is credited.
    ReservationCapturedTo {
        name: Text<64>,
            "the account's name as it was declared; or cust.avail, equity.funding, prov.pix, \
             prov.pay, recv.prov, tariff.due or fx";
        of?: EntryLegOf, "whose it is, of cust.avail and of what each customer has one of";
    }
}

fact! {
    /// A service captures a part of what it reserved, and sends it where a leg of an entry may go.
    ReservationCaptured: "reservation.captured" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        hold: OperationId as "hold_id", "the reservation";
        amount: Amount as "amount_cents", "centavos";
        to: ReservationCapturedTo, "the account that is credited";
        last?: bool as "final", "true: the rest is available again; absent: it stays reserved";
        description?: Text<255>, "what statements say; absent: as the reservation's";
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

fact! {
    /// The payer's bank asks for a contested PIX, or a part of it; it books nothing.
    RecoveryOpened: "recovery.opened" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        recovery_id: Text<64>, "the recovery's id, as the bank that asks has it";
        charge: OperationId as "cashin_id", "the charge";
        amount: Amount as "amount_cents", "centavos";
        blocks_until?: Instant,
            "until when it blocks what comes; absent, and at most: the policy's shortfall watch";
        decides_until?: Instant, "until when a person decides; absent: seven days";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A subaccount is blocked for a recovery: what is there and what comes, up to what the
    /// recovery's holds leave of its amount.
    RecoveryBlocked: "recovery.blocked" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        recovery_id: Text<64>, "the recovery's id, as the bank that asks has it";
        charge: OperationId as "cashin_id", "the charge";
        account: AccountName, "the API account's name";
        party: Party as "customer_ref", "the subaccount";
        decided_by: DecidedBy, "who decided, and why";
    }
}

words! {
    /// Values of `outcome`: accepted or rejected.
    RecoveryDecidedOutcome { Accepted = "accepted", Rejected = "rejected" }
}

fact! {
    /// The analysis of a recovery is decided, once; what is blocked beyond what was accepted is let
    /// go, last placed first.
    RecoveryDecided: "recovery.decided" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        recovery_id: Text<64>, "the recovery's id, as the bank that asks has it";
        charge: OperationId as "cashin_id", "the charge";
        outcome: RecoveryDecidedOutcome, "accepted or rejected";
        amount?: Amount as "amount_cents", "how much is accepted; absent: all of it";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// A part of what was accepted went back to the payer, out of the recovery's holds; a return
    /// that they cannot give goes to suspense.
    RecoveryRefunded: "recovery.refunded" {
        recovery_id: Text<64>, "the recovery's id, as the bank that asks has it";
        charge: OperationId as "cashin_id", "the charge";
        return_id: EndToEndId, "the return id";
        amount: Amount as "amount_cents", "centavos";
    }
}
