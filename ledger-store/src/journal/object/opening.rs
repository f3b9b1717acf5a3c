//! Opening a ledger: what it was created with, and whether the store does what a journal needs.

use ledger_core::id::Designation;
use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::format::entry::to_cbor;
use super::format::names::Names;
use super::store::requests::{Created, Failed, Requests};
use super::store::storage::ObjectStorage;
use crate::bytes::chain::Algorithm;
use crate::journal::open_mode::random;
use crate::journal::{Identity, OpenError, OpenMode, Source, assert_key, environment};

/// The version of the objects that this program writes.
const VERSION: u32 = 1;

/// What a ledger was created with, as its object writes it.
#[derive(Encode, Decode)]
struct Founding {
    #[n(0)]
    version: u32,
    #[n(1)]
    algorithm: u8,
    #[n(2)]
    vault_key: ByteArray<32>,
    /// Tells the key from any other, so that one that was changed is found.
    #[n(3)]
    key_check: ByteArray<32>,
    /// The number of its environment.
    #[n(4)]
    environment: Option<u8>,
}

/// Finds what the ledger was created with, or creates it.
pub(super) async fn identity(
    storage: &ObjectStorage,
    (requests, names): (&Requests, &Names),
    name: &str,
    mode: OpenMode,
) -> Result<Identity, OpenError> {
    let path = names.identity();
    let unreachable = |failed: Failed| unreachable(storage, failed.source());
    let recorded = match requests.get(&path).await.map_err(unreachable)? {
        Some(found) => Some(read(storage, name, &found.bytes)?),
        None => found_late(storage, (requests, names), name).await?,
    };
    let identity = mode.identity(name, recorded)?;
    if mode == OpenMode::ReadOnly {
        return Ok(identity);
    }
    assert_creates_once(storage, requests, names).await?;
    if recorded.is_some() {
        return Ok(identity);
    }
    let created = Founding {
        version: VERSION,
        algorithm: identity.algorithm.tag(),
        vault_key: identity.vault_key.into(),
        key_check: identity.key_check().into(),
        environment: environment::tag(identity.designation),
    };
    match requests.create(&path, to_cbor(&created)).await.map_err(unreachable)? {
        Created::Ours => Ok(identity),
        // Somebody has made it at the same time.
        Created::Theirs(found) => mode.identity(name, Some(read(storage, name, &found.bytes)?)),
    }
}

/// Returns what a ledger was created with whose identity was not there: made by somebody meanwhile,
/// or none. Where other objects of the ledger are there, it is lost, and with it the key of tokens.
async fn found_late(
    storage: &ObjectStorage,
    (requests, names): (&Requests, &Names),
    name: &str,
) -> Result<Option<Identity>, OpenError> {
    let unreachable = |failed: Failed| unreachable(storage, failed.source());
    let mut others = 0;
    for folder in [names.entries(), names.merged_folder(), names.values(), names.marks()] {
        others += requests.list(&folder, None).await.map_err(unreachable)?.len();
    }
    if others == 0 {
        return Ok(None);
    }
    let path = names.identity();
    match requests.get(&path).await.map_err(unreachable)? {
        Some(found) => read(storage, name, &found.bytes).map(Some),
        None => Err(OpenError::IdentityLost { name: name.to_owned(), path: path.into(), others }),
    }
}

/// Tells whether the store makes an object only where there is none, which all of a journal stands
/// on.
async fn assert_creates_once(
    storage: &ObjectStorage,
    requests: &Requests,
    names: &Names,
) -> Result<(), OpenError> {
    if storage.lock_seen().creates_once {
        return Ok(());
    }
    let nonce = random().map_err(OpenError::Random)?;
    let path = names.probe(u128::from_be_bytes(nonce));
    let version = requests.overwrite(&path, b"first".to_vec()).await;
    let version = version.map_err(|failed| unreachable(storage, failed.source()))?;
    let again = requests.create(&path, b"second".to_vec()).await;
    let again = again.map_err(|failed| unreachable(storage, failed.source()))?;
    requests.delete(&path).await.map_err(|failed| unreachable(storage, failed.source()))?;
    if matches!(again, Created::Ours) {
        return Err(OpenError::Overwrites { store: storage.to_string() });
    }
    let mut seen = storage.lock_seen();
    seen.creates_once = true;
    // Of Google's every object has a generation, whether or not earlier ones are kept.
    let versioned = version.is_some_and(|version| version != "null");
    seen.keeps_versions = versioned && !storage.to_string().starts_with("gs:");
    Ok(())
}

fn read(storage: &ObjectStorage, name: &str, bytes: &[u8]) -> Result<Identity, OpenError> {
    let malformed = |reason: String| OpenError::Schema { path: storage.to_string().into(), reason };
    let created: Founding =
        minicbor::decode(bytes).map_err(|error| malformed(format!("its identity: {error}")))?;
    if created.version != VERSION {
        return Err(malformed(format!("it is of version {}, not {VERSION}", created.version)));
    }
    let algorithm = Algorithm::try_from(created.algorithm)
        .map_err(|source| OpenError::AlgorithmUnknown { name: name.to_owned(), source })?;
    let designation: Option<Designation> =
        environment::designation(created.environment.map(i64::from));
    let designation =
        designation.ok_or_else(|| malformed("its environment is not known".to_owned()))?;
    let identity = Identity { algorithm, vault_key: *created.vault_key, designation };
    assert_key(name, identity, Some(&created.key_check[..]))
}

pub(super) fn unreachable(storage: &ObjectStorage, source: Source) -> OpenError {
    OpenError::Unreachable { server: storage.to_string(), source }
}
