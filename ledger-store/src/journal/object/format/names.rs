//! Where the objects of a ledger stand under its prefix.
//!
//! ```text
//! LEDGER/identity                      what it was created with
//! LEDGER/commit/NUMBER-EPOCH           an entry of the log, in the epoch it follows on
//! LEDGER/merged/NUMBER                 entries from this number on, joined into one object
//! LEDGER/vault/TOKEN-EPOCH-NUMBER      a value, written before the entry of this number
//! LEDGER/mark/EPOCH                    how far the writer of this epoch has come
//! LEDGER/lost/AT/…                     entries and merged objects of an accepted loss, moved here
//! LEDGER/probe/…                       what was written to see how the store behaves
//! ```

use ledger_core::hexadecimal::digits;
use object_store::path::Path;

use crate::state::vault::row::Token;

/// The names of one ledger's objects.
#[derive(Clone, Debug)]
pub(in crate::journal::object) struct Names(Path);

/// Where a value of the vault is kept: the epoch of its writer, and the number that its commit was
/// to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::journal::object) struct ValueLocation {
    pub(in crate::journal::object) epoch: u64,
    pub(in crate::journal::object) number: u64,
}

impl Names {
    /// The names of the ledger `name` under `prefix`; what a name may not hold is escaped.
    pub(in crate::journal::object) fn new(prefix: &Path, name: &str) -> Self {
        Self(prefix.clone().join(name))
    }

    pub(in crate::journal::object) fn identity(&self) -> Path {
        self.0.clone().join("identity")
    }

    /// The folder of the entries that are not merged yet.
    pub(in crate::journal::object) fn entries(&self) -> Path {
        self.0.clone().join("commit")
    }

    /// The entry of this number that follows on the epoch: one of the next epoch has another name.
    pub(in crate::journal::object) fn entry(&self, number: u64, epoch: u64) -> Path {
        self.entries().join(format!("{number:020}-{epoch:020}"))
    }

    /// The folder of merged objects.
    pub(in crate::journal::object) fn merged_folder(&self) -> Path {
        self.0.clone().join("merged")
    }

    /// The merged object whose first entry has this number.
    pub(in crate::journal::object) fn block(&self, from: u64) -> Path {
        self.merged_folder().join(format!("{from:020}"))
    }

    /// The folder of the marks of writers.
    pub(in crate::journal::object) fn marks(&self) -> Path {
        self.0.clone().join("mark")
    }

    /// How far the writer of this epoch has come.
    pub(in crate::journal::object) fn mark(&self, epoch: u64) -> Path {
        self.marks().join(format!("{epoch:020}"))
    }

    /// The folder of the vault.
    pub(in crate::journal::object) fn values(&self) -> Path {
        self.0.clone().join("vault")
    }

    /// The ledger's folder on a disk; `folder` is that of the store.
    fn on_disk(&self, folder: &std::path::Path) -> std::path::PathBuf {
        folder.join(self.0.filename().unwrap_or_default())
    }

    /// The folder of the vault on a disk; `folder` is that of the store.
    pub(in crate::journal::object) fn folder_of_values(
        &self,
        folder: &std::path::Path,
    ) -> std::path::PathBuf {
        self.on_disk(folder).join("vault")
    }

    /// Where a ledger that was taken over has objects on a disk for as long as it is written:
    /// its identity and the folder of its entries; `folder` is that of the store.
    pub(in crate::journal::object) fn lasting(
        &self,
        folder: &std::path::Path,
    ) -> [std::path::PathBuf; 2] {
        ["identity", "commit"].map(|it| self.on_disk(folder).join(it))
    }

    /// Returns what the paths of a writer's locks begin with on a disk; `folder` is that of the
    /// store.
    pub(in crate::journal::object) fn locks(&self, folder: &std::path::Path) -> std::path::PathBuf {
        self.on_disk(folder).join("writer-lock")
    }

    pub(in crate::journal::object) fn value(&self, token: Token, place: ValueLocation) -> Path {
        let ValueLocation { epoch, number } = place;
        let token = digits(&token);
        self.values().join(format!("{token}-{epoch:020}-{number:020}"))
    }

    /// The folder of what is left of an accepted loss, of entry `at` and those after it.
    pub(in crate::journal::object) fn lost_folder(&self, at: u64) -> Path {
        self.0.clone().join("lost").join(format!("{at:020}"))
    }

    /// Where an object of the log is moved that such a loss left.
    pub(in crate::journal::object) fn lost_path(&self, at: u64, path: &Path) -> Path {
        let folder = if path.prefix_matches(&self.merged_folder()) { "merged" } else { "commit" };
        self.lost_folder(at).join(folder).join(path.filename().unwrap_or_default())
    }

    /// An object that nobody reads but whoever wrote it.
    pub(in crate::journal::object) fn probe(&self, nonce: u128) -> Path {
        self.0.clone().join("probe").join(format!("{nonce:032x}"))
    }
}

/// The number and epoch in the name of an entry.
pub(in crate::journal::object) fn entry_of(path: &Path) -> Option<(u64, u64)> {
    let (number, epoch) = path.filename()?.split_once('-')?;
    Some((number.parse().ok()?, epoch.parse().ok()?))
}

/// The first number in the name of a merged object.
pub(in crate::journal::object) fn block_of(path: &Path) -> Option<u64> {
    path.filename()?.parse().ok()
}

/// The token and place in the name of a value.
pub(in crate::journal::object) fn value_of(path: &Path) -> Option<(Token, ValueLocation)> {
    let mut parts = path.filename()?.split('-');
    let token = u128::from_str_radix(parts.next()?, 16).ok()?.to_be_bytes();
    let (epoch, number) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((token, ValueLocation { epoch, number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_it_was_made_of() {
        let names = Names::new(&Path::from("books"), "live");
        let path = names.entry(12, 3);
        assert_eq!(path.as_ref(), "books/live/commit/00000000000000000012-00000000000000000003");
        assert_eq!(entry_of(&path), Some((12, 3)));
        assert_eq!(block_of(&names.block(65)), Some(65));
        let place = ValueLocation { epoch: 2, number: 9 };
        assert_eq!(value_of(&names.value([7; 16], place)), Some(([7; 16], place)));
        assert_eq!(entry_of(&names.identity()), None);
    }

    #[test]
    fn a_ledger_may_be_called_anything_and_stays_under_its_prefix() {
        let names = Names::new(&Path::from("books"), "../a/b");
        assert_eq!(names.identity().as_ref(), "books/..%2Fa%2Fb/identity");
    }
}
