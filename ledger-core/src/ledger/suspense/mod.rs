//! What waits for a person: unmatched money, and receivables.

pub(super) mod court;
pub(super) mod fact;
pub(super) mod receivable;
pub(super) mod waiting;
