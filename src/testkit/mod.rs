//! Tests of a service, in the words of its ledger: what is given, what is asked, what comes of it.
//!
//! ```
//! use custody_ledger::fact::account::AccountOpened;
//! use custody_ledger::fact::adjustment::FeeAdjusted;
//! use custody_ledger::prelude::*;
//! use custody_ledger::request::transfer::CreateTransfer;
//! use custody_ledger::value::DecidedBy;
//! use custody_ledger::{Code, testkit};
//!
//! let loja = ApiKey::new("svc_live_loja")?;
//! let account = AccountName::new("loja")?;
//! let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
//! let gift = DecidedBy::new("bia", "a gift")?.evidence("case-1")?;
//! let gift = FeeAdjusted::new(FactId::new("gift-1")?, account, Party::House, 5_000, gift);
//! let shop = testkit::given("2026-11-20T12:00:00Z")
//!     .fact(&opened.key("svc_live_loja".try_into()?))
//!     .fact(&gift);
//!
//! let transfer = |cents, id| -> Result<CreateTransfer, Box<dyn std::error::Error>> {
//!     let (ana, amount) = (Party::customer("ana")?, Amount::new(cents)?);
//!     Ok(CreateTransfer::new(Party::House, ana, amount, ExternalId::new(id)?))
//! };
//! let done = shop.when(&loja, &transfer(3_000, "t-1")?).then_answered();
//! assert_eq!(done.answer.amount.cents(), 3_000);
//! let refusal = shop.when(&loja, &transfer(3_000, "t-2")?).then_refused(Code::FundsInsufficient);
//! assert_eq!(refusal.number("disponivel_cents"), Some(2_000));
//! shop.holds();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A product of a service's own runs over [`TestLedger::ledger`] with [`TestLedger::faults`]. The
//! kit's ledger is in memory and opened once: to let a process die, drop every clone of a ledger in
//! an SQLite file, open the file again, and repeat the call.
//!
//! What follows from an answer is held against what is said, too: the events that clients are sent,
//! and what the world is asked to do.
//!
//! ```
//! # use custody_ledger::fact::account::{AccountOpened, AccountTerms};
//! # use custody_ledger::fact::adjustment::FeeAdjusted;
//! # use custody_ledger::fact::payout::PayoutPaid;
//! # use custody_ledger::prelude::*;
//! # use custody_ledger::request::payout::CreatePayout;
//! # use custody_ledger::value::DecidedBy;
//! use custody_ledger::provider::OrderKind;
//! use custody_ledger::{Topic, testkit};
//! # let loja = ApiKey::new("svc_live_loja")?;
//! # let account = AccountName::new("loja")?;
//! # let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
//! # let opened = opened.terms(AccountTerms::new().waiting_hours(0));
//! # let gift = DecidedBy::new("bia", "a gift")?.evidence("case-1")?;
//! # let gift = FeeAdjusted::new(FactId::new("gift-1")?, account, Party::House, 9_000, gift);
//! # let shop = testkit::given("2026-11-20T12:00:00Z")
//! #     .fact(&opened.key("svc_live_loja".try_into()?))
//! #     .fact(&gift);
//! # let (document, key) = (Document::new("52998224725")?, PixKey::new("ana@example.com")?);
//! # let (fifty, id) = (Amount::new(5_000)?, ExternalId::new("p-1")?);
//! # let payout = CreatePayout::new(fifty, Party::House, document, key, id);
//! # let payout = payout.owner("52998224725".try_into()?);
//!
//! let payout = shop.when(&loja, &payout).then_instructs(&[OrderKind::SendPix]).answer.id;
//! let e2e = EndToEndId::new("E9040088820261120120000123873170")?;
//! let paid = PayoutPaid::new(payout, e2e);
//! shop.when_reported(&paid).then_notifies(&[Topic::PayoutCompleted]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anything;
pub(crate) mod arbitrary;
#[cfg(feature = "bench")]
pub mod bench;
mod history;
mod then;

use std::sync::Arc;

pub(crate) use anything::Strategies;
pub use anything::{AnyFact, AnyRequest, facts, requests};
pub use arbitrary::amounts;
pub use history::{Counts, History, PayoutOutcome, Step, histories};
use ledger_core::ledger::invariants::check_all;
pub use ledger_store::journal::{AppendFault, AppendFaults};
pub use then::{Follows, When};

use crate::answer::{Done, Reported};
use crate::fact::Fact;
use crate::ledger::{Ledger, Outbox};
use crate::request::{Account, Request};
use crate::value::{ApiKey, Span};
use ledger_store::clock::ManualClock;

/// What every ledger of the kit hides persons by, so that the same history has the same records.
const VAULT_KEY: [u8; 32] = [7; 32];

/// A ledger in memory whose clock stands at this instant, in RFC 3339, until it is told to go on.
///
/// # Panics
///
/// When the text is no instant.
#[must_use]
pub fn given(at: &str) -> TestLedger {
    let clock = ManualClock::at(at).unwrap_or_else(|| panic!("{at} is no RFC 3339 instant"));
    let clock = Arc::new(clock);
    let builder = Ledger::builder("memory:").vault_key(VAULT_KEY);
    let builder = builder.clock(Arc::clone(&clock)).tick(None).outbox();
    let ledger = builder.open().wait().unwrap_or_else(|error| panic!("memory: opens: {error}"));
    TestLedger { ledger, clock }
}

/// A ledger in memory, with the facts and requests that a test gave it.
#[derive(Clone, Debug)]
pub struct TestLedger {
    ledger: Ledger,
    clock: Arc<ManualClock>,
}

