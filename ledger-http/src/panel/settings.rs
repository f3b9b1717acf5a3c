//! By which server mail leaves, and from whom.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use lettre::message::Mailbox;
use thiserror::Error;
use url::{Host, Url};

use crate::token::Token;

/// How links are mailed, and what they and their sessions are sealed by.
#[derive(Clone, Debug)]
pub struct PanelSettings {
    /// The server that takes the mail.
    pub server: MailServer,
    /// Whom it is from.
    pub from: Sender,
    /// How long is waited before each further attempt, after one that failed for a while.
    pub waits: Vec<Duration>,
    /// The secret that seals every row of links and sessions, at least 32 characters, the same in
    /// all processes of a service and kept outside the database: without it, writing the database
    /// opens no dashboard. With none, each process makes one, and its links and sessions end with
    /// the process.
    pub secret: Option<Token>,
}

impl PanelSettings {
    /// By this server, from this address; attempts after 5 s, 30 s, 2 min and 5 min, sealed by a
    /// secret of the process's own.
    #[must_use]
    pub fn new(server: MailServer, from: Sender) -> Self {
        let waits = [5, 30, 120, 300].map(Duration::from_secs).to_vec();
        Self { server, from, waits, secret: None }
    }
}

/// A server that takes mail by SMTP: `smtps://user:password@host:465`, or `smtp://` with STARTTLS.
///
/// Only to an address of this machine does mail go without TLS: it holds links that open a session.
/// No password shows in it or in its errors.
///
/// ```
/// use ledger_http::panel::settings::MailServer;
///
/// let server: MailServer = "smtps://loja:s%40nha@smtp.example.com".parse()?;
/// assert_eq!(server.to_string(), "smtps://smtp.example.com:465");
/// assert!("http://smtp.example.com".parse::<MailServer>().is_err());
/// # Ok::<(), ledger_http::panel::settings::NoMailServer>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct MailServer {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) login: Option<(String, String)>,
}

/// How the connection to a server is made secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Security {
    /// By TLS from the first byte.
    Tls,
    /// By TLS before anything is said.
    StartTls,
    /// It does not leave this machine.
    Local,
}

/// A text is no mail server. What it was is not said: it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it is no smtp://host:port or smtps://user:password@host:port")]
pub struct NoMailServer;

impl FromStr for MailServer {
    type Err = NoMailServer;

    fn from_str(text: &str) -> Result<Self, NoMailServer> {
        let url = Url::parse(text).map_err(|_| NoMailServer)?;
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            // URLs of schemes that are not the web's hold addresses as names.
            Some(Host::Domain(name)) => name.parse().ok(),
            None => return Err(NoMailServer),
        };
        let local = address.is_some_and(|address| address.is_loopback());
        let (security, port) = match url.scheme() {
            "smtps" => (Security::Tls, 465),
            "smtp" if local => (Security::Local, 25),
            "smtp" => (Security::StartTls, 587),
            _ => return Err(NoMailServer),
        };
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(NoMailServer)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(NoMailServer);
        }
        let user = percent_decode(url.username());
        let login = (!user.is_empty())
            .then(|| (user, url.password().map(percent_decode).unwrap_or_default()));
        Ok(Self { host, port: url.port().unwrap_or(port), security, login })
    }
}

/// A part of a URL without its percent signs.
fn percent_decode(part: &str) -> String {
    let pair = format!("={}", part.replace('+', "%2B").replace('&', "%26"));
    let mut pairs = form_urlencoded::parse(pair.as_bytes());
    pairs.next().map(|(_, value)| value.into_owned()).unwrap_or_default()
}

impl fmt::Display for MailServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.security == Security::Tls { "smtps" } else { "smtp" };
        let Self { host, port, .. } = self;
        if host.contains(':') {
            return write!(f, "{scheme}://[{host}]:{port}");
        }
        write!(f, "{scheme}://{host}:{port}")
    }
}

impl fmt::Debug for MailServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MailServer({self})")
    }
}

/// Whom mail is from: `Loja <painel@example.com>`, or the address alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(pub(super) Mailbox);

/// A text is no address of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it is no address, as painel@example.com or Loja <painel@example.com>")]
pub struct NoSender;

impl FromStr for Sender {
    type Err = NoSender;

    fn from_str(text: &str) -> Result<Self, NoSender> {
        text.parse().map(Self).map_err(|_| NoSender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_reached_by_tls_unless_it_is_this_machine() {
        let read = |text: &str| text.parse::<MailServer>().map(|read| (read.security, read.port));
        assert_eq!(read("smtps://smtp.example.com"), Ok((Security::Tls, 465)));
        assert_eq!(read("smtp://smtp.example.com"), Ok((Security::StartTls, 587)));
        assert_eq!(read("smtp://smtp.example.com:25"), Ok((Security::StartTls, 25)));
        assert_eq!(read("smtp://127.0.0.1:2525"), Ok((Security::Local, 2525)));
        assert_eq!(read("smtp://[::1]:2525"), Ok((Security::Local, 2525)));
        // A name could come to stand for another machine.
        assert_eq!(read("smtp://localhost"), Ok((Security::StartTls, 587)));
        for wrong in
            ["", "smtp.example.com", "http://a", "smtp://", "smtp://a/b", "smtp://a?tls=no"]
        {
            assert_eq!(read(wrong), Err(NoMailServer), "{wrong}");
        }
    }

    #[test]
    fn a_password_is_read_and_not_shown() {
        let server: MailServer = "smtp://loja%40x:s%2Be+n&ha@mail.example:1".parse().unwrap();
        let login = ("loja@x".to_owned(), "s+e+n&ha".to_owned());
        assert_eq!(server.login, Some(login));
        assert_eq!(format!("{server} {server:?}").matches("ha").count(), 0);
        assert!("Loja <painel@loja.example>".parse::<Sender>().is_ok());
        assert_eq!("painel".parse::<Sender>(), Err(NoSender));
    }
}
