//! A witness for logs of others: it cosigns a checkpoint that goes on from the last one, and no
//! other.
//!
//! ```text
//! body malformed, old > size            400
//! origin unknown                        404
//! no key of the log signed it           403
//! known size, another root              409 or 422, kept as evidence of a fork
//! old is not the size that is known     409 with that size
//! proof does not lead there             422, kept as unproved
//! else                                  stored, then cosigned: 200
//! ```

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use ledger_proofs::Hash;
use ledger_proofs::tree::empty_root;
use ledger_proofs::verify::{PathRefused, consistency};
use sha2::{Digest, Sha256};

use crate::cosignature::is_instant;
use crate::key::{PublicKey, WitnessKey};
use crate::note::{SignatureLine, Signed, SignedNote};
use crate::request::{AddCheckpoint, RequestMalformed, TreeHead};
use crate::state::{EvidencePlace, WitnessState, origin_hash};

/// A witness: its key, the logs that it knows, and its memory.
pub struct Witness {
    key: WitnessKey,
    logs: BTreeMap<String, Vec<PublicKey>>,
    state: Mutex<Box<dyn WitnessState>>,
}

/// The answer of a witness.
#[derive(Debug)]
#[non_exhaustive]
pub enum Answer {
    /// It cosigned: this is the line.
    Cosigned(SignatureLine),
    /// The request is none, or its sizes are not in order.
    Malformed(RequestMalformed),
    /// The old size is larger than the checkpoint's.
    Backwards {
        /// The old size.
        old: u64,
        /// The size of the checkpoint's tree.
        size: u64,
    },
    /// The log is not known.
    UnknownLog,
    /// No key of the log signed the checkpoint, or a line that names one is not its own.
    Untrusted,
    /// It cosigned another size last.
    Conflict {
        /// The size that it knows.
        known: u64,
    },
    /// The checkpoint does not go on from the last one.
    Inconsistent(Inconsistency),
    /// Its memory cannot be used, or its clock is behind: ask again later.
    Unavailable(io::Error),
}

/// Why a checkpoint does not go on from the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inconsistency {
    /// The root of an empty tree is another.
    #[error("a tree without leaves has another root")]
    Empty,
    /// Nothing is to be proved from an empty tree.
    #[error("from size 0 the proof is empty")]
    ProofFromEmpty,
    /// The proof does not lead from the last checkpoint to this one.
    #[error(transparent)]
    Path(#[from] PathRefused),
}

/// The answer to a request, with all that the witness's operator is to hear.
#[derive(Debug)]
pub struct Handled {
    /// The answer to whoever asked.
    pub answer: Answer,
    /// The checkpoint that was asked about, where it is one.
    pub head: Option<TreeHead>,
    /// Where evidence was kept, if it was.
    pub evidence: Option<Evidence>,
}

/// Evidence that was kept.
#[derive(Debug)]
pub struct Evidence {
    /// Tells whether it proves a fork by itself: two roots of one size, both signed by the log.
    pub is_fork: bool,
    /// The place where it was kept, or the reason why it could not be.
    pub kept: io::Result<EvidencePlace>,
}

impl Witness {
    /// A witness with this key for these logs, each an origin and its keys. The state must be the
    /// one that has been the key's from its beginning.
    #[must_use]
    pub fn new(
        key: WitnessKey,
        logs: impl IntoIterator<Item = (String, Vec<PublicKey>)>,
        state: Box<dyn WitnessState>,
    ) -> Self {
        Self { key, logs: logs.into_iter().collect(), state: Mutex::new(state) }
    }

