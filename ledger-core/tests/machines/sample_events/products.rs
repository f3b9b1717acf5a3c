//! The part of the table that tells of products.

use ledger_core::accounting::{Account, Commodity, ProductClass, Side, Unit};
use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, Kind, ProductAccount};
use ledger_core::ledger::Event;
use ledger_core::ledger::product::DeclaredAccount;
use ledger_core::machine::entry::{self, Movement};
use ledger_core::template::{AmountParameter, Template, TemplateLeg};

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
            commodity: self.maybe(Commodity::Unit(Unit {
                name: self.text(),
                scale: Scale::SIX,
                asset: AssetId(7),
            })),
        });
        let declared = declared.into_iter().map(|declared| Event::ProductAccountDeclared {
            number: self.id,
            declared: Box::new(declared),
        });
        let op = self.op(Kind::Entry);
        let posted = ProductClass::ALL.map(|class| {
            let debit = Account::Available(self.subaccount());
            let (credit, amount) = (class.account(of), self.amount);
            let moved = Movement { debit, credit, amount, asset: None };
            let (note, last) = (self.maybe(self.token), self.switch());
            let template = self.maybe(self.id);
            Event::Entry { op, event: entry::Event::Posted { moved, note, last, template } }
        });
        let (debit, credit) = (Account::ProductAsset(of), Account::ProductExpense(of));
        let asset = self.maybe(AssetId(7));
        let moved = Movement { debit, credit, amount: self.amount, asset };
        let event = entry::Event::Reversed { moved, last: self.switch() };
        let entries = posted.into_iter().chain([Event::Entry { op, event }]);
        let closed = Event::OpeningBalancesClosed { account: self.account() };
        declared.chain(entries).chain([self.template(), closed]).collect()
    }

    fn template(&self) -> Event {
        let leg = |side| TemplateLeg {
            account: self.text(),
            holder: self.maybe(self.text()),
            side,
            amount: self.text(),
        };
        let from = self.amount.cents().unsigned_abs();
        let template = Template {
            name: self.text(),
            amounts: vec![AmountParameter { name: self.text(), from, to: from }],
            holders: self.maybe(self.text()).into_iter().collect(),
            legs: vec![leg(Side::Debit), leg(Side::Credit)],
            conditions: self.maybe(self.text()).into_iter().collect(),
        };
        Event::TemplateAdopted { number: self.id, version: self.id, template: Box::new(template) }
    }
}
