//! What a payout notifies its client of (EVT-05).

use crate::ledger::notification::topic::Topic;
use crate::machine::payout;

pub(super) fn payout_topic(event: &payout::Event) -> Option<Topic> {
    match event {
        payout::Event::Requested(_) => Some(Topic::PayoutCreated),
        payout::Event::Submitted => Some(Topic::PayoutProcessing),
        payout::Event::Completed { .. } => Some(Topic::PayoutCompleted),
        payout::Event::Failed { .. } => Some(Topic::PayoutFailed),
        payout::Event::Returned { .. } => Some(Topic::PayoutReturned),
        payout::Event::Uncertain | payout::Event::Stopped | payout::Event::Cleared => None,
    }
}
