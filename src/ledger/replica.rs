//! A replica: reads a ledger that another process writes, and can take it over.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ledger_core::contract::{Call, CallOutcome};
use ledger_core::ledger::State;
use ledger_store::engine::{self, EngineBuilder, Look};
use ledger_store::{Head, Journal, OpenMode};

pub use ledger_store::engine::{ReplicaError, Stated};

use super::opening::Opening;
use super::pending::Begin;
use super::store::Medium;
use super::{Ledger, OpenError, Pending, asking};
use crate::answer::request_answer;
use crate::request::{Account, Anybody, Request};
use crate::value::ApiKey;

/// A ledger that another process writes, for reading; see
/// [`Builder::replica`](crate::Builder::replica).
///
/// It follows the journal, checks every link, and answers at the record that it has come to, as
/// that record left the ledger: what time alone brings is recorded by whoever writes. A request
/// that would record something is refused. It keeps no personal value in memory: what an answer
/// shows is read of the store's vault for that answer.
///
/// ```
/// use custody_ledger::fact::account::AccountOpened;
/// use custody_ledger::prelude::*;
/// use custody_ledger::request::balance::GetBalance;
///
/// let folder = tempfile::tempdir()?;
/// let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
/// let ledger = Ledger::open(&store).wait()?;
/// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
/// let reported = ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?;
///
/// // In another process, or on another machine where the store is a database or objects:
/// let replica = Ledger::replica(&store).wait()?;
/// let (key, record) = (ApiKey::new("svc_live_loja")?, reported.seq.expect("it was recorded"));
/// let balance = replica.ask(&key, &GetBalance::new(Party::House), record).wait()?;
/// assert!(balance.seq >= record);
/// assert_eq!(balance.answer.available.cents(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Replica {
    followed: engine::Replica,
    /// Used once; locked so that threads share the replica.
    prepare: Mutex<Box<dyn FnOnce() -> Result<Writes, OpenError> + Send>>,
    waits: Duration,
}

/// What a promoted replica goes on with.
type Writes = (EngineBuilder<'static>, Box<dyn Journal>, Opening);

impl Replica {
    /// Follows the ledger of this name in a store; `prepare` is asked for when it is promoted.
    pub(super) fn follow(
        (store, name): (&Medium, &str),
        (writer, waits): (Option<&str>, Duration),
        prepare: impl FnOnce() -> Result<Writes, OpenError> + Send + 'static,
    ) -> Result<Self, OpenError> {
        let journal = store.journal(name, OpenMode::ReadOnly)?;
        let mut builder = engine::Replica::builder(name);
        if let Some(writer) = writer {
            builder = builder.writer(writer);
        }
        let followed = builder.follow(journal);
        Ok(Self { followed, prepare: Mutex::new(Box::new(prepare)), waits })
    }

    /// Asks for something of the account of a key that only reads, at record `at_least` or later;
    /// zero for whatever it has come to. It waits no longer than [`Builder::waits`].
    ///
    /// A request that would record something is [`ReplicaError::OnlyRead`], of
    /// [`crate::Error::Replica`].
    ///
    /// [`Builder::waits`]: crate::Builder::waits
    pub fn ask<R: Request<By = Account>>(
        &self,
        key: &ApiKey,
        request: &R,
        at_least: u64,
    ) -> Pending<Result<Stated<R::Answer>, crate::Error>> {
        self.query(request, Some(key), at_least)
    }

    /// Asks what anybody may ask, as [`Replica::ask`] does.
    pub fn ask_publicly<R: Request<By = Anybody>>(
        &self,
        request: &R,
        at_least: u64,
    ) -> Pending<Result<Stated<R::Answer>, crate::Error>> {
        self.query(request, None, at_least)
    }

    fn query<R: Request>(
        &self,
        request: &R,
        key: Option<&ApiKey>,
        at_least: u64,
    ) -> Pending<Result<Stated<R::Answer>, crate::Error>> {
        // Whatever instant it brings, it is answered at that of the record.
        let call: Call = asking(request, key, ledger_core::time::Instant::default());
        let look = self.followed.call(call, at_least, self.waits);
        let read = |stated: Stated<ledger_core::contract::Response>| {
            let Stated { seq, answer: response } = stated;
            let (records, notifications, instructions) = (Vec::new(), Vec::new(), Vec::new());
            let onward = None;
            let outcome = CallOutcome { response, records, notifications, instructions, onward };
            Ok(Stated { seq, answer: request_answer(outcome)?.answer })
        };
        Pending::new(Looking { look, read })
    }

    /// The state at record `at_least` or later, for which it waits so long.
    pub fn committed_at(
        &self,
        at_least: u64,
        within: Duration,
    ) -> Pending<Result<Stated<State>, crate::Error>> {
        Pending::new(Looking { look: self.followed.committed_at(at_least, within), read: Ok })
    }

    /// Where it has come to, every link checked.
    #[must_use]
    pub fn head(&self) -> Head {
        self.followed.head()
    }

    /// Why it does not follow now; none while it does.
    #[must_use]
    pub fn fault(&self) -> Option<ReplicaError> {
        self.followed.fault()
    }

    /// Takes the ledger over and opens it, as a [`Standby`](crate::Standby) does when the lease of
    /// whoever holds it has lapsed: a lease that is renewed is left alone, and the error says so.
    /// It is an ordinary ledger from then on. Nothing that was acknowledged is lost, since all of
    /// it is in the store.
    pub fn promote(self) -> Pending<Result<Ledger, OpenError>> {
        let Self { followed, prepare, .. } = self;
        let prepare = prepare.into_inner().unwrap_or_else(PoisonError::into_inner);
        Pending::blocking(move || {
            let (builder, journal, opening) = prepare()?;
            opening.ledger(followed.promote(builder, journal)?)
        })
    }
}

/// A read of a replica, and what is made of its answer.
struct Looking<T, U> {
    look: Look<T>,
    read: fn(Stated<T>) -> Result<Stated<U>, crate::Error>,
}

impl<T: Send + 'static, U: Send + 'static> Begin<Result<Stated<U>, crate::Error>>
    for Looking<T, U>
{
    fn wait(self: Box<Self>) -> Result<Stated<U>, crate::Error> {
        (self.read)(self.look.wait()?)
    }

    fn await_it(
        self: Box<Self>,
    ) -> Pin<Box<dyn Future<Output = Result<Stated<U>, crate::Error>> + Send>> {
        Box::pin(async move { (self.read)(self.look.await?) })
    }
}

impl std::fmt::Debug for Replica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.followed.fmt(f)
    }
}
