//! Wallet addresses: the shape of one on a network. Whether it exists, only the network knows.

/// Whether `text` has the shape of an address on `chain`; unknown networks take any plain text.
#[must_use]
pub fn is_address(chain: &str, text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_graphic();
    if !(8..=128).contains(&text.len()) || !text.bytes().all(plain) {
        return false;
    }
    match chain {
        "polygon" | "eth" | "bsc" | "arbitrum" | "optimism" | "base" | "avalanche" | "celo"
        | "plasma" | "sonic" | "seievm" | "cfxevm" | "klay" | "arc" => is_evm(text),
        "tron" => text.len() == 34 && text.starts_with('T') && text.bytes().all(is_base58),
        "solana" => (32..=44).contains(&text.len()) && text.bytes().all(is_base58),
        "liquid" => is_liquid(text),
        _ => true,
    }
}

/// `0x` and forty hexadecimal digits; the case of the digits is not held to a checksum.
fn is_evm(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Confidential `lq1`, unconfidential `ex1`, or one of the base-58 forms of Liquid.
fn is_liquid(text: &str) -> bool {
    let bech = |prefix| {
        let rest = text.strip_prefix(prefix).unwrap_or_default();
        rest.len() >= 39 && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let base58 = text.bytes().all(is_base58) && (33..=80).contains(&text.len());
    bech("lq1") || bech("ex1") || (base58 && text.starts_with(['V', 'G', 'H', 'Q', 'C']))
}

fn is_base58(b: u8) -> bool {
    b.is_ascii_alphanumeric() && !matches!(b, b'0' | b'O' | b'I' | b'l')
}
