//! A request made again: answered with its original, or refused with the fields that differ.

use super::field::Field;
use super::refusal::Refusal;
use super::{Decision, Outcome};
use crate::id::OpId;

/// Declares a request and how it is held against its original, when it comes again under the same
/// id.
///
/// ```text
/// repeatable! {
///     /// A payout to be sent.
///     PayoutRequest, as |asked, order: &payout::Order, customer: Option<SubaccountId>| {
///         /// The subaccount to debit.
///         customer?: Box<str>, same { Customer: Some(order.subaccount) == customer };
///         /// Centavos that the beneficiary receives.
///         amount: Amount, same { Amount: order.amount == asked.amount };
///         /// The client's own id.
///         external_id?: Box<str>, free;
///     }
/// }
/// ```
///
/// Each field says by which [`Field`]s it differs and when it is the `same`, or that it is `free`:
/// a repeat may say it otherwise. A `?` marks an `Option` that the constructor leaves out.
macro_rules! repeatable {
    ($(#[$doc:meta])+ $name:ident, as |$asked:ident $(, $given:ident: $from:ty)+| { $(
        $(#[$field_doc:meta])+
        $field:ident $(? : $may:ty)? $(: $must:ty)?,
        $held:ident $({ $($differs:ident: $same:expr),+ $(,)? })?;
    )+ }) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])+ pub $field: $($must)? $(Option<$may>)?,)+
        }

        impl $name {
            /// Returns a request with the fields that must be given, and none of the others.
            #[must_use]
            pub fn new($($($field: $must,)?)+) -> Self {
                Self {
                    $($field: $(core::convert::identity::<$must>($field))? $(None::<$may>)?,)+
                }
            }

            /// The fields in which it differs from its original.
            pub(in crate::ledger) fn differing(
                &self $(, $given: $from)+
            ) -> Vec<$crate::ledger::Field> {
                let $asked = self;
                let mut differing = Vec::new();
                $($crate::ledger::decision::repetition::repeatable!(
                    @ differing $held $($($differs $same),+)?
                );)+
                differing
            }
        }
    };
    (@ $into:ident free) => {};
    (@ $into:ident same $($differs:ident $same:expr),+) => {
        $(if !($same) {
            $into.push($crate::ledger::Field::$differs);
        })+
    };
}
pub(in crate::ledger) use repeatable;

pub(in crate::ledger) fn repeat(op: OpId, mut fields: Vec<Field>) -> Result<Decision, Refusal> {
    if fields.is_empty() {
        Ok(Decision::nothing(Outcome::Repeated(op)))
    } else {
        fields.sort_unstable();
        Err(Refusal::IdentityDiverges { original: op, fields })
    }
}

pub(in crate::ledger) fn fields_of(pairs: &[(bool, Field)]) -> Vec<Field> {
    pairs.iter().filter(|(same, _)| !same).map(|(_, field)| *field).collect()
}
