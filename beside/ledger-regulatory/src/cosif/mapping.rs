//! The declared mapping of the chart to COSIF: a TOML file of the institution.

use std::collections::BTreeMap;

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::id::{AccountId, ChainId, OpId, ProductAccount};
use serde::Deserialize;
use thiserror::Error;

use crate::price::AssetPrice;

/// The commodities of a line that has every asset.
const EVERY_ASSET: &str = "crypto";

/// The side that a COSIF account's balance is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Assets and expenses, and what rectifies the others.
    Debit,
    /// Liabilities, equity and income, and what rectifies the others.
    Credit,
}

/// A COSIF account as the mapping declares it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclaredCosif {
    /// Its code: ten digits.
    pub code: String,
    /// The side of its balance.
    pub side: Side,
    /// The account whose balance it is part of, if it is part of one.
    pub parent: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    account: String,
    #[serde(default = "brl_name")]
    asset: String,
    code: String,
    otherwise: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredPrice {
    asset: String,
    reais: String,
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MappingFile {
    cnpj: String,
    earlier_results: Option<String>,
    #[serde(default)]
    cosif: Vec<DeclaredCosif>,
    #[serde(default)]
    map: Vec<Line>,
    #[serde(default)]
    price: Vec<DeclaredPrice>,
}

/// A mapping that was read and checked.
#[derive(Clone, Debug)]
pub struct CosifMapping {
    /// The first eight characters of the institution's CNPJ.
    pub cnpj: String,
    /// The COSIF account that has the results of earlier half-years.
    pub earlier_results: Option<String>,
    /// Each COSIF account by its code.
    pub accounts: BTreeMap<String, DeclaredCosif>,
    /// The code of each account of the chart, by commodity, and the one that it has instead while
    /// it stands on the other side.
    lines: BTreeMap<(String, String), (String, Option<String>)>,
    /// Prices that the institution declares, by asset.
    prices: BTreeMap<String, AssetPrice>,
}

/// The error of a mapping that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MappingError {
    /// It is no mapping.
    #[error("{0}")]
    Malformed(String),
    /// The CNPJ is not eight letters or digits.
    #[error("cnpj = \"{0}\" is not the first eight characters of a CNPJ")]
    Cnpj(String),
    /// A code is not ten digits.
    #[error("code = \"{0}\" is not ten digits")]
    Code(String),
    /// A COSIF account is declared twice.
    #[error("COSIF account {0} is declared twice")]
    DeclaredTwice(String),
    /// A line names a COSIF account that is not declared.
    #[error("{by} names COSIF account {code}, which is not declared")]
    Undeclared {
        /// The COSIF account.
        code: String,
        /// The line or field that names it.
        by: String,
    },
    /// A COSIF account is part of itself.
    #[error("COSIF account {0} is part of itself")]
    Circle(String),
    /// A line adds to a COSIF account that others are part of.
    #[error("{by} maps to COSIF account {code}, which is a sum of others")]
    Sum {
        /// The COSIF account.
        code: String,
        /// The account that is mapped.
        by: String,
    },
    /// The chart has no such account.
    #[error("the chart has no account {account} in {asset}")]
    NoAccount {
        /// The account as the mapping names it.
        account: String,
        /// The commodity as the mapping names it.
        asset: String,
    },
    /// An account of the chart is mapped twice.
    #[error("account {account} in {asset} is mapped twice")]
    MappedTwice {
        /// The account's name in the chart.
        account: String,
        /// The commodity: `BRL`, or the asset's name in the ledger.
        asset: String,
    },
    /// A price is no decimal above zero, or an asset has two.
    #[error("the price of {0} is no decimal above zero, or stands twice")]
    Price(String),
}

fn brl_name() -> String {
    "BRL".to_owned()
}

