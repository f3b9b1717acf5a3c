//! The hash that names a transaction.

use std::borrow::Cow;

use super::{Scheme, bare, base32, base64, hexadecimal, pad_hex};
use crate::hexadecimal::digits as hex;

/// The one spelling of a transaction's hash that is compared, stored as an identity and looked up;
/// a text that is no hash of the scheme stays as it is.
///
/// ```
/// use ledger_core::network::{Scheme, hash};
///
/// let tron = "AB".repeat(32);
/// assert_eq!(hash::canonical(Scheme::Tron, &format!("0x{tron}")), tron.to_lowercase());
/// assert_eq!(hash::canonical(Scheme::Evm, &tron), format!("0x{}", tron.to_lowercase()));
/// assert_eq!(hash::canonical(Scheme::Solana, &tron), tron);
/// ```
#[must_use]
pub fn canonical(scheme: Scheme, text: &str) -> Cow<'_, str> {
    let spelled = match scheme {
        Scheme::Evm | Scheme::Xdc | Scheme::Aptos | Scheme::Polkadot => {
            hexadecimal(bare(text), 64).map(|digits| format!("0x{digits}"))
        }
        Scheme::Tron => hexadecimal(bare(text), 64),
        Scheme::Liquid | Scheme::Bitcoin | Scheme::Litecoin => hexadecimal(text, 64),
        Scheme::Ton => hexadecimal(bare(text), 64).or_else(|| ton(text)),
        Scheme::Algorand => base32(text, 52),
        Scheme::Starknet => pad_hex(text),
        Scheme::Solana | Scheme::Sui | Scheme::Near | Scheme::Exact => None,
    };
    spelled.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// 32 bytes in base64 are the same hash as in hexadecimal.
fn ton(text: &str) -> Option<String> {
    let shaped = matches!(text.trim_end_matches('=').len(), 43) && text.len() <= 44;
    let bytes = shaped.then(|| base64(text)).flatten()?;
    (bytes.len() == 32).then(|| hex(&bytes))
}
