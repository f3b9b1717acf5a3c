//! Hanging: an operation that is under way, and of which nothing was heard for too long.

use std::collections::BTreeMap;

use ledger_core::id::Kind;
use ledger_core::time::Span;

/// After how long an operation under way hangs, by its kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hanging(BTreeMap<Kind, Span>);

impl Hanging {
    /// The defaults, but for these kinds.
    pub(crate) fn with(given: impl IntoIterator<Item = (Kind, Span)>) -> Self {
        Self(given.into_iter().collect())
    }

    /// One hour where a PIX is sent, and two where a network or an exchange has its part.
    pub(crate) fn after(&self, kind: Kind) -> Span {
        let default = match kind.name() {
            "payout" | "wallet_payment" => Span::hours(1),
            _ => Span::hours(2),
        };
        self.0.get(&kind).copied().unwrap_or(default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_hangs_after_its_default_unless_it_is_said() {
        let named = |name: &str| Kind::all().find(|kind| kind.name() == name).unwrap();
        let hanging = Hanging::with([(named("payout"), Span::seconds(60))]);
        let all = ["payout", "wallet_payment", "cash_out"].map(|kind| hanging.after(named(kind)));
        assert_eq!(all, [Span::seconds(60), Span::hours(1), Span::hours(2)]);
    }
}
