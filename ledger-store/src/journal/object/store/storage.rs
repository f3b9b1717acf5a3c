//! A store of objects, and how its journals use it.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use object_store::ObjectStore;
use object_store::path::Path;
use tokio::runtime::{Builder, Runtime};

use super::requests::{Patience, Requests};
use super::url::{Located, ObjectUrlMalformed, locate};
use crate::journal::object::format::names::Names;
use crate::journal::session::wait_in;

/// How long one attempt at a request may take unless set.
const ATTEMPT: Duration = Duration::from_secs(10);

/// How many attempts that take their whole time are waited for.
const ATTEMPTS: u32 = 3;

/// The first pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// A store of objects that keeps ledgers: by its URL, `s3://bucket/prefix`, `gs://bucket/prefix`,
/// `az://container/prefix` or `file:///folder`, or one that is handed in.
///
/// Credentials are read from the environment (`AWS_…`, `GOOGLE_…`, `AZURE_…`) or given by the
/// machine, and never stand in the URL. Its parameters are `endpoint=URL`, `region=NAME` (of S3),
/// `account=NAME` (of Azure), `timeout=SECONDS` for one attempt at a request, 10 unless set, and
/// `merge=NUMBER` of small objects that become one, 512 unless set.
///
/// Clones are the same store, and share a runtime of two threads.
///
/// ```
/// # use ledger_store::ObjectStorage;
/// let storage: ObjectStorage = "s3://books/custody?region=sa-east-1".parse()?;
/// assert_eq!(storage.to_string(), "s3://books/custody");
/// assert!("s3://".parse::<ObjectStorage>().is_err()); // No bucket.
/// # Ok::<(), ledger_store::journal::ObjectUrlMalformed>(())
/// ```
#[derive(Clone)]
pub struct ObjectStorage {
    inner: Arc<Inner>,
    merging: Merging,
    patience: Patience,
}

/// When small objects are joined into a larger one, behind the writer.
///
/// ```
/// # use ledger_store::journal::Merging;
/// let often = Merging { entries: 16, ..Merging::default() };
/// assert!(often.keep < Merging::default().entries);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merging {
    /// How many entries are joined at most, and how many there must be unless they are large.
    pub entries: usize,
    /// How many bytes are joined without waiting for so many entries, about.
    pub bytes: u64,
    /// How many of the newest entries stay as they are: whoever follows the ledger reads them.
    pub keep: usize,
    /// Tells whether a commit waits for the merging that it gave cause to, instead of a thread of
    /// its own: for tests that must do the same each time.
    pub inline: bool,
}

struct Inner {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    shown: String,
    folder: Option<std::path::PathBuf>,
    // `None` while it is dropped.
    runtime: Option<Runtime>,
    seen: Mutex<Seen>,
}

/// What was found out of a store.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::journal::object) struct Seen {
    /// Tells whether it was seen to make an object only where there is none.
    pub(in crate::journal::object) creates_once: bool,
    /// Tells whether it keeps versions of what is written anew or deleted.
    pub(in crate::journal::object) keeps_versions: bool,
    /// What its clock said, in microseconds since 1970, and by when it had said so.
    pub(in crate::journal::object) clock: Option<(i64, Instant)>,
}

impl Default for Merging {
    fn default() -> Self {
        Self { entries: 512, bytes: 32 << 20, keep: 64, inline: false }
    }
}

impl ObjectStorage {
    /// A store that is handed in, with its ledgers under `prefix`; the name is for messages.
    ///
    /// # Errors
    ///
    /// [`ObjectUrlMalformed`] when the prefix is no path, or the system gives no threads.
    pub fn from_store(
        store: Arc<dyn ObjectStore>,
        prefix: &str,
        name: &str,
    ) -> Result<Self, ObjectUrlMalformed> {
        let prefix =
            Path::parse(prefix).map_err(|error| ObjectUrlMalformed::Prefix(error.into()))?;
        let shown = name.to_owned();
        Self::from_located(Located {
            store,
            prefix,
            shown,
            timeout: None,
            merge: None,
            folder: None,
        })
    }

