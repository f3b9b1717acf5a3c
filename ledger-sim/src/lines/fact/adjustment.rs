//! Facts of corrections as lines.

use ledger_core::ledger::Income;
use ledger_core::ledger::adjustment::Fact;
use ledger_core::money::Cents;
use serde_json::{Value, json};

use super::ensure_evidence;
use crate::lines::{LineWriter, Unrepresentable, Written};

impl LineWriter<'_> {
    pub(super) fn adjustment_fact(&mut self, fact: &Fact) -> Written<Value> {
        Ok(match fact {
            Fact::FeeAdjusted { account, customer, given, charged, income, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "effect_cents": effect(*given, *charged)?,
                    "income": income_name(*income),
                });
                self.with_decision(fields, decided_by)
            }
            Fact::BalanceWrittenOff { account, customer, amount, decided_by } => {
                ensure_evidence(decided_by)?;
                let amount = amount.cents();
                let fields =
                    json!({ "account": account, "customer_ref": customer, "amount_cents": amount });
                self.with_decision(fields, decided_by)
            }
        })
    }
}

const fn income_name(income: Income) -> &'static str {
    match income {
        Income::Deposit => "deposit",
        Income::Payout => "payout",
        Income::Purchase => "purchase",
        Income::Conversion => "conversion",
    }
}

fn effect(given: Cents, charged: Cents) -> Written<i64> {
    match (given.cents(), charged.cents()) {
        (0, 0) => Err(Unrepresentable("a correction of nothing")),
        (given, 0) => Ok(given),
        (0, charged) => Ok(-charged),
        _ => Err(Unrepresentable("a correction in both directions")),
    }
}
