//! The URL of a PostgreSQL database, read strictly.

use std::str::FromStr;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::server::{PostgresServer, STATEMENT_TIMEOUT};
use super::tls::{TlsMalformed, TlsParameters};
use crate::journal::Source;

/// What this program reads itself, and takes out of the URL.
const TIMEOUT_PARAMETER: &str = "statement-timeout";

/// What a URL may say after its question mark.
const PARAMETERS: [&str; 15] = [
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "application_name",
    "options",
    TIMEOUT_PARAMETER,
    "statement-cache-capacity",
];

/// Why a text is no URL of a PostgreSQL database.
#[derive(Debug, thiserror::Error)]
pub enum UrlMalformed {
    /// It does not begin as one.
    #[error("it does not begin with postgres:// or postgresql://")]
    Scheme,
    /// It names no database.
    #[error("it names no database: postgres://USER@HOST/DATABASE")]
    NoDatabase,
    /// It has a parameter that is not known, and would not be heeded.
    #[error("{name} is no parameter of it: use {}", PARAMETERS.join(", "))]
    Parameter {
        /// What it says.
        name: String,
    },
    /// What it says of TLS is not known, or contradicts itself.
    #[error(transparent)]
    Tls(#[from] TlsMalformed),
    /// A timeout is no number of seconds from 1 to 86,400.
    #[error("statement-timeout={0} is no number of seconds from 1 to 86400")]
    Timeout(String),
    /// It is no URL, or says something that has no sense there.
    #[error("it is not well formed")]
    Syntax(#[source] Source),
}

impl FromStr for PostgresServer {
    type Err = UrlMalformed;

    fn from_str(url: &str) -> Result<Self, UrlMalformed> {
        let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
        let rest = rest.ok_or(UrlMalformed::Scheme)?;
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut statement_timeout = STATEMENT_TIMEOUT;
        let mut tls = TlsParameters::default();
        let mut passed_on = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !PARAMETERS.contains(&&*name) && !name.starts_with("options[") {
                return Err(UrlMalformed::Parameter { name: name.into_owned() });
            }
            if name == TIMEOUT_PARAMETER {
                let seconds = value.parse().ok().filter(|seconds| (1..=86_400).contains(seconds));
                let seconds =
                    seconds.ok_or_else(|| UrlMalformed::Timeout(value.clone().into_owned()))?;
                statement_timeout = Duration::from_secs(seconds);
            } else if !tls.take(&name, &value)? {
                passed_on.append_pair(&name, &value);
            }
        }
        let query = passed_on.finish();
        // The usual way to name a user of a socket's server leaves the host empty, which a strict
        // reader of URLs does not accept; the parameter `host` then says where the socket is.
        let url = match place.split_once("@/") {
            Some((user, path)) => format!("postgres://{user}@localhost/{path}?{query}"),
            None => format!("postgres://{place}?{query}"),
        };
        let options: PgConnectOptions =
            url.parse().map_err(|error: sqlx::Error| UrlMalformed::Syntax(error.into()))?;
        let (options, files) = tls.applied(options)?;
        let mut server = Self::try_from(options)?.statement_timeout(statement_timeout);
        server.files = files;
        Ok(server)
    }
}

impl TryFrom<PgConnectOptions> for PostgresServer {
    type Error = UrlMalformed;

    /// The server that these options name, when they name a database.
    ///
    /// What they say is heeded as it is: their mode of TLS too, which over the server's own socket
    /// has no effect.
    fn try_from(options: PgConnectOptions) -> Result<Self, UrlMalformed> {
        if options.get_database().is_none_or(str::is_empty) {
            return Err(UrlMalformed::NoDatabase);
        }
        // A socket of the same machine is not encrypted, whatever is asked for, as libpq has it.
        let is_local = options.get_socket().is_some() || options.get_host().starts_with('/');
        let options = if is_local { options.ssl_mode(PgSslMode::Disable) } else { options };
        Ok(Self::new(options.disable_statement_logging(), STATEMENT_TIMEOUT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> String {
        url.parse::<PostgresServer>().map_or_else(|error| error.to_string(), |url| url.to_string())
    }

    #[test]
    fn a_url_names_a_server_a_database_and_a_user() {
        assert_eq!(
            shown("postgres://loja@/books?host=/run/postgresql"),
            "postgres://loja@/books?host=/run/postgresql&port=5432"
        );
        assert_eq!(
            shown("postgresql://loja@/books?host=/tmp/x&port=6000"),
            "postgres://loja@/books?host=/tmp/x&port=6000"
        );
        assert_eq!(
            shown("postgres://loja@db.example:5433/books"),
            "postgres://loja@db.example:5433/books"
        );
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
        ] {
            assert!(shown(url).contains(wrong), "{url}: {}", shown(url));
        }
    }
}
