//! How a ledger is opened: for writing, and made where it is missing, or for reading.

use std::fmt;

use super::{Identity, OpenError};
use crate::chain::Algorithm;

/// How a ledger is opened.
///
/// ```
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenError, OpenMode};
///
/// let disk = MemoryDisk::new();
/// let with_key = |key| OpenMode::Create { vault_key: Some([key; 32]), algorithm: None };
/// MemoryJournal::open(&disk, "live", with_key(7))?;
/// let other = MemoryJournal::open(&disk, "live", with_key(8));
/// assert!(matches!(other, Err(OpenError::VaultKeyDiffers { .. })));
/// # Ok::<(), OpenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// For writing; file and ledger are created where missing.
    Create {
        /// The key a new ledger gets, random if `None`; an existing ledger must have this one.
        vault_key: Option<[u8; 32]>,
        /// The hash a new ledger gets, the default if `None`; an existing ledger must have this
        /// one.
        algorithm: Option<Algorithm>,
    },
    /// For reading; nothing is created, and no writer is fenced.
    ReadOnly,
}

impl OpenMode {
    /// For writing, created where missing with a random key and the default hash.
    #[must_use]
    pub fn create() -> Self {
        Self::Create { vault_key: None, algorithm: None }
    }

    /// Settles what ledger is opened: the `recorded` one if it is what was asked for, or a new one.
    pub(super) fn identity(
        self,
        name: &str,
        recorded: Option<Identity>,
    ) -> Result<Identity, OpenError> {
        let name = name.to_owned();
        match (self, recorded) {
            (Self::ReadOnly, Some(recorded)) => Ok(recorded),
            (Self::ReadOnly, None) => Err(OpenError::LedgerUnknown { name }),
            (Self::Create { vault_key, algorithm }, Some(recorded)) => {
                if vault_key.is_some_and(|given| given != recorded.vault_key) {
                    return Err(OpenError::VaultKeyDiffers { name });
                }
                match algorithm.filter(|given| *given != recorded.algorithm) {
                    None => Ok(recorded),
                    Some(given) => {
                        let recorded = recorded.algorithm;
                        Err(OpenError::AlgorithmDiffers { name, recorded, given })
                    }
                }
            }
            (Self::Create { vault_key, algorithm }, None) => Ok(Identity {
                algorithm: algorithm.unwrap_or_default(),
                vault_key: vault_key.map_or_else(random_key, Ok).map_err(OpenError::Random)?,
            }),
        }
    }
}

fn random_key() -> std::io::Result<[u8; 32]> {
    use std::io::Read as _;
    let mut key = [0; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(key)
}

/// Shows no key: it must not reach a log.
impl fmt::Debug for OpenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create { .. } => f.debug_struct("Create").finish_non_exhaustive(),
            Self::ReadOnly => f.write_str("ReadOnly"),
        }
    }
}
