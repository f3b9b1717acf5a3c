//! Facts by their documented names and shapes.

mod account;
mod adjustment;
mod cell;
mod charge;
mod hold;
mod payout;
mod product;
mod purchase;
mod suspense;
mod treasury;

use ledger_core::contract::{FactShape, key_of};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{Fact, FactDetails, OperatorDecision, Reported};
use ledger_core::machine::charge::PixPayment;
use ledger_core::time::Instant;
use serde_json::{Map, Value, json};

use super::parts::end_to_end;
use super::{LineWriter, Unrepresentable, Written, body, line};

impl LineWriter<'_> {
    pub(in crate::lines) fn fact(
        &mut self,
        reported: &Reported,
        at: Instant,
    ) -> Written<Map<String, Value>> {
        let kind = reported.fact.kind();
        let shape = FactShape::by_kind(kind);
        let mut fields = self.fields(&reported.fact, at)?;
        if shape.field("id").is_some() {
            let id =
                reported.id.as_deref().ok_or(Unrepresentable("a fact without an id of its own"))?;
            fields["id"] = id.into();
        }
        let mut named = fields.as_object().into_iter().flatten();
        if let Some((name, _)) = named.find(|(name, _)| shape.field(name).is_none()) {
            return Err(misplaced_field(&reported.fact, name));
        }
        let mut line = line(json!({ "fact": shape.name, "body": fields }));
        if let Some(key) = key_of(&reported.fact) {
            line.insert("supplied".into(), json!({ "key": self.people.key(key) }));
        }
        Ok(line)
    }

    fn fields(&mut self, fact: &Fact, at: Instant) -> Written<Value> {
        Ok(match fact {
            Fact::Account(fact) => self.account_fact(fact, at)?,
            Fact::Charge(fact) => self.charge_fact(fact),
            Fact::Payout(fact) => self.payout_fact(fact),
            Fact::Hold(fact) => self.hold_fact(fact)?,
            Fact::Suspense(fact) => self.suspense_fact(fact)?,
            Fact::Adjustment(fact) => self.adjustment_fact(fact)?,
            Fact::Purchase(fact) => self.purchase_fact(fact, at)?,
            Fact::Treasury(fact) => self.treasury_fact(fact)?,
            Fact::Product(fact) => self.product_fact(fact),
            Fact::Sale { order, report } => self.sale_fields(*order, report, at)?,
            Fact::Agent(fact) => self.agent_fact(fact),
            Fact::Wallet(fact) => self.wallet(fact)?,
            Fact::Cell(fact) => self.cell_fact(fact),
            Fact::Described { fact, beside } => {
                let mut fields = self.fields(fact, at)?;
                if let FactDetails::Metadata(metadata) = beside {
                    fields["metadata"] = self.people.metadata(*metadata);
                }
                fields
            }
            Fact::HandedOut(key) => {
                let operation = self.op(key.map(|key| key.op));
                let key = key.map_or_else(String::new, |key| key.text(&"live".into()));
                let task = key.split_once(':').map_or("send", |(_, task)| task);
                json!({ "idempotency_key": format!("{operation}:{task}"), "operation": operation })
            }
            Fact::TimePassed => json!({}),
        })
    }

    /// Fields with who decided, why, and on what evidence.
    pub(in crate::lines) fn with_decision(
        &mut self,
        mut fields: Value,
        decided_by: &OperatorDecision,
    ) -> Value {
        fields["actor"] = self.people.text(decided_by.actor).into();
        fields["reason"] = self.people.text(decided_by.reason).into();
        fields["evidence"] = decided_by.evidence.map(|evidence| self.people.text(evidence)).into();
        body(fields)
    }
}

/// Why a fact cannot be written with a field that it does not declare.
fn misplaced_field(fact: &Fact, name: &str) -> Unrepresentable {
    match fact.bare() {
        Fact::Purchase(PurchaseFact::Delivery { .. }) | Fact::Sale { .. } => {
            Unrepresentable("news that name a PIX or a receipt where none belongs")
        }
        fact => panic!("{:?} is written with {name}, which it does not declare", fact.kind()),
    }
}

/// Fields with the PIX that paid.
fn with_payment(mut fields: Value, payment: &PixPayment) -> Value {
    fields["e2e"] = end_to_end(&payment.e2e).into();
    fields["amount_cents"] = payment.amount.cents().into();
    fields["paid_at"] = payment.paid_at.to_string().into();
    fields
}

pub(in crate::lines) fn ensure_evidence(decided_by: &OperatorDecision) -> Written<()> {
    decided_by.evidence.map(|_| ()).ok_or(Unrepresentable("a decision whose evidence is missing"))
}
