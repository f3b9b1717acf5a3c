//! Locks of the file system, which the death of their process releases: one file for each epoch of
//! a ledger, so that a writer that takes over has a lock at once, whoever holds the one before.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::lock::LockState;
use super::noted_file::NotedFile;
use crate::state::private::private;

/// File systems of other machines, as Linux names them: whether a lock there is of all machines
/// depends on how each has mounted it.
const NETWORK: [&str; 17] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "gfs2",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "smb3",
    "smbfs",
];

/// The locks of a ledger that is kept in files.
#[derive(Debug)]
pub(in crate::journal) struct FileLocks {
    /// The path of each without its epoch.
    stem: PathBuf,
    held: Option<FileLock>,
    /// That of a take-over under way.
    next: Option<FileLock>,
    fault: Option<String>,
}

/// A lock that is held until it is dropped; its file goes with it.
#[derive(Debug)]
struct FileLock {
    place: NotedFile,
    _file: File,
}

impl FileLocks {
    /// Locks beside the files of a ledger, whose paths begin with `stem`.
    pub(in crate::journal) fn new(stem: PathBuf) -> Self {
        Self { stem, held: None, next: None, fault: None }
    }

    fn path(&self, epoch: u64) -> PathBuf {
        let mut path = self.stem.as_os_str().to_owned();
        path.push(format!("-{epoch}"));
        path.into()
    }

    /// Tells whether the writer of this epoch lives.
    pub(in crate::journal) fn state(&self, epoch: u64) -> LockState {
        let path = self.path(epoch);
        if network_file_system(&path).is_some() {
            return LockState::Free;
        }
        // Shared, so that two who look do not see one another.
        match File::open(&path).map(|file| file.try_lock_shared()) {
            Ok(Ok(())) => LockState::Gone,
            Ok(Err(TryLockError::WouldBlock)) => LockState::Held,
            Ok(Err(TryLockError::Error(_))) | Err(_) => LockState::Free,
        }
    }

    /// Takes the lock of an epoch that is about to begin; tells whether it could be had.
    pub(in crate::journal) fn take(&mut self, epoch: u64) -> bool {
        self.next = None;
        let taken = FileLock::take(self.path(epoch));
        self.fault = taken.as_ref().err().cloned();
        self.next = taken.ok();
        self.next.is_some()
    }

    /// The epoch has begun: its lock is held from now on, and the file of the one before goes.
    pub(in crate::journal) fn start_epoch(&mut self, epoch: u64) {
        self.held = self.next.take();
        // Whoever held it has been overtaken, or is dead.
        let _ = fs::remove_file(self.path(epoch - 1));
    }

    /// The epoch has not begun.
    pub(in crate::journal) fn abandon_epoch(&mut self) {
        self.next = None;
    }

    /// Takes the lock that is held anew where somebody has taken its file away.
    pub(in crate::journal) fn restore(&mut self) {
        let Some(lost) = self.held.as_ref().filter(|held| held.place.assert_kept().is_err()) else {
            return;
        };
        let again = FileLock::take(lost.place.path().to_owned());
        self.fault = again.as_ref().err().cloned();
        self.held = again.ok().or(self.held.take());
    }

    /// Releases the lock.
    pub(in crate::journal) fn release(&mut self) {
        self.held = None;
    }

    /// Tells why no lock was had.
    pub(in crate::journal) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }
}

