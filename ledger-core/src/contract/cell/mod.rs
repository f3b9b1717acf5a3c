//! Accounts that move between ledgers, on the wire.

pub(super) mod carried;
pub(super) mod fact;
pub(super) mod plan;

pub use carried::{carried_body, vault_check};
pub use plan::{CellReport, MovePlan, Side};
