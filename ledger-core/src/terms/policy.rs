//! The switches and numbers a ledger is run under (rulings, "A policy is one of three").

use minicbor::{Decode, Encode};

use super::Switch;
use super::ladder::Ladder;
use super::sale::SaleLimits;
use super::settings::WalletSettings;
use crate::money::Cents;
use crate::time::Span;

/// One value per ledger, recorded in the journal, so that a replay never decides anew.
///
/// ```
/// use ledger_core::terms::{Policy, Switch};
/// use ledger_core::time::Span;
///
/// let policy = Policy { cash_in_paused: Switch::On, ..Policy::default() };
/// assert_eq!(policy.largest_jump, Span::hours(48));
/// assert_eq!(policy.sale_limits().least.cents(), 600); // As published: no other was adopted.
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Policy {
    /// How far a request or fact may jump ahead of the ledger's time (rulings 3). Default 48 h.
    #[n(0)]
    pub largest_jump: Span,
    /// The least an operation must leave net, in centavos (P:NonPositiveNet). Default 1.
    #[n(1)]
    pub least_net: Cents,
    /// How long a block keeps watching for what it could not take (rulings 26). Default 90 days.
    #[n(2)]
    pub shortfall_watch: Span,
    /// Tells whether the house balance covers negative subaccounts (rulings 25). Default on.
    #[n(3)]
    pub house_covers_negatives: Switch,
    /// Tells whether a payout returned in full gives its service fee back (P:PayoutReturn). Default
    /// off.
    #[n(4)]
    pub returned_payout_refunds_fee: Switch,
    /// Tells whether a charge repeated with another body is refused (P:CashinDivergent). Default
    /// on; off answers the original with 200, the contract's literal reading.
    #[n(5)]
    pub divergent_charge_is_refused: Switch,
    /// Tells whether a CNPJ may contain letters (rulings 43). Default on.
    #[n(6)]
    pub cnpj_with_letters: Switch,
    /// The payer ladder (rulings 12). None: every payer pays what the account's terms admit.
    #[n(7)]
    pub ladder: Option<Ladder>,
    /// How old a rate may be to be quoted (rulings 40). Default 15 minutes; none: of any age.
    #[n(8)]
    pub rate_age: Option<Span>,
    /// How long a precautionary block lasts at most. Default 72 h; none: until it is released.
    #[n(9)]
    pub precaution: Option<Span>,
    /// The least time between two commission withdrawals of an account. Default 24 h; none: any.
    #[n(10)]
    pub commission_interval: Option<Span>,
    /// Tells whether that interval is checked before the reference is looked up
    /// (P:CommissionCheckOrder). Default off: a retry answers with the original.
    #[n(11)]
    #[cbor(default)]
    pub interval_before_reference: Switch,
    /// Tells whether new charges are refused for now. Default off.
    #[n(12)]
    #[cbor(default)]
    pub cash_in_paused: Switch,
    /// Tells whether new conversions and commission withdrawals are refused for now. Default off.
    #[n(13)]
    #[cbor(default)]
    pub conversions_paused: Switch,
    /// Limits, retries and switches of sales; none: as published.
    #[n(14)]
    pub sales: Option<SaleLimits>,
    /// The USDT wallet's settings. Default none: there is no wallet.
    #[n(15)]
    pub wallet: Option<Box<WalletSettings>>,
    /// Tells whether a PIX that is not known is answered as such, and not with 404
    /// (P:VerifyUnknown). None: off.
    #[n(16)]
    pub unknown_pix_is_answered: Option<Switch>,
    /// How many test keys an address gets a day of Brasília (KEY-16). None: 20.
    #[n(17)]
    pub test_keys: Option<u16>,
    /// How often an hour an address, or for an e-mail, may ask for the panel's link (KEY-11).
    /// None: 5.
    #[n(18)]
    pub panel_links: Option<u16>,
    /// How many PIX keys an account may look up a minute (LIM-21). None: 5.
    #[n(19)]
    pub key_lookups: Option<u16>,
    /// Tells whether a payout to a key that nobody proved to be the recipient's is refused
    /// (P:KeyOwnership). None: off, the provider decides.
    #[n(20)]
    pub unproven_keys_refused: Option<Switch>,
}

impl Policy {
    /// The limits on sales in force.
    #[must_use]
    pub fn sale_limits(&self) -> SaleLimits {
        self.sales.unwrap_or_default()
    }

    /// How many test keys an address gets a day.
    #[must_use]
    pub fn test_keys(&self) -> u16 {
        self.test_keys.unwrap_or(20)
    }

    /// How often an hour the panel's link may be asked for.
    #[must_use]
    pub fn panel_links(&self) -> u16 {
        self.panel_links.unwrap_or(5)
    }

    /// How many PIX keys an account may look up a minute.
    #[must_use]
    pub fn key_lookups(&self) -> u16 {
        self.key_lookups.unwrap_or(5)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            largest_jump: Span::hours(48),
            least_net: Cents::new(1).expect("one is not negative"),
            shortfall_watch: Span::days(90),
            house_covers_negatives: Switch::On,
            returned_payout_refunds_fee: Switch::Off,
            divergent_charge_is_refused: Switch::On,
            cnpj_with_letters: Switch::On,
            ladder: Some(Ladder::default()),
            rate_age: Some(Span::seconds(15 * 60)),
            precaution: Some(Span::hours(72)),
            commission_interval: Some(Span::hours(24)),
            interval_before_reference: Switch::Off,
            cash_in_paused: Switch::Off,
            conversions_paused: Switch::Off,
            sales: None,
            wallet: None,
            unknown_pix_is_answered: None,
            test_keys: None,
            panel_links: None,
            key_lookups: None,
            unproven_keys_refused: None,
        }
    }
}
