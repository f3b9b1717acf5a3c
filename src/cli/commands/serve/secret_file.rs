//! Secrets in files of their own, so that no command line and no environment shows them.

use std::path::Path;

use ledger_http::Token;

use crate::Failure;

/// The secret that a file holds.
pub(super) fn read(path: &Path) -> Result<Token, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    Token::new(text.trim()).map_err(|error| Failure::of_file(path, &error))
}
