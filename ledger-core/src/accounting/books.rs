//! The balances that entries add up to, with the control totals beside them.

use im::OrdMap;
use thiserror::Error;

use super::chart::{Account, Class, Control};
use super::chunks::Chunks;
use super::coins::{CoinAccount, CoinMove};
use super::entry::{Entry, Move, Nature, Side};
use crate::counted::hash_counted;
use crate::id::{AccountId, AssetId, SubaccountId};
use crate::money::{Amount, Balance};

/// The three buckets of one subaccount, and how many statement rows it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Buckets {
    /// Spendable; below zero only after a forced debit.
    pub available: Balance,
    /// Booked, not yet available.
    pub held: Balance,
    /// Blocked by holds.
    pub frozen: Balance,
    /// How many statement rows were posted.
    pub rows: u32,
}

/// Every balance of the ledger. Clones in O(1).
///
/// ```
/// use ledger_core::accounting::{Account, Books, Control, Entry};
/// use ledger_core::money::Amount;
///
/// let mut books = Books::default();
/// let ana = books.open_subaccount();
/// let amount = Amount::new(10_000).expect("it is above zero");
/// books.post(&Entry::NONE.principal(Account::ProviderPix, Account::Available(ana), amount))?;
/// assert_eq!(books.subaccount(ana).total().cents(), 10_000);
/// assert_eq!(books.balance(Control::Available), 10_000); // The control account has the same.
/// assert_eq!(books.trial_balance(), 0);
/// # Ok::<(), ledger_core::accounting::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    controls: [i128; Control::ALL.len()],
    subaccounts: Chunks<Buckets>,
    flights: OrdMap<Account, i64>,
    commissions: OrdMap<AccountId, Commission>,
    coins: OrdMap<(AssetId, CoinAccount), i128>,
}

/// What a partner is owed, and how many rows its ledger has (COM-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Commission {
    /// Owed; below zero only after a reversal.
    pub balance: Balance,
    /// How many rows were posted.
    pub rows: u32,
}

/// Why an entry cannot be posted: a journal no ledger wrote, or a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// A balance would leave the range of its integer.
    #[error("{account} would overflow by {amount:?}")]
    Overflow {
        /// The account that would overflow.
        account: Account,
        /// The amount posted.
        amount: Amount,
    },
    /// A balance that may not be negative would be.
    #[error("{account} would fall to {balance} centavos")]
    Negative {
        /// The account that would fall too low.
        account: Account,
        /// Where it would stand.
        balance: i128,
    },
    /// An amount of crypto that may not be negative would be.
    #[error("{account} of asset {} would fall to {balance} units", asset.0)]
    NegativeCoins {
        /// The asset, by its number in this ledger.
        asset: AssetId,
        /// The account that would fall too low.
        account: CoinAccount,
        /// Where it would stand.
        balance: i128,
    },
    /// A balance of crypto would leave the range of its integer.
    #[error("{account} of asset {} would overflow", asset.0)]
    TooManyCoins {
        /// The asset, by its number in this ledger.
        asset: AssetId,
        /// The account that would overflow.
        account: CoinAccount,
    },
    /// A subaccount that was never opened.
    #[error("{account} was never opened")]
    Unopened {
        /// The bucket of that subaccount.
        account: Account,
    },
}

/// What one entry did to the subaccounts it touched: two, but of a group of transfers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    two: [Option<(SubaccountId, Buckets, Buckets)>; 2],
    more: Vec<(SubaccountId, Buckets, Buckets)>,
}

impl Touched {
    /// Each subaccount with its buckets before and after.
    pub fn iter(&self) -> impl Iterator<Item = &(SubaccountId, Buckets, Buckets)> {
        self.two.iter().flatten().chain(&self.more)
    }

    fn after(&self, id: SubaccountId) -> Option<&Buckets> {
        self.iter().find(|(known, _, _)| *known == id).map(|(_, _, after)| after)
    }

    fn note(&mut self, id: SubaccountId, before: Buckets, after: Buckets) {
        for slot in &mut self.two {
            match slot {
                Some((known, _, known_after)) if *known == id => {
                    *known_after = after;
                    return;
                }
                Some(_) => {}
                None => {
                    *slot = Some((id, before, after));
                    return;
                }
            }
        }
        match self.more.iter_mut().find(|(known, _, _)| *known == id) {
            Some((_, _, known_after)) => *known_after = after,
            None => self.more.push((id, before, after)),
        }
    }
}

impl Buckets {
    /// Held and frozen together: the wire's `bloqueado_cents` (INV-08).
    #[must_use]
    pub fn blocked_balance(&self) -> Balance {
        let sum = self.held.plus(self.frozen.cents());
        sum.expect("both are parts of one balance that was checked")
    }

    /// All three together: the balance that statement rows sum to.
    #[must_use]
    pub fn total(&self) -> Balance {
        let sum = self.available.plus(self.blocked_balance().cents());
        sum.expect("posting checks the total of every subaccount")
    }
}

