//! Facts of money that waits for a person.

use crate::declared::list;
use crate::fact::fact;
use crate::value::{DecidedBy, EndToEndId, FactId, OperationId};

list! { AnyFact: SuspenseAttached, SuspenseReturned }

fact! {
    /// An operator gives a PIX in suspense to a charge, which it then pays.
    SuspenseAttached: "suspense.attached" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        suspense: OperationId as "suspense_id", "what waits";
        charge: OperationId as "cashin_id", "the charge";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// What stood in suspense went back: to the payer, or to us.
    SuspenseReturned: "suspense.returned" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        suspense: OperationId as "suspense_id", "what waits";
        return_id?: EndToEndId, "the return by which it went back, as the provider lists it";
        decided_by: DecidedBy, "who decided, and why";
    }
}
