//! Wallets of Ethereum's kind: an address that signs a text by EIP-191.

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use ledger_core::hexadecimal::bytes;
use sha3::{Digest as _, Keccak256};

/// An address: the last 20 bytes of the hash of a public key.
pub(crate) type Address = [u8; 20];

/// Reads `0x` and 40 hexadecimal digits, of either case.
pub(crate) fn address(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40)?;
    bytes(digits)?.try_into().ok()
}

/// Tells whether the address signed the text by `personal_sign`: `0x`, then r, s and v.
pub(crate) fn is_signed(address: &Address, text: &str, signature: &str) -> bool {
    signer(text, signature).is_some_and(|signer| signer == *address)
}

fn signer(text: &str, signature: &str) -> Option<Address> {
    let bytes = bytes(signature.strip_prefix("0x")?)?;
    let (last, rest) = bytes.split_last()?;
    let signature = Signature::from_slice(rest).ok()?;
    let recovery = RecoveryId::from_byte(if *last >= 27 { last - 27 } else { *last })?;
    let key = VerifyingKey::recover_from_prehash(&digest(text), &signature, recovery).ok()?;
    let point = key.to_sec1_point(false);
    let hash = Keccak256::digest(&point.as_bytes()[1..]);
    hash[12..].try_into().ok()
}

/// The hash that is signed: the text after its prefix and its length in bytes.
pub(crate) fn digest(text: &str) -> [u8; 32] {
    let prefix = format!("\x19Ethereum Signed Message:\n{}", text.len());
    Keccak256::new_with_prefix(prefix).chain_update(text).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of web3.js, `eth.accounts.sign`.
    #[test]
    fn a_signature_of_another_program_is_of_its_address_and_no_other() {
        let wallet = address("0x2c7536E3605D9C16a7a3D7b1898e529396a65c23").unwrap();
        let signature = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e7\
                         4cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c";
        assert!(is_signed(&wallet, "Some data", signature));
        assert!(!is_signed(&wallet, "Some date", signature));
        assert!(!is_signed(&[7; 20], "Some data", signature));
        for at in 2..signature.len() {
            let digit = if &signature[at..=at] == "1" { "2" } else { "1" };
            let changed = format!("{}{digit}{}", &signature[..at], &signature[at + 1..]);
            assert!(!is_signed(&wallet, "Some data", &changed), "{changed}");
        }
        for malformed in ["", "0x", "0x+1", "0xé", "b9"] {
            assert!(!is_signed(&wallet, "Some data", malformed));
        }
    }
}
