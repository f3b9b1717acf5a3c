//! Facts of purchases, of deliveries, and of what is on offer, as lines.

use ledger_core::id::OpId;
use ledger_core::ledger::GiveUpTo;
use ledger_core::ledger::purchase::Fact;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::machine::erroneous_delivery;
use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::with_payment;
use crate::lines::end_to_end;
use crate::lines::{LineWriter, Written, body, market, sales};

impl LineWriter<'_> {
    pub(super) fn purchase_fact(&mut self, fact: &Fact, at: Instant) -> Written<Value> {
        Ok(match fact {
            Fact::CatalogueUpdated { listed, dropped } => market::catalogue(listed, dropped),
            Fact::RateQuoted { asset, quote } => market::rate(asset, quote, at)?,
            Fact::Delivery { op, command, payment } => {
                let fields = self.report(*op, command);
                payment
                    .as_ref()
                    .map_or_else(|| fields.clone(), |it| with_payment(fields.clone(), it))
            }
            Fact::DeliveryEvidence { op, sent, decided_by } => {
                let fields = json!({
                    "cashin_id": self.op(*op),
                    "outcome": if sent.is_some() { "sent" } else { "not_sent" },
                    "tx_hash": sent,
                });
                self.with_decision(fields, decided_by)
            }
            Fact::DeliveryGivenUp { op, to, decided_by } => {
                let (to, return_id) = match to {
                    GiveUpTo::Payer(id) => ("pagador", Some(end_to_end(id))),
                    GiveUpTo::Custody => ("saldo", None),
                };
                let op = self.op(*op);
                let fields = json!({ "cashin_id": op, "to": to, "return_id": return_id });
                self.with_decision(fields, decided_by)
            }
            Fact::DeliveryResumed { op, decided_by } => {
                let fields = json!({ "cashin_id": self.op(*op) });
                self.with_decision(fields, decided_by)
            }
            Fact::ErroneousDeliverySettled { erroneous_delivery, end, decided_by } => {
                let outcome = match end {
                    erroneous_delivery::End::Recovered => "recovered",
                    erroneous_delivery::End::Lost => "lost",
                };
                let fields =
                    json!({ "stray_id": self.op(*erroneous_delivery), "outcome": outcome });
                self.with_decision(fields, decided_by)
            }
            Fact::MarketsUpdated { opened, closed } => sales::markets(opened, closed)?,
        })
    }

    fn report(&mut self, op: Option<OpId>, command: &Command) -> Value {
        let hash = match &command.report {
            DeliveryReport::Confirm(hash) => Some(hash),
            DeliveryReport::Begin
            | DeliveryReport::Accept
            | DeliveryReport::Fail
            | DeliveryReport::Lose => None,
        };
        body(json!({ "cashin_id": self.op(op), "attempt": command.attempt, "tx_hash": hash }))
    }
}
