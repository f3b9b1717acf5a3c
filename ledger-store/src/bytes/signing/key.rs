//! Keys of checkpoints: Ed25519, in the text forms of C2SP signed-note.
//!
//! ```text
//! public    NAME+HASH+base64(0x01 ‖ 32 bytes)
//! secret    PRIVATE+KEY+NAME+HASH+base64(0x01 ‖ 32 bytes)
//! HASH      first 4 bytes of SHA-256(NAME ‖ LF ‖ 0x01 ‖ public key), in hexadecimal digits
//! ```
//!
//! One secret signs for every ledger of a service. Each ledger has a name of its own, its origin,
//! and so a public text of its own: a checkpoint of one is none of another.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The number of Ed25519 in signed notes.
const ED25519: u8 = 1;

/// What the text of a secret key begins with.
const SECRET: &str = "PRIVATE+KEY+";

/// Why a text is no key, or a name no name of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyMalformed {
    /// The name is empty, or has a blank or a plus sign.
    #[error("the name of a key is not empty, and has neither blanks nor a plus sign")]
    Name,
    /// The text has not the parts of a key.
    #[error("a public key is NAME+HASH+BASE64, as `checkpoint-key` prints it")]
    Public,
    /// The text has not the parts of a secret key.
    #[error("a secret key is PRIVATE+KEY+NAME+HASH+BASE64, as `checkpoint-key` writes it")]
    Secret,
    /// The hash is not of this name and key: a part of the text was changed.
    #[error("the key's hash is not of its name and bytes: a part of it was changed")]
    Hash,
}

/// The signer of one ledger's checkpoints.
///
/// ```
/// # use ledger_store::signing::key::{Signer, Verifier};
///
/// let signer = Signer::new("ledger.example.com", [7; 32])?.of_ledger("live", "live");
/// assert_eq!(signer.name(), "ledger.example.com/live/live");
/// let verifier: Verifier = signer.verifier().to_string().parse()?;
/// assert_eq!(verifier, signer.verifier());
/// # Ok::<(), ledger_store::signing::key::KeyMalformed>(())
/// ```
#[derive(Clone)]
pub struct Signer {
    name: String,
    key: SigningKey,
}

/// The verifier of checkpoints: a public key and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verifier {
    name: String,
    key: VerifyingKey,
}

impl Signer {
    /// A key of this name, made of 32 random bytes.
    ///
    /// # Errors
    ///
    /// [`KeyMalformed::Name`].
    pub fn new(name: &str, secret: [u8; 32]) -> Result<Self, KeyMalformed> {
        check_name(name)?;
        Ok(Self { name: name.to_owned(), key: SigningKey::from_bytes(&secret) })
    }

    /// The same key under the name of one ledger and its environment, the origin of its
    /// checkpoints.
    #[must_use]
    pub fn of_ledger(&self, ledger: &str, environment: &str) -> Self {
        Self { name: format!("{}/{ledger}/{environment}", self.name), key: self.key.clone() }
    }

    /// The key's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The public key of the same name.
    #[must_use]
    pub fn verifier(&self) -> Verifier {
        Verifier { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// The text to be kept secret.
    #[must_use]
    pub fn secret_text(&self) -> String {
        let hash = u32::from_be_bytes(self.verifier().hash());
        let bytes = BASE64_STANDARD.encode([&[ED25519], &self.key.to_bytes()[..]].concat());
        format!("{SECRET}{}+{hash:08x}+{bytes}", self.name)
    }

    pub(super) fn sign(&self, text: &str) -> [u8; 64] {
        self.key.sign(text.as_bytes()).to_bytes()
    }
}

impl Verifier {
    /// The key's name, which is the origin of the checkpoints that it signs.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what a signature names the key by, beside its name.
    #[must_use]
    pub fn hash(&self) -> [u8; 4] {
        let hash = Sha256::new()
            .chain_update(&self.name)
            .chain_update([b'\n', ED25519])
            .chain_update(self.key.as_bytes())
            .finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    pub(super) fn is_of(&self, text: &str, signature: &[u8; 64]) -> bool {
        self.key.verify_strict(text.as_bytes(), &Signature::from_bytes(signature)).is_ok()
    }
}

fn check_name(name: &str) -> Result<(), KeyMalformed> {
    let blank = name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+');
    if name.is_empty() || blank { Err(KeyMalformed::Name) } else { Ok(()) }
}

/// The name, hash and 32 bytes of a key's text.
fn parts(text: &str) -> Option<(&str, [u8; 4], [u8; 32])> {
    let (name, rest) = text.split_once('+')?;
    let (digits, bytes) = rest.split_once('+')?;
    let hash = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 8)?;
    let bytes = BASE64_STANDARD.decode(bytes).ok()?;
    let (kind, key) = bytes.split_first()?;
    let key = key.try_into().ok().filter(|_| *kind == ED25519)?;
    Some((name, hash.to_be_bytes(), key))
}

impl FromStr for Verifier {
    type Err = KeyMalformed;

    fn from_str(text: &str) -> Result<Self, KeyMalformed> {
        let (name, hash, bytes) = parts(text.trim()).ok_or(KeyMalformed::Public)?;
        check_name(name)?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| KeyMalformed::Public)?;
        let verifier = Self { name: name.to_owned(), key };
        if verifier.hash() == hash { Ok(verifier) } else { Err(KeyMalformed::Hash) }
    }
}

impl FromStr for Signer {
    type Err = KeyMalformed;

    fn from_str(text: &str) -> Result<Self, KeyMalformed> {
        let rest = text.trim().strip_prefix(SECRET).ok_or(KeyMalformed::Secret)?;
        let (name, hash, bytes) = parts(rest).ok_or(KeyMalformed::Secret)?;
        let signer = Self::new(name, bytes)?;
        if signer.verifier().hash() == hash { Ok(signer) } else { Err(KeyMalformed::Hash) }
    }
}

impl fmt::Display for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = u32::from_be_bytes(self.hash());
        let bytes = BASE64_STANDARD.encode([&[ED25519], &self.key.as_bytes()[..]].concat());
        write!(f, "{}+{hash:08x}+{bytes}", self.name)
    }
}

/// Shows no secret: it must not reach a log.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Go's `golang.org/x/mod/sumdb/note`, which is the origin of signed notes.
    #[test]
    fn the_keys_of_another_program_are_read_and_written_alike() {
        let secret =
            "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
        let public = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let signer: Signer = secret.parse().unwrap();
        assert_eq!(signer.secret_text(), secret);
        assert_eq!(signer.verifier().to_string(), public);
        assert_eq!(public.parse(), Ok(signer.verifier()));
    }

    #[test]
    fn a_key_that_was_changed_is_refused() {
        let public = Signer::new("a.example", [3; 32]).unwrap().verifier().to_string();
        for place in 0..public.len() {
            let mut bytes = public.clone().into_bytes();
            bytes[place] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let read = changed.parse::<Verifier>();
            assert!(read.is_err(), "{changed}");
        }
        assert_eq!(Signer::new("a b", [3; 32]).unwrap_err(), KeyMalformed::Name);
        assert_eq!("PRIVATE+KEY+a".parse::<Signer>().unwrap_err(), KeyMalformed::Secret);
    }
}
