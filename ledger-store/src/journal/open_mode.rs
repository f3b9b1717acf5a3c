//! How a ledger is opened: for writing, and made where it is missing, or for reading.

use std::fmt;

use ledger_core::id::{Designation, Environment};

use super::{Identity, OpenError, Opening};
use crate::bytes::chain::Algorithm;

/// The name in a store of the directory of cells, which no ledger may have.
pub const DIRECTORY: &str = "directory";

/// How a ledger is opened.
///
/// ```
/// use ledger_core::id::Environment;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenError, OpenMode};
///
/// let disk = MemoryDisk::new();
/// MemoryJournal::open(&disk, "loja-2", OpenMode::made_for(Environment::Sandbox))?;
/// let other = MemoryJournal::open(&disk, "loja-2", OpenMode::made_for(Environment::Live));
/// assert!(matches!(other, Err(OpenError::EnvironmentDiffers { .. })));
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
        /// What decides the environment of a new ledger, that of [`Environment::of_new`] if `None`;
        /// an existing ledger must have the same environment.
        designation: Option<Designation>,
    },
    /// For writing, as the directory of cells, whose name is [`DIRECTORY`]; created where missing
    /// with a random key and the default hash.
    Directory {
        /// The environment of a new directory, live if `None`; an existing one must have the same.
        environment: Option<Environment>,
    },
    /// For reading; nothing is created, and no writer is fenced.
    ReadOnly,
}

impl OpenMode {
    /// For writing, created where missing with a random key, the default hash, and the environment
    /// of [`Environment::of_new`].
    #[must_use]
    pub fn create() -> Self {
        Self::Create { vault_key: None, algorithm: None, designation: None }
    }

    /// The same, for this environment.
    #[must_use]
    pub fn made_for(environment: Environment) -> Self {
        let designation = Some(Designation::Chosen(environment));
        Self::Create { vault_key: None, algorithm: None, designation }
    }

    /// Tells whether a journal of this name may be opened so, found out before the store is looked
    /// at: a directory and a ledger are never opened as each other, and none is made by mistake.
    pub(super) fn assert_name(self, name: &str) -> Result<(), OpenError> {
        match self {
            Self::Create { .. } if name == DIRECTORY => Err(OpenError::NameReserved),
            Self::Directory { .. } if name != DIRECTORY => {
                Err(OpenError::NotADirectory { name: name.to_owned() })
            }
            Self::Create { .. } | Self::Directory { .. } | Self::ReadOnly => Ok(()),
        }
    }

    /// Settles what ledger is opened: the `recorded` one if it is what was asked for, or a new one.
    pub(super) fn identity(
        self,
        name: &str,
        recorded: Option<Identity>,
    ) -> Result<Identity, OpenError> {
        self.assert_name(name)?;
        let name = name.to_owned();
        let (vault_key, algorithm, designation) = match self {
            Self::ReadOnly => return recorded.ok_or(OpenError::LedgerUnknown { name }),
            Self::Directory { environment } => (None, None, environment.map(Designation::Chosen)),
            Self::Create { vault_key, algorithm, designation } => {
                (vault_key, algorithm, designation)
            }
        };
        let Some(recorded) = recorded else {
            return Ok(Identity {
                designation: designation
                    .unwrap_or_else(|| Designation::Chosen(Environment::of_new(&name))),
                algorithm: algorithm.unwrap_or_default(),
                vault_key: vault_key.map_or_else(random, Ok).map_err(OpenError::Random)?,
            });
        };
        if vault_key.is_some_and(|given| given != recorded.vault_key) {
            return Err(OpenError::VaultKeyDiffers { name });
        }
        let made_for = recorded.environment(&name);
        let given = designation.map(|given| given.environment(&name));
        if let Some(given) = given.filter(|given| *given != made_for) {
            return Err(OpenError::EnvironmentDiffers { name, recorded: made_for, given });
        }
        match algorithm.filter(|given| *given != recorded.algorithm) {
            None => Ok(recorded),
            Some(given) => {
                Err(OpenError::AlgorithmDiffers { name, recorded: recorded.algorithm, given })
            }
        }
    }
}

/// Random bytes of the system's.
pub(super) fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    use std::io::Read as _;
    let mut bytes = [0; N];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Shows no key: it must not reach a log.
impl fmt::Debug for OpenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create { .. } => f.debug_struct("Create").finish_non_exhaustive(),
            Self::Directory { environment } => {
                f.debug_struct("Directory").field("environment", environment).finish()
            }
            Self::ReadOnly => f.write_str("ReadOnly"),
        }
    }
}

/// Shows no key: it must not reach a log.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("algorithm", &self.algorithm)
            .field("designation", &self.designation)
            .finish_non_exhaustive()
    }
}

/// Shows no key: it must not reach a log.
impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening")
            .field("head", &self.head)
            .field("epoch", &self.epoch)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}
