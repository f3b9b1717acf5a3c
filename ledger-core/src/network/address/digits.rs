//! Addresses in hexadecimal: of Ethereum's kin, Sui, Aptos and Starknet.

use sha3::{Digest, Keccak256};

use crate::hexadecimal::{self, digits};

/// The twenty bytes of an account, and its checksum where its letters are of both cases (EIP-55).
pub(super) fn evm(text: &str, prefix: &str) -> Option<Vec<u8>> {
    let written = text.strip_prefix(prefix)?;
    let account = bytes(written, 40)?;
    let hash = || Keccak256::digest(written.to_ascii_lowercase());
    (is_of_one_case(written) || is_cased_by(written, &hash())).then_some(account)
}

/// The thirty-two bytes of an account on Sui or Aptos, which have no checksum.
pub(super) fn whole(text: &str) -> Option<Vec<u8>> {
    bytes(text.strip_prefix("0x")?, 64)
}

/// A contract on Starknet, with or without the first zeros, below 2^251; its checksum where its
/// letters are of both cases.
pub(super) fn starknet(text: &str) -> Option<Vec<u8>> {
    let written = text.strip_prefix("0x").filter(|written| (61..=64).contains(&written.len()))?;
    let padded = format!("{written:0>64}");
    let account = bytes(&padded, 64)?;
    let sound = account[0] < 8
        && (is_of_one_case(written) || {
            let short = account.iter().position(|byte| *byte != 0).unwrap_or(0);
            [&account[..], &account[short..]]
                .iter()
                .any(|of| is_cased_by(&padded, &Keccak256::digest(of)))
        });
    sound.then_some(account)
}

fn is_of_one_case(text: &str) -> bool {
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
}

/// Tells whether each letter is upper case exactly where the hash has a high digit.
fn is_cased_by(text: &str, hash: &[u8]) -> bool {
    text.bytes().zip(digits(hash).bytes()).all(|(letter, digit)| {
        !letter.is_ascii_alphabetic() || letter.is_ascii_uppercase() == (digit >= b'8')
    })
}

/// The bytes that exactly so many digits stand for.
pub(super) fn bytes(text: &str, length: usize) -> Option<Vec<u8>> {
    (text.len() == length).then(|| hexadecimal::bytes(text)).flatten()
}
