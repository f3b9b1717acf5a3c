//! Facts of a product's own accounts as lines.

use ledger_core::accounting::{Commodity, Side};
use ledger_core::ledger::product::{Fact, Holder, Leg, TemplatePosting};
use ledger_core::template::Template;
use serde_json::{Value, json};

use crate::lines::LineWriter;

impl LineWriter<'_> {
    pub(super) fn product_fact(&mut self, fact: &Fact) -> Value {
        match fact {
            Fact::AccountDeclared { declared, decided_by } => {
                let mut fields = json!({
                    "name": declared.name,
                    "class": declared.class.name(),
                    "per_customer": declared.per_customer.is_on(),
                    "overdraft": declared.overdraft.is_on(),
                });
                match &declared.commodity {
                    None => {}
                    Some(Commodity::Asset(asset)) => {
                        let named = self.state.catalogue.asset_of(*asset);
                        fields["asset"] = named.map(|(name, _)| name).into();
                    }
                    Some(Commodity::Unit(unit)) => {
                        let decimals = unit.scale.decimals();
                        fields["unit"] = json!({ "name": unit.name, "decimals": decimals });
                    }
                }
                self.with_decision(fields, decided_by)
            }
            Fact::EntryPosted { legs, note, decided_by } => {
                let fields = json!({
                    "legs": legs.iter().map(leg).collect::<Vec<_>>(),
                    "description": note.map(|note| self.people.text(note)),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::EntryReversed { entry, legs, decided_by } => {
                let legs = legs.as_ref().map(|legs| legs.iter().map(leg).collect::<Vec<_>>());
                let fields = json!({ "entry_id": self.op(*entry), "legs": legs });
                self.with_decision(fields, decided_by)
            }
            Fact::TemplateAdopted { template, decided_by } => {
                self.with_decision(template_fields(template), decided_by)
            }
            Fact::TemplatePosted { posting, note, decided_by } => {
                let mut fields = posting_fields(posting);
                fields["description"] = note.map(|note| self.people.text(note)).into();
                self.with_decision(fields, decided_by)
            }
            Fact::BalanceOpened { holder: of, amount, note, decided_by } => {
                let fields = json!({
                    "of": holder(of),
                    "amount_cents": amount.cents(),
                    "description": note.map(|note| self.people.text(note)),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::OpeningBalancesClosed { account, decided_by } => {
                self.with_decision(json!({ "account": account }), decided_by)
            }
        }
    }
}

fn template_fields(template: &Template) -> Value {
    let amounts = template.amounts.iter();
    let amounts = amounts.map(|of| json!({ "name": of.name, "from": of.from, "to": of.to }));
    let legs = template.legs.iter().map(|leg| {
        let amount = |side| (leg.side == side).then_some(&leg.amount);
        json!({
            "name": leg.account,
            "of": leg.holder,
            "debit": amount(Side::Debit),
            "credit": amount(Side::Credit),
        })
    });
    json!({
        "name": template.name,
        "amounts": amounts.collect::<Vec<_>>(),
        "holders": template.holders,
        "legs": legs.collect::<Vec<_>>(),
        "conditions": template.conditions,
    })
}

fn posting_fields(posting: &TemplatePosting) -> Value {
    let amounts = posting.amounts.iter();
    let amounts = amounts.map(|given| json!({ "name": given.name, "value": given.value }));
    let holders = posting.holders.iter().map(|named| {
        let mut of = holder(&named.holder);
        of["name"] = json!(named.name);
        of
    });
    json!({
        "template": posting.template,
        "version": posting.version,
        "amounts": amounts.collect::<Vec<_>>(),
        "holders": holders.collect::<Vec<_>>(),
    })
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
