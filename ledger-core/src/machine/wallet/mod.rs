//! The USDT wallet: deposits into it, payments and withdrawals out of it (contract 2.5 and 2.6).

pub mod deposit;
pub mod payment;
pub mod quote;
pub mod withdrawal;

use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::AssetId;

/// Units of `asset` leave `from` and as many USDT come to `to`: through the exchange pair at one to
/// one where the asset is not USDT itself (rulings 34).
fn into_usdt(
    entry: Entry,
    (asset, usdt): (AssetId, AssetId),
    from: CoinAccount,
    to: CoinAccount,
    units: impl Into<Option<Units>>,
) -> Entry {
    let units = units.into();
    if asset == usdt {
        return entry.coins(usdt, from, to, units);
    }
    entry.coins(asset, from, CoinAccount::Fx, units).coins(usdt, CoinAccount::Fx, to, units)
}

/// The way back: USDT leave `from` and as many units of `asset` come to `to`.
fn out_of_usdt(
    entry: Entry,
    (asset, usdt): (AssetId, AssetId),
    from: CoinAccount,
    to: CoinAccount,
    units: impl Into<Option<Units>>,
) -> Entry {
    let units = units.into();
    if asset == usdt {
        return entry.coins(usdt, from, to, units);
    }
    entry.coins(usdt, from, CoinAccount::Fx, units).coins(asset, CoinAccount::Fx, to, units)
}
