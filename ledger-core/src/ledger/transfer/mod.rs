//! Transfers between subaccounts of one account.

mod machine;
pub(super) mod request;
