//! Where instructions are pushed to, and how they are signed.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ledger_core::contract::Secret;
use ledger_core::hexadecimal::digits;
use thiserror::Error;

use crate::courier::Patience;
use crate::courier::guard::{Forbidden, Guard};

/// What a secret begins with, as Standard Webhooks writes it.
const PREFIX: &str = "whsec_";

/// How many bytes a secret has.
const BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// Where and how instructions are pushed. Its `Debug` does not show the secret.
#[derive(Clone, Debug)]
pub struct PushSettings {
    pub(super) url: String,
    pub(super) secret: Secret,
    /// How often it is looked whether there is something new.
    pub look: Duration,
    /// How long the provider's service is waited for.
    pub patience: Patience,
    /// How many are under way at once.
    pub at_once: usize,
    /// How long is waited after the first failure; twice as long after each further one.
    pub first_wait: Duration,
    /// How long is waited after a failure, at most.
    pub longest_wait: Duration,
}

/// Why nothing is pushed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PushSettingsWrong {
    /// The URL is none that is posted to.
    #[error("the URL: {0}")]
    Url(Forbidden),
    /// The secret is none of Standard Webhooks.
    #[error("the secret is not whsec_ and 24 to 64 bytes in base64")]
    Secret,
}

impl PushSettings {
    /// Instructions go to this URL, http or https, signed with this secret.
    ///
    /// ```
    /// use ledger_http::push::{PushSettings, PushSettingsWrong};
    ///
    /// let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    /// assert!(PushSettings::new("http://10.0.0.7/instructions", secret).is_ok());
    /// let short = PushSettings::new("http://10.0.0.7/instructions", "whsec_c2hvcnQ=");
    /// assert_eq!(short.unwrap_err(), PushSettingsWrong::Secret);
    /// ```
    ///
    /// # Errors
    ///
    /// [`PushSettingsWrong`] for a URL or a secret that is none.
    pub fn new(url: &str, secret: &str) -> Result<Self, PushSettingsWrong> {
        let (url, secret) = parse_target(url, secret)?;
        Ok(Self {
            url: url.into(),
            secret,
            look: Duration::from_millis(250),
            patience: Patience::default(),
            at_once: 16,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_mins(1),
        })
    }
}

/// A URL that is posted to, and a secret that is written as Standard Webhooks write it.
pub(crate) fn parse_target(
    url: &str,
    secret: &str,
) -> Result<(Box<str>, Secret), PushSettingsWrong> {
    let url = Guard::anywhere().check(url).map_err(PushSettingsWrong::Url)?;
    let bytes = secret.strip_prefix(PREFIX).and_then(|text| BASE64_STANDARD.decode(text).ok());
    let bytes = bytes.filter(|bytes| BYTES.contains(&bytes.len()));
    let bytes = bytes.ok_or(PushSettingsWrong::Secret)?;
    // The same bytes, as secrets of webhooks are written here.
    Ok((String::from(url).into(), Secret::new(&format!("whk_{}", digits(&bytes)))))
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::signature;

    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn a_secret_signs_with_its_own_bytes_and_does_not_show() {
        let settings = PushSettings::new("https://provider.example/x", SECRET).unwrap();
        assert_eq!(signature::standard_secret(&settings.secret).expose(), SECRET);
        assert!(
            !format!("{settings:?}").contains("MfKQ") && !format!("{settings:?}").contains("31f2")
        );
    }

    #[test]
    fn what_is_no_url_or_no_secret_is_refused() {
        let of = |url, secret| PushSettings::new(url, secret).map(|_| ());
        for url in ["provider", "ftp://provider/x", "http://user:pw@provider/x", ""] {
            assert!(matches!(of(url, SECRET), Err(PushSettingsWrong::Url(_))), "{url}");
        }
        for url in ["http://127.0.0.1:9/x", "http://provider:8080/", "https://[fd00::7]/x"] {
            assert_eq!(of(url, SECRET), Ok(()), "{url}");
        }
        for secret in ["", "whsec_", "whsec_c2hvcnQ=", "whk_00", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
        {
            assert_eq!(of("http://provider/x", secret), Err(PushSettingsWrong::Secret), "{secret}");
        }
    }
}
