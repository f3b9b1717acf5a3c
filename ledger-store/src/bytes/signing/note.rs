//! Signed notes (C2SP signed-note): a text, an empty line, and a line for each signature.
//!
//! ```text
//! text, one or several lines
//!
//! — NAME base64(HASH ‖ signature)
//! ```
//!
//! A file holds several, each after an empty line. What was cut off while it was written has no
//! signature, or a line that says so, and is passed over.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use thiserror::Error;

use super::key::{Signer, Verifier};

/// What a line of a signature begins with: an em dash and a blank.
const DASH: &str = "— ";

/// What a line that was cut off is ended with when the file is next opened: it says nothing.
pub(crate) const CUT: &str = " (cut)";

/// A signed note as it was read; not yet verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What was signed, with the line feed that ends it.
    pub text: String,
    /// The lines of the signatures.
    signatures: Vec<String>,
}

/// Why a note is not believed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoteRefused {
    /// None of its signatures is of this key.
    #[error("it is not signed by {name}: its signatures are of {found}")]
    OtherKey {
        /// The key that was asked for.
        name: String,
        /// Who signed it.
        found: String,
    },
    /// The line of the signature is not one.
    #[error("the signature of {name} is malformed")]
    Malformed {
        /// The key that was asked for.
        name: String,
    },
    /// The signature is not of this text.
    #[error("the signature of {name} is not of this text: one of the two was changed")]
    Signature {
        /// The key that was asked for.
        name: String,
    },
}

impl Note {
    /// Signs a text that ends with a line feed and has no empty line.
    #[must_use]
    pub fn sign(text: &str, signer: &Signer) -> Self {
        let signature = [&signer.verifier().hash()[..], &signer.sign(text)].concat();
        let line = format!("{DASH}{} {}", signer.name(), BASE64_STANDARD.encode(signature));
        Self { text: text.to_owned(), signatures: vec![line] }
    }

    /// The notes of a file, in order.
    #[must_use]
    pub fn all(file: &str) -> Vec<Self> {
        // A line whose end is missing was cut off.
        let whole = file.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let parts = whole.split("\n\n").map(|part| part.trim_matches('\n'));
        let mut notes = Vec::new();
        let mut text = None;
        for part in parts.filter(|part| !part.is_empty()) {
            if !part.starts_with(DASH) {
                text = Some(part);
            } else if let Some(text) = text.take().map(|text: &str| format!("{text}\n")) {
                notes.push(Self { text, signatures: part.lines().map(str::to_owned).collect() });
            }
        }
        notes.retain(|note| !note.signatures.iter().any(|line| line.ends_with(CUT)));
        notes
    }

    /// Checks that the key signed the text.
    ///
    /// # Errors
    ///
    /// [`NoteRefused`], saying what does not match.
    pub fn verify(&self, key: &Verifier) -> Result<(), NoteRefused> {
        let name = key.name().to_owned();
        let begins = format!("{DASH}{name} ");
        let mine: Vec<&str> =
            self.signatures.iter().filter_map(|line| line.strip_prefix(&*begins)).collect();
        let mut refused = None;
        for signature in &mine {
            let bytes = BASE64_STANDARD.decode(signature).ok();
            let parts = bytes.as_deref().and_then(<[u8]>::split_first_chunk::<4>);
            let signature = parts.and_then(|(hash, rest)| Some((hash, rest.try_into().ok()?)));
            match signature {
                None => refused = Some(NoteRefused::Malformed { name: name.clone() }),
                // Another key may have the same name.
                Some((hash, _)) if *hash != key.hash() => {}
                Some((_, signature)) if key.is_of(&self.text, signature) => return Ok(()),
                Some(_) => return Err(NoteRefused::Signature { name }),
            }
        }
        let signers = self.signatures.iter().filter_map(|line| line.strip_prefix(DASH));
        let found: Vec<&str> =
            signers.map(|line| line.split_once(' ').map_or(line, |(name, _)| name)).collect();
        Err(refused.unwrap_or_else(|| NoteRefused::OtherKey { name, found: found.join(", ") }))
    }
}

/// The note as a file of its own.
impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer() -> Signer {
        Signer::new("ledger.example.com", [7; 32]).unwrap()
    }

    /// The example of Go's `golang.org/x/mod/sumdb/note`.
    #[test]
    fn a_note_of_another_program_is_verified() {
        let note = "If you think cryptography is the answer to your problem,\n\
            then you don't know what your problem is.\n\n\
            — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdn\
            gotpRZb6KE6RyyBwJnAM=\n";
        let key: Verifier =
            "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".parse().unwrap();
        let notes = Note::all(note);
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].verify(&key), Ok(()));
        assert_eq!(notes[0].to_string(), note);
    }

    #[test]
    fn a_note_with_any_byte_changed_is_refused() {
        let note = Note::sign("ledger.example.com\n7\nabc\n", &signer()).to_string();
        let key = signer().verifier();
        for place in 0..note.len() {
            for flip in [1, 2, 0x20] {
                let mut bytes = note.clone().into_bytes();
                bytes[place] ^= flip;
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                let believed = Note::all(&changed).iter().any(|note| note.verify(&key).is_ok());
                assert!(!believed, "byte {place}: {changed}");
            }
        }
    }

    #[test]
    fn of_a_file_of_notes_what_was_cut_off_is_passed_over() {
        let [one, two] = ["one\n", "two\n"].map(|text| Note::sign(text, &signer()));
        let cut = two.to_string();
        for end in 0..cut.len() {
            let Some(cut) = cut.get(..end) else { continue };
            let ended = if cut.is_empty() { String::new() } else { format!("{cut}{CUT}\n\n") };
            let file = format!("{one}\n{ended}{two}");
            assert_eq!(Note::all(&file), [one.clone(), two.clone()], "{file}");
            assert_eq!(Note::all(&format!("{one}\n{cut}")), std::slice::from_ref(&one), "{cut}");
        }
    }

    #[test]
    fn a_note_of_another_key_is_refused_by_name() {
        let note = Note::sign("text\n", &signer());
        let other = signer().of_ledger("live", "live").verifier();
        let refused = note.verify(&other).unwrap_err();
        assert!(matches!(refused, NoteRefused::OtherKey { found, .. } if found == signer().name()));
        let same_name = Signer::new("ledger.example.com", [8; 32]).unwrap().verifier();
        assert!(matches!(note.verify(&same_name), Err(NoteRefused::OtherKey { .. })));
    }
}
