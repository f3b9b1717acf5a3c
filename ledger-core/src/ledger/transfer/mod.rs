//! Transfers between subaccounts of one account.

pub(super) mod group;
mod machine;
pub(super) mod request;
