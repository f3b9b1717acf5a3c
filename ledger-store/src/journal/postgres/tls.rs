//! TLS to a PostgreSQL server: what a URL says of it, as libpq reads it, and what a failure of it
//! was about.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// The authorities of the system, as libpq calls them in the place of a file.
const SYSTEM: &str = "system";

/// Why what a URL says of TLS is not heeded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsMalformed {
    /// Its mode is none.
    #[error("sslmode={0} is none: use disable, allow, prefer, require, verify-ca or verify-full")]
    Mode(String),
    /// It names a client's certificate without its key, or a key without its certificate.
    #[error("sslcert and sslkey go together: {missing} is missing")]
    Halved {
        /// Which of the two is not given.
        missing: &'static str,
    },
    /// It trusts whomever the system trusts, but does not ask for which host.
    #[error("sslrootcert=system goes with sslmode=verify-full, and not with a weaker one")]
    Weak,
}

/// What a URL says of TLS.
#[derive(Clone, Default)]
pub(super) struct TlsParameters {
    mode: Option<PgSslMode>,
    root: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

/// The files that a URL names, each with its parameter: kept to say which of them was at fault.
#[derive(Clone, Default)]
pub(super) struct TlsFiles(Vec<(&'static str, PathBuf)>);

impl TlsParameters {
    /// Takes a parameter, if it is one of TLS.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<bool, TlsMalformed> {
        let text = match name {
            "sslmode" | "ssl-mode" => {
                self.mode = Some(mode(value)?);
                return Ok(true);
            }
            "sslrootcert" => &mut self.root,
            "sslcert" => &mut self.certificate,
            "sslkey" => &mut self.key,
            _ => return Ok(false),
        };
        // As libpq reads it, a parameter that says nothing is not given.
        *text = Some(value.to_owned()).filter(|value| !value.is_empty());
        Ok(true)
    }

    /// The options with what was said, and the files that they name.
    pub(super) fn apply(
        self,
        mut options: PgConnectOptions,
    ) -> Result<(PgConnectOptions, TlsFiles), TlsMalformed> {
        let mut files = Vec::new();
        let is_system = self.root.as_deref() == Some(SYSTEM);
        if let Some(root) = self.root.filter(|_| !is_system) {
            options = options.ssl_root_cert(&root);
            files.push(("sslrootcert", root.into()));
        }
        match self.mode {
            // An authority is named to be asked: libpq has it so too.
            Some(PgSslMode::Require) if !files.is_empty() => {
                options = options.ssl_mode(PgSslMode::VerifyCa);
            }
            None if is_system => options = options.ssl_mode(PgSslMode::VerifyFull),
            Some(PgSslMode::VerifyFull) => options = options.ssl_mode(PgSslMode::VerifyFull),
            Some(_) if is_system => return Err(TlsMalformed::Weak),
            Some(mode) => options = options.ssl_mode(mode),
            None => {}
        }
        match (self.certificate, self.key) {
            (Some(certificate), Some(key)) => {
                options = options.ssl_client_cert(&certificate).ssl_client_key(&key);
                files.push(("sslcert", certificate.into()));
                files.push(("sslkey", key.into()));
            }
            (Some(_), None) => return Err(TlsMalformed::Halved { missing: "sslkey" }),
            (None, Some(_)) => return Err(TlsMalformed::Halved { missing: "sslcert" }),
            (None, None) => {}
        }
        Ok((options, TlsFiles(files)))
    }
}

impl TlsFiles {
    /// Refuses a file that cannot be read, by its name: the driver only says that one could not.
    pub(super) fn check(&self) -> sqlx::Result<()> {
        for (parameter, path) in &self.0 {
            File::open(path).map_err(|error| {
                let text = format!("{parameter}={}: {error}", path.display());
                sqlx::Error::Io(io::Error::new(error.kind(), text))
            })?;
        }
        Ok(())
    }

    /// `error` of connecting by `options`, with what was asked of TLS where TLS failed.
    pub(super) fn explain(&self, options: &PgConnectOptions, error: sqlx::Error) -> sqlx::Error {
        let mut asked = format!("sslmode={}", name(options.get_ssl_mode()));
        for (parameter, path) in &self.0 {
            write!(asked, ", {parameter}={}", path.display()).expect("a text takes any text");
        }
        match error {
            // A certificate or handshake that is refused is invalid data to the driver.
            sqlx::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                sqlx::Error::Io(io::Error::new(error.kind(), format!("TLS ({asked}): {error}")))
            }
            sqlx::Error::Tls(error) => sqlx::Error::Tls(format!("{error} ({asked})").into()),
            other => other,
        }
    }
}

fn mode(name: &str) -> Result<PgSslMode, TlsMalformed> {
    Ok(match name {
        "disable" => PgSslMode::Disable,
        // The driver has no way back from a plain connection that is refused, so both are one.
        "allow" | "prefer" => PgSslMode::Prefer,
        "require" => PgSslMode::Require,
        "verify-ca" => PgSslMode::VerifyCa,
        "verify-full" => PgSslMode::VerifyFull,
        unknown => return Err(TlsMalformed::Mode(unknown.to_owned())),
    })
}

fn name(mode: PgSslMode) -> &'static str {
    match mode {
        PgSslMode::Disable => "disable",
        PgSslMode::Allow => "allow",
        PgSslMode::Prefer => "prefer",
        PgSslMode::Require => "require",
        PgSslMode::VerifyCa => "verify-ca",
        PgSslMode::VerifyFull => "verify-full",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::PostgresServer;

    /// The mode in which a server of this URL is spoken to.
    fn spoken(url: &str) -> &'static str {
        let server: PostgresServer = url.parse().unwrap_or_else(|error| panic!("{url}: {error}"));
        name(server.ssl_mode())
    }

    #[test]
    fn a_url_says_how_far_a_server_is_trusted() {
        for (query, mode) in [
            ("sslmode=disable", "disable"),
            ("sslmode=allow", "prefer"),
            ("sslmode=prefer", "prefer"),
            ("sslmode=require", "require"),
            ("sslmode=verify-ca", "verify-ca"),
            ("sslmode=verify-full&sslrootcert=%2Ftmp%2Froot.crt", "verify-full"),
            ("sslmode=verify-full&sslrootcert=system", "verify-full"),
        ] {
            assert_eq!(spoken(&format!("postgres://loja@db/books?{query}")), mode, "{query}");
        }
    }

    #[test]
    fn an_authority_that_is_named_is_asked() {
        let url = "postgres://loja@db/books?sslmode=require&sslrootcert=/tmp/root.crt";
        assert_eq!(spoken(url), "verify-ca");
        assert_eq!(spoken("postgres://loja@db/books?sslrootcert=system"), "verify-full");
    }

    #[test]
    fn a_socket_is_not_encrypted_whatever_is_asked_for() {
        assert_eq!(spoken("postgres://loja@/books?host=/tmp&sslmode=verify-full"), "disable");
        assert_eq!(spoken("postgres://loja@db/books?host=%2Ftmp&sslmode=require"), "disable");
    }
}
