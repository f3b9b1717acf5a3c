//! Opening balances, as the oracle sees them: an entry of two legs, and a list of closed accounts.

use ledger_core::accounting::{ProductClass, RowKind, Side};
use ledger_core::id::Kind;
use ledger_core::ledger::Outcome;
use ledger_core::ledger::product::{DeclaredAccount, Holder, Leg};
use ledger_core::money::Amount;
use ledger_core::terms::Switch;

use super::{Book, Posted};
use crate::goal::Goal;
use crate::oracle::Oracle;

/// The account that opening balances are debited to.
pub(super) const ACCOUNT: &str = "equity.opening";

impl Oracle {
    pub(super) fn open_balance(&mut self, holder: &Holder, amount: Amount) -> Outcome {
        let Some(account) = self.account_named(&holder.account) else {
            return Outcome::SetAside(None);
        };
        if self.products.closed.contains(&account) {
            self.reach(Goal::BalanceCameTooLate);
            return Outcome::SetAside(None);
        }
        let opened = self.subaccounts.len();
        let leg =
            |account: &str, holder, side| Leg { account: account.into(), holder, side, amount };
        let credit = leg("cust.avail", Some(holder.clone()), Side::Credit);
        let Some(mut signed) = self.books_of(std::slice::from_ref(&credit), true) else {
            self.subaccounts.truncate(opened);
            return Outcome::SetAside(None);
        };
        signed.insert(0, (self.opening_book(), -amount.cents()));
        let op = self.next_op(Kind::Entry);
        self.move_entry(op, &signed, RowKind::Entry);
        let named = vec![leg(ACCOUNT, None, Side::Debit), credit];
        self.entries.insert(op, Posted { legs: signed, named, reversed: false });
        self.reach(Goal::BalanceOpened);
        Outcome::Applied(Some(op))
    }

    /// The book that is debited; the first balance declares its account.
    fn opening_book(&mut self) -> Book {
        let accounts = &mut self.products.accounts;
        let known = accounts.iter().position(|known| *known.name == *ACCOUNT);
        let number = known.unwrap_or_else(|| {
            accounts.push(DeclaredAccount {
                name: ACCOUNT.into(),
                class: ProductClass::Equity,
                per_customer: Switch::Off,
                overdraft: Switch::On,
                commodity: None,
            });
            accounts.len() - 1
        });
        Book::Product(number, None)
    }

    pub(super) fn close_opening_balances(&mut self, account: &str) -> Outcome {
        let Some(account) = self.account_named(account) else { return Outcome::SetAside(None) };
        if self.products.closed.contains(&account) {
            return Outcome::Known;
        }
        self.products.closed.push(account);
        self.reach(Goal::OpeningBalancesClosed);
        Outcome::Applied(None)
    }
}
