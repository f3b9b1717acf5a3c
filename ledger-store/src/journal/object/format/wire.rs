//! Legal holds, links and leases as objects write them.

use ledger_core::time::Instant;
use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use crate::state::vault::hold::{LegalHold, OperatorNote};

/// A legal hold.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct Hold {
    #[n(0)]
    pub(in crate::journal::object) id: String,
    #[n(1)]
    tokens: Vec<ByteArray<16>>,
    #[n(2)]
    placed: Note,
    #[n(3)]
    pub(in crate::journal::object) released: Option<Note>,
}

/// Who did something, when and why.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct Note {
    /// Microseconds since 1970.
    #[n(0)]
    at: i64,
    #[n(1)]
    by: String,
    #[n(2)]
    reason: String,
}

impl From<&LegalHold> for Hold {
    fn from(hold: &LegalHold) -> Self {
        Self {
            id: hold.id.clone(),
            tokens: hold.tokens.iter().map(|token| ByteArray::from(*token)).collect(),
            placed: (&hold.placed).into(),
            released: hold.released.as_ref().map(Note::from),
        }
    }
}

impl From<&Hold> for LegalHold {
    fn from(hold: &Hold) -> Self {
        Self {
            id: hold.id.clone(),
            tokens: hold.tokens.iter().map(|token| **token).collect(),
            placed: (&hold.placed).into(),
            released: hold.released.as_ref().map(OperatorNote::from),
        }
    }
}

impl From<&OperatorNote> for Note {
    fn from(note: &OperatorNote) -> Self {
        Self { at: note.at.micros(), by: note.by.clone(), reason: note.reason.clone() }
    }
}

impl From<&Note> for OperatorNote {
    fn from(note: &Note) -> Self {
        // What no clock says was not written by this program: the first moment stands for it.
        let at = Instant::from_micros(note.at).unwrap_or_default();
        Self { at, by: note.by.clone(), reason: note.reason.clone() }
    }
}
