//! The close of a day: each account of the chart with its opening, its sums and its closing, and
//! the evidence that it was held against.

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::books::Books;
use super::chart::Control;
use super::coins::CoinAccount;
use crate::coin::Units;
use crate::id::{AssetId, ChainId, EvidenceHash, Seq};
use crate::time::Instant;

/// A day that is closed: what it began with, what was booked on it, and by which evidence.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DayClose {
    /// Its first instant in Brasília.
    #[n(0)]
    pub begins: Instant,
    /// The first instant after it.
    #[n(1)]
    pub ends: Instant,
    /// The last record that is not after the day.
    #[n(2)]
    pub last: Seq,
    /// Every account that had something or was booked on, each once.
    #[n(3)]
    pub accounts: Vec<DayAccount>,
    /// The statements that the day was held against, each reported before.
    #[n(4)]
    pub statements: Vec<EvidenceHash>,
    /// The result of the matching.
    #[n(5)]
    pub matching: Option<EvidenceHash>,
    /// The items that are open, by reason.
    #[n(6)]
    pub open: Vec<OpenCount>,
}

/// One account of the chart in one commodity over a day, in smallest units.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DayAccount {
    /// The asset; none for reais.
    #[n(0)]
    pub asset: Option<AssetId>,
    /// Its name in the chart; all that is kept for customers and operations is one account.
    #[n(1)]
    pub account: Box<str>,
    /// The network that coins are kept on.
    #[n(2)]
    pub chain: Option<ChainId>,
    /// Its opening, where debits were more.
    #[n(3)]
    pub opening_debit: Option<Units>,
    /// Its opening, where credits were more.
    #[n(4)]
    pub opening_credit: Option<Units>,
    /// The sum of what was debited.
    #[n(5)]
    pub debits: Option<Units>,
    /// The sum of what was credited.
    #[n(6)]
    pub credits: Option<Units>,
}

/// How many things of one kind are open.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OpenCount {
    /// The reason, a word.
    #[n(0)]
    pub reason: Box<str>,
    /// How many, above zero.
    #[n(1)]
    pub count: u64,
}

/// An account of the chart in one commodity: asset (none: reais), name and network.
pub type ChartLine<'a> = (Option<AssetId>, &'a str, Option<ChainId>);

impl Books {
    /// Returns the balance of each account of the chart that is not empty, debits above zero, in
    /// smallest units.
    ///
    /// ```
    /// use ledger_core::accounting::{Account, Books, Entry};
    /// use ledger_core::money::Amount;
    ///
    /// let mut books = Books::default();
    /// let real = Amount::new(100).expect("it is above zero");
    /// books.post(&Entry::NONE.principal(Account::ProviderPay, Account::Funding, real))?;
    /// let lines = books.chart_lines();
    /// assert_eq!(lines[&(None, "prov.pay", None)], [100]);
    /// assert_eq!(lines[&(None, "equity.funding", None)], [-100]);
    /// # Ok::<(), ledger_core::accounting::Fault>(())
    /// ```
    #[must_use]
    pub fn chart_lines(&self) -> BTreeMap<ChartLine<'static>, [i128; 1]> {
        let reais =
            Control::ALL.map(|control| (None, control.name(), None, -self.net_credit(control)));
        let coin = |(asset, account, net): (AssetId, CoinAccount, i128)| {
            (Some(asset), account.name(), account.chain(), -net)
        };
        let mut lines = BTreeMap::new();
        for (asset, name, chain, debit) in reais.into_iter().chain(self.coins().map(coin)) {
            let [sum]: &mut [i128; 1] = lines.entry((asset, name, chain)).or_default();
            *sum += debit;
        }
        lines.retain(|_, sum| *sum != [0]);
        lines
    }
}

/// The hash of amounts by account: equal lines have equal hashes.
pub(crate) fn hash_of_lines<const N: usize>(
    lines: &BTreeMap<ChartLine<'_>, [i128; N]>,
) -> EvidenceHash {
    let mut hasher = blake3::Hasher::new_derive_key("custody-ledger end of day v1");
    for ((asset, name, chain), amounts) in lines {
        let number = |id: Option<u16>| {
            id.map_or([0; 3], |id| {
                let [low, high] = id.to_le_bytes();
                [1, low, high]
            })
        };
        hasher.update(&number(asset.map(|asset| asset.0)));
        hasher.update(&number(chain.map(|chain| chain.0)));
        for amount in amounts {
            hasher.update(&amount.to_le_bytes());
        }
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
    }
    EvidenceHash(*hasher.finalize().as_bytes())
}

impl DayAccount {
    /// Returns what it had at the beginning, debits above zero.
    #[must_use]
    pub fn opening(&self) -> i128 {
        net(self.opening_debit, self.opening_credit)
    }

    /// Returns what it had at the end, debits above zero.
    #[must_use]
    pub fn closing(&self) -> i128 {
        self.opening() + net(self.debits, self.credits)
    }

    /// Its asset, name and network.
    #[must_use]
    pub fn line(&self) -> ChartLine<'_> {
        (self.asset, &self.account, self.chain)
    }
}

impl DayClose {
    /// Returns what every account had at the beginning that was not empty, debits above zero; none
    /// where an account stands twice.
    #[must_use]
    pub fn openings(&self) -> Option<BTreeMap<ChartLine<'_>, [i128; 1]>> {
        self.lines(|account| [account.opening()])
    }

    /// Returns what was debited and credited on every account that was booked on, as
    /// [`DayClose::openings`] does.
    #[must_use]
    pub fn movements(&self) -> Option<BTreeMap<ChartLine<'_>, [i128; 2]>> {
        let sum = |units: Option<Units>| units.map_or(0, Units::to_i128);
        self.lines(|account| [sum(account.debits), sum(account.credits)])
    }

    /// Returns what every account had at the end, as [`DayClose::openings`] does.
    #[must_use]
    pub fn closings(&self) -> Option<BTreeMap<ChartLine<'_>, [i128; 1]>> {
        self.lines(|account| [account.closing()])
    }

    /// Tells whether it begins and ends with one day in Brasília.
    pub(crate) fn is_of_one_day(&self) -> bool {
        let Self { begins, ends, .. } = *self;
        begins == begins.day_begins_in_brasilia() && ends == begins.next_day_in_brasilia()
    }

    fn lines<const N: usize>(
        &self,
        amounts: impl Fn(&DayAccount) -> [i128; N],
    ) -> Option<BTreeMap<ChartLine<'_>, [i128; N]>> {
        let accounts = self.accounts.iter().map(|known| (known.line(), amounts(known)));
        let mut lines: BTreeMap<_, _> = accounts.collect();
        let each_once = lines.len() == self.accounts.len();
        lines.retain(|_, amounts| *amounts != [0; N]);
        each_once.then_some(lines)
    }
}

fn net(debit: Option<Units>, credit: Option<Units>) -> i128 {
    debit.map_or(0, Units::to_i128) - credit.map_or(0, Units::to_i128)
}
