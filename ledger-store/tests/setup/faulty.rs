//! A store of objects in memory that fails as clouds do, by one seed: errors before a request and
//! after it had its effect, writes that land long after they were given up, deletions that lag, and
//! lists that lack what is there.

#![allow(dead_code)] // Each test binary uses its own part of it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult,
    Result,
};

/// What goes wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// It is refused with an error of the server's, and had no effect.
    Before,
    /// It had its effect, and the answer is lost.
    After,
    /// The answer is lost, and the effect comes some requests later.
    Late(u64),
}

/// A request whose effect is still to come.
#[derive(Debug)]
enum Late {
    Put(Path, PutPayload, PutOptions),
    Delete(Path),
}

/// The store; clones are the same.
#[derive(Clone, Debug)]
pub struct FaultyStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    objects: InMemory,
    /// Tells whether anything goes wrong.
    on: AtomicBool,
    plan: Mutex<Plan>,
}

#[derive(Debug)]
struct Plan {
    dice: u64,
    requests: u64,
    late: Vec<(u64, Late)>,
}

impl FaultyStore {
    pub fn new(seed: u64) -> Self {
        let plan = Plan { dice: seed | 1, requests: 0, late: Vec::new() };
        let (objects, on, plan) = (InMemory::new(), AtomicBool::new(true), Mutex::new(plan));
        Self(Arc::new(Inner { objects, on, plan }))
    }

    /// From now on nothing goes wrong any more; what is late still comes.
    pub fn rest(&self) {
        self.0.on.store(false, Ordering::Relaxed);
    }

    /// Counts a request, lets what is due come, and says what goes wrong with this one.
    async fn next(&self) -> Fault {
        let (due, fault) = {
            let mut plan = self.0.plan.lock().unwrap();
            plan.requests += 1;
            let now = plan.requests;
            let (due, late): (Vec<_>, Vec<_>) =
                std::mem::take(&mut plan.late).into_iter().partition(|(at, _)| *at <= now);
            plan.late = late;
            let fault = match plan.below(100) {
                _ if !self.0.on.load(Ordering::Relaxed) => Fault::None,
                0..6 => Fault::Before,
                6..12 => Fault::After,
                12..16 => Fault::Late(1 + plan.below(60)),
                _ => Fault::None,
            };
            (due, fault)
        };
        for (_, late) in due {
            // Nobody waits for it any more.
            let _ = match late {
                Late::Put(path, payload, options) => {
                    self.0.objects.put_opts(&path, payload, options).await.map(drop)
                }
                Late::Delete(path) => self.0.objects.delete(&path).await,
            };
        }
        fault
    }

    fn later(&self, requests: u64, late: Late) {
        let mut plan = self.0.plan.lock().unwrap();
        let at = plan.requests + requests;
        plan.late.push((at, late));
    }

    async fn deleted(&self, path: Path) -> Result<Path> {
        match self.next().await {
            Fault::Before => return Err(failed()),
            Fault::Late(requests) => self.later(requests, Late::Delete(path.clone())),
            Fault::After => {
                self.0.objects.delete(&path).await?;
                return Err(failed());
            }
            Fault::None => self.0.objects.delete(&path).await?,
        }
        Ok(path)
    }

    /// A list that is some requests old: names may be missing from it, the newest or any.
    async fn listed(&self, prefix: Option<Path>, offset: Option<Path>) -> Result<Vec<ObjectMeta>> {
        if self.next().await != Fault::None {
            return Err(failed());
        }
        let all = match &offset {
            Some(offset) => self.0.objects.list_with_offset(prefix.as_ref(), offset),
            None => self.0.objects.list(prefix.as_ref()),
        };
        let mut all: Vec<ObjectMeta> = all.map(Result::unwrap).collect().await;
        if self.0.on.load(Ordering::Relaxed) {
            let mut plan = self.0.plan.lock().unwrap();
            match plan.below(4) {
                0 => {
                    let some = plan.below(all.len() as u64 + 1);
                    all.truncate(usize::try_from(some).unwrap());
                }
                1 => all.retain(|_| plan.below(3) > 0),
                _ => {}
            }
        }
        Ok(all)
    }
}

impl Plan {
    fn below(&mut self, bound: u64) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % bound
    }
}

fn failed() -> Error {
    Error::Generic { store: "faulty", source: "503 Slow Down".into() }
}

#[async_trait::async_trait]
impl ObjectStore for FaultyStore {
    async fn put_opts(
        &self,
        path: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        match self.next().await {
            Fault::None => self.0.objects.put_opts(path, payload, options).await,
            Fault::Before => Err(failed()),
            Fault::After => {
                self.0.objects.put_opts(path, payload, options).await?;
                Err(failed())
            }
            Fault::Late(requests) => {
                self.later(requests, Late::Put(path.clone(), payload, options));
                Err(failed())
            }
        }
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        unimplemented!("a journal writes each object at once")
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        match self.next().await {
            Fault::None => self.0.objects.get_opts(path, options).await,
            _ => Err(failed()),
        }
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let store = self.clone();
        paths
            .then(move |path| {
                let store = store.clone();
                async move { store.deleted(path?).await }
            })
            .boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        listing(self.clone(), prefix.cloned(), None)
    }

    fn list_with_offset(
        &self,
        prefix: Option<&Path>,
        offset: &Path,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        listing(self.clone(), prefix.cloned(), Some(offset.clone()))
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        unimplemented!("a journal lists all that is under a prefix")
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        unimplemented!("a journal copies nothing")
    }
}

fn listing(
    store: FaultyStore,
    prefix: Option<Path>,
    offset: Option<Path>,
) -> BoxStream<'static, Result<ObjectMeta>> {
    let listed = async move { store.listed(prefix, offset).await };
    stream::once(listed)
        .flat_map(|listed| match listed {
            Ok(all) => stream::iter(all.into_iter().map(Ok)).boxed(),
            Err(error) => stream::iter([Err(error)]).boxed(),
        })
        .boxed()
}

impl fmt::Display for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a faulty store")
    }
}
