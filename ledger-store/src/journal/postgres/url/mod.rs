//! The URL of a PostgreSQL database, read strictly.

mod host_urls;
pub(super) mod malformed;

use std::str::FromStr;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::hosts::{Hosts, SessionAttrs};
use super::server::{PostgresServer, STATEMENT_TIMEOUT};
use super::tls::{TlsFiles, TlsParameters};
use malformed::{
    CONNECT_TIMEOUT_PARAMETER, PARAMETERS, SESSION_PARAMETER, TIMEOUT_PARAMETER, UrlMalformed,
};

impl FromStr for PostgresServer {
    type Err = UrlMalformed;

    fn from_str(url: &str) -> Result<Self, UrlMalformed> {
        let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
        let rest = rest.ok_or(UrlMalformed::Scheme)?;
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut own = OwnParameters::default();
        let mut passed_on = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !PARAMETERS.contains(&&*name) && !name.starts_with("options[") {
                return Err(UrlMalformed::Parameter { name: name.into_owned() });
            }
            if !own.take(&name, &value)? {
                passed_on.push((name, value));
            }
        }
        let options = host_urls::urls_by_host(place, &passed_on)?.into_iter().map(|url| {
            let options: PgConnectOptions =
                url.parse().map_err(|error: sqlx::Error| UrlMalformed::Syntax(error.into()))?;
            let (options, files) = own.tls.clone().apply(options)?;
            Ok((usable(options)?, files))
        });
        let options = options.collect::<Result<Vec<_>, UrlMalformed>>()?;
        let (options, mut files): (Vec<_>, Vec<_>) = options.into_iter().unzip();
        let hosts = Hosts::new(options, own.accepted, own.connect_timeout);
        let timeout = own.statement_timeout.unwrap_or(STATEMENT_TIMEOUT);
        Ok(Self::new(hosts, timeout, files.pop().unwrap_or_default()))
    }
}

/// The parameters of a URL that are the ledger's own: the driver does not read them.
#[derive(Default)]
struct OwnParameters {
    statement_timeout: Option<Duration>,
    connect_timeout: Option<Duration>,
    accepted: SessionAttrs,
    tls: TlsParameters,
}

impl OwnParameters {
    /// Reads a parameter; `false` for one that is the driver's.
    fn take(&mut self, name: &str, value: &str) -> Result<bool, UrlMalformed> {
        match name {
            TIMEOUT_PARAMETER => self.statement_timeout = Some(seconds(TIMEOUT_PARAMETER, value)?),
            CONNECT_TIMEOUT_PARAMETER => {
                self.connect_timeout = Some(seconds(CONNECT_TIMEOUT_PARAMETER, value)?);
            }
            SESSION_PARAMETER => {
                let unknown = |()| UrlMalformed::SessionAttrs(value.to_owned());
                self.accepted = value.parse().map_err(unknown)?;
            }
            _ => return Ok(self.tls.take(name, value)?),
        }
        Ok(true)
    }
}

fn seconds(parameter: &'static str, value: &str) -> Result<Duration, UrlMalformed> {
    let seconds = value.parse().ok().filter(|seconds| (1..=86_400).contains(seconds));
    let none = || UrlMalformed::Timeout { parameter, value: value.to_owned() };
    Ok(Duration::from_secs(seconds.ok_or_else(none)?))
}

impl TryFrom<PgConnectOptions> for PostgresServer {
    type Error = UrlMalformed;

    /// The server that these options name, when they name a database.
    ///
    /// What they say is heeded as it is: their mode of TLS too, which over the server's own socket
    /// has no effect.
    fn try_from(options: PgConnectOptions) -> Result<Self, UrlMalformed> {
        let hosts = Hosts::one(usable(options)?);
        Ok(Self::new(hosts, STATEMENT_TIMEOUT, TlsFiles::default()))
    }
}

