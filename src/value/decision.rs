//! Who decided, why, and on what evidence.

use super::{InvalidValue, Text};

/// A person's decision: every fact that a person makes bears one.
///
/// ```
/// use custody_ledger::value::DecidedBy;
///
/// let bia = DecidedBy::new("bia", "the provider's statement of the day")?.evidence("stmt-11-22")?;
/// # let _ = bia;
/// # Ok::<(), custody_ledger::value::InvalidValue>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedBy {
    pub(crate) actor: Text<255>,
    pub(crate) reason: Text<255>,
    pub(crate) evidence: Option<Text<255>>,
}

impl DecidedBy {
    /// This person decided, for this reason.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when either is empty, longer than 255 characters, or has control
    /// characters.
    pub fn new(actor: &str, reason: &str) -> Result<Self, InvalidValue> {
        let (actor, reason) = (Text::of_field("actor", actor)?, Text::of_field("reason", reason)?);
        Ok(Self { actor, reason, evidence: None })
    }

    /// On this evidence: a reference to what was seen.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] as of [`DecidedBy::new`].
    pub fn evidence(mut self, evidence: &str) -> Result<Self, InvalidValue> {
        self.evidence = Some(Text::of_field("evidence", evidence)?);
        Ok(self)
    }
}
