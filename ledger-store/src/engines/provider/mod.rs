//! The provider: what only banks, exchanges and networks can know and do, behind one trait.
//!
//! ```text
//! call  -> supply: what it needs of the provider -> engine -> answer
//! engine -> instructions of the outbox -> driver -> Provider::send_pix, deliver, ... -> facts
//! provider -> Reports, Provider::poll -> facts
//! ```
//!
//! [`supply()`] asks a [`Provider`] what a request lacks: a QR code, an address, whose a key is.
//! The [`Driver`] carries out what the ledger asks of the world, each order at least once under its
//! idempotency key, and reports what came of it. What the provider tells by itself comes in by
//! [`Reports`], or is asked for by [`Provider::poll`].
//!
//! [`Provider`] blocks: each order is carried out on a thread of the driver's own, so a slow
//! provider holds back nobody but its own orders. [`AsyncProvider`] has the same calls as futures,
//! which hold no thread; both have one driver, and its rules.

mod async_provider;
mod driver;
mod instructions;
mod order;
mod outcome;
mod outcome_facts;
mod provider_runtime;
mod question;
mod report;
pub mod supply;
mod threads;

pub use async_provider::AsyncProvider;
pub use driver::{BackOff, Driver, DriverBuilder};
pub use instructions::{Instructions, InstructionsFailed};
pub use order::{
    CryptoAmount, Delivery, Order, OrderKind, PixPurpose, Refund, Sale, SendPix, WalletPayment,
    WalletWithdrawal,
};
pub use outcome::{Outcome, PaidFromWallet, PixPaid, Sold, Transaction, Withdrawn};
pub use provider_runtime::ProviderRuntime;
pub use question::{
    Answer, ChargeAnswer, ChargeToIssue, DepositAddress, DepositToTake, KeyHolder, KeyLookup,
    PixDescription, PixKeyToLookUp, QrCode,
};
pub use report::{Report, Reported, Reports, TellError};
pub use supply::{Entropy, Supplier, SupplyError, supply};

/// What only a provider, an exchange or a network can know and do.
///
/// A provider says of each question whether it knows, and of each order what came of it.
/// "Nobody knows" is an answer of its own ([`Answer::Unknown`], [`Outcome::Unknown`]): a time-out
/// is told as that, and never as a failure. Whatever is not implemented knows nothing and carries
/// nothing out.
///
/// An order may come again under the same [`Order::idempotency_key`], also after a restart: whoever
/// carries it out does it once, and gives the same outcome again. A call must end by itself: it
/// holds one of the driver's threads, and stopping waits for it. One that panics is made again.
///
/// ```
/// # use ledger_store::provider::{Order, OrderKind, Outcome, PixPaid, Provider, SendPix};
/// /// Knows nobody's keys, issues no codes, and pays every PIX at once.
/// struct Bank;
///
/// impl Provider for Bank {
///     fn carries_out(&self, kind: OrderKind) -> bool {
///         kind == OrderKind::SendPix
///     }
///
///     fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
///         assert!(order.idempotency_key.ends_with(":send"));
///         Outcome::Done(PixPaid::new("E9040088820261120120000123873170"))
///     }
/// }
/// ```
pub trait Provider: Send + Sync + 'static {
    /// The code by which a charge is paid, or that its payer is refused: `POST /cashin/charge`.
    ///
    /// A request that is repeated asks again: the same account and external id mean one code.
    fn qr_code(&self, _charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        Answer::Unknown
    }

    /// Whose a PIX key is: `GET /pix/keys/lookup`, and `POST /payouts` to a key that is no
    /// document.
    fn key_holder(&self, _key: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        Answer::Unknown
    }

    /// Where crypto is deposited: for a wallet (`POST /carteira-usdt/deposits`), or for an order
    /// that sells it (`POST /cash-outs/{cashout_id}/accept`).
    fn deposit_address(&self, _deposit: &DepositToTake<'_>) -> Answer<DepositAddress> {
        Answer::Unknown
    }

    /// What is known of a PIX by its end-to-end id beside the ledger's records:
    /// `GET /v1/verificar/{e2e}`.
    fn describe_pix(&self, _e2e: &str) -> Answer<PixDescription> {
        Answer::Unknown
    }

    /// Tells whether it carries out orders of this kind now. The others stay pending, with what
    /// follows of their operations, and the ledger is told nothing, so a provider that is out of
    /// order says no.
    fn carries_out(&self, _kind: OrderKind) -> bool {
        false
    }

    /// Sends a PIX: of a payout, or what an order of crypto sold is paid by.
    fn send_pix(&self, _order: &Order<SendPix>) -> Outcome<PixPaid> {
        Outcome::NotNow
    }

    /// Delivers crypto to a wallet.
    fn deliver(&self, _order: &Order<Delivery>) -> Outcome<Transaction> {
        Outcome::NotNow
    }

    /// Sells what was deposited, where an order is paid by what that gives.
    fn sell(&self, _order: &Order<Sale>) -> Outcome<Sold> {
        Outcome::NotNow
    }

    /// Sends crypto back to a return wallet.
    fn refund(&self, _order: &Order<Refund>) -> Outcome<Transaction> {
        Outcome::NotNow
    }

    /// Funds a withdrawal from a USDT wallet, converts it where that is asked, and sends it.
    fn withdraw(&self, _order: &Order<WalletWithdrawal>) -> Outcome<Withdrawn> {
        Outcome::NotNow
    }

    /// Makes a payment from a USDT wallet: an order created and accepted, funded, and paid by PIX.
    fn pay_from_wallet(&self, _order: &Order<WalletPayment>) -> Outcome<PaidFromWallet> {
        Outcome::NotNow
    }

    /// Returns what the provider has to tell by itself and that was not
    /// [confirmed](Provider::confirm): a PIX received, a deposit seen. Asked for now and then, on a
    /// thread of its own.
    fn poll(&self) -> Vec<Report> {
        Vec::new()
    }

    /// A report that [`Provider::poll`] gave is durable, and need not be given again.
    fn confirm(&self, _report: &Report) {}

    /// The door by which the provider tells what it was not asked, given once when a driver starts.
    fn on_start(&self, _reports: Reports) {}
}
