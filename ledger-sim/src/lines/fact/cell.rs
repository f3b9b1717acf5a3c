//! Facts of accounts that move between ledgers as lines.

use ledger_core::contract::carried_body;
use ledger_core::ledger::cell::{Fact, Step};
use serde_json::{Value, json};

use crate::lines::LineWriter;

impl LineWriter<'_> {
    pub(super) fn cell_fact(&self, fact: &Fact) -> Value {
        match fact {
            Fact::Moved { account, step, ledger } => {
                json!({ "account": account, "step": word(*step), "ledger": ledger })
            }
            Fact::Arriving { account, ledger, carried } => {
                let mut fields = carried_body(carried, &self.people.tokens);
                fields["account"] = (**account).into();
                fields["ledger"] = (**ledger).into();
                fields
            }
            Fact::BalanceCarried {
                account,
                customer,
                commission,
                effect,
                deposited,
                waiting_until,
            } => json!({
                "account": account,
                "customer_ref": customer,
                "commission": commission,
                "effect_cents": (effect.cents() != 0).then_some(effect.cents()),
                "deposited": deposited,
                "waiting_until": waiting_until.map(|until| until.to_string()),
            }),
        }
    }
}

const fn word(step: Step) -> &'static str {
    match step {
        Step::Leaving => "leaving",
        Step::Staying => "staying",
        Step::Departed => "departed",
        Step::Arrived => "arrived",
    }
}
