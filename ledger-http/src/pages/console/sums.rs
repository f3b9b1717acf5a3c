//! The balances of the chart, by account and commodity: what trial balance, solvency and fees show.

use std::collections::BTreeMap;

use ledger_core::accounting::{Class, Control};
use ledger_core::coin::Scale;
use ledger_core::ledger::State;
use ledger_store::export::{centavos, decimal};

use crate::pages::format;
use crate::pages::lang::Lang;

/// One account of the chart in one commodity, all that it is kept for together; coins of a network
/// apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) commodity: String,
    pub(super) class: Class,
    pub(super) chart: &'static str,
    pub(super) chain: String,
}

/// A balance in smallest units, debits positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) amount: i128,
    pub(super) scale: Scale,
}

impl Sum {
    /// Its size, without its side.
    pub(super) fn magnitude_text(self, lang: Lang) -> String {
        format::decimal(&decimal(self.amount.abs(), self.scale), lang)
    }

    /// In digits, as a file has it.
    pub(super) fn plain(self) -> String {
        decimal(self.amount, self.scale)
    }

    /// The same with its sign turned.
    pub(super) fn negate(self) -> Self {
        Self { amount: -self.amount, ..self }
    }

    /// With its sign.
    pub(super) fn signed_text(self, lang: Lang) -> String {
        format::decimal(&decimal(self.amount, self.scale), lang)
    }
}

/// Every account of the chart that is not empty, reais first.
pub(super) fn sums(state: &State) -> Vec<(Line, Sum)> {
    let reais = Control::ALL.into_iter().filter_map(|control| {
        let amount = -state.books.net_credit(control);
        let line = Line {
            commodity: "BRL".to_owned(),
            class: control.class(),
            chart: control.name(),
            chain: String::new(),
        };
        (amount != 0).then(|| (line, Sum { amount, scale: centavos() }))
    });
    let mut lines: Vec<(Line, Sum)> = reais.collect();
    lines.sort_by_key(|(line, _)| line.class);
    let mut coins: BTreeMap<Line, Sum> = BTreeMap::new();
    for (asset, account, net_credit) in state.books.coins() {
        let known = state.catalogue.asset_of(asset);
        let (name, scale) = known.map_or((format!("asset{}", asset.0), Scale::SIX), |(name, s)| {
            (name.to_uppercase(), s)
        });
        let chain = account.chain().and_then(|chain| state.catalogue.chain_of(chain));
        let line = Line {
            commodity: name,
            class: account.class(),
            chart: account.name(),
            chain: chain.unwrap_or_default().to_owned(),
        };
        coins.entry(line).or_insert(Sum { amount: 0, scale }).amount -= net_credit;
    }
    lines.extend(coins.into_iter().filter(|(_, sum)| sum.amount != 0));
    lines
}

/// Returns what one class comes to in one commodity, debits positive.
pub(super) fn of_class(lines: &[(Line, Sum)], commodity: &str, class: Class) -> Option<Sum> {
    let mut found = lines.iter().filter(|(line, _)| line.commodity == commodity);
    let scale = found.clone().next()?.1.scale;
    let amount = found.by_ref().filter(|(line, _)| line.class == class).map(|(_, sum)| sum.amount);
    Some(Sum { amount: amount.sum(), scale })
}

/// The commodities that there are, reais first.
pub(super) fn commodities(lines: &[(Line, Sum)]) -> Vec<&str> {
    let mut names: Vec<&str> = lines.iter().map(|(line, _)| line.commodity.as_str()).collect();
    names.dedup();
    names
}