/// These options, where they name a database, as a connection is made by them.
fn usable(options: PgConnectOptions) -> Result<PgConnectOptions, UrlMalformed> {
    if options.get_database().is_none_or(str::is_empty) {
        return Err(UrlMalformed::NoDatabase);
    }
    // A socket of the same machine is not encrypted, whatever is asked for, as libpq has it.
    let is_local = options.get_socket().is_some() || options.get_host().starts_with('/');
    let options = if is_local { options.ssl_mode(PgSslMode::Disable) } else { options };
    Ok(options.disable_statement_logging())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed_text(url: &str) -> String {
        url.parse::<PostgresServer>().map_or_else(|error| error.to_string(), |url| url.to_string())
    }

    #[test]
    fn a_url_names_a_server_a_database_and_a_user() {
        assert_eq!(
            parsed_text("postgres://loja@/books?host=/run/postgresql"),
            "postgres://loja@/books?host=/run/postgresql&port=5432"
        );
        assert_eq!(
            parsed_text("postgresql://loja@/books?host=/tmp/x&port=6000"),
            "postgres://loja@/books?host=/tmp/x&port=6000"
        );
        assert_eq!(
            parsed_text("postgres://loja@db.example:5433/books"),
            "postgres://loja@db.example:5433/books"
        );
    }

    #[test]
    fn a_url_may_name_several_hosts() {
        for (url, whole) in [
            (
                "postgres://loja@one,two:5433/books?target_session_attrs=read-write",
                "postgres://loja@one:5432,two:5433/books?target_session_attrs=read-write",
            ),
            ("postgres://loja@one,two/books?port=6000", "postgres://loja@one:6000,two:6000/books"),
            ("postgres://loja@one,two/books?port=1,2", "postgres://loja@one:1,two:2/books"),
            (
                "postgres://loja:a%40b@[::1]:6000,two/books",
                "postgres://loja@[::1]:6000,two:5432/books",
            ),
            (
                "postgres://loja@/books?host=/a,/b&port=6000&target_session_attrs=any",
                "postgres://loja@/books?host=/a,/b&port=6000,6000",
            ),
            (
                "postgres://loja@/books?host=/a,db.example&port=1,2",
                "postgres://loja@/books?host=/a,db.example&port=1,2",
            ),
        ] {
            assert_eq!(parsed_text(url), whole, "{url}");
            assert_eq!(parsed_text(whole), whole, "what is shown names the same");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let server: PostgresServer = "postgres://loja:secret@db/books".parse().unwrap();
        assert_eq!(server.to_string(), "postgres://loja@db:5432/books");
        assert!(!format!("{server:?} {server}").contains("secret"));
    }

    #[test]
    fn a_url_may_say_how_long_a_statement_may_take() {
        for (url, seconds) in [
            ("postgres://loja@db/books", 30),
            ("postgres://loja@db/books?statement-timeout=7", 7),
            ("postgres://loja@/books?host=/tmp&statement-timeout=90&port=6000", 90),
        ] {
            let server: PostgresServer = url.parse().unwrap();
            assert_eq!(server.statement_timeout, Duration::from_secs(seconds), "{url}");
            assert!(!server.to_string().contains("timeout"), "{server}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_url_is_said() {
        for (url, wrong) in [
            ("mysql://loja@db/books", "does not begin"),
            ("postgres://loja@db", "names no database"),
            ("postgres://loja@db/", "names no database"),
            ("postgres://loja@/books?hots=/tmp", "hots is no parameter"),
            ("postgres://loja@db/books?sslmode=sometimes", "sslmode=sometimes is none"),
            ("postgres://loja@db/books?sslcert=a.crt", "sslcert and sslkey go together"),
            (
                "postgres://loja@db/books?sslmode=require&sslrootcert=system",
                "sslrootcert=system goes with sslmode=verify-full",
            ),
            ("postgres://loja@db:port/books", "not well formed"),
            ("postgres://loja@db/books?statement-timeout=soon", "=soon is no number of seconds"),
            ("postgres://loja@db/books?statement-timeout=0", "=0 is no number of seconds"),
            ("postgres://loja@db/books?connect_timeout=0", "connect_timeout=0 is no number"),
            (
                "postgres://loja@one,two/books?target_session_attrs=writable",
                "=writable is none of any, read-write, read-only, primary, standby",
            ),
            ("postgres://loja@one,two/books?port=1,2,3", "2 hosts and 3 ports"),
            ("postgres://loja@/books?host=/a,/b,/c&port=1,2", "3 hosts and 2 ports"),
            ("postgres://loja@one,two/books?host=/a,/b", "named twice"),
            ("postgres://loja@one,,two/books", "not well formed"),
            ("postgres://loja@/books?host=/a,", "not well formed"),
        ] {
            assert!(parsed_text(url).contains(wrong), "{url}: {}", parsed_text(url));
        }
    }
}
