//! Who carries orders out: a provider that holds a worker, or one whose futures hold none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::engines::provider::order::Task;
use crate::engines::provider::outcome_facts::{Errand, Next};
use crate::engines::provider::provider_runtime::Polled;
use crate::engines::provider::{Order, OrderKind, Outcome, Provider, ProviderRuntime, Reports};

/// A provider, as a driver knows it.
#[derive(Clone)]
pub(super) enum Carrier {
    Blocking(Arc<dyn Provider>),
    Async(ProviderRuntime),
}

impl Carrier {
    pub(super) fn carries_out(&self, kind: OrderKind) -> bool {
        match self {
            Self::Blocking(provider) => provider.carries_out(kind),
            Self::Async(provider) => provider.carries_out(kind),
        }
    }

    pub(super) fn on_start(&self, reports: Reports) {
        match self {
            Self::Blocking(provider) => provider.on_start(reports),
            Self::Async(provider) => provider.on_start(reports),
        }
    }

    /// The provider for the thread that polls it.
    pub(super) fn provider_to_poll(&self) -> Arc<dyn Provider> {
        match self {
            Self::Blocking(provider) => Arc::clone(provider),
            Self::Async(provider) => Arc::new(Polled(provider.clone())),
        }
    }
}

/// Carries an order out that was handed out, and returns what is told of it.
pub(super) fn next_by(provider: &dyn Provider, task: &Task) -> Next {
    match task {
        Task::SendPix(order) => attempt(order, |order| provider.send_pix(order)),
        Task::Deliver(order) => attempt(order, |order| provider.deliver(order)),
        Task::Sell(order) => attempt(order, |order| provider.sell(order)),
        Task::Refund(order) => attempt(order, |order| provider.refund(order)),
        Task::Withdraw(order) => attempt(order, |order| provider.withdraw(order)),
        Task::Pay(order) => attempt(order, |order| provider.pay_from_wallet(order)),
    }
}

fn attempt<T: Errand>(order: &Order<T>, by: impl FnOnce(&Order<T>) -> Outcome<T::Proof>) -> Next {
    let key = &order.idempotency_key;
    let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| by(order))) else {
        tracing::error!(key, "the provider panicked over an order; it is asked again");
        return Next::Again;
    };
    T::next_reports(order, outcome)
}
