//! Accounts of the chart in one commodity, and their sums.

use minicbor::{Decode, Encode};

use crate::accounting::{Account, CoinAccount, Control, DayAccount};
use crate::id::{AssetId, ChainId};
use crate::ledger::outcome::wide;

/// An account in one commodity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub(super) enum Line {
    /// Reais, by the account's place in the chart.
    #[n(0)]
    Reais(#[n(0)] u8),
    /// Crypto, by asset, the account's place among [`Line::COINS`], and network.
    #[n(1)]
    Coins(#[n(0)] AssetId, #[n(1)] u8, #[n(2)] Option<ChainId>),
}

/// Sums of debits and credits, in smallest units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
#[cbor(array)]
pub(super) struct Sums {
    #[cbor(n(0), with = "wide")]
    pub(super) debits: i128,
    #[cbor(n(1), with = "wide")]
    pub(super) credits: i128,
}

impl Line {
    /// The names of accounts of crypto.
    const COINS: [&str; 22] = [
        "treas",
        "recv.prov",
        "equity.funding",
        "flight.deliv",
        "fx",
        "exp.gas",
        "exp.loss",
        "transit",
        "dep",
        "refund",
        "susp.crypto",
        "exch",
        "wal.avail",
        "wal.reserved",
        "wal.confirming",
        "flight.wdr",
        "exp.slippage",
        "prod.asset",
        "prod.liability",
        "prod.equity",
        "prod.income",
        "prod.expense",
    ];

    pub(super) fn reais(account: Account) -> Self {
        Self::Reais(place(Control::ALL.map(Control::name), account.control().name()))
    }

    pub(super) fn coins(asset: AssetId, account: CoinAccount) -> Self {
        Self::Coins(asset, place(Self::COINS, account.name()), account.chain())
    }

    /// The line that a close states.
    pub(super) fn from_account(account: &DayAccount) -> Self {
        match account.asset {
            None => Self::Reais(place(Control::ALL.map(Control::name), &account.account)),
            Some(asset) => Self::Coins(asset, place(Self::COINS, &account.account), account.chain),
        }
    }
}

/// The place of a name among others; after all of them where it is none.
fn place<const N: usize>(names: [&str; N], name: &str) -> u8 {
    let place = names.iter().position(|known| *known == name).unwrap_or(N);
    u8::try_from(place).unwrap_or(u8::MAX)
}
