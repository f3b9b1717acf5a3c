//! What an operation is agreed under: fees, ranges, waiting periods, and the ledger's policy.

mod catalogue;
mod ending;
mod fee;
mod ladder;
mod mandate;
mod market;
mod policy;
mod price;
mod sale;
mod schedule;
pub(crate) mod selling;
mod service;
mod settings;

use minicbor::{Decode, Encode};

pub use catalogue::{Catalogue, Listing, Rail};
pub use ending::Ending;
pub use fee::{PayoutFees, Rate, Tariff};
pub use ladder::{Allowance, Band, Ladder, Payer, Review, Stage};
pub use mandate::{Excess, Mandate};
pub use market::{Market, Route};
pub use policy::Policy;
pub use price::{Price, Quote};
pub use sale::{Deal, FeeBase, SaleLimits, SaleRates};
pub use schedule::{Release, Schedule, Terms};
pub use service::{Offer, ServiceFees, ServiceRates};
pub use settings::{Stablecoin, WalletNetwork, WalletSettings};

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
#[allow(missing_docs)] // Each is what its name says.
pub enum Switch {
    #[default]
    #[n(0)]
    Off,
    #[n(1)]
    On,
}

impl Switch {
    /// Tells whether the switch is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}
