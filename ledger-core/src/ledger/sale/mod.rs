//! Sales of crypto for PIX (cash-out).

pub(super) mod ceiling;
pub(super) mod deposit;
pub(super) mod early_payment;
pub(super) mod early_refund;
pub(super) mod fact;
mod lookup;
mod machine;
pub(super) mod notification;
pub(super) mod recipient;
pub(super) mod report;
pub(super) mod request;
mod transition;
