//! Facts of payouts as lines.

use ledger_core::ledger::payout::Fact;
use ledger_core::money::Amount;
use serde_json::{Value, json};

use crate::lines::parts::end_to_end;
use crate::lines::{LineWriter, body};

impl LineWriter<'_> {
    pub(super) fn payout_fact(&mut self, fact: &Fact) -> Value {
        match fact {
            Fact::Submitted { payout } | Fact::Refused { payout } | Fact::Unknown { payout } => {
                json!({ "payout_id": self.op(*payout) })
            }
            Fact::Paid { payout, e2e, amount } => body(json!({
                "payout_id": self.op(*payout),
                "e2e": end_to_end(e2e),
                "amount_cents": amount.map(Amount::cents),
            })),
            Fact::Returned { payout, return_id, amount } => json!({
                "payout_id": self.op(*payout),
                "return_id": end_to_end(return_id),
                "amount_cents": amount.cents(),
            }),
            Fact::Evidence { payout, paid, decided_by } => {
                let fields = json!({
                    "payout_id": self.op(*payout),
                    "outcome": if paid.is_some() { "paid" } else { "not_paid" },
                    "e2e": paid.as_deref().map(end_to_end),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::Stopped { payout, decided_by } | Fact::Cleared { payout, decided_by } => {
                let fields = json!({ "payout_id": self.op(*payout) });
                self.with_decision(fields, decided_by)
            }
        }
    }
}
