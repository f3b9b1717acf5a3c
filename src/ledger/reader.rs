//! A balance that is read without waiting for whoever writes.

use std::sync::Arc;

use ledger_core::contract::show_balance;
use ledger_core::id::{AccountId, SubaccountId};
use ledger_core::ledger::State;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, EngineError};

use super::Pending;
use super::pending::Reading;
use crate::value::Balance;
use crate::view;

/// Reads one balance of the committed state, as often as wanted; see
/// [`Client::reader`](crate::Client::reader).
#[derive(Clone)]
pub struct BalanceReader {
    engine: Arc<Engine>,
    account: AccountId,
    subaccount: SubaccountId,
}

/// A balance at the last record that is durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommittedBalance {
    /// What may be spent, in centavos; below zero where a forced debit took more than there was.
    pub available: Balance,
    /// Booked, and not available yet.
    pub held: Balance,
    /// Blocked by holds.
    pub frozen: Balance,
    /// The number of the record.
    pub seq: u64,
    /// The record's instant: what time alone brings later is not in it.
    pub at: Instant,
}

impl BalanceReader {
    pub(super) const fn new(
        engine: Arc<Engine>,
        account: AccountId,
        subaccount: SubaccountId,
    ) -> Self {
        Self { engine, account, subaccount }
    }

    /// The balance as it is committed. The first read after a while asks the ledger's thread, and
    /// blocks for that; those after it cost a lock and a pointer, however much is written beside.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the ledger has ended, or its lease has lapsed.
    pub fn read(&self) -> Result<CommittedBalance, EngineError> {
        Ok(committed_balance(self.subaccount, &*self.engine.committed_now()?))
    }

    /// Returns what [`GetBalance`](crate::request::balance::GetBalance) answers, as it is
    /// committed: with terms, releases to come and the waiting period, as of the last record's
    /// instant. It waits for nobody, as [`BalanceReader::read`] does.
    ///
    /// ```
    /// # use custody_ledger::fact::account::AccountOpened;
    /// # use custody_ledger::prelude::*;
    /// # use custody_ledger::request::balance::GetBalance;
    /// # let ledger = Ledger::open("memory:").wait()?;
    /// # let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    /// # let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    /// let house = loja.reader(&Party::House).wait()?.expect("an account has a house");
    /// let asked = loja.ask(&GetBalance::new(Party::House)).wait()?.answer;
    /// assert_eq!(house.balance()?.available, asked.available);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the ledger has ended, or its lease has lapsed.
    pub fn balance(&self) -> Result<view::Balance, EngineError> {
        let state = self.engine.committed_now()?;
        let shown = show_balance(&state, self.account, Some(self.subaccount), state.now);
        Ok(serde_json::from_value(shown.into()).expect("a view is what its declaration says"))
    }

    /// The balance at record `seq` or later, once that is durable: whoever was shown of a record
    /// reads what it did, even if another wrote it. A number that no record has yet is waited for.
    ///
    /// ```
    /// # use custody_ledger::fact::account::AccountOpened;
    /// # use custody_ledger::prelude::*;
    /// # let ledger = Ledger::open("memory:").wait()?;
    /// # let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// let reported = ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?;
    /// # let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    /// let house = loja.reader(&Party::House).wait()?.expect("an account has a house");
    /// let record = reported.seq.expect("it was recorded");
    /// assert!(house.read_at(record).wait()?.seq >= record);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_at(&self, seq: u64) -> Pending<Result<CommittedBalance, EngineError>> {
        let subaccount = self.subaccount;
        let read = Box::new(move |state: &State| committed_balance(subaccount, state));
        Pending::new(Reading { engine: Arc::clone(&self.engine), seq, read })
    }
}

/// Returns what a state says of a balance.
fn committed_balance(subaccount: SubaccountId, state: &State) -> CommittedBalance {
    let buckets = state.books.subaccount(subaccount);
    CommittedBalance {
        available: buckets.available.into(),
        held: buckets.held.into(),
        frozen: buckets.frozen.into(),
        seq: state.seq.0,
        at: state.now,
    }
}

impl std::fmt::Debug for BalanceReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BalanceReader").finish_non_exhaustive()
    }
}
