//! The hash chain: one link per record, so that no record can be changed, moved or dropped unseen.
//!
//! ```text
//! link 0 = H("custody-ledger chain v1" ‖ 0x00 ‖ algorithm tag ‖ ledger name)
//! link n = H(link n-1 ‖ n as 8 bytes, little endian ‖ record n)
//! ```
//!
//! The first record is number 1.
//! Rows and commits are a matter of timing and stay outside: the same records give the same head
//! however they were batched.

use std::fmt;
use std::str::FromStr;

use ledger_core::hexadecimal::{bytes, digits};
use sha2::{Digest, Sha256};

/// Bytes of a link.
pub const LINK_BYTES: usize = 32;

/// What an empty ledger's link is derived from, beside its name.
const DOMAIN: &[u8] = b"custody-ledger chain v1\0";

/// Bytes before the record in what a link hashes: the link before it and the sequence number.
const PREFIX: usize = LINK_BYTES + 8;

/// A record that fits beside its prefix is hashed in one call over a stack buffer of this size.
const ONE_SHOT: usize = 256;

/// The hash function of a chain, fixed when the ledger is created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// BLAKE3, tag 1: the default, fast on machines without SHA instructions.
    #[default]
    Blake3,
    /// SHA-256, tag 2: for auditors who must re-run the chain with it.
    Sha256,
}

/// One link of the chain: a 32-byte hash, shown as 64 hexadecimal digits.
///
/// ```
/// use ledger_store::{Algorithm, Chain, Link};
///
/// let link = Chain::genesis(Algorithm::Sha256, "live").link();
/// assert_eq!(link.to_string().parse::<Link>(), Ok(link));
/// assert!("38701383".parse::<Link>().is_err()); // A part of one is none.
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link(pub [u8; LINK_BYTES]);

/// A chain as far as it has been followed: the last sequence number and its link.
///
/// ```
/// use ledger_store::{Algorithm, Chain};
///
/// let genesis = Chain::genesis(Algorithm::Blake3, "live");
/// let (mut chain, mut changed) = (genesis, genesis);
/// let first = chain.push(b"ana pays 100");
/// assert_ne!(changed.push(b"ana pays 900"), first);
/// // No link after it is the same either, so a change shows at the end.
/// assert_ne!(chain.push(b"bia pays 50"), changed.push(b"bia pays 50"));
///
/// let mut resumed = Chain::resume(Algorithm::Blake3, 1, first);
/// assert_eq!(resumed.push(b"bia pays 50"), chain.link());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    algorithm: Algorithm,
    seq: u64,
    link: Link,
}

/// Why a text is not a [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a link is 64 hexadecimal digits")]
pub struct LinkMalformed;

/// A tag that names no [`Algorithm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("hash algorithm tag {0} is unknown: 1 is BLAKE3, 2 is SHA-256")]
pub struct AlgorithmUnknown(pub u8);

impl Chain {
    /// The chain of an empty ledger: two ledgers share no link, even over the same records.
    #[must_use]
    pub fn genesis(algorithm: Algorithm, ledger_name: &str) -> Self {
        let parts = [DOMAIN, &[algorithm.tag()], ledger_name.as_bytes()];
        Self { algorithm, seq: 0, link: algorithm.hash(&parts) }
    }

    /// A chain resumed where it was left: `link` is the link after record `seq`.
    #[must_use]
    pub fn resume(algorithm: Algorithm, seq: u64, link: Link) -> Self {
        Self { algorithm, seq, link }
    }

    /// Adds the next record and returns its link.
    #[inline]
    pub fn push(&mut self, record: &[u8]) -> Link {
        self.seq += 1;
        let seq = self.seq.to_le_bytes();
        let end = PREFIX + record.len();
        self.link = if self.algorithm == Algorithm::Blake3 && end <= ONE_SHOT {
            let mut buffer = [0_u8; ONE_SHOT];
            buffer[..LINK_BYTES].copy_from_slice(&self.link.0);
            buffer[LINK_BYTES..PREFIX].copy_from_slice(&seq);
            buffer[PREFIX..end].copy_from_slice(record);
            Link(*blake3::hash(&buffer[..end]).as_bytes())
        } else {
            self.algorithm.hash(&[&self.link.0, &seq, record])
        };
        self.link
    }

    /// The hash function.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The number of the last record; 0 before the first.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The link after the last record.
    #[must_use]
    pub fn link(&self) -> Link {
        self.link
    }
}

impl Algorithm {
    /// The number it is stored under; frozen.
    #[must_use]
    pub fn tag(self) -> u8 {
        match self {
            Self::Blake3 => 1,
            Self::Sha256 => 2,
        }
    }

    fn hash(self, parts: &[&[u8]]) -> Link {
        match self {
            Self::Blake3 => {
                let mut hasher = blake3::Hasher::new();
                for part in parts {
                    hasher.update(part);
                }
                Link(*hasher.finalize().as_bytes())
            }
            Self::Sha256 => {
                let mut hasher = Sha256::new();
                for part in parts {
                    hasher.update(part);
                }
                Link(hasher.finalize().into())
            }
        }
    }
}

