//! The USDT wallet: what is asked of it, what the world tells of it, and what the state keeps of it
//! besides its operations.

pub(super) mod decide;
mod deposits;
mod early_payment;
mod fact;
mod index;
pub(super) mod payment_fact;
mod payment_with_order;
mod payments;
mod quotes;
mod receivable;
mod refusal;
pub(super) mod report;
pub(super) mod request;
pub(super) mod settings;
mod transition;
mod withdrawals;

pub(super) use decide::decide;
pub(super) use deposits::expire as expire_deposit;
pub use index::Wallets;
pub(super) use quotes::lapse as lapse_quote;
use quotes::{issued, quoted, used};
pub use refusal::Refusal;
pub use report::{DepositFinding, Fact, News, PaymentFinding, Step};
pub use request::{
    DepositRequest, PaymentRequest, Request, WithdrawalQuoteRequest, WithdrawalRequest,
};
