//! Facts of money that waits for a person, as lines.

use ledger_core::ledger::suspense::Fact;
use serde_json::{Value, json};

use super::ensure_evidence;
use crate::lines::parts::end_to_end;
use crate::lines::{LineWriter, Written};

impl LineWriter<'_> {
    pub(super) fn suspense_fact(&mut self, fact: &Fact) -> Written<Value> {
        Ok(match fact {
            Fact::Attached { suspense, charge, decided_by } => {
                let fields = json!({
                    "suspense_id": self.op(*suspense), "cashin_id": self.op(*charge),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::Returned { suspense, return_id, decided_by } => {
                let return_id = return_id.as_deref().map(end_to_end);
                let fields = json!({ "suspense_id": self.op(*suspense), "return_id": return_id });
                self.with_decision(fields, decided_by)
            }
            Fact::CourtOrdered { account, customer, hold, amount, decided_by } => {
                ensure_evidence(decided_by)?;
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "hold_id": hold.map(|hold| self.op(Some(hold))),
                    "amount_cents": amount.cents(),
                });
                self.with_decision(fields, decided_by)
            }
        })
    }
}