    /// A store by its URL, with settings in the place of the environment: for a program that has
    /// several, each with its own credentials. They are named as there, `AWS_ACCESS_KEY_ID` say.
    ///
    /// # Errors
    ///
    /// [`ObjectUrlMalformed`] when the text is no URL of a store, or a store cannot be set up so.
    pub fn with_settings(url: &str, settings: &[(&str, &str)]) -> Result<Self, ObjectUrlMalformed> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let settings: Vec<_> = settings.iter().map(owned).collect();
        Self::from_located(locate(url, &settings)?)
    }

    /// Joins small objects when it is said here.
    #[must_use]
    pub fn merging(self, merging: Merging) -> Self {
        Self { merging, ..self }
    }

    /// Waits for a request so long: `attempt` for one attempt, `whole` with its repetitions, which
    /// begin after `pause`.
    #[must_use]
    pub fn patience(self, attempt: Duration, whole: Duration, pause: Duration) -> Self {
        Self { patience: Patience { attempt, whole, pause }, ..self }
    }

    fn from_located(located: Located) -> Result<Self, ObjectUrlMalformed> {
        let Located { store, prefix, shown, timeout, merge, folder } = located;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("object-store")
            .enable_all()
            .build()
            .map_err(|error| ObjectUrlMalformed::Setup(error.into()))?;
        let (runtime, seen) = (Some(runtime), Mutex::default());
        let inner = Arc::new(Inner { store, prefix, shown, folder, runtime, seen });
        let attempt = timeout.unwrap_or(ATTEMPT);
        let patience = Patience { attempt, whole: attempt * ATTEMPTS, pause: PAUSE };
        let usual = Merging::default();
        let entries = merge.unwrap_or(usual.entries);
        let merging = Merging { entries, keep: usual.keep.min(entries), ..usual };
        Ok(Self { inner, merging, patience })
    }

    pub(in crate::journal::object) fn requests(&self) -> Requests {
        Requests::new(Arc::clone(&self.inner.store), self.patience)
    }

    pub(in crate::journal::object) fn names(&self, ledger: &str) -> Names {
        Names::new(&self.inner.prefix, ledger)
    }

    pub(in crate::journal::object) fn merges(&self) -> Merging {
        self.merging
    }

    /// The folder, where it is one on a disk.
    pub(in crate::journal::object) fn folder(&self) -> Option<&std::path::Path> {
        self.inner.folder.as_deref()
    }

    pub(in crate::journal::object) fn lock_seen(&self) -> MutexGuard<'_, Seen> {
        // It is whole between any two of its steps, whoever panicked with it.
        self.inner.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `work` done behind whoever asks.
    pub(in crate::journal::object) fn spawn(
        &self,
        work: impl Future<Output = ()> + Send + 'static,
    ) {
        self.inner.runtime.as_ref().expect("only a drop takes it").spawn(work);
    }

    /// Waits for `work`, from whatever thread.
    pub(in crate::journal::object) fn run<T: Send>(
        &self,
        work: impl AsyncFnOnce() -> T + Send,
    ) -> T {
        wait_in(self.inner.runtime.as_ref().expect("only a drop takes it"), work)
    }
}

impl FromStr for ObjectStorage {
    type Err = ObjectUrlMalformed;

    fn from_str(url: &str) -> Result<Self, ObjectUrlMalformed> {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let environment: Vec<_> = std::env::vars_os().filter_map(text).collect();
        Self::from_located(locate(url, &environment)?)
    }
}

/// The URL without its parameters.
impl fmt::Display for ObjectStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.shown)
    }
}

/// Shows where it is, and nothing that opens it.
impl fmt::Debug for ObjectStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectStorage").field("at", &self.inner.shown).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    /// Nothing durable is under way, and a runtime cannot be waited for within another.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
