//! An account moved from one ledger to another.

use ledger_cells::{AccountMove, MoveError};

use crate::value::AccountName;
use crate::{Ledger, Pending};

impl Ledger {
    /// Moves an account with its key, terms, settings and balances to another ledger, under an id
    /// of the move's own, and says how it stands. While it moves it begins nothing new; what was
    /// begun here ends here, and is answered here for ever: ids, statement and repeated requests of
    /// before the move are the source's.
    ///
    /// Whatever was lost, asking again with the same id goes on, and once the move is done, carries
    /// what came later: a PIX that was paid after its charge had expired, or that went back.
    ///
    /// An agent's account stays, and one that uses a USDT wallet.
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::request::balance::GetBalance;
    /// use custody_ledger::AccountMove;
    ///
    /// let cell = |name| Ledger::builder("memory:").name(name).vault_key([7; 32]).open().wait();
    /// let (first, second) = (cell("live-1")?, cell("live-2")?);
    /// let loja = AccountName::new("loja")?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, loja.clone());
    /// first.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    ///
    /// let moved = first.move_account(&loja, &second, "mv-1").wait()?;
    /// assert_eq!(moved, AccountMove::Done);
    /// let client = second.client(ApiKey::new("svc_live_loja")?);
    /// client.ask(&GetBalance::new(Party::House)).wait()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_account(
        &self,
        account: &AccountName,
        to: &Self,
        id: &str,
    ) -> Pending<Result<AccountMove, MoveError>> {
        let (source, target) = (self.clone(), to.clone());
        let (account, id) = (account.to_string(), id.to_owned());
        Pending::blocking(move || {
            let (source, target) = (source.0.as_ref(), &target.0.engine);
            if let Some(doubt) = source.clock.doubt() {
                return Err(doubt.into());
            }
            ledger_cells::move_account(&account, (&source.engine, target), &id, source.clock.now())
        })
    }
}