hash_counted!(Books { controls } { subaccounts, flights, commissions, coins });

impl Books {
    /// Books that were saved.
    pub(crate) fn restore(
        controls: &[i128; Control::ALL.len()],
        buckets: impl Iterator<Item = Buckets>,
        flights: impl Iterator<Item = (Account, i64)>,
        commissions: impl Iterator<Item = (AccountId, Commission)>,
        coins: impl Iterator<Item = ((AssetId, CoinAccount), i128)>,
    ) -> Self {
        let mut subaccounts = Chunks::default();
        buckets.for_each(|known| subaccounts.push(known));
        let (flights, commissions) = (flights.collect(), commissions.collect());
        Self { controls: *controls, subaccounts, flights, commissions, coins: coins.collect() }
    }

    /// Opens the next subaccount, empty.
    pub fn open_subaccount(&mut self) -> SubaccountId {
        let index =
            u32::try_from(self.subaccounts.len()).expect("fewer than four billion subaccounts");
        self.subaccounts.push(Buckets::default());
        SubaccountId(index)
    }

    /// The subaccounts opened so far.
    #[must_use]
    pub fn subaccount_count(&self) -> usize {
        self.subaccounts.len()
    }

    /// The buckets of a subaccount; empty ones for an id that was never opened.
    #[must_use]
    #[inline]
    pub fn subaccount(&self, id: SubaccountId) -> Buckets {
        self.find(id).copied().unwrap_or_default()
    }

    /// Reads what posting to this subaccount will read, so that the waits for many overlap.
    #[inline]
    pub(crate) fn look_ahead(&self, id: SubaccountId) {
        self.subaccounts.look_ahead(id.0 as usize, |buckets| buckets.rows);
    }

    fn find(&self, id: SubaccountId) -> Option<&Buckets> {
        self.subaccounts.get(id.0 as usize)
    }

    /// All subaccounts in the order they were opened.
    pub fn subaccounts(&self) -> impl Iterator<Item = (SubaccountId, &Buckets)> {
        self.subaccounts.iter().zip(0..).map(|(buckets, index)| (SubaccountId(index), buckets))
    }

