//! What `serve` listens on beside clients: for the world, for the operator, and for replicas.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;

use ledger_http::Token;
use ledger_http::server::{Listening, UnixSocket};

use super::settings::{NOWHERE, Settings};
use crate::Failure;

/// What an address begins with that is a socket in the file system.
const SOCKET: &str = "unix:";

/// The world's listener.
pub(super) struct World {
    /// Until it is served.
    pub(super) listening: Option<Listening>,
    /// What it asks for; nothing on a socket that its owner alone opens, unless it is said.
    pub(super) token: Option<Token>,
    /// Tells whether nobody knows the token yet.
    pub(super) fresh: bool,
    /// Where it is, as a person reads it.
    pub(super) address: String,
}

impl World {
    /// Nothing where it is switched off.
    pub(super) fn from_settings(settings: &Settings) -> Result<Option<Self>, Failure> {
        let address = &settings.internal_listen;
        if address == NOWHERE {
            return Ok(None);
        }
        let token = settings.internal_token.as_deref().map(Token::new).transpose();
        let token = token.map_err(|error| {
            Failure::because("internal-token is no token for the world", &error)
        })?;
        if let Some(path) = address.strip_prefix(SOCKET) {
            let socket = UnixSocket::bind(Path::new(path));
            let socket = socket.map_err(|error| unheard(address, &error))?;
            let (listening, address) = (Some(socket.into()), address.clone());
            return Ok(Some(Self { listening, token, fresh: false, address }));
        }
        let listener = bind("internal-listen", address)?;
        let bound = listener.local_addr()?;
        let fresh = token.is_none();
        if fresh && !bound.ip().is_loopback() {
            return Err(Failure::new(format!(
                "{address} is reached from other machines: set internal-token for it"
            )));
        }
        let token = match token {
            Some(token) => token,
            None => Token::random()
                .map_err(|error| Failure::because("the system gives no randomness", &error))?,
        };
        let (listening, address) = (Some(listener.into()), format!("http://{bound}"));
        Ok(Some(Self { listening, token: Some(token), fresh, address }))
    }
}

/// The console's listener, and the token that it asks for; nothing where it is switched off.
pub(super) fn console(
    settings: &Settings,
) -> Result<Option<(TcpListener, Option<Token>)>, Failure> {
    let address = &settings.console_listen;
    if address == NOWHERE {
        return Ok(None);
    }
    let listener = bind("console-listen", address)?;
    let token = settings.console_token.as_deref().map(Token::new).transpose();
    let token = token
        .map_err(|error| Failure::because("console-token is no token for the console", &error))?;
    if token.is_none() && !listener.local_addr()?.ip().is_loopback() {
        return Err(Failure::new(format!(
            "{address} is reached from other machines: set console-token for it"
        )));
    }
    Ok(Some((listener, token)))
}

/// The listener of replicas, and the secret that they bring; nothing where nobody follows.
pub(super) fn replicas(settings: &Settings) -> Result<Option<(TcpListener, Token)>, Failure> {
    let address = &settings.replicas_listen;
    if address == NOWHERE {
        return Ok(None);
    }
    let secret = settings.replica_secret()?;
    Ok(Some((bind("replicas-listen", address)?, secret)))
}

/// Listens on the address of a setting.
pub(in crate::commands) fn bind(setting: &str, address: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => Failure::new(format!(
            "{setting} is an address and a port, such as 127.0.0.1:8080, and {address} is not"
        )),
        _ => unheard(address, &error),
    })
}

fn unheard(address: &str, error: &std::io::Error) -> Failure {
    Failure::because(&format!("nothing can listen on {address}"), error)
}
