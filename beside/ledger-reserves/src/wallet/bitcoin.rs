//! Bitcoin wallets of one key: an address P2WPKH that signs a text by BIP-322, in its simple form.
//!
//! ```text
//! to_spend: version 0, one input of nothing with script 0 <hash of the text>, one output to the address
//! to_sign:  version 0, one input of to_spend's output 0, one output OP_RETURN; its witness is signed
//! ```

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bech32::segwit;
use k256::ecdsa::signature::hazmat::PrehashVerifier as _;
use k256::ecdsa::{Signature, VerifyingKey};
use ledger_core::hexadecimal::digits;
use ripemd::Ripemd160;
use sha2::{Digest as _, Sha256};

/// The hash type that covers the whole transaction.
const ALL: u8 = 1;

/// An address: the prefix of its network, and the hash of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    prefix: String,
    key_hash: [u8; 20],
}

impl Address {
    /// Reads an address in bech32: `bc1q`, `tb1q` or `bcrt1q`, of version 0 and 20 bytes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (prefix, version, program) = segwit::decode(text).ok()?;
        let prefix = prefix.to_lowercase();
        let known = ["bc", "tb", "bcrt"].contains(&&*prefix) && version == segwit::VERSION_0;
        let key_hash = program.try_into().ok().filter(|_| known)?;
        Some(Self { prefix, key_hash })
    }

    /// One text for each address, however it was spelled.
    pub(crate) fn identity(&self) -> String {
        format!("{}:{}", self.prefix, digits(&self.key_hash))
    }

    fn script(&self) -> Vec<u8> {
        [&[0x00, 0x14], &self.key_hash[..]].concat()
    }

    /// Tells whether the address signed the text: base64 of a witness of a signature and a key.
    pub(crate) fn is_signed(&self, text: &str, signature: &str) -> bool {
        self.check_signature(text, signature).is_some()
    }

    fn check_signature(&self, text: &str, signature: &str) -> Option<()> {
        let stack = witness(&BASE64_STANDARD.decode(signature).ok()?)?;
        let [signature, key] = <[Vec<u8>; 2]>::try_from(stack).ok()?;
        let hash: [u8; 20] = Ripemd160::digest(Sha256::digest(&key)).into();
        let compressed = key.len() == 33 && hash == self.key_hash;
        let (kind, der) = signature.split_last().filter(|(kind, _)| compressed && **kind == ALL)?;
        debug_assert_eq!(*kind, ALL);
        let signature = Signature::from_der(der).ok()?;
        let key = VerifyingKey::from_sec1_bytes(&key).ok()?;
        key.verify_prehash(&self.sighash(text), &signature).ok()
    }

    /// The hash that is signed: BIP-143 over `to_sign`.
    pub(crate) fn sighash(&self, text: &str) -> [u8; 32] {
        let outpoint = [&self.to_spend(text)[..], &[0; 4]].concat();
        let output = [&[0; 8][..], &[1, 0x6a]].concat();
        let script = [&[0x19, 0x76, 0xa9, 0x14], &self.key_hash[..], &[0x88, 0xac]].concat();
        twice(&[
            &[0; 4],
            &twice(&[&outpoint]),
            &twice(&[&[0; 4]]),
            &outpoint,
            &script,
            &[0; 8],
            &[0; 4],
            &twice(&[&output]),
            &[0; 4],
            &u32::from(ALL).to_le_bytes(),
        ])
    }

    /// The id of the transaction that is spent: it has the text in its input, and pays the address.
    fn to_spend(&self, text: &str) -> [u8; 32] {
        let tag = Sha256::digest("BIP0322-signed-message");
        let hash = Sha256::new().chain_update(tag).chain_update(tag).chain_update(text).finalize();
        twice(&[
            &[0; 4],
            &[1],
            &[0; 32],
            &[0xff; 4],
            &[34, 0x00, 0x20],
            &hash,
            &[0; 4],
            &[1],
            &[0; 8],
            &[22],
            &self.script(),
            &[0; 4],
        ])
    }
}

/// SHA-256 of SHA-256.
fn twice(parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(parts.concat())).into()
}

/// The parts of a witness, each shorter than 253 bytes.
fn witness(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (count, mut rest) = bytes.split_first()?;
    let mut stack = Vec::new();
    for _ in 0..*count {
        let (length, after) = rest.split_first().filter(|(length, _)| **length < 253)?;
        let (part, after) = after.split_at_checked(usize::from(*length))?;
        stack.push(part.to_vec());
        rest = after;
    }
    rest.is_empty().then_some(stack)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALLET: &str = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";

    /// The vectors of BIP-322.
    const SIGNED: [(&str, &str); 2] = [
        (
            "",
            "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z4\
             6TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
        ),
        (
            "Hello World",
            "AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29z\
             JLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
        ),
    ];

    #[test]
    fn the_vectors_of_the_proposal_are_verified_and_nothing_near_them_is() {
        let wallet = Address::parse(WALLET).unwrap();
        assert_eq!(Address::parse(&WALLET.to_uppercase()).unwrap().identity(), wallet.identity());
        let other = Address::parse("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4").unwrap();
        for (text, signature) in SIGNED {
            assert!(wallet.is_signed(text, signature), "{text:?}");
            assert!(!wallet.is_signed("Hello World!", signature), "{text:?}");
            assert!(!other.is_signed(text, signature), "{text:?}");
            let bytes = BASE64_STANDARD.decode(signature).unwrap();
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[at] ^= 1;
                let changed = BASE64_STANDARD.encode(changed);
                assert!(!wallet.is_signed(text, &changed), "{text:?}, byte {at}");
            }
        }
    }

    #[test]
    fn only_addresses_of_one_key_are_read() {
        for other in [
            "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
            "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
            "",
        ] {
            assert!(Address::parse(other).is_none(), "{other}");
        }
    }
}
