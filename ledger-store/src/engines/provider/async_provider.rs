//! A provider whose calls are futures: no thread waits for a bank that takes its time.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use super::order::Task;
use super::outcome_facts::{Errand, Next};
use super::supply::{Lacking, Question, Reply};
use super::{
    Answer, ChargeAnswer, ChargeToIssue, Delivery, DepositAddress, DepositToTake, KeyLookup, Order,
    OrderKind, Outcome, PaidFromWallet, PixDescription, PixKeyToLookUp, PixPaid, Refund, Report,
    Reports, Sale, SendPix, Sold, Transaction, WalletPayment, WalletWithdrawal, Withdrawn,
};

/// A [`Provider`](super::Provider) whose calls are futures, each a method of the same name.
///
/// A thousand orders are in flight at once unless [`DriverBuilder::in_flight`] says otherwise; of
/// one operation there is one at a time, in the order of the ledger. An order may come again under
/// the same [`Order::idempotency_key`], as to a plain provider.
///
/// A future that panics, or that its runtime drops, after it has begun is an unknown outcome: the
/// driver reports [`Outcome::Unknown`], and the order waits for evidence. One that was dropped
/// before it began is asked for again.
///
/// Futures run on one thread of their own, or on a runtime of the service's
/// ([`ProviderRuntime::with_handle`]). A future must end by itself, since stopping waits for it,
/// and must not block its thread.
///
/// ```
/// # use ledger_store::provider::{AsyncProvider, Order, OrderKind, Outcome, PixPaid, SendPix};
/// /// Pays every PIX once its bank has answered.
/// struct Bank;
///
/// impl AsyncProvider for Bank {
///     fn carries_out(&self, kind: OrderKind) -> bool {
///         kind == OrderKind::SendPix
///     }
///
///     async fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
///         // The bank is called here under the order's key, so that it pays once.
///         assert!(order.idempotency_key.ends_with(":send"));
///         Outcome::Done(PixPaid::new("E9040088820261120120000123873170"))
///     }
/// }
/// ```
///
/// [`DriverBuilder::in_flight`]: super::DriverBuilder::in_flight
/// [`ProviderRuntime::with_handle`]: super::ProviderRuntime::with_handle
pub trait AsyncProvider: Send + Sync + 'static {
    /// Issues the code by which a charge is paid, or refuses its payer.
    fn qr_code(
        &self,
        _charge: &ChargeToIssue<'_>,
    ) -> impl Future<Output = Answer<ChargeAnswer>> + Send {
        async { Answer::Unknown }
    }

    /// Looks up whose a PIX key is.
    fn key_holder(
        &self,
        _key: &PixKeyToLookUp<'_>,
    ) -> impl Future<Output = Answer<KeyLookup>> + Send {
        async { Answer::Unknown }
    }

    /// Returns the address to which crypto is deposited.
    fn deposit_address(
        &self,
        _deposit: &DepositToTake<'_>,
    ) -> impl Future<Output = Answer<DepositAddress>> + Send {
        async { Answer::Unknown }
    }

    /// Describes a PIX by its end-to-end id, beyond the ledger's records.
    fn describe_pix(&self, _e2e: &str) -> impl Future<Output = Answer<PixDescription>> + Send {
        async { Answer::Unknown }
    }

    /// Tells whether it carries out orders of this kind now; the others stay pending. It must not
    /// block.
    fn carries_out(&self, _kind: OrderKind) -> bool {
        false
    }

    /// Sends a PIX: of a payout, or the payment of an order of crypto sold.
    fn send_pix(&self, _order: &Order<SendPix>) -> impl Future<Output = Outcome<PixPaid>> + Send {
        async { Outcome::NotNow }
    }

    /// Delivers crypto to a wallet.
    fn deliver(
        &self,
        _order: &Order<Delivery>,
    ) -> impl Future<Output = Outcome<Transaction>> + Send {
        async { Outcome::NotNow }
    }

    /// Sells a deposit, where an order is paid by what that gives.
    fn sell(&self, _order: &Order<Sale>) -> impl Future<Output = Outcome<Sold>> + Send {
        async { Outcome::NotNow }
    }

    /// Sends crypto back to a return wallet.
    fn refund(&self, _order: &Order<Refund>) -> impl Future<Output = Outcome<Transaction>> + Send {
        async { Outcome::NotNow }
    }

    /// Funds a withdrawal from a USDT wallet, converts it where the order says so, and sends it.
    fn withdraw(
        &self,
        _order: &Order<WalletWithdrawal>,
    ) -> impl Future<Output = Outcome<Withdrawn>> + Send {
        async { Outcome::NotNow }
    }

    /// Makes a payment from a USDT wallet: an order created and accepted, funded, and paid by PIX.
    fn pay_from_wallet(
        &self,
        _order: &Order<WalletPayment>,
    ) -> impl Future<Output = Outcome<PaidFromWallet>> + Send {
        async { Outcome::NotNow }
    }

    /// Returns the reports that were not [confirmed](AsyncProvider::confirm) yet: a PIX received, a
    /// deposit seen. The driver polls it now and then.
    fn poll(&self) -> impl Future<Output = Vec<Report>> + Send {
        async { Vec::new() }
    }

    /// Takes note that a report of [`AsyncProvider::poll`] is durable, and need not be given again.
    fn confirm(&self, _report: &Report) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// Takes the door for reports of its own, once, when a driver starts. Async code reports by
    /// [`Reports::tell_async`].
    fn on_start(&self, _reports: Reports) {}
}

