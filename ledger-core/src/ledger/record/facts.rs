//! Facts as they are declared: after each variant stand its columns, which say what it is about and
//! by which names the world knows it.

/// Declares the facts of a domain.
///
/// ```text
/// facts! {
///     /// What is reported of payouts.
///     Fact {
///         /// A payout was paid.
///         Paid { payout: Option<OpId>, e2e: Box<str> } is FactKind::PayoutPaid,
///             about *payout, outside Some(ExternalId::new(Scope::SentPix, e2e));
///     }
/// }
/// ```
///
/// A column reads the fields of its variant. `is` gives the kind of fact, which all have; the
/// others an option, none where they are left out: `about` the operation it is about, `outside` the
/// identity that the world gave it, `pix` a PIX it names besides, which may be known already, `of`
/// the subaccount it names, by its account's name, and its customer's unless it is the house's, and
/// `at` the instant at which it says that it happened, to be changed. `anew` names what tells, in
/// its context, that it is new although its identity was seen.
macro_rules! facts {
    ($(#[$all:meta])* $name:ident { $(
        $(#[$doc:meta])*
        $variant:ident
        $({ $($(#[$field_doc:meta])* $field:ident: $type:ty),+ $(,)? })?
        $(($place:ident: $placed:ty))?
        is $kind:expr
        $(, about $about:expr)?
        $(, outside $outside:expr)?
        $(, pix $pix:expr)?
        $(, of $of:expr)?
        $(, at $at:expr)?
        $(, anew $anew:ident($told:ident))?;
    )+ }) => {
        $(#[$all])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name { $(
            $(#[$doc])*
            $variant $({ $($(#[$field_doc])* $field: $type),+ })? $(($placed))?,
        )+ }

        // A column reads few of the fields, and may stand at every fact of a domain.
        #[allow(unused_variables, clippy::unnecessary_wraps)]
        impl $name {
            /// Returns what kind of fact this is.
            #[must_use]
            pub const fn kind(&self) -> $crate::ledger::FactKind {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => $kind,
                )+ }
            }

            /// The operation the fact is about, if it names one.
            #[must_use]
            pub const fn about(&self) -> Option<$crate::id::OpId> {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => {
                        $crate::ledger::record::facts::option!($($about)?)
                    }
                )+ }
            }

            /// The identity the world gave it, where it gave one.
            pub(in crate::ledger) fn outside(&self) -> Option<$crate::ledger::ExternalId> {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => {
                        $crate::ledger::record::facts::option!($($outside)?)
                    }
                )+ }
            }

            /// The PIX it names besides, which may be known already.
            pub(in crate::ledger) fn pix(&self) -> Option<($crate::ledger::Scope, &str)> {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => {
                        $crate::ledger::record::facts::option!($($pix)?)
                    }
                )+ }
            }

            /// The subaccount it names.
            pub(in crate::ledger) fn subaccount(&self) -> Option<(&str, Option<&str>)> {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => {
                        $crate::ledger::record::facts::option!($($of)?)
                    }
                )+ }
            }

            /// Tells whether it is new although its identity was seen.
            pub(in crate::ledger) fn is_new(
                &self,
                context: &$crate::ledger::decision::fact_context::FactContext<'_>,
            ) -> bool {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => {
                        $crate::ledger::record::facts::anew!(context $(, $anew($told))?)
                    }
                )+ }
            }

            /// The instant at which it says that it happened, where it says one.
            pub(in crate::ledger) fn instant_mut(&mut self) -> Option<&mut $crate::time::Instant> {
                match self { $(
                    Self::$variant $({ $($field),+ })? $(($place))? => {
                        $crate::ledger::record::facts::option!($($at)?)
                    }
                )+ }
            }
        }
    };
}
pub(in crate::ledger) use facts;

/// A column, or none where it is left out.
macro_rules! option {
    () => {
        None
    };
    ($column:expr) => {
        $column
    };
}
pub(in crate::ledger) use option;

/// Asks the context whether a fact is new; it is not, where its declaration names nobody to ask.
macro_rules! anew {
    ($context:ident) => {
        false
    };
    ($context:ident, $anew:ident($told:ident)) => {
        $context.$anew($told)
    };
}
pub(in crate::ledger) use anew;
