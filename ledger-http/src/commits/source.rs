//! Where commits are offered, and how they are asked for.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::Duration;

use ledger_store::journal::{Identity, Token as ValueToken};
use ledger_store::tls::{TlsError, client_config};
use ledger_store::{JournalError, OpenError, VaultRow};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder, StatusCode, Url, redirect};
use serde_json::Value;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;

use super::answers::{self, MOST_VALUES};
use super::page::Page;
use super::{COMMITS, VALUES};
use crate::token::Token;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// How long a connection is kept that nothing is asked on.
const IDLE: Duration = Duration::from_secs(5);

/// How long an answer may take that nobody keeps back.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a page may take beyond what it is kept back for: it may be large.
const PAGE_PATIENCE: Duration = Duration::from_secs(30);

/// The most bytes of an answer: far more than a row of a thousand records takes.
const MOST_BYTES: usize = 1 << 28;

/// A service that offers its commits, and the secret it asks for; clones share their connections.
///
/// ```
/// use ledger_http::{CommitSource, Token};
///
/// let secret = Token::random()?;
/// let source = CommitSource::new("https://writer.example:9443", secret.clone())?;
/// assert_eq!(source.to_string(), "https://writer.example:9443");
/// assert!(CommitSource::new("ftp://writer.example", secret).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CommitSource(Arc<Inner>);

struct Inner {
    shown: String,
    base: Url,
    secret: Token,
    client: Client,
    /// `None` while it is dropped.
    runtime: Option<Runtime>,
}

/// Why commits cannot be asked for so.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommitSourceFailed {
    /// The URL is none of a service.
    #[error("this is no URL of a service: use https://HOST:PORT, without a user and a query")]
    Url,
    /// The settings of TLS are refused.
    #[error("TLS cannot be set up")]
    Tls(#[from] TlsError),
    /// The client cannot be made.
    #[error("the client of commits cannot be made")]
    Client(#[from] reqwest::Error),
    /// The system gives no thread.
    #[error("the system gives no thread")]
    Thread(#[from] std::io::Error),
}

/// Why there was no answer to be used.
#[derive(Debug, Error)]
pub(super) enum Unread {
    #[error("the writer cannot be asked")]
    Away(#[source] reqwest::Error),
    #[error("the writer does not take the secret (401)")]
    SecretRefused,
    #[error("the writer has no such ledger (404)")]
    LedgerUnknown,
    /// The record asked after is beyond the writer's last.
    #[error("the writer's journal ends at record {head}")]
    Beyond { head: u64 },
    #[error("the writer answers {status}: {said}")]
    Refused { status: u16, said: String },
    #[error("the writer's answer is longer than {MOST_BYTES} bytes")]
    TooLong,
    #[error("the writer's answer cannot be read: {0}")]
    Malformed(String),
}

/// An answer to come, which nobody waits for yet; dropped, it is not asked for any more.
#[derive(Debug)]
pub(super) struct Ahead {
    answer: Receiver<Result<Page, Unread>>,
    task: AbortHandle,
}

impl CommitSource {
    /// The service at `url`, http or https, which is asked with this secret.
    ///
    /// # Errors
    ///
    /// [`CommitSourceFailed`], above all for what is no URL of a service.
    pub fn new(url: &str, secret: Token) -> Result<Self, CommitSourceFailed> {
        let base = Url::parse(url).map_err(|_| CommitSourceFailed::Url)?;
        let plain = base.username().is_empty()
            && base.password().is_none()
            && base.query().is_none()
            && base.fragment().is_none();
        if !(matches!(base.scheme(), "http" | "https") && base.has_host() && plain) {
            return Err(CommitSourceFailed::Url);
        }
        let client = Client::builder()
            .tls_backend_preconfigured(client_config()?)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .http1_only()
            .user_agent(concat!("custody-ledger/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            // Shorter than a service keeps a connection that nothing is asked on.
            .pool_idle_timeout(IDLE)
            .build()?;
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).thread_name("ledger-stream").enable_all();
        let runtime = Some(runtime.build()?);
        let shown = url.trim_end_matches('/').to_owned();
        Ok(Self(Arc::new(Inner { shown, base, secret, client, runtime })))
    }

    /// Returns what the ledger of this name was created with. Blocks.
    pub(super) fn identity(&self, name: &str) -> Result<Identity, OpenError> {
        let request = self.get(name, &[]).timeout(PATIENCE);
        let read = self.wait(async move { json(&read_body(request).await?) });
        let read = read.and_then(|body| {
            let malformed =
                || Unread::Malformed("it says of no ledger what it was made with".into());
            answers::read_identity(name, &body).ok_or_else(malformed)
        });
        read.map_err(|error| match error {
            Unread::LedgerUnknown => OpenError::LedgerUnknown { name: name.to_owned() },
            error => OpenError::Unreachable { server: self.to_string(), source: error.into() },
        })
    }

    /// The page after a record, as it is now. Blocks.
    pub(super) fn page(&self, name: &str, after: u64, rows: usize) -> Result<Page, Unread> {
        let request = self.commits(name, after, rows, 0);
        self.wait(page(request))
    }

    /// Asks for the page after a record, once there is something in it or so many seconds are over.
    pub(super) fn ahead(&self, name: &str, after: u64, rows: usize, wait: u64) -> Ahead {
        let request = self.commits(name, after, rows, wait);
        let (give, answer) = sync_channel(1);
        let task = self.runtime().spawn(async move {
            // Whoever asked may have turned elsewhere.
            let _ = give.send(page(request).await);
        });
        Ahead { answer, task: task.abort_handle() }
    }

    /// The values that the vault has under these tokens. Blocks.
    pub(super) fn values(
        &self,
        name: &str,
        tokens: &[ValueToken],
    ) -> Result<Vec<VaultRow>, Unread> {
        let mut rows = Vec::new();
        for some in tokens.chunks(MOST_VALUES) {
            let url = self.url(name, &[VALUES]);
            let request = self.0.client.post(url).header(CONTENT_TYPE, "application/json");
            let request = request.body(answers::tokens(some).to_string());
            let request = request.bearer_auth(self.0.secret.expose()).timeout(PATIENCE);
            let body = self.wait(async move { json(&read_body(request).await?) })?;
            let malformed = || Unread::Malformed("it holds no values".to_owned());
            rows.extend(answers::read_values(&body).ok_or_else(malformed)?);
        }
        Ok(rows)
    }

    fn commits(&self, name: &str, after: u64, rows: usize, wait: u64) -> RequestBuilder {
        let mut url = self.url(name, &[COMMITS]);
        url.set_query(Some(&format!("after={after}&rows={rows}&wait={wait}")));
        let request = self.0.client.get(url).bearer_auth(self.0.secret.expose());
        request.timeout(Duration::from_secs(wait) + PAGE_PATIENCE)
    }

    fn get(&self, name: &str, parts: &[&str]) -> RequestBuilder {
        self.0.client.get(self.url(name, parts)).bearer_auth(self.0.secret.expose())
    }

    fn url(&self, name: &str, parts: &[&str]) -> Url {
        let mut url = self.0.base.clone();
        let mut path = url.path_segments_mut().expect("a URL with a host has a path");
        path.pop_if_empty().extend(["ledgers", name]).extend(parts);
        drop(path);
        url
    }

    fn runtime(&self) -> &Runtime {
        self.0.runtime.as_ref().expect("only a drop takes it")
    }

    /// Waits for `work` from whatever thread, async code's own too.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Unread>> + Send + 'static,
    ) -> Result<T, Unread> {
        let (give, done) = sync_channel(1);
        self.runtime().spawn(async move {
            let _ = give.send(work.await);
        });
        done.recv().expect("the runtime is there as long as whoever waits")
    }
}

/// The URL of the service, without the secret.
impl fmt::Display for CommitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.shown)
    }
}

