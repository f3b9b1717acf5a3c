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
mod switch;

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
pub use switch::Switch;
