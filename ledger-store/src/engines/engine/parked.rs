//! Waiting for a future on a thread that sleeps until it is woken, whatever else runs there.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Instant;

thread_local! {
    /// Wakes this thread.
    static WAKER: Waker = Waker::from(Arc::new(Parked(std::thread::current())));
}

/// Waits on this thread, whatever runs on it.
///
/// Nothing is polled here that needs a runtime; within one, its budget for a task must not apply,
/// since the task cannot yield.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = WAKER.with(Waker::clone);
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(tokio::task::coop::unconstrained(future));
    // A wake that comes between the poll and `park` is kept by the thread, so none is lost; `park`
    // may also return without one, so the future is polled again whatever ended it.
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// The same, but not for longer than until `end`: then there is nothing.
pub(super) fn wait_until<T>(end: Instant, future: impl Future<Output = T>) -> Option<T> {
    let waker = WAKER.with(Waker::clone);
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(tokio::task::coop::unconstrained(future));
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
        // The clock is read after the poll: what is ready just as the time ends is still taken.
        let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        std::thread::park_timeout(left);
    }
}

struct Parked(Thread);

impl Wake for Parked {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
