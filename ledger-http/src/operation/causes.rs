//! An error in words for whoever operates the service: what it says, and what it comes of.

use std::error::Error;

/// Returns an error's text with those of its causes, parted by colons.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
