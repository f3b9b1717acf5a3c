//! Operators: who may look at the console and decide, each known by a credential of their own.
//!
//! A credential is random and shown once; its hash is kept in tables of the service, beside the
//! ledger's, and looked up at every request, so that one who is removed is known no more at once.
//! A decision is tried first, and refused where it decides about nothing (rulings 72).
//!
//! In reading order:
//!
//! 1. `role`: what an operator may do.
//! 2. `tables`: where they are kept.
//! 3. `lockout`: how many wrong credentials an address may bring.
//! 4. `decisions`: which facts are decisions, and which right each asks for.
//! 5. `second`: which decisions want a second operator, and those that wait for one.
//! 6. `decided`, `deciding`: one decision, tried and carried out.
//! 7. `confirming`: one that waits, confirmed or declined.
//! 8. `door`: `POST /decisions/{name}`.
//! 9. `client`: the same, asked from elsewhere.

mod client;
pub(crate) mod confirming;
pub(crate) mod decided;
pub(crate) mod deciding;
pub(crate) mod decisions;
pub(crate) mod door;
mod lockout;
pub(crate) mod role;
pub(crate) mod second;
pub(crate) mod tables;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use ledger_core::time::Instant;
use ledger_store::projection::{TablesFailed, Target};
use ledger_store::vault::Person;
use thiserror::Error;

pub use client::{DecisionFailed, DecisionRequest, look, search};
pub use role::{NoRole, Operator, Role};
pub use tables::ListedOperator;

use crate::panel::secret::{Opener, derived};
use lockout::Lockout;
use second::{ProposalStore, Proposed};
use tables::OperatorStore;

/// What a credential begins with, so that whoever finds one knows what it opens.
pub(crate) const PREFIX: &str = "op_";

