//! An S3 server in the place of the cloud: `s3s-fs` on a port of this machine, with a folder behind
//! it and one key.
//!
//! `s3s-fs` looks whether there is an object and then writes it, so two who create at once may both
//! succeed, which S3 itself never does. Here it is given one request to write at a time; all else
//! of it is as it comes.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::dto::{
    DeleteObjectInput, DeleteObjectOutput, DeleteObjectsInput, DeleteObjectsOutput, GetObjectInput,
    GetObjectOutput, HeadObjectInput, HeadObjectOutput, ListObjectsV2Input, ListObjectsV2Output,
    PutObjectInput, PutObjectOutput,
};
use s3s::service::S3ServiceBuilder;
use s3s::{S3, S3Request, S3Response, S3Result};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

/// The key of the server.
pub const SETTINGS: [(&str, &str); 3] = [
    ("AWS_ACCESS_KEY_ID", "tests"),
    ("AWS_SECRET_ACCESS_KEY", "of-no-worth"),
    ("AWS_REGION", "sa-east-1"),
];

/// The URL of a place of its own in the one bucket.
pub fn url() -> String {
    static PLACES: AtomicU32 = AtomicU32::new(0);
    let place = PLACES.fetch_add(1, Ordering::Relaxed);
    format!("s3://books/place-{place}?endpoint=http://{}", address())
}

fn address() -> SocketAddr {
    static SERVER: OnceLock<SocketAddr> = OnceLock::new();
    *SERVER.get_or_init(start)
}

/// Starts the server of this process's tests; it ends with it.
fn start() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(serve(listener));
    });
    address
}

async fn serve(listener: std::net::TcpListener) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("books")).unwrap();
    let files = FileSystem::new(folder.path()).unwrap();
    let mut service = S3ServiceBuilder::new(OneAtATime { files, writing: Mutex::new(()) });
    service.set_auth(SimpleAuth::from_single("tests", "of-no-worth"));
    let service = service.build();
    let listener = TcpListener::from_std(listener).unwrap();
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        let service = service.clone();
        tokio::spawn(async move {
            let http = hyper::server::conn::http1::Builder::new();
            // A client that goes away is no failure.
            let _ = http.serve_connection(TokioIo::new(socket), service).await;
        });
    }
}

struct OneAtATime {
    files: FileSystem,
    writing: Mutex<()>,
}

#[async_trait::async_trait]
impl S3 for OneAtATime {
    async fn put_object(
        &self,
        request: S3Request<PutObjectInput>,
    ) -> S3Result<S3Response<PutObjectOutput>> {
        let _one = self.writing.lock().await;
        self.files.put_object(request).await
    }

    async fn get_object(
        &self,
        request: S3Request<GetObjectInput>,
    ) -> S3Result<S3Response<GetObjectOutput>> {
        self.files.get_object(request).await
    }

    async fn head_object(
        &self,
        request: S3Request<HeadObjectInput>,
    ) -> S3Result<S3Response<HeadObjectOutput>> {
        self.files.head_object(request).await
    }

    async fn delete_object(
        &self,
        request: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        let _one = self.writing.lock().await;
        self.files.delete_object(request).await
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        let _one = self.writing.lock().await;
        self.files.delete_objects(request).await
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        self.files.list_objects_v2(request).await
    }
}
