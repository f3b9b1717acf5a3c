//! What a charge, and a delivery, notify their client of (EVT-05).

use crate::ledger::notification::topic::Topic;
use crate::machine::{charge, delivery, purchase};

pub(super) fn charge_topic(event: &charge::Event, after: &charge::State) -> Option<Topic> {
    use charge::Event as E;
    let refunded = match after {
        charge::State::Refunded(_) => true,
        charge::State::Bought(bought) => bought.is_refunded(),
        _ => false,
    };
    match event {
        E::Requested(order) => {
            let subaccount = order.purchase.is_none();
            (subaccount && !order.credits_at_once()).then_some(Topic::ChargeHeld)
        }
        E::Expired => Some(Topic::ChargeExpired),
        E::Failed => Some(Topic::ChargeFailed),
        E::Delayed { .. } | E::Withheld { .. } => Some(Topic::ChargeDelayed),
        E::Matured { .. } => Some(Topic::ChargeSettled),
        E::ReturnedUncredited { .. } | E::Returned { .. } | E::ReturnedTraced { .. } => {
            refunded.then_some(Topic::ChargeRefunded)
        }
        E::Purchase(event) => match event {
            purchase::Event::Paid { .. } | purchase::Event::Cleared => Some(Topic::ChargePaid),
            purchase::Event::Delivery(event) => delivery_topic(event),
            purchase::Event::ReturnedUndelivered { .. }
            | purchase::Event::ReturnedDelivered { .. }
            | purchase::Event::ReturnedCredited { .. }
            | purchase::Event::GivenUp { .. } => refunded.then_some(Topic::ChargeRefunded),
            purchase::Event::Halted { .. } | purchase::Event::Resumed(_) => None,
        },
        E::Credited { .. }
        | E::UnderReview { .. }
        | E::PartTaken { .. }
        | E::PartRestored { .. } => None,
    }
}

pub(in crate::ledger) fn delivery_topic(event: &delivery::Event) -> Option<Topic> {
    match event {
        delivery::Event::Sent { .. } => Some(Topic::ChargeSettled),
        delivery::Event::Failed => Some(Topic::SettlementFailed),
        delivery::Event::Begun(_)
        | delivery::Event::BegunAgain { .. }
        | delivery::Event::Accepted
        | delivery::Event::Unknown => None,
    }
}
