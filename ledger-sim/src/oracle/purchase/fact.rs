//! What is reported of purchases, of deliveries, and of what is on offer, as the oracle sees it.

use ledger_core::ledger::Outcome;
use ledger_core::ledger::purchase::Fact;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::time::Instant;

use crate::oracle::Oracle;

impl Oracle {
    /// Foresees what becomes of it.
    pub(in crate::oracle) fn purchase_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Delivery { op, command, payment } => {
                self.delivery_news(*op, command, payment.as_ref(), false, at)
            }
            Fact::DeliveryEvidence { op, sent: None, decided_by }
                if decided_by.evidence.is_none() && self.has_attempt_open(*op) =>
            {
                Outcome::SetAside(None)
            }
            Fact::DeliveryEvidence { op, sent, .. } => {
                let report = sent.clone().map_or(DeliveryReport::Fail, DeliveryReport::Confirm);
                let command = Command { attempt: None, report };
                self.delivery_news(*op, &command, None, true, at)
            }
            Fact::DeliveryGivenUp { op, to, .. } => self.given_up(*op, to),
            Fact::DeliveryResumed { op, .. } => self.resume_delivery(*op),
            Fact::ErroneousDeliverySettled { erroneous_delivery, end, .. } => {
                self.erroneous_delivery_settled(*erroneous_delivery, *end)
            }
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue_updated(listed, dropped),
            Fact::MarketsUpdated { opened, closed } => self.markets_updated(opened, closed),
            Fact::RateQuoted { asset, quote } => self.rate_quoted(asset, quote),
        }
    }
}
