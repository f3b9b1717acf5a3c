//! The close of days: statements as evidence, days closed in order, and reopened (P:DayClose).
//!
//! ```text
//! open --day.closed--> closed --day.reopened, the last one--> open
//! ```

mod day_end;
pub(super) mod fact;
pub(super) mod index;

pub use fact::{DayReport, Fact};
