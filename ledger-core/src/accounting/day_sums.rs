//! Sums of one day, account by account of the chart.

use std::collections::BTreeMap;

use im::OrdMap;
use minicbor::bytes::ByteArray;

use super::chart::Control;
use super::coins::CoinAccount;
use super::day_close::ChartLine;
use super::entry::Entry;
use crate::counted::hash_counted;
use crate::id::AssetId;

/// Debits and credits, in smallest units.
type Sides = [i128; 2];

/// Sums of debits and credits by account and commodity, of one day. Clones in O(1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DaySums {
    reais: [Sides; Control::ALL.len()],
    coins: OrdMap<(AssetId, CoinAccount), Sides>,
}

hash_counted!(DaySums { reais } { coins });

/// Sums as a snapshot has them.
pub(crate) type SavedSums =
    (Vec<[ByteArray<16>; 2]>, Vec<(AssetId, CoinAccount, [ByteArray<16>; 2])>);

impl Default for DaySums {
    fn default() -> Self {
        Self { reais: [[0; 2]; Control::ALL.len()], coins: OrdMap::new() }
    }
}

impl DaySums {
    /// Adds what an entry debits and credits.
    #[inline]
    pub(crate) fn book(&mut self, entry: &Entry) {
        for m in entry.moves() {
            let cents = i128::from(m.amount.cents());
            self.reais[m.debit.control() as usize][0] += cents;
            self.reais[m.credit.control() as usize][1] += cents;
        }
        for m in entry.coin_moves() {
            for (side, account) in [m.debit, m.credit].into_iter().enumerate() {
                let known = self.coins.entry((m.asset, account.for_all())).or_default();
                known[side] += m.units.to_i128();
            }
        }
    }

    /// Every account that was booked on, with its debits and credits.
    pub(crate) fn lines(&self) -> BTreeMap<ChartLine<'static>, Sides> {
        let reais = Control::ALL.iter().zip(self.reais);
        let reais = reais.map(|(control, sides)| ((None, control.name(), None), sides));
        let coins = self.coins.iter().map(|((asset, account), sides)| {
            ((Some(*asset), account.name(), account.chain()), *sides)
        });
        reais.chain(coins).filter(|(_, sides)| *sides != [0; 2]).collect()
    }

    /// Returns what is saved of them.
    pub(crate) fn save(&self) -> SavedSums {
        let wide = |sides: &Sides| sides.map(|sum| ByteArray::from(sum.to_le_bytes()));
        let coins = self.coins.iter().map(|((asset, account), it)| (*asset, *account, wide(it)));
        (self.reais.iter().map(wide).collect(), coins.collect())
    }

    /// The sums that were saved.
    pub(crate) fn restore((reais, coins): SavedSums) -> Self {
        let wide = |saved: [ByteArray<16>; 2]| saved.map(|sum| i128::from_le_bytes(*sum));
        let mut sums = Self::default();
        for (known, saved) in sums.reais.iter_mut().zip(reais) {
            *known = wide(saved);
        }
        let coins = coins.into_iter().map(|(asset, account, it)| ((asset, account), wide(it)));
        sums.coins = coins.collect();
        sums
    }
}
