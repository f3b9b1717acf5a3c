//! The lists of facts and of requests: each domain has its own, and a module those of its domains.

/// Lists the facts or the requests of a domain, which one of any kind is drawn as `$any`.
///
/// ```text
/// list! { AnyFact: SuspenseAttached, SuspenseReturned }
/// ```
macro_rules! list {
    ($any:ident: $($name:ident),+ $(,)?) => {
        /// The declaration of each.
        pub(super) const DECLARED: &[$crate::declared::Declared] = &[$($name::DECLARED),+];

        /// Draws each of this list.
        #[cfg(feature = "testkit")]
        pub(super) fn strategies() -> $crate::testkit::Strategies<$crate::testkit::$any> {
            vec![$($crate::testkit::$any::strategy_for::<$name>()),+]
        }
    };
}
pub(crate) use list;

/// Lists what the lists of these domains have.
macro_rules! domains {
    ($any:ident: $($domain:ident),+ $(,)?) => {
        /// The declaration of each.
        #[doc(hidden)]
        pub fn declarations() -> impl Iterator<Item = &'static $crate::declared::Declared> {
            [$($domain::DECLARED),+].into_iter().flatten()
        }

        /// Draws each of this list.
        #[cfg(feature = "testkit")]
        pub(crate) fn strategies() -> $crate::testkit::Strategies<$crate::testkit::$any> {
            [$($domain::strategies()),+].concat()
        }
    };
}
pub(crate) use domains;
