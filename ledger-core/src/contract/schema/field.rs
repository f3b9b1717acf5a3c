//! Fields of bodies as data: what each holds, within which range, and whether it must be given.

/// A field of a body, as the documentation shows it and the reader takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// Whether it must be given.
    pub need: Need,
    /// What it holds, and within which range.
    pub holds: FieldType,
    /// What it says, in words.
    pub meaning: &'static str,
    /// The text that examples show, where that is not the one of every field of its name.
    pub(super) like: Option<&'static str>,
}

impl Field {
    /// The same field, of which examples show this text.
    pub(in crate::contract) const fn like(mut self, text: &'static str) -> Self {
        self.like = Some(text);
        self
    }
}

/// Whether a field must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A body without it is refused.
    Required,
    /// A body may leave it out, or give null.
    Optional,
}

/// What a field holds. Lengths are in characters; ranges include both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// Text of 1 to so many characters.
    Text(usize),
    /// One of a few words, which the meaning lists, of at most so many characters.
    Word(usize),
    /// The name of a transaction or a wallet on its network: 1 to so many characters of printable
    /// ASCII, none of them a blank.
    Reference(usize),
    /// The id of an operation.
    Operation,
    /// The end-to-end id of a PIX, or of its return: 32 letters and digits.
    Pix,
    /// Centavos, from 1 to a trillion reais.
    Centavos,
    /// Centavos, from 0 to a trillion reais.
    CentavosOrZero,
    /// Centavos either way but none, to a trillion reais.
    SignedCentavos,
    /// A whole number from the first to the second.
    Whole(u16, u16),
    /// Basis points, 0 to 10,000.
    BasisPoints,
    /// A JSON boolean.
    Flag,
    /// An RFC 3339 instant with an offset.
    Moment,
    /// A decimal string above zero, of at most so many characters.
    Decimal(usize),
    /// An object of these fields.
    Object(&'static [Field]),
    /// A list of objects of these fields.
    Objects(&'static [Field]),
    /// A JSON array of strings.
    List,
    /// A JSON object of pairs that the account chooses, within the bounds of
    /// [`canonical_metadata`](crate::contract::canonical_metadata).
    Metadata,
}

/// A field that must be given.
#[must_use]
pub const fn required(name: &'static str, holds: FieldType, meaning: &'static str) -> Field {
    Field { name, need: Need::Required, holds, meaning, like: None }
}

/// A field that may be given.
#[must_use]
pub const fn optional(name: &'static str, holds: FieldType, meaning: &'static str) -> Field {
    Field { name, need: Need::Optional, holds, meaning, like: None }
}

/// Several lists as one; `N` is the sum of their lengths.
#[must_use]
pub const fn concat<T: Copy, const N: usize>(lists: &[&[T]]) -> [T; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut from, mut at) = (0, 0, 0);
    while at < N {
        if from == lists[list].len() {
            (list, from) = (list + 1, 0);
        } else {
            all[at] = lists[list][from];
            (from, at) = (from + 1, at + 1);
        }
    }
    all
}
