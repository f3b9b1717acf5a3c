//! Payments of a PIX from a wallet: the reserve, the order that pays it, and what is reported of
//! both.

pub(super) mod early;
pub(super) mod fact;
pub(super) mod quote;
pub(super) mod request;
pub(super) mod with_order;
