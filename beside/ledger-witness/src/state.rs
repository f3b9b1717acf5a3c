//! The memory of a witness: of each log the checkpoint that it cosigned last, and evidence.
//!
//! ```text
//! FOLDER/key                              the secret key, for its owner alone
//! FOLDER/logs/ORIGIN/checkpoint           the last checkpoint with the cosignature
//! FOLDER/logs/ORIGIN/evidence/...         what the log signed and the witness refused
//! ORIGIN                                  SHA-256 of the origin, in hexadecimal digits
//! ```
//!
//! Key and memory stand in one folder, so that no key is left whose past is lost: it would cosign a
//! fork. A checkpoint is on the medium before its cosignature leaves.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use ledger_proofs::Hash;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::key::{KeyMalformed, WitnessKey};

/// How many pieces of evidence are kept of one log, of each kind.
const MOST_OF_A_KIND: usize = 64;

/// The memory of a witness, by the hash of each log's origin.
pub trait WitnessState: Send {
    /// The last cosigned checkpoint of a log; none where there never was one.
    ///
    /// # Errors
    ///
    /// When it cannot be read: then nothing may be cosigned.
    fn load(&mut self, log: &str) -> io::Result<Option<String>>;

    /// Keeps a checkpoint in the place of the last one, whole or not at all. When it returns, the
    /// checkpoint is durable.
    ///
    /// # Errors
    ///
    /// When it is not known to be durable: its cosignature must not leave.
    fn save(&mut self, log: &str, checkpoint: &str) -> io::Result<()>;

    /// Keeps evidence under its name, which begins with its kind and a hyphen.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn keep_evidence(&mut self, log: &str, name: &str, text: &str) -> io::Result<EvidencePlace>;
}

/// The place of evidence in a witness's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvidencePlace {
    /// It was written here.
    Written(String),
    /// It stands there from before.
    Known,
    /// It was not written: of its kind the memory has as much as it keeps of a log.
    Full,
}

/// The memory of a witness in a folder, which one process at a time has.
#[derive(Debug)]
pub struct WitnessFolder {
    path: PathBuf,
    /// Held for as long as this is: no second process decides beside this one.
    _lock: File,
}

/// Why a folder is no witness's.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It cannot be read or written.
    #[error("{}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// Its key is none.
    #[error("{}", path.display())]
    Key {
        /// The file of the key.
        path: PathBuf,
        /// The key's fault.
        #[source]
        source: KeyMalformed,
    },
    /// Its past is gone.
    #[error(
        "{} has a key and no folder `logs`: the witness has lost what it cosigned, and must not go \
         on under this key",
        .0.display()
    )]
    Forgotten(PathBuf),
    /// Another process has it.
    #[error("{} is in use: one process at a time is a witness", .0.display())]
    InUse(PathBuf),
}

impl FolderError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

/// The name of a log in a witness's memory and under its monitoring prefix.
///
/// ```
/// let hash = ledger_witness::origin_hash("example.com/behind-the-sofa");
/// assert_eq!(hash.len(), 64);
/// ```
#[must_use]
pub fn origin_hash(origin: &str) -> String {
    Hash(Sha256::digest(origin).into()).to_string()
}

impl WitnessFolder {
    /// Makes the folder of a new witness, where there is none.
    ///
    /// # Errors
    ///
    /// [`FolderError::Io`], also where the folder exists.
    pub fn create(path: &Path, key: &WitnessKey) -> Result<(), FolderError> {
        let mut private = std::fs::DirBuilder::new();
        private.mode(0o700).create(path).map_err(FolderError::io(path))?;
        // The memory first: a key without one is refused.
        let logs = path.join("logs");
        std::fs::create_dir(&logs).map_err(FolderError::io(&logs))?;
        let file = path.join("key");
        let write = || {
            let mut open = OpenOptions::new();
            let mut key_file = open.write(true).create_new(true).mode(0o600).open(&file)?;
            writeln!(key_file, "{}", key.secret_text())?;
            key_file.sync_all()?;
            sync_folder(path)?;
            sync_folder(parent(path))
        };
        write().map_err(FolderError::io(&file))
    }

    /// Reads the key of a witness's folder.
    ///
    /// # Errors
    ///
    /// [`FolderError`] when there is none.
    pub fn key(path: &Path) -> Result<WitnessKey, FolderError> {
        let path = path.join("key");
        let text = std::fs::read_to_string(&path).map_err(FolderError::io(&path))?;
        text.parse().map_err(|source| FolderError::Key { path, source })
    }

    /// Opens the folder of a witness that was made before.
    ///
    /// # Errors
    ///
    /// [`FolderError`], where its past is gone or another process has it.
    pub fn open(path: &Path) -> Result<(WitnessKey, Self), FolderError> {
        let key = Self::key(path)?;
        if !path.join("logs").is_dir() {
            return Err(FolderError::Forgotten(path.to_owned()));
        }
        let file = path.join("lock");
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&file);
        let lock = lock.map_err(FolderError::io(&file))?;
        match lock.try_lock() {
            Ok(()) => Ok((key, Self { path: path.to_owned(), _lock: lock })),
            Err(TryLockError::WouldBlock) => Err(FolderError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(FolderError::io(&file)(error)),
        }
    }

    fn log(&self, log: &str) -> PathBuf {
        self.path.join("logs").join(log)
    }
}

impl WitnessState for WitnessFolder {
    fn load(&mut self, log: &str) -> io::Result<Option<String>> {
        match std::fs::read_to_string(self.log(log).join("checkpoint")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    fn save(&mut self, log: &str, checkpoint: &str) -> io::Result<()> {
        let folder = self.log(log);
        ensure_folder(&folder)?;
        replace_file(&folder.join("checkpoint"), checkpoint.as_bytes())
    }

    fn keep_evidence(&mut self, log: &str, name: &str, text: &str) -> io::Result<EvidencePlace> {
        let log = self.log(log);
        let folder = log.join("evidence");
        let path = folder.join(name);
        // Whoever repeats what is refused makes nothing be written.
        if path.exists() {
            return Ok(EvidencePlace::Known);
        }
        // Neither who sends old checkpoints nor a log that signs many forks fills the disk.
        let (kind, mut count) = (name.split('-').next().unwrap_or(name), 0);
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let known = entry?.file_name();
            count += usize::from(known.to_string_lossy().split('-').next() == Some(kind));
        }
        if count >= MOST_OF_A_KIND {
            return Ok(EvidencePlace::Full);
        }
        ensure_folder(&log)?;
        ensure_folder(&folder)?;
        replace_file(&path, text.as_bytes())?;
        Ok(EvidencePlace::Written(path.display().to_string()))
    }
}

/// Writes a file whole, in the place of the one before, and durably.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let mut file = File::create(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, path)?;
    sync_folder(parent(path))
}

/// Makes a folder where it is missing. It is durable when this returns, also where a process that
/// made it ended before it synced it.
pub(crate) fn ensure_folder(path: &Path) -> io::Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => made?,
    }
    sync_folder(parent(path))
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
