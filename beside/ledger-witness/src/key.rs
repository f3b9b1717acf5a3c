//! Keys of logs and witnesses: Ed25519, in the text forms of C2SP signed-note.
//!
//! ```text
//! public    NAME+ID+base64(TYPE ‖ 32 bytes)
//! secret    PRIVATE+KEY+NAME+ID+base64(0x04 ‖ 32 bytes)
//! ID        first 4 bytes of SHA-256(NAME ‖ LF ‖ TYPE ‖ public key), in hexadecimal digits
//! TYPE      0x01 signs the text of a note, 0x04 cosigns a checkpoint at an instant
//! ```

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Bytes of a name at most, as tlog-cosignature allows.
const NAME_BYTES: usize = 255;

/// The text that every secret key begins with.
const SECRET: &str = "PRIVATE+KEY+";

/// The form of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureType {
    /// Over the text of a note: by logs.
    Note = 1,
    /// Over an instant and the text of a checkpoint: by witnesses.
    Cosignature = 4,
}

/// Why a text is no key, or a name no name of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyMalformed {
    /// The name is empty, too long, or has a blank or a plus sign.
    #[error("the name of a key has 1 to 255 bytes, and neither blanks nor a plus sign")]
    Name,
    /// The text has not the parts of a public key.
    #[error("a public key is NAME+ID+BASE64, of type 1 for a log and 4 for a witness")]
    Public,
    /// The text has not the parts of a witness's secret key.
    #[error("a witness's secret key is PRIVATE+KEY+NAME+ID+BASE64")]
    Secret,
    /// The id is not of this name and key: a part of the text was changed.
    #[error("the key's id is not of its name and bytes: a part of it was changed")]
    Id,
    /// Anybody can sign for this key.
    #[error("the key is a point of small order, for which anybody can sign")]
    Weak,
}

/// The public key of a log or a witness, with its name.
///
/// ```
/// use ledger_witness::{PublicKey, SignatureType, WitnessKey};
///
/// let secret = WitnessKey::new("witness.example/w1", [7; 32])?;
/// let public: PublicKey = secret.public().to_string().parse()?;
/// assert_eq!(public, secret.public());
/// assert_eq!(public.signature_type(), SignatureType::Cosignature);
/// # Ok::<(), ledger_witness::KeyMalformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    name: String,
    signature_type: SignatureType,
    key: VerifyingKey,
}

/// The secret key of a witness.
#[derive(Clone)]
pub struct WitnessKey {
    name: String,
    key: SigningKey,
}

impl PublicKey {
    /// The key's name: of a log, the origin of its checkpoints.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The form of the signatures that it makes.
    #[must_use]
    pub const fn signature_type(&self) -> SignatureType {
        self.signature_type
    }

    /// The four bytes by which a signature names the key, beside its name.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        let hash = Sha256::new()
            .chain_update(&self.name)
            .chain_update([b'\n', self.signature_type as u8])
            .chain_update(self.key.as_bytes())
            .finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// Tells whether both wrap the same 32 bytes, under whatever name.
    #[must_use]
    pub fn is_same_point(&self, other: &Self) -> bool {
        self.key == other.key
    }

    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.key.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }
}

impl WitnessKey {
    /// A key of this name, made of 32 random bytes.
    ///
    /// # Errors
    ///
    /// [`KeyMalformed::Name`].
    pub fn new(name: &str, secret: [u8; 32]) -> Result<Self, KeyMalformed> {
        check_name(name)?;
        Ok(Self { name: name.to_owned(), key: SigningKey::from_bytes(&secret) })
    }

    /// The witness's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The public key of the same name.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey {
            name: self.name.clone(),
            signature_type: SignatureType::Cosignature,
            key: self.key.verifying_key(),
        }
    }

    /// The text to be kept secret.
    #[must_use]
    pub fn secret_text(&self) -> String {
        format!("{SECRET}{}", key_text(&self.public(), &self.key.to_bytes()))
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}

/// Checks the name of a key.
fn check_name(name: &str) -> Result<(), KeyMalformed> {
    let wrong = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    if name.is_empty() || name.len() > NAME_BYTES || name.contains(wrong) {
        return Err(KeyMalformed::Name);
    }
    Ok(())
}

/// The text of a key: its name, its id, and these bytes after its type.
fn key_text(public: &PublicKey, bytes: &[u8; 32]) -> String {
    let id = u32::from_be_bytes(public.id());
    let typed = [&[public.signature_type as u8], &bytes[..]].concat();
    format!("{}+{id:08x}+{}", public.name, BASE64_STANDARD.encode(typed))
}

/// The name, id, type and 32 bytes of a key's text.
fn key_parts(text: &str) -> Option<(&str, [u8; 4], SignatureType, [u8; 32])> {
    let (name, rest) = text.split_once('+')?;
    let (digits, bytes) = rest.split_once('+')?;
    let is_id = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let id = u32::from_str_radix(digits, 16).ok().filter(|_| is_id)?;
    let bytes = BASE64_STANDARD.decode(bytes).ok()?;
    let (byte, key) = bytes.split_first()?;
    let known = [SignatureType::Note, SignatureType::Cosignature];
    let signature_type = known.into_iter().find(|known| *known as u8 == *byte)?;
    Some((name, id.to_be_bytes(), signature_type, key.try_into().ok()?))
}

impl FromStr for PublicKey {
    type Err = KeyMalformed;

    fn from_str(text: &str) -> Result<Self, KeyMalformed> {
        let (name, id, signature_type, bytes) = key_parts(text).ok_or(KeyMalformed::Public)?;
        check_name(name)?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| KeyMalformed::Public)?;
        if key.is_weak() {
            return Err(KeyMalformed::Weak);
        }
        let public = Self { name: name.to_owned(), signature_type, key };
        if public.id() == id { Ok(public) } else { Err(KeyMalformed::Id) }
    }
}

impl FromStr for WitnessKey {
    type Err = KeyMalformed;

    fn from_str(text: &str) -> Result<Self, KeyMalformed> {
        let rest = text.trim().strip_prefix(SECRET).ok_or(KeyMalformed::Secret)?;
        let (name, id, signature_type, bytes) = key_parts(rest).ok_or(KeyMalformed::Secret)?;
        if signature_type != SignatureType::Cosignature {
            return Err(KeyMalformed::Secret);
        }
        let key = Self::new(name, bytes)?;
        if key.public().id() == id { Ok(key) } else { Err(KeyMalformed::Id) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&key_text(self, self.key.as_bytes()))
    }
}

/// Shows no secret: it must not reach a log.
impl fmt::Debug for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WitnessKey").field("name", &self.name).finish_non_exhaustive()
    }
}
