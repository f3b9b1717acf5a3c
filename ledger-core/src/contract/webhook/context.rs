//! What an event shows besides what its notification holds, taken when it was notified of: so that
//! it may be rendered later, and elsewhere, as it would have been then.

use crate::contract::views::Recall;
use crate::id::SubaccountId;
use crate::ledger::{Machine, Notification, PixDetails, Scope};
use crate::machine::{cash_out, payout, wallet};

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
    pub fn of(notification: &Notification, archive: &impl Recall) -> Self {
        let machine = &notification.operation.machine;
        let customer = subaccount(machine).and_then(|known| archive.customer_of(known));
        let sent = sent(machine).map(|e2e| (Scope::SentPix, e2e));
        let pix = sent.or(received(machine).map(|e2e| (Scope::ReceivedPix, e2e)));
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

/// The subaccount whose name an event shows.
fn subaccount(machine: &Machine) -> Option<SubaccountId> {
    match machine {
        Machine::Charge(state) => Some(state.order()?.subaccount),
        Machine::Conversion(state) => state.progress()?.order.source.subaccount(),
        Machine::Payout(state) => Some(state.order()?.subaccount),
        _ => None,
    }
}

/// The end-to-end id of the PIX that an event shows the details of.
fn sent(machine: &Machine) -> Option<&str> {
    match machine {
        Machine::Payout(payout::State::Completed(paid) | payout::State::Returned(paid)) => {
            Some(&paid.e2e)
        }
        Machine::CashOut(state) => of_sale(state),
        Machine::WalletPayment(state) => of_payment(state),
        _ => None,
    }
}

/// The PIX that paid a charge.
fn received(machine: &Machine) -> Option<&str> {
    match machine {
        Machine::Charge(state) => Some(&state.payment()?.e2e),
        _ => None,
    }
}

fn of_sale(state: &cash_out::State) -> Option<&str> {
    Some(&state.progress()?.pix.as_ref()?.e2e)
}

fn of_payment(state: &wallet::payment::State) -> Option<&str> {
    Some(&state.progress()?.pix.as_ref()?.e2e)
}
