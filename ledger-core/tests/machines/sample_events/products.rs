//! The part of the table that tells of products.

use ledger_core::accounting::{Account, ProductClass};
use ledger_core::id::{Kind, ProductAccount};
use ledger_core::ledger::Event;
use ledger_core::ledger::product::DeclaredAccount;
use ledger_core::machine::entry::{self, Movement};

use super::Ink;

impl Ink {
    pub(super) fn product_account(&self) -> ProductAccount {
        ProductAccount { number: self.id, holder: self.maybe(self.subaccount()) }
    }

    pub(super) fn products(&self) -> Vec<Event> {
        let of = self.product_account();
        let declared = ProductClass::ALL.map(|class| DeclaredAccount {
            name: self.text(),
            class,
            per_customer: self.switch(),
            overdraft: self.switch(),
        });
        let declared = declared.into_iter().map(|declared| Event::ProductAccountDeclared {
            number: self.id,
            declared: Box::new(declared),
        });
        let op = self.op(Kind::Entry);
        let posted = ProductClass::ALL.map(|class| {
            let debit = Account::Available(self.subaccount());
            let moved = Movement { debit, credit: class.account(of), amount: self.amount };
            let (note, last) = (self.maybe(self.token), self.switch());
            Event::Entry { op, event: entry::Event::Posted { moved, note, last } }
        });
        let moved = Movement { debit: Account::Funding, credit: Account::Fx, amount: self.amount };
        let event = entry::Event::Reversed { moved, last: self.switch() };
        declared.chain(posted).chain([Event::Entry { op, event }]).collect()
    }
}
