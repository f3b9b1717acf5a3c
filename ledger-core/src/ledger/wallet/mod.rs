//! The USDT wallet: what is asked of it, what the world reports of it, and what the state keeps of
//! it besides its operations.

pub(super) mod decide;
mod deposit;
mod fact;
pub(in crate::ledger) mod index;
mod lookup;
mod machine;
mod payment;
mod receivable;
pub(super) mod report;
pub(super) mod request;
pub(super) mod settings;
mod withdrawal;

pub use crate::ledger::decision::wallet_refusal::Refusal;
pub(super) use decide::decide;
pub use index::Wallets;
use payment::quote::{issue_quote, own_quote, unused_quote, use_quote};
pub use report::{DepositFinding, Fact, PaymentFinding, Step, WithdrawalReport};
pub use request::{
    DepositRequest, PaymentRequest, Request, WithdrawalQuoteRequest, WithdrawalRequest,
};
