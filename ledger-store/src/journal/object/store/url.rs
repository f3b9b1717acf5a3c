//! Stores by URL: `s3://`, `gs://`, `az://` and `file:///`.

use std::sync::Arc;
use std::time::Duration;

use object_store::ObjectStore;
use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};

use super::client::Connector;
use crate::journal::Source;

/// What a URL may say after its question mark.
const PARAMETERS: [&str; 5] = ["account", "endpoint", "merge", "region", "timeout"];

/// The longest time-out of a request, in seconds.
const LONGEST: u64 = 300;

/// The most objects that are merged into one.
const MOST_MERGED: usize = 10_000;

/// Why a text is no URL of a store of objects.
#[derive(Debug, thiserror::Error)]
pub enum ObjectUrlMalformed {
    /// It does not begin as one.
    #[error("it does not begin with s3://, gs://, az:// or file:///")]
    Scheme,
    /// It names no bucket or container.
    #[error("it names no bucket: {0}://BUCKET/PREFIX")]
    NoBucket(&'static str),
    /// It names no folder by its whole path.
    #[error("it names no folder: file:///PATH/OF/A/FOLDER")]
    NoFolder,
    /// The part after the bucket is no path: it has an empty part, or `.` or `..`.
    #[error("its prefix is no path of objects")]
    Prefix(#[source] Source),
    /// It has a parameter that is not known to such a store, and would not be heeded.
    #[error("{name} is no parameter of {scheme}: use {}", PARAMETERS.join(", "))]
    Parameter {
        /// What it says.
        name: String,
        /// The scheme of the store.
        scheme: &'static str,
    },
    /// How many objects are merged is no number from 2 to 10,000.
    #[error("merge={0} is no number of objects from 2 to 10000")]
    Merge(String),
    /// A time-out is no number of seconds from 1 to 300.
    #[error("timeout={0} is no number of seconds from 1 to 300")]
    Timeout(String),
    /// Something is missing or contradicts itself, in the URL or in the environment.
    #[error("such a store cannot be set up")]
    Setup(#[source] Source),
}

/// A store as its URL says it.
pub(in crate::journal::object) struct Located {
    pub(in crate::journal::object) store: Arc<dyn ObjectStore>,
    /// Under which names its ledgers stand.
    pub(in crate::journal::object) prefix: Path,
    /// The URL without what only says how it is reached.
    pub(in crate::journal::object) shown: String,
    pub(in crate::journal::object) timeout: Option<Duration>,
    /// How many objects are merged.
    pub(in crate::journal::object) merge: Option<usize>,
    /// The folder, where it is one on a disk.
    pub(in crate::journal::object) folder: Option<std::path::PathBuf>,
}

/// What stands after the question mark.
#[derive(Default)]
struct Parameters {
    account: Option<String>,
    endpoint: Option<String>,
    region: Option<String>,
    timeout: Option<Duration>,
    merge: Option<usize>,
}

/// Settings of a store as the environment names them, each with its value.
type Variables<'a> = &'a [(String, String)];

/// Reads a URL, with what the environment says of credentials.
pub(in crate::journal::object) fn locate(
    url: &str,
    environment: Variables<'_>,
) -> Result<Located, ObjectUrlMalformed> {
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = place.split_once("://").ok_or(ObjectUrlMalformed::Scheme)?;
    match scheme {
        "file" => folder(rest, query),
        "s3" => cloud("s3", rest, query, &["endpoint", "region"], |bucket, parameters| {
            s3(bucket, parameters, environment)
        }),
        "gs" => cloud("gs", rest, query, &["endpoint"], |bucket, parameters| {
            google(bucket, parameters, environment)
        }),
        "az" => cloud("az", rest, query, &["account", "endpoint"], |container, parameters| {
            azure(container, parameters, environment)
        }),
        _ => Err(ObjectUrlMalformed::Scheme),
    }
}

fn folder(path: &str, query: &str) -> Result<Located, ObjectUrlMalformed> {
    let Parameters { timeout, merge, .. } = parameters("file", query, &[])?;
    let path = std::path::Path::new(path);
    if !path.is_absolute() || path.parent().is_none() {
        return Err(ObjectUrlMalformed::NoFolder);
    }
    let prefix =
        Path::from_absolute_path(path).map_err(|error| ObjectUrlMalformed::Prefix(error.into()))?;
    // An answer must mean that the disk has it.
    let store = Arc::new(LocalFileSystem::new().with_fsync(true));
    let shown = format!("file://{}", path.display());
    Ok(Located { store, prefix, shown, timeout, merge, folder: Some(path.to_owned()) })
}

type Built = object_store::Result<Arc<dyn ObjectStore>>;

fn cloud(
    scheme: &'static str,
    rest: &str,
    query: &str,
    known: &[&str],
    build: impl Fn(&str, &Parameters) -> Built,
) -> Result<Located, ObjectUrlMalformed> {
    let parameters = parameters(scheme, query, known)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    if bucket.is_empty() {
        return Err(ObjectUrlMalformed::NoBucket(scheme));
    }
    let prefix = Path::parse(prefix).map_err(|error| ObjectUrlMalformed::Prefix(error.into()))?;
    let store = build(bucket, &parameters);
    let store = store.map_err(|error| ObjectUrlMalformed::Setup(error.into()))?;
    let shown = format!("{scheme}://{bucket}/{prefix}");
    let Parameters { timeout, merge, .. } = parameters;
    Ok(Located { store, prefix, shown, timeout, merge, folder: None })
}

fn parameters(
    scheme: &'static str,
    query: &str,
    known: &[&str],
) -> Result<Parameters, ObjectUrlMalformed> {
    let mut parameters = Parameters::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let place = match &*name {
            "timeout" => {
                parameters.timeout = Some(seconds(&value)?);
                continue;
            }
            "merge" => {
                parameters.merge = Some(objects(&value)?);
                continue;
            }
            "account" if known.contains(&"account") => &mut parameters.account,
            "endpoint" if known.contains(&"endpoint") => &mut parameters.endpoint,
            "region" if known.contains(&"region") => &mut parameters.region,
            _ => return Err(ObjectUrlMalformed::Parameter { name: name.into_owned(), scheme }),
        };
        *place = Some(value.into_owned());
    }
    Ok(parameters)
}

fn seconds(value: &str) -> Result<Duration, ObjectUrlMalformed> {
    let seconds = value.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds));
    let seconds = seconds.ok_or_else(|| ObjectUrlMalformed::Timeout(value.to_owned()))?;
    Ok(Duration::from_secs(seconds))
}

