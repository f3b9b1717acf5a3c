//! Requests to a store: repeated until their outcome is known, or for as long as it is worth it.
//!
//! ```text
//! create ─► made ──────────────────────────────► ours
//!    │        exists ─► read: the same bytes ──► ours (the answer was lost, or a retry's)
//!    │                        others ──────────► theirs
//!    └─ anything else: nobody knows ─► again, until patience ends ─► unknown
//! ```

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt as _, PutMode};
use object_store::{PutPayload, PutResult};
use tokio::time::{sleep, timeout};

use crate::journal::Source;

/// How long requests are waited for.
#[derive(Clone, Copy, Debug)]
pub(in crate::journal::object) struct Patience {
    /// For one attempt.
    pub(in crate::journal::object) attempt: Duration,
    /// For a request with its repetitions.
    pub(in crate::journal::object) whole: Duration,
    /// Between the first attempt and the second; each pause after is twice as long.
    pub(in crate::journal::object) pause: Duration,
}

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A store, as journals ask it.
#[derive(Clone, Debug)]
pub(in crate::journal::object) struct Requests {
    store: Arc<dyn ObjectStore>,
    patience: Patience,
}

/// An object as it was read.
#[derive(Clone, Debug)]
pub(in crate::journal::object) struct StoredObject {
    pub(in crate::journal::object) bytes: Vec<u8>,
    /// When it was written, by the store's clock, in microseconds since 1970.
    pub(in crate::journal::object) at: i64,
}

/// What came of creating an object.
#[derive(Debug)]
pub(in crate::journal::object) enum Created {
    /// It is there, and its bytes are ours.
    Ours,
    /// Another was there before.
    Theirs(StoredObject),
}

/// Why a request came to nothing.
#[derive(Debug)]
pub(in crate::journal::object) enum Failed {
    /// The store refused it: it had no effect.
    Refused(Source),
    /// Nobody knows whether it had an effect.
    Unknown(Source),
}

/// What an error of the store says of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Exists,
    Missing,
    Refused,
    Unknown,
}

/// No attempt was answered in time.
#[derive(Debug, thiserror::Error)]
#[error("the store did not answer within {} ms", .0.as_millis())]
struct TimedOut(Duration);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Refused(source) | Self::Unknown(source)) = self;
        source.fmt(f)
    }
}

impl Failed {
    /// The cause, whatever became of the request.
    pub(in crate::journal::object) fn source(self) -> Source {
        match self {
            Self::Refused(source) | Self::Unknown(source) => source,
        }
    }
}

impl Requests {
    pub(in crate::journal::object) fn new(store: Arc<dyn ObjectStore>, patience: Patience) -> Self {
        Self { store, patience }
    }

