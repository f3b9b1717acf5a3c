//! The partner's dashboard, behind the page: links by mail, single-use, and the sessions they open.
//!
//! `POST /keys/painel-link` is answered alike whether the e-mail is registered or not, and before
//! anything is looked up; a task of its own finds out whose e-mail it is, and writes to the address
//! that the vault holds. Links and sessions are random, and only their hashes are kept, in the
//! service's table: with a secret that all its processes share they survive a restart, and hold on
//! whichever serves. That secret seals each row: whoever may write the table opens nothing by it.
//!
//! In reading order:
//!
//! 1. `secret`: what a link and a session are made of.
//! 2. `tables`: the table that keeps their hashes.
//! 3. [`settings`]: by which server mail leaves, and from whom.
//! 4. `letter`: what is written, and to whom.
//! 5. `posting`: the task that sends it.

mod letter;
mod mailer;
mod posting;
pub(crate) mod secret;
pub mod settings;
pub(crate) mod tables;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger_core::time::Instant;
use ledger_store::projection::{TablesFailed, Target};
use thiserror::Error;
use tokio::sync::mpsc;

use crate::ledgers::Unanswered;
use mailer::Mailer;
pub use posting::PostTask;
use secret::{Opener, Seal};
use settings::PanelSettings;
use tables::{Owner, PanelStore, Session};

/// How many e-mails wait to be written to at most; one beyond them is dropped, and asked for again.
const WAITING: usize = 1_024;

/// Why the dashboard cannot begin, or gives no answer now.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PanelError {
    /// Its tables cannot be read or written.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// Mail cannot be set up.
    #[error("mail cannot be set up")]
    Mail(#[from] lettre::transport::smtp::Error),
    /// The system gives no randomness.
    #[error("the system gives no randomness")]
    Randomness(#[from] getrandom::Error),
    /// What was done on another thread panicked.
    #[error("work on another thread failed")]
    Within(#[from] tokio::task::JoinError),
    /// A letter could not be written.
    #[error("the letter could not be written")]
    Letter(#[from] askama::Error),
    /// A ledger takes no calls now.
    #[error(transparent)]
    Ledger(#[from] Unanswered),
    /// The system gives no thread.
    #[error("the system gives no thread for mail")]
    Threads(#[from] std::io::Error),
}

/// Links by mail and the sessions they open; clones are the same.
#[derive(Clone)]
pub struct Panel(Arc<Shared>);

struct Shared {
    store: Mutex<PanelStore>,
    mailer: Mailer,
    /// How long is waited before each further attempt to send a mail.
    waits: Vec<Duration>,
    asked: mpsc::Sender<String>,
    waiting: Mutex<Option<mpsc::Receiver<String>>>,
}

impl Panel {
    /// A dashboard whose links and sessions are kept in this database.
    ///
    /// # Errors
    ///
    /// [`PanelError`] when the tables cannot be made, or mail cannot be set up.
    pub fn open(target: &Target, settings: PanelSettings) -> Result<Self, PanelError> {
        let PanelSettings { server, from, waits, secret } = settings;
        let mailer = Mailer::new(&server, from)?;
        let seal = match secret {
            Some(secret) => Seal::by(secret.expose()),
            None => Seal::by(Opener::random()?.expose()),
        };
        let store = Mutex::new(PanelStore::open(target, seal)?);
        let (asked, waiting) = mpsc::channel(WAITING);
        let waiting = Mutex::new(Some(waiting));
        Ok(Self(Arc::new(Shared { store, mailer, waits, asked, waiting })))
    }

    /// Takes note that links were asked for. It takes as long for any e-mail, and never waits.
    pub(crate) fn ask(&self, email: &str) {
        // One that finds no room is dropped: the answer is the same, and it can be asked again.
        let _ = self.0.asked.try_send(email.to_owned());
    }

    /// A new link that opens a session for this owner.
    pub(crate) async fn link(&self, owner: Owner, now: Instant) -> Result<Opener, PanelError> {
        let opener = Opener::random()?;
        let hash = opener.hash();
        self.with_store(move |store| store.add_link(&hash, &owner, now)).await?;
        Ok(opener)
    }

    /// Tells whether a link opens something now; it stays unused.
    pub(crate) async fn opens(&self, link: &str, now: Instant) -> Result<bool, PanelError> {
        let hash = secret::hash(link);
        Ok(self.with_store(move |store| store.link(&hash, now)).await?.is_some())
    }

    /// Uses a link up, and begins the session that it opens; nothing where it opens none.
    pub(crate) async fn enter(
        &self,
        link: &str,
        now: Instant,
    ) -> Result<Option<Opener>, PanelError> {
        let (link, opener) = (secret::hash(link), Opener::random()?);
        let hash = opener.hash();
        let entered = self.with_store(move |store| store.enter(&link, &hash, now)).await?;
        Ok(entered.then_some(opener))
    }

    /// The session that a cookie brings, renewed by being used.
    pub(crate) async fn session(
        &self,
        cookie: &str,
        now: Instant,
    ) -> Result<Option<Session>, PanelError> {
        let hash = secret::hash(cookie);
        self.with_store(move |store| store.session(&hash, now)).await
    }

    /// Ends a session.
    pub(crate) async fn leave(&self, cookie: &str) -> Result<(), PanelError> {
        let hash = secret::hash(cookie);
        self.with_store(move |store| store.leave(&hash)).await
    }

    /// Reads or writes the tables on a thread that may block.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut PanelStore) -> Result<T, TablesFailed> + Send + 'static,
    ) -> Result<T, PanelError> {
        let shared = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || {
            // What it reads and writes is whole in the database, whichever thread panicked.
            work(&mut shared.store.lock().unwrap_or_else(PoisonError::into_inner))
        });
        Ok(done.await??)
    }
}

impl std::fmt::Debug for Panel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Panel")
    }
}
