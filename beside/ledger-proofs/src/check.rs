//! A proof checked against a checkpoint that was signed: all that a stranger does, and no store.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ledger_core::id::{Environment, LedgerName, OpId, Seq};
use thiserror::Error;

use super::balances::{self, Holder, Owed, SumRefused, Summed, Total};
use super::checkpoint::{Checkpoint, CheckpointRefused};
use super::document::{BalanceProof, Column, OperationProof, Proof, ProvedRecord, SinceProof};
use super::tree::leaf_hash;
use super::verify::{self, PathRefused};
use ledger_store::chain::{Chain, Link};
use ledger_store::codec::{self, CodecError};
use ledger_store::signing::key::Verifier;
use ledger_store::signing::note::Note;

/// What a proof proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// A record, by its number and link.
    Record(u64, Link),
    /// An operation, by its id and the numbers of its records.
    Operation(String, Vec<u64>),
    /// A balance, column by column.
    Balance(Holder, Vec<Total>),
    /// That nothing up to this record was changed since.
    Since(u64),
}

/// Why a proof proves nothing.
#[derive(Debug, Error)]
pub enum ProofRefused {
    /// It is of another ledger.
    #[error("the proof is of {proof}, and the checkpoint of {checkpoint}")]
    Origin {
        /// The proof's origin.
        proof: String,
        /// The origin of the checkpoint.
        checkpoint: String,
    },
    /// It is of another size.
    #[error("the proof is of {proof} records, and the checkpoint of {checkpoint}")]
    Size {
        /// The proof's size.
        proof: u64,
        /// The number of records of the checkpoint.
        checkpoint: u64,
    },
    /// There is no record of this number.
    #[error("record {0}: the first record of a ledger is 1")]
    NoSuchRecord(u64),
    /// The bytes of a record cannot be read.
    #[error("record {record}: its bytes are not base64")]
    Bytes {
        /// The record's number.
        record: u64,
    },
    /// A record is not in the ledger so.
    #[error("record {record}: its number, bytes and previous link are not in the ledger so")]
    Record {
        /// The record's number.
        record: u64,
        /// Where its path leads.
        #[source]
        source: PathRefused,
    },
    /// The text is no id of this ledger's operations.
    #[error("{operation} is no operation of {origin}")]
    Operation {
        /// The text in the place of the operation's id.
        operation: String,
        /// The origin of the checkpoint, which names the ledger.
        origin: String,
    },
    /// A record is in the ledger, and what it says cannot be read.
    #[error("record {record}: it is in the ledger, and this version cannot read it")]
    Unreadable {
        /// The record's number.
        record: u64,
        /// The reason why its bytes decode to nothing.
        #[source]
        source: CodecError,
    },
    /// A record is in the ledger, and not of this operation.
    #[error("record {record}: it is in the ledger, and says nothing of {operation}")]
    OfAnother {
        /// The record's number.
        record: u64,
        /// The operation's id.
        operation: String,
    },
    /// The records of an operation begin with the one that created it, and go on in order.
    #[error("the records of {operation} are not those from record {first} on, in order")]
    Order {
        /// The operation's id.
        operation: String,
        /// The record that created it.
        first: u64,
    },
    /// The columns are not those of the checkpoint.
    #[error("the balance has columns {found}, and the checkpoint {expected}")]
    Columns {
        /// The checkpoint's columns, with a comma between them.
        expected: String,
        /// The proof's columns, with a comma between them.
        found: String,
    },
    /// The balance is not a part of what is owed.
    #[error("this holder, salt and balance are not in the checkpoint's tree so")]
    Balance(#[source] SumRefused),
    /// The earlier checkpoint is not one.
    #[error("the earlier checkpoint")]
    Earlier(#[source] CheckpointRefused),
    /// The proof holds no earlier checkpoint, or several.
    #[error("the proof holds {0} earlier checkpoints, where it must be one")]
    EarlierCount(usize),
    /// The earlier checkpoint is another than the one that was kept.
    #[error(
        "the proof begins at record {proof}, and the checkpoint that was kept at {kept}, or with \
         another root"
    )]
    OtherEarlier {
        /// Where the proof begins.
        proof: u64,
        /// Where the kept checkpoint stands.
        kept: u64,
    },
    /// The later ledger does not go on from the earlier one.
    #[error("the ledger at {new} records does not go on from what it was at {old}")]
    Forked {
        /// The earlier size.
        old: u64,
        /// The later size.
        new: u64,
        /// Where the path leads.
        #[source]
        source: PathRefused,
    },
}

