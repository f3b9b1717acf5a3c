//! How many files the process may open: every connection is one.

use rlimit::{Resource, getrlimit, setrlimit};

use crate::say;

/// Files that are not clients' connections: databases, logs, the world's and the console's
/// connections.
const OTHERS: u64 = 512;

/// Raises the soft limit of open files, often 1,024, so far that `connections` fit beside what the
/// ledgers need; gives how many connections do.
pub fn room_for(connections: usize) -> usize {
    let wanted = u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(OTHERS);
    let Ok((soft, hard)) = getrlimit(Resource::NOFILE) else { return connections };
    let mut allowed = soft;
    if soft < wanted && setrlimit(Resource::NOFILE, wanted.min(hard), hard).is_ok() {
        allowed = wanted.min(hard);
    }
    let fit = fitting(connections, allowed);
    if fit < connections {
        say(&format!(
            "custody-ledger: the system lets a process open {allowed} files, so {fit} connections \
             are served at once, not {connections}: raise the hard limit (ulimit -Hn, \
             LimitNOFILE=)"
        ));
    }
    fit
}

/// How many of so many connections fit within a limit of open files.
fn fitting(connections: usize, allowed: u64) -> usize {
    let room = usize::try_from(allowed.saturating_sub(OTHERS)).unwrap_or(usize::MAX);
    connections.min(room.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_to_the_ledgers() {
        assert_eq!(fitting(10_000, 20_000), 10_000);
        assert_eq!(fitting(10_000, 4_096), 3_584);
        assert_eq!(fitting(10_000, 100), 1, "one is served all the same");
    }
}
