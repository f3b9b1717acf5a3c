//! The commands that show what the books hold, now or at any moment, a file each.

pub mod balances;
pub mod compare;
pub mod days;
pub mod explain;
mod period;
pub mod statement;
pub mod trial_balance;
