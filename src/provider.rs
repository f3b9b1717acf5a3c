//! The provider: what only banks, exchanges and networks can know and do, behind one trait.
//!
//! A ledger that is opened with one ([`Builder::provider`](crate::Builder::provider), or
//! [`Builder::async_provider`](crate::Builder::async_provider)) asks it what requests lack, has it
//! carry out what the ledger asks of the world, each order at least once under its idempotency key,
//! and takes what came of it.
//!
//! ```
//! use custody_ledger::fact::account::{AccountOpened, AccountTerms};
//! use custody_ledger::fact::adjustment::FeeAdjusted;
//! use custody_ledger::prelude::*;
//! use custody_ledger::provider::{
//!     Answer, KeyHolder, KeyLookup, Order, OrderKind, PixKeyToLookUp, PixPaid, Provider, SendPix,
//! };
//! use custody_ledger::request::payout::{CreatePayout, ListPayouts};
//! use custody_ledger::view::PayoutStatus;
//! use custody_ledger::{Ledger, provider};
//!
//! /// A bank that knows whose a key is and pays at once.
//! struct Bank;
//!
//! impl Provider for Bank {
//!     fn key_holder(&self, _: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
//!         let document = Some("52998224725".to_owned());
//!         Answer::Known(KeyLookup::Held(KeyHolder { document, ..KeyHolder::default() }))
//!     }
//!
//!     fn carries_out(&self, kind: OrderKind) -> bool {
//!         kind == OrderKind::SendPix
//!     }
//!
//!     fn send_pix(&self, order: &Order<SendPix>) -> provider::Outcome<PixPaid> {
//!         // Here the bank is asked, under the order's key, so that it pays once.
//!         assert!(order.idempotency_key.ends_with(":send"));
//!         assert_eq!(order.what.pix_key.as_deref(), Some("ana@example.com"));
//!         provider::Outcome::Done(PixPaid::new("E9040088820261120120000123873170"))
//!     }
//! }
//!
//! let directory = tempfile::tempdir()?;
//! let store = format!("sqlite:{}", directory.path().join("ledger.db").display());
//! let ledger = Ledger::builder(&store).provider(Bank).open().wait()?;
//! # let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
//! # let opened = opened.terms(AccountTerms::new().waiting_hours(0));
//! # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//! # let (id, name, bia) = (FactId::new("gift-1")?, AccountName::new("loja")?, gift_by()?);
//! # let gift = FeeAdjusted::new(id, name, Party::House, 9_000, bia);
//! # ledger.report(&gift).wait()?.ensure_applied()?;
//! # fn gift_by() -> Result<custody_ledger::value::DecidedBy, custody_ledger::value::InvalidValue> {
//! #     custody_ledger::value::DecidedBy::new("bia", "a gift")?.evidence("case-1")
//! # }
//! let loja = ledger.client(ApiKey::new("svc_live_loja")?);
//! let (document, key) = (Document::new("52998224725")?, PixKey::new("ana@example.com")?);
//! let (fifty, id) = (Amount::new(5_000)?, ExternalId::new("p-1")?);
//! loja.ask(&CreatePayout::new(fifty, Party::House, document, key, id)).wait()?;
//!
//! // The driver sends it and tells the ledger that it was paid.
//! let payout = ListPayouts::new(ExternalId::new("p-1")?);
//! while loja.ask(&payout).wait()?.answer.payouts[0].status != PayoutStatus::Completed {
//!     std::thread::sleep(std::time::Duration::from_millis(20));
//! }
//! ledger.shutdown()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use ledger_store::provider::{
    Answer, AsyncProvider, BackOff, ChargeAnswer, ChargeToIssue, CryptoAmount, Delivery,
    DepositAddress, DepositToTake, DriverBuilder, KeyHolder, KeyLookup, Order, OrderKind, Outcome,
    PaidFromWallet, PixDescription, PixKeyToLookUp, PixPaid, PixPurpose, Provider, ProviderRuntime,
    QrCode, Refund, Report, Reported, Reports, Sale, SendPix, Sold, TellError, Transaction,
    WalletPayment, WalletWithdrawal, Withdrawn,
};

use crate::fact::Fact;

/// A fact of this crate as a provider tells it: for [`Provider::poll`] and [`Reports::tell`].
///
/// ```
/// use custody_ledger::fact::charge::PixReceived;
/// use custody_ledger::prelude::*;
///
/// let e2e = EndToEndId::new("E9040088820261120120000123873170")?;
/// let received = PixReceived::new(e2e, Amount::new(10_000)?);
/// assert_eq!(custody_ledger::provider::report_of(&received).fact, "pix.received");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn report_of<F: Fact>(fact: &F) -> Report {
    let fact = fact.report();
    let mut report = Report::new(fact.name, fact.body);
    report.supplied = fact.supplied;
    report
}
