//! Recoveries of contested PIX, as MED 2.0 names them: opened, blocked, decided, refunded
//! (P:Recoveries).
//!
//! ```text
//! absent --recovery.opened--> open --recovery.decided: accepted--> accepted --refunded whole--> over
//!                                              '--rejected--> over
//! ```

mod claims;
pub(super) mod fact;
pub(super) mod index;
mod refund;

pub(crate) use fact::ANALYSIS;
pub use fact::{Fact, Ruling};
pub use index::Recovery;