    /// In-flight accounts, rewards and accounts of products that are not empty: net credits.
    pub fn flights(&self) -> impl Iterator<Item = (Account, i64)> + '_ {
        self.flights.iter().map(|(account, balance)| (*account, *balance))
    }

    /// Partner commission by API account.
    pub fn commissions(&self) -> impl Iterator<Item = (AccountId, Commission)> + '_ {
        self.commissions.iter().map(|(account, known)| (*account, *known))
    }

    /// Returns what one partner is owed.
    #[must_use]
    pub fn commission(&self, account: AccountId) -> Commission {
        self.commissions.get(&account).copied().unwrap_or_default()
    }

    /// Accounts of crypto that are not empty, with their net credits in units, by asset.
    pub fn coins(&self) -> impl Iterator<Item = (AssetId, CoinAccount, i128)> + '_ {
        self.coins.iter().map(|((asset, account), balance)| (*asset, *account, *balance))
    }

    /// The net credit of an account of crypto, in units.
    #[must_use]
    pub fn coin(&self, asset: AssetId, account: CoinAccount) -> i128 {
        self.coins.get(&(asset, account)).copied().unwrap_or(0)
    }

    /// The net credit of an account of [`Books::flights`].
    #[must_use]
    pub fn flight(&self, account: Account) -> i64 {
        self.flights.get(&account).copied().unwrap_or(0)
    }

    /// The net credit of a control account: negative for a debit balance.
    #[must_use]
    pub fn net_credit(&self, control: Control) -> i128 {
        self.controls[control as usize]
    }

    /// The balance of a control account in its own natural sign.
    #[must_use]
    pub fn balance(&self, control: Control) -> i128 {
        match control.class() {
            Class::Asset | Class::Expense => -self.net_credit(control),
            Class::Liability | Class::Equity | Class::Income | Class::Trading => {
                self.net_credit(control)
            }
        }
    }

    /// The sum of all net credits in reais: zero, always (INV-02).
    #[must_use]
    pub fn trial_balance(&self) -> i128 {
        self.controls.iter().sum()
    }

    /// Posts an entry, counts its statement rows, and tells what it did to subaccounts.
    ///
    /// # Errors
    ///
    /// [`Fault`] when a balance would overflow, or fall below zero where only a forced entry may
    /// take it (INV-07). The books are then half-posted and must be dropped.
    pub fn post(&mut self, entry: &Entry) -> Result<Touched, Fault> {
        let mut touched = Touched::default();
        for m in entry.moves() {
            self.leg(m, Side::Debit, &mut touched)?;
            self.leg(m, Side::Credit, &mut touched)?;
        }
        for m in entry.moves() {
            self.check(&m.debit, entry, &touched)?;
        }
        for m in entry.coin_moves() {
            self.coin_leg(m, m.debit, -m.units.to_i128())?;
            self.coin_leg(m, m.credit, m.units.to_i128())?;
        }
        for m in entry.coin_moves() {
            self.check_coins(m)?;
        }
        Ok(touched)
    }

    fn coin_leg(&mut self, m: CoinMove, account: CoinAccount, signed: i128) -> Result<(), Fault> {
        let sum = add(&mut self.coins, (m.asset, account), |balance| balance.checked_add(signed));
        sum.ok_or(Fault::TooManyCoins { asset: m.asset, account })
    }

    /// What is owed cannot fall below nothing; own stock is what facts say it is.
    fn check_coins(&self, m: CoinMove) -> Result<(), Fault> {
        let balance = self.coin(m.asset, m.debit);
        let fell = m.debit.may_not_fall() && balance < 0;
        let fault = Fault::NegativeCoins { asset: m.asset, account: m.debit, balance };
        if fell { Err(fault) } else { Ok(()) }
    }

    fn leg(&mut self, m: &Move, side: Side, touched: &mut Touched) -> Result<(), Fault> {
        let (account, signed) = match side {
            Side::Debit => (&m.debit, -m.amount.cents()),
            Side::Credit => (&m.credit, m.amount.cents()),
        };
        self.controls[account.control() as usize] += i128::from(signed);
        let overflow = || Fault::Overflow { account: *account, amount: m.amount };
        match *account {
            Account::Available(id) | Account::Held(id) | Account::Frozen(id) => {
                let buckets = self.subaccounts.get_mut(id.0 as usize);
                let buckets = buckets.ok_or(Fault::Unopened { account: *account })?;
                let before = *buckets;
                let Buckets { mut available, mut held, mut frozen, mut rows } = before;
                match account {
                    Account::Held(_) => held = held.plus(signed).ok_or_else(overflow)?,
                    Account::Frozen(_) => frozen = frozen.plus(signed).ok_or_else(overflow)?,
                    _ => available = available.plus(signed).ok_or_else(overflow)?,
                }
                rows += u32::from(m.nature != Nature::Shift);
                let blocked = held.cents().checked_add(frozen.cents());
                let total = blocked.and_then(|sum| sum.checked_add(available.cents()));
                total.ok_or_else(overflow)?;
                let after = Buckets { available, held, frozen, rows };
                *buckets = after;
                touched.note(id, before, after);
                Ok(())
            }
            Account::PixInFlight(_)
            | Account::PayoutInFlight(_)
            | Account::ConversionInFlight(_)
            | Account::SaleInFlight(_)
            | Account::Reward(_)
            | Account::ProductAsset(_)
            | Account::ProductLiability(_)
            | Account::ProductEquity(_)
            | Account::ProductIncome(_)
            | Account::ProductExpense(_) => {
                let left = add(&mut self.flights, *account, |balance| balance.checked_add(signed));
                left.ok_or_else(overflow)
            }
            Account::Commission(partner) => {
                let mut known = self.commission(partner);
                known.balance = known.balance.plus(signed).ok_or_else(overflow)?;
                known.rows += 1;
                self.commissions.insert(partner, known);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A debited account may not have fallen below zero; what the entry credits to it counts too.
    fn check(&self, account: &Account, entry: &Entry, touched: &Touched) -> Result<(), Fault> {
        let after = |id| touched.after(id).or_else(|| self.find(id)).copied().unwrap_or_default();
        let balance = match *account {
            Account::Available(_) if entry.is_forced() => return Ok(()),
            Account::Available(id) => i128::from(after(id).available.cents()),
            Account::Held(id) => i128::from(after(id).held.cents()),
            Account::Frozen(id) => i128::from(after(id).frozen.cents()),
            Account::PixInFlight(_)
            | Account::PayoutInFlight(_)
            | Account::ConversionInFlight(_)
            | Account::SaleInFlight(_)
            | Account::Reward(_) => i128::from(self.flight(*account)),
            Account::SuspensePix => self.net_credit(Control::SuspensePix),
            _ => return Ok(()),
        };
        let fell = balance < 0 && entry.net_credit(*account) < 0;
        if fell { Err(Fault::Negative { account: *account, balance }) } else { Ok(()) }
    }
}

/// Changes a balance to what `sum` makes of it, among those that are not zero; or nothing at all.
fn add<K: Ord + Clone, N: Copy + Default + PartialEq>(
    balances: &mut OrdMap<K, N>,
    of: K,
    sum: impl FnOnce(N) -> Option<N>,
) -> Option<()> {
    let zero = N::default();
    match balances.get_mut(&of) {
        Some(balance) => {
            *balance = sum(*balance)?;
            if *balance == zero {
                balances.remove(&of);
            }
        }
        None => {
            let balance = sum(zero)?;
            if balance != zero {
                balances.insert(of, balance);
            }
        }
    }
    Some(())
}
