//! A store in memory at which the creation of one object can be held up.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use tokio::sync::oneshot::{Receiver, Sender, channel};

/// The store; clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    objects: InMemory,
    held: Mutex<Option<Held>>,
    fates: Mutex<VecDeque<Fate>>,
    /// The whole second that objects seem to be of, once one was read; probes are of the next.
    second: Option<OnceLock<i64>>,
}

/// What becomes of the creation of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// It is made, and the answer is lost.
    AnswerLost,
    /// The store refuses it.
    Refused,
}

#[derive(Debug)]
struct Held {
    suffix: &'static str,
    arrived: Sender<()>,
    opens: Receiver<()>,
}

impl Gate {
    /// A store whose clock shows whole seconds, and turns to the next after every entry.
    pub fn of_whole_seconds() -> Self {
        Self(Arc::new(Inner { second: Some(OnceLock::new()), ..Inner::default() }))
    }

    /// What becomes of the next creations of entries, in order; those after them pass.
    pub fn next(&self, fates: impl IntoIterator<Item = Fate>) {
        self.0.fates.lock().unwrap().extend(fates);
    }

    /// Holds up the next creation of an object whose name ends so: who comes to it, and what lets
    /// it go on.
    pub fn hold(&self, suffix: &'static str) -> (Receiver<()>, Sender<()>) {
        let ((arrived, arrival), (open, opens)) = (channel(), channel());
        *self.0.held.lock().unwrap() = Some(Held { suffix, arrived, opens });
        (arrival, open)
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a gate")
    }
}

#[async_trait::async_trait]
impl ObjectStore for Gate {
    async fn put_opts(
        &self,
        path: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        let held = self.0.held.lock().unwrap().take_if(|held| path.as_ref().ends_with(held.suffix));
        if let Some(Held { arrived, opens, .. }) = held {
            arrived.send(()).unwrap();
            opens.await.unwrap();
        }
        let entry = path.as_ref().contains("/commit/");
        let fate = if entry { self.0.fates.lock().unwrap().pop_front() } else { None };
        if let Some(Fate::Refused) = fate {
            let source = "the credentials have expired".into();
            return Err(Error::Unauthenticated { path: path.to_string(), source });
        }
        let put = self.0.objects.put_opts(path, payload, options).await?;
        match fate {
            Some(_) => Err(Error::Generic { store: "gate", source: "the answer is lost".into() }),
            None => Ok(put),
        }
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.objects.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        let mut got = self.0.objects.get_opts(path, options).await?;
        if let Some(second) = &self.0.second {
            let at = &mut got.meta.last_modified;
            let first = *second.get_or_init(|| at.timestamp());
            *at -= Duration::from_nanos(u64::from(at.timestamp_subsec_nanos()));
            *at -= Duration::from_secs(u64::try_from(at.timestamp() - first).unwrap());
            *at += Duration::from_secs(u64::from(path.as_ref().contains("/probe/")));
        }
        Ok(got)
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.0.objects.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.objects.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.objects.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.objects.copy_opts(from, to, options).await
    }
}
