//! A store of objects in memory that takes its time with each request, and counts them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use tokio::time::sleep;

/// The store; clones are the same.
#[derive(Clone, Debug)]
pub struct Metered(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    objects: InMemory,
    latency: Duration,
    puts: AtomicU64,
    gets: AtomicU64,
    lists: AtomicU64,
    deletes: AtomicU64,
    bytes: AtomicU64,
}

/// What was asked of a store so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    pub puts: u64,
    pub gets: u64,
    pub lists: u64,
    pub deletes: u64,
    /// Bytes that were put.
    pub bytes: u64,
}

impl Meter {
    /// What was asked since an earlier moment.
    pub fn since(self, before: Self) -> Self {
        Self {
            puts: self.puts - before.puts,
            gets: self.gets - before.gets,
            lists: self.lists - before.lists,
            deletes: self.deletes - before.deletes,
            bytes: self.bytes - before.bytes,
        }
    }
}

impl Metered {
    /// A store that answers each request so late.
    pub fn new(latency: Duration) -> Self {
        let zero = AtomicU64::default;
        Self(Arc::new(Inner {
            objects: InMemory::new(),
            latency,
            puts: zero(),
            gets: zero(),
            lists: zero(),
            deletes: zero(),
            bytes: zero(),
        }))
    }

    /// Returns what was asked so far.
    pub fn meter(&self) -> Meter {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Meter {
            puts: read(&self.0.puts),
            gets: read(&self.0.gets),
            lists: read(&self.0.lists),
            deletes: read(&self.0.deletes),
            bytes: read(&self.0.bytes),
        }
    }

    async fn count_and_delay(&self, count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
        sleep(self.0.latency).await;
    }
}

impl fmt::Display for Metered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a metered store")
    }
}

#[async_trait::async_trait]
impl ObjectStore for Metered {
    async fn put_opts(
        &self,
        path: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.0.bytes.fetch_add(payload.content_length() as u64, Ordering::Relaxed);
        self.count_and_delay(&self.0.puts).await;
        self.0.objects.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        unimplemented!("a journal writes each object at once")
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        self.count_and_delay(&self.0.gets).await;
        self.0.objects.get_opts(path, options).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let store = self.clone();
        let paths = paths.then(move |path| {
            let store = store.clone();
            async move {
                store.count_and_delay(&store.0.deletes).await;
                path
            }
        });
        self.0.objects.delete_stream(paths.boxed())
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.listing(self.0.objects.list(prefix))
    }

    fn list_with_offset(
        &self,
        prefix: Option<&Path>,
        offset: &Path,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        self.listing(self.0.objects.list_with_offset(prefix, offset))
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        unimplemented!("a journal lists all that is under a prefix")
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        unimplemented!("a journal copies nothing")
    }
}

impl Metered {
    fn listing(
        &self,
        listed: BoxStream<'static, Result<ObjectMeta>>,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        let store = self.clone();
        let asked = async move {
            store.count_and_delay(&store.0.lists).await;
            listed
        };
        stream::once(asked).flatten().boxed()
    }
}
