//! Who decided, why, and on what evidence.

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use super::{InvalidValue, Text};

/// A person's decision: every fact that a person makes bears one.
///
/// ```
/// use custody_ledger::value::DecidedBy;
///
/// let bia = DecidedBy::new("bia", "the provider's statement of the day")?.evidence("stmt-11-22")?;
///
/// // With serde it is the fields that a fact has, checked when they are read.
/// let kept = serde_json::to_value(&bia)?;
/// assert_eq!((&kept["actor"], &kept["evidence"]), (&"bia".into(), &"stmt-11-22".into()));
/// assert_eq!(serde_json::from_value::<DecidedBy>(kept)?, bia);
/// let nobody = serde_json::from_str::<DecidedBy>(r#"{"actor": "", "reason": "a gift"}"#);
/// assert!(nobody.unwrap_err().to_string().contains("empty"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DecidedBy {
    pub(crate) actor: Text<255>,
    pub(crate) reason: Text<255>,
    #[serde(default)]
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

/// As the fields of a fact: `actor`, `reason` and, where there is one, `evidence`.
impl Serialize for DecidedBy {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { actor, reason, evidence } = self;
        let mut fields = to.serialize_struct("DecidedBy", 2 + usize::from(evidence.is_some()))?;
        fields.serialize_field("actor", actor.as_str())?;
        fields.serialize_field("reason", reason.as_str())?;
        if let Some(evidence) = evidence {
            fields.serialize_field("evidence", evidence.as_str())?;
        }
        fields.end()
    }
}
