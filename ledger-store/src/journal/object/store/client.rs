//! The HTTP client of a cloud: TLS is rustls with ring, and trusts the system's authorities.

use std::time::Duration;

use object_store::client::{HttpClient, HttpConnector};
use object_store::{ClientConfigKey, ClientOptions, Error, Result};

use crate::tls::client_config;

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Makes clients for a store, and for whoever gives it credentials.
#[derive(Debug)]
pub(in crate::journal::object) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp);
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(client_config().map_err(client_error)?)
            .https_only(allows_http.as_deref() != Some("true"))
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("custody-ledger/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(client_error)?;
        Ok(HttpClient::new(client))
    }
}

fn client_error(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Generic { store: "HTTP client", source: Box::new(error) }
}
