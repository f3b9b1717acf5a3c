//! Facts of recoveries as lines.

use ledger_core::id::OpId;
use ledger_core::ledger::recovery::{Fact, Ruling};
use ledger_core::money::Amount;
use serde_json::{Value, json};

use crate::lines::{LineWriter, body, end_to_end};

impl LineWriter<'_> {
    pub(super) fn recovery_fact(&mut self, fact: &Fact) -> Value {
        match fact {
            Fact::Opened { recovery, charge, amount, blocks_until, decides_until, decided_by } => {
                let mut fields = self.of_recovery(recovery, *charge);
                fields["amount_cents"] = amount.cents().into();
                fields["blocks_until"] = blocks_until.map(|at| at.to_string()).into();
                fields["decides_until"] = decides_until.map(|at| at.to_string()).into();
                self.with_decision(fields, decided_by)
            }
            Fact::Blocked { recovery, charge, account, customer, decided_by } => {
                let mut fields = self.of_recovery(recovery, *charge);
                fields["account"] = (&**account).into();
                fields["customer_ref"] = customer.as_deref().into();
                self.with_decision(fields, decided_by)
            }
            Fact::Decided { recovery, charge, ruling, decided_by } => {
                let mut fields = self.of_recovery(recovery, *charge);
                let (outcome, amount) = match ruling {
                    Ruling::Accepted(amount) => ("accepted", *amount),
                    Ruling::Rejected => ("rejected", None),
                };
                fields["outcome"] = outcome.into();
                fields["amount_cents"] = amount.map(Amount::cents).into();
                self.with_decision(fields, decided_by)
            }
            Fact::Refunded { recovery, charge, return_id, amount } => {
                let mut fields = self.of_recovery(recovery, *charge);
                fields["return_id"] = end_to_end(return_id).into();
                fields["amount_cents"] = amount.cents().into();
                body(fields)
            }
        }
    }

    fn of_recovery(&mut self, name: &str, charge: Option<OpId>) -> Value {
        json!({ "recovery_id": name, "cashin_id": self.op(charge) })
    }
}
