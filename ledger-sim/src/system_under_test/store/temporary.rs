//! An SQLite file that is gone when its run is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use ledger_store::SqliteJournal;

use super::Open;

/// Ledgers in a file of the run's own.
pub(super) fn sqlite() -> Box<Open> {
    let file = TemporaryFile::new();
    Box::new(move |name, mode| Ok(Box::new(SqliteJournal::open(&file.0, name, mode)?)))
}

/// A file that is gone when the run is.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let name = format!("ledger-sim-{process}-{count}.db");
        let file = Self(std::env::temp_dir().join(name));
        // What a process of the same number left behind is no part of this run.
        file.remove();
        file
    }

    fn remove(&self) {
        for ending in ["", "-wal", "-shm"] {
            let mut path = self.0.clone().into_os_string();
            path.push(ending);
            // There is nobody left to tell, and a file that is not there is as good as removed.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        self.remove();
    }
}
