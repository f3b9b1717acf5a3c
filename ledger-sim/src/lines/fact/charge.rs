//! Facts of charges, and of those who pay them, as lines.

use ledger_core::ledger::charge::Fact;
use ledger_core::terms::Review;
use serde_json::{Value, json};

use super::with_payment;
use crate::lines::parts::end_to_end;
use crate::lines::{LineWriter, body};

impl LineWriter<'_> {
    pub(super) fn charge_fact(&mut self, fact: &Fact) -> Value {
        match fact {
            Fact::PixReceived { charge: None, payment } => with_payment(json!({}), payment),
            Fact::PixReceived { charge, payment } | Fact::PixSeen { charge, payment } => {
                with_payment(json!({ "cashin_id": self.op(*charge) }), payment)
            }
            Fact::PixReturned { charge, return_id, amount } => json!({
                "cashin_id": self.op(*charge),
                "return_id": end_to_end(return_id),
                "amount_cents": amount.cents(),
            }),
            Fact::ProviderReleased { charge, payment } => {
                let fields = json!({ "cashin_id": self.op(*charge) });
                payment
                    .as_ref()
                    .map_or_else(|| fields.clone(), |it| with_payment(fields.clone(), it))
            }
            Fact::ProviderCancelled { charge } | Fact::ProviderSettled { charge } => {
                json!({ "cashin_id": self.op(*charge) })
            }
            Fact::ProviderHeld { charge, until } => body(json!({
                "cashin_id": self.op(*charge), "until": until.map(|until| until.to_string()),
            })),
            Fact::PayerReviewed { payer, review, decided_by } => {
                let finding = match review {
                    Review::Identified => "identified",
                    Review::Blocked => "blocked",
                    Review::Unknown => "unknown",
                };
                let payer = self.people.document(*payer);
                let fields = json!({ "payer_tax_number": payer, "finding": finding });
                self.with_decision(fields, decided_by)
            }
        }
    }
}
