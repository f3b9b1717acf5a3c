//! What a conversion notifies its client of (EVT-05).

use crate::ledger::charge::notification::delivery_topic;
use crate::ledger::notification::topic::Topic;
use crate::machine::conversion::{self, FundingSource};

/// Commission withdrawals have no event on the wire (P:CommissionEvents).
pub(super) fn conversion_topic(event: &conversion::Event) -> Option<Topic> {
    let source = match event {
        conversion::Event::Requested(order) => order.source,
        conversion::Event::Delivery { source, .. } | conversion::Event::Refunded { source, .. } => {
            *source
        }
    };
    let topic = match event {
        conversion::Event::Requested(_) => Some(Topic::ChargePaid),
        conversion::Event::Delivery { event, .. } => delivery_topic(event),
        conversion::Event::Refunded { .. } => Some(Topic::ChargeRefunded),
    };
    topic.filter(|_| source != FundingSource::Commission)
}
