//! Opening balances: money that customers had elsewhere before their company came to this ledger
//! (P:OpeningBalances).

use std::sync::Arc;

use super::fact::AVAILABLE;
use super::index::OPENING;
use super::posting::Holder;
use crate::accounting::{Account, DeclaredAccount, ProductClass};
use crate::id::{AccountId, Kind, OpId, ProductAccount, Token};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::entry;
use crate::money::Amount;
use crate::terms::Switch;

impl FactContext<'_> {
    /// Posts an entry that makes a balance from elsewhere available, unless its account is closed
    /// for opening balances.
    pub(super) fn balance_opened(
        &self,
        holder: &Holder,
        amount: Amount,
        note: Option<Token>,
    ) -> Result<Decision, Reason> {
        let account = self.state.account_named(&holder.account).ok_or(Reason::Unmatched)?;
        if self.state.opening_is_closed(account) {
            return Err(Reason::OpeningClosed);
        }
        let mut events = Vec::new();
        let opening = self.opening_account(&mut events);
        let known = self.lookup.holders.first().copied().flatten();
        let credited =
            self.resolved_account((AVAILABLE, Some(holder)), known, None, &mut events)?;
        let cents = i128::from(amount.cents());
        let legs = [(opening, -cents), (credited, cents)];
        self.may_stand(&legs, None)?;
        let op = OpId::new(Kind::Entry, self.state.seq.next());
        let event = |moved, last| entry::Event::Posted { moved, note, last, template: None };
        Ok(self.entry_decision(op, &legs, events, event))
    }

    /// The account that is debited; the decision declares it where no balance was opened yet.
    fn opening_account(&self, events: &mut Vec<Event>) -> Account {
        let products = &self.state.domains.products;
        let account = |number| Account::ProductEquity(ProductAccount { number, holder: None });
        if let Some((number, _)) = products.by_name(OPENING) {
            return account(number);
        }
        let number = products.next();
        let declared = DeclaredAccount {
            name: OPENING.into(),
            class: ProductClass::Equity,
            per_customer: Switch::Off,
            overdraft: Switch::On,
            commodity: None,
        };
        events.push(Event::ProductAccountDeclared { number, declared: Box::new(declared) });
        account(number)
    }

    /// Closes an account for opening balances; one that is closed is known.
    pub(super) fn opening_balances_closed(&self, account: &str) -> Result<Decision, Reason> {
        let account = self.state.account_named(account).ok_or(Reason::Unmatched)?;
        if self.state.opening_is_closed(account) {
            return Ok(already_known());
        }
        self.state.lives_here(account).map_err(|_| Reason::OutOfTurn)?;
        Ok(accept(vec![Event::OpeningBalancesClosed { account }]))
    }
}

impl State {
    /// Tells whether an account takes no opening balances any more.
    #[must_use]
    pub fn opening_is_closed(&self, account: AccountId) -> bool {
        self.account(account).is_some_and(|known| known.opening_closed)
    }

    /// Remembers that an account takes no opening balances any more.
    pub(in crate::ledger) fn close_opening_balances(
        &mut self,
        account: AccountId,
    ) -> Result<(), &'static str> {
        let known = self.accounts.get_mut(account.0 as usize).map(Arc::make_mut);
        let known = known.ok_or("an account that is closed for opening balances exists")?;
        let before = std::mem::replace(&mut known.opening_closed, true);
        if before { Err("an account is closed for opening balances once") } else { Ok(()) }
    }
}
