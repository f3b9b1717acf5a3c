//! Waiting for a future on a thread that sleeps until it is woken, whatever else runs there.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

/// Waits on this thread, whatever runs on it.
///
/// Nothing is polled here that needs a runtime; within one, its budget for a task must not apply,
/// since the task cannot yield.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Parked(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(tokio::task::coop::unconstrained(future));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

struct Parked(Thread);

impl Wake for Parked {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
