//! Signed notes (C2SP signed-note), read strictly: what a witness cosigns has one form.
//!
//! ```text
//! text, one or several lines
//!
//! — NAME base64(ID ‖ signature)
//! ```

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use thiserror::Error;

use crate::cosignature;
use crate::key::{PublicKey, SignatureType, WitnessKey};

/// The beginning of a line of a signature: an em dash and a blank.
const DASH: &str = "— ";

/// How many signatures a note may have.
const SIGNATURES: usize = 64;

/// A signed note as it was read; not yet verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedNote {
    text: String,
    signatures: Vec<SignatureLine>,
}

/// A line of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureLine {
    /// The name of the key.
    pub name: String,
    /// The four bytes that name the key beside it.
    pub id: [u8; 4],
    /// The signature, by the rules of the key's type.
    pub signature: Vec<u8>,
}

/// Why a text is no signed note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoteMalformed {
    /// A control character, or no line feed at the end.
    #[error("a note has no control characters, and ends with a line feed")]
    Characters,
    /// No empty line, or no text before it.
    #[error("a note has a text, an empty line and signatures")]
    Parts,
    /// A line of a signature is none.
    #[error("line {0} of the signatures is not — NAME BASE64")]
    Signature(usize),
    /// More signatures than a note may have.
    #[error("a note has at most {SIGNATURES} signatures")]
    Many,
}

/// The proof that the lines of one key give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The key signed the text; a cosignature gives its instant, in seconds since 1970.
    Yes(Option<u64>),
    /// No line is of this key.
    No,
    /// A line names the key, and is not its signature of the text: the note is not to be believed.
    Forged,
}

impl SignedNote {
    /// A note of this text, which ends with a line feed, without signatures yet.
    pub(crate) fn from_text(text: &str) -> Self {
        Self { text: text.to_owned(), signatures: Vec::new() }
    }

    /// The text that was signed, with the line feed that ends it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the signatures, in order.
    #[must_use]
    pub fn signatures(&self) -> &[SignatureLine] {
        &self.signatures
    }

    /// Says whether the key signed the text: every line that names it must be its own.
    #[must_use]
    pub fn verify(&self, key: &PublicKey) -> Signed {
        let mut signed = Signed::No;
        for line in self.signatures.iter().filter(|line| line.is_by(key)) {
            signed = line.verify(key, &self.text);
            if signed == Signed::Forged {
                break;
            }
        }
        signed
    }

    /// Adds a line, in the place of an earlier one of the same key.
    pub fn add(&mut self, line: SignatureLine) {
        self.signatures.retain(|known| (&known.name, known.id) != (&line.name, line.id));
        self.signatures.push(line);
    }

    /// The same text with the lines of these keys alone.
    #[must_use]
    pub fn with_lines_of(&self, keys: &[PublicKey]) -> Self {
        let lines = self.signatures.iter();
        let lines = lines.filter(|line| keys.iter().any(|key| line.is_by(key)));
        Self { text: self.text.clone(), signatures: lines.cloned().collect() }
    }
}

impl SignatureLine {
    /// Cosigns the text of a checkpoint at an instant, in seconds since 1970. Who calls this has
    /// proved the text to go on from everything that the key cosigned before.
    pub(crate) fn cosign(key: &WitnessKey, text: &str, time: u64) -> Self {
        let signature = cosignature::sign(key, text, time);
        Self { name: key.name().to_owned(), id: key.public().id(), signature }
    }

    /// Tells whether it names the key.
    #[must_use]
    pub fn is_by(&self, key: &PublicKey) -> bool {
        self.name == key.name() && self.id == key.id()
    }

    /// Verifies a line that names the key, by the key's type.
    fn verify(&self, key: &PublicKey, text: &str) -> Signed {
        let time = match key.signature_type() {
            SignatureType::Note => {
                let signature = self.signature.as_slice().try_into();
                signature.is_ok_and(|it| key.has_signed(text.as_bytes(), it)).then_some(None)
            }
            SignatureType::Cosignature => cosignature::split(&self.signature)
                .filter(|(time, it)| key.has_signed(&cosignature::message(*time, text), it))
                .map(|(time, _)| Some(time)),
        };
        time.map_or(Signed::Forged, Signed::Yes)
    }
}

impl FromStr for SignedNote {
    type Err = NoteMalformed;

    fn from_str(note: &str) -> Result<Self, NoteMalformed> {
        let is_control = |c: char| c < ' ' && c != '\n';
        if note.contains(is_control) || !note.ends_with('\n') {
            return Err(NoteMalformed::Characters);
        }
        let (text, lines) = note.rsplit_once("\n\n").ok_or(NoteMalformed::Parts)?;
        if text.is_empty() || lines.is_empty() {
            return Err(NoteMalformed::Parts);
        }
        let signatures = parse_lines(lines)?;
        Ok(Self { text: format!("{text}\n"), signatures })
    }
}

/// Reads lines of signatures, each ended by a line feed.
pub(crate) fn parse_lines(lines: &str) -> Result<Vec<SignatureLine>, NoteMalformed> {
    let lines: Vec<&str> = lines.split_terminator('\n').collect();
    if lines.len() > SIGNATURES {
        return Err(NoteMalformed::Many);
    }
    let numbered = (1..).zip(lines);
    numbered
        .map(|(place, line)| line.parse().map_err(|()| NoteMalformed::Signature(place)))
        .collect()
}

impl FromStr for SignatureLine {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let (name, bytes) = line.strip_prefix(DASH).and_then(|it| it.split_once(' ')).ok_or(())?;
        let wrong = |c: char| c.is_whitespace() || c == '+';
        let bytes = BASE64_STANDARD.decode(bytes).map_err(|_| ())?;
        match bytes.split_first_chunk::<4>() {
            Some((id, signature)) if !signature.is_empty() && !name.is_empty() => {
                let name = Some(name).filter(|name| !name.contains(wrong)).ok_or(())?;
                Ok(Self { name: name.to_owned(), id: *id, signature: signature.to_vec() })
            }
            _ => Err(()),
        }
    }
}

/// The line without its line feed.
impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.id[..], &self.signature].concat();
        write!(f, "{DASH}{} {}", self.name, BASE64_STANDARD.encode(bytes))
    }
}

/// The note as a file of its own.
impl fmt::Display for SignedNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
