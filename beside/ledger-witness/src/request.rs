//! The request `add-checkpoint` of C2SP tlog-witness, and the first lines of a checkpoint.
//!
//! ```text
//! old 20852014                                        the size that the witness knows
//! PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=        the consistency proof, 0 to 63 hashes
//!
//! example.com/behind-the-sofa                         the checkpoint, a signed note
//! 20852163
//! CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
//!
//! — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5...
//! ```

use std::fmt;
use std::str::FromStr;

use ledger_proofs::Hash;
use ledger_proofs::checkpoint::number;
use thiserror::Error;

use crate::note::{NoteMalformed, SignedNote};

/// Hashes of a consistency proof at most.
const PROOF_LINES: usize = 63;

/// The tree of a checkpoint: its first three lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// The log's name.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

/// A checkpoint for a witness, with the proof that it goes on from what the witness knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size that the witness last cosigned, 0 where it never did.
    pub old: u64,
    /// The hashes that lead from that tree to the checkpoint's.
    pub proof: Vec<Hash>,
    /// The checkpoint, signed by its log.
    pub checkpoint: SignedNote,
}

/// Why a body is no request, or a text no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RequestMalformed {
    /// The body is not UTF-8.
    #[error("the body is not UTF-8")]
    Utf8,
    /// The first line is not one.
    #[error("the first line is not `old SIZE`")]
    Old,
    /// A line of the proof is no hash.
    #[error("line {0} of the proof is not a hash in base64")]
    Proof(usize),
    /// The proof is longer than any can be.
    #[error("a proof has at most {PROOF_LINES} hashes")]
    LongProof,
    /// No empty line stands before the checkpoint.
    #[error("no empty line stands before the checkpoint")]
    NoCheckpoint,
    /// The checkpoint is no signed note.
    #[error(transparent)]
    Note(#[from] NoteMalformed),
    /// A line of the checkpoint's text is not what it must be.
    #[error("line {0} of the checkpoint is not an origin, a size, a root or an extension")]
    Checkpoint(usize),
}

impl TreeHead {
    /// Reads the first lines of a checkpoint's text; extensions must not be empty.
    ///
    /// # Errors
    ///
    /// [`RequestMalformed::Checkpoint`] that names the first line at fault.
    pub fn parse(text: &str) -> Result<Self, RequestMalformed> {
        let wrong = RequestMalformed::Checkpoint;
        let lines: Vec<&str> = text.split_terminator('\n').collect();
        if let Some(place) = lines.iter().position(|line| line.is_empty()) {
            return Err(wrong(place + 1));
        }
        let [origin, size, root, ..] = lines[..] else { return Err(wrong(lines.len() + 1)) };
        Ok(Self {
            origin: origin.to_owned(),
            size: parse_size(size).ok_or(wrong(2))?,
            root: Hash::from_base64(root).map_err(|_| wrong(3))?,
        })
    }
}

/// A size as it is written, at most the largest `i64`.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    number(text).filter(|size| i64::try_from(*size).is_ok())
}

impl FromStr for AddCheckpoint {
    type Err = RequestMalformed;

    fn from_str(body: &str) -> Result<Self, RequestMalformed> {
        let (head, note) = body.split_once("\n\n").ok_or(RequestMalformed::NoCheckpoint)?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| parse_size(line.strip_prefix("old ")?));
        let old = old.ok_or(RequestMalformed::Old)?;
        let hash =
            |(place, line)| Hash::from_base64(line).map_err(|_| RequestMalformed::Proof(place));
        let proof = (1..).zip(lines).map(hash).collect::<Result<Vec<_>, _>>()?;
        if proof.len() > PROOF_LINES {
            return Err(RequestMalformed::LongProof);
        }
        Ok(Self { old, proof, checkpoint: note.parse()? })
    }
}

/// The body of the request.
impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        self.proof.iter().try_for_each(|hash| writeln!(f, "{}", hash.base64()))?;
        write!(f, "\n{}", self.checkpoint)
    }
}
