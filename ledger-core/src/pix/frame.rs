//! Text as fields: a tag of two digits, a length of two digits, and so many bytes.

use super::br_code::BrCodeError;

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
pub(super) fn required<'a>(fields: &[Field<'a>], tag: u8) -> Result<&'a str, BrCodeError> {
    field(fields, tag).ok_or(BrCodeError::Missing { tag })
}
