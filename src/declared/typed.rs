//! The macros that write a type from its fields, a line each.

/// Writes a structure of which a request, a fact or a part of one is made.
///
/// ```text
/// typed! {
///     /// A payout was paid.
///     PayoutPaid (Of::Fact("payout.paid"))
///     body {
///         payout: OperationId as "payout_id", "the payout";
///         amount?: Amount as "amount_cents", "what was paid, if the payout may not be known";
///     }
///     supplied {
///         pix_key?: PixKey as "pix_key" and "pix_key_type", "the key, and of which kind it is";
///     }
/// }
/// ```
///
/// A line has the field's name, its type, its name on the wire where that is another, and what it
/// is. With a `?` it may be left out: a setter gives it, and not the constructor. Before the braces
/// stands where the fields are sent: `target`, `body` or `supplied`, as the methods of `Parts`.
///
/// The first arm gives every line the same form, so that the last can repeat over them; those
/// between tell whether the constructor takes anything.
macro_rules! typed {
    ($(#[doc = $doc:expr])+ $name:ident ($of:expr) $($place:ident {$(
        $field:ident $(? : $may:ty)? $(: $must:ty)?
        $(as $wire:literal $(and $beside:literal)?)?, $meaning:literal;
    )*})*) => {
        $crate::declared::typed! {
            @taken [$($($($must,)?)*)*]
            [$($doc),+] $name [$of]
            $($({ $place $field [$($wire $($beside)?)?] $meaning [$($must)?] [$($may)?] })*)*
        }
    };
    (@taken [] $($rest:tt)*) => {
        $crate::declared::typed! { @type [, Default] "Nothing of it need be said." $($rest)* }
    };
    (@taken [$($must:ty,)+] $($rest:tt)*) => {
        $crate::declared::typed! { @type [] "What must be said:\n\n" $($rest)* }
    };
    (@type [$($default:tt)*] $intro:literal [$($doc:expr),+] $name:ident [$of:expr] $({
        $place:ident $field:ident $wire:tt $meaning:literal [$($must:ty)?] [$($may:ty)?]
    })*) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq $($default)*)]
        pub struct $name {
            $($field: $($must)? $(Option<$may>)?,)*
        }

        impl $name {
            #[doc = $intro]
            $($(#[doc = $crate::declared::typed!(@said $must, $field $wire $meaning)])?)*
            #[allow(clippy::too_many_arguments)] // As many as the contract requires.
            #[must_use]
            pub fn new($($($field: $must,)?)*) -> Self {
                Self { $($field: $(std::convert::identity::<$must>($field))? $(None::<$may>)?,)* }
            }

            $($(
                #[doc = concat!(
                    "Sets `", $crate::declared::wire_name!($field $wire), "`: ", $meaning, "."
                )]
                #[must_use]
                pub fn $field(mut self, $field: $may) -> Self {
                    self.$field = Some($field);
                    self
                }
            )?)*

            /// What is declared of it.
            #[doc(hidden)]
            pub const DECLARED: $crate::declared::Declared = $crate::declared::Declared {
                of: $of,
                name: stringify!($name),
                doc: concat!($($doc, "\n"),+),
                fields: &[$($crate::declared::Field {
                    place: stringify!($place),
                    name: stringify!($field),
                    wire: $crate::declared::wire_name!($field $wire),
                    beside: $crate::declared::beside!($wire),
                    of: stringify!($($must)? $($may)?),
                    required: $crate::declared::typed!(@required [$($must)?]),
                    meaning: $meaning,
                    within: <$($must)? $($may)? as $crate::declared::Wire>::WITHIN,
                },)*],
            };

            /// Returns what is sent, and where.
            pub(crate) fn parts(&self) -> $crate::declared::Parts {
                $crate::declared::Parts::default()
                    $(.$place(
                        $crate::declared::wire_name!($field $wire),
                        $crate::declared::beside!($wire),
                        &self.$field,
                    ))*
            }
        }

        $crate::drawn!($name { $($field: $($must)? $(Option<$may>)?),* });
    };
    (@said $must:ty, $field:ident [] $meaning:literal) => {
        concat!("- `", stringify!($field), "`: ", $meaning, ".")
    };
    // A field that another is sent beside bears its own name.
    (@said $must:ty, $field:ident [$wire:literal $beside:literal] $meaning:literal) => {
        $crate::declared::typed!(@said $must, $field [] $meaning)
    };
    (@said $must:ty, $field:ident [$wire:literal] $meaning:literal) => {
        concat!("- `", stringify!($field), "`, on the wire `", $wire, "`: ", $meaning, ".")
    };
    (@required []) => { false };
    (@required [$must:ty]) => { true };
}
pub(crate) use typed;

/// A field's name on the wire: as its line says, or its own.
macro_rules! wire_name {
    ($field:ident []) => {
        stringify!($field)
    };
    ($field:ident [$wire:literal $($beside:literal)?]) => {
        $wire
    };
}
pub(crate) use wire_name;

/// The name of the field that is sent beside one, if any is.
macro_rules! beside {
    ([$wire:literal $beside:literal]) => {
        Some($beside)
    };
    ($wire:tt) => {
        None
    };
}
pub(crate) use beside;

/// Declares a structure within a fact or a request.
///
/// ```text
/// part! {
///     /// Of `CatalogueUpdated`: the networks.
///     CatalogueUpdatedNetwork {
///         chain: Text<32>, "the network's name";
///         memo?: bool as "payout_tag", "whether a wallet there needs a memo";
///     }
/// }
/// ```
macro_rules! part {
    ($(#[doc = $doc:literal])+ $name:ident { $($fields:tt)* }) => {
        $crate::declared::typed! {
            $(#[doc = $doc])+
            $name ($crate::declared::Of::Part)
            body { $($fields)* }
        }

        impl $crate::declared::Wire for $name {
            const WITHIN: $crate::declared::Within =
                $crate::declared::Within::Fields(&Self::DECLARED);

            fn wire(&self) -> ::serde_json::Value {
                $crate::declared::value_of(self.parts().body)
            }
        }
    };
}
pub(crate) use part;

/// Declares what a field may say, where that is one of a few words.
///
/// ```text
/// words! {
///     /// Values of `outcome`: paid or `not_paid`.
///     PayoutEvidenceOutcome { Paid = "paid", NotPaid = "not_paid" }
/// }
/// ```
macro_rules! words {
    ($(#[doc = $doc:literal])+ $name:ident { $($word:ident = $wire:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("On the wire `", $wire, "`.")]
                $word,
            )+
        }

        $crate::drawn!(one $name { $($word),+ });

        impl $crate::declared::Wire for $name {
            const WITHIN: $crate::declared::Within = $crate::declared::Within::Words {
                doc: concat!($($doc),+),
                words: &[$($wire),+],
            };

            fn wire(&self) -> ::serde_json::Value {
                match self {
                    $(Self::$word => $wire,)+
                }
                .into()
            }
        }
    };
}
pub(crate) use words;
