//! What the world reports, each fact a type: it cannot be made without what makes it known for
//! ever.
//!
//! A fact is applied, or known already, or set aside for a person. One whose parts do not fit
//! together is [`Error::Refused`](crate::Error::Refused), such as an entry whose legs do not
//! balance: nothing is recorded, and its id stays free.
//!
//! The id makes a fact known for ever, applied or set aside. Reported again it changes nothing,
//! even if other fields differ. [`Error::Engine`](crate::Error::Engine) is no answer: report under
//! the same id. To try again what was set aside, report it under another one.

pub mod account;
pub mod adjustment;
pub mod agent;
pub mod charge;
pub mod closing;
pub mod hold;
pub mod payout;
pub mod product;
pub mod purchase;
pub mod sale;
pub mod suspense;
pub mod treasury;
pub mod wallet;

pub(crate) use sealed::Report;

use crate::declared::{Parts, domains, value_of};

domains! { AnyFact:
    account, adjustment, agent, charge, closing, hold, payout, product, purchase, sale, suspense,
    treasury, wallet,
}

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

impl Report {
    /// The fact of this name with these fields.
    pub(crate) fn from_parts(name: &'static str, Parts { body, supplied, .. }: Parts) -> Self {
        Self { name, body: value_of(body), supplied: value_of(supplied) }
    }
}

/// Declares a fact: its documentation, its type, its name on the wire, and a line for each field as
/// [`typed!`](crate::declared::typed) takes them.
///
/// ```text
/// fact! {
///     /// A payout was paid; if that contradicts the books, it is a claim on the provider.
///     PayoutPaid: "payout.paid" {
///         payout: OperationId as "payout_id", "the payout";
///         end_to_end_id: EndToEndId as "e2e", "the end-to-end id";
///         amount?: Amount as "amount_cents", "what was paid, if the payout may not be known";
///     }
/// }
/// ```
///
/// What is supplied beside the body stands in braces of its own: `supplied { … }`. A fact stands in
/// the `list!` of its domain, too.
macro_rules! fact {
    ($(#[doc = $doc:literal])+ $name:ident: $wire:literal { $($body:tt)* }
     $(supplied { $($supplied:tt)* })?) => {
        $crate::declared::typed! {
            $(#[doc = $doc])+
            #[doc = concat!("(`", $wire, "`)")]
            $name ($crate::declared::Of::Fact($wire))
            body { $($body)* }
            $(supplied { $($supplied)* })?
        }

        impl $crate::fact::Fact for $name {
            const NAME: &'static str = $wire;
        }

        impl $crate::fact::sealed::Reported for $name {
            fn report(&self) -> $crate::fact::Report {
                $crate::fact::Report::from_parts($wire, self.parts())
            }
        }
    };
}
pub(crate) use fact;
