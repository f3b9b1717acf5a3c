//! Networks: how each one spells transactions and addresses, and which spellings name one thing
//! (rulings 64).

pub mod address;
pub mod hash;

/// How a network spells its transactions and addresses.
///
/// ```
/// use ledger_core::network::{Scheme, address, hash};
///
/// let scheme = Scheme::for_network("polygon");
/// assert_eq!(scheme, Scheme::Evm);
/// let checksummed = "0x52908400098527886E0F7030069857D2E4169EE7";
/// let plain = "0x52908400098527886e0f7030069857d2e4169ee7";
/// assert_eq!(address::canonical(scheme, checksummed), plain);
/// // A text of another shape stays as it is.
/// assert_eq!(hash::canonical(scheme, "0xD1"), "0xD1");
/// // A network without a scheme is compared exactly.
/// assert_eq!(Scheme::for_network("atlantis"), Scheme::Exact);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// Ethereum and the networks that run its machine.
    Evm,
    /// XDC: an Ethereum machine whose addresses may begin with `xdc` instead of `0x`.
    Xdc,
    /// Tron: hexadecimal hashes, base58check addresses.
    Tron,
    /// Solana: base58 throughout.
    Solana,
    /// Liquid: hexadecimal txids; blech32, bech32 and base58check addresses.
    Liquid,
    /// Bitcoin: hexadecimal txids; bech32, bech32m and base58check addresses.
    Bitcoin,
    /// Litecoin, as Bitcoin.
    Litecoin,
    /// TON: hashes in hexadecimal or base64; addresses raw or in base64.
    Ton,
    /// Algorand: base32 throughout.
    Algorand,
    /// Sui: base58 digests; hexadecimal addresses, with or without leading zeros.
    Sui,
    /// Aptos: hexadecimal throughout; addresses with or without leading zeros.
    Aptos,
    /// Starknet: field elements in hexadecimal, with or without leading zeros.
    Starknet,
    /// NEAR: base58 hashes; addresses are names.
    Near,
    /// Polkadot: hexadecimal hashes, SS58 addresses.
    Polkadot,
    /// A network whose spelling is not known: byte for byte.
    Exact,
}

impl Scheme {
    /// All fifteen schemes, in declared order.
    pub const ALL: [Self; 15] = [
        Self::Evm,
        Self::Xdc,
        Self::Tron,
        Self::Solana,
        Self::Liquid,
        Self::Bitcoin,
        Self::Litecoin,
        Self::Ton,
        Self::Algorand,
        Self::Sui,
        Self::Aptos,
        Self::Starknet,
        Self::Near,
        Self::Polkadot,
        Self::Exact,
    ];

    /// The scheme of a network of the catalogue, by the name it has there.
    #[must_use]
    pub fn for_network(name: &str) -> Self {
        match name {
            "polygon" | "eth" | "ethereum" | "bsc" | "arbitrum" | "optimism" | "base"
            | "avalanche" | "celo" | "plasma" | "sonic" | "seievm" | "cfxevm" | "klay" | "arc" => {
                Self::Evm
            }
            "xdc" => Self::Xdc,
            "tron" => Self::Tron,
            "solana" => Self::Solana,
            "liquid" => Self::Liquid,
            "bitcoin" | "btc" => Self::Bitcoin,
            "litecoin" | "ltc" => Self::Litecoin,
            "ton" => Self::Ton,
            "algo" => Self::Algorand,
            "sui" => Self::Sui,
            "aptos" => Self::Aptos,
            "stark" => Self::Starknet,
            "near" => Self::Near,
            "polkadot" => Self::Polkadot,
            _ => Self::Exact,
        }
    }
}

/// Exactly so many hexadecimal digits, in lower case; none for any other text.
fn hexadecimal(text: &str, digits: usize) -> Option<String> {
    let shaped = text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    shaped.then(|| text.to_ascii_lowercase())
}

/// `text` without `0x`, in either case, where it begins with it.
fn bare(text: &str) -> &str {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text)
}

/// A number of up to 64 hexadecimal digits behind `0x`, with all its zeros and in lower case.
fn pad_hex(text: &str) -> Option<String> {
    let digits = bare(text);
    // Without the prefix only the whole number is one: `dad` may be anything.
    let shaped =
        (1..=64).contains(&digits.len()) && (digits.len() < text.len() || digits.len() == 64);
    let hexadecimal = shaped && digits.bytes().all(|b| b.is_ascii_hexdigit());
    hexadecimal.then(|| format!("0x{:0>64}", digits.to_ascii_lowercase()))
}

/// Exactly so many letters and digits of base32 (RFC 4648), in upper case.
fn base32(text: &str, length: usize) -> Option<String> {
    let shaped = text.len() == length
        && text.bytes().all(|b| b.is_ascii_alphabetic() || (b'2'..=b'7').contains(&b));
    shaped.then(|| text.to_ascii_uppercase())
}

/// The bytes that `text` stands for in base64, padded or not, by either alphabet.
fn base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    let plain = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
    URL_SAFE_NO_PAD.decode(plain).ok()
}
