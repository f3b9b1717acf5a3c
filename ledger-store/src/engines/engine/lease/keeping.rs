//! The keeping thread: renews the lease of an engine that has nothing to write.
//!
//! Whoever writes renews it on the way, with the same connection: a second one would wait for every
//! commit of the first, and on SQLite for longer than a lease lasts.

use std::sync::Mutex;

use super::super::shared::Shared;
use super::super::writing::Writer;

/// Renews until the engine ends.
pub(in crate::engines::engine) fn run(writer: &Mutex<Writer>, shared: &Shared) {
    while let Some(rest) = shared.lease_rests() {
        if shared.ends_within(rest) {
            return;
        }
        // A thread that panicked with the journal has ended the engine.
        let Ok(mut writer) = writer.lock() else { return };
        if !writer.keep_lease() {
            return;
        }
    }
}
