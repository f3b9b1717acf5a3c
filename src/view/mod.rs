//! What requests are answered: the contract's JSON as types, and back by the same definitions.
//!
//! ```
//! use custody_ledger::view::{Payout, PayoutStatus};
//!
//! let json = r#"{"payout_id":"po_000000000010cd579f0154616091","status":"requested",
//!     "amount_cents":5000,"customer_ref":"ana","external_id":"p-1","pix_key":"a***@e.com",
//!     "fee_service_total_cents":100,"fee_provider_cents":0,"fee_cents":100,"fee_partner_cents":25,
//!     "fee_service_cents":75,"debited_cents":5100,"returned_cents":0,"e2e":null,
//!     "created_at":"2026-11-20T12:25:00Z","updated_at":"2026-11-20T12:25:00Z"}"#;
//! let payout: Payout = serde_json::from_str(json)?;
//! assert_eq!((payout.status, payout.amount.cents()), (PayoutStatus::Requested, 5_000));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod account;
mod agent;
pub(crate) mod answer;
mod balance;
mod charge;
mod conversion;
mod payout;
mod plain;
mod sale;
mod sandbox;
mod statement;
mod status;
mod transfer;
mod wallet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use account::*;
pub use agent::*;
pub use balance::*;
pub use charge::*;
pub use conversion::*;
pub use payout::*;
pub use sale::*;
pub use sandbox::*;
pub use statement::*;
pub use status::*;
pub use transfer::*;
pub use wallet::*;

/// An answer as the contract's JSON, whatever it was of: to what the test kit draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct View(Value);

impl View {
    /// The field of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The text of this name.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// The whole number of this name: centavos, where the name says so.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_i64()
    }

    /// All of it.
    #[must_use]
    pub const fn json(&self) -> &Value {
        &self.0
    }
}
