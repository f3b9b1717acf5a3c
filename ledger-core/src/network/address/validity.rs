//! Whether an address is one of its network, by the checksum that the network defines, and no
//! address that is nobody's wallet (rulings 65).

use super::contracts::TOKENS;
use super::{base58, canonical, digits, others, witness};
use crate::network::Scheme;

/// What a text is worth as a wallet of a network.
///
/// ```
/// use ledger_core::network::address::{Validity, validity};
///
/// assert_eq!(validity("polygon", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), Validity::Valid);
/// // One letter of the other case: the checksum does not fit.
/// assert_eq!(validity("polygon", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"), Validity::Invalid);
/// // The contract of USDT is nobody's wallet.
/// assert_eq!(validity("tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"), Validity::Invalid);
/// // A name on NEAR has no checksum.
/// assert_eq!(validity("near", "ana.near"), Validity::Unchecked);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// It is a wallet of the network.
    Valid,
    /// It is none.
    Invalid,
    /// The network's addresses cannot be checked.
    Unchecked,
}

impl Scheme {
    /// Tells whether an address shows by itself that it is one: by a checksum, or by bytes of a
    /// fixed number. A name on NEAR does not.
    #[must_use]
    pub const fn checks_addresses(self) -> bool {
        !matches!(self, Self::Near | Self::Exact)
    }
}

/// Judges `text` as a wallet of a network of the catalogue, by the network's name.
#[must_use]
pub fn validity(network: &str, text: &str) -> Validity {
    let scheme = Scheme::for_network(network);
    let plain = (2..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
    if !scheme.checks_addresses() {
        return if plain { Validity::Unchecked } else { Validity::Invalid };
    }
    let sound = |account: &Vec<u8>| account.iter().any(|byte| *byte != 0);
    let wallet = plain && account(scheme, text).is_some_and(|it| sound(&it));
    if wallet && !is_token(scheme, text) { Validity::Valid } else { Validity::Invalid }
}

/// Tells whether `text` may be a wallet of a network: it is one, or nobody can tell.
#[must_use]
pub fn may_be_wallet(network: &str, text: &str) -> bool {
    validity(network, text) != Validity::Invalid
}

/// The account that an address names; none where its checksum or its shape is wrong.
fn account(scheme: Scheme, text: &str) -> Option<Vec<u8>> {
    match scheme {
        Scheme::Evm => digits::evm(text, "0x"),
        Scheme::Xdc => digits::evm(text, "xdc").or_else(|| digits::evm(text, "0x")),
        Scheme::Tron => base58::tron(text),
        Scheme::Solana => base58::solana(text),
        Scheme::Liquid => witness::confidential(text, "lq")
            .or_else(|| witness::segregated_program(text, "ex"))
            .or_else(|| base58::liquid(text)),
        Scheme::Bitcoin => {
            let old = || base58::versioned_hash(text, &base58::BITCOIN);
            witness::segregated_program(text, "bc").or_else(old)
        }
        Scheme::Litecoin => {
            let old = || base58::versioned_hash(text, &base58::LITECOIN);
            witness::segregated_program(text, "ltc").or_else(old)
        }
        Scheme::Ton => others::ton(text),
        Scheme::Algorand => others::algorand(text),
        Scheme::Sui | Scheme::Aptos => digits::whole(text),
        Scheme::Starknet => digits::starknet(text),
        Scheme::Polkadot => base58::polkadot(text),
        Scheme::Near | Scheme::Exact => None,
    }
}

/// Tells whether the address is a token's own contract, in whatever spelling.
fn is_token(scheme: Scheme, text: &str) -> bool {
    let kind = if scheme == Scheme::Xdc { Scheme::Evm } else { scheme };
    let spelled = canonical(scheme, text);
    let contracts = TOKENS.iter().filter(|(of, _)| *of == kind).flat_map(|(_, them)| *them);
    contracts.copied().any(|contract| canonical(kind, contract) == spelled)
}
