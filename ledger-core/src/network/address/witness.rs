//! Addresses in bech32, bech32m and, where they are confidential, blech32 and blech32m.

use bech32::primitives::decode::UncheckedHrpstring;
use bech32::{Fe32, segwit};

use super::base58::is_public_key;

/// Blech32 is bech32 with twelve digits of checksum, over these generators.
const GENERATORS: [u64; 5] = [
    0x007d_52fb_a40b_d886,
    0x005e_8dbf_1a03_950c,
    0x001c_3a3c_7407_2a18,
    0x0038_5d72_fa0e_5139,
    0x0070_93e5_a608_865b,
];
const CHECKSUM: usize = 12;
/// What a checksum leaves: blech32 for version 0, blech32m for the others.
const BLECH32: u64 = 1;
const BLECH32M: u64 = 0x0455_972a_3350_f7a1;

/// The program that a segregated witness pays to.
pub(super) fn segregated_program(text: &str, prefix: &str) -> Option<Vec<u8>> {
    let (hrp, _, program) = segwit::decode(text).ok()?;
    hrp.as_str().eq_ignore_ascii_case(prefix).then_some(program)
}

/// The program that a confidential address pays to, behind its key for blinding.
pub(super) fn confidential(text: &str, prefix: &str) -> Option<Vec<u8>> {
    let parsed = UncheckedHrpstring::new(text).ok()?;
    let hrp = parsed.hrp();
    if !hrp.as_str().eq_ignore_ascii_case(prefix) {
        return None;
    }
    let digits = parsed.data_part_ascii().iter();
    let digits: Option<Vec<u8>> =
        digits.map(|digit| Fe32::from_char(char::from(*digit)).ok().map(Fe32::to_u8)).collect();
    let digits = digits?;
    let lower = hrp.as_str().to_ascii_lowercase();
    let expanded = lower.bytes().map(|b| b >> 5).chain([0]).chain(lower.bytes().map(|b| b & 31));
    let residue = expanded.chain(digits.iter().copied()).fold(1, checksum);
    let (version, data) = digits[..digits.len().checked_sub(CHECKSUM)?].split_first()?;
    let bytes = regroup(data)?;
    let (blinding, program) = bytes.split_at_checked(33)?;
    let sound = match version {
        0 => residue == BLECH32 && matches!(program.len(), 20 | 32),
        1..=16 => residue == BLECH32M && (2..=40).contains(&program.len()),
        _ => false,
    };
    (sound && is_public_key(blinding)).then(|| program.to_vec())
}

fn checksum(residue: u64, digit: u8) -> u64 {
    let top = residue >> 55;
    let shifted = ((residue & 0x007f_ffff_ffff_ffff) << 5) ^ u64::from(digit);
    let taken = GENERATORS.iter().enumerate().filter(|(bit, _)| (top >> bit) & 1 == 1);
    taken.fold(shifted, |residue, (_, generator)| residue ^ generator)
}

/// Groups of five bits as bytes; what is left over is fewer than five zeros.
fn regroup(digits: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        held = (held << 5) | u32::from(*digit);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    (bits < 5 && held == 0).then_some(bytes)
}
