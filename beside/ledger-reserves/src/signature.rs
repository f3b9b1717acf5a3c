//! A signature that stands apart from its text: the last line of a signed note.

use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::signing::note::Note;

/// The line by which a key signs a text.
pub(crate) fn line(text: &str, signer: &Signer) -> String {
    let note = Note::sign(text, signer).to_string();
    note.lines().last().expect("a note ends with its signature").to_owned()
}

/// Tells whether a line is a key's signature of a text.
pub(crate) fn is_by(key: &Verifier, text: &str, line: &str) -> bool {
    let notes = Note::all(&format!("{text}\n{line}\n"));
    matches!(&*notes, [note] if note.text == text && note.verify(key).is_ok())
}