    /// The key that verifies its cosignatures.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        self.key.public()
    }

    /// Judges a request; the clock gives seconds since 1970. What is cosigned is durable when this
    /// returns.
    pub fn add_checkpoint(&self, body: &[u8], clock: &dyn Fn() -> u64) -> Handled {
        let read = std::str::from_utf8(body).map_err(|_| RequestMalformed::Utf8);
        let read = read.and_then(|body| {
            let request: AddCheckpoint = body.parse()?;
            Ok((TreeHead::parse(request.checkpoint.text())?, request))
        });
        let (head, request) = match read {
            Ok(read) => read,
            Err(error) => {
                return Handled { answer: Answer::Malformed(error), head: None, evidence: None };
            }
        };
        let mut evidence = None;
        let answer = self.judge(&request, &head, clock, &mut evidence).unwrap_or_else(|no| no);
        Handled { answer, head: Some(head), evidence }
    }

    fn judge(
        &self,
        request: &AddCheckpoint,
        head: &TreeHead,
        clock: &dyn Fn() -> u64,
        evidence: &mut Option<Evidence>,
    ) -> Result<Answer, Answer> {
        let keys = self.logs.get(&head.origin).ok_or(Answer::UnknownLog)?;
        let verified: Vec<Signed> = keys.iter().map(|key| request.checkpoint.verify(key)).collect();
        let is_signed = verified.iter().any(|signed| matches!(signed, Signed::Yes(_)));
        if !is_signed || verified.contains(&Signed::Forged) {
            return Err(Answer::Untrusted);
        }
        let &AddCheckpoint { old, .. } = request;
        if old > head.size {
            return Err(Answer::Backwards { old, size: head.size });
        }
        // From here to the answer nobody else decides.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let log = origin_hash(&head.origin);
        let last = self.last(&mut **state, &log).map_err(Answer::Unavailable)?;
        let last_head = last.as_ref().map(|last| &last.head);
        let is_fork =
            last_head.is_some_and(|last| last.size == head.size && last.root != head.root);
        let mut keep = |is_fork| {
            let Some(Last { note, .. }) = &last else { return };
            let (name, text) = evidence_file(is_fork, note, request, head);
            let kept = state.keep_evidence(&log, &name, &text);
            *evidence = Some(Evidence { is_fork, kept });
        };
        if is_fork {
            keep(true);
        }
        let known = last_head.map_or(0, |last| last.size);
        if old != known {
            return Err(Answer::Conflict { known });
        }
        if let Err(error) = goes_on(last_head, head, request) {
            if !is_fork {
                keep(false);
            }
            return Err(Answer::Inconsistent(error));
        }
        let now = clock();
        check_clock(now, last.as_ref()).map_err(Answer::Unavailable)?;
        let line = SignatureLine::cosign(&self.key, request.checkpoint.text(), now);
        let mut cosigned = request.checkpoint.with_lines_of(keys);
        cosigned.add(line.clone());
        state.save(&log, &cosigned.to_string()).map_err(Answer::Unavailable)?;
        Ok(Answer::Cosigned(line))
    }

    /// The last checkpoint that it cosigned of a log by its hash; none where it never did.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not as the witness cosigned it.
    pub fn checkpoint(&self, log: &str) -> io::Result<Option<String>> {
        let known = self.logs.keys().any(|origin| origin_hash(origin) == log);
        if !known {
            return Ok(None);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.last(&mut **state, log)?.map(|last| last.note.to_string()))
    }

    fn last(&self, state: &mut dyn WitnessState, log: &str) -> io::Result<Option<Last>> {
        let Some(text) = state.load(log)? else { return Ok(None) };
        let changed = || io::Error::other("the last checkpoint is not as it was cosigned");
        let note: SignedNote = text.parse().map_err(|_| changed())?;
        let head = TreeHead::parse(note.text()).map_err(|_| changed())?;
        match note.verify(&self.key.public()) {
            Signed::Yes(Some(time)) if origin_hash(&head.origin) == log => {
                Ok(Some(Last { note, head, time }))
            }
            _ => Err(changed()),
        }
    }
}

/// The last checkpoint of a log that was cosigned.
struct Last {
    note: SignedNote,
    head: TreeHead,
    /// When it was cosigned, in seconds since 1970.
    time: u64,
}

/// Checks that a cosignature may have this instant.
fn check_clock(now: u64, last: Option<&Last>) -> io::Result<()> {
    if !is_instant(now) {
        return Err(io::Error::other("the clock shows no instant after the beginning of 1970"));
    }
    if last.is_some_and(|last| now < last.time) {
        let behind = "the clock shows an earlier instant than the last cosignature";
        return Err(io::Error::other(behind));
    }
    Ok(())
}

/// Proves that a checkpoint goes on from the last one of its log.
fn goes_on(
    last: Option<&TreeHead>,
    head: &TreeHead,
    request: &AddCheckpoint,
) -> Result<(), Inconsistency> {
    if head.size == 0 && head.root != empty_root() {
        return Err(Inconsistency::Empty);
    }
    match last {
        Some(last) if last.size > 0 => {
            let (old, new) = ((last.size, last.root), (head.size, head.root));
            Ok(consistency(old, new, &request.proof)?)
        }
        _ if !request.proof.is_empty() => Err(Inconsistency::ProofFromEmpty),
        _ => Ok(()),
    }
}

/// The name and the text of evidence: the last checkpoint, and the request that was refused.
fn evidence_file(
    is_fork: bool,
    last: &SignedNote,
    request: &AddCheckpoint,
    head: &TreeHead,
) -> (String, String) {
    let hash = Hash(Sha256::digest(request.checkpoint.text()).into()).to_string();
    let kind = if is_fork { "fork" } else { "unproved" };
    let name = format!("{kind}-{}-{}", head.size, &hash[..16]);
    (name, format!("{last}\n{request}"))
}

impl Answer {
    /// The status of the answer over HTTP.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Cosigned(_) => 200,
            Self::Malformed(_) | Self::Backwards { .. } => 400,
            Self::Untrusted => 403,
            Self::UnknownLog => 404,
            Self::Conflict { .. } => 409,
            Self::Inconsistent(_) => 422,
            Self::Unavailable(_) => 503,
        }
    }

    /// The media type of the body.
    #[must_use]
    pub const fn content_type(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "text/x.tlog.size",
            _ => "text/plain; charset=utf-8",
        }
    }

    /// The body, ended by a line feed.
    #[must_use]
    pub fn body(&self) -> String {
        match self {
            Self::Cosigned(line) => format!("{line}\n"),
            Self::Malformed(error) => format!("{error}\n"),
            Self::Backwards { old, size } => {
                format!("old {old} is larger than the checkpoint's {size}\n")
            }
            Self::UnknownLog => "the origin is not known here\n".to_owned(),
            Self::Untrusted => "no known key of the origin signed it\n".to_owned(),
            Self::Conflict { known } => format!("{known}\n"),
            Self::Inconsistent(error) => format!("{error}\n"),
            // The reason is the operator's.
            Self::Unavailable(_) => "ask again later\n".to_owned(),
        }
    }
}

impl std::fmt::Debug for Witness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { key, logs, .. } = self;
        f.debug_struct("Witness").field("key", key).field("logs", logs).finish_non_exhaustive()
    }
}