impl Proof {
    /// Checks the proof against a checkpoint of its size that `key` signed. For a proof of what
    /// came since, `kept` is the earlier checkpoint as it was kept; without it the one in the proof
    /// counts, which `key` must have signed.
    ///
    /// # Errors
    ///
    /// [`ProofRefused`], saying what does not match.
    pub fn check(
        &self,
        checkpoint: &Checkpoint,
        key: &Verifier,
        kept: Option<&Checkpoint>,
    ) -> Result<Proved, ProofRefused> {
        if self.origin() != checkpoint.origin {
            let (proof, checkpoint) = (self.origin().to_owned(), checkpoint.origin.clone());
            return Err(ProofRefused::Origin { proof, checkpoint });
        }
        if self.size() != checkpoint.size {
            return Err(ProofRefused::Size { proof: self.size(), checkpoint: checkpoint.size });
        }
        match self {
            Self::Since(proof) => since(proof, checkpoint, key, kept),
            _ => self.within(checkpoint),
        }
    }

    /// Checks that what is proved is in the ledger of a checkpoint, whoever signed that.
    ///
    /// # Panics
    ///
    /// For a proof of what came since, which is of two checkpoints.
    pub(crate) fn within(&self, checkpoint: &Checkpoint) -> Result<Proved, ProofRefused> {
        match self {
            Self::Record(proof) => {
                let (link, _) = record(&proof.record, checkpoint)?;
                Ok(Proved::Record(proof.record.record, link))
            }
            Self::Operation(proof) => operation(proof, checkpoint),
            Self::Balance(proof) => balance(proof, checkpoint),
            Self::Since(_) => unreachable!("it is checked against both its checkpoints"),
        }
    }
}

/// Checks one record, and gives its link and bytes.
fn record(proved: &ProvedRecord, checkpoint: &Checkpoint) -> Result<(Link, Vec<u8>), ProofRefused> {
    let record = proved.record;
    let before = record.checked_sub(1).ok_or(ProofRefused::NoSuchRecord(record))?;
    let bytes = BASE64_STANDARD.decode(&proved.bytes);
    let bytes = bytes.map_err(|_| ProofRefused::Bytes { record })?;
    let mut chain = Chain::resume(checkpoint.algorithm, before, Link(proved.previous_link.0));
    let link = chain.push(&bytes);
    verify::inclusion(leaf_hash(&link.0), before, checkpoint.size, &proved.path, checkpoint.root)
        .map_err(|source| ProofRefused::Record { record, source })?;
    Ok((link, bytes))
}

/// The operation of this id in the ledger of this origin.
pub(crate) fn operation_of(text: &str, origin: &str) -> Option<OpId> {
    let (rest, environment) = origin.rsplit_once('/')?;
    let (_, ledger) = rest.rsplit_once('/')?;
    let environment = Environment::ALL.into_iter().find(|known| known.name() == environment)?;
    // Ids of a ledger that is older than the choice of an environment begin as its name says.
    let names = [LedgerName::new(ledger, environment), LedgerName::from(ledger)];
    names.iter().find_map(|name| OpId::parse(text, name))
}