fn objects(value: &str) -> Result<usize, ObjectUrlMalformed> {
    let objects = value.parse().ok().filter(|objects| (2..=MOST_MERGED).contains(objects));
    objects.ok_or_else(|| ObjectUrlMalformed::Merge(value.to_owned()))
}

/// Requests are repeated by the journal, which knows what each of them means.
fn no_retries() -> RetryConfig {
    RetryConfig { max_retries: 0, backoff: BackoffConfig::default(), ..RetryConfig::default() }
}

/// The settings whose names begin so and that the store knows.
fn settings<K: std::str::FromStr>(
    environment: Variables<'_>,
    prefix: &str,
) -> impl Iterator<Item = (K, String)> {
    let its = environment.iter().filter(move |(name, _)| name.starts_with(prefix));
    its.filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, value.clone())))
}

/// Whoever names an endpoint without TLS wants none.
fn is_plain(parameters: &Parameters) -> bool {
    parameters.endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http://"))
}

fn s3(bucket: &str, parameters: &Parameters, environment: Variables<'_>) -> Built {
    let builder = settings(environment, "AWS_")
        .fold(AmazonS3Builder::new(), |builder, (key, value)| builder.with_config(key, value));
    let mut builder = builder
        .with_bucket_name(bucket)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_retry(no_retries())
        .with_http_connector(Connector);
    if let Some(endpoint) = &parameters.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    if let Some(region) = &parameters.region {
        builder = builder.with_region(region);
    }
    if is_plain(parameters) {
        builder = builder.with_allow_http(true);
    }
    Ok(Arc::new(builder.build()?))
}

fn google(bucket: &str, parameters: &Parameters, environment: Variables<'_>) -> Built {
    let builder = settings(environment, "GOOGLE_")
        .fold(GoogleCloudStorageBuilder::new(), |builder, (key, value)| {
            builder.with_config(key, value)
        });
    let mut builder =
        builder.with_bucket_name(bucket).with_retry(no_retries()).with_http_connector(Connector);
    if let Some(endpoint) = &parameters.endpoint {
        builder = builder.with_base_url(endpoint);
    }
    if is_plain(parameters) {
        builder = builder.with_client_options(ClientOptions::new().with_allow_http(true));
    }
    Ok(Arc::new(builder.build()?))
}

fn azure(container: &str, parameters: &Parameters, environment: Variables<'_>) -> Built {
    let builder = settings(environment, "AZURE_")
        .fold(MicrosoftAzureBuilder::new(), |builder, (key, value)| {
            builder.with_config(key, value)
        });
    let mut builder = builder
        .with_container_name(container)
        .with_retry(no_retries())
        .with_http_connector(Connector);
    if let Some(account) = &parameters.account {
        builder = builder.with_account(account);
    }
    if let Some(endpoint) = &parameters.endpoint {
        builder = builder.with_endpoint(endpoint.clone());
    }
    if is_plain(parameters) {
        builder = builder.with_allow_http(true);
    }
    Ok(Arc::new(builder.build()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> String {
        match locate(url, &[]) {
            Ok(_) => panic!("{url} was taken"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_url_that_is_none_is_refused_by_what_is_wrong_with_it() {
        for (url, said) in [
            ("ftp://books", "it does not begin with s3://, gs://, az:// or file:///"),
            ("books", "it does not begin with s3://, gs://, az:// or file:///"),
            ("s3://", "it names no bucket: s3://BUCKET/PREFIX"),
            ("s3:///prefix", "it names no bucket: s3://BUCKET/PREFIX"),
            ("file://books", "it names no folder: file:///PATH/OF/A/FOLDER"),
            ("file:///", "it names no folder: file:///PATH/OF/A/FOLDER"),
            ("s3://books/a//b", "its prefix is no path of objects"),
            ("s3://books/a?endpont=x", "endpont is no parameter of s3"),
            ("s3://books/a?account=x", "account is no parameter of s3"),
            ("file:///books?region=x", "region is no parameter of file"),
            ("s3://books?timeout=0", "timeout=0 is no number of seconds from 1 to 300"),
            ("s3://books?merge=1", "merge=1 is no number of objects from 2 to 10000"),
            ("s3://books?timeout=soon", "timeout=soon is no number of seconds"),
        ] {
            assert!(refusal(url).starts_with(said), "{url}: {}", refusal(url));
        }
    }

    #[test]
    fn a_url_is_shown_without_how_it_is_reached() {
        let url = "s3://books/live/1?endpoint=http://127.0.0.1:9000&region=sa-east-1&timeout=3";
        let located = locate(url, &[]).unwrap();
        assert_eq!(located.shown, "s3://books/live/1");
        assert_eq!(located.prefix.as_ref(), "live/1");
        assert_eq!(located.timeout, Some(Duration::from_secs(3)));
        let located = locate("file:///var/books", &[]).unwrap();
        assert_eq!((&*located.shown, located.prefix.as_ref()), ("file:///var/books", "var/books"));
    }
}
