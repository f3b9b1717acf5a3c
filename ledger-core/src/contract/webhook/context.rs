//! What an event shows besides what its notification holds, taken when it was notified of: so that
//! it may be rendered later, and elsewhere, as it would have been then.

use crate::contract::registry::{Facts, facts};
use crate::contract::views::Recall;
use crate::id::SubaccountId;
use crate::ledger::{Notification, PixDetails, Scope};

/// What came before an operation, as far as its event shows it.
///
/// With it, and with the names of the ledger and of its catalogue, an event is rendered without the
/// archive; an instruction shows nothing that it does not hold, and needs an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventContext {
    customer: Option<Box<str>>,
    details: Option<Box<PixDetails>>,
}

impl EventContext {
    /// What the event of `notification` shows of `archive`.
    #[must_use]
    pub fn for_notification(notification: &Notification, archive: &impl Recall) -> Self {
        let Facts { customer, pix, .. } = facts(&notification.operation);
        let customer = customer.and_then(|known| archive.customer_of(known));
        let details = pix.map(|(scope, e2e)| archive.details_of(scope, e2e));
        Self {
            customer: customer.map(Into::into),
            details: details.filter(|details| !details.is_blank()).map(Box::new),
        }
    }
}

impl Recall for EventContext {
    fn customer_of(&self, _: SubaccountId) -> Option<&str> {
        self.customer.as_deref()
    }

    fn details_of(&self, _: Scope, _: &str) -> PixDetails {
        self.details.as_deref().cloned().unwrap_or_default()
    }
}