/// A future of a provider, for a runtime.
pub(super) type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// An [`AsyncProvider`] behind a pointer. Nothing of the provider runs before its work is polled.
pub(super) trait ErasedProvider: Send + Sync {
    /// Forwards to [`AsyncProvider::carries_out`].
    fn carries_out(&self, kind: OrderKind) -> bool;

    /// Carries an order out, and returns what the ledger is told of it.
    fn carry_out(self: Arc<Self>, task: Arc<Task>) -> Work<Next>;

    /// Answers the question of a call that lacks something, with the fields that it supplies.
    fn supply(self: Arc<Self>, lacking: Lacking) -> Work<Option<Value>>;

    /// Forwards to [`AsyncProvider::poll`].
    fn poll(self: Arc<Self>) -> Work<Vec<Report>>;

    /// Forwards to [`AsyncProvider::confirm`].
    fn confirm(self: Arc<Self>, report: Report) -> Work<()>;

    /// Forwards to [`AsyncProvider::on_start`].
    fn on_start(&self, reports: Reports);
}

impl<P: AsyncProvider> ErasedProvider for P {
    fn carries_out(&self, kind: OrderKind) -> bool {
        AsyncProvider::carries_out(self, kind)
    }

    fn carry_out(self: Arc<Self>, task: Arc<Task>) -> Work<Next> {
        Box::pin(async move {
            match &*task {
                Task::SendPix(order) => SendPix::next_reports(order, self.send_pix(order).await),
                Task::Deliver(order) => Delivery::next_reports(order, self.deliver(order).await),
                Task::Sell(order) => Sale::next_reports(order, self.sell(order).await),
                Task::Refund(order) => Refund::next_reports(order, self.refund(order).await),
                Task::Withdraw(order) => {
                    WalletWithdrawal::next_reports(order, self.withdraw(order).await)
                }
                Task::Pay(order) => {
                    WalletPayment::next_reports(order, self.pay_from_wallet(order).await)
                }
            }
        })
    }

    fn supply(self: Arc<Self>, lacking: Lacking) -> Work<Option<Value>> {
        Box::pin(async move {
            let need = lacking.need()?;
            let reply = match Question::new(&need, &lacking.body, &lacking.known)? {
                Question::QrCode(charge) => Reply::QrCode(self.qr_code(&charge).await),
                Question::Address(deposit) => Reply::Address(self.deposit_address(&deposit).await),
                Question::Key(key) => Reply::Key(self.key_holder(&key).await),
                Question::Description(e2e) => Reply::Description(self.describe_pix(e2e).await),
            };
            reply.supplied(&need)
        })
    }

    fn poll(self: Arc<Self>) -> Work<Vec<Report>> {
        Box::pin(async move { AsyncProvider::poll(&*self).await })
    }

    fn confirm(self: Arc<Self>, report: Report) -> Work<()> {
        Box::pin(async move { AsyncProvider::confirm(&*self, &report).await })
    }

    fn on_start(&self, reports: Reports) {
        AsyncProvider::on_start(self, reports);
    }
}
