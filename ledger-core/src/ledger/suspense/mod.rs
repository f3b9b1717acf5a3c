//! What waits for a person: unmatched money, and receivables.

pub(super) mod fact;
mod machine;
pub(super) mod waiting;

pub use fact::Fact;
