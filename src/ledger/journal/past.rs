//! A ledger as it stood at a moment.

use ledger_core::time::Instant;
use ledger_store::Head;
use ledger_store::moment::{Moment, MomentError};
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;

use super::JournalFailed;
use crate::answer::answer;
use crate::ledger::{Ledger, Pending, asking};
use crate::request::{Account, Anybody, Request};
use crate::value::ApiKey;

/// A ledger as it stood at a moment, for reading; see [`Ledger::at`].
pub struct Past(Sequencer);

impl Ledger {
    /// Reads the ledger as it stood after so many records, at an instant, or at the end of a day in
    /// Brasília. Persons are those that the vault still knows.
    ///
    /// The journal is replayed up to the moment, from a snapshot where the ledger was opened with
    /// some ([`Builder::snapshots`](crate::Builder::snapshots)).
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::journal::Moment;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::request::balance::GetBalance;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    ///
    /// let mut then = ledger.at(Moment::Records(1)).wait()?;
    /// assert!(then.trial_balance().iter().all(|commodity| commodity.is_even()));
    /// let balance = then.ask(&ApiKey::new("svc_live_loja")?, &GetBalance::new(Party::House))?;
    /// assert_eq!(balance.available.cents(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, moment: Moment) -> Pending<Result<Past, JournalFailed<MomentError>>> {
        let snapshots = self.0.snapshots.clone();
        self.reading(move |mut journal, name| {
            let (snapshots, nobody) = (snapshots.as_ref(), |_: &_, _: &_| ());
            Sequencer::open_at(&mut *journal, name, snapshots, moment, nobody).map(Past)
        })
    }
}

impl Past {
    /// The last record that was there, and its link.
    #[must_use]
    pub fn head(&self) -> Head {
        self.0.head()
    }

    /// The instant of that record, of which every answer is.
    #[must_use]
    pub fn instant(&self) -> Instant {
        self.0.ledger().state.now
    }

    /// Every account of the chart, by commodity.
    #[must_use]
    pub fn trial_balance(&self) -> Vec<TrialBalance> {
        TrialBalance::all(&self.0)
    }

    /// Asks for something of the account of a key that only reads, as it was answered then.
    ///
    /// # Errors
    ///
    /// [`crate::Error::IsPast`] for a request that would record something, and the refusal where
    /// the contract has one.
    pub fn ask<R: Request<By = Account>>(
        &mut self,
        key: &ApiKey,
        request: &R,
    ) -> Result<R::Answer, crate::Error> {
        self.read(request, Some(key))
    }

    /// Asks what anybody may ask, as [`Past::ask`] does.
    ///
    /// # Errors
    ///
    /// As of [`Past::ask`].
    pub fn ask_publicly<R: Request<By = Anybody>>(
        &mut self,
        request: &R,
    ) -> Result<R::Answer, crate::Error> {
        self.read(request, None)
    }

    fn read<R: Request>(
        &mut self,
        request: &R,
        key: Option<&ApiKey>,
    ) -> Result<R::Answer, crate::Error> {
        let call = asking(request, key, self.instant());
        answer(self.0.read(&call).ok_or(crate::Error::IsPast)?)
    }
}

impl std::fmt::Debug for Past {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Past").field("head", &self.head()).finish_non_exhaustive()
    }
}
