//! What the contract asks of every machine: each domain answers for its own, beside its views.

use super::body::Body;
use super::input::tokens::Vault;
use super::object::Json;
use super::schema::metadata::METADATA;
use super::views::{Recall, Views};
use crate::id::{OpId, SubaccountId, Token};
use crate::ledger::{Archive, Operation, Scope, each_machine};
use crate::money::Amount;
use crate::time::Instant;

/// Implements what [`Shown`] is asked to show: `shown_as!(|state, views, of| view)`, or with the
/// answer behind it, where that differs.
macro_rules! shown_as {
    (|$state:pat_param, $views:pat_param, $of:pat_param| $view:expr) => {
        $crate::contract::registry::shown_as!(|$state, $views, $of| $view, $view);
    };
    (|$state:pat_param, $views:pat_param, $of:pat_param| $view:expr, $answer:expr) => {
        fn view<'v, A: $crate::contract::Recall, V: $crate::contract::Vault>(
            &'v self,
            views: &'v $crate::contract::Views<'_, A, V>,
            of: &$crate::contract::registry::ShownOperation<'v>,
        ) -> $crate::contract::Json<'v> {
            #[allow(unused_variables)] // A view of nothing looks at nothing.
            let ($state, $views, $of) = (self, views, of);
            $view
        }

        fn creation_response<A: $crate::ledger::Archive, V: $crate::contract::Vault>(
            &self,
            views: &$crate::contract::Views<'_, A, V>,
            of: &$crate::contract::registry::ShownOperation<'_>,
        ) -> $crate::contract::Body {
            let ($state, $views, $of) = (self, views, of);
            $answer.into()
        }
    };
}
pub(super) use shown_as;

/// Implements [`Shown`] for a machine that clients are shown nothing of.
macro_rules! unseen {
    ($state:ty) => {
        impl $crate::contract::registry::Shown for $state {
            fn facts(&self) -> $crate::contract::registry::Facts<'_> {
                $crate::contract::registry::Facts::NONE
            }

            $crate::contract::registry::shown_as!(|_, _, _| $crate::contract::Json::Null);
        }
    };
}
pub(super) use unseen;

/// A machine whose operations the contract shows.
pub(super) trait Shown {
    /// How it stands, in the contract's words.
    fn facts(&self) -> Facts<'_>;

    /// The operation as its events show it.
    fn view<'v, A: Recall, V: Vault>(
        &'v self,
        views: &'v Views<'_, A, V>,
        of: &ShownOperation<'v>,
    ) -> Json<'v>;

    /// The answer to the request that created it.
    fn creation_response<A: Archive, V: Vault>(
        &self,
        views: &Views<'_, A, V>,
        of: &ShownOperation<'_>,
    ) -> Body;
}

/// The operation that a view is of.
pub(super) struct ShownOperation<'a> {
    pub(super) op: OpId,
    pub(super) operation: &'a Operation,
    /// The unmatched deposits about it, where an event shows them.
    pub(super) unmatched: &'a [(OpId, Operation)],
}

/// How an operation stands, in the contract's words, and what its views show besides.
pub(super) struct Facts<'a> {
    /// Its `status`; none for what is not known (STM-09).
    pub(super) status: Option<&'static str>,
    /// Its `settlement_status`, if it settles.
    pub(super) settlement: Option<&'static str>,
    /// The subaccount whose name its events show.
    pub(super) customer: Option<SubaccountId>,
    /// The PIX whose details its events show.
    pub(super) pix: Option<(Scope, &'a str)>,
    /// The PIX that anybody may verify.
    pub(super) verified: Verified<'a>,
}

/// The PIX of an operation that anybody may verify (VER).
pub(super) enum Verified<'a> {
    /// No PIX of the operation may be verified.
    Nothing,
    /// This one is.
    Pix(PublicPix<'a>),
    /// What paid for another operation.
    With(OpId),
}

impl<'a> From<Option<PublicPix<'a>>> for Verified<'a> {
    fn from(pix: Option<PublicPix<'a>>) -> Self {
        pix.map_or(Self::Nothing, Self::Pix)
    }
}

/// A PIX as far as anybody may know it.
pub(super) struct PublicPix<'a> {
    pub(super) e2e: &'a str,
    pub(super) amount: Amount,
    /// When it was paid; none: as its record is dated.
    pub(super) at: Option<Instant>,
    /// Whether it paid for something and has not gone back as a whole.
    pub(super) paid: bool,
    pub(super) receiver: Receiver,
    /// Where its receipt is, as it was reported with it.
    pub(super) receipt_url: Option<&'a str>,
}

/// Who receives a PIX.
pub(super) enum Receiver {
    /// The account that the operation belongs to.
    Account,
    /// A person, where that is known.
    Person(Option<Token>),
}

impl Facts<'_> {
    /// Those of an operation that no client is told of.
    pub(super) const NONE: Self = Self {
        status: None,
        settlement: None,
        customer: None,
        pix: None,
        verified: Verified::Nothing,
    };
}

/// How an operation stands, in the contract's words.
pub(super) fn facts(operation: &Operation) -> Facts<'_> {
    let adjusted = Facts { status: Some("concluida"), ..Facts::NONE };
    each_machine!(of &operation.machine, state => Shown::facts(state), adjusted)
}

/// An operation as its events show it.
pub(super) fn view<'v, A: Recall, V: Vault>(
    views: &'v Views<'_, A, V>,
    of: &ShownOperation<'v>,
) -> Json<'v> {
    let mut view =
        each_machine!(of &of.operation.machine, state => state.view(views, of), Json::Null);
    if let (Json::Object(_), Some(metadata)) = (&view, of.operation.metadata) {
        view[METADATA.name] = views.metadata(metadata);
    }
    view
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The answer to the request that created an operation, as the operation stands now.
    #[must_use]
    pub fn creation_response(&self, op: OpId, operation: &Operation) -> Body {
        let of = &ShownOperation { op, operation, unmatched: &[] };
        let body: Body = each_machine!(of &operation.machine, state => state.creation_response(self, of), Json::Null.into());
        match operation.metadata {
            Some(metadata) if !body.is_null() => {
                body.with_field(METADATA.name, self.metadata(metadata))
            }
            _ => body,
        }
    }

    /// An operation as it stands, the way its events show it.
    #[must_use]
    pub fn operation_view<'v>(&'v self, op: OpId, operation: &'v Operation) -> Json<'v> {
        view(self, &ShownOperation { op, operation, unmatched: &[] })
    }
}
