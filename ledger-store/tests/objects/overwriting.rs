//! A store that writes over what is there keeps no ledger.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use ledger_store::journal::{ObjectStorage, OpenError};
use ledger_store::{ObjectJournal, OpenMode};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMode, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use super::LIVE;

/// As S3 was before 2024, and as some of its likes are: it does not heed `If-None-Match`.
#[derive(Debug)]
struct Overwriting(InMemory);

impl fmt::Display for Overwriting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a store that overwrites")
    }
}

#[async_trait::async_trait]
impl ObjectStore for Overwriting {
    async fn put_opts(&self, path: &Path, payload: PutPayload, _: PutOptions) -> Result<PutResult> {
        self.0.put_opts(path, payload, PutMode::Overwrite.into()).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        self.0.get_opts(path, options).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.0.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.copy_opts(from, to, options).await
    }
}

#[test]
fn a_store_that_overwrites_is_not_opened_for_writing() {
    let store = Arc::new(Overwriting(InMemory::new()));
    let storage = ObjectStorage::from_store(store, "books", "s3://old/books").unwrap();
    let opened = ObjectJournal::open(&storage, LIVE, OpenMode::create());
    let error = opened.expect_err("it would lose what it acknowledges");
    assert!(matches!(error, OpenError::Overwrites { .. }), "{error:?}");
    assert!(error.to_string().contains("s3://old/books: this store overwrites"), "{error}");
    // And nothing is left behind.
    let unknown =
        ObjectJournal::open(&storage, LIVE, OpenMode::ReadOnly).expect_err("none is made");
    assert!(matches!(unknown, OpenError::LedgerUnknown { .. }), "{unknown:?}");
}
