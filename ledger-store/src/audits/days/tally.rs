//! Sums by account of the chart: what books hold, and what records debit and credit.

use std::collections::BTreeMap;

use ledger_core::accounting::{Class, CoinAccount, Control};
use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::{Record, State};

use super::DayLine;
use crate::tables::export::centavos;

/// One account of the chart in one commodity, all that it is kept for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    Reais(Control),
    Coins(AssetId, Class, &'static str, Option<ChainId>),
}

/// What was debited and credited, in smallest units.
pub(super) type Moved = BTreeMap<Line, (i128, i128)>;

impl Line {
    fn for_coins(asset: AssetId, account: CoinAccount) -> Self {
        Self::Coins(asset, account.class(), account.name(), account.chain())
    }

    /// The line of a period, as people read it.
    pub(super) fn to_day_line(
        self,
        state: &State,
        opening: i128,
        (debits, credits): (i128, i128),
    ) -> DayLine {
        let (commodity, scale, class, account, chain) = match self {
            Self::Reais(control) => {
                ("BRL".to_owned(), centavos(), control.class(), control.name(), None)
            }
            Self::Coins(asset, class, account, chain) => {
                let known = state.catalogue.asset_of(asset);
                let (name, scale) = known
                    .map_or((format!("asset{}", asset.0), Scale::SIX), |(name, s)| {
                        (name.to_owned(), s)
                    });
                (name, scale, class, account, chain)
            }
        };
        let network = chain.and_then(|chain| state.catalogue.chain_of(chain));
        let network = network.unwrap_or_default().to_owned();
        DayLine { commodity, scale, class, account, network, opening, debits, credits }
    }
}

/// Returns what every account that is not empty has in these books, debits positive.
pub(super) fn balances(state: &State) -> BTreeMap<Line, i128> {
    let books = &state.books;
    let mut held: BTreeMap<Line, i128> = Control::ALL
        .into_iter()
        .map(|control| (Line::Reais(control), -books.net_credit(control)))
        .collect();
    for (asset, account, net_credit) in books.coins() {
        *held.entry(Line::for_coins(asset, account)).or_default() -= net_credit;
    }
    held.retain(|_, amount| *amount != 0);
    held
}

/// Adds what a record debits and credits.
pub(super) fn add(moved: &mut Moved, record: &Record) {
    for event in &record.events {
        let entry = event.entry();
        for m in entry.moves() {
            let cents = i128::from(m.amount.cents());
            moved.entry(Line::Reais(m.debit.control())).or_default().0 += cents;
            moved.entry(Line::Reais(m.credit.control())).or_default().1 += cents;
        }
        for m in entry.coin_moves() {
            let units = m.units.to_i128();
            moved.entry(Line::for_coins(m.asset, m.debit)).or_default().0 += units;
            moved.entry(Line::for_coins(m.asset, m.credit)).or_default().1 += units;
        }
    }
}
