//! The token by which the world is known.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use ledger_core::contract::{Code, Problem};
use thiserror::Error;

use super::fact::refused;
use crate::service::Service;

/// The fewest characters of a token.
const SHORTEST: usize = 32;

/// A token that whoever reports facts brings as `Authorization: Bearer …`. Its `Debug` does not
/// show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Box<str>);

/// A token must not be guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a token has at least {SHORTEST} visible characters")]
pub struct TokenTooShort;

impl Token {
    /// A token of this text.
    ///
    /// # Errors
    ///
    /// [`TokenTooShort`] below 32 characters, or for one that no header can bring.
    pub fn new(text: &str) -> Result<Self, TokenTooShort> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if visible && text.len() >= SHORTEST { Ok(Self(text.into())) } else { Err(TokenTooShort) }
    }

    /// One that nobody knows yet: 256 bits of the system's randomness.
    ///
    /// # Errors
    ///
    /// When the system gives no randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        crate::supply::fresh().map(|text| Self(text.into()))
    }

    /// The token itself, for whoever is to bring it.
    #[must_use]
    pub const fn expose(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token, in a time that does not depend on where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), text.as_bytes());
        let differs =
            own.iter().zip(given).fold(0, |differs, (own, given)| differs | (own ^ given));
        own.len() == given.len() && differs == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(***)")
    }
}

/// What guards the world's routes.
#[derive(Clone)]
pub(super) struct Guard {
    service: Service,
    token: Option<Token>,
}

impl Guard {
    pub(super) fn new(service: &Service, token: Option<Token>) -> Self {
        Self { service: service.clone(), token }
    }
}

/// Lets pass whoever brings the token, where one is asked for.
pub(super) async fn checked(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let brings = |token: &Token| bearer(request.headers()).is_some_and(|given| token.is(given));
    if guard.token.as_ref().is_none_or(brings) {
        return next.run(request).await;
    }
    let detail = "the world's routes ask for Authorization: Bearer and the service's token";
    let problem = Problem::new(Code::NotAuthenticated, detail);
    let mut response = refused(&guard.service, &request, &problem);
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// The token that a request brings as `Authorization: Bearer …`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_is_itself_alone() {
        assert_eq!(Token::new("short"), Err(TokenTooShort));
        assert_eq!(Token::new(&" ".repeat(40)), Err(TokenTooShort));
        let token = Token::new(&"a".repeat(32)).unwrap();
        assert!(token.is(&"a".repeat(32)));
        for other in ["a".repeat(31), "a".repeat(33), format!("{}b", "a".repeat(31)), String::new()]
        {
            assert!(!token.is(&other), "{other}");
        }
        assert!(!format!("{token:?}").contains("aa"));
        assert_ne!(Token::random().unwrap(), Token::random().unwrap());
    }
}