    /// Makes an object of this name unless there is one.
    pub(in crate::journal::object) async fn create(
        &self,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Result<Created, Failed> {
        let payload = PutPayload::from(bytes);
        let mut attempts = Attempts::new(self.patience);
        loop {
            let Err(error) = self.attempt_put(path, payload.clone(), PutMode::Create).await else {
                return Ok(Created::Ours);
            };
            match class(&error) {
                Class::Exists => match self.get(path).await.map_err(into_unknown)? {
                    Some(found) if is_same(&payload, &found.bytes) => return Ok(Created::Ours),
                    Some(found) => return Ok(Created::Theirs(found)),
                    // A store that is asked twice at once may say that it exists before it does.
                    None => attempts.back_off(error).await?,
                },
                Class::Missing | Class::Refused => return Err(attempts.refusal(error)),
                Class::Unknown => attempts.back_off(error).await?,
            }
        }
    }

    /// Makes an object, or writes it anew; what the store calls the version, where it keeps any.
    pub(in crate::journal::object) async fn overwrite(
        &self,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Result<Option<String>, Failed> {
        let payload = PutPayload::from(bytes);
        let mut attempts = Attempts::new(self.patience);
        loop {
            match self.attempt_put(path, payload.clone(), PutMode::Overwrite).await {
                Ok(put) => return Ok(put.version),
                Err(error) if class(&error) == Class::Unknown => attempts.back_off(error).await?,
                Err(error) => return Err(attempts.refusal(error)),
            }
        }
    }

    /// Reads an object; none where there is none.
    pub(in crate::journal::object) async fn get(
        &self,
        path: &Path,
    ) -> Result<Option<StoredObject>, Failed> {
        self.read(path, GetOptions::default()).await
    }

    /// Reads a range of an object, as far as it goes.
    pub(in crate::journal::object) async fn get_range(
        &self,
        path: &Path,
        range: Range<u64>,
    ) -> Result<Option<StoredObject>, Failed> {
        if range.is_empty() {
            return Ok(Some(StoredObject { bytes: Vec::new(), at: 0 }));
        }
        let range = Some(GetRange::Bounded(range));
        self.read(path, GetOptions { range, ..GetOptions::default() }).await
    }

    async fn read(&self, path: &Path, options: GetOptions) -> Result<Option<StoredObject>, Failed> {
        let mut attempts = Attempts::new(self.patience);
        loop {
            let read = async {
                let got = self.store.get_opts(path, options.clone()).await?;
                let at = got.meta.last_modified.timestamp_micros();
                Ok(StoredObject { bytes: got.bytes().await?.into(), at })
            };
            match self.within(read).await {
                Ok(found) => return Ok(Some(found)),
                Err(error) => match class(&error) {
                    Class::Missing => return Ok(None),
                    Class::Refused => return Err(attempts.refusal(error)),
                    Class::Exists | Class::Unknown => attempts.back_off(error).await?,
                },
            }
        }
    }

    /// Deletes an object; one that is not there is as good as deleted.
    pub(in crate::journal::object) async fn delete(&self, path: &Path) -> Result<(), Failed> {
        let mut attempts = Attempts::new(self.patience);
        loop {
            match self.within(self.store.delete(path)).await {
                Ok(()) => return Ok(()),
                Err(error) => match class(&error) {
                    Class::Missing => return Ok(()),
                    Class::Refused => return Err(attempts.refusal(error)),
                    Class::Exists | Class::Unknown => attempts.back_off(error).await?,
                },
            }
        }
    }

    /// The names under a prefix after one of them, as far as the store knows of them yet: what is
    /// missing here may be there all the same.
    pub(in crate::journal::object) async fn list(
        &self,
        prefix: &Path,
        after: Option<&Path>,
    ) -> Result<Vec<Path>, Failed> {
        let mut attempts = Attempts::new(self.patience);
        loop {
            let listed = match after {
                Some(after) => self.store.list_with_offset(Some(prefix), after),
                None => self.store.list(Some(prefix)),
            };
            let names = listed.map_ok(|meta| meta.location).try_collect::<Vec<_>>();
            match timeout(self.patience.whole, names).await {
                Ok(Ok(names)) => return Ok(names),
                Ok(Err(error)) if class(&error) == Class::Missing => return Ok(Vec::new()),
                Ok(Err(error)) if class(&error) == Class::Refused => {
                    return Err(attempts.refusal(error));
                }
                Ok(Err(error)) => attempts.back_off(error).await?,
                Err(_) => return Err(Failed::Unknown(TimedOut(self.patience.whole).into())),
            }
        }
    }

    /// One attempt to make an object.
    pub(in crate::journal::object) async fn attempt_put(
        &self,
        path: &Path,
        payload: PutPayload,
        mode: PutMode,
    ) -> Result<PutResult, Error> {
        self.within(self.store.put_opts(path, payload, mode.into())).await
    }

    async fn within<T>(&self, attempt: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let limit = self.patience.attempt;
        timeout(limit, attempt).await.unwrap_or_else(|_| {
            Err(Error::Generic { store: "object", source: TimedOut(limit).into() })
        })
    }
}

/// Does `work` for each of these, some at a time, and gives what came of each in their order.
pub(in crate::journal::object) async fn in_parallel<T, R, F: Future<Output = Result<R, Failed>>>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> F,
) -> Result<Vec<R>, Failed> {
    const AT_ONCE: usize = 32;
    futures_util::stream::iter(items.into_iter().map(work)).buffered(AT_ONCE).try_collect().await
}

/// The attempts at one request.
struct Attempts {
    patience: Patience,
    began: Instant,
    pause: Duration,
    /// Tells whether one failed without anybody knowing what it did.
    unknown: bool,
}

impl Attempts {
    fn new(patience: Patience) -> Self {
        Self { patience, began: Instant::now(), pause: patience.pause, unknown: false }
    }

    /// Waits for the next attempt, unless patience has ended.
    async fn back_off(&mut self, error: Error) -> Result<(), Failed> {
        self.unknown = true;
        if self.began.elapsed() + self.pause >= self.patience.whole {
            return Err(Failed::Unknown(error.into()));
        }
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }

    /// This attempt had no effect; an earlier one may have had.
    fn refusal(&self, error: Error) -> Failed {
        if self.unknown { Failed::Unknown(error.into()) } else { Failed::Refused(error.into()) }
    }
}

fn into_unknown(failed: Failed) -> Failed {
    Failed::Unknown(failed.source())
}

fn is_same(payload: &PutPayload, bytes: &[u8]) -> bool {
    let mut rest = bytes;
    for part in payload {
        match rest.strip_prefix(part.as_ref()) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

fn class(error: &Error) -> Class {
    match error {
        Error::AlreadyExists { .. } | Error::Precondition { .. } | Error::NotModified { .. } => {
            Class::Exists
        }
        Error::NotFound { .. } => Class::Missing,
        Error::PermissionDenied { .. }
        | Error::Unauthenticated { .. }
        | Error::NotSupported { .. }
        | Error::NotImplemented { .. }
        | Error::InvalidPath { .. }
        | Error::UnknownConfigurationKey { .. } => Class::Refused,
        other if is_refused_by_the_system(other) => Class::Refused,
        _ => Class::Unknown,
    }
}

/// Tells whether a folder refused what a cloud would not: its disk is full, or nobody may write
/// there.
fn is_refused_by_the_system(error: &Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
    let causes =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    let mut system = causes.filter_map(|error| error.downcast_ref::<std::io::Error>());
    system.any(|error| matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | StorageFull))
}
