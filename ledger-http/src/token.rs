//! The token by which the world is known, and others like it.

use thiserror::Error;

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

    /// Tells whether a text is the token, in a time that does not depend on where they differ.
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
