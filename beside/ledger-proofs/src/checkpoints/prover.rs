//! The prover: makes proofs of a ledger's records, operations and balances for a checkpoint that
//! was signed, out of the journal and its tree.

use std::convert::identity;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ledger_core::id::Seq;
use thiserror::Error;

use super::position::{LedgerBalances, Position};
use crate::Hash;
use crate::balances::{BalanceTree, Holder, SumOverflow};
use crate::check::operation_of;
use crate::checkpoint::{Checkpoint, CheckpointRefused};
use crate::document::{
    BalanceProof, Column, Digits, OperationProof, PathNode, Proof, ProvedRecord, RecordProof,
    SinceProof,
};
use crate::record_tree::{RecordTree, TreeError};
use ledger_store::codec::{self, CodecError};
use ledger_store::journal::Journal;
use ledger_store::located_record::{LocatedRecord, locate_record};
use ledger_store::sequencer::{Recorded, ReplayError, Sequencer};
use ledger_store::signing::note::Note;

/// Makes proofs of one ledger for one checkpoint.
pub struct Prover {
    journal: Box<dyn Journal>,
    name: String,
    tree: RecordTree,
    checkpoint: Checkpoint,
    /// The balances at the checkpoint, once one was asked for.
    balances: Option<(LedgerBalances, BalanceTree)>,
}

