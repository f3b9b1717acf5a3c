//! How lines of the log look, whatever they tell of.

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFormat {
    /// A JSON object.
    Json,
    /// Words between spaces.
    Text,
}
