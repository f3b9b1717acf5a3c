//! Threads of a provider's driver.

use std::thread::JoinHandle;

/// Starts a thread of this name.
pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.expect("the system gives threads to a service that has just started")
}
