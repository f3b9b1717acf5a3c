//! What the courier's loop, its routes and its answers share: the tables, the sender, the settings.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_store::engine::EngineError;
use ledger_store::projection::{TablesFailed, Target};
use reqwest::Url;
use thiserror::Error;
use tokio::sync::Notify;

use super::sending::guard::{Forbidden, Guard};
use super::sending::resolver::{Lookup, SystemLookup};
use super::sending::sender::{Patience, Sender, SenderFailed};
use super::tables::store::DeliveryStore;
use crate::outbox::OutboxFailed;

/// How webhooks are sent.
#[derive(Clone, Debug)]
pub struct WebhookSettings {
    /// How often it is looked for what is new or due, although nothing was committed.
    pub look: Duration,
    /// How many are sent at once, to all endpoints that answer within a second; four times as many
    /// wait for those that do not.
    pub at_once: usize,
    /// How many are sent at once to one account, so that a slow endpoint delays its own alone; to
    /// one that takes all it is sent, up to eight times as many.
    pub per_account: usize,
    /// How long is waited for an endpoint.
    pub patience: Patience,
    /// Where all webhooks go while somebody develops; to their accounts' addresses if none.
    pub receiver: Option<Receiver>,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        Self {
            look: Duration::from_millis(100),
            at_once: 256,
            per_account: 4,
            patience: Patience::default(),
            receiver: None,
        }
    }
}

/// A receiver on this machine that stands for everybody's endpoints, for development alone.
///
/// ```
/// use ledger_http::courier::Receiver;
///
/// let receiver: Receiver = "http://127.0.0.1:9000".parse()?;
/// let here = receiver.instead_of("https://loja.example/pix?x=1");
/// assert_eq!(here, "http://127.0.0.1:9000/pix?x=1");
/// assert!("https://loja.example".parse::<Receiver>().is_err());
/// # Ok::<(), ledger_http::courier::guard::Forbidden>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver(Url);

impl std::str::FromStr for Receiver {
    type Err = Forbidden;

    fn from_str(text: &str) -> Result<Self, Forbidden> {
        let url = Guard::this_machine().check(text)?;
        // A name could come to stand for another machine.
        if url.domain().is_some() { Err(Forbidden::Address) } else { Ok(Self(url)) }
    }
}

impl Receiver {
    /// The URL here that an endpoint's URL becomes: its path and query stay.
    #[must_use]
    pub fn instead_of(&self, url: &str) -> String {
        let mut here = self.0.clone();
        if let Ok(there) = Url::parse(url) {
            here.set_path(there.path());
            here.set_query(there.query());
        }
        here.into()
    }
}

/// Why the courier does not go on with something now.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CourierError {
    /// Its tables cannot be read or written.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The outbox cannot be read or written.
    #[error(transparent)]
    Outbox(#[from] OutboxFailed),
    /// The ledger gives no answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The webhooks' client cannot be set up.
    #[error(transparent)]
    Sender(#[from] SenderFailed),
    /// What was done on another thread panicked.
    #[error("work on another thread failed")]
    Within(#[from] tokio::task::JoinError),
    /// The system gives no thread.
    #[error("the system gives no thread for the courier")]
    Threads(#[from] std::io::Error),
}

/// The courier's tables and its client; clones are the same.
#[derive(Clone)]
pub struct Webhooks(Arc<Shared>);

struct Shared {
    store: Mutex<DeliveryStore>,
    sender: Sender,
    settings: WebhookSettings,
    /// Wakes the courier when something may be due at once.
    due: Notify,
    /// What others than the courier's loop have changed.
    noted: Mutex<Noted>,
}

/// What the courier's loop is to look at besides what it changes itself.
#[derive(Debug, Default)]
pub(super) struct Noted {
    /// Accounts of which something is due at once.
    pub(super) due: Vec<(Environment, String)>,
    /// Events that have ended, by the labels of the ledgers that gave them.
    pub(super) ended: Vec<(String, String)>,
}

impl Webhooks {
    /// Webhooks whose deliveries are kept in this database.
    ///
    /// # Errors
    ///
    /// [`CourierError`] when the tables cannot be made, or the client cannot.
    pub fn open(target: &Target, settings: WebhookSettings) -> Result<Self, CourierError> {
        Self::finding(target, settings, Arc::new(SystemLookup))
    }

    /// The same, with another way to find the addresses of names.
    ///
    /// # Errors
    ///
    /// As of [`Webhooks::open`].
    pub fn finding(
        target: &Target,
        settings: WebhookSettings,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, CourierError> {
        let guard =
            if settings.receiver.is_some() { Guard::this_machine() } else { Guard::internet() };
        let sender = Sender::new(guard, lookup, settings.patience)?;
        let store = Mutex::new(DeliveryStore::open(target)?);
        let noted = Mutex::default();
        Ok(Self(Arc::new(Shared { store, sender, settings, due: Notify::new(), noted })))
    }

    pub(super) fn settings(&self) -> &WebhookSettings {
        &self.0.settings
    }

    pub(super) fn sender(&self) -> &Sender {
        &self.0.sender
    }

    /// The URL that is posted to for an endpoint's.
    pub(super) fn url_for(&self, url: &str) -> String {
        let receiver = self.0.settings.receiver.as_ref();
        receiver.map_or_else(|| url.to_owned(), |receiver| receiver.instead_of(url))
    }

    /// Has the courier attempt at once what is due of an account.
    pub(super) fn note_due(&self, environment: Environment, account: &str) {
        self.lock_noted().due.push((environment, account.to_owned()));
        self.0.due.notify_one();
    }

    /// Has the courier acknowledge an event that has ended, to the ledger of this label.
    pub(super) fn note_ended(&self, label: &str, event: &str) {
        self.lock_noted().ended.push((label.to_owned(), event.to_owned()));
        self.0.due.notify_one();
    }

    /// Returns what was noted since this was last taken.
    pub(super) fn take_noted(&self) -> Noted {
        std::mem::take(&mut *self.lock_noted())
    }

    fn lock_noted(&self) -> MutexGuard<'_, Noted> {
        // A list with one entry more or less is whole.
        self.0.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until somebody says so.
    pub(super) async fn wait_for_work(&self) {
        self.0.due.notified().await;
    }

    /// Reads or writes the tables on a thread that may block.
    pub(super) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut DeliveryStore) -> Result<T, TablesFailed> + Send + 'static,
    ) -> Result<T, CourierError> {
        let shared = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || {
            // What it reads and writes is whole in the database, whoever panicked.
            work(&mut shared.store.lock().unwrap_or_else(PoisonError::into_inner))
        });
        Ok(done.await??)
    }
}

impl std::fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhooks").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