impl TestLedger {
    /// Reports a fact, and returns the ledger after it.
    ///
    /// # Panics
    ///
    /// When it is refused, or set aside: what is given happened.
    #[must_use]
    pub fn fact<F: Fact>(self, fact: &F) -> Self {
        let reported = self.ledger.report(fact).wait();
        let reported = reported.unwrap_or_else(|error| panic!("{}: {error}", F::NAME));
        let applied = reported.ensure_applied();
        assert!(applied.is_ok(), "{} is set aside: {}", F::NAME, reported.body);
        self
    }

    /// Submits a request with the key of an account, and returns the ledger after it.
    ///
    /// # Panics
    ///
    /// When it is refused: what is given happened.
    #[must_use]
    pub fn with_request<R: Request<By = Account>>(self, key: &ApiKey, request: &R) -> Self {
        drop(self.when(key, request).then_answered());
        self
    }

    /// Advances the clock by a span.
    #[must_use]
    pub fn later(self, span: Span) -> Self {
        self.clock.advance(span);
        self
    }

    /// When this is asked for, with the key of an account.
    pub fn when<R: Request<By = Account>>(
        &self,
        key: &ApiKey,
        request: &R,
    ) -> When<Done<R::Answer>> {
        When(self.ledger.client(key.clone()).ask(request).wait())
    }

    /// When this is reported.
    pub fn when_reported<F: Fact>(&self, fact: &F) -> When<Reported> {
        When(self.ledger.report(fact).wait())
    }

    /// Every invariant holds.
    ///
    /// # Panics
    ///
    /// When one does not, with its name and what was found.
    pub fn holds(&self) {
        if let Err(broken) = self.ledger.check_invariants().wait() {
            panic!("{broken}");
        }
    }

    /// Returns what goes wrong with what the ledger writes, for a service's answers to it: nothing,
    /// until it is said.
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::testkit::{self, AppendFault};
    ///
    /// let shop = testkit::given("2026-11-20T12:00:00Z");
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?)
    ///     .key("svc_live_loja".try_into()?);
    /// shop.faults().at_next(AppendFault::Refused);
    /// // Nothing of it was done; reported again, it is.
    /// shop.when_reported(&opened).then_not_written();
    /// assert!(!shop.when_reported(&opened).then_answered().ensure_applied()?.is_known);
    ///
    /// // It was written, the answer was lost, and the ledger found out.
    /// shop.faults().at_next(AppendFault::UnknownLanded);
    /// let second = AccountOpened::new(FactId::new("acc-2")?, AccountName::new("feira")?)
    ///     .key("svc_live_feira".try_into()?);
    /// shop.when_reported(&second).then_answered();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn faults(&self) -> AppendFaults {
        self.ledger.append_faults().expect("a ledger of the kit is in memory")
    }

    /// Returns what is to be sent to clients and carried out in the world by now, each until it is
    /// acknowledged: what a service's own sender is given.
    ///
    /// ```
    /// use custody_ledger::fact::account::{AccountOpened, AccountTerms};
    /// use custody_ledger::fact::adjustment::FeeAdjusted;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::request::payout::CreatePayout;
    /// use custody_ledger::testkit;
    /// use custody_ledger::value::DecidedBy;
    ///
    /// let (loja, account) = (ApiKey::new("svc_live_loja")?, AccountName::new("loja")?);
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone())
    ///     .terms(AccountTerms::new().waiting_hours(0))
    ///     .key("svc_live_loja".try_into()?);
    /// let gift = DecidedBy::new("bia", "a gift")?.evidence("case-1")?;
    /// let gift = FeeAdjusted::new(FactId::new("gift-1")?, account, Party::House, 9_000, gift);
    /// let (cpf, key) = (Document::new("52998224725")?, PixKey::new("a@example.com")?);
    /// let (fifty, id) = (Amount::new(5_000).expect("above zero"), ExternalId::new("p-1")?);
    /// let shop = testkit::given("2026-11-20T12:00:00Z")
    ///     .fact(&opened)
    ///     .fact(&gift)
    ///     .with_request(&loja, &CreatePayout::new(fifty, Party::House, cpf, key, id));
    ///
    /// let mut outbox = shop.outbox();
    /// let send = outbox.instructions(10)?.remove(0);
    /// assert_eq!((&*send.topic, send.account.as_deref()), ("pix.send", Some("loja")));
    /// outbox.acknowledge(&send)?;
    /// assert_eq!(outbox.instructions(10)?, []);
    /// // The payout's webhook waits by itself.
    /// assert_eq!(outbox.notifications(10)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Once the ledger was taken over from.
    #[must_use]
    pub fn outbox(&self) -> Outbox {
        let outbox = self.ledger.outbox();
        outbox.unwrap_or_else(|error| panic!("a ledger of the kit has an outbox: {error}"))
    }

    /// The ledger itself.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

impl Ledger {
    /// Checks every invariant of the ledger as it stands (docs/INVARIANTS.md): for tests, and for
    /// whoever wants to be sure now. It takes as long as the ledger is large, and the deciding
    /// thread waits for it.
    pub fn check_invariants(&self) -> crate::Pending<Result<(), InvariantBroken>> {
        self.look(|views| {
            let broken = |error: &dyn std::fmt::Display| InvariantBroken(error.to_string());
            check_all(views.state, views.archive).map_err(|violation| broken(&violation))
        })
    }
}

/// An invariant that does not hold: its name, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvariantBroken(String);

impl From<crate::EngineError> for InvariantBroken {
    fn from(error: crate::EngineError) -> Self {
        Self(format!("nothing was checked: {error}"))
    }
}
