//! TLS of every client: rustls with ring, trusting the authorities of the system.

use std::sync::Arc;

pub use rustls::Error as TlsError;
use rustls::{ClientConfig, RootCertStore};

/// Makes the TLS of a client.
///
/// # Errors
///
/// [`TlsError`] when ring has no cipher of a protocol that rustls speaks.
pub fn client_config() -> Result<ClientConfig, TlsError> {
    let mut roots = RootCertStore::empty();
    // Some of a system's files may be unreadable; whom no file vouches for is not believed.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config?.with_root_certificates(roots).with_no_client_auth())
}