impl FileLock {
    /// Takes it, or tells why it cannot be had or trusted.
    fn take(path: PathBuf) -> Result<Self, String> {
        if let Some(kind) = network_file_system(&path) {
            return Err(format!(
                "{} is on a file system of the network ({kind}), whose locks may not reach every \
                 machine",
                path.parent().unwrap_or(&path).display()
            ));
        }
        let shown = path.display().to_string();
        let file = private(OpenOptions::new().create(true).truncate(false).write(true)).open(&path);
        let file = file.map_err(|error| format!("{shown}: {error}"))?;
        match file.try_lock() {
            Ok(()) => {
                let place = NotedFile::note(path).map_err(|error| format!("{shown}: {error}"))?;
                Ok(Self { place, _file: file })
            }
            Err(error) => Err(format!("{shown} cannot be locked: {error}")),
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Before it is released, so that nobody locks a file that then goes.
        if self.place.assert_kept().is_ok() {
            let _ = fs::remove_file(self.place.path());
        }
    }
}

/// Returns the evidence that a writer of the file at `path`, which is not there, lives: its lock
/// beside it is held, or another process has the file open yet.
#[cfg(feature = "sqlite")]
pub(in crate::journal) fn writer_of_lost(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let begin = format!("{name}-lock-");
    let beside = fs::read_dir(folder).ok()?.flatten();
    let is_lock = |name: &str| name.starts_with(&begin);
    let locks = beside.filter(|file| file.file_name().to_str().is_some_and(is_lock));
    for lock in locks.map(|file| file.path()) {
        let locked = File::open(&lock).map(|file| file.try_lock_shared());
        if matches!(locked, Ok(Err(TryLockError::WouldBlock))) {
            return Some(format!("{} is locked", lock.display()));
        }
    }
    // Whoever deletes the file deletes the locks, too. Linux names what a process has open.
    let gone = folder.canonicalize().ok()?.join(format!("{name} (deleted)"));
    process_with_open(|file| fs::read_link(file).is_ok_and(|it| it == gone))
}

/// Names another process of this machine that has such a file open, by Linux's `/proc/PID/fd`.
#[cfg(feature = "sqlite")]
fn process_with_open(is_it: impl Fn(&Path) -> bool) -> Option<String> {
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").ok()?.flatten().map(|process| process.file_name());
    let mut others = processes.filter_map(|name| name.into_string().ok()).filter(|it| *it != own);
    let process = others.find(|process| {
        let mut open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        open.any(|file| is_it(&file.path()))
    });
    process.map(|process| format!("process {process} has it open"))
}

/// Says that the file at `path` has a second name, by a hard link or as a mount of its own: SQLite
/// keeps its log, and a writer its lock, beside the name, so two writers would not see one another.
#[cfg(all(feature = "sqlite", unix))]
pub(in crate::journal) fn second_name(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let path = path.canonicalize().ok()?;
    let file = path.metadata().ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let fault = if is_mounted(&mounts, &path) {
        "it is mounted by itself, so it has another name elsewhere: mount its folder instead"
    } else if file.nlink() > 1 {
        "a hard link gives it a second name: remove all but one"
    } else {
        return None;
    };
    let same = |other: &Path| {
        other.metadata().is_ok_and(|it| (it.dev(), it.ino()) == (file.dev(), file.ino()))
    };
    let writer = process_with_open(same).map(|writer| format!(" ({writer})"));
    Some(format!("{fault}{}", writer.unwrap_or_default()))
}

/// Elsewhere the system does not say.
#[cfg(all(feature = "sqlite", not(unix)))]
pub(in crate::journal) fn second_name(_path: &Path) -> Option<String> {
    None
}

/// The kind of file system of other machines that a path is on, if it is on one; where the system
/// does not say, it is taken for one of this machine.
fn network_file_system(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
    network_kind(&fs::read_to_string("/proc/self/mountinfo").ok()?, &folder)
}

/// The same by the text of Linux's `mountinfo` (proc(5)).
fn network_kind(mounts: &str, folder: &Path) -> Option<String> {
    let mount = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let place = unescape(place.split(' ').nth(4)?);
        let kind = kind.split(' ').next()?.to_owned();
        folder.starts_with(&place).then(|| (place.as_os_str().len(), kind))
    };
    // Of two at one place the later one hides the other.
    let (_, kind) = mounts.lines().filter_map(mount).max_by_key(|(length, _)| *length)?;
    let known = kind.starts_with("fuse.") || NETWORK.contains(&&*kind);
    known.then_some(kind)
}

/// Tells whether something is mounted at just this path.
#[cfg(feature = "sqlite")]
fn is_mounted(mounts: &str, path: &Path) -> bool {
    mounts.lines().filter_map(|line| line.split(' ').nth(4)).any(|place| unescape(place) == path)
}

/// A place as `mountinfo` writes it: blanks and backslashes as three octal digits.
fn unescape(place: &str) -> PathBuf {
    let replaced = ["\\040", "\\011", "\\012", "\\134"].into_iter().zip([" ", "\t", "\n", "\\"]);
    replaced.fold(place.to_owned(), |place, (from, to)| place.replace(from, to)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
        40 22 0:40 / /mnt/books rw,relatime shared:9 - nfs4 10.0.0.9:/books rw\n\
        41 40 8:2 / /mnt/books/local rw - xfs /dev/sdb1 rw\n\
        42 22 0:41 / /mnt/two\\040words rw - fuse.sshfs host: rw\n";

    #[test]
    fn a_folder_is_on_the_network_as_the_mount_nearest_to_it_is() {
        let kind = |folder: &str| network_kind(MOUNTS, Path::new(folder));
        assert_eq!(kind("/var/lib/ledger"), None);
        assert_eq!(kind("/mnt/books/2026").as_deref(), Some("nfs4"));
        assert_eq!(kind("/mnt/books/local/x"), None);
        assert_eq!(kind("/mnt/bookshelf"), None);
        assert_eq!(kind("/mnt/two words").as_deref(), Some("fuse.sshfs"));
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn a_file_that_is_mounted_by_itself_is_known_by_its_place() {
        assert!(is_mounted(MOUNTS, Path::new("/mnt/two words")));
        assert!(!is_mounted(MOUNTS, Path::new("/mnt/books/ledger.db")));
    }

    #[test]
    fn a_lock_is_held_until_it_is_released_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let stem = folder.path().join("ledger.db-lock-1");
        let (mut mine, other) = (FileLocks::new(stem.clone()), FileLocks::new(stem));
        assert_eq!(other.state(1), LockState::Free);
        assert!(mine.take(1));
        mine.start_epoch(1);
        assert_eq!(other.state(1), LockState::Held);
        // The next epoch has a lock of its own.
        assert!(mine.take(2));
        mine.start_epoch(2);
        assert_eq!((other.state(1), other.state(2)), (LockState::Free, LockState::Held));
        mine.release();
        assert_eq!(other.state(2), LockState::Free);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // A lock whose file somebody takes away is taken anew.
        assert!(mine.take(2));
        mine.start_epoch(2);
        fs::remove_file(other.path(2)).unwrap();
        assert_eq!(other.state(2), LockState::Free);
        mine.restore();
        assert_eq!((other.state(2), mine.fault()), (LockState::Held, None));
        mine.release();
        // A process that was killed leaves its file, and no lock of it.
        fs::write(other.path(2), "").unwrap();
        assert_eq!(other.state(2), LockState::Gone);
    }
}
