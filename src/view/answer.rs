//! The macros that answers are declared by, and what a test reads of them.

use ledger_core::contract::Secret;
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde_json::Value;

use super::{CashOutState, ChargeStatus, PayoutStatus, SettlementStatus, Statement, StatementKind};
use crate::declared::Within;
use crate::value::{Amount, ApiKey, Balance, Cents, Metadata, OperationId, Party};

/// What an answer may hold.
pub trait Shown {
    /// What it is made of, where it is declared by `answer!` or `open_words!`.
    const WITHIN: Within = Within::Value;
}

macro_rules! values {
    ($($value:ty),* $(,)?) => { $(impl Shown for $value {})* };
}

values!(
    Amount,
    ApiKey,
    Balance,
    Cents,
    Decimal,
    Instant,
    Metadata,
    OperationId,
    Party,
    Secret,
    String,
    Value,
    bool,
    u16,
    u64,
    CashOutState,
    ChargeStatus,
    PayoutStatus,
    SettlementStatus,
    Statement,
    StatementKind,
);

impl<T: Shown> Shown for Option<T> {
    const WITHIN: Within = T::WITHIN;
}

impl<T: Shown> Shown for Vec<T> {
    const WITHIN: Within = T::WITHIN;
}

/// Declares an answer, or a part of one, by a line for each field.
///
/// ```text
/// answer! {
///     /// What `POST /payouts` is answered.
///     Payout {
///         id: OperationId as "payout_id", "The id of the payout.";
///         amount: Amount as plain "amount_cents", "What the recipient receives.";
///         end_to_end_id: Option<String> as "e2e", "The end-to-end id of the PIX.";
///         created_at: Instant as plain, "When it was asked for.";
///         receipt_url?: String, "Where its receipt is.";
///     }
/// }
/// ```
///
/// A line has the field's name, its type, its name in JSON where that is another, and its
/// documentation. What stands `as plain` is a number or a text there (`plain.rs`). A `?` marks what
/// is left out where it has no value; what is null then is an `Option`.
///
/// A second answer that has the fields of the first, with others before and after them, follows in
/// the same braces: `Payout { … } PayoutDetail { before } .. { after }`.
///
/// The first arm gives every line the same form; those of `@fields` take one after another, and
/// say how serde reads and writes it.
macro_rules! answer {
    ($(#[doc = $doc:literal])+ $name:ident {$(
        $field:ident $(? : $may:ty)? $(: $must:ty)? $(as $($plain:ident)? $($wire:literal)?)?,
        $meaning:literal;
    )*}) => {
        $crate::view::answer::answer! {
            @fields [$(#[doc = $doc])+ $name] []
            $({ $field [$($($wire)?)?] $meaning [$($must)?] [$($may)?] [$($($plain)?)?] })*
        }

        impl $name {
            /// What is declared of it.
            #[doc(hidden)]
            pub const DECLARED: $crate::declared::Declared = $crate::declared::Declared {
                of: $crate::declared::Of::Part,
                name: stringify!($name),
                doc: concat!($($doc, "\n"),+),
                fields: &[$($crate::declared::Field {
                    place: "answer",
                    name: stringify!($field),
                    wire: $crate::declared::wire_name!($field [$($($wire)?)?]),
                    beside: None,
                    of: stringify!($($must)? $($may)?),
                    required: $crate::declared::typed!(@required [$($must)?]),
                    meaning: $meaning,
                    within: <$($must)? $($may)? as $crate::view::answer::Shown>::WITHIN,
                }),*],
            };
        }

        impl $crate::view::answer::Shown for $name {
            const WITHIN: $crate::declared::Within =
                $crate::declared::Within::Fields(&Self::DECLARED);
        }
    };
    ($(#[doc = $doc:literal])+ $name:ident { $($shared:tt)* }
     $(#[doc = $more_doc:literal])+ $more:ident { $($before:tt)* } .. { $($after:tt)* }) => {
        $crate::view::answer::answer! { $(#[doc = $doc])+ $name { $($shared)* } }
        $crate::view::answer::answer! {
            $(#[doc = $more_doc])+ $more { $($before)* $($shared)* $($after)* }
        }
    };
    (@fields [$($of:tt)*] [$($done:tt)*]
     { $field:ident $wire:tt $meaning:literal [$must:ty] [] [] } $($rest:tt)*) => {
        $crate::view::answer::answer! {
            @fields [$($of)*]
            [$($done)* { $field $wire $meaning [$must] () }]
            $($rest)*
        }
    };
    (@fields [$($of:tt)*] [$($done:tt)*]
     { $field:ident $wire:tt $meaning:literal [$must:ty] [] [plain] } $($rest:tt)*) => {
        $crate::view::answer::answer! {
            @fields [$($of)*]
            [$($done)* { $field $wire $meaning [$must] (with = "crate::view::plain") }]
            $($rest)*
        }
    };
    (@fields [$($of:tt)*] [$($done:tt)*]
     { $field:ident $wire:tt $meaning:literal [] [$may:ty] [] } $($rest:tt)*) => {
        $crate::view::answer::answer! {
            @fields [$($of)*]
            [$($done)* { $field $wire $meaning [Option<$may>]
                (default, skip_serializing_if = "Option::is_none") }]
            $($rest)*
        }
    };
    (@fields [$($of:tt)*] [$($done:tt)*]
     { $field:ident $wire:tt $meaning:literal [] [$may:ty] [plain] } $($rest:tt)*) => {
        $crate::view::answer::answer! {
            @fields [$($of)*]
            [$($done)* { $field $wire $meaning [Option<$may>]
                (with = "crate::view::plain", default, skip_serializing_if = "Option::is_none") }]
            $($rest)*
        }
    };
    (@fields [$(#[doc = $doc:literal])+ $name:ident]
     [$({ $field:ident [$($wire:literal)?] $meaning:literal [$of:ty] $serde:tt })*]) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[non_exhaustive]
        pub struct $name {$(
            #[doc = $meaning]
            $(#[serde(rename = $wire)])?
            #[serde $serde]
            pub $field: $of,
        )*}
    };
}
pub(crate) use answer;

/// Declares what a field of an answer may be, where that is one of several words, or one that came
/// to the contract later.
///
/// ```text
/// open_words! {
///     /// What `origin` of [`WalletDeposit`] may be.
///     WalletDepositOrigin { Request = "request", AssignedBySupport = "assigned_by_support" }
/// }
/// ```
macro_rules! open_words {
    ($(#[doc = $doc:literal])+ $name:ident { $($word:ident = $wire:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`", $wire, "`.")]
                #[serde(rename = $wire)]
                $word,
            )+
            /// A word that came to the contract later.
            #[serde(untagged)]
            Other(String),
        }

        impl $crate::view::answer::Shown for $name {
            const WITHIN: $crate::declared::Within = $crate::declared::Within::Words {
                doc: concat!($($doc),+),
                words: &[$($wire),+],
            };
        }
    };
}
pub(crate) use open_words;