/// Why there is no proof.
#[derive(Debug, Error)]
pub enum ProverError {
    /// The tree cannot be used.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The checkpoint is of more records than there are.
    #[error("the checkpoint is of {size} records, and the ledger ends at {last}")]
    Short {
        /// The records of the checkpoint.
        size: u64,
        /// The last record.
        last: u64,
    },
    /// The ledger is not the one that was signed.
    #[error("the checkpoint says root {signed} at {size} records, and the ledger has {found}")]
    OtherRoot {
        /// The records of the checkpoint.
        size: u64,
        /// The root that the checkpoint signed.
        signed: Hash,
        /// The root of as many records of the ledger.
        found: Hash,
    },
    /// The checkpoint does not cover the record.
    #[error("record {record} is not in the checkpoint, which is of records 1 to {size}")]
    NoRecord {
        /// The record's number.
        record: u64,
        /// The records of the checkpoint.
        size: u64,
    },
    /// No operation has this id.
    #[error("{0} is no operation of this ledger")]
    NoOperation(String),
    /// A record cannot be read.
    #[error("record {record} cannot be read")]
    Unreadable {
        /// The record's number.
        record: u64,
        /// The reason why its bytes decode to nothing.
        #[source]
        source: CodecError,
    },
    /// The ledger cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The balances leave 128 bits.
    #[error(transparent)]
    Overflow(#[from] SumOverflow),
    /// The balances are not those that were signed.
    #[error("the checkpoint says root {signed} of the balances, and the ledger has {found}")]
    OtherBalances {
        /// The root of the balances that the checkpoint signed.
        signed: Hash,
        /// The root of the ledger's balances at that record.
        found: Hash,
    },
    /// Nobody of this name had a balance.
    #[error("{0} had no balance at record {1}")]
    NoBalance(String, u64),
    /// The earlier checkpoint cannot be read.
    #[error("the earlier checkpoint")]
    Earlier(#[from] CheckpointRefused),
    /// The earlier checkpoint is of another ledger, or later.
    #[error("the checkpoint of {origin} at {size} records is not earlier than that at {later}")]
    NotEarlier {
        /// The origin of the checkpoint that was to be the earlier.
        origin: String,
        /// The number of records of that checkpoint.
        size: u64,
        /// The records of the later checkpoint.
        later: u64,
    },
}

impl Prover {
    /// A prover of the ledger named `name` for a checkpoint; `tree` follows the journal first.
    ///
    /// # Errors
    ///
    /// [`ProverError`], where the ledger is not what was signed.
    pub fn new(
        mut journal: Box<dyn Journal>,
        name: &str,
        mut tree: RecordTree,
        checkpoint: Checkpoint,
    ) -> Result<Self, ProverError> {
        tree.follow(&mut *journal, name)?;
        let mut this = Self { journal, name: name.to_owned(), tree, checkpoint, balances: None };
        let (size, root) = (this.checkpoint.size, this.checkpoint.root);
        this.has(size, root)?;
        Ok(this)
    }

    /// Checks that the tree has this root at this size.
    fn has(&mut self, size: u64, signed: Hash) -> Result<(), ProverError> {
        let last = self.tree.size();
        if last < size {
            return Err(ProverError::Short { size, last });
        }
        let found = self.tree.root(size)?;
        if found == signed { Ok(()) } else { Err(ProverError::OtherRoot { size, signed, found }) }
    }

    /// Proves a record, by its number from 1.
    ///
    /// # Errors
    ///
    /// [`ProverError`].
    pub fn record(&mut self, record: u64) -> Result<Proof, ProverError> {
        let (record, _) = self.prove(record)?;
        let (origin, size) = self.origin_and_size();
        Ok(Proof::Record(RecordProof { origin, size, record }))
    }

    fn origin_and_size(&self) -> (String, u64) {
        (self.checkpoint.origin.clone(), self.checkpoint.size)
    }

    /// A record that is proved, and its bytes.
    fn prove(&mut self, record: u64) -> Result<(ProvedRecord, Vec<u8>), ProverError> {
        let size = self.checkpoint.size;
        if record == 0 || record > size {
            return Err(ProverError::NoRecord { record, size });
        }
        let LocatedRecord { before, bytes, .. } = self.locate(record)?;
        let path = self.tree.inclusion(record, size)?;
        let (previous_link, encoded) = (Hash(before.0), BASE64_STANDARD.encode(&bytes));
        Ok((ProvedRecord { record, previous_link, bytes: encoded, path }, bytes))
    }

    /// Proves every record of an operation up to the checkpoint; `sequencer` is the ledger as it is
    /// now.
    ///
    /// # Errors
    ///
    /// [`ProverError`].
    pub fn operation(&mut self, sequencer: &Sequencer, id: &str) -> Result<Proof, ProverError> {
        let (origin, size) = self.origin_and_size();
        let op = operation_of(id, &origin).and_then(|op| Some((op, sequencer.trail(op)?)));
        let (op, trail) = op.ok_or_else(|| ProverError::NoOperation(id.to_owned()))?;
        if op.seq().0 > size {
            return Err(ProverError::NoRecord { record: op.seq().0, size });
        }
        let mut records = Vec::new();
        for Seq(record) in trail.into_iter().filter(|seq| seq.0 <= size) {
            let (proved, bytes) = self.prove(record)?;
            let decoded = codec::decode(Seq(record), &bytes)
                .map_err(|source| ProverError::Unreadable { record, source })?;
            // A record that only follows from an operation says nothing of it.
            if decoded.events.iter().any(|event| event.op() == Some(op)) {
                records.push(proved);
            }
        }
        let operation = id.to_owned();
        Ok(Proof::Operation(OperationProof { origin, size, operation, records }))
    }

    /// Proves a balance as it was at the checkpoint: a customer's, or without one the house's.
    ///
    /// # Errors
    ///
    /// [`ProverError`].
    pub fn balance(&mut self, account: &str, customer: Option<&str>) -> Result<Proof, ProverError> {
        let (origin, size) = self.origin_and_size();
        let found = match self.balances.take() {
            Some(found) => found,
            None => self.balances_then()?,
        };
        let (known, tree) = self.balances.insert(found);
        let holder = Holder { account: account.to_owned(), customer: customer.map(str::to_owned) };
        let balance = known.balances.iter().find(|balance| balance.holder == holder);
        let path = balance.map(|balance| tree.path(holder.key(&balance.salt))).transpose()?;
        let (Some(balance), Some((leaf, path))) = (balance, path.and_then(identity)) else {
            let named = customer.map(|customer| format!("customer {customer} of "));
            let named = format!("{}{account}", named.unwrap_or_default());
            return Err(ProverError::NoBalance(named, size));
        };
        let amounts = known.columns.iter().zip(&balance.amounts).map(|(column, owed)| Column {
            column: column.clone(),
            to: Digits(owed.to),
            by: Digits(owed.by),
        });
        Ok(Proof::Balance(BalanceProof {
            origin,
            size,
            account: holder.account,
            customer: holder.customer,
            salt: Hash(balance.salt),
            amounts: amounts.collect(),
            leaf,
            path: path.iter().map(PathNode::from_summed).collect(),
        }))
    }

    /// How many records the checkpoint has.
    pub(crate) const fn size(&self) -> u64 {
        self.checkpoint.size
    }

    /// The checkpoint that is proved against.
    pub(crate) const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// A record's bytes as the journal has them.
    pub(crate) fn bytes(&mut self, record: u64) -> Result<Vec<u8>, ProverError> {
        Ok(self.locate(record)?.bytes)
    }

    fn locate(&mut self, record: u64) -> Result<LocatedRecord, TreeError> {
        Ok(locate_record(&mut *self.journal, &self.name, record)?)
    }

    /// The balances at the checkpoint, which are those that were signed.
    fn balances_then(&mut self) -> Result<(LedgerBalances, BalanceTree), ProverError> {
        let size = self.checkpoint.size;
        let (sequencer, _) = Recorded::after(&mut *self.journal, &self.name, size)?;
        self.balances_of(&sequencer)
    }

    /// Takes the balances of the ledger as it stood at the checkpoint, so that it need not be
    /// replayed for them; they must be those that were signed.
    pub(crate) fn hold_balances(&mut self, then: &Sequencer) -> Result<(), ProverError> {
        self.balances = Some(self.balances_of(then)?);
        Ok(())
    }

    fn balances_of(&self, then: &Sequencer) -> Result<(LedgerBalances, BalanceTree), ProverError> {
        let Position { state, customers, .. } = Position::from_sequencer(then, 0);
        let known =
            LedgerBalances::from_state(&state, &customers, &self.journal.identity().vault_key);
        let tree = known.tree();
        let (signed, found) = (self.checkpoint.balances.root, tree.root()?.hash);
        if signed == found {
            Ok((known, tree))
        } else {
            Err(ProverError::OtherBalances { signed, found })
        }
    }

    /// Proves that nothing was changed since an earlier checkpoint.
    ///
    /// # Errors
    ///
    /// [`ProverError`], where the ledger does not go on from it among others.
    pub fn since(&mut self, note: &Note) -> Result<Proof, ProverError> {
        let earlier = Checkpoint::parse(&note.text)?;
        let (origin, size) = self.origin_and_size();
        if earlier.origin != origin || earlier.size > size || earlier.size == 0 {
            let (origin, earlier) = (earlier.origin, earlier.size);
            return Err(ProverError::NotEarlier { origin, size: earlier, later: size });
        }
        self.has(earlier.size, earlier.root)?;
        let path = self.tree.consistency(earlier.size, size)?;
        Ok(Proof::Since(SinceProof { origin, size, since: note.to_string(), path }))
    }
}

impl std::fmt::Debug for Prover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, checkpoint, .. } = self;
        f.debug_struct("Prover")
            .field("name", name)
            .field("size", &checkpoint.size)
            .finish_non_exhaustive()
    }
}
