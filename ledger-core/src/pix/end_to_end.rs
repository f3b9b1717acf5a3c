//! End-to-end ids and return ids: 32 alphanumerics, compared byte for byte.

use std::fmt;

/// An id given by the PIX system: `E` for a payment, `D` for a return.
///
/// ```
/// use ledger_core::pix::EndToEnd;
///
/// let id = EndToEnd::parse("E9040088820210128000800123873170").expect("32 letters and digits");
/// let parts = id.parts().expect("it follows the layout");
/// assert_eq!((&*parts.ispb, &*parts.minute), ("90400888", "202101280008"));
/// assert_eq!(EndToEnd::parse("E90400888"), None);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndToEnd(Box<str>);

/// What the id says about itself, where it follows the layout; a warning at most, never a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The institution, eight characters.
    pub ispb: String,
    /// Year, month, day, hour and minute in UTC: `yyyyMMddHHmm`.
    pub minute: String,
}

impl EndToEnd {
    /// Reads any 32 ASCII letters and digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sound = text.len() == 32 && text.bytes().all(|b| b.is_ascii_alphanumeric());
        sound.then(|| Self(text.into()))
    }

    /// The id as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Institution and minute; `None` where the id does not follow the layout.
    #[must_use]
    pub fn parts(&self) -> Option<Parts> {
        let (head, rest) = self.0.split_at(1);
        let (ispb, minute) = (&rest[..8], &rest[8..20]);
        let laid_out = matches!(head, "E" | "D")
            && ispb.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
            && minute.bytes().all(|b| b.is_ascii_digit());
        laid_out.then(|| Parts { ispb: ispb.into(), minute: minute.into() })
    }
}

impl From<EndToEnd> for Box<str> {
    fn from(id: EndToEnd) -> Self {
        id.0
    }
}

impl fmt::Debug for EndToEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_32_alphanumerics_are_accepted_and_the_layout_is_a_view() {
        let id = EndToEnd::parse("E9040088820210128000800123873170").unwrap();
        let parts = id.parts().unwrap();
        assert_eq!((parts.ispb.as_str(), parts.minute.as_str()), ("90400888", "202101280008"));
        assert!(EndToEnd::parse(&"x".repeat(32)).unwrap().parts().is_none());
    }

    #[test]
    fn other_lengths_and_alphabets_are_refused() {
        for text in
            ["", "E904", "E904008882021012800080012387317_", "é904008882021012800080012387317"]
        {
            assert!(EndToEnd::parse(text).is_none(), "{text}");
        }
    }
}
