//! What waits for a person, on the wire.

pub(super) mod fact;

use super::object::Json;
use super::registry::{Facts, PublicPix, Receiver, Shown, Verified, shown_as};
use crate::machine::suspense::State;

impl Shown for State {
    fn facts(&self) -> Facts<'_> {
        let verified = match self {
            Self::Absent => Verified::Nothing,
            Self::Attached(_, charge) => Verified::With(*charge),
            // What waits for a person has paid for nothing yet, and no operation says it did.
            Self::Waiting(order) | Self::Returned(order) => Verified::Pix(PublicPix {
                e2e: &order.outside,
                amount: order.amount,
                at: Some(order.paid_at),
                paid: false,
                receiver: Receiver::Person(None),
                receipt_url: None,
            }),
        };
        Facts { verified, ..Facts::NONE }
    }

    shown_as!(|_, _, _| Json::Null);
}
