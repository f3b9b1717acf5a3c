//! A value under its token, as a journal keeps it.

/// A value under its token, as the journal keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct VaultRow {
    /// What records say instead of the value.
    pub token: Token,
    /// What sort of value it is; the numbers are the core's.
    pub kind: u8,
    /// The personal datum itself.
    pub value: String,
    /// What may be shown of it.
    pub mask: String,
}

/// What stands for a value in every record.
pub type Token = [u8; 16];
