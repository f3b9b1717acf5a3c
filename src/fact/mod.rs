//! What the world reports, each fact a type: it cannot be made without what makes it known for
//! ever.
//!
//! A fact is never refused. It is applied, or known already, or set aside for a person.

pub mod account;
pub mod adjustment;
pub mod agent;
pub mod charge;
pub mod hold;
pub mod payout;
pub mod purchase;
pub mod sale;
pub mod suspense;
pub mod treasury;
pub mod wallet;

pub(crate) use sealed::Report;

/// Something the world reports; implemented by the facts of this module, and by none else.
pub trait Fact: sealed::Reported {
    /// Its name on the wire.
    const NAME: &'static str;
}

pub(crate) mod sealed {
    use serde_json::Value;

    /// What only this crate can report.
    pub trait Reported {
        #[doc(hidden)]
        fn report(&self) -> Report;
    }

    /// A fact as the contract's JSON.
    #[derive(Clone, Debug)]
    pub struct Report {
        pub(crate) name: &'static str,
        pub(crate) body: Value,
        pub(crate) supplied: Value,
    }
}
