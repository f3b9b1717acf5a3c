//! Addresses in base 58: of Tron, Solana and Polkadot, and the older ones of Bitcoin and its kin.

use blake2::Blake2b512;
use sha2::{Digest, Sha256};

/// The most bytes that an address of base 58 stands for.
const LONGEST: usize = 64;

/// What precedes a Tron account's twenty bytes.
const TRON: u8 = 0x41;
/// The number of Polkadot among the networks of SS58.
const POLKADOT: u8 = 0;
/// What precedes a key's hash and a script's, on Bitcoin, Litecoin and Liquid.
pub(super) const BITCOIN: [u8; 2] = [0x00, 0x05];
pub(super) const LITECOIN: [u8; 3] = [0x30, 0x32, 0x05];
const LIQUID: [u8; 2] = [0x39, 0x27];
/// What precedes those on Liquid where a key for blinding stands between.
const LIQUID_BLINDED: u8 = 0x0c;

/// The twenty bytes of a Tron account.
pub(super) fn tron(text: &str) -> Option<Vec<u8>> {
    match verify_checksum(text)?.split_first()? {
        (&TRON, account) if account.len() == 20 => Some(account.to_vec()),
        _ => None,
    }
}

/// The thirty-two bytes of a Solana account, which has no checksum.
pub(super) fn solana(text: &str) -> Option<Vec<u8>> {
    decode(text).filter(|account| account.len() == 32)
}

/// The twenty bytes behind one of these versions.
pub(super) fn versioned_hash(text: &str, versions: &[u8]) -> Option<Vec<u8>> {
    let bytes = verify_checksum(text)?;
    let (version, hash) = bytes.split_first()?;
    (versions.contains(version) && hash.len() == 20).then(|| hash.to_vec())
}

/// A key's or a script's hash on Liquid, blinded or not.
pub(super) fn liquid(text: &str) -> Option<Vec<u8>> {
    let bytes = verify_checksum(text)?;
    let (front, hash) = bytes.split_at_checked(bytes.len().checked_sub(20)?)?;
    let sound = match front {
        [version] => LIQUID.contains(version),
        [LIQUID_BLINDED, version, blinding @ ..] => {
            LIQUID.contains(version) && is_public_key(blinding)
        }
        _ => false,
    };
    sound.then(|| hash.to_vec())
}

/// Tells whether these are a compressed public key.
pub(super) fn is_public_key(bytes: &[u8]) -> bool {
    bytes.len() == 33 && matches!(bytes[0], 2 | 3)
}

/// The thirty-two bytes of a Polkadot account, by SS58.
pub(super) fn polkadot(text: &str) -> Option<Vec<u8>> {
    let bytes = decode(text).filter(|bytes| bytes.len() == 35)?;
    let (account, checksum) = bytes.split_at(33);
    let hash = Blake2b512::new().chain_update(b"SS58PRE").chain_update(account).finalize();
    (account[0] == POLKADOT && hash[..2] == *checksum).then(|| account[1..].to_vec())
}

/// The bytes before a checksum that fits them: the first four of SHA-256 taken twice.
fn verify_checksum(text: &str) -> Option<Vec<u8>> {
    let mut bytes = decode(text)?;
    let checksum = bytes.split_off(bytes.len().checked_sub(4)?);
    let hash = Sha256::digest(Sha256::digest(&bytes));
    (hash[..4] == *checksum).then_some(bytes)
}

fn decode(text: &str) -> Option<Vec<u8>> {
    bs58::decode(text).into_vec().ok().filter(|bytes| bytes.len() <= LONGEST)
}
