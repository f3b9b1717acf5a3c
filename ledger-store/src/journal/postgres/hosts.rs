//! The hosts that a database may be at, and which of them is connected to.

use std::fmt::Write as _;
use std::io;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Row as _};

use super::codes;
use super::limit::within;
use super::tls::TlsFiles;

/// How long the only host may take to answer a new connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long each of several may.
const CONNECT_TIMEOUT_EACH: Duration = Duration::from_secs(3);

/// Where a database may be, in the order in which the places are tried.
#[derive(Clone)]
pub(super) struct Hosts {
    /// One or more, each the options of a connection to it.
    places: Vec<PgConnectOptions>,
    accepted: SessionAttrs,
    connect_timeout: Option<Duration>,
}

/// What a server must be to be connected to: libpq's `target_session_attrs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SessionAttrs {
    #[default]
    Any,
    ReadWrite,
    ReadOnly,
    Primary,
    Standby,
}

impl SessionAttrs {
    pub(super) const NAMES: [(&'static str, Self); 5] = [
        ("any", Self::Any),
        ("read-write", Self::ReadWrite),
        ("read-only", Self::ReadOnly),
        ("primary", Self::Primary),
        ("standby", Self::Standby),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, it)| *it == self).map_or("", |(name, _)| name)
    }

    /// What the server at the end of `connection` is instead, if it is not this.
    async fn lacking(self, connection: &mut PgConnection) -> sqlx::Result<Option<&'static str>> {
        if self == Self::Any {
            return Ok(None);
        }
        let is = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'";
        let row = sqlx::query(is).fetch_one(connection).await?;
        let (follows, only_reads): (bool, bool) = (row.try_get(0)?, row.try_get(1)?);
        Ok(match self {
            Self::ReadWrite if only_reads => Some("it is read-only"),
            Self::ReadOnly if !only_reads => Some("it is read-write"),
            Self::Primary if follows => Some("it is a standby"),
            Self::Standby if !follows => Some("it is a primary"),
            _ => None,
        })
    }
}

impl FromStr for SessionAttrs {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::NAMES.iter().find(|(name, _)| *name == text).map(|(_, it)| *it).ok_or(())
    }
}

impl Hosts {
    /// One place, whatever the server there is.
    pub(super) fn one(place: PgConnectOptions) -> Self {
        Self { places: vec![place], accepted: SessionAttrs::Any, connect_timeout: None }
    }

    /// The first of `places`, of which there is one or more, where a server is as it must be.
    pub(super) fn new(
        places: Vec<PgConnectOptions>,
        accepted: SessionAttrs,
        connect_timeout: Option<Duration>,
    ) -> Self {
        Self { places, accepted, connect_timeout }
    }

    /// The first place: what is said of all of them is said there.
    pub(super) fn first(&self) -> &PgConnectOptions {
        &self.places[0]
    }

    /// Connects to the first place where a server is as it must be.
    pub(super) async fn connect(&self, files: &TlsFiles) -> sqlx::Result<PgConnection> {
        files.check()?;
        let is_alone = self.places.len() == 1;
        let unless_said = if is_alone { CONNECT_TIMEOUT } else { CONNECT_TIMEOUT_EACH };
        let limit = self.connect_timeout.unwrap_or(unless_said);
        let mut errors = Vec::new();
        for place in &self.places {
            match within(limit, self.connect_to(place, files)).await {
                Ok(connection) => return Ok(connection),
                Err(error) => errors.push(error),
            }
        }
        let lasting = errors.iter().position(|error| !codes::may_recover(error));
        Err(match (&errors[..], lasting) {
            ([_], _) => errors.remove(0),
            // What one of them refuses is refused until somebody mends it.
            (_, Some(lasting)) => errors.swap_remove(lasting),
            (_, None) => self.nowhere(&errors),
        })
    }

    async fn connect_to(
        &self,
        place: &PgConnectOptions,
        files: &TlsFiles,
    ) -> sqlx::Result<PgConnection> {
        let connected = place.connect().await;
        let mut connection = connected.map_err(|error| files.explain(place, error))?;
        match self.accepted.lacking(&mut connection).await? {
            None => Ok(connection),
            Some(instead) => {
                let text = format!("{instead}, not {}", self.accepted.name());
                Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::NotConnected, text)))
            }
        }
    }

    /// Why each place was passed over.
    fn nowhere(&self, errors: &[sqlx::Error]) -> sqlx::Error {
        let mut text = format!("none of {} hosts can be used", self.places.len());
        for (place, error) in self.places.iter().zip(errors) {
            write!(text, "; {}: {error}", host_and_port(place)).expect("a text takes any text");
        }
        sqlx::Error::Io(io::Error::new(io::ErrorKind::NotConnected, text))
    }

    /// The hosts with their ports as the part of a URL before the database, and its parameters.
    pub(super) fn in_url(&self) -> (String, String) {
        let list = |part: fn(&PgConnectOptions) -> String| {
            self.places.iter().map(part).collect::<Vec<_>>().join(",")
        };
        let mut parameters = Vec::new();
        let is_local = self.places.iter().any(|place| place.get_socket().is_some());
        let place = if is_local {
            parameters.push(format!("host={}", list(host)));
            parameters.push(format!("port={}", list(|place| place.get_port().to_string())));
            String::new()
        } else {
            list(|place| format!("{}:{}", place.get_host(), place.get_port()))
        };
        if self.accepted != SessionAttrs::Any {
            parameters.push(format!("target_session_attrs={}", self.accepted.name()));
        }
        let parameters = parameters.join("&");
        (place, if parameters.is_empty() { parameters } else { format!("?{parameters}") })
    }
}

fn host(place: &PgConnectOptions) -> String {
    let socket = place.get_socket().map(|socket| socket.display().to_string());
    socket.unwrap_or_else(|| place.get_host().to_owned())
}

fn host_and_port(place: &PgConnectOptions) -> String {
    format!("{}:{}", host(place), place.get_port())
}
