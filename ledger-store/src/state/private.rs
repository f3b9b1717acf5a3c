//! Files and folders that their owner alone reads: whatever is made of a journal has personal
//! values, too.

use std::fs::{DirBuilder, OpenOptions};

/// The same options, for a file that its owner alone reads.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes folders that are not there, and that their owner alone enters.
pub(crate) fn private_folders() -> DirBuilder {
    let mut making = DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making
}
