//! Addresses of TON and Algorand.

use crc::{CRC_16_XMODEM, Crc};
use sha2::{Digest, Sha512_256};

use super::digits::bytes;
use crate::network::base64;

/// Flags of an address in base64: whether it bounces; those of the test network are none of ours.
const FLAGS: [u8; 2] = [0x11, 0x51];
/// The base chain and the master chain.
const WORKCHAINS: [u8; 2] = [0x00, 0xff];

const TON: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// The thirty-two bytes of a TON account, raw or in base64 with flags and a checksum.
pub(super) fn ton(text: &str) -> Option<Vec<u8>> {
    if let Some((workchain, account)) = text.split_once(':') {
        return matches!(workchain, "0" | "-1").then(|| bytes(account, 64)).flatten();
    }
    let whole = (text.len() == 48).then(|| base64(text)).flatten()?;
    let (said, checksum) = whole.split_at_checked(34)?;
    let sound = *checksum == TON.checksum(said).to_be_bytes()
        && FLAGS.contains(&said[0])
        && WORKCHAINS.contains(&said[1]);
    sound.then(|| said[2..].to_vec())
}

/// The thirty-two bytes of an Algorand account, before the last four of their hash.
pub(super) fn algorand(text: &str) -> Option<Vec<u8>> {
    let whole = (text.len() == 58).then(|| base32(text)).flatten()?;
    let (account, checksum) = whole.split_at_checked(32)?;
    (Sha512_256::digest(account)[28..] == *checksum).then(|| account.to_vec())
}

/// The bytes of base 32 (RFC 4648) without padding, in either case; what is left over is zeros.
fn base32(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes() {
        let digit = match letter.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' => letter - b'A',
            digit @ b'2'..=b'7' => digit - b'2' + 26,
            _ => return None,
        };
        held = (held << 5) | u32::from(digit);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    (bits < 5 && held == 0).then_some(bytes)
}
