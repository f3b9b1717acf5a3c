//! Servers on a runtime of their own, for a program or a test that is not asynchronous itself.

use std::io;

use axum::Router;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use super::listening::{Acceptor, Listening};
use super::{Connections, Ending, Routes, serve_on};

/// Servers that run until they are told to end.
#[derive(Debug)]
pub struct Running {
    runtime: Runtime,
    ending: Ending,
    servers: Vec<JoinHandle<bool>>,
    routes: Vec<Routes>,
}

impl Running {
    /// Serves routes on each listener, on so many threads, or one for each processor.
    ///
    /// # Errors
    ///
    /// When the system gives no threads, or a listener cannot be waited for.
    pub fn start<L: Into<Listening>>(
        sites: Vec<(L, Router)>,
        connections: Connections,
        threads: Option<usize>,
    ) -> io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        if let Some(threads) = threads {
            builder.worker_threads(threads.max(1));
        }
        let runtime = builder.enable_all().thread_name("ledger-serves").build()?;
        let (ending, ended) = Ending::new();
        let (mut servers, mut kept) = (Vec::new(), Vec::new());
        for (listener, routes) in sites {
            let routes = Routes::new(routes);
            kept.push(routes.clone());
            let _within = runtime.enter();
            let listener = Acceptor::from_listening(listener.into())?;
            servers.push(runtime.spawn(serve_on(listener, routes, connections, ended.clone())));
        }
        Ok(Self { runtime, ending, servers, routes: kept })
    }

    /// Answers by other routes from now on: on the listener of each site in turn, in the order in
    /// which they were given, as far as there are routes. No connection is lost by it, and a
    /// request that is under way is answered by the routes that it came to.
    pub fn replace(&self, routes: impl IntoIterator<Item = Router>) {
        for (site, routes) in self.routes.iter().zip(routes) {
            site.replace(routes);
        }
    }

    /// Takes no more connections, and waits for what is under way; says whether all of it was
    /// answered.
    #[must_use]
    pub fn end(self) -> bool {
        let Self { runtime, ending, servers, .. } = self;
        ending.end();
        let mut all = true;
        for server in servers {
            // A server that panicked has answered nobody.
            all &= runtime.block_on(server).unwrap_or(false);
        }
        runtime.shutdown_background();
        all
    }
}
