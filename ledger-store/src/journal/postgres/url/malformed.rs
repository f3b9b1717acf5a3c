//! What a URL of a PostgreSQL database may say, and why a text is none.

use crate::journal::Source;
use crate::journal::postgres::tls::TlsMalformed;

/// What this program reads itself, and takes out of the URL.
pub(super) const TIMEOUT_PARAMETER: &str = "statement-timeout";
pub(super) const CONNECT_TIMEOUT_PARAMETER: &str = "connect_timeout";
pub(super) const SESSION_PARAMETER: &str = "target_session_attrs";

/// What a URL may say after its question mark.
pub(super) const PARAMETERS: [&str; 17] = [
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
    CONNECT_TIMEOUT_PARAMETER,
    SESSION_PARAMETER,
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
    #[error("{parameter}={value} is no number of seconds from 1 to 86400")]
    Timeout {
        /// The parameter of the URL that sets the timeout.
        parameter: &'static str,
        /// What it says.
        value: String,
    },
    /// What a server must be to be connected to is not known.
    #[error("target_session_attrs={0} is none of any, read-write, read-only, primary, standby")]
    SessionAttrs(String),
    /// Hosts and ports do not go together.
    #[error("{hosts} hosts and {ports} ports: give each host its port, or one to all")]
    Ports {
        /// How many hosts it names.
        hosts: usize,
        /// How many ports.
        ports: usize,
    },
    /// Several hosts are named both before the database and among the parameters.
    #[error("its hosts are named twice: before the database, or by the parameter host")]
    HostsTwice,
    /// It is no URL, or says something that has no sense there.
    #[error("it is not well formed")]
    Syntax(#[source] Source),
}
