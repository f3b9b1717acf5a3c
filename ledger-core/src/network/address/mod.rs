//! The address of a wallet.

mod base58;
mod contracts;
mod digits;
mod others;
mod validity;
mod witness;

pub use validity::{Validity, may_be_wallet, validity};

use std::borrow::Cow;

use super::{Scheme, bare, base32, base64, hexadecimal, pad_hex};
use crate::hexadecimal::digits as hex;

/// The one spelling of an address that is compared, stored as an identity and looked up; a text
/// that is no address of the scheme stays as it is. It is not checked: see the schemes beside.
///
/// ```
/// use ledger_core::network::{Scheme, address};
///
/// let short = address::canonical(Scheme::Sui, "0x2");
/// assert_eq!(short, format!("0x{}2", "0".repeat(63)));
/// let xdc = "xdc52908400098527886E0F7030069857D2E4169EE7";
/// let evm = "0x52908400098527886e0f7030069857d2e4169ee7";
/// assert_eq!(address::canonical(Scheme::Xdc, xdc), evm);
/// ```
#[must_use]
pub fn canonical(scheme: Scheme, text: &str) -> Cow<'_, str> {
    let spelled = match scheme {
        Scheme::Evm => evm(bare(text)),
        Scheme::Xdc => evm(match text.get(..3) {
            Some(prefix) if prefix.eq_ignore_ascii_case("xdc") => &text[3..],
            _ => bare(text),
        }),
        Scheme::Liquid => bech32(text, &["lq1", "ex1", "tlq1", "tex1", "el1", "ert1"]),
        Scheme::Bitcoin => bech32(text, &["bc1", "tb1", "bcrt1"]),
        Scheme::Litecoin => bech32(text, &["ltc1", "tltc1", "rltc1"]),
        Scheme::Ton => ton(text),
        Scheme::Algorand => base32(text, 58),
        Scheme::Sui | Scheme::Aptos | Scheme::Starknet => pad_hex(text),
        Scheme::Tron | Scheme::Solana | Scheme::Near | Scheme::Polkadot | Scheme::Exact => None,
    };
    spelled.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Tells whether both name one address of a network, or both none.
#[must_use]
pub fn is_same(network: &str, one: Option<&str>, other: Option<&str>) -> bool {
    let scheme = Scheme::for_network(network);
    one.map(|text| canonical(scheme, text)) == other.map(|text| canonical(scheme, text))
}

fn evm(digits: &str) -> Option<String> {
    hexadecimal(digits, 40).map(|digits| format!("0x{digits}"))
}

/// Bech32, bech32m and blech32 are written in one case; a text of both is none of them.
fn bech32(text: &str, prefixes: &[&str]) -> Option<String> {
    let upper = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let lower = text.to_ascii_lowercase();
    (upper && prefixes.iter().any(|prefix| lower.starts_with(prefix))).then_some(lower)
}

/// The raw form `workchain:hash`; the one in base64 says the same, with flags and a checksum.
fn ton(text: &str) -> Option<String> {
    if let Some((workchain, hash)) = text.split_once(':') {
        let hash = hexadecimal(hash, 64)?;
        return workchain.parse::<i8>().ok().map(|workchain| format!("{workchain}:{hash}"));
    }
    let bytes = (text.len() == 48).then(|| base64(text)).flatten()?;
    let [_flags, workchain, hash @ .., _, _] = &bytes[..] else { return None };
    (hash.len() == 32).then(|| format!("{}:{}", workchain.cast_signed(), hex(hash)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_of_ton_has_one_spelling() {
        let raw = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8";
        let spellings = [
            "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
            "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI",
        ];
        for spelled in spellings {
            assert_eq!(canonical(Scheme::Ton, spelled), raw.to_lowercase(), "{spelled}");
        }
        assert_eq!(canonical(Scheme::Ton, raw), raw.to_lowercase());
    }

    #[test]
    fn bech32_is_lower_case_and_base58_is_as_it_is() {
        let upper = "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4";
        assert_eq!(canonical(Scheme::Bitcoin, upper), upper.to_lowercase());
        for (scheme, text) in [
            (Scheme::Bitcoin, "bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"),
            (Scheme::Bitcoin, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"),
            (Scheme::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
            (Scheme::Evm, "0xD1"),
            (Scheme::Exact, "0x52908400098527886E0F7030069857D2E4169EE7"),
        ] {
            assert_eq!(canonical(scheme, text), text);
        }
    }
}
