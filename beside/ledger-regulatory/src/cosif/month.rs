//! The trial balance of a month by COSIF accounts.

use std::collections::BTreeMap;

use ledger_core::accounting::Class;
use ledger_core::coin::Scale;
use ledger_core::time::Instant;
use ledger_store::days::{Period, Span};
use ledger_store::moment::{Moment, MomentError};
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Head, Journal};
use thiserror::Error;

use super::mapping::{CosifMapping, Side};
use super::valued::valued_credits;
use crate::price::AssetPrice;
use crate::row::records_before;

/// One COSIF account with its balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CosifAccount {
    /// The account's code of ten digits.
    pub code: String,
    /// The side of its balance.
    pub side: Side,
    /// Its balance in centavos, on that side; never below zero.
    pub centavos: i128,
    /// Tells whether it is the sum of others.
    pub is_sum: bool,
}

/// The trial balance of a month.
#[derive(Clone, Debug)]
pub struct CosifBalance {
    /// The month: `2026-11`.
    pub month: String,
    /// The first eight characters of the institution's CNPJ.
    pub cnpj: String,
    /// The ledger's name.
    pub ledger: String,
    /// The journal's head at the month's end.
    pub head: Head,
    /// Tells whether the month is over: a record was decided after it.
    pub over: bool,
    /// The accounts that have a balance, by code.
    pub accounts: Vec<CosifAccount>,
    /// The sum of either side in centavos, without accounts that are sums.
    pub total: i128,
    /// The price at which each asset is valued.
    pub prices: BTreeMap<String, AssetPrice>,
}

/// The error of a month that cannot be stated.
#[derive(Debug, Error)]
pub enum CosifError {
    /// The text names no month.
    #[error("{0} is no month, such as 2026-11")]
    Month(String),
    /// An account of the chart has no code.
    #[error("account {account} in {asset} has a balance and is mapped to no COSIF account")]
    Unmapped {
        /// The account's name in the chart.
        account: String,
        /// The commodity: `BRL`, or the asset's name in the ledger.
        asset: String,
    },
    /// There are results of earlier half-years, and no account for them.
    #[error(
        "account {account} in {asset} has results of earlier half-years, and the mapping declares \
         no earlier_results"
    )]
    EarlierResults {
        /// The account's name in the chart.
        account: String,
        /// The commodity: `BRL`, or the asset's name in the ledger.
        asset: String,
    },
    /// The ledger knows no price of an asset, and the mapping declares none.
    #[error("{0} has balances, and neither ledger nor mapping has a price of it")]
    NoPrice(String),
    /// A value leaves 128 bits.
    #[error("the value of {0} leaves 128 bits")]
    Overflow(String),
    /// A balance is on the other side than its account's, which the layout cannot show.
    #[error("COSIF account {code} stands {centavos} centavos on the other side than declared")]
    OtherSide {
        /// The COSIF account's code of ten digits.
        code: String,
        /// The balance in centavos.
        centavos: i128,
    },
    /// Debits and credits differ.
    #[error("debits come to {debits} centavos, and credits to {credits}")]
    Uneven {
        /// The sum of the debit side in centavos.
        debits: i128,
        /// The sum of the credit side in centavos.
        credits: i128,
    },
    /// The journal has no such moment, or cannot be replayed.
    #[error(transparent)]
    Moment(#[from] MomentError),
}

/// Net credits in centavos by code.
type Credits = BTreeMap<String, i128>;

impl CosifBalance {
    /// Reads a month's trial balance under a mapping. Results are those of its half-year.
    ///
    /// # Errors
    ///
    /// [`CosifError`] naming the account that cannot be stated.
    pub fn read(
        journal: &mut dyn Journal,
        name: &str,
        month: &str,
        mapping: &CosifMapping,
    ) -> Result<Self, CosifError> {
        let span = month_span(month)?;
        let half = half_year_begins(month)?;
        let before = ledger_before(journal, name, half)?;
        let sequencer = ledger_before(journal, name, span.ends())?;
        let last = journal.head().map_err(|error| MomentError::Replay(error.into()))?.seq;
        let trials = (TrialBalance::all(&before), TrialBalance::all(&sequencer));
        let known = |asset: &str| AssetPrice::latest(&sequencer, asset);
        let (credits, prices) = mapped_credits(mapping, (&trials.0, &trials.1), known)?;
        let accounts = stated_accounts(mapping, &credits)?;
        let total = even_total(&accounts)?;
        Ok(Self {
            month: month.to_owned(),
            cnpj: mapping.cnpj.clone(),
            ledger: sequencer.ledger().state.name.to_string(),
            head: sequencer.head(),
            over: sequencer.head().seq < last,
            accounts,
            total,
            prices,
        })
    }
}

fn month_span(month: &str) -> Result<Span, CosifError> {
    let span = Span::parse(month, month, Period::Month).filter(|_| month.len() == 7);
    span.ok_or_else(|| CosifError::Month(month.to_owned()))
}

/// The beginning of the half-year that a month is in: results begin anew then.
fn half_year_begins(month: &str) -> Result<Instant, CosifError> {
    let first = if &month[5..] <= "06" { "01" } else { "07" };
    month_span(&format!("{}-{first}", &month[..4])).map(|span| span.begins())
}

