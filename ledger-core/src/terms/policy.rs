//! The switches and numbers a ledger is run under (rulings, "A policy is one of three").

use minicbor::{Decode, Encode};

use crate::money::Share;
use crate::time::Span;

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Switch {
    /// Off.
    #[n(0)]
    Off,
    /// On.
    #[n(1)]
    On,
}

/// One value per ledger, recorded in the journal, so that a replay never decides anew.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Policy {
    /// How far a request or fact may jump ahead of the ledger's time (rulings 3). Default 48 h.
    #[n(0)]
    pub largest_jump: Span,
    /// The least an operation must leave net, in centavos (P:NonPositiveNet). Default 1.
    #[n(1)]
    pub least_net: Share,
    /// How long a block keeps watching for what it could not take (rulings 26). Default 90 days.
    #[n(2)]
    pub shortfall_watch: Span,
    /// Whether the house balance covers negative subaccounts (rulings 25). Default on.
    #[n(3)]
    pub house_covers_negatives: Switch,
    /// Whether a payout returned in full gives its service fee back (P:PayoutReturn). Default off.
    #[n(4)]
    pub returned_payout_refunds_fee: Switch,
    /// Whether a charge repeated with another body is refused (P:CashinDivergent). Default on;
    /// off answers the original with 200, the contract's literal reading.
    #[n(5)]
    pub divergent_charge_is_refused: Switch,
    /// Whether a CNPJ may contain letters (rulings 43). Default on.
    #[n(6)]
    pub cnpj_with_letters: Switch,
}

impl Switch {
    /// Whether the switch is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            largest_jump: Span::hours(48),
            least_net: Share::new(1).expect("one is not negative"),
            shortfall_watch: Span::days(90),
            house_covers_negatives: Switch::On,
            returned_payout_refunds_fee: Switch::Off,
            divergent_charge_is_refused: Switch::On,
            cnpj_with_letters: Switch::On,
        }
    }
}