impl fmt::Debug for CommitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommitSource({self})")
    }
}

/// The last owner may be async code, which must not wait for a runtime to end.
impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Ahead {
    /// Returns what was answered, if it was; waits for it where `must`.
    pub(super) fn take_page(&self, must: bool) -> Option<Result<Page, Unread>> {
        let broken = || Some(Err(Unread::Malformed("its reader has ended".to_owned())));
        if must {
            return self.answer.recv().map_or_else(|_| broken(), Some);
        }
        match self.answer.try_recv() {
            Ok(answered) => Some(answered),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => broken(),
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn page(request: RequestBuilder) -> Result<Page, Unread> {
    let bytes = read_body(request).await?;
    Page::decode(&bytes).map_err(|error| Unread::Malformed(error.to_string()))
}

fn json(bytes: &[u8]) -> Result<Value, Unread> {
    serde_json::from_slice(bytes).map_err(|_| Unread::Malformed("it is no JSON".to_owned()))
}

/// The body of an answer that is none of a failure.
async fn read_body(request: RequestBuilder) -> Result<Vec<u8>, Unread> {
    let mut response = request.send().await.map_err(Unread::Away)?;
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(Unread::Away)? {
        bytes.extend_from_slice(&part);
        if MOST_BYTES < bytes.len() {
            return Err(Unread::TooLong);
        }
    }
    let said = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap_or_default();
    match response.status() {
        StatusCode::OK => Ok(bytes),
        StatusCode::UNAUTHORIZED => Err(Unread::SecretRefused),
        StatusCode::NOT_FOUND => Err(Unread::LedgerUnknown),
        status => {
            let body = said(&bytes);
            if let (StatusCode::CONFLICT, Some(head)) = (status, body["head"].as_u64()) {
                return Err(Unread::Beyond { head });
            }
            let said = body["detail"].as_str().unwrap_or("nothing that can be read").to_owned();
            Err(Unread::Refused { status: status.as_u16(), said })
        }
    }
}

impl Unread {
    /// The same of a journal that was asked for what comes after record `after`.
    pub(super) fn of_journal(self, after: u64) -> JournalError {
        match self {
            Self::Beyond { head } => JournalError::WentBack { seq: after, head },
            Self::Malformed(_) => JournalError::Damaged { seq: after + 1, source: self.into() },
            error => JournalError::Medium(error.into()),
        }
    }
}