impl TryFrom<u8> for Algorithm {
    type Error = AlgorithmUnknown;

    fn try_from(tag: u8) -> Result<Self, AlgorithmUnknown> {
        match tag {
            1 => Ok(Self::Blake3),
            2 => Ok(Self::Sha256),
            _ => Err(AlgorithmUnknown(tag)),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blake3 => "BLAKE3",
            Self::Sha256 => "SHA-256",
        })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&digits(&self.0))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({self})")
    }
}

impl FromStr for Link {
    type Err = LinkMalformed;

    fn from_str(text: &str) -> Result<Self, LinkMalformed> {
        let link = bytes(text).and_then(|bytes| bytes.try_into().ok());
        link.map(Self).ok_or(LinkMalformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Algorithm; 2] = [Algorithm::Blake3, Algorithm::Sha256];

    /// The definition in the module's doc, written as plainly as it can be.
    fn by_the_book(algorithm: Algorithm, name: &str, records: &[Vec<u8>]) -> Link {
        let hash = |bytes: &[u8]| match algorithm {
            Algorithm::Blake3 => *blake3::hash(bytes).as_bytes(),
            Algorithm::Sha256 => Sha256::digest(bytes).into(),
        };
        let domain = b"custody-ledger chain v1\0";
        let mut link = hash(&[&domain[..], &[algorithm.tag()], name.as_bytes()].concat());
        for (seq, record) in (1_u64..).zip(records) {
            link = hash(&[&link[..], &seq.to_le_bytes(), record].concat());
        }
        Link(link)
    }

    #[test]
    fn links_are_what_the_definition_says_at_every_record_length() {
        let records: Vec<Vec<u8>> = (0..600).map(|n: usize| vec![n.to_le_bytes()[0]; n]).collect();
        for algorithm in BOTH {
            let mut chain = Chain::genesis(algorithm, "live");
            for record in &records {
                chain.push(record);
            }
            assert_eq!(chain.seq(), 600);
            assert_eq!(chain.link(), by_the_book(algorithm, "live", &records));
        }
    }

    /// Frozen: every journal ever written hangs from these.
    #[test]
    fn first_links_never_change() {
        let first = |algorithm| {
            let mut chain = Chain::genesis(algorithm, "live");
            [chain.link().to_string(), chain.push(b"record").to_string()]
        };
        let blake3 = [
            "38701383ba4cb446f20b0ccf12005efa05f699613920f2b3a26ccd62bcf6f0fa",
            "2f4b637605123787dc3fd3522ad77b0df9b22b87d1966bdd26e53270aec58e05",
        ];
        let sha256 = [
            "76b96daa4ecb9bfdfca9413ce24212b1a249d0aeea6004d2dfa651f48458cedf",
            "8d18ae630d2e9ce629f282d9491dc51f9c3d35b9e906e14b1ebaadd8250b551e",
        ];
        assert_eq!(first(Algorithm::Blake3), blake3);
        assert_eq!(first(Algorithm::Sha256), sha256);
    }

    #[test]
    fn ledgers_algorithms_and_order_all_tell_in_the_link() {
        let mut seen = Vec::new();
        for algorithm in BOTH {
            for name in ["live", "sandbox"] {
                for records in [[b"a", b"b"], [b"b", b"a"]] {
                    let mut chain = Chain::genesis(algorithm, name);
                    seen.push(chain.link());
                    seen.extend(records.map(|record| chain.push(record)));
                }
            }
        }
        seen.sort_unstable();
        seen.dedup();
        // Four genesis links, each followed by two orders of two records.
        assert_eq!(seen.len(), 4 + 4 * 4);
    }

    #[test]
    fn a_resumed_chain_goes_on_as_if_never_left() {
        let mut whole = Chain::genesis(Algorithm::Blake3, "live");
        whole.push(b"one");
        let mut resumed = Chain::resume(whole.algorithm(), whole.seq(), whole.link());
        assert_eq!(whole.push(b"two"), resumed.push(b"two"));
        assert_eq!(whole, resumed);
    }

    #[test]
    fn a_link_reads_back_from_its_digits_and_from_nothing_else() {
        let link = Chain::genesis(Algorithm::Blake3, "live").link();
        assert_eq!(link.to_string().parse(), Ok(link));
        assert_eq!(link.to_string().to_uppercase().parse(), Ok(link));
        for wrong in ["", "00", &"g".repeat(64), &"é".repeat(32), &"0".repeat(65)] {
            assert_eq!(wrong.parse::<Link>(), Err(LinkMalformed), "{wrong}");
        }
    }

    #[test]
    fn algorithm_tags_read_back() {
        for algorithm in BOTH {
            assert_eq!(Algorithm::try_from(algorithm.tag()), Ok(algorithm));
        }
        assert_eq!(Algorithm::try_from(0), Err(AlgorithmUnknown(0)));
    }
}
