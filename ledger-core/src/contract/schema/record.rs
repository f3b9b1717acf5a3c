//! Records of operations: the fields of an answer, each beside what a view shows in it.

/// Declares the fields of a record and the function that shows them, by a line for each: the
/// [`AnswerField`](super::answer::AnswerField) as its constructor takes it, then its value.
///
/// ```text
/// record! {
///     /// A payout.
///     pub const PAYOUT, fn payout_record |views, op: OpId, order: &'v payout::Order| {
///         text("payout_id", "the id of the payout", "po_1") => op.text(&views.state.name);
///         text("e2e", "the end-to-end id of the PIX", E2E).or_null() => order.e2e();
///         text("receipt_url", "where its receipt is", "https://example.com/r/1").sometimes();
///         .. metadata::SHOWN;
///     }
/// }
/// ```
///
/// The view may add the fields without a value, and those of the lists after `..`.
macro_rules! record {
    ($(#[doc = $doc:literal])+ $scope:vis const $fields:ident,
     fn $record:ident |$views:ident $(, $given:ident: $from:ty)*| { $(
        $kind:ident($name:literal $(, $part:expr)*) $(.$mark:ident())* $(=> $value:expr)?;
    )+ $(.. $shared:path;)* }) => {
        $(#[doc = $doc])+
        $scope const $fields: &[$crate::contract::schema::answer::AnswerField] =
            &[$($kind($name $(, $part)*)$(.$mark())*,)+ $($shared,)*];

        /// Shows these fields of one operation.
        pub(super) fn $record<'v, A, V>(
            $views: &'v $crate::contract::views::Views<'_, A, V>
            $(, $given: $from)*
        ) -> $crate::contract::object::Json<'v>
        where
            A: $crate::contract::views::Recall,
            V: $crate::contract::input::tokens::Vault,
        {
            $crate::contract::object::object! { $($($name: $value,)?)+ }
        }
    };
}
pub(in crate::contract) use record;