fn operation(proof: &OperationProof, checkpoint: &Checkpoint) -> Result<Proved, ProofRefused> {
    let OperationProof { origin, operation, records, .. } = proof;
    let op = operation_of(operation, origin).ok_or_else(|| ProofRefused::Operation {
        operation: operation.clone(),
        origin: origin.clone(),
    })?;
    let first = op.seq().0;
    let begins = records.first().is_some_and(|proved| proved.record == first);
    if !begins || !records.is_sorted_by(|one, next| one.record < next.record) {
        return Err(ProofRefused::Order { operation: operation.clone(), first });
    }
    for proved in records {
        let record = proved.record;
        let (_, bytes) = self::record(proved, checkpoint)?;
        let decoded = codec::decode(Seq(record), &bytes)
            .map_err(|source| ProofRefused::Unreadable { record, source })?;
        if !decoded.events.iter().any(|event| event.op() == Some(op)) {
            return Err(ProofRefused::OfAnother { record, operation: operation.clone() });
        }
    }
    let numbers = records.iter().map(|proved| proved.record);
    Ok(Proved::Operation(operation.clone(), numbers.collect()))
}

fn balance(proof: &BalanceProof, checkpoint: &Checkpoint) -> Result<Proved, ProofRefused> {
    let tree = &checkpoint.balances;
    let expected: Vec<&str> = tree.totals.iter().map(|total| &*total.column).collect();
    let found: Vec<&str> = proof.amounts.iter().map(|column| &*column.column).collect();
    if expected != found {
        let (expected, found) = (expected.join(", "), found.join(", "));
        return Err(ProofRefused::Columns { expected, found });
    }
    let holder = Holder { account: proof.account.clone(), customer: proof.customer.clone() };
    let owed = |column: &Column| Owed { to: column.to.0, by: column.by.0 };
    let amounts: Vec<Owed> = proof.amounts.iter().map(owed).collect();
    let leaf = balances::leaf(holder.key(&proof.salt.0), &amounts);
    let path: Vec<Summed> = proof.path.iter().map(super::document::PathNode::to_summed).collect();
    let totals = tree.totals.iter().map(|total| total.owed).collect();
    let root = Summed { hash: tree.root, amounts: totals };
    balances::verify(leaf, (proof.leaf, tree.count), &path, &root)
        .map_err(ProofRefused::Balance)?;
    let named = found.iter().zip(amounts);
    let named = named.map(|(column, owed)| Total { column: (*column).to_owned(), owed });
    Ok(Proved::Balance(holder, named.collect()))
}

fn since(
    proof: &SinceProof,
    checkpoint: &Checkpoint,
    key: &Verifier,
    kept: Option<&Checkpoint>,
) -> Result<Proved, ProofRefused> {
    let notes = Note::all(&proof.since);
    let [note] = &*notes else { return Err(ProofRefused::EarlierCount(notes.len())) };
    if note.to_string() != proof.since {
        return Err(ProofRefused::EarlierCount(0));
    }
    let earlier = Checkpoint::from_signed_note(note, key).map_err(ProofRefused::Earlier)?;
    if let Some(kept) = kept.filter(|kept| (kept.size, kept.root) != (earlier.size, earlier.root)) {
        return Err(ProofRefused::OtherEarlier { proof: earlier.size, kept: kept.size });
    }
    let (old, new) = ((earlier.size, earlier.root), (checkpoint.size, checkpoint.root));
    verify::consistency(old, new, &proof.path).map_err(|source| ProofRefused::Forked {
        old: old.0,
        new: new.0,
        source,
    })?;
    Ok(Proved::Since(earlier.size))
}

/// What was proved, a line or several.
impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(record, link) => write!(f, "record {record} is in it, with link {link}"),
            Self::Operation(operation, records) => {
                let numbers: Vec<String> = records.iter().map(u64::to_string).collect();
                write!(f, "records {} of operation {operation} are in it", numbers.join(", "))
            }
            Self::Balance(Holder { account, customer }, columns) => {
                let customer = customer
                    .as_ref()
                    .map_or("the house".into(), |customer| format!("customer {customer}"));
                write!(f, "the balance of {customer} of {account} is in it")?;
                columns.iter().try_for_each(|Total { column, owed }| {
                    let Owed { to, by } = owed;
                    write!(f, "\n  {column}: {to} owed to them, {by} owed by them")
                })
            }
            Self::Since(record) => {
                write!(f, "nothing up to record {record} was changed, moved or dropped since")
            }
        }
    }
}