impl CosifMapping {
    /// Reads the text of a mapping.
    ///
    /// # Errors
    ///
    /// The first [`MappingError`].
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        let written: MappingFile =
            toml::from_str(text).map_err(|error| MappingError::Malformed(error.to_string()))?;
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if written.cnpj.len() != 8 || !plain(&written.cnpj) {
            return Err(MappingError::Cnpj(written.cnpj));
        }
        let accounts = declared_accounts(written.cosif)?;
        let mut mapping = Self {
            cnpj: written.cnpj,
            earlier_results: written.earlier_results,
            accounts,
            lines: BTreeMap::new(),
            prices: BTreeMap::new(),
        };
        if let Some(code) = &mapping.earlier_results {
            mapping.check_leaf(code, "earlier_results")?;
        }
        written.map.into_iter().try_for_each(|line| mapping.add_line(line))?;
        written.price.into_iter().try_for_each(|price| mapping.add_price(price))?;
        Ok(mapping)
    }

    /// Returns the code of so much of an account of the chart, in smallest units, credits positive.
    #[must_use]
    pub fn code(&self, account: &str, asset: &str, net_credit: i128) -> Option<&str> {
        let line = |asset: &str| self.lines.get(&(account.to_owned(), asset.to_owned()));
        let every = || if asset == "BRL" { None } else { line(EVERY_ASSET) };
        let (code, otherwise) = line(asset).or_else(every)?;
        let side = if net_credit < 0 { Side::Debit } else { Side::Credit };
        let fits = self.accounts.get(code).is_some_and(|known| known.side == side);
        Some(otherwise.as_ref().filter(|_| !fits).unwrap_or(code))
    }

    /// Returns the price that the institution declares of an asset.
    #[must_use]
    pub fn price(&self, asset: &str) -> Option<&AssetPrice> {
        self.prices.get(asset)
    }

    fn add_line(
        &mut self,
        Line { account, asset, code, otherwise }: Line,
    ) -> Result<(), MappingError> {
        if !is_of_chart(&account, &asset) {
            return Err(MappingError::NoAccount { account, asset });
        }
        [Some(&code), otherwise.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|code| self.check_leaf(code, &account))?;
        let same = |(mapped, of): &&(String, String)| {
            let crypto = |name: &str| name != "BRL";
            let overlaps = of == &asset
                || (of == EVERY_ASSET && crypto(&asset))
                || (asset == EVERY_ASSET && crypto(of));
            *mapped == account && overlaps
        };
        if self.lines.keys().any(|key| same(&key)) {
            return Err(MappingError::MappedTwice { account, asset });
        }
        self.lines.insert((account, asset), (code, otherwise));
        Ok(())
    }

    fn add_price(&mut self, declared: DeclaredPrice) -> Result<(), MappingError> {
        let DeclaredPrice { asset, reais, source } = declared;
        let price = AssetPrice::parse(&reais, &source, None);
        let price = price.ok_or_else(|| MappingError::Price(asset.clone()))?;
        match self.prices.insert(asset.clone(), price) {
            None => Ok(()),
            Some(_) => Err(MappingError::Price(asset)),
        }
    }

    /// Checks that a code is declared, and no sum of others.
    fn check_leaf(&self, code: &str, by: &str) -> Result<(), MappingError> {
        let (code, by) = (code.to_owned(), by.to_owned());
        if !self.accounts.contains_key(&code) {
            return Err(MappingError::Undeclared { code, by });
        }
        let is_sum = self.accounts.values().any(|other| other.parent.as_ref() == Some(&code));
        if is_sum { Err(MappingError::Sum { code, by }) } else { Ok(()) }
    }
}

fn declared_accounts(
    declared: Vec<DeclaredCosif>,
) -> Result<BTreeMap<String, DeclaredCosif>, MappingError> {
    let mut accounts = BTreeMap::new();
    for account in declared {
        let code = account.code.clone();
        if code.len() != 10 || !code.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(MappingError::Code(code));
        }
        if accounts.insert(code.clone(), account).is_some() {
            return Err(MappingError::DeclaredTwice(code));
        }
    }
    for code in accounts.keys() {
        let mut above = accounts.get(code).and_then(|account| account.parent.as_ref());
        for _ in 0..accounts.len() {
            let Some(parent) = above else { break };
            let Some(known) = accounts.get(parent) else {
                return Err(MappingError::Undeclared { code: parent.clone(), by: code.clone() });
            };
            above = known.parent.as_ref();
        }
        if above.is_some() {
            return Err(MappingError::Circle(code.clone()));
        }
    }
    Ok(accounts)
}

/// Tells whether the chart has an account of this name in a commodity.
fn is_of_chart(account: &str, asset: &str) -> bool {
    if asset == "BRL" {
        return Control::ALL.iter().any(|control| control.name() == account);
    }
    coin_names().contains(&account)
}

/// The names of the accounts of crypto.
fn coin_names() -> [&'static str; 22] {
    let (op, account) = (OpId::LEAST, AccountId(0));
    let of = ProductAccount { number: 0, holder: None };
    [
        CoinAccount::Treasury(ChainId(0)),
        CoinAccount::ProviderClaim,
        CoinAccount::Funding,
        CoinAccount::DeliveryInFlight(op),
        CoinAccount::Fx,
        CoinAccount::Gas,
        CoinAccount::Loss,
        CoinAccount::Transit(ChainId(0)),
        CoinAccount::Deposited(op),
        CoinAccount::RefundDue(op),
        CoinAccount::Suspense,
        CoinAccount::Exchange,
        CoinAccount::WalletAvailable(account),
        CoinAccount::WalletReserved(account),
        CoinAccount::WalletConfirming(account),
        CoinAccount::WithdrawalInFlight(op),
        CoinAccount::Slippage,
        CoinAccount::ProductAsset(of),
        CoinAccount::ProductLiability(of),
        CoinAccount::ProductEquity(of),
        CoinAccount::ProductIncome(of),
        CoinAccount::ProductExpense(of),
    ]
    .map(CoinAccount::name)
}
