//! Facts of a product's own accounts as lines.

use ledger_core::accounting::Side;
use ledger_core::ledger::product::{Fact, Holder, Leg};
use serde_json::{Value, json};

use crate::lines::LineWriter;

impl LineWriter<'_> {
    pub(super) fn product_fact(&mut self, fact: &Fact) -> Value {
        match fact {
            Fact::AccountDeclared { declared, decided_by } => {
                let fields = json!({
                    "name": declared.name,
                    "class": declared.class.name(),
                    "per_customer": declared.per_customer.is_on(),
                    "overdraft": declared.overdraft.is_on(),
                });
                self.judged(fields, decided_by)
            }
            Fact::EntryPosted { legs, note, decided_by } => {
                let fields = json!({
                    "legs": legs.iter().map(leg).collect::<Vec<_>>(),
                    "description": note.map(|note| self.people.text(note)),
                });
                self.judged(fields, decided_by)
            }
            Fact::EntryReversed { entry, legs, decided_by } => {
                let legs = legs.as_ref().map(|legs| legs.iter().map(leg).collect::<Vec<_>>());
                let fields = json!({ "entry_id": self.op(*entry), "legs": legs });
                self.judged(fields, decided_by)
            }
        }
    }
}

fn leg(leg: &Leg) -> Value {
    let cents = |side| (leg.side == side).then(|| leg.amount.cents());
    json!({
        "name": leg.account,
        "of": leg.holder.as_ref().map(holder),
        "debit_cents": cents(Side::Debit),
        "credit_cents": cents(Side::Credit),
    })
}

pub(super) fn holder(holder: &Holder) -> Value {
    json!({ "account": holder.account, "customer_ref": holder.customer })
}
