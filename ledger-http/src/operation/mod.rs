//! How a service is watched: what it logs, counts and says of its health.

pub mod access;
pub(crate) mod health;
pub mod lines;
pub mod metrics;
pub(crate) mod route;
pub mod standing_by;

use std::error::Error;

/// Returns an error's text with those of its causes, parted by colons.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFormat {
    /// A JSON object.
    Json,
    /// Words between spaces.
    Text,
}
