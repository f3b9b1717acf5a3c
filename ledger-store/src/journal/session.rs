//! A session with a database: one connection, spoken to from plain threads.

use sqlx::Connection;
use tokio::runtime::{Handle, Runtime};

/// A connection with the runtime it is spoken to in; the connection is made anew where it was lost.
pub(crate) struct Session<C: Connection> {
    // `None` once it was given up, until the next call makes another.
    connection: Option<C>,
    runtime: Runtime,
}

impl<C: Connection> Session<C> {
    /// A session by a connection that was made in `runtime`.
    pub(crate) fn new(connection: C, runtime: Runtime) -> Self {
        Self { connection: Some(connection), runtime }
    }

    /// Runs `work` on the connection, or on a new one by `connect` where it was given up.
    pub(crate) fn run<T>(
        &mut self,
        connect: impl AsyncFnOnce() -> sqlx::Result<C>,
        work: impl AsyncFnOnce(&mut C) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        self.runtime.block_on(async {
            let connection = match &mut self.connection {
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
        if let Some(connection) = self.connection.take() {
            // Nothing durable depends on closing well, and there is nobody left to tell.
            let _ = self.runtime.block_on(connection.close());
        }
    }
}

impl<C: Connection> Drop for Session<C> {
    /// A server then keeps no session waiting, and whoever opens a file next finds no log to
    /// recover.
    fn drop(&mut self) {
        if Handle::try_current().is_err() {
            self.close();
        }
    }
}