/// A ledger as it stood before an instant.
fn ledger_before(
    journal: &mut dyn Journal,
    name: &str,
    at: Instant,
) -> Result<Sequencer, MomentError> {
    let moment = Moment::Records(records_before(journal, at)?);
    Sequencer::open_at(journal, name, None, moment, |_, _| ())
}

/// Returns the balances by code, and the prices that valued them.
pub(super) fn mapped_credits(
    mapping: &CosifMapping,
    (before, after): (&[TrialBalance], &[TrialBalance]),
    known: impl Fn(&str) -> Option<AssetPrice>,
) -> Result<(Credits, BTreeMap<String, AssetPrice>), CosifError> {
    let (mut credits, mut prices) = (Credits::new(), BTreeMap::new());
    for balance in after {
        let asset = &balance.commodity;
        let earlier = before.iter().find(|other| other.commodity == *asset);
        let lines = coded_lines(mapping, balance, earlier)?;
        if lines.is_empty() {
            continue;
        }
        let units: Vec<i128> = lines.iter().map(|(_, net)| *net).collect();
        let cents = if asset == "BRL" {
            units
        } else {
            let price = mapping.price(asset).cloned().or_else(|| known(asset));
            let price = price.ok_or_else(|| CosifError::NoPrice(asset.clone()))?;
            let valued = asset_credits(&units, &price, (asset, balance.scale))?;
            prices.insert(asset.clone(), price);
            valued
        };
        for ((code, _), cents) in lines.into_iter().zip(cents) {
            *credits.entry(code).or_default() += cents;
        }
    }
    Ok((credits, prices))
}

fn asset_credits(
    units: &[i128],
    price: &AssetPrice,
    (asset, scale): (&str, Scale),
) -> Result<Vec<i128>, CosifError> {
    valued_credits(units, price, scale).ok_or_else(|| CosifError::Overflow(asset.to_owned()))
}

/// Returns the net credit of each line of a commodity under its code, in smallest units.
fn coded_lines(
    mapping: &CosifMapping,
    balance: &TrialBalance,
    earlier: Option<&TrialBalance>,
) -> Result<Vec<(String, i128)>, CosifError> {
    let asset = &balance.commodity;
    let mut lines: Vec<(String, i128)> = Vec::new();
    for (account, class) in accounts_of(balance, earlier) {
        let (net, before) =
            (net_credit(balance, &account), earlier.map_or(0, |it| net_credit(it, &account)));
        let is_result = matches!(class, Class::Income | Class::Expense);
        let before = if is_result { before } else { 0 };
        if before != 0 {
            let code = mapping.earlier_results.clone();
            let (account, asset) = (account.clone(), asset.clone());
            let code = code.ok_or(CosifError::EarlierResults { account, asset })?;
            lines.push((code, before));
        }
        if net != before {
            let code = mapping.code(&account, asset, net - before).map(str::to_owned);
            let code = code.ok_or(CosifError::Unmapped { account, asset: asset.clone() })?;
            lines.push((code, net - before));
        }
    }
    Ok(lines)
}

/// The accounts of a commodity, without the networks that they are kept on.
fn accounts_of(balance: &TrialBalance, earlier: Option<&TrialBalance>) -> BTreeMap<String, Class> {
    let accounts = earlier.into_iter().chain([balance]).flat_map(|it| &it.accounts);
    accounts.map(|account| (chart_name(&account.name).to_owned(), account.class)).collect()
}

fn net_credit(balance: &TrialBalance, account: &str) -> i128 {
    let accounts = balance.accounts.iter().filter(|known| chart_name(&known.name) == account);
    accounts.map(|known| known.net_credit).sum()
}

fn chart_name(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(chart, _)| chart)
}

/// Returns the accounts that have a balance, with those that are their sums.
pub(super) fn stated_accounts(
    mapping: &CosifMapping,
    credits: &Credits,
) -> Result<Vec<CosifAccount>, CosifError> {
    let mut sums = credits.clone();
    for (code, net) in credits {
        let mut above = mapping.accounts.get(code).and_then(|known| known.parent.as_ref());
        while let Some(parent) = above {
            *sums.entry(parent.clone()).or_default() += net;
            above = mapping.accounts.get(parent).and_then(|known| known.parent.as_ref());
        }
    }
    let stated = sums.into_iter().filter(|(_, net)| *net != 0).map(|(code, net)| {
        let side = mapping.accounts.get(&code).expect("a mapping declares its codes").side;
        let centavos = if side == Side::Debit { -net } else { net };
        let is_sum = !credits.contains_key(&code);
        if centavos < 0 {
            return Err(CosifError::OtherSide { code, centavos: -centavos });
        }
        Ok(CosifAccount { code, side, centavos, is_sum })
    });
    stated.collect()
}

/// Returns the sum of either side, which must be equal.
fn even_total(accounts: &[CosifAccount]) -> Result<i128, CosifError> {
    let [debits, credits] = [Side::Debit, Side::Credit].map(|side| {
        let leaves = accounts.iter().filter(|account| account.side == side && !account.is_sum);
        leaves.map(|account| account.centavos).sum::<i128>()
    });
    if debits == credits { Ok(debits) } else { Err(CosifError::Uneven { debits, credits }) }
}
