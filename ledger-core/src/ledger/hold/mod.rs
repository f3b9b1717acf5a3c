//! Holds, what they are short of, and what services reserve.

mod destination;
pub(super) mod fact;
mod machine;
mod reservation;
pub(super) mod shortfall;

pub use destination::Destination;
pub use fact::Fact;
