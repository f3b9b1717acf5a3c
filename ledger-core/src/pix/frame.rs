//! Text as fields: a tag of two digits, a length of two digits, and so many bytes.

use thiserror::Error;

/// The most bytes a code may have.
pub(super) const LONGEST: usize = 512;

/// A tag and its value.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    /// 0 to 99.
    pub tag: u8,
    /// Where the value begins in the code, in bytes.
    pub at: usize,
    /// The value, of as many bytes as the length said.
    pub value: &'a str,
}

/// The fields of `text`, which begins at byte `from` of the code: all of it, no tag twice.
pub(super) fn split(text: &str, from: usize) -> Result<Vec<Field<'_>>, BrCodeError> {
    let mut fields: Vec<Field<'_>> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let begin = from + (text.len() - rest.len());
        let (tag, value) = first(rest).ok_or(BrCodeError::Broken { at: begin })?;
        if fields.iter().any(|field| field.tag == tag) {
            return Err(BrCodeError::Repeated { tag });
        }
        fields.push(Field { tag, at: begin + 4, value });
        rest = &rest[4 + value.len()..];
    }
    Ok(fields)
}

/// The first tag and value; `None` when there is none, or when the length ends inside a character
/// or past the end.
fn first(text: &str) -> Option<(u8, &str)> {
    let tag = number(text.get(..2)?)?;
    let length = number(text.get(2..4)?)?;
    let value = text.get(4..4 + usize::from(length))?;
    Some((tag, value))
}

/// Two digits; a sign, which `parse` would take, is none.
fn number(text: &str) -> Option<u8> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The value of `tag`, where it stands.
pub(super) fn field<'a>(fields: &[Field<'a>], tag: u8) -> Option<&'a str> {
    fields.iter().find(|field| field.tag == tag).map(|field| field.value)
}

/// The value of `tag`, which must stand.
pub(super) fn required_value<'a>(fields: &[Field<'a>], tag: u8) -> Result<&'a str, BrCodeError> {
    field(fields, tag).ok_or(BrCodeError::Missing { tag })
}

/// Why text is no BR Code that can be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BrCodeError {
    /// It is longer than any code may be.
    #[error("the code has {bytes} bytes, of {LONGEST} at most")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// No tag, no length, or a value that ends past its end.
    #[error("byte {at} of the code begins no tag with a length and a value")]
    Broken {
        /// The byte, counted from zero, where the field begins that cannot be read.
        at: usize,
    },
    /// Two fields have the same tag.
    #[error("tag {tag:02} is given twice")]
    Repeated {
        /// The tag, from 0 to 99.
        tag: u8,
    },
    /// The checksum is not the last field, or something follows it.
    #[error("tag 63 is not the last")]
    NotLast,
    /// The checksum is not that of the code.
    #[error("the checksum is not that of the code")]
    Checksum,
    /// A field is absent without which a code cannot be paid.
    #[error("tag {tag:02} is missing")]
    Missing {
        /// The tag, from 0 to 99.
        tag: u8,
    },
    /// A field says what no PIX in reais and in Brazil says, or what nobody can pay.
    #[error("tag {tag:02} does not hold what it may")]
    Unfit {
        /// The tag; that of the template where the field stands in one.
        tag: u8,
    },
    /// No merchant account is of PIX.
    #[error("no merchant account is one of PIX")]
    NotPix,
    /// Two merchant accounts are of PIX, or one names both a key and a URL.
    #[error("the code names two payees")]
    TwoPayees,
}
