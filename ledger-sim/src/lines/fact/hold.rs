//! Facts of holds as lines.

use ledger_core::ledger::hold::Fact;
use ledger_core::machine::hold;
use ledger_core::money::Amount;
use serde_json::{Value, json};

use super::product::holder;
use crate::lines::{LineWriter, Unrepresentable, Written};

impl LineWriter<'_> {
    pub(super) fn hold_fact(&mut self, fact: &Fact) -> Written<Value> {
        Ok(match fact {
            Fact::Placed { account, customer, cause, kind, amount, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "cashin_id": cause.map(|cause| self.op(Some(cause))),
                    "kind": hold_kind(*kind)?,
                    "amount_cents": amount.cents(),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::Released { hold, amount, decided_by } => {
                let amount = amount.map(Amount::cents);
                let fields = json!({ "hold_id": self.op(*hold), "amount_cents": amount });
                self.with_decision(fields, decided_by)
            }
            Fact::Reserved { account, customer, amount, ends_at, label, note, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "amount_cents": amount.cents(),
                    "expires_at": ends_at.map(|at| at.to_string()),
                    "kind": label,
                    "description": note.map(|note| self.people.text(note)),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::Captured { hold, amount, to, last, note, decided_by } => {
                let fields = json!({
                    "hold_id": self.op(*hold),
                    "amount_cents": amount.cents(),
                    "to": { "name": to.account, "of": to.holder.as_ref().map(holder) },
                    "final": last.is_on(),
                    "description": note.map(|note| self.people.text(note)),
                });
                self.with_decision(fields, decided_by)
            }
        })
    }
}

fn hold_kind(kind: hold::Kind) -> Written<&'static str> {
    match kind {
        hold::Kind::Dispute => Ok("dispute"),
        hold::Kind::Precautionary => Ok("precautionary"),
        hold::Kind::Judicial => Ok("judicial"),
        hold::Kind::Administrative => Ok("administrative"),
        hold::Kind::Maturity => Err(Unrepresentable("a block of the kind that only time places")),
        hold::Kind::Reservation => {
            Err(Unrepresentable("a block of the kind that services reserve"))
        }
    }
}
