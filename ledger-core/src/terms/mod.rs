//! What an operation is agreed under: fees, ranges, waiting periods, and the ledger's policy.

mod fee;
mod policy;
mod schedule;

pub use fee::{PayoutFees, Rate, Tariff};
pub use policy::{Policy, Switch};
pub use schedule::{Release, Schedule, Terms};
