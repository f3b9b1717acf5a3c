//! The USDT wallet as it is offered: networks, tokens, minima, switches, numbers (contract 2.5).

use minicbor::{Decode, Encode};

use super::Switch;
use crate::coin::{Units, mul_div};
use crate::id::{AssetId, ChainId};
use crate::money::{Amount, Bps};
use crate::time::Span;

/// A token that the wallet takes one to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Stablecoin {
    /// USDT, in which the wallet is kept.
    #[n(0)]
    Usdt,
    /// USDC, through the exchange pair at one to one (rulings 34).
    #[n(1)]
    Usdc,
}

/// One network on which the wallet takes deposits and sends withdrawals.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct WalletNetwork {
    /// Its number in this ledger.
    #[n(0)]
    pub chain: ChainId,
    /// Its name: `polygon`.
    #[n(1)]
    pub name: Box<str>,
    /// Its name for people: `Polygon`.
    #[n(2)]
    pub title: Box<str>,
    /// The tokens taken on it.
    #[n(3)]
    pub coins: Vec<Stablecoin>,
    /// About how long a deposit takes, in minutes; none where nobody knows.
    #[n(4)]
    pub eta_minutes: Option<u16>,
    /// Tells whether withdrawals go there.
    #[n(5)]
    pub withdrawals: Switch,
    /// What the network takes of a withdrawal; none for nothing.
    #[n(6)]
    pub network_fee: Option<Units>,
}

/// The wallet's settings: one value a ledger, reported by a fact and recorded with the policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct WalletSettings {
    /// USDT's number in this ledger.
    #[n(0)]
    pub usdt: AssetId,
    /// USDC's, where it was ever listed.
    #[n(1)]
    pub usdc: Option<AssetId>,
    /// The networks that are offered, with what each takes.
    #[n(2)]
    pub networks: Vec<WalletNetwork>,
    /// Tells whether the wallet operates: `enabled`.
    #[n(3)]
    pub enabled: Switch,
    /// Tells whether payments are made: `payments_enabled`.
    #[n(4)]
    pub payments: Switch,
    /// Tells whether payments to a key are made: `payment_methods.pix_key`.
    #[n(5)]
    pub by_key: Switch,
    /// Tells whether payments of a code are made: `payment_methods.br_code`.
    #[n(6)]
    pub by_code: Switch,
    /// Tells whether withdrawals to external wallets are made.
    #[n(7)]
    pub withdrawals: Switch,
    /// Tells whether a recipient's document is required: `pix_rules.recipient_document_required`.
    #[n(8)]
    pub document_required: Switch,
    /// The smallest deposit: `min_deposit`.
    #[n(9)]
    pub least_deposit: Units,
    /// The smallest payment: `min_payment_brl`.
    #[n(10)]
    pub least_payment: Amount,
    /// What the network takes of a payment: `withdrawal_fee`; none for nothing.
    #[n(11)]
    pub payment_fee: Option<Units>,
    /// How long a deposit request is valid, in hours: `deposit_validity_hours`. Default 1 (WAL-07).
    #[n(12)]
    pub deposit_hours: u16,
    /// How many open deposit requests an account may have (P:OpenDepositCap). Default 5.
    #[n(13)]
    pub open_deposits: u16,
    /// How long a quote is valid. Default 5 minutes.
    #[n(14)]
    pub quote_validity: Span,
    /// How far below its estimate a withdrawal may arrive (P:FeeModeDeducted). Default 50 bps.
    #[n(15)]
    pub tolerance: Bps,
    /// What turning USDT into USDC costs a withdrawal. Default 0 bps.
    #[n(16)]
    pub conversion_fee: Bps,
    /// Tells whether a payment needs its whole buffer of 1% (P:ReserveBuffer). Default off.
    #[n(17)]
    pub strict_buffer: Switch,
}

impl Stablecoin {
    /// The name on the wire, and on the catalogue in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usdt => "USDT",
            Self::Usdc => "USDC",
        }
    }

    /// Reads what [`Stablecoin::name`] writes.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Usdt, Self::Usdc].into_iter().find(|coin| coin.name() == name)
    }
}

impl WalletSettings {
    /// A network by its name.
    #[must_use]
    pub fn network(&self, name: &str) -> Option<&WalletNetwork> {
        self.networks.iter().find(|network| &*network.name == name)
    }

    /// A token's number in this ledger.
    #[must_use]
    pub const fn asset(&self, coin: Stablecoin) -> Option<AssetId> {
        match coin {
            Stablecoin::Usdt => Some(self.usdt),
            Stablecoin::Usdc => self.usdc,
        }
    }

    /// USDT's number where `asset` is worth one USDT: it is USDT, or USDC.
    #[must_use]
    pub fn at_par(&self, asset: AssetId) -> Option<AssetId> {
        (asset == self.usdt || Some(asset) == self.usdc).then_some(self.usdt)
    }

    /// The least that must arrive of an estimate: `floor((1 - tolerance) * estimate)`.
    #[must_use]
    pub fn least_received(&self, estimate: Units) -> Option<Units> {
        let kept = 10_000_u128.checked_sub(u128::from(self.tolerance.get()))?;
        Units::new(mul_div(estimate.get(), kept, 10_000)?)
    }
}
