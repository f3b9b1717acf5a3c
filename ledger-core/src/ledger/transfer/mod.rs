//! Transfers between subaccounts of one account.

pub(super) mod request;
