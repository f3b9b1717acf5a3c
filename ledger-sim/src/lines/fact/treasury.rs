//! Facts of our own money and crypto as lines.

use ledger_core::ledger::treasury::Fact;
use serde_json::{Value, json};

use crate::lines::{LineWriter, Unrepresentable, Written};

impl LineWriter<'_> {
    pub(super) fn treasury_fact(&mut self, fact: &Fact) -> Written<Value> {
        Ok(match fact {
            Fact::Moved { from, to, .. } if from == to => {
                return Err(Unrepresentable("own money moved to where it was"));
            }
            Fact::Moved { from, to, amount } => json!({
                "from": from.account().control().name(),
                "to": to.account().control().name(),
                "amount_cents": amount.cents(),
            }),
            Fact::CoinsMoved { asset, from, to, units } => {
                self.coins(*asset, (*from, *to), *units)?
            }
        })
    }
}
