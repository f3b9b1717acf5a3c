//! Names become addresses here, and only those that the guard admits: what it gives is what is
//! connected to.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::{Forbidden, Guard};

/// The addresses of a name, to come.
pub type AddressesFuture<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Finds the addresses of a name.
pub trait Lookup: Send + Sync + 'static {
    /// Every address that the name has now.
    fn addresses<'a>(&'a self, name: &'a str) -> AddressesFuture<'a>;
}

/// The system's own way to find them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses<'a>(&'a self, name: &'a str) -> AddressesFuture<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// A resolver of connections that leaves out what the guard does not admit.
pub(super) struct GuardedResolver {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) guard: Guard,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, guard) = (Arc::clone(&self.lookup), self.guard);
        Box::pin(async move {
            let mut found = lookup.addresses(name.as_str()).await?;
            let any = !found.is_empty();
            found.retain(|address| guard.admits(*address));
            if any && found.is_empty() {
                return Err(Forbidden::Address.into());
            }
            // The port is the URL's own.
            let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
