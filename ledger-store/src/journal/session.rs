//! A session with a database: one connection, spoken to from whatever thread has it.
//!
//! A runtime cannot be waited for within another, so from async code the wait goes to a thread of
//! its own. The caller's thread blocks meanwhile either way.

use std::pin::{Pin, pin};

#[cfg(feature = "_sql")]
use sqlx::Connection;
use tokio::runtime::{Handle, Runtime};

/// A connection with the runtime it is spoken to in; the connection is made anew where it was lost.
#[cfg(feature = "_sql")]
pub(crate) struct Session<C: Connection + Send> {
    // `None` once it was given up, until the next call makes another.
    connection: Option<C>,
    // `None` while it is dropped.
    runtime: Option<Runtime>,
}

/// Waits in `runtime` for `work`, on this thread or, within async code, on one of its own.
pub(crate) fn wait_in<T: Send>(runtime: &Runtime, work: impl AsyncFnOnce() -> T + Send) -> T {
    let (mut work, mut done) = (Some(work), None);
    outside_of_async(&mut || {
        let work = work.take().expect("it is run once");
        drive(runtime, pin!(async { done = Some(work().await) }));
    });
    done.expect("it was waited for")
}

/// Waits for a future of whatever type: what waits is compiled once, and not once for each of them.
fn drive(runtime: &Runtime, future: Pin<&mut dyn Future<Output = ()>>) {
    runtime.block_on(future);
}

/// Runs `work`, once, where it may wait: here, or on a thread of its own where this one runs async
/// code.
fn outside_of_async(work: &mut (dyn FnMut() + Send)) {
    if Handle::try_current().is_err() {
        return work();
    }
    let joined = std::thread::scope(|scope| scope.spawn(work).join());
    if let Err(panicked) = joined {
        std::panic::resume_unwind(panicked);
    }
}

#[cfg(feature = "_sql")]
impl<C: Connection + Send> Session<C> {
    /// A session by a connection that was made in `runtime`.
    pub(crate) fn new(connection: C, runtime: Runtime) -> Self {
        Self { connection: Some(connection), runtime: Some(runtime) }
    }

    /// A session that connects in `runtime` when it is first used.
    #[cfg(feature = "postgres")]
    pub(crate) fn lazy(runtime: Runtime) -> Self {
        Self { connection: None, runtime: Some(runtime) }
    }

    /// Runs `work` on the connection, or on a new one by `connect` where it was given up.
    pub(crate) fn run<T: Send>(
        &mut self,
        connect: impl AsyncFnOnce() -> sqlx::Result<C> + Send,
        work: impl AsyncFnOnce(&mut C) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        let Self { connection, runtime } = self;
        let runtime = runtime.as_ref().expect("only a drop takes it");
        wait_in(runtime, async || {
            let connection = match connection {
                Some(connection) => connection,
                lost => lost.insert(connect().await?),
            };
            work(connection).await
        })
    }

    /// Gives the connection up without a word to the database, which may not be there any more.
    pub(crate) fn abandon(&mut self) {
        self.connection = None;
    }

    /// Gives the connection up and waits until the database has closed it.
    pub(crate) fn close(&mut self) {
        if let (Some(connection), Some(runtime)) = (self.connection.take(), &self.runtime) {
            // Nothing durable depends on closing well, and there is nobody left to tell.
            let _ = wait_in(runtime, async || connection.close().await);
        }
    }
}

#[cfg(feature = "_sql")]
impl<C: Connection + Send> Drop for Session<C> {
    /// A server then keeps no session waiting, and whoever opens a file next finds no log to
    /// recover.
    fn drop(&mut self) {
        self.close();
        let mut runtime = self.runtime.take();
        outside_of_async(&mut || drop(runtime.take()));
    }
}