/// Why operators cannot be read or changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OperatorsFailed {
    /// Their tables cannot be read or written.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The system gives no randomness.
    #[error("the system gives no randomness")]
    Randomness(#[from] getrandom::Error),
    /// What was done on another thread panicked.
    #[error("work on another thread failed")]
    Within(#[from] tokio::task::JoinError),
    /// The name is none that stands in a record.
    #[error("an operator's name has 1 to 80 letters, digits and any of . _ - @")]
    Name,
    /// An operator of the name is there.
    #[error("there is an operator of this name")]
    Taken,
    /// There is no operator of the name.
    #[error("there is no operator of this name")]
    Unknown,
}

/// The operators of a service, in a database; clones are the same.
///
/// ```
/// use ledger_core::time::Instant;
/// use ledger_http::operators::{Operators, Role};
/// use ledger_store::projection::Target;
///
/// let folder = tempfile::tempdir()?;
/// let operators = Operators::kept_in(Target::Sqlite(folder.path().join("ledger.db")));
/// let now = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let credential = operators.add("bia", &[Role::Decide], 500_000, now)?;
/// assert!(credential.starts_with("op_"));
/// assert_eq!(operators.list()?[0].operator.name, "bia");
/// operators.remove("bia", now)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Operators(Arc<Shared>);

struct Shared {
    target: Target,
    /// None until there are tables.
    store: Mutex<Option<OperatorStore>>,
    proposals: Mutex<Option<ProposalStore>>,
    lockout: Lockout,
}

/// Who an address says it is.
pub(crate) enum Identified {
    Known(Operator),
    Unknown,
    /// It brought too many wrong credentials: after so many seconds it is heard again.
    LockedOut(u64),
}

impl Operators {
    /// Those that are kept in this database. Nothing is made there until one is added.
    #[must_use]
    pub fn kept_in(target: Target) -> Self {
        let (store, proposals) = (Mutex::new(None), Mutex::new(None));
        Self(Arc::new(Shared { target, store, proposals, lockout: Lockout::default() }))
    }

    /// Adds an operator, or one again who was removed, and gives their credential, which is kept by
    /// its hash alone. `up_to_cents` bounds what [`Role::Decide`] lets them decide about. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] for a name that is taken or is none, and where nothing can be written.
    pub fn add(
        &self,
        name: &str,
        roles: &[Role],
        up_to_cents: i64,
        now: Instant,
    ) -> Result<String, OperatorsFailed> {
        let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"._-@".contains(&letter);
        if !(1..=80).contains(&name.len()) || !name.bytes().all(fits) {
            return Err(OperatorsFailed::Name);
        }
        let credential = format!("{PREFIX}{}", Opener::random()?.expose());
        let operator = listed(name, roles, up_to_cents);
        let added = self.made(|store| store.add(&operator, &hash(&credential), now))?;
        // Whoever owns the tables adds operators, and the service may make none.
        ProposalStore::open(&self.0.target)?;
        if added { Ok(credential) } else { Err(OperatorsFailed::Taken) }
    }

    /// Removes an operator: their credential and sessions open nothing from now on. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed::Unknown`] where there is none, and others where nothing can be written.
    pub fn remove(&self, name: &str, now: Instant) -> Result<(), OperatorsFailed> {
        let removed = self.made(|store| store.remove(name, now))?;
        if removed { Ok(()) } else { Err(OperatorsFailed::Unknown) }
    }

    /// Gives an operator other roles, from now on. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed::Unknown`] where there is none, and others where nothing can be written.
    pub fn change(
        &self,
        name: &str,
        roles: &[Role],
        up_to_cents: i64,
    ) -> Result<(), OperatorsFailed> {
        let changed = self.made(|store| store.change(&listed(name, roles, up_to_cents)))?;
        if changed { Ok(()) } else { Err(OperatorsFailed::Unknown) }
    }

    /// All operators, removed ones too, by name. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] where the tables cannot be read.
    pub fn list(&self) -> Result<Vec<ListedOperator>, OperatorsFailed> {
        Ok(self.0.existing(OperatorStore::list)?.unwrap_or_default())
    }

    /// Whose credential it is that comes from this address.
    pub(crate) async fn identify(
        &self,
        credential: &str,
        address: Option<IpAddr>,
        now: Instant,
    ) -> Result<Identified, OperatorsFailed> {
        if let Some(seconds) = self.0.lockout.waits(address, now) {
            return Ok(Identified::LockedOut(seconds));
        }
        let hash = hash(credential);
        let known = self.stored(move |store| store.identify(&hash)).await?.flatten();
        Ok(match known {
            Some(operator) => Identified::Known(operator),
            None => {
                self.0.lockout.failed(address, now);
                Identified::Unknown
            }
        })
    }

    /// A session of whoever's credential it is, which was identified before.
    pub(crate) async fn enter(
        &self,
        credential: &str,
        now: Instant,
    ) -> Result<Opener, OperatorsFailed> {
        let (credential, opener) = (hash(credential), Opener::random()?);
        let session = session_hash(opener.expose());
        self.stored(move |store| store.enter(&credential, &session, now)).await?;
        Ok(opener)
    }

    /// The operator whose session a cookie brings, renewed by being used.
    pub(crate) async fn session(
        &self,
        cookie: &str,
        now: Instant,
    ) -> Result<Option<Operator>, OperatorsFailed> {
        let session = session_hash(cookie);
        Ok(self.stored(move |store| store.session(&session, now)).await?.flatten())
    }

    /// Ends a session.
    pub(crate) async fn leave(&self, cookie: &str) -> Result<(), OperatorsFailed> {
        let session = session_hash(cookie);
        self.stored(move |store| store.leave(&session)).await.map(drop)
    }

    /// Keeps a decision until a second operator confirms it; `false` where another waits.
    pub(crate) async fn propose(&self, proposed: Proposed) -> Result<bool, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        let kept = move || {
            let mut store = shared.proposals.lock().unwrap_or_else(PoisonError::into_inner);
            match &mut *store {
                Some(store) => store.propose(&proposed),
                none => none.insert(ProposalStore::open(&shared.target)?).propose(&proposed),
            }
        };
        Ok(tokio::task::spawn_blocking(kept).await??)
    }

    /// The decisions of a ledger that wait for a second operator, or did.
    pub(crate) async fn proposals(&self, ledger: &str) -> Result<Vec<Proposed>, OperatorsFailed> {
        let ledger = ledger.to_owned();
        Ok(self.proposing(move |store| store.all(&ledger)).await?.unwrap_or_default())
    }

    /// Ends what waits and says something of a person, whose erasure reaches it so; says how much
    /// it was. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] where the tables cannot be read or written.
    pub fn forget(&self, person: &Person) -> Result<usize, OperatorsFailed> {
        Ok(self.0.proposing(|store| store.forget(person))?.unwrap_or_default())
    }

    /// Reads or writes the decisions that wait, where there are tables of them.
    pub(crate) async fn proposing<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut ProposalStore) -> Result<T, TablesFailed> + Send + 'static,
    ) -> Result<Option<T>, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        Ok(tokio::task::spawn_blocking(move || shared.proposing(work)).await??)
    }

    /// Reads or writes the tables, which are made where there are none.
    fn made<T>(
        &self,
        work: impl FnOnce(&mut OperatorStore) -> Result<T, TablesFailed>,
    ) -> Result<T, TablesFailed> {
        let mut store = self.0.store.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *store {
            Some(store) => work(store),
            none => work(none.insert(OperatorStore::open(&self.0.target)?)),
        }
    }

    /// Reads or writes the tables that are there, on a thread that may block.
    async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut OperatorStore) -> Result<T, TablesFailed> + Send + 'static,
    ) -> Result<Option<T>, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        Ok(tokio::task::spawn_blocking(move || shared.existing(work)).await??)
    }
}

impl Shared {
    /// Reads or writes the tables; nothing where there are none.
    fn existing<T>(
        &self,
        work: impl FnOnce(&mut OperatorStore) -> Result<T, TablesFailed>,
    ) -> Result<Option<T>, TablesFailed> {
        // What it reads and writes is whole in the database, whichever thread panicked.
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if store.is_none() {
            *store = OperatorStore::existing(&self.target)?;
        }
        store.as_mut().map(work).transpose()
    }

    /// The same of the decisions that wait.
    fn proposing<T>(
        &self,
        work: impl FnOnce(&mut ProposalStore) -> Result<T, TablesFailed>,
    ) -> Result<Option<T>, TablesFailed> {
        let mut store = self.proposals.lock().unwrap_or_else(PoisonError::into_inner);
        if store.is_none() {
            *store = ProposalStore::existing(&self.target)?;
        }
        store.as_mut().map(work).transpose()
    }
}

fn listed(name: &str, roles: &[Role], up_to_cents: i64) -> Operator {
    let mut roles = roles.to_vec();
    roles.push(Role::Look);
    roles.sort_unstable();
    roles.dedup();
    Operator { name: name.to_owned(), roles, up_to_cents }
}

/// The hash that is kept of a credential, whose 256 random bits need no key to hide them.
fn hash(credential: &str) -> String {
    derived("custody-ledger 2026-11 operator credential", credential)
}

fn session_hash(cookie: &str) -> String {
    derived("custody-ledger 2026-11 operator session", cookie)
}

impl std::fmt::Debug for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Operators")
    }
}
