//! The courier: sends webhooks from the outbox, until each is delivered or given up.
//!
//! ```text
//! outbox -> intake -> webhook_deliveries -> due -> attempt -> sender -> endpoint
//!   ^                                                |
//!   '----------------- acknowledge ------------------'  delivered, or given up
//! ```
//!
//! The outbox gives of each operation the first event alone, so one operation is a line and a
//! failure delays nothing else. What is due goes by account, in lanes of their own. Bodies are the
//! ledger's to tell at each attempt: no person stands in the courier's tables.

mod answers;
mod attempt;
mod directory;
mod exchange;
mod filter;
mod intake;
mod lanes;
mod listen;
mod oversight;
pub(crate) mod paths;
mod rotation;
mod routes;
mod running;
pub mod schedule;
mod sending;
mod tables;
mod webhooks;

pub(crate) use answers::{add_deliveries, lists_deliveries};
pub(crate) use directory::token_text;
pub use listen::{Forwarded, ListenFailed, Listener};
pub(crate) use oversight::{Act, Acted, Standing};
pub(crate) use routes::routes;
pub use running::CourierTask;
pub use sending::sender::Patience;
pub use sending::{guard, resolver, sender};
pub(crate) use tables::delivery::{
    AttemptRecord, Delivery, DeliveryState, EndpointRecord, OffReason,
};
pub use webhooks::{CourierError, Receiver, WebhookSettings, Webhooks};
