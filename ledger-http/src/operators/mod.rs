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
//! 7. `confirming`, `declining`: one that waits, confirmed or declined.
//! 8. `assigning`: who took what of the inbox upon themselves.
//! 9. `persons`: persons erased, held and released, and who did so; certificates of erasure.
//! 10. `door`: `POST /decisions/{name}`, `POST /assignments/{operation}`.
//! 11. `client`: the same, asked from elsewhere.
//! 12. `connection`: a connection to tables that may not be there yet.

pub(crate) mod assigning;
mod client;
pub(crate) mod confirming;
mod connection;
pub(crate) mod decided;
pub(crate) mod deciding;
pub(crate) mod decisions;
pub(crate) mod declining;
pub(crate) mod door;
mod lockout;
pub(crate) mod persons;
pub(crate) mod role;
pub(crate) mod second;
pub(crate) mod tables;

use std::net::IpAddr;
use std::sync::Arc;

use ledger_core::time::Instant;
use ledger_store::projection::{TablesFailed, Target};
use ledger_store::vault::Person;
use thiserror::Error;

pub use client::{DecisionFailed, DecisionRequest, assign, look, search};
pub use role::{NoRole, Operator, Role};
pub use tables::ListedOperator;

use crate::panel::secret::{Opener, derive_hash};
use assigning::Assignment;
use assigning::table::AssignmentStore;
use connection::Connection;
use lockout::Lockout;
use persons::acts::ActStore;
use persons::certificates::CertificateStore;
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
    #[error(
        "an operator's name has 1 to 80 letters, digits and any of . _ - @, and is neither me nor \
         nobody"
    )]
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
    store: Connection<OperatorStore>,
    proposals: Connection<ProposalStore>,
    assignments: Connection<AssignmentStore>,
    acts: Connection<ActStore>,
    certificates: Connection<CertificateStore>,
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
        Self(Arc::new(Shared {
            store: Connection::to(target.clone()),
            proposals: Connection::to(target.clone()),
            assignments: Connection::to(target.clone()),
            acts: Connection::to(target.clone()),
            certificates: Connection::to(target),
            lockout: Lockout::default(),
        }))
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
        if ["me", "nobody"].contains(&name) {
            return Err(OperatorsFailed::Name);
        }
        let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"._-@".contains(&letter);
        if !(1..=80).contains(&name.len()) || !name.bytes().all(fits) {
            return Err(OperatorsFailed::Name);
        }
        let credential = format!("{PREFIX}{}", Opener::random()?.expose());
        let operator = new_operator(name, roles, up_to_cents);
        let added =
            self.0.store.with_tables(|store| store.add(&operator, &hash(&credential), now))?;
        // Whoever owns the tables adds operators, and the service may make none.
        self.0.proposals.with_tables(|_| Ok(()))?;
        self.0.assignments.with_tables(|_| Ok(()))?;
        self.0.acts.with_tables(|_| Ok(()))?;
        self.0.certificates.with_tables(|_| Ok(()))?;
        if added { Ok(credential) } else { Err(OperatorsFailed::Taken) }
    }

    /// Removes an operator: their credential and sessions open nothing from now on. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed::Unknown`] where there is none, and others where nothing can be written.
    pub fn remove(&self, name: &str, now: Instant) -> Result<(), OperatorsFailed> {
        let removed = self.0.store.with_tables(|store| store.remove(name, now))?;
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
        let changed = self
            .0
            .store
            .with_tables(|store| store.change(&new_operator(name, roles, up_to_cents)))?;
        if changed { Ok(()) } else { Err(OperatorsFailed::Unknown) }
    }

    /// All operators, removed ones too, by name. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] where the tables cannot be read.
    pub fn list(&self) -> Result<Vec<ListedOperator>, OperatorsFailed> {
        Ok(self.0.store.existing(OperatorStore::list)?.unwrap_or_default())
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
        let known = self.with_store(move |store| store.identify(&hash)).await?.flatten();
        Ok(match known {
            Some(operator) => Identified::Known(operator),
            None => {
                self.0.lockout.count_failure(address, now);
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
        self.with_store(move |store| store.enter(&credential, &session, now)).await?;
        Ok(opener)
    }

    /// The operator whose session a cookie brings, renewed by being used.
    pub(crate) async fn session(
        &self,
        cookie: &str,
        now: Instant,
    ) -> Result<Option<Operator>, OperatorsFailed> {
        let session = session_hash(cookie);
        Ok(self.with_store(move |store| store.session(&session, now)).await?.flatten())
    }

    /// Ends a session.
    pub(crate) async fn leave(&self, cookie: &str) -> Result<(), OperatorsFailed> {
        let session = session_hash(cookie);
        self.with_store(move |store| store.leave(&session)).await.map(drop)
    }

    /// Keeps a decision until a second operator confirms it; `false` where another waits.
    pub(crate) async fn propose(&self, proposed: Proposed) -> Result<bool, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        let kept = move || shared.proposals.with_tables(|store| store.propose(&proposed));
        Ok(tokio::task::spawn_blocking(kept).await??)
    }

    /// The decisions of a ledger that wait for a second operator, or did.
    pub(crate) async fn proposals(&self, ledger: &str) -> Result<Vec<Proposed>, OperatorsFailed> {
        let ledger = ledger.to_owned();
        Ok(self.proposing(move |store| store.all(&ledger)).await?.unwrap_or_default())
    }

    /// Ends the proposals and empties the notes that say something of a person, whose erasure
    /// reaches them so; says how many they were. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] where the tables cannot be read or written.
    pub fn forget(&self, person: &Person) -> Result<usize, OperatorsFailed> {
        let proposed = self.0.proposals.existing(|store| store.forget(person))?;
        let noted = self.0.assignments.existing(|store| store.forget(person))?;
        Ok(proposed.unwrap_or_default() + noted.unwrap_or_default())
    }

    /// Reads or writes the decisions that wait, where there are tables of them.
    pub(crate) async fn proposing<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut ProposalStore) -> Result<T, TablesFailed> + Send + 'static,
    ) -> Result<Option<T>, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        Ok(tokio::task::spawn_blocking(move || shared.proposals.existing(work)).await??)
    }

    /// Returns what of a ledger's inbox is with whom.
    pub(crate) async fn assignments(
        &self,
        ledger: &str,
    ) -> Result<Vec<Assignment>, OperatorsFailed> {
        let (shared, ledger) = (Arc::clone(&self.0), ledger.to_owned());
        let read = move || shared.assignments.existing(|store| store.all(&ledger));
        Ok(tokio::task::spawn_blocking(read).await??.unwrap_or_default())
    }

    /// Keeps an assignment; `false` where the operation is not with `was`, if that is said.
    pub(crate) async fn keep_assignment(
        &self,
        ledger: String,
        kept: Assignment,
        was: Option<String>,
    ) -> Result<bool, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        let keep = move || {
            shared.assignments.with_tables(|store| store.keep(&ledger, &kept, was.as_deref()))
        };
        Ok(tokio::task::spawn_blocking(keep).await??)
    }

    /// Forgets the assignments of operations that have ended.
    pub(crate) async fn forget_ended(
        &self,
        ledger: &str,
        ended: Vec<String>,
    ) -> Result<(), OperatorsFailed> {
        let (shared, ledger) = (Arc::clone(&self.0), ledger.to_owned());
        let forget = move || shared.assignments.existing(|store| store.remove(&ledger, &ended));
        Ok(tokio::task::spawn_blocking(forget).await?.map(drop)?)
    }

    /// Tells whether there is an operator of this name.
    pub(crate) async fn is_one(&self, name: &str) -> Result<bool, OperatorsFailed> {
        let all = self.with_store(OperatorStore::list).await?.unwrap_or_default();
        Ok(all.iter().any(|it| it.operator.name == name && it.removed_at.is_none()))
    }

    /// Reads or writes the tables that are there, on a thread that may block.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut OperatorStore) -> Result<T, TablesFailed> + Send + 'static,
    ) -> Result<Option<T>, OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        Ok(tokio::task::spawn_blocking(move || shared.store.existing(work)).await??)
    }
}

fn new_operator(name: &str, roles: &[Role], up_to_cents: i64) -> Operator {
    let mut roles = roles.to_vec();
    roles.push(Role::Look);
    roles.sort_unstable();
    roles.dedup();
    Operator { name: name.to_owned(), roles, up_to_cents }
}

/// The hash that is kept of a credential, whose 256 random bits need no key to hide them.
fn hash(credential: &str) -> String {
    derive_hash("custody-ledger 2026-11 operator credential", credential)
}

fn session_hash(cookie: &str) -> String {
    derive_hash("custody-ledger 2026-11 operator session", cookie)
}

impl std::fmt::Debug for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Operators")
    }
}
