//! Products as data: an entry whose amounts follow from parameters, proven to balance for all of
//! them before anybody may use it (P:Templates).
//!
//! A [`Template`] has amounts (parameters of a range each), holders (customers to be named), legs
//! whose amounts are expressions over the parameters, and conditions. [`Program::prove`] reads it
//! and proves, for every value of every parameter within its range: debits equal credits, no leg is
//! below zero, none is above the largest amount. What cannot be proven is refused, so a posting
//! never meets an entry that does not balance.

mod bounds;
mod declared;
mod expression;
mod polynomial;
mod program;
mod reader;
mod unproven;

pub use declared::{AmountParameter, Template, TemplateLeg};
pub use expression::Rounding;
pub use program::Program;
pub use reader::Unreadable;
pub use unproven::{Inapplicable, Unproven};
